# verdict: not written
# A block that is not full is left out as a whole.
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = tl.program_id(0) * BLOCK + BLOCK <= n
    value = a * tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, value, mask=inside)
