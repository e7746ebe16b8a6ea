"""The second barrier stands at the head of the round: before anything is filled, all have read."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def multiply(out, m, x, rows, columns):
    part = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    row = cuda.grid(1)
    total = float32(0)
    first = 0
    while first < columns:
        cuda.syncthreads()
        part[t] = x[first + t] if first + t < columns else float32(0)
        cuda.syncthreads()
        for k in range(TPB):
            if row < rows and first + k < columns:
                total += m[row, first + k] * part[k]
        first += TPB
    if row < rows:
        out[row] = total


ANSWER = (17, "race")
