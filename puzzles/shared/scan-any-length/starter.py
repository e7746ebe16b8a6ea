"""A scan of any length: out[i] = a[0] + ... + a[i]. You write the kernels and the function that launches them."""

import numpy as np
from numba import cuda, float32

TPB = 64  # threads per block


@cuda.jit
def scan_blocks(out, totals, a, n):
    sums = cuda.shared.array(TPB, float32)
    # scan this block's stretch as before; its last sum goes to totals[cuda.blockIdx.x]


def scan(out, a, n):
    """Called with arrays on the device; launches what it needs."""
    blocks = (n + TPB - 1) // TPB
    totals = cuda.device_array(blocks, np.float32)
    scan_blocks[blocks, TPB](out, totals, a, n)
    # scan the totals (how many are there?), then launch a kernel that adds them
