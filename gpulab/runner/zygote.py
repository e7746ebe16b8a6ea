"""The zygote: warm, single-threaded, without learner's code; it forks a judge process for each job.

It talks to its caller over one control socket. A job comes with two descriptors: the judge's line to the caller,
and the job's own status line, which the caller closes to end the job. When the control socket closes, everything
ends. Forking costs a job 30 ms, and a GPU's context 300, so while nothing runs a spare judge waits, already forked (on
the GPU two); and before the first one is, the zygote practises, as the forks inherit what it has learned.
"""

from __future__ import annotations

import gc
import os
import pickle
import selectors
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from traceback import format_exc
from typing import NoReturn

from gpulab.runner import prctl, tree
from gpulab.runner.families import PRACTISE, SPARES, WARM, broken, engine_of, kind_of
from gpulab.runner.jobs import Job
from gpulab.runner.messages import RELEASE, Broken, Ended, Forked, FromZygote, encode
from gpulab.runner.tampering import Snapshot
from gpulab.runner.wire import Closed, Wire

_TICK = 1.0
"""Seconds between looks at the clock and at whether the parent lives: a fork of the parent may hold our socket open."""

_QUIET = 0.02
"""Seconds without work before a spare is made, so that making it delays nobody."""

_NO_MORE = object()

_RELEASED = 5.0
"""Seconds that a released job may take to end."""


@dataclass
class _Judge:
    """A judge process that waits for its job."""

    pid: int
    line: Wire


@dataclass
class _Running:
    """A judge process that has one."""

    pid: int
    status: Wire
    deadline: float
    reason: str = ""


@dataclass
class _Zygote:
    control: Wire
    parent: int
    idle: float
    family: str
    snapshot: Snapshot | None = None
    unfit: Broken | None = None
    practice: Iterator[None] = field(default_factory=lambda: iter(()))
    prepares: bool = True
    """Whether it makes ready for the next job while nothing runs."""
    spares: list[_Judge] = field(default_factory=list)
    jobs: dict[int, _Running] = field(default_factory=dict)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def serve(self) -> None:
        """Take jobs until nothing has come for long. Raises `Closed` when the caller is gone."""
        wake = _wake_on_child_death()
        self.selector.register(self.control.socket, selectors.EVENT_READ, self.take)
        self.selector.register(wake, selectors.EVENT_READ, lambda: os.read(wake, 4096))
        last_job = time.monotonic()
        while self.jobs or time.monotonic() - last_job < self.idle:
            wants_spare = self.prepares and not (self.jobs or self.unfit) and self.lacks_spares()
            ready = self.selector.select(_QUIET if wants_spare else _TICK)
            for key, _ in ready:
                key.data()
            if wants_spare and not ready and not self.practises():
                gc.freeze()
                self.spares.append(self.fork())
            self.reap()
            self.keep_time()
            if os.getppid() != self.parent:
                raise Closed
            if self.jobs:
                last_job = time.monotonic()

    def lacks_spares(self) -> bool:
        """Whether there are fewer than the family keeps."""
        return len(self.spares) < SPARES[kind_of(self.family)]

    def practises(self) -> bool:
        """Take one more step of practice; False when there is none."""
        try:
            return next(self.practice, _NO_MORE) is not _NO_MORE
        except Exception:  # no check depends on it
            return False

    def take(self) -> None:
        """Receive a job and give it to a judge. Raises `Closed`."""
        frame, descriptors = self.control.receive_with_descriptors(2)
        caller, status = descriptors
        try:
            self.start(frame.body, caller, Wire(socket.socket(fileno=status)))
        finally:
            os.close(caller)

    def start(self, body: bytes, caller: int, status: Wire) -> None:
        """Give the job to the spare judge, or to a new one."""
        if self.unfit:
            with suppress(Closed):
                status.send(encode(self.unfit))
            status.close()
            return
        judge = self.spares.pop(0) if self.spares else self.fork()
        try:
            judge.line.send_with_descriptors(body, [caller])
        except Closed:  # something killed the spare
            judge = self.fork()
            judge.line.send_with_descriptors(body, [caller])
        judge.line.close()
        job: Job = pickle.loads(body)
        running = self.jobs[judge.pid] = _Running(judge.pid, status, time.monotonic() + job.limits.job)
        self.selector.register(status.socket, selectors.EVENT_READ, lambda: self.hear(running))
        self.tell(running, Forked(judge.pid))

    def fork(self) -> _Judge:
        """A new judge process, which waits for its job."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if not pid:
            ours.close()
            self.become_judge(Wire(theirs))
        theirs.close()
        return _Judge(pid, Wire(ours))

    def become_judge(self, line: Wire) -> NoReturn:
        """In the forked process: leave all of the zygote behind."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.selector.close()
            for other in (self.control, *(running.status for running in self.jobs.values())):
                other.close()
            from gpulab.runner.judging import live

            assert self.snapshot
            live(line, self.snapshot, engine_of(self.family))
        finally:
            os._exit(1)

    def hear(self, running: _Running) -> None:
        """The caller has its report, or wants none."""
        self.selector.unregister(running.status.socket)
        try:
            released = running.status.receive_exactly(1) == RELEASE
        except Closed:
            released = False
        if released:
            running.deadline = time.monotonic() + _RELEASED
        else:
            self.end(running, "")

    def reap(self) -> None:
        """Bury judges that have ended, and what they left."""
        ended = tree.reap() or {}
        while ended:
            pid, status = ended.popitem()
            for spare in [spare for spare in self.spares if spare.pid == pid]:
                spare.line.close()
                self.spares.remove(spare)
            running = self.jobs.pop(pid, None)
            code = os.waitstatus_to_exitcode(status)
            if code:
                ended |= tree.end_descendants(keep=self.judges())  # which reaps every child that ends meanwhile
            if running:
                self.bury(running, code)

    def bury(self, running: _Running, code: int) -> None:
        """The job is over, and nothing is left of it: tell."""
        self.tell(running, Ended(code, running.reason))
        with suppress(KeyError):
            self.selector.unregister(running.status.socket)
        running.status.close()

    def judges(self) -> list[int]:
        """All judge processes there are."""
        return [*self.jobs, *(spare.pid for spare in self.spares)]

    def keep_time(self) -> None:
        """End jobs whose time is up."""
        for running in self.jobs.values():
            if time.monotonic() > running.deadline:
                self.end(running, "time")

    def end(self, running: _Running, reason: str) -> None:
        """Kill a judge; its learner's process dies with it, and what else there is when it is buried."""
        running.reason = running.reason or reason
        running.deadline = float("inf")
        tree.kill(running.pid)

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


def main(family: str, descriptor: int, parent: int, idle: float, prepares: bool) -> NoReturn:
    """Warm up and serve. `descriptor` is the control socket, `parent` the process that started this one.

    It ends after `idle` seconds without a job; with `prepares` it makes ready for the next one meanwhile.
    """
    zygote = _Zygote(Wire(socket.socket(fileno=descriptor)), parent, idle, family, prepares=prepares)
    prctl.adopt_orphans()
    prctl.name_process("gpulab-zygote")
    try:
        WARM[kind_of(family)]()
        _assert_one_thread()
        zygote.practice = PRACTISE[kind_of(family)]()
        zygote.snapshot = Snapshot()
        gc.freeze()  # the collector would write to every page, and forks would copy them
        gc.enable()
    except Exception as error:
        zygote.unfit = broken(error, format_exc())
    try:
        zygote.serve()
    except Closed:
        pass
    finally:
        tree.end_descendants()
        os._exit(0)
