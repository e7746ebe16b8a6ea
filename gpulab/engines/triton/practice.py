"""A kernel that touches most of the language: the first use of each part takes far longer than later ones."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl

from gpulab.engines.triton.compiling import compile_front
from gpulab.engines.triton.launching import launch


@triton.jit  # type: ignore[untyped-decorator]
def practised(x, out, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]  # Triton reads annotations as its own
    """Rows of softmax, a product, and what most kernels have."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    places = row * n + columns
    inside = columns < n
    values = tl.load(x + places, mask=inside, other=-float("inf"))
    top = tl.max(values, axis=0)
    powers = tl.exp(values - top)
    total = tl.sum(powers, axis=0)
    product = tl.zeros((BLOCK, BLOCK), tl.float32)
    for _ in range(0, tl.cdiv(n, BLOCK)):
        product += tl.dot(columns[:, None] * tl.full((1, BLOCK), 1.0, tl.float32), product, input_precision="ieee")
    result = tl.where(inside, powers / total + tl.sum(product, axis=1) * 0, 0.0)
    tl.store(out + places, result, mask=inside)


def warm() -> None:
    """Have Triton's front end read it, and run it here."""
    x, out = np.ones((3, 13), np.float32), np.zeros((3, 13), np.float32)
    arguments = {"x": x, "out": out, "n": 13, "BLOCK": 16}
    compile_front(practised, arguments)
    launch(practised, (3,), arguments)
