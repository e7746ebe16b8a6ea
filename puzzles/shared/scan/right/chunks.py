"""Sixteen threads scan eight cells each, one scans the sixteen sums, all add what came before."""

from numba import cuda, float32

TPB = 128
CHUNK = 8
CHUNKS = 16


@cuda.jit
def scan(out, a, n):
    cells = cuda.shared.array(TPB, float32)
    before = cuda.shared.array(CHUNKS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    cells[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    if t < CHUNKS:
        total = float32(0)
        for cell in range(t * CHUNK, (t + 1) * CHUNK):
            total += cells[cell]
            cells[cell] = total
        before[t] = total
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for chunk in range(CHUNKS):
            mine = before[chunk]
            before[chunk] = total
            total += mine
    cuda.syncthreads()
    if i < n:
        out[i] = cells[t] + before[t // CHUNK]
