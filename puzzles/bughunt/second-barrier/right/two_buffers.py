"""Two buffers in turn: one barrier a round orders each store and the reads two rounds before."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def multiply(out, m, x, rows, columns):
    part = cuda.shared.array((2, TPB), float32)
    t = cuda.threadIdx.x
    row = cuda.grid(1)
    total = float32(0)
    side = 0
    for first in range(0, columns, TPB):
        if first + t < columns:
            part[side, t] = x[first + t]
        cuda.syncthreads()
        if row < rows:
            for k in range(min(TPB, columns - first)):
                total += m[row, first + k] * part[side, k]
        side = 1 - side
    if row < rows:
        out[row] = total


ANSWER = (16, "race")
