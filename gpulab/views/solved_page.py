"""The page of a passed check: figures, why it works, what the reference does otherwise, and what is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpulab.views import cases, notes, solved, stars
from gpulab.views.band import Band
from gpulab.views.fit import EXPLAINS, STRETCH, Part, fit, space
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, apart, columns, heading, labelled, paragraph, row, rule, stacked, wrapped
from gpulab.views.solved import Solved

if TYPE_CHECKING:
    from gpulab.views.result import Shown


def page(shown: Shown, top: Band, width: int, height: int | None, look: Look) -> Page:
    """One column, or from 120 columns two."""
    foot = _foot(shown, width, look)
    wide = width >= WIDE and shown.solved is not None
    band = top.rows[:1] if wide and not top.rows[1].plain.strip() else top.rows
    room = None if height is None else height - len(band) - len(foot)
    if wide and shown.solved is not None:
        body = _wide(shown, shown.solved, width, room, look)
    else:
        body = fit(_narrow(shown, width, look), room)
    return Page([*top.rest, *body], band, foot)


def _narrow(shown: Shown, width: int, look: Look) -> list[Part]:
    report, known = shown.report, shown.solved
    parts = [*_chosen_case(shown, width, look), space(), Part(solved.table(report, known, width, look)),
             Part(_open_star(shown, width, look)), space()]
    if known is not None:
        parts += _explained(shown, known, width, look)
    remarks = notes.rows(report.notes, width, look)
    if remarks:
        parts += [space(), Part([heading("worth knowing", width, look), *remarks], EXPLAINS)]
    return [*parts, STRETCH]


def _explained(shown: Shown, known: Solved, width: int, look: Look) -> list[Part]:
    """Why it works and what the reference does otherwise: both are seen first, the rest of a long text below them."""
    first, *rest = known.after.split("\n\n")
    places = solved.differences(shown.report.source, known.reference)
    title = heading(solved.difference_title(len(places)), width, look)
    parts = [Part([heading("why it works", width, look), *solved.why(first, width, look)]), space(),
             Part([title, *solved.difference_rows(places, width, look)])]
    if rest:
        more = solved.why("\n\n".join(rest), width, look)
        parts += [space(), Part([heading("and on", width, look), *more])]
    return parts


def _foot(shown: Shown, width: int, look: Look) -> list[Row]:
    following = shown.solved.next if shown.solved else None
    if following is None:
        return []
    place = f", {shown.solved.next_place}" if shown.solved and shown.solved.next_place and width >= WIDE else ""
    name = row((f"{following.track} / {following.name}", look.bright), (place, look.text))
    words = row(name, (f": {following.summary}", look.text))
    key = row(("n", look.accent + look.bold), (" go on", look.muted))
    fits = words.cell_len + key.cell_len + 11 <= width
    lines = labelled(row(("Next", look.accent + look.bold)), [words if fits else name], 8)
    rows = [rule(width, look), apart(lines[0], key, width)]
    if width >= WIDE:
        rows += paragraph("Nothing moves by itself: look around as long as you like. All hints are open now.",
                          width, look, style=look.muted, indent=8)
    return rows


def _wide(shown: Shown, known: Solved, width: int, height: int | None, look: Look) -> list[Row]:
    left = width // 2 - 1
    right = width - left - 1
    report = shown.report
    above_left = [*(line for part in _chosen_case(shown, left, look) for line in part.rows),
                  heading("Stars", left, look), row(), *solved.table(report, known, left, look),
                  *_open_star(shown, left, look), row()]
    remarks = notes.rows(report.notes, left, look)
    if remarks:
        above_left += [heading("Worth knowing", left, look), row(), *remarks, row()]
    above_right = [heading("Why it works", right, look), row(), *solved.why(known.after, right, look), row()]
    start = max(len(above_left), len(above_right))
    places = solved.differences(report.source, known.reference)
    room = max(6, height - start) if height is not None else 30
    mine = [number for place in places for number, _ in place.mine]
    theirs = [number for place in places for number, _ in place.theirs]
    lower_left = [heading("Yours", left, look), *solved.side(report.source, mine, left, look, height=room - 2)]
    title = solved.difference_title(len(places)).replace("the reference", "Reference:", 1)
    lower_right = [heading(title, right, look), *solved.side(known.reference, theirs, right, look, height=room - 2)]
    return columns(stacked(above_left, lower_left, start), stacked(above_right, lower_right, start), left, width, look,
                   height or 0)


def _chosen_case(shown: Shown, width: int, look: Look) -> list[Part]:
    """The row of cases, where one of them is looked at."""
    from gpulab.views.result import case_parts

    return case_parts(shown, cases.of_report(shown.report), width, look) if shown.case is not None else []


def _open_star(shown: Shown, width: int, look: Look) -> list[Row]:
    """What the first star that is open needs, and why it is not there."""
    asked = shown.puzzle.stars if shown.puzzle is not None else None
    for star in stars.of_report(shown.report, shown.puzzle, gpu=shown.gpu):
        wanted = getattr(asked, star.name, None)
        told = star.name == "fast" and shown.report.timing is not None  # the table has its figures
        if not star.earned and wanted and not told:
            words = row((star.name, look.bright), (f": {wanted}", look.text), (f" ({star.words})", look.muted))
            return labelled(row(("☆", look.muted)), wrapped(words, width - 5, look), 4)
    return []
