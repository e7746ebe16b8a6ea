"""A matrix times a vector: out = m x. There is a bug in it."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def multiply(out, m, x, rows, columns):
    part = cuda.shared.array(TPB, float32)  # 64 numbers of x
    t, row, total = cuda.threadIdx.x, cuda.grid(1), float32(0)
    for first in range(0, columns, TPB):
        part[t] = x[min(first + t, columns - 1)]
        cuda.syncthreads()
        if row < rows:
            for k in range(min(TPB, columns - first)):
                total += m[row, first + k] * part[k]
    if row < rows:
        out[row] = total


# the bug: (line, "kind"), line as first numbered
ANSWER = None
