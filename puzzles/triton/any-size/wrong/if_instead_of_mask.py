# verdict: does not compile, line 9
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if offsets < n:
        value = a * tl.load(x + offsets) + tl.load(y + offsets)
        tl.store(out + offsets, value)
