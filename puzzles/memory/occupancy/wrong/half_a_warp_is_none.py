# verdict: wrong answer
# A block of 33 threads has two warps, not one.
from numba import cuda

WARPS, BLOCKS = 64, 32
PARTS, PART = 4, 16384
SHARED = 233472


@cuda.jit
def resident(warps, threads, registers, shared, n):
    i = cuda.grid(1)
    if i < n:
        of_block = max(1, threads[i] // 32)
        of_warp = (32 * registers[i] + 255) // 256 * 256
        by_registers = PARTS * (PART // of_warp) // of_block
        by_shared = SHARED // ((shared[i] + 1024 + 127) // 128 * 128)
        warps[i] = of_block * min(BLOCKS, WARPS // of_block, by_registers, by_shared)
