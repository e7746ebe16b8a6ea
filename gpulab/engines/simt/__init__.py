"""Our simulator of Numba CUDA kernels: a lockstep SIMT machine vectorised over lanes with NumPy.

`frontend` types a kernel. `lower` writes it as a program over lanes, statement by statement (`statements`, and for each
kind of thing a module: `indexing`, `iteration`, `intrinsics`...). `context` is what that program calls, `shadow` finds
races by the times that `clocks` keeps, `machine` runs a launch. `simulate` is the door.
"""

from __future__ import annotations


def warm() -> None:
    """Load Numba's typing registries and type one kernel, so that a forked child starts warm."""
    import numpy as np
    from numba import cuda, float32

    from gpulab.engines.simt.machine import launch

    @cuda.jit
    def kernel(out, a, n):  # type: ignore[no-untyped-def]
        tile = cuda.shared.array(32, float32)
        i = cuda.grid(1)
        x, y = cuda.grid(2)
        total = float32(0)
        if i < n and a[i] > 0.0:
            tile[cuda.threadIdx.x] = a[i] * 2.0 - 1
        cuda.syncthreads()
        for k in range(0, 32, 2):
            total += tile[k]
            if k // 2 % 3 == 1:
                total = max(total, a[i])
        while n > 3:
            n >>= 1
        if i < n:
            cuda.atomic.add(out, i, total)
            out[i,] = min(x + y, cuda.blockDim.x)

    launch(kernel, 1, 32, (np.zeros(32, np.float32), np.ones(32, np.float32), 32))
