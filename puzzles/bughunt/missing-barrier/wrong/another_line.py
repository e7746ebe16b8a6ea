# verdict: wrong answer, ANSWER
# Neither mended nor named.
from numba import cuda, float32

TPB = 128


@cuda.jit
def block_max(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t, i, step = cuda.threadIdx.x, cuda.grid(1), TPB // 2
    tile[t] = a[min(i, n - 1)]
    while step > 0:
        if t < step:
            tile[t] = max(tile[t], tile[t + step])
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


# the bug: (line, "kind"), line as first numbered


ANSWER = (16, "race")
