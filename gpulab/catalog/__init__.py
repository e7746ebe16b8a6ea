"""Tracks and puzzles: what there is to learn, read without running any of it.

`load()` reads tracks.yaml and the front matter of each statement, `find` and `select` look ids up, and
`statement`, `hints` and `after` read the texts when they are shown. What checks a puzzle stands in its
`spec.py`, which `gpulab.catalog.specs` executes, in a judge process only.
"""

from gpulab.catalog.errors import CatalogError, UnknownPuzzle
from gpulab.catalog.finding import find, find_track, select
from gpulab.catalog.loading import load
from gpulab.catalog.model import Catalog, Hint, Puzzle, StarTexts, Track
from gpulab.catalog.root import content_root
from gpulab.catalog.text import after, hints, statement

__all__ = [
    "Catalog",
    "CatalogError",
    "Hint",
    "Puzzle",
    "StarTexts",
    "Track",
    "UnknownPuzzle",
    "after",
    "content_root",
    "find",
    "find_track",
    "hints",
    "load",
    "select",
    "statement",
]
