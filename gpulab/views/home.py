"""Where a learner stands and what is next: the first page of the app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from rich.style import Style

from gpulab.catalog.model import Catalog, Puzzle, Track
from gpulab.views import figures, home_puzzles, home_tracks
from gpulab.views import stars as star_views
from gpulab.views.fit import BLANK, EXPLAINS, STRETCH, Part, fit, space
from gpulab.views.frame import title
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.progress import AttemptLike, StandingLike
from gpulab.views.rows import Row, apart, blank, columns, heading, labelled, padded, paragraph, row, rule, wrapped

LEFT = 60
LEAST_LIST = 7
"""Rows from which a part of a track's puzzles, with a heading, is worth more than a sentence about the track."""


@dataclass(frozen=True)
class Home:
    """Everything Home shows."""

    catalog: Catalog
    standings: Mapping[str, StandingLike]
    card: Puzzle
    """The puzzle that enter opens."""
    why: str = ""
    """Why it is that one, a sentence."""
    hints_of_card: int = 0
    """How many hints it has."""
    track: int = 0
    """Which track is chosen."""
    puzzle: int | None = None
    """Which of its puzzles is chosen; None while the cursor is on the tracks."""
    resumes: bool = True
    """Whether the card is the puzzle last touched or its successor, not merely the next of the chosen track."""
    lately: Sequence[AttemptLike] = ()
    spent: float = 0.0
    """Seconds at all puzzles together."""
    streak: int = 0
    """Days in a row."""
    problems: Sequence[str] = ()
    machine: str = "checks run in the simulator"
    folder: str = ""
    """The workspace, as shown."""
    today: date = field(default_factory=date.today)

    @property
    def chosen(self) -> Track:
        return self.catalog.tracks[self.track]


def title_row(home: Home, width: int, look: Look) -> Row:
    """`gpulab  14 of 113 solved  ★ 39 of 339   checks run in the simulator`."""
    done, count, earned, stars = home_tracks.totals(home.catalog, home.standings)
    right = row((f"{done} of {count} solved   ", look.text), ("★", look.accent), (f" {earned} of {stars}", look.text))
    if width >= 76:
        right = row(right, (f"   {home.machine}", look.muted))
    return title(row(("gpulab", look.strong)), right, width, look)


def page(home: Home, width: int, height: int | None, look: Look) -> Page:
    """Next, the tracks, and the chosen track's puzzles; from 120 columns side by side."""
    if width >= WIDE:
        return Page(_wide(home, width, height, look)).finished(look)
    return Page(_narrow(home, width, height, look)).finished(look)


def _card(home: Home, width: int, look: Look) -> list[Row]:
    """Three or four rows: which puzzle, its task, and how it stands."""
    puzzle, standing = home.card, home.standings.get(home.card.id)
    track = next(track for track in home.catalog.tracks if track.id == puzzle.track)
    number = [other.id for other in track.puzzles].index(puzzle.id) + 1
    name = row(("▌ ", look.accent), (f"{puzzle.track} / ", look.muted), (puzzle.name, look.strong),
               (f"  {number} of {len(track.puzzles)}", look.muted))
    first = apart(name, star_views.three(standing.stars if standing else None, look, puzzle), width)
    task = [row(("▌ ", look.accent), line) for line in wrapped(puzzle.summary, width - 3, look, style=look.bright)[:2]]
    enter = row(("enter", look.accent + look.bold), (f" {verb(standing)}", look.muted))
    stands = _how_it_stands(home, standing, width - enter.cell_len - 5, look)
    last = apart(row(("▌ ", look.accent), stands), enter, width)
    return [row(padded(line, width), style=look.chosen) for line in (first, *task, last)]


def verb(standing: StandingLike | None) -> str:
    """What enter does with the puzzle: `start`, `continue`, `open`."""
    if standing is None or (not standing.attempts and not standing.solved and standing.touched is None):
        return "start"
    return "open" if standing.solved else "continue"


