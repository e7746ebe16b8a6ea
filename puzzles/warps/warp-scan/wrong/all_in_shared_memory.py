# verdict: over budget
from numba import cuda, float32

TPB = 128


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    step = 1
    while step < TPB:
        left = sums[t - step] if t >= step else float32(0)
        cuda.syncthreads()
        sums[t] += left
        cuda.syncthreads()
        step *= 2
    if i < n:
        out[i] = sums[t]
