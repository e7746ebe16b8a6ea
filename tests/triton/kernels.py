"""Kernels for tests, right and wrong. (Triton reads a kernel's source, so they stand in a file.)"""

import triton
import triton.language as tl


@triton.jit
def add(out, x, y, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=inside) + tl.load(y + offsets, mask=inside), mask=inside)


@triton.jit
def softmax(out, x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + columns, mask=columns < n, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * n + columns, powers / tl.sum(powers, axis=0), mask=columns < n)


@triton.jit
def softmax_without_other(out, x, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + columns, mask=columns < n)
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * n + columns, powers / tl.sum(powers, axis=0), mask=columns < n)


@triton.jit
def maximum_without_other(out, x, n, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    tl.store(out, tl.max(tl.load(x + columns, mask=columns < n), axis=0))


@triton.jit
def sum_of_chosen(out, x, n, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + columns, mask=columns < n)
    tl.store(out, tl.sum(tl.where(columns < n, values, 0.0), axis=0))


@triton.jit
def matmul(out, a, b, rows, columns, depth, TILE: tl.constexpr, PRECISION: tl.constexpr):
    m = tl.program_id(0) * TILE + tl.arange(0, TILE)
    n = tl.program_id(1) * TILE + tl.arange(0, TILE)
    total = tl.zeros((TILE, TILE), tl.float32)
    for start in range(0, depth, TILE):
        k = start + tl.arange(0, TILE)
        left = tl.load(a + m[:, None] * depth + k[None, :], mask=(m[:, None] < rows) & (k[None, :] < depth), other=0.0)
        right = tl.load(b + k[:, None] * columns + n[None, :], mask=(k[:, None] < depth) & (n[None, :] < columns),
                        other=0.0)
        total += tl.dot(left, right, input_precision=PRECISION)
    tl.store(out + m[:, None] * columns + n[None, :], total, mask=(m[:, None] < rows) & (n[None, :] < columns))


@triton.jit
def bfloat16_steps(total, product, quotient, x, y, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a = tl.load(x + lanes).to(tl.bfloat16)
    b = tl.load(y + lanes).to(tl.bfloat16)
    tl.store(total + lanes, (a + b).to(tl.float32))
    tl.store(product + lanes, (a * b - a).to(tl.float32))
    tl.store(quotient + lanes, (a / b).to(tl.float32))


@triton.jit
def integers(quotient, remainder, shifted, wrapped, x, y, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a, b = tl.load(x + lanes), tl.load(y + lanes)
    tl.store(quotient + lanes, a // b)
    tl.store(remainder + lanes, a % b)
    tl.store(shifted + lanes, a >> 3)
    tl.store(wrapped + lanes, a * 65537 + 2147483647)


@triton.jit
def casts(whole, half, x, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    tl.store(whole + lanes, values.to(tl.int32))
    tl.store(half + lanes, values.to(tl.float16))


@triton.jit
def shapes(out, x, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    square = tl.trans(tl.reshape(values, (BLOCK // 4, 4)))
    running = tl.cumsum(square, axis=1)
    top, place = tl.max(square, axis=1, return_indices=True)
    both = tl.join(running, square)
    first, second = tl.split(both)
    result = tl.where(first > second, first, second) + top[:, None] + place[:, None]
    tl.store(out + tl.arange(0, 4)[:, None] * (BLOCK // 4) + tl.arange(0, BLOCK // 4)[None, :], result)


@triton.jit
def _wider(value, index, other, other_index):
    better = other > value
    return tl.where(better, other, value), tl.where(better, other_index, index)


@triton.jit
def widest(out, x, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    _, at = tl.reduce((tl.load(x + lanes), lanes), 0, _wider)
    tl.store(out, at)


@triton.jit
def random(out, seed, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.rand(seed, lanes))


@triton.jit
def methods(out, x, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    print("largest:", values.max(axis=0))
    tl.device_print("sum: ", values.sum(0))
    tl.store(out, values.sum(0) + values.to(tl.int32).sum(axis=0) + values.abs().max(0))


@triton.jit
def early(out, n):
    program = tl.program_id(0)
    if program >= n:
        return
    tl.store(out + program, 1.0 if program == 0 else 2.0)


@triton.jit
def logic(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = lanes < n and lanes >= 0
    values = tl.load(x + lanes, mask=inside, other=0.0)
    big = not (values <= 0.0)
    chosen = 1.0
    if tl.program_id(0) > 1 and n > 3:
        chosen = 2.0
    tl.store(out + lanes, tl.where(big, values * chosen, -values), mask=inside)


@triton.jit
def rows_of_own_length(out, x, lengths, width, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = 0.0
    start = 0
    length = tl.load(lengths + row)
    while start < length:
        lanes = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row * width + lanes, mask=lanes < length, other=0.0), axis=0)
        start += BLOCK
    tl.store(out + row, total)


@triton.jit
def counted(totals, tickets, x, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    ticket = tl.atomic_add(totals + values, 1)
    tl.store(tickets + lanes, ticket)


@triton.jit
def negative(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes - 1, mask=lanes < n, other=0.0), mask=lanes < n)


@triton.jit
def one_place(out, x, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + tl.arange(0, BLOCK), tl.load(x + lanes))


@triton.jit
def lost_update(out, x, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + lanes), axis=0)
    before = tl.load(out)
    tl.store(out, before + part)


@triton.jit
def scattered(out, x, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes // 2, tl.load(x + lanes))


@triton.jit
def same_value(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), tl.full((BLOCK,), 7.0, tl.float32))


@triton.jit
def neighbours(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.load(x + lanes, mask=lanes < n, other=0.0)
    total += tl.load(x + lanes + 1, mask=lanes + 1 < n, other=0.0)
    tl.store(out + lanes, total, mask=lanes < n)


@triton.jit
def columns_of(out, x, rows, width, ROWS: tl.constexpr):
    at = tl.arange(0, ROWS)
    values = tl.load(x + at * width + tl.program_id(0), mask=at < rows, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(values, axis=0))


@triton.jit
def for_ever(out, n):
    i = n
    while i > 0:
        i += 0
    tl.store(out, i)


@triton.jit
def last_one_adds_up(out, parts, tickets, x, BLOCK: tl.constexpr, COUNT: tl.constexpr, WAITS: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(parts + tl.program_id(0), tl.sum(tl.load(x + lanes), axis=0))
    if WAITS:
        tl.debug_barrier()
    if tl.atomic_add(tickets, 1) == tl.num_programs(0) - 1:
        tl.store(out, tl.sum(tl.load(parts + tl.arange(0, COUNT)), axis=0))


@triton.jit
def one_at_a_time(out, lock, x, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    mine = tl.load(x + tl.program_id(0) * BLOCK + lanes)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    before = tl.load(out + lanes)
    tl.store(out + lanes, before + mine)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def turned_around(out, x, BLOCK: tl.constexpr, WAITS: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes))
    if WAITS:
        tl.debug_barrier()
    turned = tl.load(out + BLOCK - 1 - lanes)
    tl.debug_barrier()
    tl.store(out + lanes, turned)


@triton.jit
def helper(lanes, n):
    return lanes < n


@triton.jit
def of_a_helper(out, x, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, _loaded(x, lanes), mask=helper(lanes, n))


@triton.jit
def _loaded(x, lanes):
    return tl.load(x + lanes)
