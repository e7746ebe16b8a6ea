"""What a run did: findings, notes, counters and, for the picture launch, values."""

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
