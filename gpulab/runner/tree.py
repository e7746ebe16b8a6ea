"""A process and everything it started: found, measured and ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Collection, Iterable

import psutil

from gpulab.runner.mark import MARK

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")

_PATIENCE = 5.0
"""Seconds in which a killed process must be gone; one stuck in the kernel is left to it."""


def descendants(pid: int) -> list[int]:
    """All living descendants of `pid`. A scan of all processes: 6 ms for a hundred."""
    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return []


class Gauge:
    """Memory and processor time of one process, read many times. On Linux a look costs 5 us, by psutil 200."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._statm, self._stat = _opened(f"/proc/{pid}/statm"), _opened(f"/proc/{pid}/stat")

    def resident(self) -> int:
        """Resident memory in bytes; 0 when the process is gone."""
        if self._statm < 0:
            return resident([self._pid])
        try:
            return int(os.pread(self._statm, 128, 0).split()[1]) * _PAGE
        except (OSError, IndexError):
            return 0

    def processor_seconds(self) -> float:
        """Processor time that it and those of its children that have ended have used; 0 when it is gone."""
        if self._stat < 0:
            return processor_seconds(self._pid)
        try:
            fields = os.pread(self._stat, 1024, 0).rpartition(b")")[2].split()  # the name may hold anything
            return sum(map(int, fields[11:15])) / _TICKS  # utime, stime, cutime, cstime (proc(5))
        except (OSError, ValueError):
            return 0.0

    def close(self) -> None:
        """Let go of the process."""
        for descriptor in (self._statm, self._stat):
            if descriptor >= 0:
                os.close(descriptor)
        self._statm = self._stat = -1


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return -1


def resident(pids: Iterable[int]) -> int:
    """Resident memory of these processes together in bytes; a page that forks share counts for each."""
    return sum(_memory(pid, "rss") for pid in pids)


def own_share(pids: Iterable[int]) -> int:
    """The same with shared pages divided among those who share them: exact, and some 10 times slower."""
    return sum(_memory(pid, "pss") for pid in pids)


def _memory(pid: int, kind: str) -> int:
    try:
        process = psutil.Process(pid)
        memory = process.memory_info() if kind == "rss" else process.memory_full_info()
        return int(getattr(memory, kind, memory.rss))
    except psutil.Error:
        return 0


def processor_seconds(pid: int) -> float:
    """Processor time that a process and those of its children that have ended have used."""
    try:
        return float(sum(psutil.Process(pid).cpu_times()[:4]))
    except psutil.Error:
        return 0.0


def kill(pid: int, number: int = signal.SIGKILL) -> bool:
    """Send a signal; False if there is no such process (any more)."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def reap() -> dict[int, int] | None:
    """Wait-status of each child that has ended, by pid; None when there are no children at all."""
    ended: dict[int, int] = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended or None
        if not pid:
            return ended
        ended[pid] = status


def end_descendants(keep: Collection[int] = ()) -> dict[int, int]:
    """Kill all descendants of this process but `keep` and theirs; the statuses of those reaped.

    For a process that adopts orphans. A fork that slips through becomes our child when its parent dies, so it is
    found in the next round.
    """
    statuses: dict[int, int] = {}
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        ended = reap()
        statuses |= ended or {}
        strangers = [] if ended is None else _strangers(keep)
        if not strangers:
            break
        for number in (signal.SIGSTOP, signal.SIGKILL):  # stopped first, as one that forks on outruns killing
            for pid in strangers:
                kill(pid, number)
        time.sleep(0.001)
    return statuses


def _strangers(keep: Collection[int]) -> list[int]:
    """Found from the top: what a kept child forks in this moment is never taken for a stranger."""
    children = [child.pid for child in psutil.Process().children() if child.pid not in keep]
    return children + [pid for child in children for pid in descendants(child)]


def end_marked(mark: str) -> None:
    """Kill every process whose environment carries `MARK=mark`: what is left when a zygote was killed."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        marked = [process for process in psutil.process_iter() if _carries(process, mark)]
        if not marked:
            return
        for process in marked:
            kill(process.pid)
        psutil.wait_procs(marked, timeout=0.1)


def _carries(process: psutil.Process, mark: str) -> bool:
    try:
        return process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False
