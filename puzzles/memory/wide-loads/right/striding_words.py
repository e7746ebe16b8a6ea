"""A fixed grid strides over words, then over the bytes that are left; each byte of a word is turned by itself."""

from numba import cuda, uint32


@cuda.jit(device=True)
def turned(word):
    result = uint32(0)
    for place in range(0, 32, 8):
        result |= uint32(255 - (word >> place & 255)) << place
    return result


@cuda.jit
def by_words(out, a):
    for i in range(cuda.grid(1), len(a), cuda.gridsize(1)):
        out[i] = turned(a[i])


@cuda.jit
def by_bytes(out, a):
    i = cuda.grid(1)
    while i < len(a):
        out[i] = 255 - a[i]
        i += cuda.gridsize(1)


def negative(out, a, n):
    left = n % 4
    by_words[8, 64](out[: n - left].view("uint32"), a[: n - left].view("uint32"))
    by_bytes[1, 32](out[n - left :], a[n - left :])
