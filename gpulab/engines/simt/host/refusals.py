"""Kernels that Numba refuses: kept for the judge, and raised as Numba's own kind of error too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.host.session import Session


@contextmanager
def kept(session: Session) -> Iterator[None]:
    """Keep what a launch raises in this block, even if the learner's code hides it."""
    try:
        yield
    except Exception as error:
        session.refused.append(error)
        raise


@contextmanager
def kept_in(session: Session) -> Iterator[None]:
    """Keep what is refused in this block, even if the learner's code hides it."""
    try:
        yield
    except Unsupported as error:
        session.refused.append(error)
        raise
    except DoesNotCompile as error:
        session.refused.append(error)
        raise _as_numbas_own(error) from error.__cause__


def _as_numbas_own(error: DoesNotCompile) -> DoesNotCompile:
    """The refusal as an error that a learner's `except TypingError` sees as well."""
    kind: Any = type(error.__cause__)
    numbas = any(cls.__name__ == "NumbaError" for cls in kind.__mro__)  # there are two: Numba's and numba-cuda's
    return _both(kind)(error.message, error.line) if numbas else error


@cache
def _both(numbas: Any) -> type[DoesNotCompile]:
    names = {"__module__": numbas.__module__, "__str__": Exception.__str__}
    return type(numbas.__name__, (DoesNotCompile, numbas), names)