def _how_it_stands(home: Home, standing: StandingLike | None, room: int, look: Look) -> Row:
    if standing is None or standing.last is None:
        new = "Not checked yet" if standing is not None and standing.touched is not None else "New"
        words = home.why or f"{new}, about {home.card.minutes} minutes, in {home.card.language}."
        return row((words, look.muted))
    if standing.solved:
        checks = f", {figures.plural(standing.attempts, 'check')}"
        return row(("● ", look.good), ("solved", look.text), (checks, look.muted))
    when = figures.clock(standing.last.when)[:5] if standing.last.when.date() == home.today else \
        figures.day(standing.last.when, home.today)
    hints = f", {standing.hints} of {figures.plural(home.hints_of_card, 'hint')} read" if standing.hints else ""
    checks = f", {figures.plural(standing.attempts, 'check')} so far" if standing.attempts > 1 else ""
    words = f"last check {when}: {home_puzzles.verdict_words(standing.last)}"
    more = next(text for text in (hints + checks, hints, "") if len(words) + len(text) <= room or not text)
    return row(("× ", look.fault), (words, look.text), (more, look.muted))


def _next_label(home: Home, look: Look) -> Row:
    words = "Next" if home.resumes else f"Next in {home.card.track}" if home.puzzle is None else "Chosen"
    return row("  ", (words, look.muted))


def _tracks_heading(width: int, look: Look, right: Row | None = None) -> Row:
    line = row(("─", look.faint), ("┤ ", look.accent), ("Tracks", look.accent + look.bold), (" ├", look.accent))
    tail = row(" ", right, (" ─", look.faint)) if right is not None else row()
    return row(line, ("─" * max(0, width - line.cell_len - tail.cell_len), look.faint), tail)


def _track_rows(home: Home, width: int, look: Look, *, tags: bool) -> list[Row]:
    return [
        home_tracks.track_row(track, home.catalog, home.standings, home.card.id, width, look,
                              chosen=place == home.track and home.puzzle is None, tags=tags)
        for place, track in enumerate(home.catalog.tracks)
    ]


def _narrow(home: Home, width: int, height: int | None, look: Look) -> list[Row]:
    card = _card(home, width, look)
    top = [space(), Part([_next_label(home, look)]), Part(card), space()]
    trouble = _problems(home, width, look)
    foot = Part(trouble, short=_problem(home, width, look) if len(trouble) > 1 else None)
    room = (height or 99) - 3 - len(card) - len(home.catalog.tracks) - bool(trouble)
    full = len(home.chosen.puzzles) + 1 <= room
    legend = home_tracks.legend(look, home.standings, short=width < 76)
    if home.puzzle is not None and not full:
        return fit([*top, Part(_puzzle_rows(home, width, look, (height or 99) - 3 - len(card)))], height)
    tracks = [_tracks_heading(width, look, legend), *_track_rows(home, width, look, tags=width >= 70)]
    below = _puzzle_rows(home, width, look, room) if room >= LEAST_LIST or full else _about(home, width, look)
    spare = room - len(below) - 4 if full else 0
    about = [space(), Part(_about(home, width, look), EXPLAINS)] if spare > 0 else []
    return fit([*top, Part(tracks), *([space()] if full else []), Part(below), STRETCH, *about, foot], height)


def _puzzle_rows(home: Home, width: int, look: Look, most: int | None) -> list[Row]:
    lines = home_puzzles.rows(home.chosen, home.standings, home.card.id, home.puzzle, width, look, home.today,
                              None if most is None else most - 1)
    cut = home.puzzle is None and len(lines) < len(home.chosen.puzzles)
    return [heading(_puzzles_title(home), width, look, right="→ all of them" if cut else ""), *lines]


def _puzzles_title(home: Home) -> str:
    return f"{home.chosen.id}: {figures.plural(len(home.chosen.puzzles), 'puzzle')}"


def _about(home: Home, width: int, look: Look) -> list[Row]:
    """What the chosen track is about, and what is best done before."""
    words = row((home.chosen.summary, look.text), *_needs(home, look))
    label = row((home.chosen.id, look.strong))
    column = max(10, len(home.chosen.id) + 4)
    return [rule(width, look), *labelled(label, wrapped(words, width - column - 1, look), column)]


