"""Sums begin with the first products instead of zeros, flat local arrays, and one shared array for both tiles."""

from numba import cuda, float32

CELLS = 4096  # 2048 of a, then 2048 of b


@cuda.jit
def matmul(out, a, b, m, n, k):
    cells = cuda.shared.array(CELLS, float32)
    sums = cuda.local.array(64, float32)
    right = cuda.local.array(8, float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    for step in range(k // 16):
        if step > 0:
            cuda.syncthreads()
        for part in range(8):
            row = 16 * part + ty
            cells[16 * row + tx] = a[cuda.blockIdx.y * 128 + row, 16 * step + tx]
            column = 16 * part + tx
            cells[2048 + 128 * ty + column] = b[16 * step + ty, cuda.blockIdx.x * 128 + column]
        cuda.syncthreads()
        for d in range(16):
            for j in range(8):
                right[j] = cells[2048 + 128 * d + 16 * j + tx]
            for i in range(8):
                left = cells[16 * (16 * i + ty) + d]
                for j in range(8):
                    before = sums[8 * i + j] if step + d > 0 else float32(0)
                    sums[8 * i + j] = before + left * right[j]
    for i in range(8):
        for j in range(8):
            out[cuda.blockIdx.y * 128 + 16 * i + ty, cuda.blockIdx.x * 128 + 16 * j + tx] = sums[8 * i + j]
