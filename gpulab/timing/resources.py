"""What a kernel needs, as the compiler tells: registers, spills, shared memory. No GPU is needed, but NVVM, NVRTC and
nvJitLink are (the extras cu12 and cu13)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from gpulab.timing.occupancy import Occupancy, occupancy

_USED = re.compile(r"Used (\d+) registers")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_SHARED = re.compile(r"^\s*(?:\.\w+ )*\.shared \.align \d+ \.b8 [\w$]+\[(\d+)\];", re.MULTILINE)
"""In PTX; dynamic shared memory has no size there."""


class NoCompiler(Exception):
    """NVVM, NVRTC or nvJitLink is missing, or would not take the kernel."""


@dataclass(frozen=True)
class Resources:
    """Of one kernel for one GPU; sizes in bytes, registers and frame of each thread, shared memory of a block."""

    capability: tuple[int, int]
    registers: int
    frame: int
    """Local memory: arrays of `cuda.local.array` that found no registers, and spills."""
    spill_stores: int
    spill_loads: int
    shared: int
    """Static; dynamic shared memory is the launch's."""
    threads: int = 0
    """Of a block of the launch; 0 where it is not known."""
    dynamic: int = 0
    occupancy: Occupancy | None = None


def compiled(kernel: Any, types: tuple[Any, ...], capability: tuple[int, int], *, threads: int = 0,
             dynamic: int = 0) -> Resources:
    """Compile a dispatcher's kernel for these argument types and this GPU. Raises `NoCompiler`."""
    try:
        ptx = _ptx(kernel, types, capability)
        said = _assemble(ptx, capability, kernel.targetoptions.get("max_registers"))
    except Exception as error:
        raise NoCompiler(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error
    used, frame = _USED.search(said), _FRAME.search(said)
    if used is None or frame is None:
        raise NoCompiler("the assembler did not tell what it used")
    shared = sum(int(size) for size in _SHARED.findall(ptx))
    registers = int(used[1])
    fits = occupancy(capability, threads, registers, shared + dynamic) if threads else None
    local, stores, loads = (int(size) for size in frame.groups())
    return Resources(capability, registers, local, stores, loads, shared, threads, dynamic, fits)


def of_report(said: str, capability: tuple[int, int], *, threads: int, shared: int) -> Resources:
    """From what the assembler reported of one kernel, with the shared memory and the threads of a block.

    Raises `NoCompiler` where it reported nothing of that kind.
    """
    used, frame = _USED.search(said), _FRAME.search(said)
    if used is None or frame is None:
        raise NoCompiler("the assembler did not tell what it used")
    local, stores, loads = (int(size) for size in frame.groups())
    fits = occupancy(capability, threads, int(used[1]), shared)
    return Resources(capability, int(used[1]), local, stores, loads, shared, threads, 0, fits)


def of_kernel(kernel: Any, threads: int, dynamic: int = 0, capability: tuple[int, int] | None = None) -> Resources:
    """Of a kernel that was launched: for the types it was launched with last. Raises `NoCompiler`."""
    if not kernel.overloads:
        raise NoCompiler("the kernel was never launched")
    if capability is None:
        from numba import cuda

        major, minor = cuda.get_current_device().compute_capability
        capability = int(major), int(minor)
    types = list(kernel.overloads)[-1]
    return compiled(kernel, tuple(types), capability, threads=threads, dynamic=dynamic)


def _ptx(kernel: Any, types: tuple[Any, ...], capability: tuple[int, int]) -> str:
    from numba import cuda

    chosen = {name: kernel.targetoptions[name] for name in ("fastmath", "opt", "launch_bounds")
              if kernel.targetoptions.get(name) is not None}
    code, _ = cuda.compile(kernel.py_func, types, device=False, cc=capability, abi="numba", output="ptx", **chosen)
    return code.decode() if isinstance(code, bytes) else str(code)


def _assemble(ptx: str, capability: tuple[int, int], most_registers: int | None) -> str:
    """What the assembler says about it."""
    from cuda.core import Linker, LinkerOptions, ObjectCode

    options = LinkerOptions(arch=f"sm_{capability[0]}{capability[1]}", ptxas_options=["-v"],
                            max_register_count=most_registers, no_cache=True)  # what is cached, it says nothing about
    linker = Linker(ObjectCode.from_ptx(ptx.encode()), options=options)
    try:
        linker.link("cubin")
        return f"{linker.get_info_log()}\n{linker.get_error_log()}"
    finally:
        linker.close()
