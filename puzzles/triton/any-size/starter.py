"""out[i] = a * x[i] + y[i] for any n."""

import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # 1. which lanes have an element?
    # 2. load x and y in those lanes only
    # 3. store the result there, and nowhere else
