"""The app on a real pty at 80x24: what pyte draws, how many bytes that takes, and how the terminal is left."""

from __future__ import annotations

import os
import signal
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpulab.tui.keymap import TABS
from tests.tui.stage import played
from tests.tui.terminal import Terminal, staged

ALT_SCREEN_OFF, CURSOR_ON, PASTE_OFF = b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def start(home: Path, *options: str, **environ: str) -> Terminal:
    terminal = Terminal(staged(home, "--real-terminal", *options), HOME=str(home), **environ)
    terminal.until("q quit")
    terminal.settled()
    return terminal


@pytest.fixture(scope="module")
def lab(home: Path) -> Iterator[Terminal]:
    """An app that the tests here use one after another; each saves a file of its own."""
    terminal = start(home, "shared/pooling")
    yield terminal
    terminal.close()


@pytest.fixture
def leaving(tmp_path: Path) -> Iterator[Terminal]:
    """An app of its own, for a test that ends it."""
    terminal = start(tmp_path, "shared/pooling")
    yield terminal
    terminal.close()


def shown(lab: Terminal, home: Path, name: str, words: str) -> None:
    """The result of a report, with `not written` in between so that it is drawn anew."""
    save(home, "not_written")
    lab.until("NOT WRITTEN")
    save(home, name)
    lab.until(words)
    lab.settled()


def save(home: Path, name: str, *, after: float = 0.0) -> None:
    (home / "gpulab-work/shared/pooling.py").write_text(played(name, after=after), "utf-8")


def test_an_idle_app_sends_nothing(lab, home):
    assert lab.read(2.5) == 0
    shown(lab, home, "race", "RACE")
    assert lab.read(2.5) == 0


def test_a_check_costs_less_than_20_kb(lab, home):
    shown(lab, home, "race", "RACE")
    before = lab.bytes
    save(home, "wrong_answer")
    lab.until("WRONG ANSWER")
    lab.settled()
    assert lab.bytes - before < 10_000  # the budget is 20,000


def test_a_long_check_updates_its_status_at_most_twice_a_second(lab, home):
    shown(lab, home, "wrong_answer", "WRONG ANSWER")
    save(home, "race", after=3)
    before = len(lab.raw)
    lab.until("RACE")
    states = set()
    for piece in bytes(lab.raw[before:]).split(b"case 3 of 7")[1:]:
        states.add(piece[:8])
    assert 1 <= len(states) <= 7


def test_the_same_result_again_repaints_only_what_differs(lab, home):
    shown(lab, home, "race", "RACE")
    before = lab.bytes
    lab.press("r")
    lab.read(1.0)
    assert lab.bytes - before < 2_000


def test_a_tab_costs_less_than_8_kb_and_a_hint_less_than_5(lab, home):
    shown(lab, home, "race", "RACE")
    for digit in range(1, len(TABS) + 1):
        before = lab.bytes
        lab.press(str(digit))
        lab.until(f"┤ {digit} ")
        lab.settled()
        assert lab.bytes - before < 8_000, digit
    lab.press("h")
    lab.settled()
    before = lab.bytes
    lab.press("h")
    lab.until("Take tile[33]")
    lab.settled()
    assert lab.bytes - before < 5_000


def test_a_check_of_three_seconds_costs_less_than_20_kb_from_its_key_to_the_verdict(lab, home):
    shown(lab, home, "wrong_answer", "WRONG ANSWER")
    save(home, "race", after=3)
    before = lab.bytes
    lab.until("▌ RACE")
    lab.settled()
    assert lab.bytes - before < 20_000


def test_pyte_draws_the_race_as_the_mock_up_has_it(lab, home):
    shown(lab, home, "race", "RACE")
    assert lab.rows[0] == " shared / pooling  2 of 10                                 best ★☆☆   simulated"
    assert lab.rows[1].startswith("─ 1 Brief ─ 2 Code ─┤ 3 Result ├─ 4 Memory ─")
    assert lab.rows[2].startswith("▌ RACE   Thread 32 of block 0 reads tile[33] on line 17")
    assert " 13 │         tile[t + 2] = a[i]                        ◀ thread 31 writes [33]" in lab.rows
    assert "  warp 1 first   reads tile[33]   then  writes tile[33]   out[32] =  nan wrong" in lab.rows
    assert lab.rows[22] == "  Next  Make every thread wait before line 16. Then save: the check runs."
    assert lab.rows[23].startswith(" r run  e edit  m memory  h hints ")


def test_the_band_is_drawn_in_the_fault_colour(lab, home):
    shown(lab, home, "race", "RACE")
    cell = lab.screen.buffer[2][70]
    assert cell.bg == "452526"
    assert lab.screen.buffer[2][2].fg == "f0716a" and lab.screen.buffer[2][2].bold


