"""How fast, against what, and why: the Timing page. Without a GPU: what would be measured, and what is known all the
same."""

from __future__ import annotations

from gpulab.views import attempts, band, figures, occupancy, roofline, timing_bars
from gpulab.views.fit import EXPLAINS, PICTURE, STRETCH, Part, fit, space
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.result import next_rows
from gpulab.views.rows import Row, blank, columns, heading, indented, labelled, padded, paragraph, row, wrapped
from gpulab.views.timing import milliseconds, spread
from gpulab.views.timing_data import LIMITS, Shown, Timing, down, intensity, sectors_ratio, size, sizes, target, unit

PLOT_ROWS = 10
LEFT = 70
NOTES = 30
H200 = {"copy": 4.19e12, "float32": 50.7e12}
"""What an NVIDIA H200 was measured to do (docs/gpu.md), for a card that is not here."""
HOW = ("The median of 20 to 100 runs by CUDA events, the L2 cache flushed before each, inputs in rotation, in turn "
       "with a copy; then the result is checked once more.")


def page(shown: Shown, width: int, height: int | None, look: Look) -> Page:
    """In one column, or from 120 columns in two."""
    timing = shown.timing
    if timing is None:
        made = _unmeasured(shown, width, height, look)
    elif width >= WIDE:
        made = _wide(shown, timing, width, height, look)
    else:
        made = _narrow(shown, timing, width, height, look)
    return made.finished(look)


def verdict(shown: Shown, timing: Timing, width: int, look: Look) -> list[Row]:
    """The time, and how far it is to the star."""
    if timing["rejected"]:
        return band.of_words("NOT BELIEVED", timing["rejected"], width, look, "Nothing is that fast: see the notes.")
    detail = f"Median of {timing['runs']} runs, half of them within {spread(timing)}."
    if shown.when is not None:
        since = "; the file has changed since." if shown.stale else ", before the last check."
        detail = f"Timed {figures.day(shown.when, shown.today)} at {figures.clock(shown.when)[:5]}{since}"
    elif timing["flags"]:
        detail = timing["flags"][0]
    return band.of_words(milliseconds(timing["yours_ms"]), _sentence(timing), width, look, detail,
                         good=timing.get("fast") is True)


def _sentence(timing: Timing) -> str:
    """`92 % of this card's copy rate; 80 % was asked: the third star is earned.`"""
    percent, asked, star = timing["percent_of_limit"], timing["fast_asked"], target(timing)
    if percent is None:
        return "This card's own limits could not be measured, so there is nothing to hold it against."
    said = f"{int(percent)} % of this card's {LIMITS.get(timing['limit'], timing['limit'])}"
    if not asked or star is None:
        return f"{said}; this puzzle asks for no time."
    if timing.get("fast"):
        return f"{said}; {100 * asked:.0f} % was asked: the third star."
    if timing.get("fast") is None:
        return f"{said}. No star is given or missed while something disturbs: b again."
    return f"{said}; {milliseconds(star)} earns the third star."


def next_words(shown: Shown, timing: Timing) -> str:
    """What to look at next: from what was counted, never how."""
    if timing["flags"] or timing["rejected"]:
        return "Time it again (b) once nothing else uses this machine."
    if shown.reference is None:
        return "b times the reference too, to stand beside yours."
    moved, told = sectors_ratio(shown.report), timing.get("resources") or {}
    fits = told.get("occupancy")
    if timing["limit"] == "copy" and moved is not None and moved > 1.2:
        return f"It moves {down(moved)} times the sectors that its addresses need: Memory shows which line."
    if told.get("spill_stores") or told.get("spill_loads"):
        return "Registers spill into memory: what does each thread keep at once?"
    if fits and fits["part"] < 0.5:
        least = [name for name, fit in fits["limits"].items() if fit == fits["blocks"]]
        return f"Its blocks fill {100 * fits['part']:.0f} % of an SM: {' and '.join(least)} limit."
    ratio = timing["yours_ms"] / shown.reference["yours_ms"]
    if ratio > 1.1:
        return f"The reference takes {100 / ratio:.0f} % of your time: once it is solved, s shows it."
    return "As fast as the reference. What the card could do more, the roof shows."


def _narrow(shown: Shown, timing: Timing, width: int, height: int | None, look: Look) -> Page:
    top, foot = verdict(shown, timing, width, look), next_rows(next_words(shown, timing), width, look)
    bars = [timing_bars.head(timing, width, look), *timing_bars.rows(shown, timing, width, look)]
    parts = [Part(bars), *_flags(timing, width, look)]
    room = PLOT_ROWS if height is None else max(7, min(14, height - len(top) - len(foot) - len(bars) - 4))
    parts += _roof(shown, timing, width, room, look)
    told = timing.get("resources") or shown.resources
    half = width // 2
    left = [heading("occupancy", half, look)]
    left += [row("  ", occupancy.squares(told, look)), row("  ", (occupancy.sentence(told), look.muted))] if told \
        else [row("  ", ("the compiler did not tell", look.muted))]
    right = [heading("your attempts, ms", width - half, look),
             row("  ", attempts.line(shown.attempts, width - half - 3, look)),
             row("  ", attempts.marks(shown.attempts, width - half - 16, look))]
    side = [row(padded(a, half), padded(b, width - half)) for a, b in zip(left, right, strict=False)]
    room_left = None if height is None else height - len(top) - len(foot)
    return Page(fit([*parts, Part(side), STRETCH], room_left), top, foot)


