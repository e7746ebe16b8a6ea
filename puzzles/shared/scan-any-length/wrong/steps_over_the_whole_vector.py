# verdict: over budget
import numpy as np
from numba import cuda

TPB = 64


@cuda.jit
def add_left(new, old, step, n):
    i = cuda.grid(1)
    if i < n:
        new[i] = old[i] + old[i - step] if i >= step else old[i]


def scan(out, a, n):
    blocks = (n + TPB - 1) // TPB
    old, new = a, cuda.device_array(n, np.float32)
    step = 1
    while 2 * step < n:
        add_left[blocks, TPB](new, old, step, n)
        old, new = new, cuda.device_array(n, np.float32)
        step *= 2
    add_left[blocks, TPB](out, old, step, n)
