"""A flat tile in which cell (r, c) lies at column c ^ r: as many cells as needed, and no conflict (a swizzle)."""

import numba
from numba import cuda

CELLS = 2048


@cuda.jit(device=True)
def place(r, c):
    return r * 32 + (c ^ (r & 31))


@cuda.jit
def sum_rows(out, a, rows, columns):
    tile = cuda.shared.array(CELLS, numba.float32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * 64
    total = numba.float32(0)
    left = 0
    while left < columns:
        for cell in range(t, CELLS, 64):
            r, c = cell // 32, cell % 32
            value = numba.float32(0)
            if first + r < rows and left + c < columns:
                value = a[first + r, left + c]
            tile[place(r, c)] = value
        cuda.syncthreads()
        for c in range(min(32, columns - left)):
            total += tile[place(t, c)]
        cuda.syncthreads()
        left += 32
    if first + t >= rows:
        return
    out[first + t] = total