def _flags(timing: Timing, width: int, look: Look) -> list[Part]:
    """What makes the times worth less."""
    lines = [line for flag in timing["flags"] for line in labelled(row(("▲", look.accent)),
                                                                  wrapped(flag, width - 5, look), 4)]
    return [Part(lines)] if lines else []


def _roof(shown: Shown, timing: Timing, width: int, room: int, look: Look) -> list[Part]:
    """The roofline with its legend, or why there is none."""
    roof = roofline.roof_of(timing)
    if roof is None or not intensity(shown, timing):
        words = _memory_only(shown, timing, width, look)
        return [space(), Part([heading("what limits", width, look), *words]), space()]
    notes = roofline.legend(roof, shown, timing, look)
    drawn = roofline.drawn(roof, roofline.points(shown, timing), width - NOTES, room, look)
    notes = notes if len(notes) <= len(drawn) else [line for line in notes if line.plain]
    lines = [row(padded(line, width - NOTES), "  ", notes[place] if place < len(notes) else "")
             for place, line in enumerate(drawn)]
    title = "roofline: TFLOP/s reached, by FLOP per byte needed"
    return [Part([heading(title, width, look), *lines], PICTURE)]


def _memory_only(shown: Shown, timing: Timing, width: int, look: Look) -> list[Row]:
    card = timing.get("card") or {}
    words = "It does no float32 arithmetic to speak of, so moving bytes is all there is to be fast at."
    if timing["bytes"] and timing["bytes_per_second"]:
        words += f" {size(timing['bytes'])} must move; you reach {down(timing['bytes_per_second'] / 1e9)} GB/s"
        words += f" of the {down(card['copy'] / 1e9)} that a copy reaches here." if card.get("copy") else "."
    return paragraph(words, width, look)


def _wide(shown: Shown, timing: Timing, width: int, height: int | None, look: Look) -> Page:
    top = verdict(shown, timing, width, look)
    bars = [heading("Time, shorter is better", width, look),
            timing_bars.head(timing, width, look), *timing_bars.rows(shown, timing, width, look),
            *(line for part in _flags(timing, width, look) for line in part.rows), blank()]
    room = None if height is None else height - len(top) - len(bars)
    right = width - LEFT - 1
    at_left = _left(shown, timing, LEFT, room, look)
    at_right = fit(_right(shown, timing, right, look), room)
    return Page([*bars, *columns(at_left, at_right, LEFT, width, look, room or 0)], top)


def _left(shown: Shown, timing: Timing, width: int, room: int | None, look: Look) -> list[Row]:
    roof = roofline.roof_of(timing)
    if roof is None or not intensity(shown, timing):
        return [heading("What limits", width, look), blank(), *_memory_only(shown, timing, width, look), blank(),
                *paragraph(HOW, width, look, style=look.muted)]
    notes = [line for line in roofline.legend(roof, shown, timing, look) if line.plain]
    height = 18 if room is None else max(8, room - len(notes) - 3)
    return [heading("Roofline: TFLOP/s reached, by FLOP per byte needed", width, look), blank(),
            *roofline.drawn(roof, roofline.points(shown, timing), width - 1, height, look), blank(),
            *indented(notes, 6)]


def _right(shown: Shown, timing: Timing, width: int, look: Look) -> list[Part]:
    told = timing.get("resources") or shown.resources
    parts = [Part([heading("Why: what one SM can hold", width, look)]), space()]
    if told:
        parts += [Part(indented(occupancy.facts(told, look), 1)), space()]
    else:
        parts += [Part(paragraph("The compiler did not tell.", width, look, indent=1)), space()]
    parts += [Part([heading("Your attempts", width, look)]), space(),
              Part([row(" ", attempts.line(shown.attempts, width - 2, look)),
                    row(" ", attempts.marks(shown.attempts, width - 14, look))]), space(),
              Part(indented(attempts.listed(shown.attempts, 5, shown.today, look), 1), EXPLAINS), space()]
    return [*parts, STRETCH, Part(next_rows(next_words(shown, timing), width, look)), space()]


