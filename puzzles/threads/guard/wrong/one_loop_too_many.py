# verdict: race, line 9
# No thread goes too far, but all 32 write every element.
from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    for i in range(n):
        out[i] = a[i] + 10
