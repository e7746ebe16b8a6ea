"""axpy with a mask for the last block."""

import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    left = tl.load(x + offsets, mask=inside)
    right = tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, a * left + right, mask=inside)
