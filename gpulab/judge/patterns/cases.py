"""The pattern over cases: up to which size the answer is right, or for which multiples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpulab.judge.patterns.model import Pattern

Outcome = tuple[Mapping[str, int], bool]
"""The sizes of a case, and whether it is right."""


def over_cases(outcomes: Sequence[Outcome], tiles: Sequence[int]) -> Pattern | None:
    """What parts right cases from wrong ones, where a single size does; `tiles` are lengths of a block."""
    return _threshold(outcomes) or _multiples(outcomes, tiles)


def _threshold(outcomes: Sequence[Outcome]) -> Pattern | None:
    found = []
    for name, right, wrong in _by_size(outcomes):
        if right and wrong and max(right) < min(wrong):
            found.append((name, max(right)))
    if len(found) != 1:
        return None
    name, last = found[0]
    return Pattern(f"Right in all cases up to {name} = {last}, wrong in all with a larger {name}.",
                   f"What changes when {name} is larger than {last}?")


def _multiples(outcomes: Sequence[Outcome], tiles: Sequence[int]) -> Pattern | None:
    found = []
    for name, right, wrong in _by_size(outcomes):
        for tile in {tile for tile in tiles if tile > 1}:
            if len(right) > 1 and wrong and not any(n % tile for n in right) and all(n % tile for n in wrong):
                found.append((name, tile))
    if len(found) != 1:
        return None
    name, tile = found[0]
    return Pattern(f"Right where {name} is a multiple of {tile}, wrong in all other cases.",
                   f"What is left over when {tile} does not divide {name}?")


def _by_size(outcomes: Sequence[Outcome]) -> list[tuple[str, set[int], set[int]]]:
    """(name, its values in right cases, its values in wrong cases) of each size; two of the wrong ones at least."""
    names = outcomes[0][0] if outcomes else {}
    return [(name, {sizes[name] for sizes, right in outcomes if right}, wrong) for name in names
            if len(wrong := {sizes[name] for sizes, right in outcomes if not right}) > 1]
