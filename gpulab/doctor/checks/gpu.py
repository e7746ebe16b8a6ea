"""Driver, GPUs, hardware counters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gpulab.doctor.checks.sizes import gigabytes
from gpulab.doctor.cures import packages, sudo
from gpulab.doctor.facts.nvidia import Gpu, Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check

MUCH = 2 << 30
"""Bytes of GPU memory in use beyond which somebody works there: our own waiting workers take 1 GB."""

GUIDE = "docs.nvidia.com/datacenter/tesla/driver-installation-guide"

NO_DEVICE, NOT_READY, MISMATCH, COMPAT, UNKNOWN = 100, 802, 803, 804, 999
"""CUresult, cuda.h."""


def checks(nvidia: Nvidia, machine: Machine) -> Iterator[Check]:
    """The driver; and where it has a GPU, each of them and the counters."""
    yield driver(nvidia, machine)
    for place, gpu in enumerate(nvidia.gpus):
        yield of_gpu(gpu, machine, "GPU" if len(nvidia.gpus) == 1 else f"GPU {place}")
    if nvidia.works:
        yield counters(nvidia, machine)


def driver(nvidia: Nvidia, machine: Machine) -> Check:
    """Whether CUDA has a GPU to run on, and if not, what is in the way."""
    if nvidia.works:
        return Check("driver", "ok", f"{nvidia.driver or 'unknown version'}, for CUDA up to {dotted(nvidia.cuda)}")
    if nvidia.absent:
        return Check("driver", "absent", "No NVIDIA GPU: everything runs in the simulator.")
    if nvidia.trouble:
        return _restart(f"The driver is broken: asked for its GPUs, {nvidia.trouble}.", machine)
    return _without_library(nvidia, machine) if not nvidia.library else _without_gpu(nvidia, machine)


def _without_library(nvidia: Nvidia, machine: Machine) -> Check:
    """There is a GPU, but nothing here to use it with."""
    if nvidia.tool_sees:
        missing = "nvidia-smi sees a GPU, but the driver's CUDA library, libcuda.so.1, is not here."
        if machine.container:
            return Check("driver", "problem", missing,
                         "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ...")
        return _install(missing, _library_of(nvidia), machine)
    if machine.container:
        return Check("driver", "problem", "This machine has an NVIDIA GPU, but the container was started without it.",
                     "docker run --gpus all ...")
    if nvidia.module:
        return _install("The driver is loaded, but its CUDA library, libcuda.so.1, is not installed.",
                        _library_of(nvidia), machine)
    missing = "This machine has an NVIDIA GPU, but no driver is loaded."
    if machine.which("ubuntu-drivers"):
        return Check("driver", "problem", missing, f"{sudo(machine)}ubuntu-drivers install")
    return _install(missing, "nvidia-driver", machine)


def _library_of(nvidia: Nvidia) -> str:
    """The package of Debian and Ubuntu that holds libcuda.so.1 for this driver."""
    return f"libnvidia-compute-{nvidia.driver.partition('.')[0]}"


def _install(sentence: str, package: str, machine: Machine) -> Check:
    command = packages(machine, {"apt-get": package})
    return Check("driver", "problem", sentence if command else f"{sentence} How to install it: {GUIDE}", command)


def _without_gpu(nvidia: Nvidia, machine: Machine) -> Check:
    """The library is here, but gives no GPU."""
    hidden = machine.environ.get("CUDA_VISIBLE_DEVICES")
    if nvidia.status in (0, NO_DEVICE) and hidden is not None:
        return Check("driver", "warning", f"CUDA_VISIBLE_DEVICES='{hidden}' hides every GPU: everything runs in the "
                     "simulator.", "unset CUDA_VISIBLE_DEVICES")
    if nvidia.status in (0, NO_DEVICE) and not (nvidia.tool_sees or nvidia.on_bus):
        return Check("driver", "absent", "A driver, but no NVIDIA GPU: everything runs in the simulator.")
    sentence, cure = _REASONS.get(nvidia.status, _REASONS[UNKNOWN])
    sentence = sentence.format(name=nvidia.status_name, status=nvidia.status)
    return Check("driver", "problem", sentence, cure(machine)) if cure else _restart(sentence, machine)


def _restart(sentence: str, machine: Machine) -> Check:
    """What cures a driver in disorder."""
    if machine.container:
        return Check("driver", "problem", f"{sentence} Stop this container or pod, and start it again.")
    return Check("driver", "problem", sentence, f"{sudo(machine)}reboot")


def _without_compat(machine: Machine) -> str:
    """Take CUDA's compatibility libraries out of the way: images made for data centres bring them."""
    folders = machine.environ.get("LD_LIBRARY_PATH", "").split(":")
    if any("compat" in folder for folder in folders):
        rest = ":".join(folder for folder in folders if folder and "compat" not in folder)
        return f"export LD_LIBRARY_PATH={rest}"
    return f"{sudo(machine)}mv /usr/local/cuda/compat /usr/local/cuda/compat.off && {sudo(machine)}ldconfig"


_REASONS: dict[int, tuple[str, Callable[[Machine], str] | None]] = {
    NO_DEVICE: ("There is a GPU, but CUDA is given none of it ({name}).", None),
    NOT_READY: ("The GPUs' fabric manager is not running ({name}).",
                lambda machine: f"{sudo(machine)}systemctl start nvidia-fabricmanager"),
    MISMATCH: ("The driver was updated, and the old one is still loaded ({name}).", None),
    COMPAT: ("This image brings CUDA compatibility libraries that this GPU does not take ({name}).", _without_compat),
    UNKNOWN: ("CUDA does not start: {name} ({status}).", None),
}
"""What cuInit answers -> what it means (CUDA Driver API, CUresult), and the cure; None: a restart."""


def of_gpu(gpu: Gpu, machine: Machine, name: str = "GPU") -> Check:
    """One GPU: what it is, and whether others are in the way."""
    what = f"{gpu.name}, compute capability {dotted(gpu.capability)}, {gigabytes(gpu.memory)}"
    if gpu.compute_mode == "Prohibited":
        return Check(name, "problem", f"{what}. Its compute mode lets no program use it.",
                     f"{sudo(machine)}nvidia-smi -i {gpu.uuid} -c DEFAULT")
    if gpu.compute_mode.startswith("Exclusive"):
        return Check(name, "warning", f"{what}. Its compute mode lets only one program use it at a time, and gpulab "
                     "keeps two ready.", f"{sudo(machine)}nvidia-smi -i {gpu.uuid} -c DEFAULT")
    if gpu.used is not None and gpu.used > MUCH:
        return Check(name, "warning", f"{what}. Other programs use {gigabytes(gpu.used)} of it, so times will be "
                     "rough. To see them:", "nvidia-smi")
    return Check(name, "ok", what)


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
