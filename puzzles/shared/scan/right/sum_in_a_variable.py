"""The running sum stays in a variable; the shared cells only pass it on."""

from numba import cuda, float32

TPB = 128


@cuda.jit
def scan(out, a, n):
    cells = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    total = a[i] if i < n else float32(0)
    for level in range(7):
        cells[t] = total
        cuda.syncthreads()
        if t >> level:
            total += cells[t - (1 << level)]
        cuda.syncthreads()
    if i >= n:
        return
    out[i] = total
