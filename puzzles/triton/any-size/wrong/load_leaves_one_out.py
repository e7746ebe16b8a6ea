# verdict: uninitialised read, line 10
# The last element is stored, but not loaded: what it gets is undefined.
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    left = tl.load(x + offsets, mask=offsets < n - 1)
    right = tl.load(y + offsets, mask=offsets < n)
    tl.store(out + offsets, a * left + right, mask=offsets < n)
