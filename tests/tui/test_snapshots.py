"""Every screen as a picture: at 80x24 and 120x40 in the dark theme, some in the others.

`pytest tests/tui/test_snapshots.py --snapshot-update` takes them anew; look at each before committing it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpulab.tui.terminal import Terminal
from tests.doctor.test_view import BROKEN, UNSURE, WELL, examined
from tests.tui.conftest import lab, until
from tests.views import timings

SIZES = [pytest.param((80, 24), id="80x24"), pytest.param((120, 40), id="120x40")]
POOLING = "shared/pooling"


@pytest.fixture
def picture(stage, snap_compare):
    """Compare the app after some keys; `report` is what an earlier check of pooling gave."""

    def compare(size, *keys: str, report: str | None = None, puzzle: str | None = POOLING, **options) -> bool:
        if report is not None:
            stage.checked(POOLING, report)
        app = stage.app(puzzle=puzzle, **options)

        async def before(pilot) -> None:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause(0.1)
            await pilot.pause(0.1)

        return snap_compare(app, terminal_size=size, run_before=before)

    return compare


@pytest.mark.parametrize("size", SIZES)
def test_home(picture, stage, size):
    for name in ("map", "zip", "guard"):
        stage.checked(f"threads/{name}", "passed")
    assert picture(size, puzzle=None, report="race")


@pytest.mark.parametrize("size", SIZES)
def test_brief(picture, size):
    assert picture(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["race", "wrong_answer", "over_budget", "does_not_compile"])
def test_result(picture, size, name):
    assert picture(size, report=name)


@pytest.mark.parametrize("name", ["wrong_matrix", "out_of_bounds", "barrier_divergence", "timed_out", "crashed"])
def test_more_results(picture, name):
    assert picture((80, 24), report=name)


@pytest.mark.parametrize("size", SIZES)
def test_solved(stage, snap_compare, size):
    stage.write(POOLING, "passed")

    async def solve(pilot) -> None:
        await pilot.press("r")
        await until(pilot, lambda: lab(pilot).state.of_reference is not None)
        await pilot.pause(0.1)

    assert snap_compare(stage.app(puzzle=POOLING), terminal_size=size, run_before=solve)


@pytest.mark.parametrize("size", SIZES)
def test_hints(picture, size):
    assert picture(size, "h", "h", "h", report="race")


@pytest.mark.parametrize("size", SIZES)
def test_code(picture, size):
    assert picture(size, "2", report="race")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("gpu", [True, False], ids=["gpu", "no-gpu"])
def test_timing(stage, snap_compare, size, gpu):
    stage.gpu = gpu
    stage.checked(POOLING, "race")
    file = stage.write(POOLING, "passed")
    for place, ms in enumerate((1.4, 1.2, 0.9) if gpu else ()):
        made = replace(timings.passed(ms), source=file.read_text(), when=f"2026-11-{27 + place}T10:00:00+00:00")
        stage.workspace.progress.record(made)
    if not gpu:
        stage.checked(POOLING, "passed")

    async def open_tab(pilot) -> None:
        await pilot.press("5")
        await until(pilot, lambda: not lab(pilot).state.timing.asking)
        await pilot.pause(0.1)

    assert snap_compare(stage.app(puzzle=POOLING), terminal_size=size, run_before=open_tab)


@pytest.mark.parametrize("size", SIZES)
def test_doctor(stage, snap_compare, size):
    async def look(pilot) -> None:
        await pilot.press("d")
        await until(pilot, lambda: pilot.app.screen.found is not None)
        await pilot.pause(0.1)

    app = stage.app(examine=lambda home, waiting: examined(*WELL, BROKEN, UNSURE))
    assert snap_compare(app, terminal_size=size, run_before=look)


@pytest.mark.parametrize("size", SIZES)
def test_whole_track(stage, snap_compare, size):
    for name, plays in (("stage", "passed"), ("pooling", "race"), ("dot", "passed")):
        stage.write(f"shared/{name}", plays)
    stage.workspace.start(stage.puzzle("shared/conv1d"))

    async def check(pilot) -> None:
        await pilot.press("c")
        await until(pilot, lambda: pilot.app.screen._current is None)
        await pilot.pause(0.1)

    assert snap_compare(stage.app(), terminal_size=size, run_before=check)


@pytest.mark.parametrize("size", SIZES)
def test_a_chosen_case(picture, size):
    assert picture(size, "left", "left", report="wrong_answer")


def test_reference_side_by_side(picture):
    assert picture((120, 40), "s", report="passed")


def test_help(picture):
    assert picture((80, 24), "question_mark")


def test_find(picture):
    assert picture((80, 24), "slash", *"sca")


def test_confirm(picture):
    assert picture((80, 24), "s", report="race")


def test_the_built_in_editor(picture):
    assert picture((80, 24), "e", "enter", report="race")


def test_60_by_20(picture):
    assert picture((60, 20), report="race")


@pytest.mark.parametrize("theme", ["gpulab-light", "gpulab-ansi"])
def test_race_in_other_themes(picture, theme):
    assert picture((80, 24), report="race", theme=theme)


def test_race_without_colour(picture, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert picture((80, 24), report="race", theme="gpulab-ansi")


def test_race_in_ascii(picture):
    assert picture((80, 24), report="race", terminal=Terminal(ascii=True))


@pytest.fixture
def drawn(stage, snap_compare):
    """Compare the Memory tab of a drawing after some keys; `report` is what an earlier check gave."""

    def compare(size, name: str, *keys: str, report: str = "passed", **options) -> bool:
        stage.checked(POOLING, report, draws=name)

        async def before(pilot) -> None:
            await pilot.pause()
            await pilot.press("m")
            await until(pilot, lambda: lab(pilot).memory.drawing is not None)
            for key in keys:
                await pilot.press(key)
            await pilot.pause(0.1)

        return snap_compare(stage.app(puzzle=POOLING, **options), terminal_size=size, run_before=before)

    return compare


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["coalescing", "grid", "banks", "barriers"])
def test_memory(drawn, size, name):
    assert drawn(size, name)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["race", "uninitialised", "out_of_bounds"])
def test_memory_at_a_fault(drawn, size, name):
    assert drawn(size, name, report=name)


def test_memory_of_shared_memory_with_a_thread(drawn):
    assert drawn((80, 24), "banks", "a", "x", "x")


def test_memory_of_every_line(drawn):
    assert drawn((80, 24), "banks", "c")


def test_memory_60_by_20(drawn):
    assert drawn((60, 20), "banks")


def test_memory_without_colour_and_in_ascii(drawn, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert drawn((80, 24), "race", report="race", theme="gpulab-ansi", terminal=Terminal(ascii=True))


def test_memory_that_cannot_be_drawn(drawn):
    assert drawn((80, 24), "does_not_compile", report="does_not_compile")
