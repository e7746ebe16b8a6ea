"""Write the negative of each element of a into out: out[i] = -a[i]."""

from numba import cuda


@cuda.jit  # compiles the function below for the GPU: now it is a kernel
def negate(out, a):
    i = cuda.threadIdx.x  # the number of this thread: 0, 1, 2, ...
    # write into out[i] what belongs there
