"""What to write, and what counts as done."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import RenderableType

from gpulab.catalog import hunt
from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Stars
from gpulab.views import code, prose
from gpulab.views.fit import EXPLAINS, STRETCH, Part, fit, space
from gpulab.views.look import DARK, Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, apart, columns, heading, indented, labelled, row, wrapped

LEAST = 40
"""Columns that the text keeps beside a wide drawing."""


@dataclass(frozen=True)
class Brief:
    """A puzzle and where the learner's file is."""

    puzzle: Puzzle
    statement: str
    """The Brief's text, Markdown."""
    file: str = ""
    """The learner's file, as shown: `~/gpulab-work/shared/pooling.py`."""
    starter: str = ""
    """Source of the starter, shown from 120 columns; of a bug hunt always."""
    stars: Stars | None = None
    """What has been earned so far."""
    gpu: bool = False


def render(puzzle: Puzzle, statement: str, *, width: int = 80, ascii: bool = False, look: Look = DARK, file: str = "",
           starter: str = "", stars: Stars | None = None, gpu: bool = False) -> RenderableType:
    """The Brief for a terminal or a pipe of `width` columns."""
    from dataclasses import replace

    look = replace(look, ascii=ascii or look.ascii)
    return page(Brief(puzzle, statement, file, starter, stars, gpu), width, None, look).renderable()


def page(brief: Brief, width: int, height: int | None, look: Look) -> Page:
    """The Brief in one column, or from 120 columns with the drawing and the starter at the right."""
    drawing, _ = prose.drawing_and_text(brief.statement, look)
    if width >= WIDE and _cells(drawing) + 2 <= width - LEAST - 1:
        return Page(_wide(brief, width, height, look)).finished(look)
    parts = [space(), Part(_task(brief, width, look)), space()]
    for rows in prose.stacked(prose.blocks(brief.statement, look), width - 3, look):
        parts += [Part(indented(rows)), space()]
    if brief.puzzle.hunt:
        parts += [Part(_broken(brief.starter, width, look)), space()]
    parts += [*_signature(brief, width, look), space(), Part(_stars(brief, width, look)), STRETCH]
    return Page(fit(parts, height)).finished(look)


def _task(brief: Brief, width: int, look: Look) -> list[Row]:
    """The task in bold, and at its right the language and the minutes."""
    lines = wrapped(brief.puzzle.summary, width - 20, look, style=look.strong)
    about = row((f"{brief.puzzle.language}  {brief.puzzle.minutes} min", look.muted))
    first, *rest = indented(lines)
    return [apart(first, about, width), *rest]


def _broken(starter: str, width: int, look: Look) -> list[Row]:
    """The starter of a bug hunt, by line: what ANSWER counts."""
    lines = code.highlighted(starter, look)
    return [code.numbered(number, lines[number - 1], width, look) for number in hunt.shown_lines(starter)]


HOW_TO_ANSWER = f'(line, "kind"). Kinds: {", ".join(hunt.KINDS)}'


def _signature(brief: Brief, width: int, look: Look) -> list[Part]:
    """What to write, how it is launched, and in which file."""
    file = labelled(row(("File", look.muted)), [row((brief.file, look.text))], 10) if brief.file else []
    if brief.puzzle.hunt:
        launched = labelled(row(("Launch", look.muted)), wrapped(brief.puzzle.launched, width - 11, look), 10)
        answer = labelled(row((hunt.NAME, look.muted)), wrapped(HOW_TO_ANSWER, width - 11, look), 10)
        return [Part(launched), Part(file, EXPLAINS), Part(answer)]
    return [Part([*_written(brief, width, look), *file])]


def _written(brief: Brief, width: int, look: Look) -> list[Row]:
    """The signature and its launch, in one row where both fit."""
    write, launched = brief.puzzle.write, brief.puzzle.launched
    first = row((write, look.bright), ("   launched as ", look.muted), (launched, look.text))
    if first.cell_len + 11 <= width:
        rows = labelled(row(("Write", look.muted)), [first], 10)
    else:
        rows = labelled(row(("Write", look.muted)), [row((write, look.bright))], 10)
        rows += labelled(row(("Launch", look.muted)), wrapped(launched, width - 11, look), 10)
    return rows


