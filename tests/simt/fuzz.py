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
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tests.simt.both_ways import Arrays, Differs, Refused, check, compare, on_the_gpu, texts
from tests.simt.random_kernels import RandomKernel, Statement, random_kernel

BLOCKS = (7, 32, 33, 50, 64, 96, 131, 250)


def outcome(kernel: RandomKernel, threads: int, gpu: bool = False) -> tuple[str, str]:
    """("same" | "refused" | "differs" | "crashed", in words)."""
    try:
        check(kernel, threads, _same_on_a_gpu if gpu else None)
    except Refused as refusal:
        return "refused", str(refusal)
    except Differs as difference:
        return "differs", str(difference)
    except Exception as error:
        return "crashed", f"{type(error).__name__}: {error}"
    return "same", ""


def _same_on_a_gpu(kernel: RandomKernel, expected: Arrays) -> None:
    compare(expected, on_the_gpu(kernel), "on the GPU")


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
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no kernel after this long")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="make failing kernels small and print them")
    parser.add_argument("--gpu", action="store_true", help="run them on a GPU as well")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    seeds = range(first, first + options.count)
    started = time.monotonic()
    job = partial(run, options=options, deadline=started + options.seconds)
    shares = [seeds[part :: options.processes] for part in range(options.processes)]
    if options.processes == 1:
        tallies = [job(seeds)]
    else:
        with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
            tallies = list(pool.map(job, shares))
    counts = sum((Counter(kind for kind, _ in tally) for tally in tallies), Counter())
    print(f"{sum(counts.values())} kernels in {time.monotonic() - started:.0f} s: "
          + ", ".join(f"{number} {kind}" for kind, number in counts.most_common()))
    failed = sorted(seed for tally in tallies for kind, seed in tally if kind in FAILURES)
    if failed:
        print("failed seeds: " + " ".join(map(str, failed)))
    return 1 if failed else 0


FAILURES = ("differs", "crashed")


def run(seeds: range, options: argparse.Namespace, deadline: float) -> list[tuple[str, int]]:
    """(outcome, seed) of each of these seeds that time allows."""
    gc.disable()  # Numba's compilers make millions of objects; collecting them is a third of the time
    found = []
    for seed in seeds:
        if time.monotonic() > deadline:
            break
        kernel, threads = random_kernel(seed, options.size), BLOCKS[seed % len(BLOCKS)]
        kind, words = outcome(kernel, threads, options.gpu)
        found.append((kind, seed))
        if kind in FAILURES:
            print(f"seed {seed}, blocks of {threads}: {kind}: {words}", flush=True)
            if options.show:
                small = smaller(kernel, lambda attempt, k=kind, t=threads: outcome(attempt, t, options.gpu)[0] == k)
                print(texts(small).gpu, outcome(small, threads, options.gpu)[1], sep="\n", flush=True)
        if len(found) % 25 == 0:
            gc.collect()
    return found


if __name__ == "__main__":
    sys.exit(main())
