"""How much one job may take, and how much memory this machine can spare for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

KB = 1 << 10
MB = 1 << 20
GB = 1 << 30


@dataclass(frozen=True)
class Limits:
    """Limits on one job. Sizes are in bytes, times in seconds.

    `load` and `case` are over when so much time has passed and the process has used half of it: on a busy machine, or
    one that reads torch from a slow disk, an honest file gets up to `patience` times as long.
    """

    job: float = 120.0
    """The whole job by the clock, the judge's own work included."""
    load: float = 10.0
    """Importing the learner's file (importing torch takes two seconds)."""
    case: float = 10.0
    """One run of one case, where the puzzle says nothing."""
    cases: float = 20.0
    """All runs of all cases together, in processor time of the learner's process; one case may always have its own."""
    patience: float = 3.0
    grace: float = 1.0
    """What a run gets beyond its limit, so that the engine, which knows the line, may say it first."""
    output_kept: int = 64 * KB
    """Printed bytes that are kept; more is read and dropped."""
    output_most: int = 256 * MB
    """Printed bytes at which the job is ended."""
    memory: int = 4 * GB
    """Resident memory of the learner's process and all its descendants."""
    processes: int = 64
    """The learner's process and all its descendants."""


def default_limits() -> Limits:
    """The limits for this machine: memory is 4 GB, less where machine or container have less."""
    return Limits(memory=min(Limits.memory, *(int(size * 0.8) for size in _memory_sizes())))


def _memory_sizes() -> Iterator[int]:
    """What the machine has, and what each cgroup above this process allows, in bytes."""
    import psutil

    yield psutil.virtual_memory().total
    yield from cgroup_limits(Path("/sys/fs/cgroup"), Path("/proc/self/cgroup"))


def cgroup_limits(root: Path, membership: Path) -> Iterator[int]:
    """The memory limits in bytes that cgroups set; `membership` tells the groups of this process (cgroups(7))."""
    for file in _cgroup_files(root, membership):
        try:
            text = file.read_text().strip()
        except OSError:
            continue
        if text.isdigit():  # cgroup v2 writes "max" for none, v1 a number near 2**63
            yield int(text)


def _cgroup_files(root: Path, membership: Path) -> Iterator[Path]:
    """Where cgroup v2 and v1 keep a memory limit; inside a container the group's own path may not exist."""
    yield root / "memory.max"
    yield root / "memory" / "memory.limit_in_bytes"
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if not controllers:
            yield root / group.lstrip("/") / "memory.max"
        elif "memory" in controllers.split(","):
            yield root / "memory" / group.lstrip("/") / "memory.limit_in_bytes"
