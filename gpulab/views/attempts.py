"""A learner's attempts over time: times as a line that goes down, verdicts as marks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.rows import Row, row
from gpulab.views.timing import milliseconds
from gpulab.views.timing_data import TimedLike

RAMP = "▁▂▃▄▅▆▇█"
DIGITS = "12345678"
"""The same in ASCII."""


def times(attempts: Sequence[TimedLike]) -> list[float]:
    """Milliseconds of the checks that were timed, oldest first."""
    return [attempt.timing["yours_ms"] for attempt in attempts if attempt.timing]


def sparkline(values: Sequence[float], most: int, look: Look) -> str:
    """The newest values as heights, from just under the least of them."""
    shown = list(values)[-most:]
    least, greatest = min(shown), max(shown)
    ramp = DIGITS if look.ascii else RAMP
    if greatest - least < 0.02 * greatest:
        return ramp[3] * len(shown)
    scale = (len(ramp) - 1) / (greatest - least)
    return "".join(ramp[round((value - least) * scale)] for value in shown)


def line(attempts: Sequence[TimedLike], width: int, look: Look) -> Row:
    """`3.51 ms ██▇▅▄▃ 2.82 ms  best 2.82 ms of 6`."""
    taken = times(attempts)
    if not taken:
        return row(("none timed yet", look.muted))
    first, last = milliseconds(taken[0]), milliseconds(taken[-1])
    words = f"  best {milliseconds(min(taken))}" if min(taken) < taken[-1] else ""
    room = max(4, width - len(first) - len(last) - len(words) - 4)
    pieces = [(f"{first} ", look.muted)] if len(taken) > 1 else []
    return row(*pieces, (sparkline(taken, room, look), look.accent), (f" {last}", look.bright), (words, look.muted))


def marks(attempts: Sequence[TimedLike], most: int, look: Look) -> Row:
    """`××××●●  6 checks`: each check, the newest at the right."""
    shown = list(attempts)[-most:]
    line = row()
    for attempt in shown:
        passed = attempt.verdict == "passed"
        line.append("●" if passed else "×", look.good if passed else look.fault)
    return row(line, (f"  {figures.plural(len(attempts), 'check')}", look.muted))


def listed(attempts: Sequence[TimedLike], most: int, today: date, look: Look) -> list[Row]:
    """The newest checks, newest first: when, verdict, time."""
    rows = []
    for attempt in list(attempts)[::-1][:most]:
        when = f"{figures.day(attempt.when, today)} {figures.clock(attempt.when)[:5]}"
        passed = attempt.verdict == "passed"
        time = f"  {milliseconds(attempt.timing['yours_ms'])}" if attempt.timing else ""
        rows.append(row((f"{when:<17}", look.muted), ("● " if passed else "× ", look.good if passed else look.fault),
                        (attempt.verdict, look.text), (time, look.bright)))
    return rows
