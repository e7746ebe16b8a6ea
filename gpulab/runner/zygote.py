"""The zygote: warm, single-threaded, without learner's code; it forks a judge process for each job.

It talks to its caller over one control socket. A job comes with two descriptors: the judge's line to the caller,
and the job's own status line, which the caller closes to end the job. When the control socket closes, everything
ends.
"""

from __future__ import annotations

import gc
import os
import pickle
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from traceback import format_exc
from typing import NoReturn

from gpulab.runner import prctl, tree
from gpulab.runner.families import WARM, broken
from gpulab.runner.jobs import Job
from gpulab.runner.messages import Broken, Ended, Forked, FromZygote, encode
from gpulab.runner.tampering import Snapshot
from gpulab.runner.wire import HEADER_SIZE, Closed, Wire, parse_header

IDLE = 600.0
"""Seconds without a job after which a zygote ends."""

_TICK = 1.0
"""Seconds between looks at the clock and at whether the parent lives: a fork of the parent may hold our socket open."""


@dataclass
class _Running:
    """A job that has a judge process."""

    pid: int
    status: Wire
    deadline: float
    reason: str = ""


@dataclass
class _Zygote:
    control: Wire
    parent: int
    idle: float
    snapshot: Snapshot | None = None
    unfit: Broken | None = None
    jobs: dict[int, _Running] = field(default_factory=dict)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def serve(self) -> None:
        """Take jobs until the caller is gone, or nothing has come for long."""
        wake = _wake_on_child_death()
        self.selector.register(self.control.socket, selectors.EVENT_READ)
        self.selector.register(wake, selectors.EVENT_READ)
        last_job = time.monotonic()
        while self.jobs or time.monotonic() - last_job < self.idle:
            for key, _ in self.selector.select(_TICK):
                if key.fileobj is self.control.socket:
                    self.take()
                elif key.fileobj == wake:
                    os.read(wake, 4096)
                else:
                    self.end(key.data, "")
            self.reap()
            self.keep_time()
            if os.getppid() != self.parent:
                raise Closed
            if self.jobs:
                last_job = time.monotonic()

    def take(self) -> None:
        """Receive a job and start it. Raises `Closed`."""
        header, descriptors, _, _ = socket.recv_fds(self.control.socket, HEADER_SIZE, 2)
        if not header:
            raise Closed
        if len(header) < HEADER_SIZE:
            header += bytes(self.control.receive_exactly(HEADER_SIZE - len(header)))
        size, _ = parse_header(header)
        job: Job = pickle.loads(self.control.receive_exactly(size))
        caller, status = (Wire(socket.socket(fileno=descriptor)) for descriptor in descriptors)
        with suppress(Closed):
            self.start(job, caller, status)
        caller.close()

    def start(self, job: Job, caller: Wire, status: Wire) -> None:
        """Fork the judge process. Raises `Closed` if nobody waits for it any more."""
        if self.unfit:
            status.send(encode(self.unfit))
            status.close()
            raise Closed
        pid = os.fork()
        if not pid:
            self.become_judge(job, caller)
        self.jobs[pid] = running = _Running(pid, status, time.monotonic() + job.limits.job)
        self.selector.register(status.socket, selectors.EVENT_READ, running)
        self.tell(running, Forked(pid))

    def become_judge(self, job: Job, caller: Wire) -> NoReturn:
        """In the forked process: leave all of the zygote behind."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.selector.close()
            for other in (self.control, *(running.status for running in self.jobs.values())):
                other.close()
            from gpulab.runner.judging import live

            assert self.snapshot
            live(job, caller, self.snapshot)
        finally:
            os._exit(1)

    def reap(self) -> None:
        """Bury judges that have ended, end what they left, and tell."""
        for pid, status in (tree.reap() or {}).items():
            running = self.jobs.get(pid)
            if running is None:
                continue
            code = os.waitstatus_to_exitcode(status)
            if code:
                tree.end_descendants(keep=self.jobs.keys() - {pid})
            self.forget(running, Ended(code, running.reason))

    def keep_time(self) -> None:
        """End jobs whose time is up."""
        for running in self.jobs.values():
            if time.monotonic() > running.deadline:
                self.end(running, "time")

    def end(self, running: _Running, reason: str) -> None:
        """Kill a judge; its learner's process dies with it, and what else there is when it is buried."""
        running.reason = running.reason or reason
        running.deadline = float("inf")
        with suppress(KeyError):
            self.selector.unregister(running.status.socket)
        tree.kill(running.pid)

    def forget(self, running: _Running, message: FromZygote) -> None:
        """The job is over."""
        with suppress(KeyError):
            self.selector.unregister(running.status.socket)
        self.tell(running, message)
        running.status.close()
        del self.jobs[running.pid]

    def tell(self, running: _Running, message: FromZygote) -> None:
        """Tell a caller who may be gone."""
        with suppress(Closed):
            running.status.send(encode(message))


def _wake_on_child_death() -> int:
    """A descriptor that becomes readable when a child ends."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _assert_one_thread() -> None:
    """A thread would not survive a fork, but the locks it holds would."""
    import psutil

    count = psutil.Process().num_threads()
    assert count == 1, f"the zygote has {count} threads: set OPENBLAS_NUM_THREADS=OMP_NUM_THREADS=1"


def main(family: str, descriptor: int, parent: int, idle: float = IDLE) -> None:
    """Warm up and serve. `descriptor` is the control socket, `parent` the process that started this one."""
    zygote = _Zygote(Wire(socket.socket(fileno=descriptor)), parent, idle)
    prctl.adopt_orphans()
    try:
        WARM[family]()
        _assert_one_thread()
        zygote.snapshot = Snapshot()
        gc.collect()
        gc.freeze()  # the collector would write to every page, and forks would copy them
    except Exception as error:
        zygote.unfit = broken(error, format_exc())
    try:
        zygote.serve()
    except Closed:
        pass
    finally:
        tree.end_descendants()
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
