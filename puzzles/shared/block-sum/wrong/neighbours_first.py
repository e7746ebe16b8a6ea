# verdict: over budget
from numba import cuda, float32

TPB = 256


@cuda.jit
def block_sums(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    step = 1
    while step < TPB:
        if t % (2 * step) == 0:
            sums[t] += sums[t + step]
        cuda.syncthreads()
        step *= 2
    if t == 0:
        out[cuda.blockIdx.x] = sums[0]
