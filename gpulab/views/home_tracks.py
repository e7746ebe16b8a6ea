"""Tracks as bars: a bar is a puzzle, its height the stars."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style

from gpulab.catalog.model import Catalog, Track
from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.progress import StandingLike
from gpulab.views.rows import Row, padded, row

Standings = Mapping[str, StandingLike]

BARS = "·▂▅▇"
"""By stars earned; a solved puzzle has at least one."""
MOST_BARS = 12
NAME = 15


LEGEND = "a bar is a puzzle, its height the stars:  "


def legend(look: Look, standings: Standings, *, short: bool = False) -> Row:
    """What the marks of a track mean, of those that can be seen yet."""
    if not any(standing.solved for standing in standings.values()):
        words = "a puzzle to solve, " if short else "a puzzle to solve   "
        return row(("·", look.text), (f" {words}", look.muted), ("▶", look.accent), (" the next", look.muted))
    if look.ascii:  # the bars are digits there
        lead = "" if short else "a digit is a puzzle, and its stars:  "
        return row((lead, look.muted), ("1 2 3", look.text), (" stars  ", look.muted), ("·", look.text),
                   (" open", look.muted))
    pieces = row(("" if short else LEGEND, look.muted))
    for stars in (1, 2, 3):
        pieces.append(BARS[stars], look.text)
        pieces.append(f" {stars}  ", look.muted)
    return row(pieces, ("·", look.text), (" open", look.muted))


def bar(standing: StandingLike | None) -> str:
    """One puzzle's glyph."""
    if standing is None or not standing.solved:
        return BARS[0]
    return BARS[max(1, min(3, standing.earned))]


def solved(track: Track, standings: Standings) -> int:
    """How many of a track's puzzles are solved."""
    return sum(1 for puzzle in track.puzzles if puzzle.id in standings and standings[puzzle.id].solved)


def stars(track: Track, standings: Standings) -> int:
    """Stars earned in a track."""
    return sum(standings[puzzle.id].earned for puzzle in track.puzzles if puzzle.id in standings)


def best_after(track: Track, catalog: Catalog, standings: Standings) -> list[tuple[str, int, int]]:
    """(track, solved there, wanted there) of each prerequisite that is not met: advice, not a lock."""
    by_id = {other.id: other for other in catalog.tracks}
    unmet = []
    for id, wanted in track.after.items():
        done = solved(by_id[id], standings) if id in by_id else 0
        if done < wanted:
            unmet.append((id, done, wanted))
    return unmet


def track_row(track: Track, catalog: Catalog, standings: Standings, next_id: str, width: int, look: Look, *,
              chosen: bool, tags: bool) -> Row:
    """Name, bars, `3 of 12`, stars, and what the track is about."""
    unmet = best_after(track, catalog, standings)
    done, earned = solved(track, standings), stars(track, standings)
    name = look.strong if chosen else look.muted if unmet and not done else look.text
    wide = max(NAME, max(len(other.id) for other in catalog.tracks) + 2)
    line = row(("▌ " if chosen else "  ", look.accent), (track.id.ljust(wide), name))
    line.append_text(_bars(track, standings, next_id, name, look))
    count = f"{done:>2} of {len(track.puzzles):>2}"
    complete = done == len(track.puzzles) and done > 0
    line = row(line, (count, look.good if complete else name))
    line.append_text(row("  ", ("★", look.accent), (f"{earned:>3}", look.text)) if earned else row("      "))
    if tags and line.cell_len + 3 < width:
        words = f"best after {unmet[0][2]} of {unmet[0][0]}" if unmet else track.tags
        line.append(f"  {words}", look.muted if unmet else look.text)
    return row(padded(line, width), style=look.chosen if chosen else "")


def _bars(track: Track, standings: Standings, next_id: str, hue: Style, look: Look) -> Row:
    """The bars, two cells each where they fit, in runs of one style."""
    room = 2 * MOST_BARS
    step = 2 if len(track.puzzles) <= MOST_BARS else 1
    line = row()
    for puzzle in track.puzzles:
        glyph = "▶" if puzzle.id == next_id else bar(standings.get(puzzle.id))
        style = look.accent if glyph == "▶" else look.faint if glyph == "·" else hue
        line.append(glyph + " " * (step - 1), style)
    return padded(line, room)


def totals(catalog: Catalog, standings: Standings) -> tuple[int, int, int, int]:
    """(solved, puzzles, stars earned, stars there are)."""
    all_stars = sum(len(puzzle.stars.names) for puzzle in catalog.puzzles)
    done = sum(solved(track, standings) for track in catalog.tracks)
    return done, len(catalog.puzzles), sum(stars(track, standings) for track in catalog.tracks), all_stars


def waiting(catalog: Catalog, standings: Standings, look: Look) -> list[Row]:
    """For 120 columns: tracks that are best begun later, and how far away that is."""
    rows = []
    for track in catalog.tracks:
        for id, done, wanted in best_after(track, catalog, standings):
            squares = row(("■" * done, look.text), ("·" * (wanted - done), look.faint))
            line = row("  ", (f"{track.id:<16}", look.text), (f"{wanted} of {id:<14}", look.muted), "  ", squares)
            line.pad_right(max(1, 48 - line.cell_len))
            rows.append(row(line, (f"{figures.plural(wanted - done, 'more', 'more')}", look.muted)))
    return rows
