"""What the CUDA driver reports, as a verdict: the kernel's fault, or the machine's.

Names and meanings: CUDA Driver API, `CUresult`. After most of them the context is lost, and with it the process.
"""

from __future__ import annotations

import re
import traceback
from types import CodeType

_NAME = re.compile(r"CUDA_ERROR_[A-Z0-9_]+")
_NUMBER = re.compile(r"^\[(\d+)\]")

_KERNELS = {
    "CUDA_ERROR_ILLEGAL_ADDRESS": ("out of bounds", "The GPU stopped the kernel: a thread used an address outside all "
                                                    "memory"),
    "CUDA_ERROR_MISALIGNED_ADDRESS": ("out of bounds", "The GPU stopped the kernel: a thread used an address between "
                                                       "two elements"),
    "CUDA_ERROR_INVALID_ADDRESS_SPACE": ("out of bounds", "The GPU stopped the kernel: a thread used an address of the "
                                                          "wrong kind of memory"),
    "CUDA_ERROR_HARDWARE_STACK_ERROR": ("crashed", "The GPU stopped the kernel: its call stack broke"),
    "CUDA_ERROR_ILLEGAL_INSTRUCTION": ("crashed", "The GPU stopped the kernel at something that is no instruction"),
    "CUDA_ERROR_INVALID_PC": ("crashed", "The GPU stopped the kernel: it jumped out of its own code"),
    "CUDA_ERROR_LAUNCH_FAILED": ("crashed", "The GPU stopped the kernel, and its driver does not say why"),
    "CUDA_ERROR_ASSERT": ("raised", "An assertion failed in the kernel"),
    "CUDA_ERROR_LAUNCH_TIMEOUT": ("timed out", "The driver ended the kernel: this GPU drives a screen, which a kernel "
                                               "may not keep waiting"),
}
"""The kernel's own faults. The context is lost."""

_MACHINES = {
    "CUDA_ERROR_NO_DEVICE": "CUDA sees no GPU",
    "CUDA_ERROR_DEVICE_UNAVAILABLE": "the GPU is taken: another process has it for itself",
    "CUDA_ERROR_ECC_UNCORRECTABLE": "the GPU's memory has an error that it cannot correct",
    "CUDA_ERROR_NVLINK_UNCORRECTABLE": "the GPU's link to its neighbours broke",
    "CUDA_ERROR_CONTAINED": "the GPU's memory has an error",
    "CUDA_ERROR_SYSTEM_NOT_READY": "the driver is not ready yet",
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": "driver and kernel module do not fit each other",
    "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE": "driver and CUDA libraries do not fit each other",
    "CUDA_ERROR_NOT_INITIALIZED": "the driver was not started",
    "CUDA_ERROR_NOT_PERMITTED": "the driver refuses",
    "CUDA_ERROR_DEINITIALIZED": "the driver shuts down",
    "CUDA_ERROR_CONTEXT_IS_DESTROYED": "the GPU's context is gone",
    "CUDA_ERROR_DEVICE_NOT_LICENSED": "this virtual GPU has no licence",
    "CUDA_ERROR_OPERATING_SYSTEM": "the operating system refused the driver something",
    "CUDA_ERROR_STUB_LIBRARY": "libcuda.so.1 is a stub, not the driver's",
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": "the CUDA libraries are newer than the driver",
    "CUDA_ERROR_UNKNOWN": "the driver reports an error it has no name for; the GPU may be lost",
    "CUDA_ERROR_EXTERNAL_DEVICE": "a device beside the GPU failed",
}
"""Nobody's code is to blame."""

OUT_OF_MEMORY = "CUDA_ERROR_OUT_OF_MEMORY"


class GpuFault(Exception):
    """The GPU or its driver stopped a run. `kind` is a verdict word; `line` the learner's, where one asked for it."""

    def __init__(self, kind: str, message: str, line: int | None = None) -> None:
        self.kind = kind
        self.message = message
        self.line = line
        super().__init__(message)


def error_name(error: BaseException) -> str:
    """`CUDA_ERROR_ILLEGAL_ADDRESS`; "" for what is no error of the driver's."""
    for one in _chain(error):
        if type(one).__name__ not in ("CudaAPIError", "CUDAError", "CudaDriverError", "CudaSupportError"):
            continue
        found = _NAME.search(str(one))
        if found:
            return found[0]
        numbered = _NUMBER.match(str(one))
        if numbered:
            return _name_of(int(numbered[1]))
    return ""


def fault_of(error: BaseException, code: CodeType | None = None) -> GpuFault | None:
    """The verdict for what the driver reported; None where it is an ordinary exception of the code that called.

    With `code`, of a host function, the line of its file that the error passed through is named.
    """
    name = error_name(error)
    line = _line(error, code.co_filename) if code else None
    if name in _KERNELS:
        kind, message = _KERNELS[name]
        return GpuFault(kind, f"{message} ({name}).", line)
    if name in _MACHINES:
        return GpuFault("environment", f"{_MACHINES[name]} ({name})")
    return None


def _name_of(number: int) -> str:
    from cuda.bindings.driver import CUresult

    try:
        return str(CUresult(number).name)
    except ValueError:
        return ""


def _chain(error: BaseException | None) -> list[BaseException]:
    """The exception and those that led to it."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _line(error: BaseException, file: str) -> int | None:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return lines[-1] if lines else None
