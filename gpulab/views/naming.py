"""Threads as a diagnosis names them, so that the page and its first sentence agree."""

from __future__ import annotations

import re

from gpulab.judge.report import Diagnosis
from gpulab.trace.values import Write
from gpulab.views import figures


def thread_dims(diagnosis: Diagnosis) -> int:
    """How many coordinates its threads have: as many as its message writes, or as it takes."""
    written = re.search(r"hread \((\d+(?:, \d+)*)\)", diagnosis.message)
    other = diagnosis.other.thread if diagnosis.other is not None else None
    return max(figures.dimensions(diagnosis.thread, other), written[1].count(",") + 1 if written else 1)


def write_dims(write: Write) -> int:
    """The same for a store and those it read from."""
    writers = [operand.written_by.thread for operand in write.operands if operand.written_by is not None]
    return figures.dimensions(write.thread, *writers)
