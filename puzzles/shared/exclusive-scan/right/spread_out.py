"""The thread at the right end of a group does its work; the last step up is left out, its sum is not needed."""

from numba import cuda, float32

TPB = 256


@cuda.jit(device=True)
def right_end(t, step):
    return (t + 1) % (2 * step) == 0


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * TPB + t
    sums[t] = a[i] if i < n else float32(0)
    step = 1
    while step < TPB // 2:
        cuda.syncthreads()
        if right_end(t, step):
            sums[t] = sums[t] + sums[t - step]
        step *= 2
    if t == TPB - 1:
        sums[t] = 0
    while step > 0:
        cuda.syncthreads()
        if right_end(t, step):
            before, half = sums[t], sums[t - step]
            sums[t - step], sums[t] = before, before + half
        step //= 2
    cuda.syncthreads()
    if i < n:
        out[i] = sums[t]
