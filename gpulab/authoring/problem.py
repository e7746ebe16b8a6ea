"""Something an author has to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Problem:
    """What does not hold, where, and what to do about it. `line` is 1-based."""

    file: Path
    line: int | None
    message: str
    cure: str = ""

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else str(self.file)
        return f"{where}: {self.message} {self.cure}".rstrip()
