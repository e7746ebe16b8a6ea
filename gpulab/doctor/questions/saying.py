"""How a question answers: lines of JSON on stdout, each behind a mark, as soon as a fact is known."""

from __future__ import annotations

import json
import os
import sys
from importlib import metadata
from typing import Any

MARK = "gpulab-doctor:"


def say(**facts: Any) -> None:
    """Tell facts now. Written past Python's own buffers: a segfault would lose those."""
    sys.stdout.flush()
    os.write(1, f"{MARK}{json.dumps(facts)}\n".encode())


def version(distribution: str) -> str | None:
    """The installed version, without importing anything."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def described(error: BaseException) -> str:
    """`AttributeError: module 'numpy' has no ...`: what a traceback ends with, in one line without a full stop."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__
