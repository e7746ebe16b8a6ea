"""One check from the caller's side: submit the job, pass on progress, see that nothing is left of it."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

import msgspec

from gpulab.runner import mishaps
from gpulab.runner.jobs import Job
from gpulab.runner.messages import (
    RELEASE,
    Broken,
    Drawn,
    Ended,
    Failed,
    Finished,
    Forked,
    Stage,
    read_from_judge,
    read_from_zygote,
)
from gpulab.runner.pool import Lines, Pool, Zygote, ZygoteGone
from gpulab.runner.progress import Cancelled, Progress
from gpulab.runner.wire import Closed, Garbled

if TYPE_CHECKING:
    from gpulab.judge.drawing import Drawing
    from gpulab.judge.report import Report

_LOOK = 0.015
"""Seconds between looks at `cancel`."""

_START = 120.0
"""Seconds beyond the job's own limit after which a silent zygote is given up: a cold start may be from a slow disk."""

_PATIENCE = 5.0
"""Seconds that a job may take to end after it was told to."""


class Conversation:
    """A job's way through a zygote, as the caller's thread sees it. Used once."""

    def __init__(self, pool: Pool, job: Job, on_progress: Callable[[Progress], None], cancel: Event) -> None:
        self._pool = pool
        self._job = job
        self._on_progress = on_progress
        self._cancel = cancel
        self._forked = False
        self._last: Finished | Drawn | Failed | None = None
        self._over: Ended | Broken | None = None

    def run(self) -> Report:
        """The report. Raises `Cancelled`."""
        start = time.perf_counter()
        report = self._run()
        return replace(report, seconds=report.seconds | {"total": time.perf_counter() - start})

    @property
    def drawing(self) -> Drawing | None:
        """Of a job that draws, when it is done: what it drew."""
        return self._last.drawing if isinstance(self._last, Drawn) else None

    def _run(self) -> Report:
        for last_attempt in (False, True):
            try:
                zygote = self._pool.get(self._job.family)
            except OSError as error:
                return mishaps.no_worker(self._job, error)
            if not zygote.ready:
                self._on_progress(Progress("starting"))
            with suppress(ZygoteGone):
                self._converse(zygote, zygote.submit(self._job))
            report = self._conclude(zygote)
            if report:
                return report
            if zygote.dismissed:
                raise Cancelled
            if self._forked or last_attempt:
                break
            self._pool.drop(zygote)  # it ended, perhaps idle, before it took the job
        return self._mourn(zygote)

    def _converse(self, zygote: Zygote, lines: Lines) -> None:
        """Listen until the job is over or the zygote gone. Raises `Cancelled`."""
        try:
            with selectors.DefaultSelector() as selector:
                selector.register(lines.judge.socket, selectors.EVENT_READ, lambda: self._hear_judge(zygote, lines))
                selector.register(lines.status.socket, selectors.EVENT_READ, lambda: self._hear_zygote(zygote, lines))
                deadline = time.monotonic() + self._job.limits.job + _START
                while self._over is None and self._last is None and time.monotonic() < deadline:
                    for key, _ in selector.select(_LOOK):
                        if not key.data():
                            selector.unregister(key.fileobj)
                    if lines.status.socket not in selector.get_map():
                        break
                    if self._cancel.is_set():
                        raise Cancelled
            while self._last is None and self._hear_judge(zygote, lines):
                pass  # the report may lie behind the news that its judge has ended
            with suppress(OSError):
                lines.status.socket.sendall(RELEASE)
        except BaseException:
            self._end(zygote, lines)
            raise
        finally:
            lines.close()

    def _hear_judge(self, zygote: Zygote, lines: Lines) -> bool:
        """Take one message of the judge; False when there will be no more."""
        try:
            message = read_from_judge(lines.judge.receive().body)
        except (Closed, Garbled, msgspec.MsgspecError):
            return False
        self._forked = zygote.ready = True
        if isinstance(message, Stage):
            self._on_progress(Progress(message.stage, message.done, message.of, message.verdict))
        else:
            self._last = message
        return True

    def _hear_zygote(self, zygote: Zygote, lines: Lines) -> bool:
        """Take one message of the zygote; False when there will be no more."""
        try:
            message = read_from_zygote(lines.status.receive().body)
        except (Closed, Garbled, msgspec.MsgspecError):
            return False
        if isinstance(message, Forked):
            self._forked = zygote.ready = True
        else:
            self._over = message
        return True

    def _end(self, zygote: Zygote, lines: Lines) -> None:
        """Have the zygote end the job, and wait until it has."""
        with suppress(OSError):
            lines.status.socket.shutdown(socket.SHUT_WR)
        if not self._forked:  # it still warms up; the job will end before it begins
            return
        lines.status.socket.settimeout(_PATIENCE)
        while self._over is None and self._hear_zygote(zygote, lines):
            pass

    def _conclude(self, zygote: Zygote) -> Report | None:
        if isinstance(self._last, Finished):
            return self._last.report
        if isinstance(self._last, Drawn):
            return self._last.drawing.report
        if isinstance(self._last, Failed):
            return mishaps.failed_judge(self._job, self._last.traceback)
        if isinstance(self._over, Broken):
            self._pool.drop(zygote)  # so that the next check sees what has been mended meanwhile
            return mishaps.unfit_machine(self._job, self._over)
        return mishaps.dead_judge(self._job, self._over) if self._over else None

    def _mourn(self, zygote: Zygote) -> Report:
        """The zygote is gone, and nobody meant it to be."""
        last_words = zygote.last_words()
        self._pool.drop(zygote)
        zygote.end_leftovers()
        return mishaps.dead_zygote(self._job, zygote.process.returncode, last_words)
