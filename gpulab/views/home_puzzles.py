"""One track's puzzles as a list: number, name, stars, how it stands and since when."""

from __future__ import annotations

from datetime import date

from gpulab.catalog.model import Puzzle, Track
from gpulab.views import figures
from gpulab.views import stars as star_views
from gpulab.views.home_tracks import Standings
from gpulab.views.look import Look
from gpulab.views.progress import AttemptLike, StandingLike
from gpulab.views.rows import Row, apart, padded, row

NAME = 20


def state(standing: StandingLike | None) -> str:
    """`passed`, `race on line 16`, or nothing where it was never checked."""
    if standing is None or standing.last is None:
        return ""
    if standing.solved:
        return "passed"
    return verdict_words(standing.last)


def verdict_words(attempt: AttemptLike) -> str:
    """`race on line 16`."""
    return f"{attempt.verdict} on line {attempt.line}" if attempt.line is not None else attempt.verdict


def puzzle_row(number: int, puzzle: Puzzle, standing: StandingLike | None, width: int, look: Look, today: date, *,
               chosen: bool, current: bool) -> Row:
    """One row; the current puzzle is the one that Next speaks of, the chosen one is under the cursor."""
    words = state(standing)
    name = look.strong if chosen or current else look.text if words else look.muted
    line = row(("▌" if chosen else "▶" if current else " ", look.accent), (f"{number:>4}  ", look.muted),
               (f"{puzzle.name:<{NAME}}", name))
    line.append_text(star_views.three(standing.stars if standing else None, look, puzzle))
    line.append(f"  {words}", look.fault if words and standing and not standing.solved else look.text)
    if standing is not None and standing.last is not None:
        day = row((figures.day(standing.last.when, today), look.muted))
        line = apart(line, day, width) if line.cell_len + day.cell_len + 2 < width else line
    elif line.cell_len + 10 < width:
        line = apart(line, row((f"{puzzle.minutes} min", look.muted)), width)
    return row(padded(line, width), style=look.chosen if chosen else "")


def rows(track: Track, standings: Standings, next_id: str, chosen: int | None, width: int, look: Look, today: date,
         most: int | None = None) -> list[Row]:
    """All puzzles of a track, or as many around the chosen one, else the next, as there is room for."""
    lines = [
        puzzle_row(number, puzzle, standings.get(puzzle.id), width, look, today, chosen=chosen == number - 1,
                   current=puzzle.id == next_id)
        for number, puzzle in enumerate(track.puzzles, start=1)
    ]
    if most is None or len(lines) <= most:
        return lines
    if chosen is None:
        chosen = next((place for place, puzzle in enumerate(track.puzzles) if puzzle.id == next_id), 0)
    start = max(0, min(chosen - most // 2, len(lines) - most))
    return lines[start:start + most]
