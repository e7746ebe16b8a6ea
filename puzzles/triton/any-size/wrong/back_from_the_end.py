# verdict: out of bounds, line 11
# The last block is moved back until it fits: with fewer elements than BLOCK it begins before the first.
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    offsets = tl.minimum(tl.program_id(0) * BLOCK, n - BLOCK) + tl.arange(0, BLOCK)
    value = a * tl.load(x + offsets) + tl.load(y + offsets)
    tl.store(out + offsets, value)
