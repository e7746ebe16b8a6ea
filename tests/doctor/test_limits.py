"""What container and machine leave: cgroup files of both versions, a tiny /dev/shm, folders that cannot be written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpulab.doctor.checks import machine as checked
from gpulab.doctor.checks.machine import checks
from gpulab.doctor.checks.sizes import gigabytes
from gpulab.doctor.facts.disk import find_disk, temporary
from gpulab.doctor.facts.limits import Limits, find_limits
from gpulab.doctor.facts.nvidia import Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check
from tests.doctor.machines import Imagined, named
from tests.doctor.test_numba import CUDA_13, H200, NO_GPU
from tests.workspace.volumes import small_volume

GB = 1 << 30
TWO_GPUS = replace(CUDA_13, gpus=(H200, H200))


def big(imagined: Imagined) -> Imagined:
    """64 cores and 512 GB, 400 of them free."""
    imagined.file("/sys/devices/system/cpu/online", "0-63\n")
    imagined.file("/proc/meminfo", f"MemTotal: {512 << 20} kB\nMemFree: 1 kB\nMemAvailable: {400 << 20} kB\n")
    imagined.file("/proc/self/status", "Name:\tpython\nCpus_allowed_list:\t0-63\n")
    return imagined


def seen(imagined: Imagined, nvidia: Nvidia = NO_GPU) -> list[Check]:
    machine = imagined.machine
    return list(checks(find_limits(machine), find_disk(machine, "/dev/shm"), find_disk(machine, temporary(machine)),
                       nvidia, machine))


def test_without_a_container_it_is_the_machines_own(imagined: Imagined) -> None:
    found = seen(big(imagined))
    assert named(found, "cores").sentence == "64"
    assert named(found, "memory").sentence == "512 GB, 400 GB free"
    assert named(found, "processes").state == "ok"


def test_cgroup_v2_limits_are_seen(imagined: Imagined) -> None:
    big(imagined).file("/proc/self/cgroup", "0::/\n")
    files = {"cpu.max": "650000 100000", "memory.max": str(16 * GB), "memory.current": str(6 * GB), "pids.max": "4096",
             "memory.stat": f"anon 5\ninactive_file {GB}\n", "pids.current": "40"}
    for name, text in files.items():
        imagined.file(f"/sys/fs/cgroup/{name}", f"{text}\n")
    found = seen(imagined)
    assert named(found, "cores").sentence == "6.5 of this machine's 64 (limit of the container)"
    assert named(found, "memory").sentence == "16 GB of this machine's 512 GB (limit of the container), 11 GB free"
    assert named(found, "processes").sentence == "4096 allowed, 40 run"
    assert all(check.state == "ok" for check in found if check.name in ("cores", "memory", "processes"))


def test_the_tightest_of_nested_groups_counts(imagined: Imagined) -> None:
    big(imagined).file("/proc/self/cgroup", "0::/user.slice/pod\n")
    imagined.file("/sys/fs/cgroup/user.slice/cpu.max", "400000 100000\n")
    imagined.file("/sys/fs/cgroup/user.slice/memory.max", f"{8 * GB}\n")
    imagined.file("/sys/fs/cgroup/user.slice/pod/cpu.max", "max 100000\n")
    imagined.file("/sys/fs/cgroup/user.slice/pod/memory.max", "max\n")
    limits = find_limits(imagined.machine)
    assert (limits.cores_allowed, limits.memory_allowed) == (4.0, 8 * GB)


def test_cgroup_v1_limits_are_seen_where_the_group_is_hidden(imagined: Imagined) -> None:
    """In a container /proc/self/cgroup names a path of the host's, and the container's own group is at the top."""
    big(imagined).file("/proc/self/cgroup", "5:memory:/docker/3f2a\n3:cpu,cpuacct:/docker/3f2a\n2:pids:/docker/3f2a\n")
    imagined.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n")
    imagined.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
    imagined.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", f"{4 * GB}\n")
    imagined.file("/sys/fs/cgroup/pids/pids.max", "512\n")
    limits = find_limits(imagined.machine)
    assert (limits.cores_allowed, limits.memory_allowed, limits.processes_allowed) == (2.0, 4 * GB, 512)


def test_cgroup_v1_without_limits_is_no_limit(imagined: Imagined) -> None:
    big(imagined).file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
    imagined.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
    imagined.file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
    limits = find_limits(imagined.machine)
    assert (limits.cores_allowed, limits.memory_allowed) == (64.0, 512 * GB)


def test_pinned_cores_are_a_limit_too(imagined: Imagined) -> None:
    big(imagined).file("/proc/self/status", "Cpus_allowed_list:\t0-3,8\n")
    assert find_limits(imagined.machine).cores_allowed == 5.0


def test_this_machine_has_cores_and_memory() -> None:
    limits = find_limits(Machine())
    assert 0 < limits.cores_allowed <= limits.cores
    assert limits.memory is not None and limits.memory_free is not None
    assert 0 < limits.memory_free <= limits.memory


PLENTY = Limits(8, 8.0, 64 * GB, 64 * GB, 60 * GB, None, None)


def test_half_a_core_is_a_warning() -> None:
    check = checked.cores(replace(PLENTY, cores_allowed=0.5))
    assert (check.state, check.cure) == ("warning", "docker run --cpus 2 ...")
    assert check.sentence.startswith("0.5 of this machine's 8 (limit of the container)")


def test_little_memory_is_a_warning() -> None:
    check = checked.memory(replace(PLENTY, memory_allowed=GB, memory_free=GB))
    assert (check.state, check.cure) == ("warning", "docker run --memory 4g ...")
    check = checked.memory(replace(PLENTY, memory_free=300 << 20))
    assert (check.state, check.cure) == ("warning", "ps aux --sort=-rss | head")
    assert "300 MB free" in check.sentence


def test_few_processes_are_a_problem(imagined: Imagined) -> None:
    few = replace(PLENTY, processes_allowed=128, processes=60)
    check = checked.processes(few, imagined.machine)
    assert check == Check("processes", "problem", "Only 128 are allowed, 60 run; a check may need 100 more.",
                          "docker run --pids-limit 2000 ...")
    check = checked.processes(few, replace(imagined, admin=False).machine)
    assert check.cure == "ulimit -u 2000"


class TestSharedMemory:
    def seen(self, imagined: Imagined, nvidia: Nvidia, size: int = 64 << 20) -> Check:
        imagined.file("/dev/shm/something", "")
        disk = SimpleNamespace(f_blocks=size >> 12, f_frsize=4096, f_bavail=size >> 12)
        machine = replace(imagined.machine, disk=lambda path: disk)  # type: ignore[arg-type,return-value]
        return checked.shared_memory(find_disk(machine, "/dev/shm"), nvidia, machine)

    def test_dockers_64_mb_break_nccl_between_gpus(self, imagined: Imagined) -> None:
        check = self.seen(imagined, TWO_GPUS)
        assert check == Check("/dev/shm", "problem", "64 MB: NCCL between 2 GPUs needs 1 GB or more.",
                              "docker run --shm-size 8g ...")

    def test_a_real_disk_of_64_mb_is_measured(self, imagined: Imagined) -> None:
        with small_volume(imagined.root / "dev/shm", 65536):
            disk = find_disk(imagined.machine, "/dev/shm")
        assert (disk.size, disk.writable) == (64 << 20, True)
        assert checked.shared_memory(disk, TWO_GPUS, imagined.machine).state == "problem"

    def test_who_may_mount_makes_it_larger_at_once(self, imagined: Imagined) -> None:
        imagined.file("/proc/self/status", "CapEff:\t000001ffffffffff\n")
        assert self.seen(imagined, TWO_GPUS).cure == "mount -o remount,size=8g /dev/shm"

    def test_with_one_gpu_or_none_they_are_enough(self, imagined: Imagined) -> None:
        for nvidia in (NO_GPU, CUDA_13):
            check = self.seen(imagined, nvidia)
            assert check.state == "ok"
            assert check.sentence.startswith("64 MB: little")

    def test_enough_is_enough(self, imagined: Imagined) -> None:
        assert self.seen(imagined, TWO_GPUS, 8 * GB) == Check("/dev/shm", "ok", "8 GB")


class TestTemporaryFiles:
    def seen(self, machine: Machine) -> Check:
        return checked.temporary_files(find_disk(machine, temporary(machine)), machine)

    def test_a_folder_that_is_not_there_is_a_problem(self) -> None:
        check = self.seen(Machine(environ={"TMPDIR": "/no/such/folder"}))
        assert check == Check("temporary", "problem", "/no/such/folder cannot be written (No such file or directory), "
                              "and compilers need it.", "mkdir -p ~/tmp && export TMPDIR=~/tmp")

    @pytest.mark.skipif(not Path("/proc/self").exists(), reason="/proc is not here")
    def test_a_folder_that_cannot_be_written_is_a_problem_even_for_root(self) -> None:
        check = self.seen(Machine(environ={"TMPDIR": "/proc"}))
        assert check.state == "problem"
        assert check.sentence.startswith("/proc cannot be written (")

    def test_nothing_is_left_behind(self, tmp_path: Path) -> None:
        check = self.seen(Machine(environ={"TMPDIR": str(tmp_path)}))
        assert check.state == "ok"
        assert os.listdir(tmp_path) == []


def test_python_is_held_against_what_gpulab_says_it_needs(imagined: Imagined) -> None:
    assert checked.python("3.12.3", imagined.machine).state == "ok"
    check = checked.python("3.14.0", imagined.machine)
    assert check.state == "problem"
    assert check.sentence == "3.14.0: gpulab is made for Python <3.14,>=3.10."


def test_sizes_read_as_people_say_them() -> None:
    assert [gigabytes(size) for size in (64 << 20, GB, 3 * GB // 2, 140 * GB)] == ["64 MB", "1 GB", "1.5 GB", "140 GB"]
