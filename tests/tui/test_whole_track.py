"""Every file of a track checked from Home: results as they come, escape, and what was not begun."""

from __future__ import annotations

from gpulab.tui.messages import CheckEnded
from gpulab.tui.screens.home import HomeScreen
from tests.tui.conftest import lab, screen_text, until


async def test_each_result_comes_as_it_is_known_and_is_kept(stage):
    for name, plays in (("stage", "passed"), ("pooling", "race"), ("dot", "passed")):
        stage.write(f"shared/{name}", plays)
    stage.workspace.start(stage.puzzle("shared/conv1d"))
    async with stage.open() as pilot:
        await pilot.press("c")
        await until(pilot, lambda: "▌ CHECKED   3 files: 2 passed, 1 not." in screen_text(pilot)[1])
        rows = screen_text(pilot)
        assert any(row.startswith("  × pooling") and "race on line 17" in row for row in rows)
        assert any("● dot" in row and "passed" in row for row in rows)
        assert any("○ conv1d" in row and "the starter, unchanged" in row for row in rows)
        assert any("○ scan" in row and "not begun" in row for row in rows)
        await pilot.press("up", "enter")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "shared/pooling"
        await pilot.press("l")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen) and "2 of 24 solved" in screen_text(pilot)[0]
    assert stage.check.calls == ["passed", "race", "passed"]


async def test_escape_gives_up_keeps_what_is_done_and_then_goes_back(stage):
    stage.write("shared/stage", "passed")
    stage.write("shared/pooling", "race", after=20)
    async with stage.open() as pilot:
        await pilot.press("down", "c")
        await until(pilot, lambda: any("▶ pooling" in row and "case 3 of 7" in row for row in screen_text(pilot)))
        assert "▌ CHECKING   1 of 2 files checked: 1 passed." in screen_text(pilot)[1]
        await pilot.press("escape")
        await until(pilot, lambda: stage.check.cancelled == 1)
        assert "▌ GIVEN UP   1 of 2 files checked: 1 passed." in screen_text(pilot)[1]
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen) and "1 of 24 solved" in screen_text(pilot)[0]
    assert len(stage.said(CheckEnded)) == 1


async def test_everything_is_in_the_commands_and_a_track_without_files_says_so(stage):
    async with stage.open() as pilot:
        await pilot.press("c")
        await pilot.pause()
        assert "NOTHING TO CHECK   No file of threads is begun yet." in screen_text(pilot)[1]
        await pilot.press("escape")
        stage.write("shared/stage", "passed")
        await pilot.press("p")
        await pilot.pause()
        await pilot.press(*"everything", "enter")
        await until(pilot, lambda: "▌ CHECKED   1 file: 1 passed." in screen_text(pilot)[1])
        assert any("shared / stage" in row and "passed" in row for row in screen_text(pilot))
