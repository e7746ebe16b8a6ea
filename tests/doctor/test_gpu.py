"""Driver and GPUs: a fake libcuda.so.1, a fake nvidia-smi, and folders for what the kernel tells."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from gpulab.doctor.checks.gpu import checks
from gpulab.doctor.facts.nvidia import Gpu, find_nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check
from tests.doctor.machines import UUID, Imagined, named, smi

VERSION = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue May 27 2025\nGCC version:  gcc 12\n"


def seen(machine: Machine) -> list[Check]:
    return list(checks(find_nvidia(machine), machine))


def bus(imagined: Imagined) -> None:
    """An NVIDIA card with its sound device, as lspci would list them."""
    for address, kind in (("0000:01:00.0", "0x030000"), ("0000:01:00.1", "0x040300")):
        imagined.file(f"/sys/bus/pci/devices/{address}/vendor", "0x10de\n")
        imagined.file(f"/sys/bus/pci/devices/{address}/class", f"{kind}\n")


def test_no_gpu_is_said_calmly_and_is_no_failure(imagined: Imagined) -> None:
    assert seen(imagined.machine) == [
        Check("driver", "absent", "No NVIDIA GPU: everything runs in the simulator.")
    ]


def test_a_working_gpu_is_named_with_capability_and_memory(gpu: Imagined) -> None:
    gpu.tool("nvidia-smi", smi())
    found = seen(gpu.machine)
    assert named(found, "driver") == Check("driver", "ok", "580.159.04, for CUDA up to 13.0")
    assert named(found, "GPU") == Check("GPU", "ok", "NVIDIA H200, compute capability 9.0, 140 GB")


def test_the_facts_of_a_gpu_serve_others_too(gpu: Imagined) -> None:
    gpu.tool("nvidia-smi", smi(used=1024))
    facts = find_nvidia(gpu.machine)
    assert facts.works
    assert facts.cuda == (13, 0)
    assert facts.gpus == (Gpu("NVIDIA H200", UUID, (9, 0), 150110011392, 132, 1 << 30, "Default", False),)


def test_without_nvidia_smi_the_gpu_is_found_and_the_kernel_tells_the_version(gpu: Imagined) -> None:
    gpu.file("/proc/driver/nvidia/version", VERSION)
    found = seen(gpu.machine)
    assert named(found, "driver").sentence.startswith("580.159.04,")
    assert named(found, "GPU").state == "ok"


def test_each_gpu_has_its_line(gpu: Imagined) -> None:
    gpu.environ["FAKE_GPUS"] = "3"
    assert [check.name for check in seen(gpu.machine)] == ["driver", "GPU 0", "GPU 1", "GPU 2", "counters"]


def test_a_driver_that_hangs_is_ended_and_named(gpu: Imagined) -> None:
    gpu.environ["FAKE_DRIVER"] = "hangs"
    started = time.monotonic()
    check, = seen(gpu.impatient())
    assert time.monotonic() - started < 6
    assert check == Check("driver", "problem", "The driver is broken: asked for its GPUs, it did not answer within "
                          "1.5 s.", "reboot")


def test_a_driver_that_crashes_is_named_and_the_caller_lives(gpu: Imagined) -> None:
    gpu.environ["FAKE_DRIVER"] = "crashes"
    check, = seen(gpu.machine)
    assert check.state == "problem"
    assert "it crashed (SIGSEGV)" in check.sentence
    assert check.cure == "reboot"


@pytest.mark.parametrize("status, name, said, cure", [
    (803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "The driver was updated, and the old one is still loaded", "reboot"),
    (802, "CUDA_ERROR_SYSTEM_NOT_READY", "fabric manager is not running", "systemctl start nvidia-fabricmanager"),
    (804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "compatibility libraries that this GPU does not take",
     "mv /usr/local/cuda/compat /usr/local/cuda/compat.off && ldconfig"),
    (999, "CUDA_ERROR_UNKNOWN", "CUDA does not start: CUDA_ERROR_UNKNOWN (999).", "reboot"),
    (3, "CUDA_ERROR_NOT_INITIALIZED", "CUDA does not start: CUDA_ERROR_NOT_INITIALIZED (3).", "reboot"),
])
def test_what_the_driver_answers_is_explained(gpu: Imagined, status: int, name: str, said: str, cure: str) -> None:
    gpu.environ.update(FAKE_INIT=str(status), FAKE_ERROR=name)
    check, = seen(gpu.machine)
    assert check.state == "problem"
    assert said in check.sentence and name in check.sentence
    assert check.cure == cure


def test_compatibility_libraries_on_the_path_are_taken_off_it(gpu: Imagined) -> None:
    driver = gpu.environ["LD_LIBRARY_PATH"]
    gpu.environ.update(FAKE_INIT="804", LD_LIBRARY_PATH=f"/usr/local/cuda/compat/lib:{driver}")
    check, = seen(gpu.machine)
    assert check.cure == f"export LD_LIBRARY_PATH={driver}"


def test_in_a_container_a_broken_driver_is_cured_from_outside(gpu: Imagined) -> None:
    gpu.environ["FAKE_INIT"] = "999"
    gpu.file("/.dockerenv", "")
    check, = seen(gpu.machine)
    assert check.sentence.endswith(" Stop this container or pod, and start it again.")
    assert check.cure == ""


def test_gpus_hidden_by_a_variable_are_said(gpu: Imagined) -> None:
    gpu.environ.update(FAKE_INIT="100", CUDA_VISIBLE_DEVICES="")
    gpu.tool("nvidia-smi", smi())
    check, = seen(gpu.machine)
    assert check.state == "warning"
    assert check.sentence.startswith("CUDA_VISIBLE_DEVICES='' hides every GPU")
    assert check.cure == "unset CUDA_VISIBLE_DEVICES"


def test_gpus_that_only_nvidia_smi_sees_are_a_problem(gpu: Imagined) -> None:
    gpu.environ.update(FAKE_INIT="100", FAKE_ERROR="CUDA_ERROR_NO_DEVICE")
    gpu.tool("nvidia-smi", smi())
    check, = seen(gpu.machine)
    assert check == Check("driver", "problem", "There is a GPU, but CUDA is given none of it (CUDA_ERROR_NO_DEVICE).",
                          "reboot")


def test_a_driver_without_any_gpu_is_no_failure(gpu: Imagined) -> None:
    gpu.environ["FAKE_INIT"] = "100"
    check, = seen(gpu.machine)
    assert check.state == "absent"
    assert check.sentence == "A driver, but no NVIDIA GPU: everything runs in the simulator."


def test_nvidia_smi_without_the_cuda_library_asks_for_the_capability(imagined: Imagined) -> None:
    imagined.tool("nvidia-smi", smi())
    imagined.file("/.dockerenv", "")
    check, = seen(imagined.machine)
    assert check.state == "problem"
    assert "libcuda.so.1, is not here" in check.sentence
    assert check.cure == "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ..."


def test_outside_a_container_the_cuda_library_is_a_package(imagined: Imagined) -> None:
    imagined.file("/proc/driver/nvidia/version", VERSION)
    imagined.tool("apt-get", "exit 1")
    check, = seen(replace(imagined, admin=False).machine)
    assert check.state == "problem"
    assert check.cure == "sudo apt-get update && sudo apt-get install -y libnvidia-compute-580"


def test_a_card_without_a_driver_asks_for_one(imagined: Imagined) -> None:
    bus(imagined)
    imagined.tool("ubuntu-drivers", "exit 1")
    check, = seen(imagined.machine)
    assert check == Check("driver", "problem", "This machine has an NVIDIA GPU, but no driver is loaded.",
                          "ubuntu-drivers install")


def test_without_apt_the_guide_is_named(imagined: Imagined) -> None:
    bus(imagined)
    check, = seen(imagined.machine)
    assert check.sentence.endswith("How to install it: docs.nvidia.com/datacenter/tesla/driver-installation-guide")
    assert check.cure == ""


def test_a_container_started_without_the_gpu_is_recognised(imagined: Imagined) -> None:
    bus(imagined)
    imagined.environ["RUNPOD_POD_ID"] = "x"
    check, = seen(imagined.machine)
    assert "the container was started without it" in check.sentence
    assert check.cure == "docker run --gpus all ..."


def test_an_nvidia_sound_device_alone_is_no_gpu(imagined: Imagined) -> None:
    imagined.file("/sys/bus/pci/devices/0000:01:00.1/vendor", "0x10de\n")
    imagined.file("/sys/bus/pci/devices/0000:01:00.1/class", "0x040300\n")
    assert find_nvidia(imagined.machine).absent


def test_a_hanging_nvidia_smi_hides_no_gpu(gpu: Imagined) -> None:
    gpu.borrow("sleep")
    gpu.tool("nvidia-smi", "sleep 60")
    started = time.monotonic()
    facts = find_nvidia(gpu.impatient())
    assert time.monotonic() - started < 6
    assert facts.works
    assert facts.tool_trouble == "it did not answer"


@pytest.mark.parametrize("mode, state, said", [
    ("Prohibited", "problem", "lets no program use it"), ("Exclusive_Process", "warning", "only one program"),
])
def test_a_compute_mode_that_is_in_the_way_is_said(gpu: Imagined, mode: str, state: str, said: str) -> None:
    gpu.tool("nvidia-smi", smi(mode=mode))
    check = named(seen(gpu.machine), "GPU")
    assert check.state == state
    assert said in check.sentence
    assert check.cure == f"nvidia-smi -i {UUID} -c DEFAULT"


def test_other_programs_on_the_gpu_are_said(gpu: Imagined) -> None:
    gpu.tool("nvidia-smi", smi(used=20480))
    check = named(seen(gpu.machine), "GPU")
    assert check.state == "warning"
    assert "Other programs use 20 GB of it" in check.sentence
    assert check.cure == "nvidia-smi"


@pytest.mark.parametrize("only_admin, capabilities, permitted", [
    ("1", "00000000a80425fb", False), ("1", "000001ffffffffff", True), ("0", "0000000000000000", True),
])
def test_hardware_counters_need_the_drivers_leave_or_a_capability(
    gpu: Imagined, only_admin: str, capabilities: str, permitted: bool
) -> None:
    """a80425fb is what Docker gives root; CAP_SYS_ADMIN is bit 21."""
    gpu.file("/proc/driver/nvidia/params", f"ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: {only_admin}\n")
    gpu.file("/proc/self/status", f"Name:\tpython\nCapEff:\t{capabilities}\n")
    check = named(seen(gpu.machine), "counters")
    assert check.state == ("ok" if permitted else "absent")
    assert ("not permitted" in check.sentence) is not permitted
