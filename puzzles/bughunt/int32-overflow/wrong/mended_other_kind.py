# verdict: wrong answer, ANSWER
# The right line, but not what goes wrong there.
from numba import cuda, int64


@cuda.jit
def energy(out, a, n):
    total = cuda.shared.array(1, int64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t == 0:
        total[0] = 0
    cuda.syncthreads()
    if i < n:
        cuda.atomic.add(total, 0, a[i] * a[i])
    cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = total[0]


ANSWER = (8, "race")
