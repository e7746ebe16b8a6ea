"""What the learner's code prints: written through a pipe, kept up to a limit, never in anybody's way."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from gpulab.runner.limits import KB

_CHUNK = 64 * KB


class KeptOutput:
    """The reading end: keeps the first `limit` bytes, counts the rest."""

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._limit = limit
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        """Take what came through the pipe."""
        self.total += len(data)
        self._kept += data[: self._limit - len(self._kept)]

    @property
    def text(self) -> str:
        """What was printed, and how much of it is missing."""
        text = self._kept.decode("utf-8", "replace")
        dropped = self.total - len(self._kept)
        if not dropped:
            return text
        return f"{text}\n[output cut here: {self.total:,} bytes were printed, the first {len(self._kept):,} are kept]\n"


def drain(pipe: int, kept: KeptOutput) -> bool:
    """Move what is in a non-blocking `pipe` into `kept`, at most 4 MB, so that none starves; False at its end."""
    for _ in range(64):
        try:
            data = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return True
        if not data:
            return False
        kept.add(data)
    return True


class _Valve(io.RawIOBase):
    """Writes at once while somebody may read it, and in large pieces beyond: a flood then costs few system calls."""

    def __init__(self, descriptor: int, prompt: int) -> None:
        self._descriptor = descriptor
        self._prompt = prompt
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: object) -> int:
        view = memoryview(data)  # type: ignore[arg-type]  # the buffer protocol has no type before Python 3.12
        self._waiting += view
        if self._prompt > 0 or len(self._waiting) >= _CHUNK:
            self.pass_on()
        return view.nbytes

    def pass_on(self) -> None:
        """Write what waits."""
        waiting, self._waiting = self._waiting, bytearray()
        self._prompt -= len(waiting)
        while waiting:
            del waiting[: os.write(self._descriptor, waiting)]


def open_standard_streams(prompt: int) -> Callable[[], None]:
    """Fresh `sys.stdout` and `sys.stderr` over descriptors 1 and 2; the function returned flushes them.

    The first `prompt` bytes are written line by line, so that nothing is lost when the process dies.
    """
    valves = [_Valve(1, prompt), _Valve(2, prompt)]
    streams = [
        io.TextIOWrapper(io.BufferedWriter(valve, _CHUNK), "utf-8", errors, line_buffering=True)
        for valve, errors in zip(valves, ("replace", "backslashreplace"), strict=True)
    ]
    sys.stdout, sys.stderr = streams

    def flush() -> None:
        for stream, valve in zip(streams, valves, strict=True):
            with suppress(ValueError, OSError):  # the learner's code closed or detached it
                stream.flush()
            with suppress(OSError):
                valve.pass_on()

    return flush
