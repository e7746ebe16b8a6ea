# verdict: out of bounds, line 9
import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    offsets = (tl.program_id(0) + 1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(a + offsets)
    y = tl.load(b + offsets)
    tl.store(out + offsets, x + y)
