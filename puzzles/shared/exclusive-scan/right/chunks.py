"""32 threads scan 8 cells each, one warp's worth of sums is scanned in 5 steps, then every thread adds its chunk's."""

from numba import cuda, float32

TPB = 256
CHUNK = 8
CHUNKS = 32


@cuda.jit
def scan(out, a, n):
    cells = cuda.shared.array(TPB, float32)
    before = cuda.shared.array(CHUNKS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        cells[t] = a[i]
    else:
        cells[t] = 0
    cuda.syncthreads()
    total = float32(0)
    if t < CHUNKS:
        for cell in range(t * CHUNK, (t + 1) * CHUNK):
            mine = cells[cell]
            cells[cell] = total
            total += mine
        before[t] = total
    step = 1
    while step < CHUNKS:
        cuda.syncthreads()
        left = float32(0)
        if step <= t < CHUNKS:
            left = before[t - step]
        cuda.syncthreads()
        if t < CHUNKS:
            before[t] += left
        step *= 2
    cuda.syncthreads()
    if i < n:
        out[i] = cells[t] + (before[t // CHUNK - 1] if t >= CHUNK else float32(0))
