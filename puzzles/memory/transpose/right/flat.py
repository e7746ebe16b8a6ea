"""The threads numbered through, the tile flat, zeros where a ends; threads past the edge do not come back."""

from numba import cuda, float32

CELLS = 4160  # 64 rows of 65


@cuda.jit(device=True)
def fetch(a, y, x):
    return a[y, x] if y < a.shape[0] and x < a.shape[1] else float32(0)


@cuda.jit
def transpose(out, a, rows, columns):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    top, left = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    for cell in range(t, 4096, 512):
        tile[cell // 64 * 65 + cell % 64] = fetch(a, top + cell // 64, left + cell % 64)
    cuda.syncthreads()
    if top + t % 64 >= rows:
        return
    for k in range(t // 64, 64, 8):
        if left + k < columns:
            out[left + k, top + t % 64] = tile[t % 64 * 65 + k]
