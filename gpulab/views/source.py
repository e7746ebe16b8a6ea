"""The learner's file, read-only, with the marks of the last finding while it is the file that was checked."""

from __future__ import annotations

from dataclasses import dataclass

from gpulab.judge.report import Report
from gpulab.views import code, faults
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import Row, apart, paragraph, row


@dataclass(frozen=True)
class Source:
    """A file as it is now, and the last report on it."""

    file: str
    """Its path as shown."""
    text: str | None
    """None where there is no file."""
    report: Report | None = None
    pan: int = 0
    """Columns cut off at the left, for lines longer than the screen."""

    @property
    def marked(self) -> bool:
        """Whether the marks belong to this text."""
        return self.report is not None and self.report.source == self.text


def page(source: Source, width: int, look: Look) -> Page:
    """A row that says which file this is, then all its lines; the body scrolls."""
    if source.text is None:
        return Page([row(), *paragraph(f"There is no file {source.file} yet.", width, look)]).finished(look)
    marks = faults.marks(source.report, look) if source.report is not None and source.marked else []
    rows = code.listing(_panned(source.text, source.pan), marks, width, look)
    return Page(rows, band=[_about(source, bool(marks), width, look), row()]).finished(look)


def _panned(text: str, pan: int) -> str:
    return "\n".join(line.expandtabs(4)[pan:] for line in text.splitlines()) if pan else text


def _about(source: Source, marked: bool, width: int, look: Look) -> Row:
    """The path, and whether the marks below speak of this text."""
    if source.report is None:
        state = "not checked yet"
    elif not source.marked:
        state = "changed since the last check"
    else:
        state = "as checked" if marked or source.report.passed else f"as checked: {source.report.verdict}"
    return apart(row("  ", (source.file, look.text)), row((state, look.muted)), width)


def first_marked_row(source: Source, width: int, look: Look) -> int:
    """Row of the first mark in the body, to scroll to; 0 where there is none."""
    if source.report is None or not source.marked:
        return 0
    lines = [mark.line for mark in faults.marks(source.report, look)]
    return max(0, min(lines) - 1) if lines else 0


def longest_line(text: str | None) -> int:
    """Cells of the longest line, to know how far there is to pan."""
    return max((len(line.expandtabs(4)) for line in (text or "").splitlines()), default=0)
