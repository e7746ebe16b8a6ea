"""The processes of a check: warm zygotes, one-job judges and learners, their protocol and their limits.

    client        run, draw: the caller's door            conversation  one check from the caller's side
    pair          one check on both engines
    pool          the caller's zygotes: warm, stop        zygote        warm; forks a judge for each job
    families      what a zygote imports                   judging       the judge process
    learner       the learner's process, as judges see it watch         its limits and its death
    inside        the learner's process itself            simulator     the engine it runs kernels with
    interpreter   the one it runs Triton's with
    loading       the learner's file, errors as data      guard, tampering, hooks   what one may not do
    wire, messages, answers, jobs, mark                   what crosses between them
    limits, tree, prctl, output, endings, mishaps         limits and how things end, in words
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpulab.runner.client import draw, resources_of, run, time_file, warm_for
    from gpulab.runner.pool import stop, warm

__all__ = ["draw", "resources_of", "run", "stop", "time_file", "warm", "warm_for"]

_CLIENT = ("draw", "resources_of", "run", "time_file", "warm_for")


def __getattr__(name: str) -> Any:
    """The caller's side is imported when asked for: zygotes have no use for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gpulab.runner.{'client' if name in _CLIENT else 'pool'}"), name)
