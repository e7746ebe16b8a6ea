"""The learner's file in a process of its own, as the judge sees it."""

from __future__ import annotations

import fcntl
import os
import pickle
import secrets
import socket
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from traceback import format_exc
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from gpulab.judge.memory import Placed
from gpulab.judge.session import CaseRun, HostRecord, Loaded, Problem
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
from gpulab.runner.tampering import Snapshot
from gpulab.runner.watch import LearnerProcess, Watch
from gpulab.runner.wire import Closed, Frame, Garbled, Wire
from gpulab.trace.values import Element

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch
    from gpulab.runner.jobs import Job

A = TypeVar("A", LoadAnswer, RunAnswer)

_PIPE_SIZE = 1 << 20
"""Bytes that a flood of prints can run ahead of us: fewer turns between the two processes."""


class _Stopped(Exception):
    """There will be no answer: `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class LearnerSession:
    """A `gpulab.judge.session.Learner`. Nothing that the learner's code does raises here or ends this process."""

    _job: Job
    _watch: Watch

    def __init__(self, snapshot: Snapshot) -> None:
        """Fork the learner's process. This process must have one thread, and nothing in memory that it may not see."""
        self._token = secrets.token_bytes(16)
        self._number = 0
        self._stands: Problem | None = None
        self._loading = 0.0
        self._process = _fork(snapshot, self._token)

    def alive(self) -> bool:
        """Whether the process is still there; to be asked before `begin`."""
        return not tree.reap()

    def begin(self, job: Job) -> None:
        """Say which file it is about, and watch the process from now on."""
        self._job = job
        self._watch = Watch(self._process, job.limits)
        self._watch.start()
        with suppress(Closed):  # the first request will say why
            self._process.wire.send(pickle.dumps(job))

    def load(self) -> Loaded:
        """Import the file."""
        self._number += 1
        try:
            answer, _ = self._ask(LoadRequest(self._number), [], LoadAnswer, self._job.limits.load, "loading your file")
        except _Stopped as stopped:
            return Loaded(problem=stopped.problem)
        self._loading = tree.processor_seconds(self._process.pid)
        return Loaded(answer.functions, self._stands or answer.problem, answer.seconds)

    def run(
        self,
        function: str,
        arguments: Mapping[str, Placed | Any],
        launch: Launch | None,
        *,
        findings: bool = True,
        counters: bool = True,
        values: bool | Collection[Element] = False,
        order: int | None = None,
        time_limit: float | None = None,
    ) -> CaseRun:
        """Call `function` with `arguments` in this order: arrays as `Placed`, all else scalars."""
        self._number += 1
        limit = self._job.limits.case if time_limit is None else time_limit
        total = max(self._job.limits.cases, limit)
        left = total - (tree.processor_seconds(self._process.pid) - self._loading)
        if left <= 0:
            return CaseRun(problem=_all_spent(total))
        request = RunRequest(self._number, function, {name: _layout(value) for name, value in arguments.items()},
                             launch, Options(findings, counters, values, order, limit))
        placed = {name: value for name, value in arguments.items() if isinstance(value, Placed)}
        memory = [value.memory.data for value in placed.values()]
        try:
            answer, frame = self._ask(request, memory, RunAnswer, min(limit, left), f"running {function}")
            arrays = placed | _changed(placed, answer.changed, frame.payload)
        except _Stopped as stopped:
            in_all = left < limit and stopped.problem.kind == "timed out"
            return CaseRun(problem=_all_spent(total, stopped.problem) if in_all else stopped.problem)
        record = HostRecord(**vars(answer.record))
        return CaseRun(arrays, record.runs, self._stands or answer.problem, answer.seconds,
                       None if launch else record)

    @property
    def output(self) -> str:
        """What the learner's code has printed so far, cut at the output limit."""
        return self._watch.output()

    def close(self) -> None:
        """End the process and all that it started, and wait for that."""
        self._watch.finish()
        self._process.wire.close()

    def _ask(self, request: LoadRequest | RunRequest, memory: list[memoryview], kind: type[A], seconds: float,
             doing: str) -> tuple[A, Frame]:
        """The answer to `request` and the frame it came in. Raises `_Stopped`."""
        self._watch.allow(seconds + self._job.limits.grace)
        try:
            self._process.wire.send(pickle.dumps(request), *memory)
            while True:
                frame = self._process.wire.receive()
                answer = decode_answer(frame.body)
                if answer.token != self._token:
                    raise Garbled
                if isinstance(answer, kind) and answer.number == request.number:
                    return answer, frame
                if isinstance(answer, Aside):
                    self._stands = self._stands or answer.problem
        except Closed:
            raise _Stopped(self._stands or self._ending(doing, seconds)) from None
        except Garbled:
            raise _Stopped(_nonsense()) from None
        except msgspec.MsgspecError:
            message = "The engine's answer was not understood."
            raise _Stopped(Problem("environment", message, traceback=format_exc())) from None
        finally:
            self._watch.allow(None)

    def _ending(self, doing: str, seconds: float) -> Problem:
        file = self._job.file
        return describe(self._watch.gone(), doing, seconds, self._job.limits, str(file.path), file.source)


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


def _fork(snapshot: Snapshot, token: bytes) -> LearnerProcess:
    """Fork the learner's process; the handles on it."""
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with suppress(AttributeError, OSError):  # Linux only, and refused when a user's pipes are many
        fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
    dumps = _open_unnamed_file()
    pid = os.fork()
    if not pid:
        live(Ends(Wire(theirs), writing, dumps, token), snapshot)
    theirs.close()
    os.close(writing)
    return LearnerProcess(pid, Wire(ours), reading, dumps)


def _open_unnamed_file() -> int:
    if hasattr(os, "memfd_create"):  # needs no disk, which may be full
        return os.memfd_create("gpulab-dumps")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
