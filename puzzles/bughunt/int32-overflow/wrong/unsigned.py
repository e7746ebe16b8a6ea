# verdict: wrong answer
# No energy is negative any more, but 32 bits are 32 bits: four loud samples are too many.
from numba import cuda, int64, uint32


@cuda.jit
def energy(out, a, n):
    total = cuda.shared.array(1, uint32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t == 0:
        total[0] = 0
    cuda.syncthreads()
    if i < n:
        cuda.atomic.add(total, 0, a[i] * a[i])
    cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = int64(total[0])


ANSWER = (8, "wrong answer")
