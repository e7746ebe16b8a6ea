"""A real terminal for tests: the app in a pty, its bytes counted, its screen as pyte draws it."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).parents[2]


class Terminal:
    """A child on a pty. `columns` and `rows` as asked; `bytes` counts what it wrote."""

    def __init__(self, command: Sequence[str], *, columns: int = 80, rows: int = 24, **environ: str) -> None:
        left_out = ["NO_COLOR", "TMUX", "ZELLIJ", "VISUAL", "EDITOR", "LC_ALL", "LC_CTYPE", "GPULAB_THEME"]
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        env = kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"} | environ
        self.child = pexpect.spawn(command[0], list(command[1:]), dimensions=(rows, columns), env=env, cwd=str(ROOT))
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.bytes = 0
        self.raw = bytearray()
        self.answers = True
        """Whether it says where its cursor is."""
        self.width_of_star = 1

    def read(self, seconds: float) -> int:
        """Take what is written within `seconds`; how many bytes that was."""
        before, until = self.bytes, time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                data = self.child.read_nonblocking(65536, timeout=left)
            except pexpect.TIMEOUT:
                break
            except pexpect.EOF:
                break
            self._take(data)
        return self.bytes - before

    def _take(self, data: bytes) -> None:
        self.bytes += len(data)
        self.raw += data
        if b"\x1b[6n" in data:  # the width of a glyph: answer as a terminal does, from where the cursor is
            before, after = data.split(b"\x1b[6n", 1)
            self._draw(before)
            column = self.screen.cursor.x + self.width_of_star
            if self.answers:
                self.child.send(f"\x1b[{self.screen.cursor.y + 1};{column}R")
            data = after
        self._draw(data)

    def _draw(self, data: bytes) -> None:
        # pyte takes `CSI ... $p` (a question about a mode) and `CSI > u` for text: they draw nothing
        self.stream.feed(re.sub(rb"\x1b\[\?[0-9;]*\$p|\x1b\[[<>=][0-9;]*[a-zA-Z]", b"", data))

    def until(self, holds: Callable[[str], bool] | str, seconds: float = 30.0) -> int:
        """Read until the screen shows something; how many bytes that took."""
        before, end = self.bytes, time.monotonic() + seconds
        shows = (lambda text: holds in text) if isinstance(holds, str) else holds
        while not shows(self.text):
            assert time.monotonic() < end and self.child.isalive(), f"not seen: {holds!r}\n{self.text}"
            self.read(0.1)
        return self.bytes - before

    @property
    def rows(self) -> list[str]:
        """The screen as text."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.rows)

    def press(self, keys: str) -> None:
        """Type."""
        self.child.send(keys)

    def settled(self, quiet: float = 0.4) -> None:
        """Read until nothing comes for a while."""
        while self.read(quiet):
            pass

    def close(self) -> None:
        """End the child."""
        with contextlib.suppress(OSError, pexpect.ExceptionPexpect):  # a test may have ended it already
            self.child.close(force=True)


def staged(home: Path, *options: str) -> list[str]:
    """The command that plays the app on a stage below `home`."""
    return [sys.executable, "-m", "tests.tui.stage", str(home), *options]
