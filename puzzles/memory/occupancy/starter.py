"""How many warps live on a multiprocessor? For n launches."""

from numba import cuda


@cuda.jit
def resident(warps, threads, registers, shared, n):
    i = cuda.grid(1)  # the launch that this thread works out
    # 1. threads[i]: how many warps has a block?
    # 2. how many blocks fit by the warps, by the registers[i] of each
    #    thread, by the shared[i] bytes of each block?
    # 3. warps[i]: the warps of as many blocks as all rules allow
