# verdict: out of bounds, line 11
# The number of the lane in its block is compared: right in program 0 alone.
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = tl.arange(0, BLOCK) < n
    value = a * tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, value, mask=inside)
