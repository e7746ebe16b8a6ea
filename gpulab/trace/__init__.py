"""What a run did: findings, notes, counters and, for the picture launch, values."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpulab.trace.counters import Counting
    from gpulab.trace.model import (
        COUNTERS,
        FINDING_KINDS,
        Coordinates,
        Counters,
        Finding,
        Note,
        Outcome,
        Run,
        Site,
    )
    from gpulab.trace.picture import Picture, PictureArray, PictureBarrier, PictureStep, PictureWarp
    from gpulab.trace.values import Element, Operand, ValueTrace, Write

__all__ = [
    "COUNTERS",
    "FINDING_KINDS",
    "Coordinates",
    "Counters",
    "Counting",
    "Element",
    "Finding",
    "Note",
    "Operand",
    "Outcome",
    "Picture",
    "PictureArray",
    "PictureBarrier",
    "PictureStep",
    "PictureWarp",
    "Run",
    "Site",
    "ValueTrace",
    "Write",
]

_HOMES = {
    "COUNTERS": "model", "FINDING_KINDS": "model", "Coordinates": "model", "Counters": "model",
    "Counting": "counters", "Element": "values", "Finding": "model", "Note": "model", "Operand": "values",
    "Outcome": "model", "Picture": "picture", "PictureArray": "picture", "PictureBarrier": "picture",
    "PictureStep": "picture", "PictureWarp": "picture", "Run": "model", "Site": "model", "ValueTrace": "values",
    "Write": "values",
}


def __getattr__(name: str) -> Any:
    """Imported when asked for: who names a block's coordinates needs no counters."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gpulab.trace.{_HOMES[name]}"), name)
