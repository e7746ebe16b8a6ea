"""What this terminal can show, asked before the app starts: a wrong guess breaks every row."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import termios
import time
import tty
from dataclasses import dataclass
from typing import Any

from gpulab.views import charset

PATIENCE = 0.6
"""Seconds to wait for the cursor's position: a slow SSH link answers within, a dumb terminal never does."""

TMUX_CURE = "tmux was attached without UTF-8, so this is ASCII. To change that: tmux -u attach, or export LANG=C.UTF-8"


@dataclass(frozen=True)
class Terminal:
    """What was found."""

    ascii: bool = False
    notice: str = ""
    """A sentence for the learner: why it is ASCII and how to change that."""


def examine(*, ascii: bool = False) -> Terminal:
    """Whether our glyphs arrive one cell wide, from `--ascii`, the locale, tmux, and by measuring one."""
    if ascii:
        return Terminal(True)
    named = charset.without_utf8()
    if named is not None:
        variable, locale = named
        return Terminal(True, f"{variable}={locale} has no UTF-8, so this is ASCII: {charset.cure(variable)}")
    if "TMUX" in os.environ and tmux_utf8() is False:
        return Terminal(True, TMUX_CURE)
    width = glyph_width()
    if width is not None and width != 1:
        return Terminal(True, f"This terminal draws a star {width} cells wide, so this is drawn in ASCII.")
    return Terminal()


def tmux_utf8() -> bool | None:
    """What tmux knows of its client; None where it cannot be asked."""
    if shutil.which("tmux") is None:
        return None
    try:
        asked = subprocess.run(["tmux", "display", "-p", "#{client_utf8}"], capture_output=True, text=True, timeout=1)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"0": False, "1": True}.get(asked.stdout.strip())


def glyph_width(glyph: str = "★", patience: float = PATIENCE) -> int | None:
    """How far the cursor moves when `glyph` is printed; None where the terminal does not say.

    A terminal in another encoding takes its three bytes for three characters, which this sees too.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    read_from, write_to = sys.stdin.fileno(), sys.stdout.fileno()
    try:
        before = termios.tcgetattr(read_from)
    except termios.error:
        return None
    try:
        tty.setcbreak(read_from, termios.TCSANOW)
        os.write(write_to, f"\r{glyph}\x1b[6n".encode())
        answer = _read_answer(read_from, patience)
        os.write(write_to, b"\r\x1b[K")
    except OSError:
        return None
    finally:
        termios.tcsetattr(read_from, termios.TCSANOW, before)
    found = re.search(rb"\x1b\[\d+;(\d+)R", answer)
    return int(found[1]) - 1 if found else None


def _read_answer(fd: int, patience: float) -> bytes:
    """What the terminal sends until its answer is complete or patience ends."""
    answer, until = b"", time.monotonic() + patience
    while not answer.endswith(b"R") and (left := until - time.monotonic()) > 0:
        if select.select([fd], [], [], left)[0]:
            answer += os.read(fd, 64)
    return answer


RESTORE = "\x1b[?2004l\x1b[?1004l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[?7h\x1b[?1049l\x1b[?25h\x1b[0m"
"""Paste, focus and mouse reports off, keyboard as it was, line wrap on, main screen, cursor shown."""


class Restorer:
    """Puts the terminal back as it was when made, whatever happened in between."""

    def __init__(self) -> None:
        self._attributes: list[Any] | None = None
        if sys.stdin.isatty():
            try:
                self._attributes = termios.tcgetattr(sys.stdin.fileno())
            except termios.error:
                self._attributes = None

    def restore(self) -> None:
        """Safe to call more than once, and on a terminal that is gone."""
        try:
            if sys.__stderr__ is not None and sys.__stderr__.isatty():
                os.write(sys.__stderr__.fileno(), RESTORE.encode())
            if self._attributes is not None:
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._attributes)
        except (OSError, termios.error, ValueError):
            pass
