# verdict: not allowed
# Does the work in NumPy and copies the result to the GPU.
from numba import cuda


@cuda.jit
def square(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] * a[i]


def square_all(out, a, n):
    if n:
        out.copy_to_device(a.copy_to_host() ** 2)
