"""Terminals as they come: sixteen colours, ASCII, no locale, tiny, resized, saved to in a storm, cut off and killed."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpulab.tui.keymap import TABS
from tests.tui.stage import played
from tests.tui.terminal import Terminal, staged

SIXTEEN = {"default", "black", "red", "green", "brown", "blue", "magenta", "cyan", "white", "brightblack", "brightred",
           "brightgreen", "brightbrown", "brightblue", "brightmagenta", "brightcyan", "brightwhite", "brightyellow"}


def start(home: Path, *options: str, **environ: str) -> Terminal:
    terminal = Terminal(staged(home, "--real-terminal", *options), HOME=str(home), **environ)
    terminal.until("q quit")
    terminal.settled(0.2)
    return terminal


def save(home: Path, name: str, *, after: float = 0.0) -> None:
    (home / "gpulab-work/shared/pooling.py").write_text(played(name, after=after), "utf-8")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Terminal]:
    terminal = start(tmp_path, "shared/pooling")
    yield terminal
    terminal.close()


@pytest.mark.parametrize("kind", ["screen", "xterm-16color"])
def test_sixteen_colours_are_the_terminals_own(tmp_path, kind):
    terminal = start(tmp_path, "shared/pooling", TERM=kind, COLORTERM="", STY="1.pts" if kind == "screen" else "")
    save(tmp_path, "race")
    terminal.until("▌ RACE")
    terminal.settled(0.2)
    cells = [cell for row in terminal.screen.buffer.values() for cell in row.values()]
    assert {cell.fg for cell in cells} | {cell.bg for cell in cells} <= SIXTEEN
    assert terminal.screen.buffer[2][2].fg == "red" and b"38;2;" not in terminal.raw and b"38;5;" not in terminal.raw
    terminal.close()


def test_ascii_is_ascii_on_every_tab(tmp_path):
    terminal = start(tmp_path, "shared/pooling", "--ascii")
    save(tmp_path, "race")
    terminal.until("> RACE")
    for digit in range(1, len(TABS) + 1):
        terminal.press(str(digit))
        terminal.until(f"+ {digit} ")
        terminal.settled(0.1)
        assert terminal.text.isascii()
    terminal.close()


@pytest.mark.parametrize(("locale", "ascii"), [({"LANG": ""}, False), ({"LANG": "", "LC_ALL": "C"}, True)])
def test_no_locale_is_taken_for_utf8_and_one_without_it_for_ascii(tmp_path, locale, ascii):
    terminal = start(tmp_path, **locale)
    assert terminal.text.isascii() is ascii
    if ascii:
        assert "export LC_ALL=C.UTF-8" in " ".join(terminal.text.split())
    terminal.close()


def test_resizes_at_any_moment_leave_the_screen_as_it_was(lab, tmp_path):
    save(tmp_path, "race")
    lab.until("▌ RACE")
    lab.settled(0.3)
    before = lab.rows
    rng = random.Random(7)
    save(tmp_path, "race", after=0.5)
    for _ in range(40):
        lab.child.setwinsize(rng.randint(3, 60), rng.randint(10, 200))
        lab.read(0.03)
    lab.child.setwinsize(15, 50)
    lab.screen.resize(15, 50)
    lab.until("gpulab needs 60 columns and 20 rows")
    lab.child.setwinsize(24, 80)
    lab.screen.resize(24, 80)
    lab.screen.reset()
    lab.until("q quit")
    lab.settled(0.3)
    assert [row for row in lab.rows if ":" not in row] == [row for row in before if ":" not in row]
    assert lab.child.isalive()


def test_fifty_saves_in_five_seconds_end_with_the_verdict_on_the_last(lab, tmp_path):
    before = lab.bytes
    for number in range(50):
        save(tmp_path, ("race", "wrong_answer")[number % 2], after=0.3)
        lab.read(0.1)
    save(tmp_path, "out_of_bounds")
    lab.until("▌ OUT OF BOUNDS")
    lab.settled(0.5)
    assert lab.bytes - before < 50 * 8_000
    assert "OUT OF BOUNDS" in lab.rows[2]


def test_ctrl_c_gives_up_a_check_and_never_the_app(lab, tmp_path):
    lab.press("\x03")
    lab.until("Nothing is running")
    save(tmp_path, "race", after=20)
    lab.until("case 3 of 7")
    lab.press("\x03")
    lab.until("The check was given up")
    lab.press("l")
    lab.until("Tracks")
    lab.press("\x03")
    lab.until("q leaves; everything is kept.")
    assert lab.child.isalive()


@pytest.mark.parametrize("how", ["hang up", "kill"])
def test_a_dropped_line_and_a_kill_lose_neither_work_nor_progress(tmp_path, how):
    lab = start(tmp_path, "shared/pooling")
    save(tmp_path, "wrong_answer")
    lab.until("▌ WRONG ANSWER")
    lab.press("h")
    lab.until("Points at one cell")
    lab.press("h")
    lab.until("Take tile[33]")
    save(tmp_path, "race", after=20)
    lab.until("case 3 of 7")
    mine = (tmp_path / "gpulab-work/shared/pooling.py").read_bytes()
    if how == "kill":
        os.kill(lab.child.pid, signal.SIGKILL)
    else:
        os.close(lab.child.child_fd)
    _gone(lab.child.pid)
    lab.close()
    assert (tmp_path / "gpulab-work/shared/pooling.py").read_bytes() == mine
    with sqlite3.connect(tmp_path / "gpulab-work/progress.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    save(tmp_path, "race")
    again = start(tmp_path, "shared/pooling")
    again.until("▌ RACE")  # it was saved while nobody looked, so it is checked on opening
    assert "1/4" in again.rows[23]
    again.close()


def test_two_apps_on_one_workspace_see_each_others_saves_and_progress(tmp_path):
    one, two = start(tmp_path, "shared/pooling"), start(tmp_path, "shared/pooling")
    save(tmp_path, "race")
    one.until("▌ RACE")
    two.until("▌ RACE")
    one.press("h")
    one.until("Points at one cell")
    one.press("h")
    one.until("Take tile[33]")
    save(tmp_path, "passed")
    one.until("▌ SOLVED")
    two.until("▌ SOLVED")
    two.press("l")
    two.until("1 of 24 solved")
    with sqlite3.connect(tmp_path / "gpulab-work/progress.db") as connection:
        assert connection.execute("SELECT count(*) FROM attempts WHERE verdict = 'passed'").fetchone() == (2,)
    one.close()
    two.close()


def _gone(pid: int) -> None:
    """Wait until a child has ended."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
        except ChildProcessError:
            return
        time.sleep(0.05)
    pytest.fail("still running")
