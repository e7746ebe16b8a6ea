"""What the app costs who looks at it, at a pty of 80x24: seconds to the first paint, milliseconds from key to paint."""

from __future__ import annotations

import os
import select
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pexpect

ROOT = Path(__file__).parents[2]
STARTS = 7
KEYS = 80
QUIET = 0.012
"""Seconds without a byte after which a paint is over."""
SLOW = "matmul/ragged-tiles"
"""Its check is long enough to press keys during it."""


class Pty:
    """A program on a pty that is answered where its cursor is."""

    def __init__(self, command: list[str], home: Path) -> None:
        environ = {name: value for name, value in os.environ.items() if name not in ("TMUX", "NO_COLOR", "ZELLIJ")}
        environ |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state"),
                    "GPULAB_HOME": str(home / "work"), "TERM": "xterm-256color", "COLORTERM": "truecolor",
                    "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        self.began = time.perf_counter()
        self.child = pexpect.spawn(command[0], command[1:], dimensions=(24, 80), env=environ, cwd=str(ROOT))
        self.raw = b""

    def read(self, seconds: float) -> bool:
        """Take what comes within so long; whether anything did."""
        if not select.select([self.child.child_fd], [], [], seconds)[0]:
            return False
        data = os.read(self.child.child_fd, 65536)
        self.raw += data
        if b"\x1b[6n" in data:
            self.child.send("\x1b[1;2R")
        return True

    def until(self, words: bytes, seconds: float = 30.0) -> float:
        """Read until the words were written; seconds since the program began."""
        while words not in self.raw:
            if time.perf_counter() - self.began > seconds:
                raise TimeoutError(f"{words!r} was not painted")
            self.read(0.5)
        return time.perf_counter() - self.began

    def rest(self, quiet: float) -> None:
        """Read until nothing comes for so long."""
        while self.read(quiet):
            pass

    def press(self, key: str) -> float:
        """Seconds from a key to the last byte of what it paints."""
        started = last = time.perf_counter()
        self.child.send(key)
        if not self.read(1.0):
            raise TimeoutError(f"{key!r} painted nothing")
        last = time.perf_counter()
        while self.read(QUIET):
            last = time.perf_counter()
        return last - started

    def close(self) -> None:
        """End it."""
        if self.child.isalive():
            self.child.kill(signal.SIGTERM)
        self.child.close(force=True)


def first_paint() -> dict[str, list[float]]:
    """Seconds until the least app shows its text, and ours the next puzzle; in turns: both see the same load."""
    found: dict[str, list[float]] = {"minimal": [], "gpulab": []}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for _ in range(STARTS + 1):  # the first of each writes compiled Python
            for name, command, words in (("minimal", [str(ROOT / "scripts/bench/minimal.py")], b"least there can be"),
                                         ("gpulab", ["-m", "gpulab"], b"one thread per element")):
                app = Pty([sys.executable, *command], home)
                found[name].append(app.until(words))
                app.close()
    return {name: seconds[1:] for name, seconds in found.items()}


def key_to_paint() -> list[float]:
    """Seconds from a digit to its tab, while checks run one after another."""
    with tempfile.TemporaryDirectory() as folder:
        app = Pty([sys.executable, "-m", "gpulab"], Path(folder))
        app.until(b"one thread per element")
        app.rest(1.5)
        app.press("/")
        for key in SLOW.split("/")[1]:
            app.press(key)
        app.press("\r")
        app.rest(2.0)
        app.press("r")  # the first check starts the workers
        app.rest(4.0)
        seconds = []
        for number in range(KEYS):
            if number % 10 == 0:
                app.child.send("r")
                app.rest(0.15)
            seconds.append(app.press("12"[number % 2]))
            time.sleep(0.03)
        app.close()
        return seconds


def measure() -> dict[str, Any]:
    """Both."""
    return {"first_paint": first_paint(), "key_to_paint": key_to_paint()}


def table(data: dict[str, Any]) -> list[str]:
    """As Markdown."""
    paint, keys = data["first_paint"], sorted(data["key_to_paint"])
    ours, least = statistics.median(paint["gpulab"]), statistics.median(paint["minimal"])
    p95 = keys[min(len(keys) - 1, int(0.95 * len(keys)))]
    return [
        "## The app", "", "At a pty of 80x24. The minimal Textual app has a header, a footer and one Static; starts in "
        "turns.", "", "| what | figure | bar |", "|---|---|---|",
        f"| first paint of the minimal app, s | {least:.2f} | |",
        f"| first paint, the next puzzle's task in it, s | {ours:.2f} | |",
        f"| of the minimal app's | {ours / least:.2f} | 1.5 |",
        f"| key to paint while checks run, median, ms | {1000 * statistics.median(keys):.0f} | |",
        f"| the same, 95th percentile, ms | {1000 * p95:.0f} | 50 |",
    ]


if __name__ == "__main__":
    print("\n".join(table(measure())))
