"""Does the statement promise what the spec asks for? Runs where specs are executed (see coverage.py)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulab.catalog.fields import Fields, read_mapping
from gpulab.catalog.loading import read_puzzle
from gpulab.catalog.text import split_front_matter

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.catalog.spec import Budget, Case, NumbaPuzzle, Spec

_WORDS = {"no": 0, "none": 0, "nothing": 0, "one": 1, "once": 1, "two": 2, "twice": 2, "three": 3, "four": 4, "five": 5,
          "six": 6, "eight": 8}
_CONSTANT_FROM = 8
"""Elements from which an input of equal values is no accident."""

Found = dict[str, Any]
"""{"file", "line", "message", "cure"}."""


def problems_of(id: str, spec: Spec, cases: list[Case]) -> Iterator[Found]:
    """Where front matter and spec of the puzzle in the spec's folder say different things."""
    folder = spec_folder(spec)
    puzzle = read_puzzle(id, folder, folder / "reference.py")
    text = _FrontMatter(folder / "statement.md")
    yield from _signature(puzzle, spec.puzzle, text)
    if (puzzle.language == "triton") != spec.puzzle.programs:
        kind = type(spec.puzzle).__name__
        yield text.problem("language", f"The statement says language: {puzzle.language}, the spec has a {kind}.",
                           "Make them agree: Triton's have a TritonPuzzle.")
    if puzzle.hunt != (spec.puzzle.answer is not None):
        has = "has" if spec.puzzle.answer else "has no"
        yield text.problem("hunt" if puzzle.hunt else "title", f"The spec {has} answer=, the statement says hunt: "
                           f"{str(puzzle.hunt).lower()}.", "Make them agree: a bug hunt has both.")
    yield from _efficient(puzzle, spec.puzzle.budget, cases, text)
    yield from _fast(puzzle, spec.puzzle, text)
    yield from _constant(cases, folder / "spec.py")


def spec_folder(spec: Spec) -> Path:
    """The folder of the file that defines the spec's cases."""
    return Path(spec.cases.__code__.co_filename).parent


class _FrontMatter:
    """The lines on which the keys of a statement's front matter stand."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._fields: Fields = read_mapping(file, split_front_matter(file)[0], offset=1)
        self._stars = self._fields.mapping("stars")

    def problem(self, key: str, message: str, cure: str) -> Found:
        """A problem at the line of `key`, of the mapping itself or of its stars."""
        owner = self._fields if self._fields.has(key) else self._stars
        line = owner.line(owner.where(key)) if owner.has(key) else self._stars.line()
        return {"file": str(self.file), "line": line, "message": message, "cure": cure}


def _signature(puzzle: Puzzle, spec: NumbaPuzzle, text: _FrontMatter) -> Iterator[Found]:
    call = f"{spec.kernel or spec.host}({', '.join(spec.parameters)})"
    if puzzle.write != call:
        yield text.problem("write", f"The statement asks for {puzzle.write}, the spec for {call}.", "Make them agree.")


def _efficient(puzzle: Puzzle, budget: Budget | None, cases: list[Case], text: _FrontMatter) -> Iterator[Found]:
    said = puzzle.stars.efficient
    if budget is None:
        if said:
            yield text.problem("efficient", "The spec has no budget, so nothing gives the second star.", "Add one.")
        return
    if said is None:
        yield text.problem("correct", "The spec has a budget, but the second star is not mentioned.",
                           "Add efficient: and its figure below stars:.")
        return
    if puzzle.stars.efficient_needed != budget.needed:
        yield text.problem("efficient_needed", f"The spec says needed={budget.needed}, the statement another thing.",
                           f"Write efficient_needed: {str(budget.needed).lower()}.")
    limits = [*budget.limits.values(), *([budget.launches] if budget.launches is not None else [])]
    sizes = _largest(cases).sizes
    if limits and not any(_says(said, limit, sizes) for limit in limits):
        shown = " or ".join(f"{limit:g}" for limit in limits)
        yield text.problem("efficient", f'"{said}" names no limit of the budget ({shown}).', "Say the figure.")
    if not budget.idea:
        yield {"file": str(text.file.with_name("spec.py")), "line": None, "message": "The budget has no idea=.",
               "cure": "Say in one sentence what keeps it: it is shown when the budget is passed."}


def _fast(puzzle: Puzzle, spec: NumbaPuzzle, text: _FrontMatter) -> Iterator[Found]:
    fast = spec.bench.fast if spec.bench else None
    said = puzzle.stars.fast
    if said and fast is None:
        yield text.problem("fast", "The spec's bench has no fast=, so nothing gives the third star.", "Add it.")
    elif fast is not None and said is None:
        yield text.problem("correct", "The spec's bench has fast=, but the third star is not mentioned.",
                           "Add fast: and its figure below stars:.")
    elif fast is not None and said and not (_says(said, fast, {}) or _says(said, round(100 * fast, 6), {})):
        yield text.problem("fast", f'"{said}" does not name {100 * fast:g} %.', "Say the figure.")


def _constant(cases: list[Case], file: Path) -> Iterator[Found]:
    """Equal values hide swapped axes and missed elements."""
    for name, value in _largest(cases).inputs.items():
        if isinstance(value, np.ndarray) and value.size >= _CONSTANT_FROM and np.all(value == value.flat[0]):
            yield {"file": str(file), "line": None, "message": f"In the largest case all elements of {name} are equal.",
                   "cure": "Use random values: equal ones hide swapped axes and missed elements."}


def _largest(cases: list[Case]) -> Case:
    fixed = [case for case in cases if not case.drawn]
    return max(fixed or cases, key=lambda case: sum(np.size(value) for value in case.inputs.values()))


def _says(text: str, limit: float, sizes: Mapping[str, int]) -> bool:
    """Whether the text names the limit: as a number, a word, or a formula of a size ("2 k", "k / 8")."""
    named = [float(found) for found in re.findall(r"\d+(?:\.\d+)?", text)]
    named += [float(_WORDS[word]) for word in re.findall(r"[a-z]+", text.lower()) if word in _WORDS]
    for factor, size, divisor in re.findall(r"(?:(\d+) )?\b([a-z]\w*)\b(?: / (\d+))?", text):
        if size in sizes:
            named.append(float(factor or 1) * sizes[size] / float(divisor or 1))
    return any(abs(value - limit) <= 1e-9 + 1e-6 * abs(limit) for value in named)
