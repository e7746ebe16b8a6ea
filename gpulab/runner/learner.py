"""The learner's file in a process of its own, as the judge sees it."""

from __future__ import annotations

import fcntl
import os
import pickle
import secrets
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from traceback import format_exc
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import msgspec
import numpy as np

from gpulab.judge.memory import Placed
from gpulab.judge.session import CaseRun, Done, HostRecord, Loaded, Problem, Started
from gpulab.runner import tree
from gpulab.runner.answers import (
    Aside,
    Layout,
    LoadAnswer,
    LoadRequest,
    Options,
    RunAnswer,
    RunRequest,
    decode_answer,
)
from gpulab.runner.endings import describe
from gpulab.runner.inside import Ends, live
from gpulab.runner.jobs import ENGINE
from gpulab.runner.tampering import Snapshot
from gpulab.runner.watch import LearnerProcess, Watch
from gpulab.runner.wire import Closed, Frame, Garbled, Wire

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch
    from gpulab.runner.jobs import Job
    from gpulab.timing.model import Plan

A = TypeVar("A", LoadAnswer, RunAnswer)

_PIPE_SIZE = 1 << 20
"""Bytes that a flood of prints can run ahead of us: fewer turns between the two processes."""


class _Stopped(Exception):
    """There will be no answer: `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class _Asked(Generic[A]):
    """A request and, once it came, its answer; or the problem for which there will be none."""

    def __init__(self, request: LoadRequest | RunRequest, memory: list[memoryview], kind: type[A], seconds: float,
                 doing: str) -> None:
        self.request = request
        self.kind: type[A] = kind
        self.seconds = seconds
        self.doing = doing
        self.body = pickle.dumps(request)
        self.memory = memory
        self.size = len(self.body) + sum(part.nbytes for part in memory)
        self.sent = False
        self.outcome: tuple[A, Frame] | Problem | None = None


class LearnerSession:
    """A `gpulab.judge.session.Learner`. Nothing that the learner's code does raises here or ends this process.

    Requests are answered in their order. The next one is sent while the process still works on the one before where
    it fits into the socket's buffer, so that neither side waits for the other, nor both at once.
    """

    _job: Job
    _watch: Watch
    _loading: _Asked[LoadAnswer]

    def __init__(self, snapshot: Snapshot, engine: str = ENGINE) -> None:
        """Fork the learner's process. This process must have one thread, and nothing in memory that it may not see."""
        self._token = secrets.token_bytes(16)
        self._number = 0
        self._stands: Problem | None = None
        self._processor = 0.0
        self._asked: deque[_Asked[Any]] = deque()
        self._process = _fork(snapshot, self._token, engine)
        self._room = self._process.wire.socket.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) // 2

    def alive(self) -> bool:
        """Whether the process is still there; to be asked before `begin`."""
        return not tree.reap()

    def begin(self, job: Job) -> None:
        """Say which file it is about, have it imported, and watch the process from now on."""
        self._job = job
        self._watch = Watch(self._process, job.limits)
        self._watch.start()
        with suppress(Closed):  # the first answer will say why
            self._process.wire.send(pickle.dumps(job))
        self._number += 1
        self._loading = self._ask(LoadRequest(self._number), [], LoadAnswer, job.limits.load, "loading your file")

    def load(self) -> Loaded:
        """What came of importing the file."""
        try:
            answer, _ = self._wait(self._loading)
        except _Stopped as stopped:
            return Loaded(problem=stopped.problem)
        self._processor = self._watch.gauge.processor_seconds()
        return Loaded(answer.functions, self._stands or answer.problem, answer.seconds, answer.answer,
                      answer.device)

    def run(self, function: str, arguments: Mapping[str, Placed | Any], launch: Launch | None, *,
            time_limit: float | None = None, **options: Any) -> CaseRun:
        """Call `function` with `arguments` in this order: arrays as `Placed`, all else scalars."""
        return self.start(function, arguments, launch, time_limit=time_limit, **options).result()

    def start(self, function: str, arguments: Mapping[str, Placed | Any], launch: Launch | None, *,
              time_limit: float | None = None, plan: Plan | None = None, **options: Any) -> Started:
        """Have `run` begun, after all that was asked for before; with a `plan`, timed."""
        self._number += 1
        limit = self._job.limits.case if time_limit is None else time_limit
        total = max(self._job.limits.cases, limit)
        left = total - (self._watch.gauge.processor_seconds() - self._processor)
        if left <= 0:
            return Done(CaseRun(problem=_all_spent(total)))
        layouts = {name: _layout(value) for name, value in arguments.items()}
        request = RunRequest(self._number, function, layouts, launch, Options(**options, time_limit=limit), plan)
        placed = {name: value for name, value in arguments.items() if isinstance(value, Placed)}
        memory = [value.memory.data for value in placed.values()]
        asked = self._ask(request, memory, RunAnswer, min(limit, left), f"running {function}")
        return _Run(lambda: self._ran(asked, placed, total if left < limit else None))

    def _ran(self, asked: _Asked[RunAnswer], placed: Mapping[str, Placed], total: float | None) -> CaseRun:
        """`total` is the limit of all cases together where it was the nearer one."""
        try:
            answer, frame = self._wait(asked)
            arrays = dict(placed) | _changed(placed, answer.changed, frame.payload)
        except _Stopped as stopped:
            spent = total is not None and stopped.problem.kind == "timed out"
            return CaseRun(problem=_all_spent(total or 0, stopped.problem) if spent else stopped.problem)
        record = HostRecord(**vars(answer.record))
        return CaseRun(arrays, record.runs, self._stands or answer.problem, answer.seconds,
                       record if cast("RunRequest", asked.request).launch is None else None, answer.measured)

    @property
    def output(self) -> str:
        """What the learner's code has printed so far, cut at the output limit."""
        return self._watch.output()

    def close(self) -> None:
        """End the process and all that it started, and wait for that."""
        self._watch.finish()
        self._process.wire.close()

    def _ask(self, request: LoadRequest | RunRequest, memory: list[memoryview], kind: type[A], seconds: float,
             doing: str) -> _Asked[A]:
        asked = _Asked(request, memory, kind, seconds, doing)
        self._asked.append(asked)
        self._send()
        return asked

    def _send(self) -> None:
        """Send what nobody has to wait for, and allow the time that it may take."""
        room = self._room
        for asked in self._asked:
            if not asked.sent and (asked is self._asked[0] or asked.size < room):
                asked.sent = True
                with suppress(Closed):  # waiting for the answer will say why
                    self._process.wire.send(asked.body, *asked.memory)
            if not asked.sent:
                break
            room -= asked.size
        under_way = [asked.seconds for asked in self._asked if asked.sent]
        self._watch.allow(sum(under_way) + self._job.limits.grace if under_way else None)

    def _wait(self, asked: _Asked[A]) -> tuple[A, Frame]:
        """The answer and the frame it came in. Raises `_Stopped`."""
        while asked.outcome is None:
            self._asked[0].outcome = self._outcome(self._asked[0])
            self._asked.popleft()
            self._send()
        if isinstance(asked.outcome, Problem):
            raise _Stopped(asked.outcome)
        return asked.outcome

    def _outcome(self, asked: _Asked[A]) -> tuple[A, Frame] | Problem:
        try:
            while True:
                frame = self._process.wire.receive()
                answer = decode_answer(frame.body)
                if answer.token != self._token:
                    return _nonsense()
                if isinstance(answer, asked.kind) and answer.number == asked.request.number:
                    return answer, frame
                if isinstance(answer, Aside):
                    self._stands = self._stands or answer.problem
        except Closed:
            return self._stands or self._ending(asked.doing, asked.seconds)
        except Garbled:
            return _nonsense()
        except msgspec.MsgspecError:
            message = "The engine's answer was not understood."
            return Problem("environment", message, traceback=format_exc())

    def _ending(self, doing: str, seconds: float) -> Problem:
        file = self._job.file
        return describe(self._watch.gone(), doing, seconds, self._job.limits, str(file.path), file.source)


