"""What the learner's code may have changed around it that our own code needs: limits, and where modules are found.

A file may do what it likes with its own process. But what fails in ours after it is the file's doing, no fault of the
machine: so all is put back, and a limit that cannot be raised again is told.
"""

from __future__ import annotations

import resource
import sys
from contextlib import suppress
from typing import Any

_LIMITS = ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_STACK")


class Surroundings:
    """As they are before the learner's code runs."""

    def __init__(self) -> None:
        numbers = [(name, getattr(resource, name)) for name in _LIMITS if hasattr(resource, name)]
        self._limits = [(name, number, resource.getrlimit(number)) for name, number in numbers]
        finders: tuple[list[Any], ...] = (sys.meta_path, sys.path_hooks)
        self._finders = [(found, list(found)) for found in finders]
        # As they are before anybody can replace them.
        self._functions = resource.getrlimit, resource.setrlimit

    def restore(self) -> str | None:
        """Put back what is less than it was; the name of a limit that stays too low, or None."""
        limit_of, set_limit = self._functions
        for found, before in self._finders:
            missing = [finder for finder in before if finder not in found]
            if missing:
                found.extend(missing)
        for name, number, (soft, hard) in self._limits:
            if limit_of(number) != (soft, hard) and _is_less(limit_of(number)[0], soft):
                with suppress(ValueError, OSError):  # the hard limit may have been lowered too, for good
                    set_limit(number, (soft, hard))
                if _is_less(limit_of(number)[0], soft):
                    return name
        return None


def _is_less(limit: int, other: int) -> bool:
    return limit != resource.RLIM_INFINITY and (other == resource.RLIM_INFINITY or limit < other)
