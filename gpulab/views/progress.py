"""What Home needs to know of a learner's progress, by shape: the workspace's records have it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gpulab.judge.stars import Stars


class AttemptLike(Protocol):
    """One recorded check."""

    @property
    def puzzle(self) -> str: ...
    @property
    def when(self) -> datetime: ...
    @property
    def verdict(self) -> str: ...
    @property
    def stars(self) -> Stars: ...
    @property
    def line(self) -> int | None: ...


class StandingLike(Protocol):
    """Where a learner stands with one puzzle."""

    @property
    def stars(self) -> Stars: ...
    @property
    def solved(self) -> bool: ...
    @property
    def attempts(self) -> int: ...
    @property
    def last(self) -> AttemptLike | None: ...
    @property
    def hints(self) -> int: ...
    @property
    def earned(self) -> int: ...
    @property
    def touched(self) -> datetime | None: ...
