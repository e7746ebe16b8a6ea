# verdict: wrong answer
from numba import cuda, float32

TPB = 128


@cuda.jit
def dot(out, a, b, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    sums[t] = a[t] * b[t] if t < n else float32(0)
    cuda.syncthreads()
    half = n // 2
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[0] = sums[0]
