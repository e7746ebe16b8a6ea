"""Speeds of particles, a record of eight numbers each: columns 3 and 4 are vx and vy."""

from numba import cuda


@cuda.jit
def speed2(out, p, n):
    i = cuda.grid(1)
    if i < n:
        vx = p[i, 3]
        vy = p[i, 4]
        out[i] = vx * vx + vy * vy
