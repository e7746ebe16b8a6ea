"""Two rows of one shared array change roles after each step: one barrier is enough."""

from numba import cuda, float32

TPB = 128


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array((2, TPB), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        sums[0, t] = a[i]
    old, new = 0, 1
    step = 1
    while step < TPB:
        cuda.syncthreads()
        if i < n:
            if t >= step:
                sums[new, t] = sums[old, t] + sums[old, t - step]
            else:
                sums[new, t] = sums[old, t]
        old, new = new, old
        step *= 2
    if i < n:
        out[i] = sums[old, t]
