"""Launch the kernel `square` so that all of out is written."""

from numba import cuda


@cuda.jit
def square(out, a, n):  # done: a thread per element, with a guard
    i = cuda.grid(1)
    if i < n:
        value = a[i]
        out[i] = value * value


# Yours. It runs on the CPU; out and a are arrays in the GPU's memory.
def square_all(out, a, n):
    threads = 256
    # 1. n elements: how many blocks of `threads` threads is that?
    # 2. launch: square[blocks, threads](out, a, n)
    # 3. and if there are no elements?