def test_no_color_sends_no_colour(tmp_path):
    terminal = start(tmp_path, "shared/pooling", NO_COLOR="1")
    save(tmp_path, "race")
    terminal.until("RACE")
    terminal.settled()
    colours = {cell.fg for row in terminal.screen.buffer.values() for cell in row.values()} | {
        cell.bg for row in terminal.screen.buffer.values() for cell in row.values()}
    assert colours == {"default"}
    assert any(cell.bold for cell in terminal.screen.buffer[2].values())
    terminal.close()


def test_a_wide_glyph_terminal_gets_ascii_and_is_told(tmp_path):
    terminal = Terminal(staged(tmp_path, "--real-terminal"), HOME=str(tmp_path))
    terminal.width_of_star = 2
    terminal.until("draws a star 2 cells wide")
    assert terminal.text.isascii()
    terminal.press("\x1b[B")
    terminal.until("enter start")
    terminal.close()


def test_q_leaves_the_terminal_as_it_was(leaving):
    leaving.press("q")
    _ends(leaving, 0)
    _left_in_order(leaving)


def test_quitting_takes_less_than_a_second(leaving):
    began = time.monotonic()
    leaving.press("q")
    while leaving.child.isalive() and time.monotonic() - began < 5:
        leaving.read(0.05)
    assert time.monotonic() - began < 2.5  # a second on an idle machine; this one may be busy


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_leaves_the_terminal_as_it_was(leaving, number):
    os.kill(leaving.child.pid, number)
    _ends(leaving, 128 + number)
    _left_in_order(leaving)


def test_a_crash_leaves_the_terminal_as_it_was_and_says_what_happened(tmp_path):
    script = ("import sys; from pathlib import Path; from tests.tui.stage import build\n"
              "from gpulab.tui import app\nfrom gpulab.tui.screens.home import HomeScreen\n"
              "def broken(self): raise RuntimeError('the roof fell in')\n"
              "HomeScreen.action_help = broken\n"
              "sys.exit(app.open_app(*build(Path(sys.argv[1]))))")
    terminal = Terminal([sys.executable, "-c", script, str(tmp_path)], HOME=str(tmp_path))
    terminal.until("q quit")
    terminal.press("?")
    while terminal.child.isalive():
        terminal.read(0.2)
    terminal.read(0.2)
    _left_in_order(terminal)
    assert b"the roof fell in" in bytes(terminal.raw)
    terminal.close()
    assert terminal.child.exitstatus == 1


def test_a_terminal_that_goes_away_ends_the_app(leaving):
    pid = leaving.child.pid
    os.close(leaving.child.child_fd)
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


def test_outside_of_tmux_the_editor_takes_the_terminal_and_gives_it_back(tmp_path):
    editor = tmp_path / "ed"
    editor.write_text(f"#!/bin/sh\necho an editor opens $@\nread line\ncp {tmp_path}/new $1\n")
    editor.chmod(0o755)
    (tmp_path / "new").write_text(played("race"), "utf-8")
    terminal = start(tmp_path, "shared/pooling", EDITOR=str(editor))
    terminal.press("e")
    terminal.until("an editor opens")
    terminal.press("done\r")
    terminal.until("▌ RACE")
    terminal.settled()
    assert "an editor opens" not in terminal.text and "q quit" in terminal.rows[23]
    assert terminal.read(1.5) == 0
    terminal.close()


def test_copy_reaches_the_clipboard_through_the_terminal(lab, home):
    shown(lab, home, "race", "RACE")
    before = len(lab.raw)
    lab.press("y")
    lab.until("shared-pooling.txt")
    sent = bytes(lab.raw[before:]).split(b"\x1b]52;c;")[1].split(b"\a")[0]
    assert b64decode(sent).startswith(b"gpulab shared/pooling, seed 71")


@pytest.mark.slow
def test_the_first_session_is_80_by_24_from_start_to_finish(leaving, tmp_path):
    """Open, read, edit in the built-in editor, fail, hint, pass, next, quit, resume."""
    leaving.until("element from global memory only once.")
    leaving.press("e")
    leaving.until("No editor is set")
    leaving.press("\r")
    leaving.until("f2 save")
    leaving.press("# plays: wrong_answer\r\x1bOQ")
    leaving.until("WRONG ANSWER")
    leaving.press("h")
    leaving.until("Points at one cell")
    leaving.press("h")
    leaving.until("Take tile[33]")
    save(tmp_path, "passed")
    leaving.until("SOLVED")
    leaving.press("n")
    leaving.until("shared / dot")
    leaving.press("q")
    _ends(leaving, 0)
    again = start(tmp_path)
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
