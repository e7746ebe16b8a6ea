"""Adds block after block until one does not fit."""

from numba import cuda


@cuda.jit(device=True)
def fits(blocks, warps, registers, shared):
    """Whether so many blocks have room, `registers` for each warp and `shared` bytes for each block."""
    if blocks > 32 or blocks * warps > 64 or blocks * shared > 228 * 1024:
        return False
    in_a_part = 0
    while (in_a_part + 1) * registers <= 16 * 1024:
        in_a_part += 1
    return blocks * warps <= 4 * in_a_part


@cuda.jit
def resident(warps, threads, registers, shared, n):
    i = cuda.grid(1)
    if i >= n:
        return
    in_a_block = 0
    left = threads[i]
    while left > 0:
        in_a_block += 1
        left -= 32
    of_warp = 8 * ((registers[i] + 7) // 8) * 32
    bytes_asked = shared[i]
    of_block = 1024
    while of_block - 1024 < bytes_asked:
        of_block += 128
    blocks = 0
    while fits(blocks + 1, in_a_block, of_warp, of_block):
        blocks += 1
    warps[i] = blocks * in_a_block
