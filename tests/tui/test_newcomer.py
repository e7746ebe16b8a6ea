"""What a newcomer does by accident: one key too many, a save from outside, a deleted file, a small screen."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from gpulab.tui.messages import CheckEnded, FileGone
from gpulab.tui.screens.confirm import Confirm, Conflict
from gpulab.tui.screens.editor import EditorScreen
from gpulab.tui.screens.home import HomeScreen
from gpulab.tui.screens.lab import LabScreen
from gpulab.tui.screens.picker import Picker
from tests.tui.conftest import lab, screen_text, until
from tests.tui.stage import played

POOLING = "shared/pooling"


def words(pilot) -> str:
    return " ".join(" ".join(screen_text(pilot)).split())


def backups(stage) -> list[str]:
    return [path.read_text("utf-8") for path in (stage.workspace.root / "backups").rglob("*.py")]


# Two who save one file


@pytest.mark.parametrize(("key", "stays", "goes"), [("k", "mine", "theirs"), ("o", "theirs", "mine")])
async def test_the_built_in_editor_asks_before_it_writes_over_another_save(stage, key, stays, goes):
    file = stage.write(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        lab(pilot).watching.stop()
        pilot.app.edit_here(lab(pilot).state)
        await pilot.pause()
        pilot.app.screen.area.move_cursor((0, 0))  # it opens at the line of the diagnosis
        await pilot.press(*"mine")
        file.write_text("theirs = 1\n", "utf-8")
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Conflict) and "was saved by something else" in words(pilot)
        assert file.read_text("utf-8") == "theirs = 1\n"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, EditorScreen) and pilot.app.screen.area.text.startswith("mine")
        await pilot.press("f2")
        await pilot.pause()
        await pilot.press(key)
        await pilot.pause()
        assert lab(pilot)
    assert file.read_text("utf-8").startswith(stays)
    kept = backups(stage)
    assert len(kept) == 1 and kept[0].startswith(goes)


async def test_a_second_e_goes_to_the_editor_that_is_open(stage, monkeypatch, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "tmux").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n[ "$1" = split-window ] && echo %7\n'
                                 f'[ "$1" != select-pane ] || [ ! -e {tmp_path}/closed ]\n')
    (folder / "vim").write_text("#!/bin/sh\n")
    for program in folder.iterdir():
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("TMUX", "/tmp/tmux,1,0")
    monkeypatch.setenv("EDITOR", "vim")
    async with stage.open(puzzle=POOLING) as pilot:
        for _ in range(2):
            await pilot.press("e")
            await pilot.pause()
        asked = (tmp_path / "asked").read_text().splitlines()
        assert [line.split()[0] for line in asked].count("split-window") == 1
        assert "select-pane -t %7" in asked
        (tmp_path / "closed").touch()
        await pilot.press("e")
        await pilot.pause()
        assert (tmp_path / "asked").read_text().count("split-window") == 2


async def test_that_an_editor_opened_is_said_for_a_moment_and_hides_no_key(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        pilot.app.screen.tell("vim is open in its own pane.", 0.1)
        assert "vim is open" in words(pilot) and "q quit" in screen_text(pilot)[-1]
        await until(pilot, lambda: "vim is open" not in words(pilot))


# A verdict is of the file as it is, or says that it is not


async def test_a_file_that_was_changed_while_nobody_looked_is_checked_on_opening(stage):
    stage.checked(POOLING, "race")
    stage.write(POOLING, "passed")
    async with stage.open(puzzle=POOLING) as pilot:
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ SOLVED")


async def test_an_unchanged_file_is_not_checked_again_on_opening(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.pause(0.1)
        assert stage.check.calls == ["race"] and lab(pilot).checks.running is None


async def test_during_a_slow_check_the_page_says_that_it_is_of_the_one_before(stage):
    stage.checked(POOLING, "race")
    stage.write(POOLING, "passed", after=20)
    async with stage.open(puzzle=POOLING) as pilot:
        await until(pilot, lambda: screen_text(pilot)[2].startswith("▌ CHECKING"))
        assert "Below is the check before it: race on line 17." in words(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: screen_text(pilot)[2].startswith("▌ NOT CHECKED"))
        assert "The file has changed since the last check: r checks it." in words(pilot)


async def test_after_a_reset_the_old_verdict_is_marked_and_nothing_runs(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        lab(pilot)._reset(True)
        await pilot.pause()
        assert "The starter is back. Yours is" in words(pilot)
        assert "Write" in words(pilot) and "q quit" in screen_text(pilot)[-1]
        await pilot.press("3")
        assert screen_text(pilot)[2].startswith("▌ NOT CHECKED   The starter is back")
        assert "new file" in screen_text(pilot)[1]
        assert stage.check.calls == ["race"]


async def test_the_references_column_stands_there_while_it_is_counted(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        pilot.app.screen.checks.reference = lambda puzzle: None  # never comes back
        stage.write(POOLING, "passed")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert "yours reference asked" in words(pilot) and "..." in words(pilot)


async def test_the_stars_in_the_title_are_said_to_be_the_best(stage):
    stage.checked(POOLING, "passed")
    stage.checked(POOLING, "timed_out")
    async with stage.open(puzzle=POOLING) as pilot:
        assert "best ★★☆" in screen_text(pilot)[0]


# A file that goes


async def test_a_deleted_file_is_told_and_the_command_named_that_brings_the_starter(stage, monkeypatch):
    monkeypatch.setattr("gpulab.workspace.watch.GONE_SECONDS", 0.1)
    file = stage.workspace.file_for(stage.puzzle(POOLING))
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        file.unlink()
        await until(pilot, lambda: bool(stage.said(FileGone)))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ NO FILE   ~/gpulab-work/shared/pooling.py is not there any more.")
        assert "Put the starter back" in words(pilot) and "no file" in screen_text(pilot)[1]
        assert "backups" not in words(pilot)  # nothing was set aside yet
        await pilot.press("r")
        assert "There is no file to check." in words(pilot) and stage.check.calls == ["race"]
        file.write_text(played("race"), "utf-8")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ RACE")


# One key too many


async def test_escape_stays_in_the_lab_and_says_how_to_leave(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, LabScreen) and "l goes to the list" in words(pilot)


async def test_n_says_why_it_does_not_go_on(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("n")
        assert "n goes on once this puzzle is solved." in words(pilot) and "q quit" in screen_text(pilot)[-1]
        assert lab(pilot).state.puzzle.id == POOLING


async def test_n_is_shown_on_every_tab_once_the_puzzle_is_solved(stage):
    stage.checked(POOLING, "passed")
    async with stage.open(puzzle=POOLING) as pilot:
        for tab in "1234":
            await pilot.press(tab)
            await until(pilot, lambda: lab(pilot).drawings.running is None)
            await pilot.pause()
            assert "n next " in screen_text(pilot)[-1], tab


async def test_y_without_a_report_says_so(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("y")
        assert "There is no report to copy yet" in words(pilot)


async def test_shift_tab_goes_the_other_way(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("shift+tab")
        assert "Hints ├" in screen_text(pilot)[1]
        await pilot.press("tab")
        assert "┤ 1 Brief ├" in screen_text(pilot)[1]


async def test_up_from_the_first_puzzle_leads_to_the_tracks(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("l")
        await pilot.pause()
        await pilot.press("up", "up")
        assert any(row.startswith("▌ shared") for row in screen_text(pilot))
        await pilot.press("up")
        assert any(row.startswith("▌ threads") for row in screen_text(pilot))


async def test_a_puzzle_that_was_opened_is_not_called_new(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "Not checked yet, about" in words(pilot) and "enter continue" in screen_text(pilot)[-1]


# Words, commands, small screens


async def test_solution_finds_the_reference_and_a_miss_says_what_was_typed(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press(*"sol")
        assert "Show the reference" in words(pilot)
        await pilot.press(*"xx")
        assert 'Nothing matches "solxx".' in words(pilot)


async def test_no_command_is_cut_at_80_columns(stage):
    async with stage.open((80, 30), puzzle=POOLING) as pilot:
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Picker)
        assert "…" not in words(pilot) and "export GPULAB_THEME=light" in words(pilot)


async def test_a_question_is_whole_at_60_columns(stage):
    async with stage.open((60, 20), puzzle=POOLING) as pilot:
        await pilot.press("s")
        await pilot.pause()
        await pilot.pause()
        assert isinstance(pilot.app.screen, Confirm)
        text = words(pilot).replace("▌ ", "")
        assert "Show the reference before you have solved it? A hint may do: escape, h." in text


@pytest.mark.parametrize("size", [(50, 15), (30, 8), (80, 5)])
async def test_on_a_screen_that_is_too_small_no_key_works_that_is_not_shown(stage, size):
    async with stage.open(size, puzzle=POOLING) as pilot:
        assert screen_text(pilot)[-1].split() == ["q", "quit"]
        page = " ".join(screen_text(pilot)[2:])
        assert "60" in page and "20" in page and "…" not in page
        await pilot.press("h", "h", "r")
    assert stage.workspace.progress.hints_read(POOLING) == 0 and not stage.check.calls


async def test_code_says_that_long_lines_move(stage):
    long = replace(stage.puzzle(POOLING)).starter.read_text() + f"# {'x' * 100}\n"
    stage.workspace.file_for(stage.puzzle(POOLING)).parent.mkdir(parents=True)
    stage.workspace.file_for(stage.puzzle(POOLING)).write_text(long)
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("2")
        assert "←→ long lines" in screen_text(pilot)[-1]


async def test_help_explains_the_words_that_statements_use(stage):
    async with stage.open((80, 110), puzzle=POOLING) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        for word in ("global memory", "load, store", "warp", "barrier", "race", "shared memory", "sector", "request",
                     "atomic", "sound"):
            assert any(row.startswith(f"  {word} ") for row in screen_text(pilot)), word
