# verdict: not written
# The offsets are the same in every program: all of them do block 0.
import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(a + offsets) + tl.load(b + offsets))
