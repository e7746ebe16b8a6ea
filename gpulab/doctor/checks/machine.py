"""Python, cores, memory, processes, shared memory, temporary files."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.specifiers import SpecifierSet

from gpulab.doctor.checks.sizes import GB, gigabytes
from gpulab.doctor.facts.disk import Disk
from gpulab.doctor.facts.limits import Limits
from gpulab.doctor.facts.nvidia import CAP_SYS_ADMIN, Nvidia, capable
from gpulab.doctor.machine import Machine, nearby
from gpulab.doctor.model import Check

ENOUGH_MEMORY = 2 * GB
"""A check of a torch puzzle takes 0.7 GB beside the app, the judge and the editor."""
ENOUGH_PROCESSES = 100
"""Eight ranks with their threads, and the check around them."""
ENOUGH_SHARED = GB
"""NCCL takes up to 33 MB of /dev/shm for each pair of GPUs and channel."""
ENOUGH_TEMPORARY = 200 << 20
"""Compiled kernels and their sources."""


def checks(limits: Limits, shared: Disk, temporary: Disk, nvidia: Nvidia, machine: Machine) -> Iterator[Check]:
    """What every program here has to live with."""
    yield python(platform.python_version(), machine)
    yield cores(limits)
    yield memory(limits)
    yield processes(limits, machine)
    yield shared_memory(shared, nvidia, machine)
    yield temporary_files(temporary, machine)


def python(version: str, machine: Machine) -> Check:
    """Whether this is one of the Pythons gpulab is tested on."""
    try:
        wanted = SpecifierSet(metadata.metadata("gpulab")["Requires-Python"] or "")
    except (metadata.PackageNotFoundError, KeyError):
        wanted = SpecifierSet()
    if version in wanted:
        return Check("Python", "ok", f"{version}, {nearby(Path(machine.python))}")
    return Check("Python", "problem", f"{version}: gpulab is made for Python {wanted}.", "./lab env")


def cores(limits: Limits) -> Check:
    """How many, and how many of the machine's that is."""
    allowed = f"{limits.cores_allowed:.1f}".removesuffix(".0")
    if limits.cores_allowed < limits.cores:
        allowed += f" of this machine's {limits.cores} (limit of the container)"
    if limits.cores_allowed < 1:
        return Check("cores", "warning", f"{allowed}: checks take longer, and may run out of time.",
                     "docker run --cpus 2 ...")
    return Check("cores", "ok", allowed)


def memory(limits: Limits) -> Check:
    """How much, how much of it is free, and whose limit it is."""
    if limits.memory_allowed is None or limits.memory is None:
        return Check("memory", "absent", "This machine does not tell.")
    sentence = gigabytes(limits.memory_allowed)
    if limits.memory_allowed < limits.memory:
        sentence += f" of this machine's {gigabytes(limits.memory)} (limit of the container)"
    if limits.memory_free is not None:
        sentence += f", {gigabytes(limits.memory_free)} free"
    if limits.memory_allowed < ENOUGH_MEMORY:
        return Check("memory", "warning", f"{sentence}: too little for torch puzzles.", "docker run --memory 4g ...")
    if limits.memory_free is not None and limits.memory_free < ENOUGH_MEMORY // 4:
        return Check("memory", "warning", f"{sentence}. To see who has it:", "ps aux --sort=-rss | head")
    return Check("memory", "ok", sentence)


def processes(limits: Limits, machine: Machine) -> Check:
    """A check forks; where no process may be added it fails."""
    if limits.processes_allowed is None:
        return Check("processes", "ok", "no limit")
    left = limits.processes_allowed - (limits.processes or 0)
    now = f", {limits.processes} run" if limits.processes is not None else ""
    if left < ENOUGH_PROCESSES:
        more = "docker run --pids-limit 2000 ..." if machine.container or machine.admin else "ulimit -u 2000"
        return Check("processes", "problem", f"Only {limits.processes_allowed} are allowed{now}; a check may need "
                     f"{ENOUGH_PROCESSES} more.", more)
    return Check("processes", "ok", f"{limits.processes_allowed} allowed{now}")


def shared_memory(disk: Disk, nvidia: Nvidia, machine: Machine) -> Check:
    """NCCL passes data between GPUs through it, and Docker gives 64 MB unless asked."""
    if disk.size is None:
        return Check("/dev/shm", "warning" if nvidia.works else "absent", f"It is not here: {disk.error}.")
    size = gigabytes(disk.size)
    if disk.size >= ENOUGH_SHARED:
        return Check("/dev/shm", "ok", size)
    if len(nvidia.gpus) < 2:
        return Check("/dev/shm", "ok", f"{size}: little, but only NCCL between several GPUs needs more")
    cure = "mount -o remount,size=8g /dev/shm" if capable(machine, CAP_SYS_ADMIN) else "docker run --shm-size 8g ..."
    return Check("/dev/shm", "problem", f"{size}: NCCL between {len(nvidia.gpus)} GPUs needs 1 GB or more.", cure)


def temporary_files(disk: Disk, machine: Machine) -> Check:
    """Compilers write there."""
    name = disk.path if len(disk.path) <= 12 else "temporary"
    move = "mkdir -p ~/tmp && export TMPDIR=~/tmp"
    if not disk.writable:
        return Check(name, "problem", f"{disk.path} cannot be written ({disk.error}), and compilers need it.", move)
    assert disk.free is not None
    if disk.free < ENOUGH_TEMPORARY:
        return Check(name, "warning", f"{gigabytes(disk.free)} free in {disk.path}: little for compilers.", move)
    return Check(name, "ok", f"{gigabytes(disk.free)} free")
