"""The views draw every puzzle's reference, and wrong files: at any width, in ASCII, in each look."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from gpulab.authoring.proof import files_in
from gpulab.catalog import load
from gpulab.catalog.model import Puzzle
from gpulab.judge.drawing import Drawing
from gpulab.judge.picturing import draw_numba
from gpulab.trace.intervals import intervals
from gpulab.trace.traffic import bank_use, traffic
from gpulab.trace.walking import Position, Walk
from gpulab.views import instrument
from gpulab.views.look import LOOKS, look
from gpulab.views.scene import Scene
from tests.judge.local import LocalLearner
from tests.sample import first, some_of

ALL = [puzzle for puzzle in load().puzzles if puzzle.language == "numba"]
PUZZLES = some_of(ALL)
WIDTHS = (40, 60, 80, 100, 120, 160)


def draw(puzzle: Puzzle, file: Path) -> Drawing:
    """The picture case on `file`, in this process."""
    return draw_numba(puzzle, file, file.read_text(), LocalLearner(file), seed=71)


def scenes(drawing: Drawing, what: str) -> list[Scene]:
    """Each launch of which a view can show something, where it begins."""
    found = []
    for run in drawing.launches:
        scene = Scene(run, drawing.report.source, elements=drawing.elements, report=drawing.report)
        if instrument.missing(what, scene) is None:
            start = instrument.opening(what, scene)
            found.append(scene.at(instrument.positioned(what, scene.at(start))))
    return found


def check_pages(drawing: Drawing, what: str) -> int:
    """Draw at every width, also in ASCII and without colour; how many scenes there were."""
    shown = scenes(drawing, what)
    for scene in shown:
        for width in WIDTHS:
            for name in LOOKS if width == 80 else ("dark",):
                for ascii in (False, True):
                    page = instrument.page(what, scene, width, look(name, ascii=ascii))
                    assert page.rows and all(line.cell_len <= width for line in page.rows)
                    assert not ascii or all(line.plain.isascii() for line in page.rows)
    return len(shown)


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: cast("Puzzle", puzzle).id)
def test_the_reference_of_every_puzzle_can_be_drawn(puzzle: Puzzle) -> None:
    drawing = draw(puzzle, puzzle.reference)
    assert drawing.report.passed and drawing.drawn and drawing.elements
    assert check_pages(drawing, "source") and check_pages(drawing, "memory")
    shared = check_pages(drawing, "banks")
    assert check_pages(drawing, "barriers") == shared
    for run in drawing.launches:
        assert run.picture is not None and len(run.picture.warps) >= 1
        counters = run.counters.totals
        if not run.picture.left_out:
            steps = [(step, run.picture.arrays[step.array]) for warp in run.picture.warps for step in warp.steps]
            moved = [len(traffic(step, array).sectors) for step, array in steps
                     if array.space == "global" and step.kind != "atomic"]
            waves = [bank_use(step, array).wavefronts for step, array in steps
                     if array.space == "shared" and step.kind != "atomic"]
            assert sum(moved) == counters["global_load_sectors"] + counters["global_store_sectors"]
            assert sum(waves) == counters["shared_load_wavefronts"] + counters["shared_store_wavefronts"]


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: cast("Puzzle", puzzle).id)
def test_the_picture_case_has_several_warps_and_where_the_puzzle_has_them_several_blocks(puzzle: Puzzle) -> None:
    runs = draw(puzzle, puzzle.reference).launches
    assert max(len(run.picture.warps) for run in runs if run.picture) > 1 or puzzle.track == "threads"
    assert sum(len(warp.steps) for run in runs if run.picture for warp in run.picture.warps) < 6000


WRONG = [file for puzzle in ALL if puzzle.track == "shared" for file in first(files_in(puzzle, "wrong"), 2)]


@pytest.mark.slow
@pytest.mark.parametrize("file", WRONG, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_wrong_files_are_drawn_as_far_as_they_ran(file: Path) -> None:
    puzzle = next(puzzle for puzzle in ALL if puzzle.folder == file.parent.parent)
    drawing = draw(puzzle, file)
    for what in instrument.WHAT if drawing.drawn else ():
        check_pages(drawing, what)
    assert drawing.drawn or drawing.report.diagnosis is not None


def wrong(name: str) -> tuple[Puzzle, Path]:
    puzzle = next(puzzle for puzzle in ALL if puzzle.id == "shared/pooling")
    return puzzle, puzzle.folder / "wrong" / f"{name}.py"


def text(drawing: Drawing, what: str) -> str:
    scene = scenes(drawing, what)[0]
    return "\n".join(line.plain for line in instrument.page(what, scene, 80, look()).rows)


def test_a_race_is_marked_in_the_source_and_its_cell_in_time() -> None:
    drawing = draw(*wrong("missing_barrier"))
    assert drawing.report.verdict == "race"
    line = drawing.launches[0].findings[0].line
    assert f"× line {line}: race." in text(drawing, "source")
    assert "×    32 " in text(drawing, "barriers")
    assert "nobody reads what another writes" not in text(drawing, "barriers")


def test_memory_begins_at_the_step_that_leaves_the_array() -> None:
    drawn = text(draw(*wrong("negative_halo")), "memory")
    assert "Lane 0 asks for a[-2], but a has 129 elements." in drawn


def test_walking_through_every_step_of_a_reference_draws_a_page_at_each() -> None:
    puzzle = next(puzzle for puzzle in ALL if puzzle.id == "shared/stage")
    scene = scenes(draw(puzzle, puzzle.reference), "memory")[0]
    walk = Walk(scene.picture)
    position = walk.start()
    seen = set()
    for _ in range(sum(len(warp.steps) for warp in scene.picture.warps)):
        for what in ("memory", "banks", "barriers"):
            assert instrument.page(what, scene.at(position), 80, look()).rows
        seen.add(position)
        onward = walk.along(position)
        position = onward if onward != position else walk.next_warp(position)
    assert len(seen) > len(scene.warp.steps)


def test_intervals_hold_what_was_stored_and_who_read_it() -> None:
    puzzle = next(puzzle for puzzle in ALL if puzzle.id == "shared/pooling")
    scene = scenes(draw(puzzle, puzzle.reference), "barriers")[0]
    tile = next(place for place, array in enumerate(scene.picture.arrays) if array.space == "shared")
    filled, used = intervals(scene.picture, 1, tile)
    assert not filled.foreign and len(filled.written) == 66
    assert used.read == filled.written and not used.written and used.foreign
    assert filled.barrier is not None and filled.barrier.threads == 64 and used.barrier is None


def test_threads_of_another_branch_are_not_called_sent_home() -> None:
    puzzle = next(puzzle for puzzle in ALL if puzzle.id == "threads/blocks-2d")
    scene = scenes(draw(puzzle, puzzle.reference), "memory")[0]
    drawn = "\n".join(line.plain for line in instrument.page("memory", scene, 80, look()).rows)
    assert "threads are" in drawn and "not in this step" in drawn and "sent home" not in drawn


def test_a_warp_without_work_says_so() -> None:
    puzzle = next(puzzle for puzzle in ALL if puzzle.id == "shared/stage")
    scene = scenes(draw(puzzle, puzzle.reference), "memory")[0]
    idle = next(place for place, warp in enumerate(scene.picture.warps) if not warp.steps)
    for what in ("memory", "banks", "barriers"):
        drawn = "\n".join(line.plain for line in instrument.page(what, scene.at(Position(idle)), 80, look()).rows)
        assert "Warp 1 of block 1 touches no memory" in drawn


def test_the_commands_views_are_those_that_there_are() -> None:
    from gpulab.cli.pictures import WHAT

    assert WHAT == instrument.WHAT
