"""The three stars, apart from the report that earns them: `gpulab list` shows stars and opens no report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stars:
    """Three stars, kept apart; None means not measured (no GPU, or not reached)."""

    correct: bool | None = None
    efficient: bool | None = None
    fast: bool | None = None
