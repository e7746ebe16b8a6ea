"""Launch the kernel `square` so that every element of out gets its value, for any n from 0 up."""

from numba import cuda


@cuda.jit
def square(out, a, n):  # done: a thread per element, with a guard
    i = cuda.grid(1)
    if i < n:
        value = a[i]
        out[i] = value * value


def square_all(out, a, n):  # yours: this runs on the CPU; out and a are arrays in the GPU's memory
    threads = 256
    # 1. how many blocks of `threads` threads does it take for n elements?
    # 2. launch: square[blocks, threads](out, a, n)
    # 3. and if there are no elements?
