"""The processes of a check: warm zygotes, one-job judges and learners, their protocol and their limits."""

from __future__ import annotations

from gpulab.runner.client import run, stop, warm

__all__ = ["run", "stop", "warm"]
