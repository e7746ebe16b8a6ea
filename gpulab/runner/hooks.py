"""What a file can leave behind to have its own code called while a kernel runs: found, and taken away.

A kernel's launch runs no Python of the learner's. Whoever wants some to run then must have left a hook: a trace or
profile function, a timer, a thread, a callback of the garbage collector.
"""

from __future__ import annotations

import _thread
import gc
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident
from types import FrameType
from typing import Any

_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_TOOLS = range(6)
"""The tools that `sys.monitoring` has room for (Python 3.12 and later)."""

_STARTS = ("start", "start_new_thread", "start_joinable_thread", "submit", "map", "apply_async")
_ENDING = 0.05
"""Seconds that a thread which has done its work may take to be gone."""


@dataclass(frozen=True)
class Hook:
    """One that was found. `what` goes on after "Your code left "; `calls` are names of functions that set it."""

    what: str
    calls: tuple[str, ...]
    line: int | None = None


class Hooks:
    """The hooks there are before the learner's code runs; what comes later is the learner's."""

    def __init__(self, file: Path) -> None:
        self._file = str(file)
        self._handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
        self._callbacks = list(gc.callbacks)
        self._tools = _tools()
        self._threads = _thread._count()
        # As they are before anybody can replace them.
        self._functions = (sys.gettrace, sys.settrace, sys.getprofile, sys.setprofile, signal.getitimer,
                           signal.setitimer, _thread._count, sys._current_frames)

    def clear(self) -> Hook | None:
        """Take away what the learner's code left; one of it."""
        found = [*self._clear_functions(), *self._clear_timers(), *self._clear_tools(), *self._clear_callbacks()]
        self._restore_handlers()
        return found[0] if found else None

    def thread(self) -> Hook | None:
        """A thread that the learner's code started and that still runs; it cannot be ended."""
        count, current_frames = self._functions[-2:]
        give_up = time.monotonic() + _ENDING
        while count() > self._threads:
            if time.monotonic() > give_up:
                lines = [self._line(frame) for number, frame in current_frames().items() if number != get_ident()]
                return Hook("a thread running", _STARTS, next(filter(None, lines), None))
            time.sleep(0.001)
        return None

    def _clear_functions(self) -> Iterator[Hook]:
        trace, set_trace, profile, set_profile, *_ = self._functions
        if trace() is not None:
            set_trace(None)
            yield Hook("a trace function (sys.settrace)", ("settrace", "settrace_all_threads"))
        if profile() is not None:
            set_profile(None)
            yield Hook("a profile function (sys.setprofile)", ("setprofile", "setprofile_all_threads"))

    def _clear_timers(self) -> Iterator[Hook]:
        get_timer, set_timer = self._functions[4:6]
        for timer in _TIMERS:
            if any(get_timer(timer)):
                set_timer(timer, 0)
                yield Hook("a timer running (signal.setitimer)", ("setitimer", "alarm"))

    def _clear_tools(self) -> Iterator[Hook]:
        monitoring: Any = getattr(sys, "monitoring", None)
        for tool, name in _tools().items():
            if self._tools.get(tool) != name:
                monitoring.set_events(tool, 0)
                monitoring.free_tool_id(tool)
                yield Hook("a tool of sys.monitoring", ("use_tool_id", "set_events", "register_callback"))

    def _clear_callbacks(self) -> Iterator[Hook]:
        """Libraries may have theirs, which are not missed in a process that soon ends."""
        new = [callback for callback in gc.callbacks if callback not in self._callbacks]
        gc.callbacks[:] = self._callbacks
        if any(getattr(getattr(one, "__code__", None), "co_filename", self._file) == self._file for one in new):
            yield Hook("a callback of the garbage collector (gc.callbacks)", ("append", "insert", "extend"))

    def _restore_handlers(self) -> None:
        """Silently: a handler that nothing calls does no harm, and programs have them."""
        for number, handler in self._handlers.items():
            with suppress(ValueError, OSError, TypeError):
                if signal.getsignal(number) is not handler and handler is not None:
                    signal.signal(number, handler)

    def _line(self, frame: FrameType | None) -> int | None:
        while frame is not None:
            if frame.f_code.co_filename == self._file:
                return frame.f_lineno
            frame = frame.f_back
        return None


def _tools() -> dict[int, str]:
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        return {}
    return {tool: name for tool in _TOOLS if (name := monitoring.get_tool(tool)) is not None}
