"""No tile: three loads from global memory, the outer two held within the array."""

from numba import cuda, float32


@cuda.jit
def smooth(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    left = i - 1
    if left < 0:
        left = 0
    right = i + 1
    if right == n:
        right = i
    out[i] = (a[left] + a[i] + a[right]) / float32(3)


ANSWER = (14, "out of bounds")
