# verdict: uninitialised read
# Lanes that were left out take part in a maximum, which decides: on most days they hold 0 and nobody notices.
import triton
import triton.language as tl


@triton.jit
def axpy(out, x, y, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    left = tl.load(x + offsets, mask=inside)
    scale = tl.where(tl.max(tl.abs(left), 0) > 1e6, 0.0, a)
    value = scale * left + tl.load(y + offsets, mask=inside)
    tl.store(out + offsets, value, mask=inside)
