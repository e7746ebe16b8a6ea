"""A quotient of two whole numbers is a float64, and what it meets becomes one too."""

import numpy as np

from gpulab.catalog.spec import (
    Answer,
    Budget,
    Case,
    NumbaPuzzle,
    Tolerance,
    drawn,
    empty,
    larger,
    normal,
    one_thread_per,
    sizes,
)

TPB = 128


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TPB):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))


def picture(rng):
    return make(rng, 2 * TPB)


def reference(a, n):
    x = np.arange(n) / n
    return a * (3 * x**2 - 2 * x**3)


PUZZLE = NumbaPuzzle(
    kernel="fade_in",
    args="out a n",
    launch=one_thread_per("out", TPB),
    picture=picture,
    tolerance=Tolerance(1e-5, 1e-6),  # six float32 operations
    budget=Budget(
        flops_float64=0,  # the reference makes none, the starter one to four on each of three lines
        needed=True,
        idea="Make both whole numbers float32 before they are divided.",
    ),
    # where the first float64 comes from; the two lines below only go on with it
    answer=Answer(lines=(10,), kind="over budget"),
)