@dataclass(frozen=True)
class _Run:
    """A `gpulab.judge.session.Started`."""

    result: Callable[[], CaseRun]


def _all_spent(seconds: float, at: Problem | None = None) -> Problem:
    """No time is left for another run; `at` is where the last one was."""
    message = f"Time ran out: all cases together took more than {seconds:g} s of processor time."
    return Problem("timed out", message, at.line if at else None, at.traceback if at else "", of_all_cases=True)


def _nonsense() -> Problem:
    return Problem("not allowed", "Your code wrote into the line between its own process and the judge.")


def _layout(value: Placed | Any) -> Any:
    if not isinstance(value, Placed):
        return value
    return Layout(value.memory.nbytes, value.shape, value.dtype, value.strides, value.offset)


def _changed(placed: Mapping[str, Placed], names: list[str], payload: memoryview) -> dict[str, Placed]:
    """The arrays that came back, laid out as they were sent. Raises `_Stopped` if the bytes do not fit."""
    arrays = {}
    start = 0
    for name in names:
        sent = placed.get(name)
        if sent is None or start + sent.memory.nbytes > len(payload):
            raise _Stopped(_nonsense())
        memory = np.frombuffer(payload[start:start + sent.memory.nbytes], np.uint8)
        arrays[name] = replace(sent, memory=memory)
        start += sent.memory.nbytes
    return arrays


def _fork(snapshot: Snapshot, token: bytes, engine: str) -> LearnerProcess:
    """Fork the learner's process; the handles on it."""
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with suppress(AttributeError, OSError):  # Linux only, and refused when a user's pipes are many
        fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
    dumps = _open_unnamed_file()
    pid = os.fork()
    if not pid:
        live(Ends(Wire(theirs), writing, dumps, token), snapshot, engine)
    theirs.close()
    os.close(writing)
    return LearnerProcess(pid, Wire(ours), reading, dumps)


def _open_unnamed_file() -> int:
    if hasattr(os, "memfd_create"):  # needs no disk, which may be full
        return os.memfd_create("gpulab-dumps")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
