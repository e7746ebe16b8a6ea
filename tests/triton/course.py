"""Kernels as the course's puzzles have them, from GeLU to attention: what learners will write."""

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def gelu(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)
    inner = 0.7978845608 * (values + 0.044715 * values * values * values)
    tl.store(out + lanes, 0.5 * values * (1 + libdevice.tanh(inner)), mask=lanes < n)


@triton.jit
def exact_gelu(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)
    tl.store(out + lanes, 0.5 * values * (1 + tl.erf(values * 0.7071067811865476)), mask=lanes < n)


@triton.jit
def dropout(out, x, n, p, seed, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)
    keep = tl.rand(seed, lanes) > p
    tl.store(out + lanes, tl.where(keep, values / (1 - p), 0.0), mask=lanes < n)


@triton.jit
def outer(out, x, y, rows, columns, M: tl.constexpr, N: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    left = tl.load(x + i, mask=i < rows)
    right = tl.load(y + j, mask=j < columns)
    inside = (i < rows)[:, None] & (j < columns)[None, :]
    tl.store(out + i[:, None] * columns + j[None, :], left[:, None] + right[None, :], mask=inside)


@triton.jit
def online_softmax(out, x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        lanes = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * n + lanes, mask=lanes < n, other=-float("inf"))
        higher = tl.maximum(top, tl.max(values, axis=0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(values - higher), axis=0)
        top = higher
    for start in tl.range(0, n, BLOCK, num_stages=2):
        lanes = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * n + lanes, mask=lanes < n, other=0.0)
        tl.store(out + row * n + lanes, tl.exp(values - top) / total, mask=lanes < n)


@triton.jit
def layer_norm(out, x, weight, bias, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    inside = lanes < n
    values = tl.load(x + row * n + lanes, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, axis=0) / n
    off = tl.where(inside, values - mean, 0.0)
    scale = tl.rsqrt(tl.sum(off * off, axis=0) / n + eps)
    result = off * scale * tl.load(weight + lanes, mask=inside) + tl.load(bias + lanes, mask=inside)
    tl.store(out + row * n + lanes, result, mask=inside)


@triton.jit
def cross_entropy(loss, logits, targets, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    inside = lanes < classes
    target = tl.load(targets + row)
    values = tl.load(logits + row * classes + lanes, mask=inside, other=-float("inf"))
    wanted = tl.load(logits + row * classes + target)
    top = tl.max(values, axis=0)
    powers = tl.exp(values - top)
    total = tl.sum(powers, axis=0)
    tl.store(loss + row, tl.log(total) + top - wanted)
    tl.debug_barrier()
    gradient = powers / total - tl.where(lanes == target, 1.0, 0.0)
    tl.store(logits + row * classes + lanes, gradient, mask=inside)


@triton.jit
def embedding_gradient(gradient, rows, tokens, width, BLOCK: tl.constexpr):
    token = tl.load(tokens + tl.program_id(0))
    lanes = tl.arange(0, BLOCK)
    values = tl.load(rows + tl.program_id(0) * width + lanes, mask=lanes < width)
    tl.atomic_add(gradient + token * width + lanes, values, mask=lanes < width)


@triton.jit
def grouped_matmul(out, a, b, rows, columns, depth, stride_am, stride_bk, M: tl.constexpr, N: tl.constexpr,
                   K: tl.constexpr, GROUP: tl.constexpr):
    program = tl.program_id(0)
    tiles_m, tiles_n = tl.cdiv(rows, M), tl.cdiv(columns, N)
    group = program // (GROUP * tiles_n)
    first = group * GROUP
    size = min(tiles_m - first, GROUP)
    m = first + (program % (GROUP * tiles_n)) % size
    n = (program % (GROUP * tiles_n)) // size
    i = (m * M + tl.arange(0, M)) % rows
    j = (n * N + tl.arange(0, N)) % columns
    k = tl.arange(0, K)
    left = a + i[:, None] * stride_am + k[None, :]
    right = b + k[:, None] * stride_bk + j[None, :]
    total = tl.zeros((M, N), dtype=tl.float32)
    for step in range(0, tl.cdiv(depth, K)):
        rest = depth - step * K
        x = tl.load(left, mask=k[None, :] < rest, other=0.0)
        y = tl.load(right, mask=k[:, None] < rest, other=0.0)
        total = tl.dot(x, y, total)
        left += K
        right += K * stride_bk
    i = m * M + tl.arange(0, M)
    j = n * N + tl.arange(0, N)
    tl.store(out + i[:, None] * columns + j[None, :], total.to(tl.float16),
             mask=(i[:, None] < rows) & (j[None, :] < columns))


@triton.jit
def persistent(out, x, tiles, PROGRAMS: tl.constexpr, BLOCK: tl.constexpr):
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS):
        lanes = tile * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + lanes, tl.load(x + lanes) * 2)


@triton.jit
def convolution(out, x, kernel, height, width, SIZE: tl.constexpr, H: tl.constexpr, W: tl.constexpr):
    i = tl.program_id(0) * H + tl.arange(0, H)
    j = tl.program_id(1) * W + tl.arange(0, W)
    total = tl.zeros((H, W), tl.float32)
    for di in tl.static_range(SIZE):
        for dj in tl.static_range(SIZE):
            inside = (i[:, None] + di < height) & (j[None, :] + dj < width)
            values = tl.load(x + (i[:, None] + di) * width + j[None, :] + dj, mask=inside, other=0.0)
            total += values * tl.load(kernel + di * SIZE + dj)
    tl.store(out + i[:, None] * width + j[None, :], total, mask=(i[:, None] < height) & (j[None, :] < width))


@triton.jit
def attention(out, q, k, v, length, scale, CAUSAL: tl.constexpr, HEAD: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    start = tl.program_id(0) * M
    rows = start + tl.arange(0, M)
    head = tl.arange(0, HEAD)
    queries = tl.load(q + rows[:, None] * HEAD + head[None, :], mask=rows[:, None] < length, other=0.0)
    top = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    result = tl.zeros((M, HEAD), tl.float32)
    end = length
    if CAUSAL:
        end = min(length, start + M)
    for first in range(0, end, N):
        columns = first + tl.arange(0, N)
        keys = tl.load(k + columns[None, :] * HEAD + head[:, None], mask=columns[None, :] < length, other=0.0)
        scores = tl.dot(queries, keys, input_precision="ieee") * scale
        valid = columns[None, :] < length
        if CAUSAL:
            valid = valid & (columns[None, :] <= rows[:, None])
        scores = tl.where(valid, scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + columns[:, None] * HEAD + head[None, :], mask=columns[:, None] < length, other=0.0)
        result = result * shrink[:, None] + tl.dot(weights, values, input_precision="ieee")
        top = higher
    tl.store(out + rows[:, None] * HEAD + head[None, :], result / total[:, None], mask=rows[:, None] < length)
