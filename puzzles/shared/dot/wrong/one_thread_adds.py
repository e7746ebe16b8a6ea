# verdict: over budget
from numba import cuda, float32

TPB = 128


@cuda.jit
def dot(out, a, b, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    if t < n:
        sums[t] = a[t] * b[t]
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for k in range(n):
            total += sums[k]
        out[0] = total
