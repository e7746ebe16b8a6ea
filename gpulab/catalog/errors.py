"""What is said about content that cannot be used: the file, the line and the cure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class CatalogError(Exception):
    """A track, puzzle or spec that cannot be used. `line` is 1-based, None where the whole file is meant."""

    def __init__(self, file: Path, line: int | None, problem: str, cure: str) -> None:
        self.file = file
        self.line = line
        self.problem = problem
        self.cure = cure
        where = f"{file}, line {line}" if line else str(file)
        super().__init__(f"{where}: {problem} {cure}")


class UnknownPuzzle(LookupError):
    """No puzzle or track has this id. `suggestions` are ids that may have been meant."""

    def __init__(self, id: str, suggestions: tuple[str, ...]) -> None:
        self.id = id
        self.suggestions = suggestions
        meant = f" Did you mean {' or '.join(suggestions)}?" if suggestions else " gpulab list shows them all."
        super().__init__(f"There is no puzzle {id}.{meant}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'Did you mean "title"?', or the known words where none is close."""
    words = list(known)
    close = get_close_matches(word, words, n=1)
    if close:
        return f'Did you mean "{close[0]}"?'
    return f"Known are: {', '.join(words)}."
