# verdict: wrong answer
from numba import cuda, float32

TPB = 256


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    step = 1
    while step < TPB:
        right = 2 * step * (t + 1) - 1
        if right < TPB:
            sums[right] += sums[right - step]
        cuda.syncthreads()
        step *= 2
    step = TPB // 2
    while step > 0:
        right = 2 * step * (t + 1) - 1
        if right < TPB:
            before = sums[right]
            half = sums[right - step]
            sums[right - step] = before
            sums[right] = before + half
        cuda.syncthreads()
        step //= 2
    if i < n:
        out[i] = sums[t]
