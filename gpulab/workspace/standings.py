"""Where the learner stands, summed up from the rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from gpulab.judge.stars import Stars
from gpulab.workspace.records import Attempt, Standing
from gpulab.workspace.rows import ATTEMPT_COLUMNS, AttemptRow


def star(bit: int | None) -> bool | None:
    """A star as stored: 1, 0 or NULL."""
    return None if bit is None else bool(bit)


def local_time(at: float) -> datetime:
    """Seconds since 1970 as local time."""
    return datetime.fromtimestamp(at).astimezone()


def attempt_of(row: AttemptRow) -> Attempt:
    """The attempt in a row."""
    stars = Stars(star(row.correct), star(row.efficient), star(row.fast))
    return Attempt(row.id, row.puzzle, local_time(row.at), row.verdict, stars, row.line, row.seconds, row.hints,
                   row.source_hash)


def every_standing(connection: sqlite3.Connection) -> dict[str, Standing]:
    """Puzzle id as stored -> standing."""
    best = {row[0]: row[1:] for row in connection.execute(
        "SELECT puzzle, count(*), max(correct), max(efficient), max(fast), "
        "min(CASE WHEN verdict = 'passed' THEN at END) FROM attempts GROUP BY puzzle")}
    # With max() alone, the other columns are those of the row that has it (sqlite.org, 'Bare columns in an aggregate').
    newest = {row[1]: attempt_of(AttemptRow(*row[:-1])) for row in connection.execute(
        f"SELECT {ATTEMPT_COLUMNS}, max(at) FROM attempts GROUP BY puzzle")}
    hints = dict(connection.execute("SELECT puzzle, max(number) FROM hints GROUP BY puzzle"))
    visits = {row[0]: row[1:] for row in connection.execute(
        "SELECT puzzle, sum(ended - began), max(ended) FROM visits GROUP BY puzzle")}
    found: dict[str, Standing] = {}
    for id in {**best, **hints, **visits}:
        attempts, correct, efficient, fast, solved = best.get(id, (0, None, None, None, None))
        seconds, touched = visits.get(id, (0.0, None))
        found[id] = Standing(
            Stars(star(correct), star(efficient), star(fast)), solved is not None, attempts, newest.get(id),
            hints.get(id, 0), seconds, local_time(touched) if touched is not None else None,
            local_time(solved) if solved is not None else None,
        )
    return found


def together(standings: list[Standing]) -> Standing:
    """One standing for a puzzle that had several ids."""
    if len(standings) == 1:
        return standings[0]
    lasts = [standing.last for standing in standings if standing.last]
    touched = [standing.touched for standing in standings if standing.touched]
    solved = [standing.solved_at for standing in standings if standing.solved_at]
    return Standing(
        Stars(*(_best(getattr(standing.stars, star) for standing in standings)
                for star in ("correct", "efficient", "fast"))),
        any(standing.solved for standing in standings),
        sum(standing.attempts for standing in standings),
        max(lasts, key=lambda attempt: attempt.when, default=None),
        max((standing.hints for standing in standings), default=0),
        sum(standing.seconds for standing in standings),
        max(touched, default=None),
        min(solved, default=None),
    )


def _best(stars: Iterable[bool | None]) -> bool | None:
    """True if earned in any, else False if tried in any, else None."""
    known = [star for star in stars if star is not None]
    return any(known) if known else None
