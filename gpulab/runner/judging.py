"""The judge process: it forks the learner's process, then loads the spec and judges, and tells the caller."""

from __future__ import annotations

import os
import pickle
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from traceback import format_exc
from typing import Any, NoReturn

from gpulab.judge.drawing import Drawing
from gpulab.judge.report import Report
from gpulab.runner import prctl
from gpulab.runner.jobs import Job
from gpulab.runner.learner import LearnerSession
from gpulab.runner.messages import Drawn, Failed, Finished, FromJudge, Stage, encode
from gpulab.runner.progress import Progress
from gpulab.runner.tampering import Snapshot
from gpulab.runner.wire import Closed, Wire


def live(line: Wire, snapshot: Snapshot, engine: str) -> NoReturn:
    """Be the judge process, from fork to end; the one job comes over `line`, with the line to its caller."""
    try:
        _settle()
        session = LearnerSession(snapshot, engine)
        prctl.hide_memory()  # only now: the learner's process would inherit it
        frame, descriptors = line.receive_with_descriptors(1)
        job: Job = pickle.loads(frame.body)
        caller = Wire(socket.socket(fileno=descriptors[0]))
        prctl.name_process("gpulab-judge")
        if not session.alive():  # it waited long: the machine may have ended it for its memory
            session = LearnerSession(snapshot, engine)
        session.begin(job)
        try:
            caller.send(_last_message(job, session, caller))
        finally:
            session.close()
    except Closed:
        pass
    finally:
        os._exit(0)


def _settle() -> None:
    os.setsid()
    prctl.die_with_parent()
    prctl.adopt_orphans()
    prctl.name_process("gpulab-spare")
    sys.dont_write_bytecode = True  # of spec.py, next to where the learner looks


def _last_message(job: Job, session: LearnerSession, caller: Wire) -> bytes:
    try:
        return encode(_judge(job, session, caller))
    except Closed:
        raise
    except Exception:  # a report that cannot be written down
        return encode(Failed(format_exc()))


def _judge(job: Job, session: LearnerSession, caller: Wire) -> FromJudge:
    """The last message: a report, or our own failure."""

    def tell(progress: Progress) -> None:
        caller.send(encode(Stage(progress.stage, progress.done, progress.of, progress.verdict)))

    start = time.perf_counter()
    try:
        judge = _find(job.judge)
        made: Report | Drawing = judge(job.puzzle, job.file.path, job.file.source, session, seed=job.seed,
                               first_failure_only=job.first_failure_only, on_progress=tell)
        if isinstance(made, Drawing):
            return Drawn(replace(made, report=_complete(made.report, job, session, time.perf_counter() - start)))
        return Finished(_complete(made, job, session, time.perf_counter() - start))
    except Closed:
        raise
    except Exception:
        return Failed(format_exc())


def _find(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def _complete(report: Report, job: Job, session: LearnerSession, seconds: float) -> Report:
    """What the judge does not know or need not care for."""
    return replace(
        report,
        output=session.output + report.output,  # of the file, and of its kernels
        source=report.source or job.file.source,
        when=report.when or datetime.now().astimezone().isoformat(timespec="seconds"),
        seconds={"total": seconds} | report.seconds,
    )
