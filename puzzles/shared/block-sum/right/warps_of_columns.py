"""The first 32 threads add 8 cells each, 32 apart; then one tree of 32."""

from numba import cuda, float32

TPB = 256
WARP = 32


@cuda.jit
def block_sums(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    sums[t] = 0
    if i < a.shape[0]:
        sums[t] = a[i]
    cuda.syncthreads()
    if t < WARP:
        total = sums[t]
        for cell in range(t + WARP, TPB, WARP):
            total += sums[cell]
        sums[t] = total
    step = WARP // 2
    while step >= 1:
        cuda.syncthreads()
        if t < step:
            sums[t] += sums[t + step]
        step = step // 2
    if t == 0:
        out[cuda.blockIdx.x] = sums[0]
