"""Paths as they are shown."""

from __future__ import annotations

from pathlib import Path


def with_tilde(path: Path) -> str:
    """`~/gpulab-work/shared/pooling.py`."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
