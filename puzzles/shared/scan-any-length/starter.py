"""A scan in several kernels: out[i] = a[0] + ... + a[i]."""

import numpy as np
from numba import cuda, float32

TPB = 64  # threads per block


@cuda.jit
def scan_blocks(out, totals, a, n):
    sums = cuda.shared.array(TPB, float32)
    # as before; the block's last sum goes to totals[cuda.blockIdx.x]


def scan(out, a, n):  # runs on the CPU, with arrays on the GPU
    blocks = (n + TPB - 1) // TPB
    totals = cuda.device_array(blocks, np.float32)
    scan_blocks[blocks, TPB](out, totals, a, n)
    # 1. scan the totals (how many are there?)
    # 2. launch a kernel that adds them to the blocks
