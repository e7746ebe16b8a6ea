"""Going down as textbooks write it: the left cell is kept aside, the right one moves there, then the sum is made."""

from numba import cuda, float32

TPB = 256


@cuda.jit
def scan(out, a, n):
    cells = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    cells[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    step = 1
    while step < TPB:
        right = (t + 1) * step * 2 - 1
        if right < TPB:
            cells[right] += cells[right - step]
        cuda.syncthreads()
        step *= 2
    if t == 0:
        cells[TPB - 1] = 0
    cuda.syncthreads()
    step = TPB // 2
    while step > 0:
        right = (t + 1) * step * 2 - 1
        if right < TPB:
            left = cells[right - step]
            cells[right - step] = cells[right]
            cells[right] += left
        cuda.syncthreads()
        step //= 2
    if i < n:
        out[i] = cells[t]
