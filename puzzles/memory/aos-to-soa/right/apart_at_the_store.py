"""Three shared arrays: the numbers are parted when they come in, and leave in the order in which they lie."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def split(x, y, z, points, n):
    xs = cuda.shared.array(TPB, float32)
    ys = cuda.shared.array(TPB, float32)
    zs = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * TPB + t
    for part in range(3):
        cell = part * TPB + t
        source = cuda.blockIdx.x * 3 * TPB + cell
        value = points[source] if source < points.size else float32(0)
        if cell % 3 == 0:
            xs[cell // 3] = value
        elif cell % 3 == 1:
            ys[cell // 3] = value
        else:
            zs[cell // 3] = value
    cuda.syncthreads()
    if i < n:
        x[i], y[i], z[i] = xs[t], ys[t], zs[t]
