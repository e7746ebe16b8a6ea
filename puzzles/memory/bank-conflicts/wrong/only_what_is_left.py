# verdict: wrong answer
# From column t on, the first so many columns are not the ones that are filled.
from numba import cuda, float32

TPB = 64
WIDTH = 32


@cuda.jit
def sum_rows(out, a, rows, columns):
    tile = cuda.shared.array((TPB, WIDTH), float32)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    first = cuda.blockIdx.x * TPB
    total = float32(0)
    for left in range(0, columns, WIDTH):
        for r in range(warp, TPB, 2):
            inside = first + r < rows and left + lane < columns
            tile[r, lane] = a[first + r, left + lane] if inside else float32(0)
        cuda.syncthreads()
        for c in range(min(WIDTH, columns - left)):
            total += tile[t, (c + t) % WIDTH]
        cuda.syncthreads()
    if first + t < rows:
        out[first + t] = total
