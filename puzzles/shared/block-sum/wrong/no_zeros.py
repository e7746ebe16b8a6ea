# verdict: uninitialised read, line 18
from numba import cuda, float32

TPB = 256


@cuda.jit
def block_sums(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        sums[t] = a[i]
    cuda.syncthreads()
    half = TPB // 2
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[cuda.blockIdx.x] = sums[0]
