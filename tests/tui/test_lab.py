"""The Lab, driven by keys and saves; what happened is read from messages, what is seen from the rows."""

from __future__ import annotations

import pytest

from gpulab.tui import keymap
from gpulab.tui.messages import CheckCancelled, CheckEnded, CheckStarted, FileSaved, ReferenceChecked
from gpulab.tui.screens.confirm import Confirm
from gpulab.tui.screens.help import HelpScreen
from gpulab.tui.screens.home import HomeScreen
from gpulab.tui.screens.picker import Picker
from gpulab.tui.screens.reference import ReferenceScreen
from tests.tui.conftest import lab, screen_text, until

POOLING = "shared/pooling"


def words(pilot) -> str:
    return "\n".join(screen_text(pilot))


async def test_a_new_puzzle_opens_at_its_brief_and_its_file_is_there(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        assert lab(pilot).state.tab == "brief"
        assert "new file" in screen_text(pilot)[1]
        assert "~/gpulab-work/shared/pooling.py" in words(pilot)
        assert stage.workspace.source(stage.puzzle(POOLING)) == stage.puzzle(POOLING).starter.read_text()


async def test_r_runs_and_the_diagnosis_is_the_first_thing_seen(stage):
    stage.write(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ RACE   Thread 32 of block 0 reads tile[33] on line 17")
        assert "┤ 3 Result ├" in screen_text(pilot)[1]


async def test_a_save_by_any_editor_runs_the_check(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        stage.write(POOLING, "wrong_answer")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert len(stage.said(FileSaved)) == 1
        assert "out[64] should be -4.25 and is -0.98." in screen_text(pilot)[2]


async def test_a_save_during_a_run_cancels_it_and_starts_again(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        stage.write(POOLING, "race", after=20)
        await until(pilot, lambda: stage.check.calls == ["race"])
        stage.write(POOLING, "wrong_answer")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        assert stage.check.cancelled == 1
        assert [message.report.verdict for message in stage.said(CheckEnded)] == ["wrong answer"]
        assert len(stage.said(CheckStarted)) == 2


async def test_escape_cancels_a_run_and_says_so(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        stage.write(POOLING, "race", after=20)
        await until(pilot, lambda: stage.check.calls == ["race"])
        assert "escape cancel the run" in screen_text(pilot)[-1]
        await pilot.press("escape")
        await until(pilot, lambda: bool(stage.said(CheckCancelled)))
        await pilot.pause()
        assert "given up" in screen_text(pilot)[-2] and "r run" in screen_text(pilot)[-1]
        assert not stage.said(CheckEnded)


async def test_a_slow_run_says_what_it_is_doing_and_for_how_long(stage):
    stage.write(POOLING, "race", after=20)
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: "case 3 of 7" in screen_text(pilot)[1])
        assert screen_text(pilot)[1].rstrip(" ─").endswith("s")
        await pilot.press("escape")
        await until(pilot, lambda: lab(pilot)._status is None)


async def test_nothing_ticks_while_nothing_runs(stage):
    stage.write(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        timers = [timer for node in (pilot.app, *pilot.app.screen_stack, *pilot.app.screen.query("*"))
                  for timer in node._timers if timer._active.is_set() and timer._repeat is None]
        assert timers == []


async def test_a_check_is_recorded(stage):
    stage.write(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
    assert stage.workspace.progress.standing(POOLING).verdict == "race"


async def test_digits_open_tabs(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        for digit, name in enumerate(keymap.TABS, start=1):
            await pilot.press(str(digit))
            assert f"┤ {digit} {name.capitalize()} ├" in screen_text(pilot)[1]


async def test_code_is_marked_while_it_is_the_file_that_was_checked(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("2")
        assert "▲ thread 31 writes tile[33]" in words(pilot)
        stage.workspace.file_for(stage.puzzle(POOLING)).write_text("# plays: race after 20\n", "utf-8")
        await until(pilot, lambda: "changed since the last check" in words(pilot))
        assert "▲" not in words(pilot)


async def test_hints_come_one_at_a_time_and_are_remembered(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("h")
        assert "Points at one cell of the tile" in words(pilot) and "Take tile[33]" not in words(pilot)
        await pilot.press("h")
        assert "Take tile[33]" in words(pilot) and "next hint 2/4" in screen_text(pilot)[-1]
        for _ in range(6):
            await pilot.press("h")
    assert stage.workspace.progress.hints_read(POOLING) == 4


async def test_solving_shows_the_reference_all_hints_and_what_is_next(stage):
    stage.write(POOLING, "passed")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("r")
        await until(pilot, lambda: bool(stage.said(ReferenceChecked)))
        await pilot.pause()
        text = words(pilot)
        assert "▌ SOLVED" in text and "why it works" in text and "the reference differs in one place" in text
        assert "reference" in screen_text(pilot)[4] and "shared / dot" in text
        assert screen_text(pilot)[-1].startswith(" n next dot")
        await pilot.press("h")
        assert "Nearly the code" in words(pilot) or lab(pilot).view.overflow
        await pilot.press("n")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "shared/dot"


async def test_it_never_advances_by_itself_and_n_waits_for_the_solution(stage):
    stage.write(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("n")
        assert lab(pilot).state.puzzle.id == POOLING
        assert "n next" not in screen_text(pilot)[-1]


async def test_the_reference_asks_first_while_the_puzzle_is_open(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Confirm)
        assert "before you have solved it?" in words(pilot)
        await pilot.press("escape")
        assert lab(pilot)
        await pilot.press("s")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReferenceScreen)
        assert "if t < 2 and i - 2 < n:" in words(pilot)


async def test_after_solving_the_reference_opens_at_once_beside_yours(stage):
    stage.checked(POOLING, "passed")
    async with stage.open((120, 40), puzzle=POOLING) as pilot:
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(pilot.app.screen, ReferenceScreen)
        assert "Yours" in words(pilot) and "Reference" in words(pilot)


async def test_copy_sends_the_report_and_writes_it_to_a_file(stage):
    stage.checked(POOLING, "wrong_answer")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("y")
        assert "out[64] should be -4.25 and is -0.98." in pilot.app.clipboard
        path = stage.workspace.root / "reports" / "shared-pooling.txt"
        assert path.read_text("utf-8") == pilot.app.clipboard and pilot.app.clipboard.isascii()
        assert "~/gpulab-work/reports/shared-pooling.txt" in screen_text(pilot)[-2]
        await pilot.press("2")
        assert "r run" in screen_text(pilot)[-1]


async def test_reset_is_in_the_commands_asks_first_and_keeps_the_file(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press(*"starter", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Confirm)
        await pilot.press("enter")
        await pilot.pause()
        said = " ".join("".join(screen_text(pilot)[-3:]).split())
        assert "The starter is back. Yours is ~/gpulab-work/backups/shared/" in said
    assert stage.workspace.source(stage.puzzle(POOLING)) == stage.puzzle(POOLING).starter.read_text()
    assert any("plays: race" in path.read_text() for path in (stage.workspace.root / "backups").rglob("*.py"))


async def test_no_key_changes_the_file(stage):
    file = stage.write(POOLING, "race")
    before = file.read_bytes()
    async with stage.open(puzzle=POOLING) as pilot:
        for key in [*"abcdfghijkmnorstuvwxyz123456", "enter", "space", "tab", "up", "down", "left", "right", "f1"]:
            await pilot.press(key)
            await pilot.press("escape")
    assert file.read_bytes() == before


async def test_a_file_written_before_its_first_check_is_checked_when_it_is_opened(stage):
    stage.write(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ RACE")


async def test_coming_back_resumes_at_the_last_result(stage):
    stage.checked(POOLING, "race")
    async with stage.open() as pilot:
        assert isinstance(pilot.app.screen, HomeScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == POOLING
        assert screen_text(pilot)[2].startswith("▌ RACE")
        assert "14:02:31" in screen_text(pilot)[1]


async def test_list_goes_home_with_the_cursor_on_the_puzzle(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        assert any(row.startswith("▌   2  pooling") for row in screen_text(pilot))


async def test_arrows_choose_a_case_in_result_and_escape_lets_it_go(stage):
    stage.checked(POOLING, "wrong_answer")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("left", "left")
        assert any(row.startswith("▌ case 7 of 8  n = 129  seed 71  3 of 129 wrong") for row in screen_text(pilot))
        await pilot.press("right", "right")
        assert "case 1 of 8" in words(pilot)
        await pilot.press("escape")
        assert "case 1 of 8" not in words(pilot) and "Nothing is running" not in words(pilot)


async def test_a_page_that_does_not_fit_scrolls(stage):
    stage.checked(POOLING, "passed")
    async with stage.open((80, 20), puzzle=POOLING) as pilot:
        assert "↑↓ more" in screen_text(pilot)[-1]
        before = words(pilot)
        await pilot.press("down", "down", "down")
        assert words(pilot) != before and screen_text(pilot)[2].startswith("▌ SOLVED")
        await pilot.press("home")
        assert words(pilot) == before


async def test_help_lists_every_key(stage):
    async with stage.open((120, 60), puzzle=POOLING) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HelpScreen)
        for key, _ in keymap.explained(keymap.LAB):
            assert any(row.startswith(f"  {key} ") for row in screen_text(pilot)), key
        await pilot.press("escape")
        assert lab(pilot)


async def test_find_opens_a_puzzle_by_some_letters(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("slash")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Picker)
        await pilot.press(*"hist")
        assert any("shared / histogram" in row for row in screen_text(pilot))
        await pilot.press("enter")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "shared/histogram"


@pytest.mark.parametrize("size", [(59, 24), (40, 12), (30, 9)])
async def test_a_screen_that_is_too_small_says_so(stage, size):
    async with stage.open(size, puzzle=POOLING) as pilot:
        assert "gpulab needs 60 columns" in " ".join(words(pilot).split())


async def test_it_is_usable_at_60_by_20(stage):
    stage.checked(POOLING, "race")
    async with stage.open((60, 20), puzzle=POOLING) as pilot:
        text = words(pilot)
        assert "▌ RACE" in text and ("◀" in text or "▲" in text)
        assert "Next" in text and "q quit" in screen_text(pilot)[-1]


async def test_below_an_editor_in_a_split_the_verdict_stays(stage):
    stage.checked(POOLING, "race")
    async with stage.open((80, 9), puzzle=POOLING) as pilot:
        assert screen_text(pilot)[2].startswith("▌ RACE") and "Next" in words(pilot)


async def test_a_resized_screen_is_drawn_anew(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        await until(pilot, lambda: "│" in words(pilot) and "Both orders are allowed" in words(pilot))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "Both orders are allowed" not in words(pilot))


async def test_a_puzzle_that_cannot_be_opened_is_said_in_the_last_row(stage):
    (stage.puzzle(POOLING).folder / "hints.md").unlink()
    async with stage.open() as pilot:
        pilot.app.open_puzzle(stage.puzzle(POOLING))
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "hints.md" in "".join(row.strip() for row in screen_text(pilot)[-3:])


async def test_ascii_has_no_other_character(stage):
    from gpulab.tui.terminal import Terminal

    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING, terminal=Terminal(ascii=True)) as pilot:
        for key in "1234":
            await pilot.press(key)
            assert words(pilot).isascii()
        for key in ("question_mark", "escape", "p", "escape", "l"):
            await pilot.press(key)
            await pilot.pause()
            assert words(pilot).isascii()
