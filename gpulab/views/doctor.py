"""What the doctor found: a mark, a name and a sentence for each thing, and below it what to type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.style import Style

from gpulab.views.band import of_words
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import MARGIN, NO_BREAK, Row, blank, heading, labelled, padded, paragraph, row, wrapped

if TYPE_CHECKING:
    from gpulab.doctor.model import Check, Examination, Section

MARKS = {"ok": "●", "warning": "▲", "problem": "×", "absent": "○"}
COLUMN = 14
"""Where sentences begin."""


def render(found: Examination, *, width: int, look: Look) -> RenderableType:
    """All of it, for the command line."""
    return page(found, width, look).renderable()


def page(found: Examination, width: int, look: Look) -> Page:
    """The sections below each other, and at the end what it comes to: that is what a terminal still shows."""
    rows: list[Row] = []
    for section in found.sections:
        rows += of_section(section, width, look)
    comes_to = verdict(found).replace("gpulab doctor", f"gpulab{NO_BREAK}doctor")
    return Page([*rows, blank(), *paragraph(comes_to, width, look, style=look.strong)]).finished(look)


def screen(found: Examination, chosen: Check | None, width: int, look: Look) -> tuple[Page, int]:
    """For the app: what it comes to in a band, the sections below it, and the row at which the chosen check begins."""
    counted = _counted(found)
    if counted:
        several = sum(bool(check.cure) for check in (*found.of("problem"), *found.of("warning"))) > 1
        detail = "Type what stands after a $, then r looks again." if several else "r looks again."
        band = of_words(counted[0].upper(), _named(found), width, look, detail)
    else:
        band = of_words("ALL IS WELL", _engine(found), width, look, good=True)
    rows: list[Row] = []
    at = 0
    for section in found.sections:
        rows += [blank(), heading(section.title, width, look)]
        for check in section.checks:
            lines = of_check(check, width, look)
            if check is chosen:
                at = len(rows)
                lines = [row(padded(line, width), style=look.chosen) for line in lines]
            rows += lines
    return Page(rows[1:], band).finished(look), max(0, at - 1)


def waiting(left: Sequence[str], width: int, look: Look) -> Page:
    """For the app, while it looks: what is seen and what is still looked at."""
    band = of_words("LOOKING", "Driver, libraries, limits, workspace and terminal are looked at.", width, look,
                    "It takes some seconds. Nothing is changed.")
    rows = [blank()]
    for name in LOOKED_AT:
        done = name not in left
        rows.append(row("  ", ("● " if done else "○ ", look.good if done else look.muted),
                        (name, look.text if done else look.bright), ("" if done else "  ...", look.muted)))
    return Page(rows, band).finished(look)


LOOKED_AT = ("GPU", "Numba", "torch and Triton", "C compiler", "workspace", "terminal")
"""As `gpulab.doctor.examination` names them."""


def of_section(section: Section, width: int, look: Look) -> list[Row]:
    """A heading and its checks."""
    rows = [heading(section.title, width, look)]
    for check in section.checks:
        rows += of_check(check, width, look)
    return rows


def of_check(check: Check, width: int, look: Look) -> list[Row]:
    """`× numpy  2.5.2: numba-cuda needs ...`, and `$ pip install ...`."""
    style = _style(check, look)
    words = wrapped(check.sentence, width - COLUMN - 1, look, style=look.muted if check.state == "absent" else None)
    name = row((check.name, look.muted if check.state == "absent" else look.bright))
    first, *rest = labelled(name, words, COLUMN)
    first = row((MARKS[check.state], style), first[1:])
    return [first, *rest, *(_cure(check.cure, width, look) if check.cure else [])]


def _style(check: Check, look: Look) -> Style:
    return {"ok": look.good, "warning": look.accent, "problem": look.fault, "absent": look.faint}[check.state]


def _cure(command: str, width: int, look: Look) -> list[Row]:
    """A command over as many rows as it needs, each but the last ending in what lets the shell read on."""
    lines = list(folded(command, width - 5))
    leads = ["$ ", *["  "] * (len(lines) - 1)]  # an arrow would be > in ASCII, and write a file when it is pasted
    return [row(MARGIN, (lead + line, look.accent)) for lead, line in zip(leads, lines, strict=True)]


def folded(command: str, width: int) -> Iterator[str]:
    r"""Lines of at most `width` that the shell takes for one: broken at blanks outside quotes, with ` \` at the end."""
    words = re.findall(r"""(?:[^\s'"]|'[^']*'|"[^"]*")+""", command)
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width - 2:
            yield f"{line} \\"
            line = "  " + word
        else:
            line = f"{line} {word}" if line else word
    yield line


def verdict(found: Examination) -> str:
    """What it comes to, in a sentence or two."""
    counted = [f"{count} ({_names(checks)})" for count, checks in zip(_counted(found), _bad(found), strict=True)]
    if not counted:
        return f"All is well. {_engine(found)}"
    if not found.of("problem"):
        return f"Nothing is broken; {counted[0]}. {_engine(found)}"
    return f"{' and '.join(counted)}. Type what stands after the $, then look again: gpulab doctor"


def _bad(found: Examination) -> list[list[Check]]:
    """Problems, then warnings; what there is none of is left out."""
    return [checks for checks in (found.of("problem"), found.of("warning")) if checks]


def _counted(found: Examination) -> list[str]:
    """`2 problems`, `1 warning`."""
    words = {"problem": "problem", "warning": "warning"}
    return [f"{len(checks)} {words[checks[0].state]}{'s' if len(checks) > 1 else ''}" for checks in _bad(found)]


def _named(found: Examination) -> str:
    """What has them: `numpy, driver. And 2 warnings (locale, disk).`"""
    first, *rest = _bad(found)
    also = f" And {_counted(found)[1]} ({_names(rest[0])})." if rest else ""
    return f"{_names(first)}.{also}"


def _engine(found: Examination) -> str:
    """Where puzzles are checked."""
    if found.facts.nvidia.works and found.facts.numba.kernel.outcome == "ran":
        return "Numba puzzles can run on the GPU."
    return "Every Numba puzzle is checked in the simulator."


def _names(checks: Sequence[Check]) -> str:
    return ", ".join(dict.fromkeys(check.name for check in checks))
