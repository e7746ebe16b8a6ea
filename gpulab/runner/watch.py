"""The judge's second thread: it reads what the learner's code prints, keeps its limits and sees it die."""

from __future__ import annotations

import os
import selectors
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock, Thread

from gpulab.runner import tree
from gpulab.runner.endings import Ending, from_wait_status
from gpulab.runner.limits import Limits
from gpulab.runner.output import KeptOutput, drain
from gpulab.runner.wire import Wire

TRACE_SIGNAL = signal.SIGRTMIN + 9 if sys.platform == "linux" else signal.SIGUSR2
"""The learner's process answers it by writing where it is (faulthandler)."""

_TICK = 0.02
"""Seconds between looks at time and memory: touching pages goes at some 2 GB/s, so 40 MB slip by."""

_TREE_EVERY = 0.2
"""Seconds between looks at the whole tree: they scan all processes, and short runs shall not pay for it."""


@dataclass(frozen=True)
class LearnerProcess:
    """The judge's handles on the process that runs the learner's code."""

    pid: int
    wire: Wire
    output: int
    """The reading end of its stdout and stderr, non-blocking."""
    dumps: int
    """An open file that its faulthandler writes to."""


@dataclass(frozen=True)
class _Allowance:
    """From `start` on the process may run for `seconds`; it had used `processor` seconds by then."""

    start: float
    seconds: float
    processor: float


class Watch(Thread):
    """Watches one learner process until it is gone. `ending` then says why; the wire is shut, so nobody waits on it."""

    def __init__(self, process: LearnerProcess, limits: Limits) -> None:
        super().__init__(name="watch", daemon=True)
        self.ending: Ending | None = None
        self._process = process
        self._limits = limits
        self._allowed: _Allowance | None = None
        self._next_tree = float("inf")
        self.gauge = tree.Gauge(process.pid)
        self._cause: str | None = None
        self._closed = False
        self._printed = KeptOutput(limits.output_kept)
        self._printed_lock = Lock()
        self._lock = Lock()

    def allow(self, seconds: float | None) -> None:
        """Let the process run for so long from now; None for as long as it likes (it is waiting for us)."""
        now = time.monotonic()
        self._allowed = None if seconds is None else _Allowance(now, seconds, self.gauge.processor_seconds())
        self._next_tree = now + _TREE_EVERY

    def output(self) -> str:
        """All that has been printed until now."""
        self._read_output()
        return self._printed.text

    def gone(self) -> Ending:
        """Wait until the process is gone, and all that it started."""
        self.join()
        return self.ending or Ending("exit")

    def finish(self) -> None:
        """End the process and all that it started, and wait for that."""
        self._kill()
        self.join()

    def run(self) -> None:
        """Look at everything, whenever something happens and at each tick."""
        with selectors.DefaultSelector() as selector:
            for descriptor in self._sources():
                selector.register(descriptor, selectors.EVENT_READ)
            while self.ending is None:
                ready = {key.fd for key, _ in selector.select(_TICK)}
                if self._process.output in ready and not self._read_output():
                    selector.unregister(self._process.output)
                self._look_for_its_end()
                if self._cause is None and self.ending is None:
                    self._keep_limits(time.monotonic())
        self._close()

    def _sources(self) -> list[int]:
        sources = [self._process.output]
        if hasattr(os, "pidfd_open"):  # Linux; elsewhere a death is seen at the next tick
            with suppress(OSError):
                sources.append(os.pidfd_open(self._process.pid))
        return sources

    def _look_for_its_end(self) -> None:
        with self._lock:
            ended = tree.reap() or {}
            if self._process.pid not in ended:
                return
            statuses = ended | tree.end_descendants()
            status = os.waitstatus_to_exitcode(statuses[self._process.pid])
            ending = from_wait_status(status, self._dump())
            self.ending = Ending(self._cause, dump=ending.dump) if self._cause else ending
        self._process.wire.shut()

    def _keep_limits(self, now: float) -> None:
        if self._allowed and self._is_used_up(self._allowed, now - self._allowed.start):
            self._end("time")
        elif self._printed.total > self._limits.output_most:
            self._end("output")
        elif self.gauge.resident() > self._limits.memory:
            self._end("memory")
        elif now > self._next_tree:
            self._next_tree = now + _TREE_EVERY
            self._keep_tree_limits(tree.descendants(os.getpid()))  # ours, as orphans are given to us

    def _is_used_up(self, allowed: _Allowance, passed: float) -> bool:
        if passed < allowed.seconds:
            return False
        used = self.gauge.processor_seconds() - allowed.processor
        return used > allowed.seconds / 2 or passed > allowed.seconds * self._limits.patience

    def _keep_tree_limits(self, pids: list[int]) -> None:
        if len(pids) > self._limits.processes:
            self._end("processes")
        elif tree.resident(pids) > self._limits.memory and tree.own_share(pids) > self._limits.memory:
            self._end("memory")

    def _end(self, cause: str) -> None:
        """Have the process say where it is, then kill it."""
        self._cause = cause
        if cause == "memory":  # every millisecond counts
            self._kill()
            return
        tree.kill(self._process.pid, TRACE_SIGNAL)
        give_up = time.monotonic() + 0.1
        while not self._dump() and time.monotonic() < give_up:
            time.sleep(0.002)
        self._kill()

    def _kill(self) -> None:
        with self._lock:
            if self.ending is None:  # its number may be somebody else's by now
                tree.kill(self._process.pid)

    def _dump(self) -> str:
        return os.pread(self._process.dumps, 1 << 16, 0).decode("utf-8", "replace")

    def _read_output(self) -> bool:
        """False at its end."""
        with self._printed_lock:
            return not self._closed and drain(self._process.output, self._printed)

    def _close(self) -> None:
        self._read_output()
        self.gauge.close()
        with self._printed_lock:
            self._closed = True
            os.close(self._process.output)
        os.close(self._process.dumps)
