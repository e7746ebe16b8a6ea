# verdict: over budget, line 9
# No thread goes too far, but each of the 32 does all the work.
from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    for i in range(n):
        out[i] = a[i] + 10
