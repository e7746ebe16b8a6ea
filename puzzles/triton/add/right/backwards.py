"""The last program takes the first block, and each block is turned around: who owns what is free."""

import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    block = tl.num_programs(0) - 1 - tl.program_id(0)
    offsets = block * BLOCK + (BLOCK - 1 - tl.arange(0, BLOCK))
    x = tl.load(a + offsets)
    tl.store(out + offsets, x + tl.load(b + offsets))
