# verdict: does not compile, line 9
import triton
import triton.language as tl


@triton.jit
def add(out, a, b, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    out[offsets] = a[offsets] + b[offsets]
