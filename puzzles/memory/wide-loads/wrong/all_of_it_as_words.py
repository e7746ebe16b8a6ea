# verdict: raised, line 17
# Not every picture is made of whole words.
import numpy as np
from numba import cuda

TPB = 64


@cuda.jit
def flip(out, a):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = ~a[i]


def negative(out, a, n):
    flip[(n // 4 + TPB) // TPB, TPB](out.view(np.uint32), a.view(np.uint32))
