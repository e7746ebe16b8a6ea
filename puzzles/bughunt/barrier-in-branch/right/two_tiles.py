"""From one tile into the other and back: a barrier a round, outside of every condition."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def block_scan(out, a, n):
    tiles = cuda.shared.array((2, TPB), float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tiles[0, t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    step, now = 1, 0
    while step < TPB:
        if t >= step:
            tiles[1 - now, t] = tiles[now, t] + tiles[now, t - step]
        else:
            tiles[1 - now, t] = tiles[now, t]
        cuda.syncthreads()
        step *= 2
        now = 1 - now
    if i < n:
        out[i] = tiles[now, t]


ANSWER = (16, "barrier divergence")
