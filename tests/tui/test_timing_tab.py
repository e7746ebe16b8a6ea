"""The Timing tab: with a GPU (played) and without one."""

from __future__ import annotations

from dataclasses import replace

from gpulab.tui.keymap import TABS
from gpulab.tui.messages import CheckEnded, TimingPlanned
from tests.tui.conftest import screen_text, until
from tests.tui.stage import PlayedTimer
from tests.views import timings

POOLING = "shared/pooling"
DIGIT = str(TABS.index("timing") + 1)


def words(pilot) -> str:
    return "\n".join(screen_text(pilot))


async def test_without_a_gpu_it_says_so_and_what_would_be_measured(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press(DIGIT)
        await until(pilot, lambda: bool(stage.said(TimingPlanned)))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ NOT MEASURED HERE   There is no GPU on this machine.")
        assert "n = 67,108,864: 537 MB to move at least" in words(pilot)
        assert "×  1 check" in words(pilot) and "b time it" not in words(pilot)
        await pilot.press("b")
        assert "no GPU on this machine to time on" in screen_text(pilot)[-2]


async def test_the_compiler_is_asked_once_for_each_source(stage):
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        for key in (DIGIT, "1", DIGIT):
            await pilot.press(key)
        await until(pilot, lambda: bool(stage.said(TimingPlanned)))
        assert stage.timer.asked == 1


async def test_b_times_the_file_and_the_reference_and_keeps_both(stage):
    stage.gpu = True
    stage.checked(POOLING, "passed")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press(DIGIT)
        assert screen_text(pilot)[-1].startswith(" b time it")
        await pilot.press("b")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.pause()
        assert stage.timer.calls == ["yours", "reference"]
        assert screen_text(pilot)[2].startswith("▌ 0.634 ms   20 % of this card's copy rate; 15 % was asked")
        assert "  reference  ━" in words(pilot) and "limit" in words(pilot)
        await pilot.press("b")
        await until(pilot, lambda: len(stage.said(CheckEnded)) == 2)
        assert stage.timer.calls == ["yours", "reference", "yours"]
    standing = stage.workspace.progress.standing(POOLING)
    assert standing.stars.fast is True and standing.attempts == 3
    kept = stage.workspace.progress.timings(POOLING)
    assert [one.timing is not None for one in kept] == [False, True, True]
    assert kept[1].timing["reference"]["yours_ms"] == 0.62


async def test_escape_cancels_a_timing(stage):
    stage.gpu, stage.timer = True, PlayedTimer(after=20)
    stage.checked(POOLING, "passed")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "timing on the GPU" in screen_text(pilot)[1])
        await pilot.press("escape")
        await until(pilot, lambda: "given up" in screen_text(pilot)[-2])
    assert len(stage.workspace.progress.timings(POOLING)) == 1


async def test_only_what_is_right_is_timed(stage):
    stage.gpu = True
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("b")
        assert "Only what is right is timed" in screen_text(pilot)[-2] and not stage.timer.calls


async def test_an_older_time_is_shown_as_what_it_is(stage):
    stage.gpu = True
    stage.checked(POOLING, "passed")
    file = stage.workspace.file_for(stage.puzzle(POOLING))
    found = replace(timings.passed(), when="2026-11-29T10:00:00+00:00", source=file.read_text())
    stage.workspace.progress.record(found)
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press(DIGIT)
        assert "Timed yesterday at" in screen_text(pilot)[3] and "0.634 ms" in screen_text(pilot)[2]
