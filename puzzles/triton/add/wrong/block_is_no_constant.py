# verdict: does not compile, line 8
import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(a + offsets) + tl.load(b + offsets))
