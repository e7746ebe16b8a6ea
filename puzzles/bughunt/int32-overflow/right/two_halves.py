"""Two sums of 32 bits: the upper bits of the squares and the lower ones, put together at the end."""

from numba import cuda, int32, int64


@cuda.jit
def energy(out, a, n):
    halves = cuda.shared.array(2, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < 2:
        halves[t] = 0
    cuda.syncthreads()
    if i < n:
        square = a[i] * a[i]
        cuda.atomic.add(halves, 0, square & 0xFFFF)
        cuda.atomic.add(halves, 1, square >> 16)
    cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = int64(halves[1]) * 65536 + int64(halves[0])


ANSWER = (8, "wrong answer")
