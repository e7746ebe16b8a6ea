"""Driver, GPUs, hardware counters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gpulab.doctor.checks.sizes import gigabytes
from gpulab.doctor.cures import sudo
from gpulab.doctor.facts.nvidia import Gpu, Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check

MUCH = 2 << 30
"""Bytes of GPU memory in use beyond which somebody works there: our own waiting workers take 1 GB."""

NO_DEVICE, NOT_READY, MISMATCH, COMPAT, UNKNOWN = 100, 802, 803, 804, 999
"""CUresult, cuda.h."""


def checks(nvidia: Nvidia, machine: Machine) -> Iterator[Check]:
    """The driver; and where it has a GPU, each of them and the counters."""
    yield driver(nvidia, machine)
    for gpu in nvidia.gpus:
        yield of_gpu(gpu, machine)
    if nvidia.works:
        yield counters(nvidia, machine)


def driver(nvidia: Nvidia, machine: Machine) -> Check:
    """Whether CUDA has a GPU to run on, and if not, what is in the way."""
    if nvidia.works:
        return Check("driver", "ok", f"{nvidia.driver or 'unknown version'}, for CUDA up to {dotted(nvidia.cuda)}")
    if nvidia.absent:
        return Check("driver", "absent", "No NVIDIA GPU: everything runs in the simulator.")
    if nvidia.trouble:
        return Check("driver", "problem", f"The driver is broken: asked for its GPUs, {nvidia.trouble}.",
                     restart(machine))
    return _without_library(nvidia, machine) if not nvidia.library else _without_gpu(nvidia, machine)


def _without_library(nvidia: Nvidia, machine: Machine) -> Check:
    """There is a GPU, but nothing here to use it with."""
    if nvidia.tool_sees:
        return Check("driver", "problem", "nvidia-smi sees a GPU, but the driver's CUDA library, libcuda.so.1, is not "
                     "here.", _with_capabilities(nvidia, machine))
    if machine.container:
        return Check("driver", "problem", "This machine has an NVIDIA GPU, but the container was started without it.",
                     "docker run --gpus all ...")
    if nvidia.module:
        return Check("driver", "problem", "The driver is loaded, but its CUDA library, libcuda.so.1, is not installed.",
                     _install(machine, f"libnvidia-compute-{nvidia.driver.partition('.')[0]}"))
    return Check("driver", "problem", "This machine has an NVIDIA GPU, but no driver is loaded.", _driver(machine))


def _with_capabilities(nvidia: Nvidia, machine: Machine) -> str:
    if machine.container:
        return "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ..."
    return _install(machine, f"libnvidia-compute-{nvidia.driver.partition('.')[0]}")


def _driver(machine: Machine) -> str:
    if machine.which("ubuntu-drivers"):
        return f"{sudo(machine)}ubuntu-drivers install"
    return _install(machine, "nvidia-driver")


def _install(machine: Machine, package: str) -> str:
    if machine.which("apt-get"):
        return f"{sudo(machine)}apt-get update && {sudo(machine)}apt-get install -y {package}"
    return "see https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/"


def _without_gpu(nvidia: Nvidia, machine: Machine) -> Check:
    """The library is here, but gives no GPU."""
    hidden = machine.environ.get("CUDA_VISIBLE_DEVICES")
    if nvidia.status in (0, NO_DEVICE) and hidden is not None:
        return Check("driver", "warning", f"CUDA_VISIBLE_DEVICES='{hidden}' hides every GPU: everything runs in the "
                     "simulator.", "unset CUDA_VISIBLE_DEVICES")
    if nvidia.status in (0, NO_DEVICE) and not (nvidia.tool_sees or nvidia.on_bus):
        return Check("driver", "absent", "A driver, but no NVIDIA GPU: everything runs in the simulator.")
    sentence, cure = _REASONS.get(nvidia.status, _REASONS[UNKNOWN])
    return Check("driver", "problem", sentence.format(name=nvidia.status_name, status=nvidia.status), cure(machine))


def restart(machine: Machine) -> str:
    """What cures a driver in disorder."""
    return "stop this container or pod, and start it again" if machine.container else f"{sudo(machine)}reboot"


def _without_compat(machine: Machine) -> str:
    """Take CUDA's compatibility libraries out of the way: images made for data centres bring them."""
    folders = machine.environ.get("LD_LIBRARY_PATH", "").split(":")
    if any("compat" in folder for folder in folders):
        rest = ":".join(folder for folder in folders if folder and "compat" not in folder)
        return f"export LD_LIBRARY_PATH={rest}"
    return f"{sudo(machine)}mv /usr/local/cuda/compat /usr/local/cuda/compat.off && {sudo(machine)}ldconfig"


_REASONS: dict[int, tuple[str, Callable[[Machine], str]]] = {
    NO_DEVICE: ("There is a GPU, but CUDA is given none of it ({name}).", restart),
    NOT_READY: ("The GPUs' fabric manager is not running ({name}).",
                lambda machine: f"{sudo(machine)}systemctl start nvidia-fabricmanager"),
    MISMATCH: ("The driver was updated, and the old one is still loaded ({name}).", restart),
    COMPAT: ("This image brings CUDA compatibility libraries that this GPU does not take ({name}).", _without_compat),
    UNKNOWN: ("CUDA does not start: {name} ({status}).", restart),
}  # fmt: skip
"""What cuInit answers -> what it means (CUDA Driver API, CUresult), and the cure."""


def of_gpu(gpu: Gpu, machine: Machine) -> Check:
    """One GPU: what it is, and whether others are in the way."""
    what = f"{gpu.name}, compute capability {dotted(gpu.capability)}, {gigabytes(gpu.memory)}"
    if gpu.compute_mode == "Prohibited":
        return Check("GPU", "problem", f"{what}. Its compute mode lets no program use it.",
                     f"{sudo(machine)}nvidia-smi -i {gpu.uuid} -c DEFAULT")
    if gpu.compute_mode.startswith("Exclusive"):
        return Check("GPU", "warning", f"{what}. Its compute mode lets only one program use it at a time, and gpulab "
                     "keeps two ready.", f"{sudo(machine)}nvidia-smi -i {gpu.uuid} -c DEFAULT")
    if gpu.used is not None and gpu.used > MUCH:
        return Check("GPU", "warning", f"{what}. Other programs use {gigabytes(gpu.used)} of it, so times will be "
                     "rough. To see them:", "nvidia-smi")
    return Check("GPU", "ok", what)


def counters(nvidia: Nvidia, machine: Machine) -> Check:
    """Hardware counters: only Nsight Compute needs them, since the simulator counts by itself."""
    if nvidia.counters is None:
        return Check("counters", "absent", "Whether hardware counters may be read is not known here.")
    if nvidia.counters:
        return Check("counters", "ok", "Hardware counters may be read (Nsight Compute)."
                     if machine.which("ncu") else "Hardware counters may be read; Nsight Compute is not here.")
    sentence = "Hardware counters are not permitted, as on most rented GPUs. gpulab counts without them."
    return Check("counters", "absent", sentence)


def dotted(version: tuple[int, int] | None) -> str:
    """13.0"""
    return ".".join(map(str, version)) if version else "unknown"
