"""The roofline of this card: what a kernel of so many operations per byte could reach, and where yours is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from rich.style import Style

from gpulab.views.look import Look
from gpulab.views.plot import ACROSS, Plot
from gpulab.views.rows import Row, row
from gpulab.views.timing_data import Shown, Timing, down, intensity, operations

XS = (0.125, 2048.0)
"""Operations per byte, from the left edge to the right."""
TICKS = (0.25, 1, 4, 16, 64, 256, 1024)
AXIS = 6
"""Cells left of the plot."""
TERA = 1e12


@dataclass(frozen=True)
class Roof:
    """Bytes and float32 operations per second that this card was measured to do."""

    copy: float
    peak: float

    def at(self, x: float) -> float:
        """Operations per second that `x` operations per byte allow."""
        return min(self.copy * x, self.peak)

    @property
    def ridge(self) -> float:
        """Operations per byte from which arithmetic is the limit."""
        return self.peak / self.copy


@dataclass(frozen=True)
class Point:
    """One kernel: operations per byte, and operations per second that it reached."""

    glyph: str
    name: str
    x: float
    y: float
    yours: bool = False


def roof_of(timing: Timing) -> Roof | None:
    """The card that was timed; None where one of its limits could not be measured."""
    card = timing.get("card") or {}
    peak = card.get("matmul") or card.get("fma")
    return Roof(card["copy"], peak) if card.get("copy") and peak else None


def points(shown: Shown, timing: Timing) -> list[Point]:
    """Others first: what is drawn later stands above."""
    x, work = intensity(shown, timing), operations(shown, timing)
    found = [Point("□", other.puzzle, other.timing["flops"] / other.timing["bytes"],
                   other.timing["flops"] / other.timing["yours_ms"] * 1000)
             for other in shown.others
             if other.timing and other.timing.get("flops") and other.timing.get("bytes")
             and other.puzzle != shown.puzzle.id and other.timing.get("device", {}).get("uuid")
             == timing.get("device", {}).get("uuid")]
    if x and shown.reference is not None:
        found.append(Point("■", "reference", x, work / shown.reference["yours_ms"] * 1000))
    if x:
        found.append(Point("●", "yours", x, work / timing["yours_ms"] * 1000, yours=True))
    return found


def drawn(roof: Roof, shown_points: Sequence[Point], width: int, height: int, look: Look) -> list[Row]:
    """The plot with its axes, `height` rows in all."""
    bottom = 10 ** floor(log10(min([roof.at(XS[0] * 2), *(point.y for point in shown_points)])))
    plot = Plot(width - AXIS - 1, height - 2, XS, (bottom, roof.peak * 1.5))
    plot.curve([(XS[0], roof.at(XS[0])), (roof.ridge, roof.peak), (XS[1], roof.peak)])
    for point in shown_points:
        plot.mark(point.x, min(point.y, roof.at(point.x)), point.glyph)
    labels = _labels(plot, bottom, roof.peak)
    yours = {point.glyph for point in shown_points if point.yours}
    rows = []
    for place, runs in enumerate(plot.rows()):
        rows.append(row((f"{labels.get(place, ''):>{AXIS - 1}}", look.muted), ("┤" if place in labels else "│",
                                                                              look.faint),
                        *((text, _hue(text, mark, yours, look)) for text, mark in runs)))
    return [*rows, *_axis(plot, look)]


def _hue(text: str, mark: bool, yours: set[str], look: Look) -> Style:
    return look.accent + look.bold if text in yours else look.bright if mark else look.data[0]


def _labels(plot: Plot, bottom: float, peak: float) -> dict[int, str]:
    """Row of the plot -> `0.1`, `1`, `10` TFLOP/s."""
    found, decade = {}, bottom
    while decade <= peak:
        line = round(plot.line(decade)) // 4
        if 0 <= line < plot.height - 1:
            found[line] = f"{decade / TERA:g}"
        decade *= 10
    return found


def _axis(plot: Plot, look: Look) -> list[Row]:
    line, words = ["─"] * plot.width, [" "] * (plot.width + 4)
    for tick in TICKS:
        column = round(plot.column(tick)) // ACROSS
        line[column] = "┬"
        name = "1/4" if tick == 0.25 else f"{tick:g}"
        start = max(0, column - len(name) // 2)
        words[start:start + len(name)] = name
    lead = " " * (AXIS - 1)
    return [row((f"{lead}└{''.join(line)} ", look.faint)), row((f"{lead} {''.join(words)[:plot.width]}", look.muted))]


def legend(roof: Roof, shown: Shown, timing: Timing, look: Look) -> list[Row]:
    """What the marks are, and which limit binds."""
    x = intensity(shown, timing)
    found = points(shown, timing)
    rows = [row(("the roof is this card's:", look.muted)),
            row((f"{down(roof.copy / TERA)} TB/s copy, {down(roof.peak / TERA)} TFLOP/s", look.text)), row()]
    for point in reversed([point for point in found if point.glyph != "□"]):
        part = int(100 * point.y / roof.at(point.x))
        rows.append(row((point.glyph, look.accent if point.yours else look.bright), f" {point.name:<9}",
                        (f"{part:>3} % of the roof", look.text)))
    if any(point.glyph == "□" for point in found):
        rows.append(row(("□", look.bright), (" your other puzzles", look.muted)))
    return [*rows, row(), *(row((line, look.muted)) for line in binding(roof, x))]


def binding(roof: Roof, x: float) -> tuple[str, ...]:
    """Which limit counts for so many operations per byte."""
    said = f"{down(x)} FLOP per byte:"
    return (said, "memory limits you." if x < roof.ridge else "arithmetic limits you.")
