"""The app on a real pty at 80x24: what pyte draws, how many bytes that takes, and how the terminal is left."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.stage import played
from tests.tui.terminal import Terminal, staged

ALT_SCREEN_OFF, CURSOR_ON, PASTE_OFF = b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def start(home: Path, *options: str, **environ: str) -> Terminal:
    terminal = Terminal(staged(home, "--real-terminal", *options), HOME=str(home), **environ)
    terminal.until("q quit")
    terminal.settled()
    return terminal


@pytest.fixture
def lab(home: Path) -> Iterator[Terminal]:
    terminal = start(home, "shared/pooling")
    yield terminal
    terminal.close()


def save(home: Path, name: str, *, after: float = 0.0) -> None:
    (home / "gpulab-work/shared/pooling.py").write_text(played(name, after=after), "utf-8")


def test_an_idle_app_sends_nothing(lab, home):
    assert lab.read(2.5) == 0
    save(home, "race")
    lab.until("RACE")
    lab.settled()
    assert lab.read(2.5) == 0


def test_a_check_costs_less_than_20_kb(lab, home):
    save(home, "race")
    spent = lab.until("RACE")
    lab.settled()
    assert spent + lab.read(0.3) < 20_000
    before = lab.bytes
    save(home, "wrong_answer")
    lab.until("WRONG ANSWER")
    lab.settled()
    assert lab.bytes - before < 10_000


def test_a_long_check_updates_its_status_at_most_twice_a_second(lab, home):
    save(home, "race", after=3)
    before = len(lab.raw)
    lab.until("RACE")
    states = set()
    for piece in bytes(lab.raw[before:]).split(b"case 3 of 7")[1:]:
        states.add(piece[:8])
    assert 1 <= len(states) <= 7


def test_the_same_result_again_repaints_only_what_differs(lab, home):
    save(home, "race")
    lab.until("RACE")
    lab.settled()
    before = lab.bytes
    lab.press("r")
    lab.read(1.0)
    assert lab.bytes - before < 2_000


def test_a_tab_costs_less_than_10_kb_and_a_hint_less_than_5(lab):
    lab.press("4")
    lab.until("not an answer")
    lab.settled()
    before = lab.bytes
    lab.press("h")
    lab.until("Take tile[33]")
    lab.settled()
    assert lab.bytes - before < 5_000


def test_pyte_draws_the_race_as_the_mock_up_has_it(lab, home):
    save(home, "race")
    lab.until("RACE")
    lab.settled()
    assert lab.rows[0] == " shared / pooling  2 of 10                                      ★☆☆   simulated"
    assert lab.rows[1].startswith("─ 1 Brief ─ 2 Code ─┤ 3 Result ├─ 4 Hints ──")
    assert lab.rows[2].startswith("▌ RACE   Thread 32 of block 0 reads tile[33] on line 17")
    assert " 13 │         tile[t + 2] = a[i]                        ◀ thread 31 writes [33]" in lab.rows
    assert "  warp 1 first   reads tile[33]   then  writes tile[33]   out[32] =  nan wrong" in lab.rows
    assert lab.rows[22] == "  Next  Make every thread wait before line 16. Then save: the check runs."
    assert lab.rows[23].startswith(" r run  e edit  h hints 0/4  y copy")


def test_the_band_is_drawn_in_the_fault_colour(lab, home):
    save(home, "race")
    lab.until("RACE")
    lab.settled()
    cell = lab.screen.buffer[2][70]
    assert cell.bg == "452526"
    assert lab.screen.buffer[2][2].fg == "f0716a" and lab.screen.buffer[2][2].bold


def test_no_color_sends_no_colour(home):
    terminal = start(home, "shared/pooling", NO_COLOR="1")
    save(home, "race")
    terminal.until("RACE")
    terminal.settled()
    colours = {cell.fg for row in terminal.screen.buffer.values() for cell in row.values()} | {
        cell.bg for row in terminal.screen.buffer.values() for cell in row.values()}  # fmt: skip
    assert colours == {"default"}
    assert any(cell.bold for cell in terminal.screen.buffer[2].values())
    terminal.close()


def test_a_wide_glyph_terminal_gets_ascii_and_is_told(home):
    terminal = Terminal(staged(home, "--real-terminal"), HOME=str(home))
    terminal.width_of_star = 2
    terminal.until("draws a star 2 cells wide")
    assert terminal.text.isascii()
    terminal.press("\x1b[B")
    terminal.until("enter start")
    terminal.close()


def test_q_leaves_the_terminal_as_it_was(lab):
    lab.press("q")
    _ends(lab, 0)
    _left_in_order(lab)


def test_quitting_takes_less_than_a_second(lab):
    began = time.monotonic()
    lab.press("q")
    while lab.child.isalive() and time.monotonic() - began < 5:
        lab.read(0.05)
    assert time.monotonic() - began < 2.5  # a second on an idle machine; this one may be busy


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_the_terminal_as_it_was(lab, number):
    os.kill(lab.child.pid, number)
    _ends(lab, 128 + number)
    _left_in_order(lab)


def test_a_crash_leaves_the_terminal_as_it_was_and_says_what_happened(home):
    script = ("import sys; from pathlib import Path; from tests.tui.stage import build\n"
              "from gpulab.tui import app\nfrom gpulab.tui.screens.home import HomeScreen\n"
              "def broken(self): raise RuntimeError('the roof fell in')\n"
              "HomeScreen.action_help = broken\n"
              "sys.exit(app.open_app(*build(Path(sys.argv[1]))))")  # fmt: skip
    terminal = Terminal([sys.executable, "-c", script, str(home)], HOME=str(home))
    terminal.until("q quit")
    terminal.press("?")
    while terminal.child.isalive():
        terminal.read(0.2)
    terminal.read(0.2)
    _left_in_order(terminal)
    assert b"the roof fell in" in bytes(terminal.raw)
    terminal.close()
    assert terminal.child.exitstatus == 1


def test_a_terminal_that_goes_away_ends_the_app(lab):
    pid = lab.child.pid
    os.close(lab.child.child_fd)
    end = time.monotonic() + 15
    while time.monotonic() < end:
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                break
        except ChildProcessError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("still running")


def test_the_first_session_is_80_by_24_from_start_to_finish(lab, home):
    """Open, read, edit in the built-in editor, fail, hint, pass, next, quit, resume."""
    lab.until("element from global memory only once.")
    lab.press("e")
    lab.until("No editor is set")
    lab.press("\r")
    lab.until("f2 save")
    lab.press("# plays: wrong_answer\r\x1bOQ")
    lab.until("WRONG ANSWER")
    lab.press("h")
    lab.until("Points at one cell")
    lab.press("h")
    lab.until("Take tile[33]")
    save(home, "passed")
    lab.until("SOLVED")
    lab.press("n")
    lab.until("shared / dot")
    lab.press("q")
    _ends(lab, 0)
    again = start(home)
    assert "▌ shared / dot" in again.text and "1 of 24 solved" in again.rows[0]
    again.close()


def _ends(terminal: Terminal, status: int) -> None:
    end = time.monotonic() + 15
    while terminal.child.isalive():
        assert time.monotonic() < end, terminal.text
        terminal.read(0.1)
    terminal.read(0.2)
    terminal.child.close()
    assert terminal.child.exitstatus == status, (terminal.child.exitstatus, terminal.child.signalstatus)


def _left_in_order(terminal: Terminal) -> None:
    raw = bytes(terminal.raw)
    for sequence in (ALT_SCREEN_OFF, CURSOR_ON, PASTE_OFF):
        assert sequence in raw
    assert raw.rindex(ALT_SCREEN_OFF) > raw.rindex(b"\x1b[?1049h")
