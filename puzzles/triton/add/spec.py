"""The first Triton kernel: a program per block, and no remainder."""

from gpulab.catalog.spec import Budget, Case, TritonPuzzle, drawn, empty, larger, normal, one_program_per

TILE = 64


def make(rng, blocks, block=TILE):
    n = blocks * block
    return Case(a=normal(rng, n), b=normal(rng, n), out=empty(n), BLOCK=block, sizes={"n": n, "BLOCK": block})


def cases(rng):
    for blocks in (1, 2, 3, 5):
        yield make(rng, blocks)
    yield make(rng, 3, 16)  # BLOCK is an argument: 64 may not be built in
    yield make(rng, 7, 128)
    yield make(rng, 2, 256)
    yield make(rng, 16)
    yield drawn(make(rng, larger(rng, 16)))


def picture(rng):
    return make(rng, 3, 16)


def reference(a, b):
    return a.astype("float64") + b


PUZZLE = TritonPuzzle(
    kernel="add",
    args="out a b BLOCK",
    launch=one_program_per("out", "BLOCK"),
    tile=TILE,
    picture=picture,
    budget=Budget(
        global_loads_per_output=2,  # a[i] and b[i], once
        needed=True,  # else a loop over all blocks in every program would pass: each writes the same values
        idea="Let each program do one block and no more: the programs are the loop.",
    ),
    exempt={
        "1": "blocks are full here: the next puzzle brings the remainder",
        "tile - 1": "blocks are full here: the next puzzle brings the remainder",
        "tile + 1": "blocks are full here: the next puzzle brings the remainder",
        "three blocks": "blocks are full here: the next puzzle brings the remainder",
    },
)
