"""What a step through a picture costs at a real pty, 80x24 in true colour: the app as it is, on shipped puzzles.

Some steps of each picture; with GPULAB_ALL_PUZZLES=1 all of them, of every warp.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator

import pytest

from tests.tui.terminal import ROOT, Terminal

EVERY = bool(os.environ.get("GPULAB_ALL_PUZZLES"))
SOME = 6
RIGHT, UP, HOME = "\x1b[C", "\x1b[A", "\x1b[H"

IDLE = "touches no memory"
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
WARPS = {"shared/pooling": 6, "memory/coalescing": 4, "memory/bank-conflicts": 4}
"""In the picture."""


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


def opened(app: Terminal, puzzle: str, source: str) -> None:
    """The picture of a file, from Home."""
    track, name = puzzle.split("/")
    file = app.home / track / f"{name}.py"
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "puzzles" / puzzle / source, file)
    app.press("l")
    app.settled(0.2)
    app.press("/")
    app.until("Find a puzzle")
    app.settled(0.2)
    app.press(name)
    app.settled(0.2)
    app.press("\r")
    app.until(f"{track} / {name}")
    app.settled(0.3)
    app.press("4")
    app.until(lambda text: "─┤ step" in text or "─┤ interval" in text, 60)
    app.settled(0.6)


def at(app: Terminal) -> tuple[int, int]:
    """(step, of how many)."""
    found = re.search(r"step (\d+) of (\d+)", app.text)
    assert found, app.text
    return int(found[1]), int(found[2])


def stepped(app: Terminal, most: int) -> list[int]:
    """Bytes of each step to the right, at most so many."""
    costs = []
    here, count = at(app)
    for number in range(here + 1, min(count, here + most) + 1):
        before = app.bytes
        app.press(RIGHT)
        app.until(f"step {number} of")
        app.settled(0.06)
        costs.append(app.bytes - before)
    return costs


def walked(app: Terminal, warps: int) -> list[int]:
    """Some steps from where the picture opens, a line up and on from there; or every step of every warp."""
    if not EVERY:
        costs = stepped(app, SOME)
        before = app.text
        app.press(UP)
        app.until(lambda text: text != before)
        app.settled(0.2)
        return costs + stepped(app, SOME)
    costs: list[int] = []
    for _ in range(warps):
        app.press(HOME)
        app.until(lambda text: "step 1 of" in text or IDLE in text)
        app.settled(0.2)
        costs += stepped(app, 10_000) if IDLE not in app.text else []
        before = app.text
        app.press("w")
        app.until(lambda text, before=before: text != before)
        app.settled(0.3)
    return costs


@pytest.mark.slow
@pytest.mark.parametrize(("puzzle", "source", "view"), PICTURES, ids=[" ".join(each) for each in PICTURES])
def test_a_step_costs_little(app, puzzle, source, view):
    opened(app, puzzle, source)
    app.press(view)
    app.until("bank 0" if view == "b" else "left alone")
    app.settled(0.2)
    costs = walked(app, WARPS[puzzle])
    assert len(costs) >= (6 if "pooling" in puzzle else SOME)
    assert sum(costs) / len(costs) < MEAN, sorted(costs)
    assert max(costs) < WORST, sorted(costs)
    print(f"{puzzle} {source} {view}: {len(costs)} steps, mean {sum(costs) / len(costs):.0f}, at worst {max(costs)}")


@pytest.mark.slow
def test_other_ways_through_a_picture_cost_little_too(app):
    """Warps, threads, lines, other views, tabs; and nothing is sent while nobody does anything."""
    opened(app, "memory/bank-conflicts", "starter.py")
    for key, seen, most in (("w", "warp 1", 1_500), ("x", "thread 32", 1_500), ("x", "thread 33", 1_000),
                            ("t", "interval 2 of 4", TAB), (RIGHT, "interval 3 of 4", WORST),
                            (RIGHT, "interval 4 of 4", WORST), ("c", "conflicts  lanes", TAB),
                            ("a", "left alone", TAB), ("1", "┤ 1 Brief", TAB), ("4", "left alone", TAB),
                            ("3", "┤ 3 Result", TAB), ("4", "left alone", TAB)):
        before = app.bytes
        app.press(key)
        app.until(seen)
        app.settled(0.15)
        assert app.bytes - before < most, (key, app.bytes - before)
    assert app.read(1.5) == 0
