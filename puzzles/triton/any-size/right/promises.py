"""Promises to the compiler change no value."""

import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    start = tl.multiple_of(tl.program_id(0) * BLOCK, BLOCK)
    offsets = tl.max_contiguous(start + tl.arange(0, BLOCK), BLOCK)
    inside = offsets < n
    value = a * tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, value, mask=inside)
