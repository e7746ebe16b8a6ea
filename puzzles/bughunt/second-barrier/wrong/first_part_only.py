# verdict: wrong answer
# Without a second round there is no race, and no second part either.
from numba import cuda, float32

TPB = 64


@cuda.jit
def multiply(out, m, x, rows, columns):
    part = cuda.shared.array(TPB, float32)
    t, row, total = cuda.threadIdx.x, cuda.grid(1), float32(0)
    part[t] = x[min(t, columns - 1)]
    cuda.syncthreads()
    if row < rows:
        for k in range(min(TPB, columns)):
            total += m[row, k] * part[k]
        out[row] = total


ANSWER = (13, "race")
