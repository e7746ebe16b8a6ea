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
    if t == 0:
        total = float32(0)
        for k in range(TPB):
            total += sums[k]
        out[cuda.blockIdx.x] = total
