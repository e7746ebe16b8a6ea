"""Sums of eight, staged in shared memory."""
from numba import cuda, float32  # noqa: I001
f32 = float32
@cuda.jit
def total(out, p, n):
    tile = cuda.shared.array((32, 8), f32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    b = cuda.blockIdx.x * 256
    for k in range(8):
        tile[k*4+t//8, t%8] = p[b+k*32+t]
    cuda.syncthreads()
    s = float32(0)
    for k in range(8):
        s += tile[t, k]
    out[i] = s
