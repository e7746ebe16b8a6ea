"""The Memory tab, driven by keys: what is drawn when, where one is, and what the rows say of it."""

from __future__ import annotations

import pytest

from gpulab.tui import memory_page
from gpulab.tui.keymap import MEMORY, footer
from gpulab.tui.memory import Memory
from gpulab.tui.messages import CheckEnded, DrawCancelled, DrawEnded, DrawStarted
from gpulab.tui.screens import memory_tab
from gpulab.tui.screens.memory_tab import keys_of
from gpulab.views.look import look
from tests.tui.conftest import lab, screen_text, until
from tests.tui.drawings import drawing_of, report_of

POOLING = "shared/pooling"
ASCII = look("plain", ascii=True)


def words(pilot) -> str:
    return "\n".join(screen_text(pilot))


def heading(pilot) -> str:
    """The row that says which step this is."""
    return next(line for line in screen_text(pilot) if "─┤ " in line and "├─ " in line and "Memory" not in line)


async def pressed(pilot, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def drawn(pilot, stage, key: str = "4", *, times: int = 1) -> None:
    """The tab is opened, and its picture is there."""
    await pilot.press(key)
    await until(pilot, lambda: len(stage.said(DrawEnded)) == times)
    await pilot.pause()


# ---- when it is drawn -----------------------------------------------------------------------------------------------


async def test_the_tab_draws_the_file_once_and_keeps_the_picture_until_the_file_changes(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "warp 0, line 10: each lane loads p[i, 3]" in heading(pilot)
        await pressed(pilot, "3", "4", "1", "4")
        assert stage.draw.calls == [("coalescing", 71)]  # the report's seed: the same numbers
        assert len(stage.said(DrawStarted)) == 1


async def test_a_check_that_ends_with_the_tab_open_draws_anew_stays_and_says_the_verdict(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        stage.write(POOLING, "race")
        await until(pilot, lambda: len(stage.said(DrawEnded)) == 2)
        await pilot.pause()
        assert lab(pilot).state.tab == "memory"
        assert [name for name, _ in stage.draw.calls] == ["coalescing", "race"]
        assert "tile[t + 2] = a[i]" in words(pilot)
        assert "Race: Thread 32 of block 0 reads tile[33]" in words(pilot)


async def test_after_a_save_one_is_where_one_was(stage):
    stage.checked(POOLING, "passed", draws="banks")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        await pressed(pilot, "right", "right")
        place = lab(pilot).memory.scene.position
        assert place.step == 18
        stage.write(POOLING, "passed_two_of_three", draws="banks")
        await until(pilot, lambda: len(stage.said(DrawEnded)) == 2)
        await pilot.pause()
        assert lab(pilot).memory.scene.position == place


async def test_escape_gives_the_drawing_up_and_the_row_of_tabs_says_what_is_done(stage):
    stage.checked(POOLING, "passed")
    stage.write(POOLING, "passed", after=20)
    async with stage.open(puzzle=POOLING) as pilot:
        await pressed(pilot, "escape", "4")
        assert "every load and store kept" in words(pilot)
        await until(pilot, lambda: "drawing: compiling" in screen_text(pilot)[1])
        assert "escape cancel" in screen_text(pilot)[-1]
        await pilot.press("escape")
        await until(pilot, lambda: bool(stage.said(DrawCancelled)))
        await pilot.pause()
        assert stage.draw.cancelled == 1 and "given up" in words(pilot)


async def test_a_picture_of_the_file_before_says_so_until_the_new_one_is_made(stage):
    stage.checked(POOLING, "passed", draws="banks")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        stage.write(POOLING, "race", draws="race", after=20)
        await until(pilot, lambda: lab(pilot).state.stale)
        await pilot.press("escape")
        await pilot.press("right")
        await pilot.pause()
        assert "This picture is of the file before. m makes the new one." in words(pilot)
        stage.write(POOLING, "race", draws="race")
        await until(pilot, lambda: len(stage.said(DrawEnded)) == 2)
        await pilot.pause()
        assert "of the file before" not in words(pilot)


@pytest.mark.parametrize(("name", "band", "do"), [
    ("does_not_compile", "NO PICTURE", "Only what runs can be drawn. Mend that and save"),
    ("raised", "NO PICTURE", "Only what runs can be drawn."),
    ("not_written", "pool ran, and touched no memory.", "Load something, store something, save"),
])
async def test_what_cannot_be_drawn_says_why_and_what_to_do(stage, name, band, do):
    stage.checked(POOLING, name)
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert band in words(pilot) and do in words(pilot)
        for key in ("right", "down", "w", "x", "a", "b", "t", "c", "o", "v", "home", "end"):
            await pressed(pilot, key)  # nothing to step through, and nothing breaks
        assert "step" not in screen_text(pilot)[-1]


async def test_a_bug_hunt_shows_no_picture_until_it_is_answered(stage):
    stage.checked(POOLING, "wrong_answer", draws="hunted")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "HUNT FIRST   The picture comes once ANSWER is right" in words(pilot)
        assert "name its line and kind in ANSWER" in " ".join(words(pilot).split())


# ---- stepping -------------------------------------------------------------------------------------------------------


async def test_left_and_right_step_in_time_and_stay_at_the_ends(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "step 1 of 3" in heading(pilot)
        await pressed(pilot, "right")
        assert "step 2 of 3" in heading(pilot) and "line 11: each lane loads p[i, 4]" in heading(pilot)
        await pressed(pilot, "right", "right")
        assert "step 3 of 3" in heading(pilot)
        assert "▶12 │" in words(pilot)
        await pressed(pilot, "home")
        assert "step 1 of 3" in heading(pilot)
        await pressed(pilot, "end", "left")
        assert "step 2 of 3" in heading(pilot)


async def test_up_and_down_go_to_the_next_line_that_did_something(stage):
    stage.checked(POOLING, "passed", draws="banks")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "▶15 │" in words(pilot) and "step 17 of 25" in heading(pilot)
        await pressed(pilot, "down")
        assert "▶16 │" in words(pilot) and "step 25 of 25" in heading(pilot)
        await pressed(pilot, "up", "up")
        assert "▶11 │" in words(pilot) and "step 1 of 25" in heading(pilot)


async def test_w_is_the_next_warp_and_x_the_next_thread(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        await pressed(pilot, "w")
        assert "warp 1, line 10" in heading(pilot)
        await pressed(pilot, "x", "x")
        assert "thread 33, lane 1: loads p[33, 3] =" in words(pilot) and ", in sector 33" in words(pilot)
        await pressed(pilot, "X", "W")
        assert "warp 0, line 10" in heading(pilot) and "thread 0, lane 0: loads p[0, 3]" in words(pilot)


async def test_a_b_and_t_show_the_same_step_over_sectors_banks_and_time(stage):
    stage.checked(POOLING, "passed", draws="banks")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "8 lanes queue at each of 4 banks: 8 wavefronts where 1 would do." in words(pilot)
        await pressed(pilot, "x", "x")
        assert "word 8: bank 8, wavefront 1 of 8" in words(pilot)
        await pressed(pilot, "a")
        assert "step 17 of 25" in heading(pilot) and "left alone" in words(pilot)
        await pressed(pilot, "t")
        assert "interval 2 of 2" in heading(pilot)
        await pressed(pilot, "c")
        assert "▶15 │" in words(pilot) and "conflicts" in words(pilot)
        await pressed(pilot, "b")
        assert "step 17 of 25" in heading(pilot) and "bank 0       8" in words(pilot)


async def test_time_steps_by_intervals(stage):
    stage.checked(POOLING, "passed", draws="barriers")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert lab(pilot).memory.what == "barriers"
        assert "interval 3 of 5" in heading(pilot)
        assert "threads 0 to 3 add the cell 4 further on" in heading(pilot)
        await pressed(pilot, "right")
        assert "interval 4 of 5" in heading(pilot)
        await pressed(pilot, "left", "left", "left")
        assert "interval 1 of 5" in heading(pilot)
        await pressed(pilot, *["right"] * 9)
        assert "interval 5 of 5" in heading(pilot)


async def test_o_colours_by_owner_and_back(stage):
    stage.checked(POOLING, "passed", draws="grid")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "y\\x" in words(pilot) and "o sectors" in screen_text(pilot)[-1], words(pilot)
        await pressed(pilot, "o")
        assert "y\\x" not in words(pilot) and "moved for nothing" in words(pilot)
        await pressed(pilot, "o", "x")
        assert "y\\x" in words(pilot) and "thread (1, 0)" in words(pilot)


async def test_without_shared_memory_there_are_no_banks_and_a_sentence_says_so(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        assert "b banks" not in screen_text(pilot)[-1] and "t time" not in screen_text(pilot)[-1]
        await pressed(pilot, "b")
        assert memory_tab.NOT_HERE["banks"] in words(pilot)
        assert "step 1 of 3" in heading(pilot)


# ---- faults ---------------------------------------------------------------------------------------------------------


async def test_a_race_found_is_stepped_to_with_m_and_shows_both_threads(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        assert "m memory" in screen_text(pilot)[-1]
        await drawn(pilot, stage, "m")
        assert "race: thread 30 and thread 32 meet at tile[32]" in heading(pilot)
        assert "line 13 writes" in words(pilot) and "▶ line 17 reads" in words(pilot)
        await pressed(pilot, "x")
        assert "▶ line 13 writes" in words(pilot)
        await pressed(pilot, "a")
        assert "thread 30, lane 30: stores tile[32]" in words(pilot) and "×17 │" in words(pilot)
        assert "m fault" in screen_text(pilot)[-1]
        await pressed(pilot, "m", "t")
        assert "×    32" in words(pilot)


async def test_a_read_of_what_nobody_wrote_names_nobody(stage):
    stage.checked(POOLING, "uninitialised")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage, "m")
        assert "uninitialised read:" in heading(pilot)
        assert "written by" in words(pilot) and "nobody" in words(pilot)


async def test_an_index_outside_stands_beyond_the_end_of_the_array(stage):
    stage.checked(POOLING, "out_of_bounds")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage, "m")
        assert "out of bounds:" in heading(pilot) and "[-1] ┃ [0]" in words(pilot)
        await pressed(pilot, "a")
        assert "which is not there" in words(pilot)


async def test_a_fault_that_the_small_case_does_not_show_leads_to_its_line(stage):
    stage.checked(POOLING, "race", draws="passed")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage, "m")
        assert memory_tab.NO_FAULT.split(":")[0] in words(pilot)
        assert lab(pilot).memory.scene.step.line == 17 or lab(pilot).memory.scene.findings == []


async def test_m_from_a_passed_result_opens_memory_as_the_digit_does(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage, "m")
        assert "step 1 of 3" in heading(pilot)
        await pressed(pilot, "m")
        assert memory_tab.NOT_HERE["finding"] in words(pilot)


# ---- on every screen ------------------------------------------------------------------------------------------------


SIZES = [(60, 20), (80, 24), (100, 30), (120, 40)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", ["coalescing", "grid", "banks", "barriers", "race", "out_of_bounds"])
def test_every_view_of_every_step_fits_the_screen(name, size):
    memory = Memory()
    memory.take(drawing_of(name), report_of(name))
    width, height = size[0], size[1] - 3
    for view in memory.views:
        memory.view(view)
        for move in (memory.step, memory.line, memory.thread, memory.warp, memory.step):
            move(1)
            for cells in ((False, True) if view == "memory" else (None,)):
                memory.cells = cells
                page = memory_page.picture(memory, width, height, ASCII)
                spare = 99 if view == "source" else 4 if size == (60, 20) else 0  # space turns the page there
                assert len(page.rows) <= height + spare, (view, [row.plain for row in page.rows])
                assert all(row.cell_len <= width and row.plain.isascii() for row in page.rows), view
        assert sum(len(hint.key) + len(hint.does) + 3 for hint in footer(MEMORY, keys_of(memory))) < 110


async def test_a_check_from_another_tab_still_opens_its_result(stage):
    stage.checked(POOLING, "passed", draws="coalescing")
    async with stage.open(puzzle=POOLING) as pilot:
        await drawn(pilot, stage)
        await pressed(pilot, "1", "r")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert lab(pilot).state.tab == "result"
