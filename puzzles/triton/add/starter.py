"""Add two tensors: out[i] = a[i] + b[i]."""

import triton
import triton.language as tl


@triton.jit  # compiles the function below for the GPU: a kernel
def add(out, a, b, BLOCK: tl.constexpr):
    program = tl.program_id(0)  # the number of this program: 0, 1, ...
    lanes = tl.arange(0, BLOCK)  # 0 ... BLOCK - 1, in every program
    # 1. offsets: where the block of this program lies in the tensors
    # 2. load the block of a, and the one of b
    # 3. store their sum
