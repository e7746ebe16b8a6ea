# verdict: wrong answer
# Large enough, but 24 bits of precision are too few for an exact sum.
from numba import cuda, float32, int64


@cuda.jit
def energy(out, a, n):
    total = cuda.shared.array(1, float32)
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