def _stars(brief: Brief, width: int, look: Look) -> list[Row]:
    """A star and what it asks for, a row each where that fits."""
    rows: list[Row] = []
    for name, words, earned, remark in star_texts(brief):
        text = row((words, look.text), (f" ({remark})" if remark else "", look.muted))
        glyph = ("★", look.accent) if earned else ("☆", look.muted)
        label = row(glyph, " ", (name, look.bright))
        rows += labelled(label, wrapped(text, width - 16, look), 15)
    return rows


def star_texts(brief: Brief) -> list[tuple[str, str, bool, str]]:
    """(name, what it asks, earned, remark) of the stars this puzzle has."""
    asked, earned = brief.puzzle.stars, brief.stars or Stars()
    texts = [("correct", asked.correct, earned.correct is True, "")]
    if asked.efficient is not None:
        texts.append(("efficient", asked.efficient, earned.efficient is True,
                      "needed to pass" if asked.efficient_needed else ""))
    if asked.fast is not None:
        texts.append(("fast", asked.fast, earned.fast is True, "" if brief.gpu else "needs a GPU"))
    return texts


def _code_width(brief: Brief) -> int:
    """Columns that the code of a bug hunt needs: there each line counts. Other starters may be cut."""
    if not brief.puzzle.hunt:
        return 0
    lines = brief.starter.splitlines()
    return code.GUTTER + max((len(lines[number - 1]) for number in hunt.shown_lines(brief.starter)), default=0)


def _cells(drawing: prose.Block | None) -> int:
    return max(line.cell_len for line in drawing.text.split("\n")) if drawing is not None else 0


def _wide(brief: Brief, width: int, height: int | None, look: Look) -> list[Row]:
    drawing, rest = prose.drawing_and_text(brief.statement, look)
    left = min(width // 2 - 1, width - max(_cells(drawing) + 2, _code_width(brief)) - 1)
    right = width - left - 1
    parts = [space(), Part(_task_wide(brief, left, look)), space()]
    for rows in prose.stacked(rest, left - 3, look):
        parts += [Part(indented(rows)), space()]
    parts += [Part(_signature_wide(brief, left, look)), space(), Part([heading("Stars", left, look)]), space()]
    parts += _stars_wide(brief, left, look)
    return columns(fit(parts, height), _right(brief, drawing, right, height, look), left, width, look, height or 0)


def _task_wide(brief: Brief, width: int, look: Look) -> list[Row]:
    return indented(wrapped(brief.puzzle.summary, width - 3, look, style=look.strong))


def _signature_wide(brief: Brief, width: int, look: Look) -> list[Row]:
    puzzle = brief.puzzle
    facts = [("Write", puzzle.write, look.bright), ("Launched", puzzle.launched, look.text)]
    facts += [("File", brief.file, look.text)] if brief.file else []
    facts += [(hunt.NAME, HOW_TO_ANSWER, look.text)] if puzzle.hunt else []
    facts.append(("Takes", f"about {puzzle.minutes} minutes, in {puzzle.language}", look.text))
    rows: list[Row] = []
    for name, words, style in facts:
        rows += labelled(row((name, look.muted)), wrapped(words, width - 13, look, style=style), 12)
    return rows


def _stars_wide(brief: Brief, width: int, look: Look) -> list[Part]:
    parts: list[Part] = []
    for name, words, earned, remark in star_texts(brief):
        glyph = ("★", look.accent) if earned else ("☆", look.muted)
        lines = wrapped(words, width - 16, look)
        lines += wrapped(remark, width - 16, look, style=look.muted) if remark else []
        parts += [Part(labelled(row(glyph, " ", (name, look.bright)), lines, 15)), space()]
    return parts


def _right(brief: Brief, drawing: prose.Block | None, width: int, height: int | None, look: Look) -> list[Row]:
    """The drawing, and below it the starter as far as there is room."""
    rows: list[Row] = [row()]
    if drawing is not None:
        rows += [*indented(prose.block_rows(drawing, width - 2, look), 1), row()]
    if brief.starter:
        room = 30 if height is None else max(0, height - len(rows) - 1)
        rows.append(heading("Starter", width, look))
        rows += code.listing(brief.starter, (), width, look, room)
    return rows if height is None else rows[:height]

