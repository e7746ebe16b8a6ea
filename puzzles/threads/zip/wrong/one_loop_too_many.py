# verdict: race, line 10
# Every thread pairs its a with all of b, and all threads write all of out.
from numba import cuda


@cuda.jit
def subtract(out, a, b):
    i = cuda.threadIdx.x
    for j in range(b.shape[0]):
        out[j] = a[i] - b[j]
