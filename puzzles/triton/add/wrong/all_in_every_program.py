# verdict: over budget, line 11
# The loop of ordinary Python, run by every program: each of them does all the work.
import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    for block in range(tl.num_programs(0)):
        offsets = block * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + offsets, tl.load(a + offsets) + tl.load(b + offsets))
