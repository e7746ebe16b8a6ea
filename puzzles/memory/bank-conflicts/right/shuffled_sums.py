"""No tile at all: a warp adds along a row and sums its lanes by shuffles; lane r keeps the sum of row r."""

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def sum_rows(out, a, rows, columns):
    lane = cuda.laneid
    first = cuda.grid(1) // 32 * 32
    kept = float32(0)
    for r in range(min(32, rows - first)):
        total = float32(0)
        for c in range(lane, columns, 32):
            total += a[first + r, c]
        for bit in (1, 2, 4, 8, 16):
            total += cuda.shfl_xor_sync(FULL, total, bit)
        if r == lane:
            kept = total
    if first + lane < rows:
        out[first + lane] = kept
