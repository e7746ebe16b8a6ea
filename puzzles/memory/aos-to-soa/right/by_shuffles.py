"""No shared memory: a warp loads 96 numbers into three variables a lane, and the lanes pass them on."""

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def pick(low, middle, high, number):
    """Number 0 to 95 of those that the warp holds, 32 in each variable."""
    lane = number % 32
    a = cuda.shfl_sync(FULL, low, lane)
    b = cuda.shfl_sync(FULL, middle, lane)
    c = cuda.shfl_sync(FULL, high, lane)
    return a if number < 32 else (b if number < 64 else c)


@cuda.jit
def split(x, y, z, points, n):
    i = cuda.grid(1)
    lane = cuda.laneid
    first = 3 * (i - lane) + lane
    low = points[first] if first < 3 * n else float32(0)
    middle = points[first + 32] if first + 32 < 3 * n else float32(0)
    high = points[first + 64] if first + 64 < 3 * n else float32(0)
    mine_x = pick(low, middle, high, 3 * lane)
    mine_y = pick(low, middle, high, 3 * lane + 1)
    mine_z = pick(low, middle, high, 3 * lane + 2)
    if i < n:
        x[i] = mine_x
        y[i] = mine_y
        z[i] = mine_z
