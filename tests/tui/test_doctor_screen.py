"""The Doctor screen: what it says while it looks, what it found, and that the app stays light."""

from __future__ import annotations

import subprocess
import sys
import threading

from gpulab.doctor.model import Check
from gpulab.tui.messages import DoctorEnded, DoctorMoved
from gpulab.tui.screens.doctor import DoctorScreen
from gpulab.tui.screens.home import HomeScreen
from tests.doctor.test_view import BROKEN, LONG, UNSURE, WELL, examined
from tests.tui.conftest import screen_text, until
from tests.tui.terminal import ROOT


def played(*checks: Check, hold: threading.Event | None = None):
    """An examination that tells on its way, and ends when it is let."""
    def examine(home, waiting):
        waiting(("Numba", "torch and Triton"))
        if hold is not None:
            hold.wait(10)
        return examined(*checks)

    return examine


async def test_each_problem_stands_above_its_cure_and_y_copies_the_chosen_one(stage):
    async with stage.open(examine=played(*WELL, BROKEN, UNSURE)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: bool(stage.said(DoctorEnded)))
        await pilot.pause()
        rows = screen_text(pilot)
        assert rows[1].startswith("▌ 1 PROBLEM   numpy. And 1 warning (disk).")
        at = next(place for place, row in enumerate(rows) if row.startswith("× numpy"))
        assert rows[at + 1].startswith("  $ .venv/bin/python -m pip install")
        await pilot.press("y")
        assert pilot.app.clipboard == BROKEN.cure
        await pilot.press("n", "y")
        assert pilot.app.clipboard == LONG
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, HomeScreen)


async def test_while_it_looks_it_says_at_what_and_escape_gives_up(stage):
    hold = threading.Event()
    async with stage.open(examine=played(*WELL, hold=hold)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: bool(stage.said(DoctorMoved)))
        await pilot.pause()
        text = "\n".join(screen_text(pilot))
        assert "● GPU" in text and "○ Numba  ..." in text and "looking " in screen_text(pilot)[0]
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, HomeScreen)
        hold.set()


async def test_r_looks_again_and_an_older_look_changes_nothing(stage):
    hold = threading.Event()
    answers = [played(BROKEN, hold=hold), played(*WELL)]
    async with stage.open(examine=lambda home, waiting: answers.pop(0)(home, waiting)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: len(answers) == 1)
        await pilot.press("r")
        await until(pilot, lambda: "ALL IS WELL" in screen_text(pilot)[1])
        hold.set()
        await until(pilot, lambda: len(stage.said(DoctorEnded)) == 2)
        await pilot.pause()
        assert "ALL IS WELL" in screen_text(pilot)[1]


async def test_it_is_in_the_commands_of_the_lab_and_a_key_there(stage):
    async with stage.open(puzzle="shared/pooling", examine=played(*WELL)) as pilot:
        await pilot.press("p")
        await pilot.pause()
        await pilot.press(*"doctor", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DoctorScreen))
        await pilot.press("escape", "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, DoctorScreen))


def test_the_doctor_in_the_app_brings_in_nothing_heavy():
    code = ("import sys; from pathlib import Path\nfrom gpulab.tui.screens.doctor import examine\n"
            "import gpulab.doctor.examination, gpulab.doctor.machine, gpulab.views.doctor\n"
            "print([name for name in ('numpy', 'numba', 'torch', 'triton') if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"
