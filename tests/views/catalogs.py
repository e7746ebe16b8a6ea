"""A catalogue of 24 puzzles with texts of their own, so that no test depends on what the real ones say."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from gpulab.catalog.model import Catalog, Puzzle, StarTexts, Track
from gpulab.judge.report import Stars
from gpulab.workspace.records import Attempt, Standing

NAMES = {
    "threads": "map zip guard map-2d broadcast blocks blocks-2d grid-stride choose-the-launch strides",
    "shared": "stage pooling dot conv1d axis-sum block-sum scan exclusive-scan scan-any-length histogram",
    "matmul": "naive coalesced tiled ragged-tiles",
}
ABOUT = {
    "threads": ("Every thread runs the same function and finds out by its index what to do.", "indices, guards, grids"),
    "shared": ("Threads of a block work on one small, fast memory and must wait for each other.",
               "tiles, barriers, scans"),
    "matmul": ("The same product four times, each with less memory traffic than the one before.", "tiling, registers"),
}
AFTER = {"shared": {"threads": 6}, "matmul": {"shared": 3}}

STATEMENT = """\
Three loads per output would be easy, and three times the traffic. Instead,
each block copies its stretch of `a` into a shared tile, waits until all of it
is there, and adds from the tile. To the left of `a[0]` there are zeros.

```
           ┌───┬───┬───┬───┬───┬───┬───┬───┐
a   global │ 3 │ 1 │ 4 │ 1 │ 5 │ 9 │ 2 │ 6 │
           └───┴───┴───┴───┴───┴───┴───┴───┘
                     ╰───┴───┤               thread 4 adds three, writes one
           ┌───┬───┬───┬───┬───┬───┬───┬───┐
out global │ 3 │ 4 │ 8 │ 6 │10 │15 │16 │17 │ 4 + 1 + 5 = 10
           └───┴───┴───┴───┴───┴───┴───┴───┘
```
"""

HINTS = """\
## Which cell, which threads?
> Points at one cell of the tile and the threads that meet there.

Take `tile[33]`. Which thread fills it? Which threads read it? They are not all in the same warp, and warps do
not keep step with each other.

## Who waits for whom?
> Says what must hold before the first thread may read.

Nobody may add before everybody has copied. Put between *fill* and *add* the call that holds each thread.

## The two cells on the left
> Tells who fetches the halo, and what block 0 does.

A block needs 64 elements of its own and two from its left neighbour: `a[i - 2]` for threads 0 and 1.

## Nearly the code
> Gives the lines, all but the guards.

    tile[t + 2] = a[i]                      # guard: only where i < n
    cuda.syncthreads()                      # outside every if
"""

AFTER_TEXT = """\
Each element is fetched once and used three times, from a memory that is far
nearer. The price is an agreement: nobody reads before all have written. That
is the barrier. All threads must come to it, so it stands outside every `if`.
The two cells that a block takes from next door are called a halo.

On a real GPU the second and third load of the plain version are mostly served by the L1 cache, so the gain here is
modest. The pattern is the point.
"""


def puzzle(root: Path, track: str, name: str) -> Puzzle:
    id = f"{track}/{name}"
    pooling = name == "pooling"
    return Puzzle(
        id=id, title=name.capitalize(),
        summary="Sum each element with its two left neighbours, loading each element from global memory only once."
        if pooling else f"Write the kernel of {name} for every size.",
        language="numba", minutes=10, write="pool(out, a, n)" if pooling else f"{name.replace('-', '_')}(out, a, n)",
        launched="pool[blocks, 64], a thread per element" if pooling else "one thread per element",
        stars=StarTexts("right for every n, and sound: no race, nothing out of bounds",
                        "at most 1.04 global loads per output" if pooling else None,
                        "at least 80 % of this card's copy bandwidth" if pooling else None, pooling),
        folder=root / "puzzles" / id, reference=root / "kernels" / f"{id}.py",
    )


def catalog(root: Path) -> Catalog:
    """All 24 puzzles below `root`, where `write_texts` may put their files."""
    return Catalog(tuple(
        Track(id, id.capitalize(), *ABOUT[id], tuple(puzzle(root, id, name) for name in names.split()),
              AFTER.get(id, {}))
        for id, names in NAMES.items()
    ), root)


def write_texts(catalog: Catalog, starter: str, reference: str) -> None:
    """The files that Brief, hints, explanation, starter and reference are read from."""
    for one in catalog.puzzles:
        one.folder.mkdir(parents=True, exist_ok=True)
        one.reference.parent.mkdir(parents=True, exist_ok=True)
        (one.folder / "statement.md").write_text(f"---\ntitle: {one.title}\n---\n{STATEMENT}", "utf-8")
        (one.folder / "hints.md").write_text(HINTS, "utf-8")
        (one.folder / "after.md").write_text(AFTER_TEXT, "utf-8")
        one.starter.write_text(starter, "utf-8")
        one.reference.write_text(reference, "utf-8")


def attempt(puzzle: str, verdict: str = "passed", line: int | None = None, when: str = "2026-11-12T14:02:31",
            stars: Stars | None = None) -> Attempt:
    stars = stars or Stars(True, True, None)
    return Attempt(f"{puzzle}-{when}", puzzle, datetime.fromisoformat(when), verdict, stars, line, 0.1, 0, "0" * 64)


def standings() -> dict[str, Standing]:
    """A learner in the middle of shared/pooling: 7 of threads, 1 of shared solved."""
    found = {}
    for place, name in enumerate(NAMES["threads"].split()[:7]):
        stars = Stars(True, place != 3, True if place < 3 else None)
        found[f"threads/{name}"] = Standing(stars, True, 2, attempt(f"threads/{name}", stars=stars))
    found["shared/stage"] = Standing(Stars(True, True), True, 3, attempt("shared/stage", when="2026-11-27T10:00:00"))
    failed = attempt("shared/pooling", "race", 17, "2026-11-30T14:02:31", Stars(False))
    found["shared/pooling"] = Standing(Stars(False), False, 3, failed, hints=1)
    return found
