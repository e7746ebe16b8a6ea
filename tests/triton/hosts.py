"""Host functions that launch kernels, right and wrong."""

from contextlib import suppress

import torch
import triton
import triton.language as tl


@triton.jit
def partial_sums(parts, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(parts + tl.program_id(0), tl.sum(tl.load(x + lanes, mask=lanes < n, other=0.0), axis=0))


@triton.jit
def whole_sum(out, parts, count, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(parts + lanes, mask=lanes < count, other=0.0), axis=0))


def total(out, x):
    blocks = triton.cdiv(x.numel(), 64)
    parts = torch.empty(blocks, dtype=torch.float32)
    partial_sums[(blocks,)](parts, x, x.numel(), BLOCK=64, num_warps=2)
    whole_sum[lambda meta: (1,)](out, parts, blocks, BLOCK=triton.next_power_of_2(blocks))


def by_torch(out, x):
    out.copy_(x.sum())


def by_torch_in_secret(out, x):
    with suppress(Exception):
        x.sum()
    total(out, x)


def no_program(out, x):
    whole_sum[(0,)](out, x, x.numel(), BLOCK=1024)


def too_short(out, x):
    whole_sum[(1,)](out, x, 1024, BLOCK=1024)


@triton.autotune(configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128})],
                 key=["n"])
@triton.jit
def doubled(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + lanes, 2 * tl.load(x + lanes, mask=lanes < n), mask=lanes < n)


def double(out, x):
    doubled[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](out, x, x.numel())
