"""The simulator's host side, as every learner's process has it."""

from __future__ import annotations

from tests.judge.conftest import installed_simulator

__all__ = ["installed_simulator"]
