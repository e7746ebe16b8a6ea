# verdict: race, line 9
# The loop of ordinary Python, run by every thread: all of them write every element.
from numba import cuda


@cuda.jit
def negate(out, a):
    for i in range(out.shape[0]):
        out[i] = -a[i]
