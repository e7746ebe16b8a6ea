"""Which puzzles a test goes through: a few of each track in every run, all of them when asked for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

import pytest

from gpulab.catalog.model import Puzzle

ALL = bool(os.environ.get("GPULAB_ALL_PUZZLES"))
"""Set it to go through every puzzle and file: a quarter of an hour. `./lab verify` proves each of them in any case."""

thorough = pytest.mark.skipif(not ALL, reason="a quarter of a minute: set GPULAB_ALL_PUZZLES=1")
"""For a test that says little more than its neighbours, and takes long."""

T = TypeVar("T")


def some_of(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """The first and the last puzzle of each track."""
    if ALL:
        return list(puzzles)
    tracks = [list(group) for _, group in groupby(puzzles, key=lambda puzzle: puzzle.track)]
    return [puzzle for track in tracks for puzzle in (track[0], *track[1:][-1:])]


def first(items: Sequence[T], count: int) -> list[T]:
    """The first `count` of them."""
    return list(items) if ALL else list(items[:count])
