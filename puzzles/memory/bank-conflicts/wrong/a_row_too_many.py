# verdict: over budget, line 23
# Made longer at the wrong end: another row moves no cell to another bank.
from numba import cuda, float32

TPB = 64
WIDTH = 32
ROWS = TPB + 1


@cuda.jit
def sum_rows(out, a, rows, columns):
    tile = cuda.shared.array((ROWS, WIDTH), float32)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    first = cuda.blockIdx.x * TPB
    total = float32(0)
    for left in range(0, columns, WIDTH):
        for r in range(warp, TPB, 2):
            inside = first + r < rows and left + lane < columns
            tile[r, lane] = a[first + r, left + lane] if inside else float32(0)
        cuda.syncthreads()
        for c in range(WIDTH):
            total += tile[t, c]
        cuda.syncthreads()
    if first + t < rows:
        out[first + t] = total
