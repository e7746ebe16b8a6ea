"""Lanes without an element are sent to element 0, which tells who they are, and take no part."""

import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    places = tl.where(offsets < n, offsets, 0)
    inside = places == offsets
    value = a * tl.load(x + places, mask=inside, other=0.0)
    value += tl.load(y + places, mask=inside, other=0.0)
    tl.store(out + places, value, mask=inside)
