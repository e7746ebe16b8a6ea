# verdict: over budget
# No if, but each thread computes both polynomials.
from numba import cuda, float32

TERMS = 8


@cuda.jit
def shape(out, a, left, right, n):
    i = cuda.grid(1)
    if i < n:
        x = a[i]
        even = float32(0)
        odd = float32(0)
        for k in range(TERMS):
            even = even * x + left[k]
            odd = odd * x + right[k]
        out[i] = even if i % 2 == 0 else odd
