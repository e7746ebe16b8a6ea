"""Kernels as learners write them, typed before anyone waits: what Numba has resolved once, it remembers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from numba import cuda, float32, int32, types

from gpulab.engines.simt.programs import program_for

TPB = 32
TILE = 16


def practise() -> Iterator[None]:
    """Type and write one kernel after the other; some 50 ms each."""
    for kernel, arguments in _KERNELS:
        program_for(cuda.jit(kernel).py_func, arguments, kernel=True)
        yield


def _shared(out: Any, a: Any, n: Any) -> None:
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    tile[t] = a[i] if i < n else float32(0)
    if t < 2 and i - 2 < n:
        tile[t] = a[i - 2] if i >= 2 else float32(0)
    cuda.syncthreads()
    step = TPB // 2
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    offset = 1
    while offset < TPB:
        left = float32(0)
        if t >= offset:
            left = tile[t - offset]
        cuda.syncthreads()
        tile[t] += left
        cuda.syncthreads()
        offset *= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0] + tile[1]


def _tiles(out: Any, a: Any, b: Any, n: Any, m: Any) -> None:
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), dtype=float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    column = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    total = float32(0.0)
    for start in range(0, n, TILE):
        tile_a[ty, tx] = a[y, start + tx] if y < n and start + tx < m else float32(0)
        tile_b[ty, tx] = 0.0
        if start + ty < n and x < m:
            tile_b[ty, tx] = b[start + ty, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    if row >= out.shape[0] or column >= out.shape[1]:
        return
    out[y, x] = total * 2 + a[row, column]


def _strides(out: Any, x: Any, y: Any, alpha: Any) -> None:
    start = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(start, out.shape[0], step):
        out[i] = alpha * x[i] + y[i]
    i = start
    while i < len(out):
        out[i] = max(x[i], min(y[i], alpha)) - abs(x[i])
        i += cuda.gridDim.x * cuda.blockDim.x
    if start < x.size and x[start] != y[start]:
        out[start] = math.sqrt(x[start]) / math.exp(y[start]) % float32(3) if start % 2 == 0 else -x[start]


def _counts(out: Any, a: Any, n: Any) -> None:
    bins = cuda.shared.array(256, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    bins[t] = 0
    cuda.syncthreads()
    if i < n:
        cuda.atomic.add(bins, a[i], 1)
        out[i] = a[i] + 1
    cuda.syncthreads()
    cuda.atomic.add(out, t, bins[t])
    cuda.atomic.max(out, 0, bins[t])


def _warps(out: Any, a: Any, n: Any) -> None:
    i = cuda.grid(1)
    lane = cuda.laneid
    value = a[i] if i < n else float32(0)
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, offset)
        offset >>= 1
    value = cuda.shfl_sync(0xFFFFFFFF, value, 0) + cuda.shfl_up_sync(0xFFFFFFFF, value, 1)
    value = max(value, cuda.shfl_xor_sync(0xFFFFFFFF, value, 1))
    votes = cuda.ballot_sync(0xFFFFFFFF, value > 0)
    if lane == 0 and i < n:
        out[i // 32] = value + cuda.popc(votes & ((1 << lane) - 1))


def _array(kind: Any, axes: int) -> Any:
    return types.Array(kind, axes, "C")


_FLOATS, _MATRIX, _NUMBERS = _array(types.float32, 1), _array(types.float32, 2), _array(types.int32, 1)
_KERNELS: tuple[tuple[Any, tuple[Any, ...]], ...] = (
    (_shared, (_FLOATS, _FLOATS, types.int64)),
    (_tiles, (_MATRIX, _MATRIX, _MATRIX, types.int64, types.int64)),
    (_strides, (_FLOATS, _FLOATS, _FLOATS, types.float32)),
    (_counts, (_NUMBERS, _NUMBERS, types.int64)),
    (_warps, (_FLOATS, _FLOATS, types.int64)),
)
