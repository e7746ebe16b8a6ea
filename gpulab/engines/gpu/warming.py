"""The compilers, warmed without touching CUDA: what is forked afterwards compiles its first kernel ten times sooner."""

from __future__ import annotations

from typing import Any

CAPABILITY = (8, 0)
"""Which GPU it is compiled for matters little here, and asking would need the driver; CUDA 12 and 13 both know it."""


def practice_kernel() -> Any:
    """A plain function with what most kernels have: an index, a guard, shared memory, a barrier, arithmetic."""
    from numba import cuda, float32

    def practise(out: Any, a: Any, n: Any) -> None:
        tile = cuda.shared.array(32, float32)
        i = cuda.grid(1)
        t = cuda.threadIdx.x
        tile[t % 32] = a[i] if i < n else 0.0
        cuda.syncthreads()
        if i < n:
            out[i] = tile[t % 32] * 2.0 + 1.0

    return practise


def warm_compilers() -> bool:
    """Compile a kernel to LTO-IR; whether that worked (it needs NVVM). No context is made, no driver asked."""
    from numba import cuda
    from numba.cuda import types

    array = types.Array(types.float32, 1, "C")
    try:
        cuda.compile(practice_kernel(), (array, array, types.int64), device=False, cc=CAPABILITY, abi="numba",
                     output="ltoir")
    except Exception:  # the worker will find out what is missing, and say it
        return False
    return True
