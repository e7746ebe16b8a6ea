"""Cores, memory and processes: what the machine has, and what control groups leave of it (cgroups(7))."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterator
from dataclasses import dataclass

from gpulab.doctor.machine import Machine

CGROUPS = "/sys/fs/cgroup"
V1_UNLIMITED = 1 << 60
"""cgroup v1 writes a number near 2**63 for no limit."""


@dataclass(frozen=True)
class Limits:
    """What this process may use."""

    cores: int
    """Of the machine."""
    cores_allowed: float
    """By cpuset and quota; at most `cores`."""
    memory: int | None
    """Bytes of the machine; None where nothing tells."""
    memory_allowed: int | None
    """Bytes; at most `memory`."""
    memory_free: int | None
    """Bytes that programs can still have."""
    processes_allowed: int | None
    """Of this container or user; None for no limit."""
    processes: int | None
    """Running under that limit now; None where nothing tells."""


def find_limits(machine: Machine) -> Limits:
    """Read them all; nothing is tried."""
    cores = _cores(machine)
    memory = _kilobytes(machine, "MemTotal")
    group = min((size for size in _memory_limits(machine)), default=None)
    allowed = min((size for size in (memory, group) if size is not None), default=None)
    processes, running = _processes(machine)
    return Limits(cores, min([float(cores), *_quotas(machine), *_pinned(machine)]), memory, allowed,
                  _free(machine, group), processes, running)


def _cores(machine: Machine) -> int:
    """Of the machine, not of this process: `0-31,64-95` (cputopology)."""
    text = machine.text("/sys/devices/system/cpu/online") or ""
    spans = [(int(first), int(last or first)) for first, last in re.findall(r"(\d+)(?:-(\d+))?", text)]
    return sum(last - first + 1 for first, last in spans) or os.cpu_count() or 1


def _pinned(machine: Machine) -> Iterator[float]:
    """The cores that this process is pinned to (proc(5), Cpus_allowed_list)."""
    found = re.search(r"Cpus_allowed_list:\s*([\d,-]+)", machine.text("/proc/self/status") or "")
    if found:
        spans = re.findall(r"(\d+)(?:-(\d+))?", found[1])
        yield float(sum(int(last or first) - int(first) + 1 for first, last in spans))


def _quotas(machine: Machine) -> Iterator[float]:
    """CPU time per time, so many cores."""
    for text in _read(machine, "", "cpu.max"):
        quota, _, period = text.partition(" ")
        if quota.isdigit() and period.isdigit():
            yield int(quota) / int(period)
    quotas, periods = _read(machine, "cpu", "cpu.cfs_quota_us"), _read(machine, "cpu", "cpu.cfs_period_us")
    for quota, period in zip(quotas, periods, strict=False):
        if quota.isdigit() and period.isdigit():  # -1 for none
            yield int(quota) / int(period)


def _memory_limits(machine: Machine) -> Iterator[int]:
    for text in (*_read(machine, "", "memory.max"), *_read(machine, "memory", "memory.limit_in_bytes")):
        if text.isdigit() and int(text) < V1_UNLIMITED:
            yield int(text)


def _free(machine: Machine, group: int | None) -> int | None:
    """What the machine has available, or less where this process's group has used up more of its limit."""
    available = _kilobytes(machine, "MemAvailable")
    used = [*_read(machine, "", "memory.current"), *_read(machine, "memory", "memory.usage_in_bytes")]
    if group is None or not used or not used[0].isdigit():
        return available
    left = max(0, group - int(used[0]) + _reclaimable(machine))
    return left if available is None else min(left, available)


def _reclaimable(machine: Machine) -> int:
    """Cached files count as used, and are given up when memory is short (cgroup-v2, 'memory.stat')."""
    for text in (*_read(machine, "", "memory.stat"), *_read(machine, "memory", "memory.stat")):
        found = re.search(r"^(?:total_)?inactive_file (\d+)", text, re.MULTILINE)
        if found:
            return int(found[1])
    return 0


def _processes(machine: Machine) -> tuple[int | None, int | None]:
    """(limit, running) of the control group; else what the user may have (setrlimit(2), RLIMIT_NPROC)."""
    limits = [int(text) for text in (*_read(machine, "", "pids.max"), *_read(machine, "pids", "pids.max"))
              if text.isdigit()]
    running = [int(text) for text in (*_read(machine, "", "pids.current"), *_read(machine, "pids", "pids.current"))
               if text.isdigit()]
    if limits:
        return min(limits), running[0] if running else None
    soft = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    return (None if soft == resource.RLIM_INFINITY or machine.admin else soft), None  # root is not held to it


def _read(machine: Machine, controller: str, file: str) -> list[str]:
    """What this process's group and those above it say, the nearest first; `controller` is "" for cgroup v2."""
    base = f"{CGROUPS}/{controller}".rstrip("/")
    texts = [machine.text(f"{base}{level}/{file}") for level in _levels(_group(machine, controller))]
    return [text.strip() for text in texts if text is not None]


def _group(machine: Machine, controller: str) -> str:
    """`/docker/3f2...`, this process's group; in a container often a path that only its host can see."""
    for line in (machine.text("/proc/self/cgroup") or "").splitlines():
        _, names, group = line.split(":", 2)
        if (controller in names.split(",")) if controller else not names:
            return group
    return "/"


def _levels(group: str) -> Iterator[str]:
    parts = [part for part in group.split("/") if part not in ("", "..")]
    for length in range(len(parts), -1, -1):
        yield "".join(f"/{part}" for part in parts[:length])


def _kilobytes(machine: Machine, name: str) -> int | None:
    found = re.search(rf"^{name}:\s*(\d+) kB", machine.text("/proc/meminfo") or "", re.MULTILINE)
    return int(found[1]) << 10 if found else None
