"""Sum rows: out[r] = a[r, 0] + a[r, 1] + ... + a[r, columns - 1]."""

from numba import cuda, float32

TPB = 64  # threads per block, a block per row: sum_rows[rows, TPB]


@cuda.jit
def sum_rows(out, a, rows, columns):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    row = cuda.blockIdx.x
    # 1. sum the elements t, t + 64, t + 128 ... of this row
    #    in a variable, then store it in sums; wait
    # 2. the tree: half of the threads add what the other half holds,
    #    then half of these, and so on; wait each time
    # 3. one thread writes out[row]
