"""A tree in shared memory, 64 bits wide from the leaves on."""

from numba import cuda, int64

TPB = 128


@cuda.jit
def energy(out, a, n):
    tile = cuda.shared.array(TPB, int64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t] = a[i] * a[i] if i < n else 0
    step = TPB // 2
    while step > 0:
        cuda.syncthreads()
        if t < step:
            tile[t] += tile[t + step]
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


ANSWER = (14, "wrong answer")
