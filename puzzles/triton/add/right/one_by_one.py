"""Each program takes its elements one after the other: slow, and right."""

import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    for lane in range(BLOCK):
        i = start + lane
        tl.store(out + i, tl.load(a + i) + tl.load(b + i))
