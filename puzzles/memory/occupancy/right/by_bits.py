"""Rounds up with masks, and strides over the launches."""

from numba import cuda


@cuda.jit(device=True)
def up(value, power_of_two):
    return (value + power_of_two - 1) & ~(power_of_two - 1)


@cuda.jit
def resident(warps, threads, registers, shared, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        mine = up(threads[i], 32) >> 5
        blocks = min(32, 64 // mine)
        blocks = min(blocks, ((1 << 14) // up(registers[i] << 5, 256) << 2) // mine)
        blocks = min(blocks, 233472 // up(shared[i] + 1024, 128))
        warps[i] = blocks * mine
