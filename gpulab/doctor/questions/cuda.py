"""What the NVIDIA driver says of itself and its GPUs. No context is made, so nothing is taken from any GPU.

By the driver's own library ("CUDA Driver API", cuInit, cuDeviceGet...): it is there wherever CUDA can work, which
neither NVML's Python package nor `nvidia-smi` is.
"""

from __future__ import annotations

import ctypes
from typing import Any

from gpulab.doctor.questions.saying import say

NAME_LENGTH = 256
MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76
"""CUdevice_attribute, cuda.h."""


def main() -> None:
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        say(library=False, error=str(error))
        return
    say(library=True, cuda=driver_version(cuda))
    status = cuda.cuInit(0)
    say(init=status, name=name_of(cuda, status))
    if status == 0:
        for place in range(number(cuda.cuDeviceGetCount)):
            say(**{f"gpu{place}": gpu(cuda, place)})
        say(all=True)


def driver_version(cuda: Any) -> list[int] | None:
    value = number(cuda.cuDriverGetVersion)
    return [value // 1000, value % 1000 // 10] if value else None


def name_of(cuda: Any, status: int) -> str:
    text = ctypes.c_char_p()
    if cuda.cuGetErrorName(status, ctypes.byref(text)) == 0 and text.value:
        return text.value.decode(errors="replace")
    return f"error {status}"


def gpu(cuda: Any, place: int) -> dict[str, Any]:
    device, memory = ctypes.c_int(), ctypes.c_size_t()
    cuda.cuDeviceGet(ctypes.byref(device), place)
    name, uuid = ctypes.create_string_buffer(NAME_LENGTH), ctypes.create_string_buffer(16)
    cuda.cuDeviceGetName(name, NAME_LENGTH, device)
    cuda.cuDeviceTotalMem_v2(ctypes.byref(memory), device)
    ask_uuid = getattr(cuda, "cuDeviceGetUuid_v2", None) or cuda.cuDeviceGetUuid  # the second knows MIG instances
    known = ask_uuid(uuid, device) == 0
    attributes = [number(cuda.cuDeviceGetAttribute, which, device) for which in (MAJOR, MINOR, MULTIPROCESSORS)]
    return {"name": name.value.decode(errors="replace"), "memory": memory.value, "capability": attributes[:2],
            "multiprocessors": attributes[2], "uuid": written(uuid.raw) if known else ""}


def written(uuid: bytes) -> str:
    """As nvidia-smi writes it."""
    text = uuid.hex()
    return "GPU-" + "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def number(function: Any, *more: Any) -> int:
    """What a driver function writes through its first argument; 0 where it fails."""
    value = ctypes.c_int()
    return value.value if function(ctypes.byref(value), *more) == 0 else 0
