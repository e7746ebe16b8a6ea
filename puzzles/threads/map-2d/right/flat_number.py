"""The 128 threads numbered in one line take elements in memory order."""

from numba import cuda


@cuda.jit
def square(out, a, rows, columns):
    thread = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    for k in range(thread, rows * columns, cuda.blockDim.x * cuda.blockDim.y):
        value = a[k // columns, k % columns]
        out[k // columns, k % columns] = value * value
