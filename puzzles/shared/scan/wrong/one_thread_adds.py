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
    if t == 0:
        total = float32(0)
        for k in range(TPB):
            total += sums[k]
            sums[k] = total
    cuda.syncthreads()
    if i < n:
        out[i] = sums[t]
