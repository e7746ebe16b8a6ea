# verdict: race, line 12
# The input moves with the program, the output does not.
import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(a + offsets)
    y = tl.load(b + offsets)
    tl.store(out + tl.arange(0, BLOCK), x + y)
