"""Rounds up by math.ceil; the rules one after the other, each with an if."""

import math

from numba import cuda


@cuda.jit
def resident(warps, threads, registers, shared, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < threads.shape[0]:
        in_a_block = int(math.ceil(threads[i] / 32))
        most = 64 // in_a_block
        if most > 32:
            most = 32
        chunks = int(math.ceil(registers[i] / 8))  # 256 registers each, 64 in a part
        by_registers = 4 * (64 // chunks) // in_a_block
        if by_registers < most:
            most = by_registers
        pieces = 8 + int(math.ceil(shared[i] / 128))  # 128 bytes each, 1824 in all
        if 1824 // pieces < most:
            most = 1824 // pieces
        warps[i] = most * in_a_block
