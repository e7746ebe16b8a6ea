"""Scalars in a loop that ends at n: no mask, and slow."""

import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    for i in range(start, min(start + BLOCK, n)):
        tl.store(out + i, a * tl.load(x + i) + tl.load(y + i))
