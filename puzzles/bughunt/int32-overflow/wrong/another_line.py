# verdict: wrong answer, ANSWER
# Neither mended nor named.
from numba import cuda, int32, int64


@cuda.jit
def energy(out, a, n):
    total = cuda.shared.array(1, int32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t == 0:
        total[0] = 0
    cuda.syncthreads()
    if i < n:
        cuda.atomic.add(total, 0, a[i] * a[i])
    cuda.syncthreads()
    if t == 0:
        out[cuda.blockIdx.x] = int64(total[0])


# the bug: (line, "kind"), line as first numbered


ANSWER = (17, "wrong answer")
