"""The long run: random kernels by seed, failures made small.

    python -m tests.simt.fuzz --count 1000 --seed 7        # seeds 7 to 1006
    python -m tests.simt.fuzz --seed 42 --count 1 --show   # one of them, made small

Prints the seeds that failed and ends with status 1 if there were any.
"""

from __future__ import annotations

import argparse
import copy
import gc
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.simt.both_ways import Arrays, Differs, Refused, check, compare, digest, on_the_gpu, texts
from tests.simt.random_kernels import RandomKernel, Statement, random_kernel

BLOCKS = (7, 32, 33, 50, 64, 96, 131, 250)


@dataclass(frozen=True)
class Outcome:
    """What came of a kernel: "same", "refused", "differs" or "crashed", in words, and its results in short."""

    kind: str
    words: str = ""
    digest: str = ""

    @property
    def failed(self) -> bool:
        return self.kind in ("differs", "crashed")


def outcome(kernel: RandomKernel, threads: int, gpu: bool = False) -> Outcome:
    """Run a kernel on the CPU, in the simulator and, if asked, on a GPU."""
    try:
        return Outcome("same", digest=digest(check(kernel, threads, _same_on_a_gpu if gpu else None)))
    except Refused as refusal:
        return Outcome("refused", str(refusal))
    except Differs as difference:
        return Outcome("differs", str(difference))
    except Exception as error:
        return Outcome("crashed", f"{type(error).__name__}: {error}")


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
    parser.add_argument("--size", type=int, default=4, help="statements at the top level of each")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no kernel after this long")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--show", action="store_true", help="make failing kernels small and print them")
    parser.add_argument("--gpu", action="store_true", help="run them on a GPU as well")
    parser.add_argument("--record", metavar="FILE", help="write down the results' digests, for the tests")
    options = parser.parse_args()
    first = random.SystemRandom().randrange(10**6) if options.seed is None else options.seed
    print(f"seeds {first} to {first + options.count - 1}", flush=True)
    started = time.monotonic()
    found = _spread(range(first, first + options.count), options, started + options.seconds)
    counts = Counter(result.kind for result in found.values())
    print(f"{len(found)} kernels in {time.monotonic() - started:.0f} s: "
          + ", ".join(f"{number} {kind}" for kind, number in counts.most_common()))
    failed = sorted(seed for seed, result in found.items() if result.failed)
    if failed:
        print("failed seeds: " + " ".join(map(str, failed)))
    if options.record:
        digests = {str(seed): found[seed].digest for seed in sorted(found) if found[seed].digest}
        Path(options.record).write_text(json.dumps({"size": options.size, "digests": digests}, indent=0))
    return 1 if failed else 0


def _spread(seeds: range, options: argparse.Namespace, deadline: float) -> dict[int, Outcome]:
    """What came of each seed, worked on by several processes."""
    job = partial(run, options=options, deadline=deadline)
    count = min(options.processes, len(seeds))
    if count <= 1:
        return job(seeds)
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        shares = pool.map(job, [seeds[part::count] for part in range(count)])
        return {seed: result for share in shares for seed, result in share.items()}


def run(seeds: range, options: argparse.Namespace, deadline: float) -> dict[int, Outcome]:
    """What came of these seeds, as far as time allows; failures are printed as they come."""
    gc.disable()  # Numba's compilers make millions of objects; collecting them is a third of the time
    found: dict[int, Outcome] = {}
    for seed in seeds:
        if time.monotonic() > deadline:
            break
        kernel, threads = random_kernel(seed, options.size), BLOCKS[seed % len(BLOCKS)]
        result = found[seed] = outcome(kernel, threads, options.gpu)
        if result.failed:
            print(f"seed {seed}, blocks of {threads}: {result.kind}: {result.words}", flush=True)
            if options.show:
                _show(kernel, threads, result, options.gpu)
        if len(found) % 25 == 0:
            gc.collect()
    return found


def _show(kernel: RandomKernel, threads: int, result: Outcome, gpu: bool) -> None:
    small = smaller(kernel, lambda attempt: outcome(attempt, threads, gpu).kind == result.kind)
    print(texts(small).gpu, outcome(small, threads, gpu).words, sep="\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
