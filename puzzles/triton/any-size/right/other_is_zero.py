"""Lanes without an element get 0, and what they give goes nowhere."""

import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    lanes = tl.arange(0, BLOCK)
    inside = lanes < n - start
    left = tl.load(x + start + lanes, mask=inside, other=0.0)
    right = tl.load(y + start + lanes, mask=inside, other=0.0)
    tl.store(out + start + lanes, tl.fma(left, tl.full((BLOCK,), a, tl.float32), right), mask=inside)
