"""How far below its warp's maximum: out[i] = a[i] - max of the warp."""

from numba import cuda

FULL = 0xFFFFFFFF  # all 32 lanes


@cuda.jit
def below_peak(out, a, n):
    i = cuda.grid(1)
    # 1. load a[i]; with what do lanes past the end take part?
    # 2. five exchanges: keep the larger of your own value and
    #    cuda.shfl_xor_sync(FULL, value, step)
    # 3. store a[i] minus the maximum
