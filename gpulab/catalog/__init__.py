"""Tracks and puzzles: what there is to learn, read without running any of it.

`load()` reads tracks.yaml and the front matter of each statement, `find` and `select` look ids up, and
`statement`, `hints` and `after` read the texts when they are shown. What checks a puzzle stands in its
`spec.py`, which `gpulab.catalog.specs` executes, in a judge process only.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOMES = {
    "CatalogError": "errors", "UnknownPuzzle": "errors", "find": "finding", "find_track": "finding",
    "select": "finding", "load": "loading", "Catalog": "model", "Hint": "model", "Puzzle": "model",
    "StarTexts": "model", "Track": "model", "content_root": "root", "after": "text", "hints": "text",
    "statement": "text",
}


def __getattr__(name: str) -> Any:
    """Imported when asked for: a worker is given its puzzle, and never reads tracks.yaml."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gpulab.catalog.{_HOMES[name]}"), name)
