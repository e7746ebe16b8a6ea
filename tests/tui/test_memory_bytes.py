"""What a step through a picture costs at a real pty, 80x24 in true colour: the app as it is, on shipped puzzles.

Some steps of each picture; with GPULAB_ALL_PUZZLES=1 all of them, of every warp.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.terminal import ROOT, Terminal

EVERY = bool(os.environ.get("GPULAB_ALL_PUZZLES"))
SOME = 6
RIGHT, UP, HOME = "\x1b[C", "\x1b[A", "\x1b[H"

MEAN, WORST, TAB = 1_200, 2_500, 8_000
"""Bytes of a step on average and at worst, and of a tab switch."""

PICTURES = [
    ("shared/pooling", "right/early_return.py", "a"),
    ("memory/coalescing", "starter.py", "a"),
    ("memory/bank-conflicts", "starter.py", "b"),
    ("memory/bank-conflicts", "starter.py", "a"),
]
MORE_PICTURES = [
    ("shared/pooling", "right/early_return.py", "b"),
    ("shared/pooling", "wrong/missing_barrier.py", "a"),
    ("memory/coalescing", "right/one_long_row.py", "a"),
    ("memory/bank-conflicts", "right/crossed.py", "b"),
]
PICTURES += MORE_PICTURES if EVERY else []


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """The app at home; every picture is opened from there."""
    home = tmp_path_factory.mktemp("home")
    terminal = Terminal([sys.executable, "-m", "gpulab", "--home", str(home / "work")], HOME=str(home),
                        XDG_STATE_HOME=str(home / "state"), XDG_CONFIG_HOME=str(home / "config"))
    terminal.home = home / "work"
    terminal.until("q quit")
    yield terminal
    terminal.close()


def opened(app: Terminal, puzzle: str, source: str) -> int:
    """The picture of a file, from Home; what the tab cost."""
    track, name = puzzle.split("/")
    file = app.home / track / f"{name.replace('-', '_')}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "puzzles" / puzzle / source, file)
    app.press("l")
    app.settled(0.2)
    app.press("/")
    app.until("Find a puzzle")
    app.press(name)
    app.settled(0.2)
    app.press("\r")
    app.until(f"{track} / {name}")
    app.settled(0.3)
    before = app.bytes
    app.press("4")
    app.until(lambda text: "─┤ step" in text or "─┤ interval" in text, 60)
    app.settled(0.3)
    return app.bytes - before


def at(app: Terminal) -> tuple[int, int]:
    """(step, of how many)."""
    found = re.search(r"step (\d+) of (\d+)", app.text)
    assert found, app.text
    return int(found[1]), int(found[2])


def stepped(app: Terminal, most: int) -> list[int]:
    """Bytes of each step to the right, at most so many."""
    costs = []
    number, count = at(app)
    for number in range(number + 1, min(count, number + most) + 1):
        before = app.bytes
        app.press(RIGHT)
        app.until(lambda text, number=number: f"step {number} of" in text)
        app.settled(0.06)
        costs.append(app.bytes - before)
    return costs


def walked(app: Terminal) -> list[int]:
    """Some steps from where the picture opens, a line up and on from there; or every step of every warp."""
    if not EVERY:
        costs = stepped(app, SOME)
        app.press(UP)
        app.settled(0.2)
        return costs + stepped(app, SOME)
    costs, seen = [], set()
    while True:
        app.press(HOME)
        app.settled(0.2)
        costs += stepped(app, 10_000)
        app.press("w")
        app.settled(0.2)
        who = re.search(r"block \d+(, warp \d+)?", app.text)
        if who is None or who[0] in seen:
            return costs
        seen.add(who[0])


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "source", "view"), PICTURES, ids=[" ".join(each) for each in PICTURES])
def test_a_step_costs_little_and_a_tab_too(app, puzzle, source, view):
    assert opened(app, puzzle, source) < TAB
    app.press(view)
    app.settled(0.2)
    costs = walked(app)
    assert len(costs) >= (6 if "pooling" in puzzle else SOME)
    assert sum(costs) / len(costs) < MEAN, sorted(costs)
    assert max(costs) < WORST, sorted(costs)
    print(f"{puzzle} {source} {view}: {len(costs)} steps, {sum(costs) / len(costs):.0f} bytes each, at worst {max(costs)}")


@pytest.mark.slow
def test_other_ways_through_a_picture_cost_little_too(app):
    """Warps, threads, lines, other views, tabs; and nothing is sent while nobody does anything."""
    opened(app, "memory/bank-conflicts", "starter.py")
    for keys, most in (("w", 1_500), ("x", 1_500), ("x", 1_000), ("t", TAB), (RIGHT, WORST), (RIGHT, WORST), ("c", TAB),
                       ("a", TAB), ("o", TAB), ("1", TAB), ("4", TAB), ("3", TAB), ("4", TAB)):
        before = app.bytes
        app.press(keys)
        app.settled(0.15)
        assert app.bytes - before < most, (keys, app.bytes - before)
    assert app.read(1.5) == 0
