"""A loop fills all cells, whoever comes by; the weights stay in the order of the threads."""

import numba
from numba import cuda

TPB = 64
MOST_K = 5
CELLS = 68


@cuda.jit
def conv(out, a, w, n, k):
    tile = cuda.shared.array(CELLS, numba.float32)
    weights = cuda.shared.array(MOST_K, numba.float32)
    first = cuda.blockIdx.x * cuda.blockDim.x
    cell = cuda.threadIdx.x
    while cell < TPB + k - 1:
        tile[cell] = a[first + cell] if first + cell < a.size else numba.float32(0.0)
        cell += TPB
    if cuda.threadIdx.x < k:
        weights[cuda.threadIdx.x] = w[cuda.threadIdx.x]
    cuda.syncthreads()
    i = first + cuda.threadIdx.x
    if i >= n:
        return
    total = numba.float32(0.0)
    for j in range(k):
        total += tile[cuda.threadIdx.x + j] * weights[j]
    out[i] = total
