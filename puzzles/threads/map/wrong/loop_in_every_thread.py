# verdict: over budget, line 9
# The loop of ordinary Python, run by every thread: each of them does all the work.
from numba import cuda


@cuda.jit
def negate(out, a):
    for i in range(out.shape[0]):
        out[i] = -a[i]