def _unmeasured(shown: Shown, width: int, height: int | None, look: Look) -> Page:
    """No time: why, what would be measured, and what is known without one."""
    top = _why_not(shown, width, look)
    parts = [space()]
    if shown.puzzle.language == "numba" and (shown.planned is not None or shown.asking):
        planned = [heading("what is measured on a GPU", width, look), *_planned(shown, width, look)]
        parts += [Part(planned), space()]
    needs = [heading("what the kernel needs, from the compiler", width, look), *_needs(shown, width, look)]
    parts += [Part(needs), space()]
    parts.append(Part([heading("your checks", width, look)]))
    if shown.attempts:
        most = 12 if width >= WIDE else 5
        parts += [Part([row("  ", attempts.marks(shown.attempts, width - 20, look))]),
                  Part(indented(attempts.listed(shown.attempts, most, shown.today, look)), EXPLAINS)]
    else:
        parts.append(Part(paragraph("None yet.", width, look, style=look.muted)))
    foot = next_rows(_next_unmeasured(shown), width, look)
    return Page(fit([*parts, STRETCH], None if height is None else height - len(top) - len(foot)), top, foot)


def _why_not(shown: Shown, width: int, look: Look) -> list[Row]:
    if shown.puzzle.language != "numba":
        return band.of_words("NOT TIMED YET", f"{shown.puzzle.language.capitalize()} kernels are not timed yet.", width,
                             look, "What is counted and found is in Result and Memory.")
    if shown.planned is None and not shown.asking:
        return band.of_words("NOTHING TO TIME", "This puzzle is about being right, not about being fast.", width, look)
    if not shown.gpu:
        return band.of_words("NOT MEASURED HERE", "There is no GPU on this machine.", width, look,
                             "What is counted holds everywhere; a time is one card's.")
    if shown.report is None or not shown.report.passed:
        return band.of_words("NOT TIMED YET", "Only what is right is timed.", width, look)
    return band.of_words("NOT TIMED YET", "b times your file and the reference on this GPU.", width, look)


def _next_unmeasured(shown: Shown) -> str:
    if not shown.gpu and shown.planned is not None:
        return f"On a machine with a GPU: gpulab bench {shown.puzzle.id}. gpulab export takes your files along."
    if shown.report is None:
        return "r checks your file."
    if shown.planned is None and shown.report.passed:
        return "What was counted and found is in Result."
    if shown.gpu and shown.report is not None and shown.report.passed and not shown.stale:
        return "b times it."
    return "Make it right first: r checks it."


def _planned(shown: Shown, width: int, look: Look) -> list[Row]:
    """The problem, its limit, the star, and what these are in milliseconds on a card that was measured."""
    facts = shown.planned
    if facts is None:
        said = "Being asked ..." if shown.asking else "Nothing: this puzzle has no time."
        return paragraph(said, width, look, style=look.muted)
    limit = LIMITS.get(facts["limit"], facts["limit"])
    star = f"; the third star asks for {100 * facts['fast_asked']:.0f} % of it" if facts["fast_asked"] else ""
    work = f"{size(facts['bytes'])} to move at least" if facts["bytes"] else ""
    if facts["flops"]:
        work += f", {facts['flops'] / 1e9:,.1f} GFLOP to compute"
    pairs = [("problem", f"{sizes(facts)}: {work}"),
             ("limit", f"the card's own {limit}, measured there{star}"), ("on an H200", _on_an_h200(facts)),
             ("how", HOW)]
    return [line for name, words in pairs if words
            for line in labelled(row((name, look.muted)), wrapped(words, width - 15, look), 14)]


def _on_an_h200(facts: Timing) -> str:
    """Computed from figures that were measured, and said to be."""
    name, _ = unit(facts)
    rate = H200.get(facts["limit"])
    amount = facts["bytes"] if facts["limit"] == "copy" else facts["flops"]
    if not rate or not amount:
        return ""
    least = 1000 * amount / rate
    shown_rate = f"{rate / 1e9:,.0f} {name}" if name == "GB/s" else f"{rate / 1e12:.1f} {name}"
    star = f"; the star is at {milliseconds(least / facts['fast_asked'])}" if facts["fast_asked"] else ""
    return f"{milliseconds(least)} at its {shown_rate}{star}"


def _needs(shown: Shown, width: int, look: Look) -> list[Row]:
    told = shown.resources
    if told is None and not shown.asking and shown.puzzle.language != "numba":
        return paragraph("The compiler did not tell: the file has to compile first.", width, look, style=look.muted)
    if told is None:
        said = "Being asked ..." if shown.asking else (
            "Not known here: registers, shared memory and occupancy come from NVIDIA's compiler libraries. To have "
            "them without a GPU: pip install 'gpulab[cu13]'.")
        return paragraph(said, width, look, style=look.muted)
    major, minor = told["capability"]
    return [row("  ", (f"{'needs':<12}", look.muted), (occupancy.brief(told), look.text)),
            row("  ", (f"{'fills':<12}", look.muted), occupancy.squares(told, look)),
            row("  ", (f"{'':<12}", look.muted), (f"{occupancy.sentence(told)}, on compute capability {major}.{minor}",
                                                 look.muted))]
