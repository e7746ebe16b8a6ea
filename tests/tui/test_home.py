"""Home, driven by keys."""

from __future__ import annotations

from gpulab.tui.screens.home import HomeScreen
from gpulab.tui.screens.lab import LabScreen
from gpulab.tui.terminal import Terminal
from gpulab.views.look import LIGHT_PALETTE
from gpulab.workspace import Workspace
from tests.tui.conftest import lab, screen_text


async def test_home_opens_with_the_first_puzzle_for_who_is_new(stage):
    async with stage.open() as pilot:
        rows = screen_text(pilot)
        assert rows[0].startswith(" gpulab") and "0 of 24 solved" in rows[0]
        assert rows[3].startswith("▌ threads / map  1 of 10")
        assert rows[-1].startswith(" enter start")


async def test_enter_opens_the_puzzle_under_next(stage):
    async with stage.open() as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "threads/map"


async def test_next_is_the_puzzle_that_was_left_unsolved(stage):
    stage.checked("shared/pooling", "race")
    async with stage.open() as pilot:
        rows = screen_text(pilot)
        assert rows[3].startswith("▌ shared / pooling") and "race on line 17" in "".join(rows[4:7])
        assert rows[-1].startswith(" enter continue")


async def test_after_solving_next_is_its_successor(stage):
    stage.checked("shared/pooling", "passed")
    async with stage.open() as pilot:
        assert screen_text(pilot)[3].startswith("▌ shared / dot")
        assert "1 of 24 solved" in screen_text(pilot)[0]


async def test_moving_to_a_track_shows_its_next_puzzle_and_its_list(stage):
    async with stage.open() as pilot:
        await pilot.press("down")
        rows = screen_text(pilot)
        assert rows[2].strip() == "Next in shared" and rows[3].startswith("▌ shared / stage")
        assert any("shared: 10 puzzles" in row for row in rows)
        await pilot.press("enter")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "shared/stage"


async def test_the_cursor_goes_into_the_puzzles_and_back(stage):
    async with stage.open() as pilot:
        await pilot.press("right", "down", "down")
        assert any(row.startswith("▌   3  guard") for row in screen_text(pilot))
        assert "← tracks" in screen_text(pilot)[-1]
        await pilot.press("left")
        assert any(row.startswith("▌ threads") for row in screen_text(pilot))
        await pilot.press("right", "down", "enter")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "threads/zip"


async def test_the_cursor_stops_at_both_ends(stage):
    async with stage.open() as pilot:
        await pilot.press(*["up"] * 3, *["down"] * 9)
        assert any(row.startswith("▌ matmul") for row in screen_text(pilot))
        await pilot.press("right", *["down"] * 9)
        assert any(row.startswith("▌   4  ragged-tiles") for row in screen_text(pilot))


async def test_coming_back_from_the_lab_shows_what_was_done_there(stage):
    async with stage.open() as pilot:
        await pilot.press("enter")
        await pilot.pause()
        stage.checked("threads/map", "passed")
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        assert "1 of 24 solved" in screen_text(pilot)[0]
        assert any("1  map" in row and "passed" in row for row in screen_text(pilot))


async def test_problems_of_the_workspace_are_shown(stage, monkeypatch):
    monkeypatch.setattr(Workspace, "problems", property(lambda self: ["The disk is full.", "And more."]))
    async with stage.open() as pilot:
        assert any("▲ The disk is full. (1 more)" in row for row in screen_text(pilot))
        await pilot.press("question_mark")
        await pilot.pause()
        assert any("▲ The disk is full." in row for row in screen_text(pilot))
        assert any("▲ And more." in row for row in screen_text(pilot))


async def test_why_it_is_ascii_is_said_until_the_next_key(stage):
    notice = "This terminal draws a star 2 cells wide, so this is drawn in ASCII."
    async with stage.open(terminal=Terminal(True, notice)) as pilot:
        assert notice in screen_text(pilot)[-2] and "enter start" in screen_text(pilot)[-1]
        await pilot.press("down")
        assert not any(notice in row for row in screen_text(pilot))


async def test_themes_are_in_the_commands_and_keep_the_page(stage):
    async with stage.open() as pilot:
        before = screen_text(pilot)
        await pilot.press("p")
        await pilot.pause()
        await pilot.press(*"light", "enter")
        await pilot.pause()
        await pilot.pause()
        assert pilot.app.theme == "gpulab-light"
        assert screen_text(pilot) == before
        colors = {segment.style.color.name for segment in pilot.app.screen.query_one("#page").render_line(4)}
        assert LIGHT_PALETTE.muted.lower() in colors


async def test_q_leaves_with_status_zero(stage):
    app = stage.app()
    async with app.run_test() as pilot:
        await pilot.press("q")
    assert app.return_code in (0, None)


async def test_a_puzzle_given_at_the_start_is_opened_over_home(stage):
    async with stage.open(puzzle="shared/dot") as pilot:
        assert isinstance(pilot.app.screen, LabScreen)
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
