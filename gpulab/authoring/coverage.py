"""Do the cases contain the sizes at which mistakes show? Executes specs, so it runs in a process of its own.

    python -m gpulab.authoring.coverage < [{"id", "spec", "seed"}]  ->  {id: [{"line", "message", "cure"}]}
"""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulab.authoring.problem import Problem

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.catalog.spec import Case, Spec


def of_puzzles(puzzles: Sequence[Puzzle], seed: int) -> dict[str, list[Problem]]:
    """Id -> what the cases lack, or what is wrong with the spec."""
    asked = [{"id": puzzle.id, "spec": str(puzzle.spec), "seed": seed} for puzzle in puzzles]
    done = subprocess.run(
        [sys.executable, "-m", "gpulab.authoring.coverage"], input=json.dumps(asked), capture_output=True, text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, timeout=600,
    )
    if done.returncode:
        last = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        return {puzzle.id: [Problem(puzzle.spec, None, f"The specs could not be read: {last}")] for puzzle in puzzles}
    found = json.loads(done.stdout)
    return {puzzle.id: [Problem(Path(problem.get("file", puzzle.spec)), problem["line"], problem["message"],
                                problem["cure"]) for problem in found[puzzle.id]] for puzzle in puzzles}


def _main() -> None:
    answers = {asked["id"]: list(_of_spec(asked["id"], Path(asked["spec"]), asked["seed"]))
               for asked in json.load(sys.stdin)}
    json.dump(answers, sys.stdout)


def _of_spec(id: str, path: Path, seed: int) -> Iterator[dict[str, Any]]:
    from gpulab.authoring import agreement
    from gpulab.catalog.errors import CatalogError
    from gpulab.catalog.specs import cases_of, load_spec

    try:
        spec = load_spec(path)
        cases = list(cases_of(spec, path, seed))
    except CatalogError as error:
        yield {"line": error.line, "message": error.problem, "cure": error.cure}
        return
    yield from agreement.problems_of(id, spec, cases)
    tile = _tile(spec, cases)
    if tile is None:
        yield {"line": None, "message": "Nothing says how many threads a block has.",
               "cure": "Give NumbaPuzzle a launch, or tile=, so that the cases can be held against it."}
        return
    for rule, kept in _rules(cases, tile).items():
        if not kept and rule not in spec.puzzle.exempt:
            yield {"line": None, "message": f"No case has {_WORDS[rule]} (tile {_shown(tile)}).",
                   "cure": f'Add one, or say in exempt why "{rule}" does not apply.'}


_WORDS = {
    "1": "a length of 1",
    "tile - 1": "a length of tile - 1 along every axis",
    "tile": "a length of exactly one tile along every axis",
    "tile + 1": "a length of tile + 1 along every axis",
    "three blocks": "more than two tiles and a remainder",
    "co-prime shapes": "two axes whose lengths have no common divisor",
}


def _tile(spec: Spec, cases: list[Case]) -> tuple[int, ...] | None:
    """Threads of a block along each axis that has more than one: as the puzzle says, or as the cases are launched."""
    said = spec.puzzle.tile
    if said is not None:
        return (said,) if isinstance(said, int) else tuple(said)
    for case in reversed(cases):
        launch = case.launch or (spec.puzzle.launch(case.args) if spec.puzzle.launch else None)
        if launch is not None:
            return tuple(extent for extent in launch.threads if extent > 1) or (1,)
    return None


def _rules(cases: list[Case], tile: tuple[int, ...]) -> dict[str, bool]:
    """Rule of `CASE_RULES` -> whether some case keeps it."""
    planes = [shape for case in cases for shape in _shapes(case) if len(shape) > 1]
    coprime = not planes or any(math.gcd(*shape) == 1 and min(shape) > 1 for shape in planes)
    best = max((_along(lengths, tile) for lengths in _axes(cases, len(tile))), key=lambda rules: sum(rules.values()))
    return best | {"co-prime shapes": coprime}


def _axes(cases: list[Case], many: int) -> Iterator[tuple[set[int], ...]]:
    """Each choice of `many` axes as the sets of their lengths: the sizes by name, or the axes of all arrays in one."""
    named: dict[str, set[int]] = {}
    for case in cases:
        for name, length in case.sizes.items():
            named.setdefault(name, set()).add(length)
    everywhere = {n for case in cases for shape in _shapes(case) for n in shape}
    if len(named) < many or many == 1:
        yield (everywhere.union(*named.values()),) * many
    if len(named) >= many:
        yield from itertools.permutations(named.values(), many)


def _along(lengths: tuple[set[int], ...], tile: tuple[int, ...]) -> dict[str, bool]:
    """The rules on lengths, each for every axis and the tile's extent along it."""
    axes = list(zip(lengths, tile, strict=True))
    return {
        "1": all(1 in of_axis for of_axis, _ in axes),
        "tile - 1": all(extent - 1 in of_axis for of_axis, extent in axes),
        "tile": all(extent in of_axis for of_axis, extent in axes),
        "tile + 1": all(extent + 1 in of_axis for of_axis, extent in axes),
        "three blocks": all(any(n > 2 * extent and n % extent for n in of_axis) for of_axis, extent in axes),
    }


def _shapes(case: Case) -> list[tuple[int, ...]]:
    return [tuple(value.shape) for value in case.args.values() if hasattr(value, "shape")]


def _shown(tile: tuple[int, ...]) -> str:
    return " x ".join(map(str, tile))


if __name__ == "__main__":
    _main()
