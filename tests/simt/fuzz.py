"""The long run: random kernels by seed, failures made small.

    python -m tests.simt.fuzz --count 1000 --seed 7        # seeds 7 to 1006
    python -m tests.simt.fuzz --seed 42 --count 1 --show   # one of them, made small

Prints the seeds that failed and ends with status 1 if there were any.
"""

from __future__ import annotations

import argparse
import copy
import gc
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator

from tests.simt.both_ways import Differs, Refused, check, texts
from tests.simt.random_kernels import RandomKernel, Statement, random_kernel

BLOCKS = (7, 32, 33, 50, 64, 96, 131, 250)


def outcome(kernel: RandomKernel, threads: int) -> tuple[str, str]:
    """("same" | "refused" | "differs" | "crashed", in words)."""
    try:
        check(kernel, threads)
    except Refused as refusal:
        return "refused", str(refusal)
    except Differs as difference:
        return "differs", str(difference)
    except Exception as error:
        return "crashed", f"{type(error).__name__}: {error}"
    return "same", ""


def smaller(kernel: RandomKernel, fails: Callable[[RandomKernel], bool]) -> RandomKernel:
    """The kernel with statements taken away as long as it still fails."""
    progress = True
    while progress:
        progress = False
        for position in range(len(list(_places(kernel.body))) - 1, -1, -1):
            for replace in (_remove, _unwrap):
                attempt = copy.deepcopy(kernel)
                places = list(_places(attempt.body))
                if position >= len(places):
                    break
                replace(*places[position])
                if attempt.text() != kernel.text() and attempt.text().strip() and fails(attempt):
                    kernel, progress = attempt, True
                    break
    return kernel


def _places(body: list[Statement]) -> Iterator[tuple[list[Statement], int]]:
    """Every statement as (the block it is in, its position)."""
    for position, statement in enumerate(body):
        yield body, position
        for _, inner in statement.bodies:
            yield from _places(inner)


def _remove(block: list[Statement], position: int) -> None:
    del block[position]


def _unwrap(block: list[Statement], position: int) -> None:
    """A compound becomes what was in it."""
    if block[position].bodies:
        block[position : position + 1] = [inner for _, body in block[position].bodies for inner in body]


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the simulator with plain Python on random kernels.")
    parser.add_argument("--seed", type=int, default=None, help="the first seed (default: a fresh one)")
    parser.add_argument("--count", type=int, default=1000, help="how many kernels")
    parser.add_argument("--size", type=int, default=5, help="statements at the top level of each")
    parser.add_argument("--show", action="store_true", help="make failing kernels small and print them")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    failed = run(range(first, first + options.count), options.size, options.show)
    return 1 if failed else 0


def run(seeds: range, size: int, show: bool) -> list[int]:
    """Check these seeds; the ones that failed."""
    gc.disable()  # Numba's compilers make millions of objects; collecting them is a third of the time
    counts: Counter[str] = Counter()
    failed: list[int] = []
    started = time.monotonic()
    for seed in seeds:
        kernel, threads = random_kernel(seed, size), BLOCKS[seed % len(BLOCKS)]
        kind, words = outcome(kernel, threads)
        counts[kind] += 1
        if kind in ("differs", "crashed"):
            failed.append(seed)
            print(f"seed {seed}, blocks of {threads}: {kind}: {words}", flush=True)
            if show:
                small = smaller(kernel, lambda attempt, k=kind, t=threads: outcome(attempt, t)[0] == k)
                print(texts(small).gpu, outcome(small, threads)[1], sep="\n", flush=True)
        if seed % 50 == 49:
            gc.collect()
    seconds = time.monotonic() - started
    print(f"{sum(counts.values())} kernels in {seconds:.0f} s: "
          + ", ".join(f"{number} {kind}" for kind, number in counts.most_common()))
    if failed:
        print("failed seeds: " + " ".join(map(str, failed)))
    return failed


if __name__ == "__main__":
    sys.exit(main())