def _needs(home: Home, look: Look) -> list[tuple[str, Style]]:
    """What is best done before, as far as it is not."""
    unmet = home_tracks.best_after(home.chosen, home.catalog, home.standings)
    return [(f" Best after {wanted} of {id}, you have {done}.", look.muted) for id, done, wanted in unmet]


def _problems(home: Home, width: int, look: Look, most: int = 2) -> list[Row]:
    """What the workspace has to say: the first of it, and how much more there is."""
    if not home.problems:
        return []
    more = f" ({len(home.problems) - 1} more)" if len(home.problems) > 1 else ""
    lines = wrapped(row((home.problems[0], look.text), (more, look.muted)), width - 5, look)
    return labelled(row(("▲", look.accent)), lines, 4) if len(lines) <= most else _problem(home, width, look)


def _problem(home: Home, width: int, look: Look) -> list[Row]:
    """The first of it in one row: its first sentence, and where the rest is said."""
    first, dot, _ = home.problems[0].partition(". ")
    more = row(" ", ("?", look.accent + look.bold), (" says more", look.muted))
    words = row((first + dot.strip(), look.text))
    return [row(*labelled(row(("▲", look.accent)), [padded(words, min(words.cell_len, width - 5 - more.cell_len))], 4),
                more)]


def _wide(home: Home, width: int, height: int | None, look: Look) -> list[Row]:
    top = [blank(), _next_label(home, look), *_card(home, width, look), blank()]
    left, right = LEFT, width - LEFT - 1
    room = None if height is None else height - len(top)
    at_left = fit(_left(home, left, look), room)
    return [*top, *columns(at_left, fit(_right(home, right, look), room), left, width, look, room or 0)]


def _left(home: Home, width: int, look: Look) -> list[Part]:
    parts = [Part([_tracks_heading(width, look)]), space(), Part(_track_rows(home, width, look, tags=False)), space()]
    waiting = home_tracks.waiting(home.catalog, home.standings, look)
    if waiting:
        parts += [Part([heading("Best after", width, look), *waiting], EXPLAINS), space()]
    facts = [*paragraph(home.machine[:1].upper() + home.machine[1:] + ".", width, look)]
    if home.folder:
        facts += labelled(row(("Your files", look.muted)), [row((home.folder, look.text))], 14)
    facts += _problems(home, width, look, most=5)
    return [*parts, STRETCH, Part([heading("This machine", width, look), *facts]), space()]


def _right(home: Home, width: int, look: Look) -> list[Part]:
    legend = home_tracks.legend(look, home.standings, short=True)
    parts = [Part([heading(_puzzles_title(home), width, look, right=legend)]), space()]
    parts += [Part(home_puzzles.rows(home.chosen, home.standings, home.card.id, home.puzzle, width, look, home.today)),
              space(), Part([heading("About this track", width, look)], EXPLAINS),
              Part(paragraph(row((home.chosen.summary, look.text), *_needs(home, look)), width, look), EXPLAINS),
              space(), STRETCH]
    lately = _lately(home, look)
    if lately:
        parts += [Part([heading("Lately", width, look, right=spent_words(home.spent, home.streak)), *lately], BLANK)]
    return parts


def spent_words(seconds: float, streak: int) -> str:
    """`2 h 40 min in all, 3 days in a row`; nothing where it is too little to tell."""
    minutes = int(seconds // 60)
    time = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
    row = f"{streak} days in a row" if streak > 1 else ""
    return ", ".join(filter(None, (f"{time} in all" if minutes else "", row)))


def _lately(home: Home, look: Look) -> list[Row]:
    rows = []
    for attempt in home.lately[:4]:
        track, _, name = attempt.puzzle.partition("/")
        passed = attempt.verdict == "passed"
        day = f"{figures.day(attempt.when, home.today):<10}"
        line = row("  ", (day, look.muted), (f"{track} / {name} ", look.text),
                   (attempt.verdict, look.good if passed else look.fault))
        puzzle = next((one for one in home.catalog.puzzles if one.id == attempt.puzzle), None)
        rows.append(row(line, " ", star_views.three(attempt.stars, look, puzzle)) if passed else line)
    return rows
