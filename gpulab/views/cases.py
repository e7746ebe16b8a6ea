"""The cases of a check as rows of marks under their sizes: numbers, and sound."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style

from gpulab.judge.report import CaseResult, Report
from gpulab.trace.model import FINDING_KINDS, Finding
from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.rows import Row, padded, row, wrapped

LABEL = 12
"""Cells before the first mark."""
PASSED, FAILED, OPEN = "●", "×", "○"
MOST_COUNTS = 3
"""Cases whose wrong elements are named one by one."""
BY_LUCK = "right, by luck of order"
SHORTER = {BY_LUCK: "right, by luck"}
"""The same where the row is long."""
UNSOUND = frozenset(FINDING_KINDS) - {"raised", "timed out"}
"""Verdicts of a case whose numbers may be right all the same."""

STOPPED = ("does not compile", "raised", "crashed", "timed out", "deadlock")
"""Verdicts of a case that came to no end."""
UNJUDGED = ("not allowed", "unsupported", "environment", "not run")
"""Verdicts of a case that say nothing of its values."""


def of_report(report: Report) -> list[CaseResult]:
    """The cases of the engine whose verdict the report has."""
    results = list(report.engines.values())
    deciding = next((result for result in results if result.verdict == report.verdict), None)
    deciding = deciding or next(iter(results), None)
    return deciding.cases if deciding else []


def findings(report: Report) -> list[Finding]:
    """What the sanitizer found, on the engine whose verdict the report has."""
    return next((result.findings for result in report.engines.values() if result.verdict == report.verdict), [])


def title(report: Report) -> str:
    """`8 cases, seed 71, 0.08 s`."""
    spent = report.seconds.get("total")
    parts = [figures.plural(len(of_report(report)), "case"), f"seed {report.seed}"]
    return ", ".join([*parts, *([figures.seconds(spent)] if spent is not None else [])])


def numbers(case: CaseResult) -> str:
    """Whether the values were right: the mark of a case's first row."""
    if case.verdict == "passed":
        return PASSED
    if case.verdict in UNSOUND or case.verdict == "over budget":
        return FAILED if case.wrong else PASSED if case.of else OPEN
    return OPEN if case.verdict in UNJUDGED and not case.wrong else FAILED


def sound(case: CaseResult) -> str:
    """Whether the sanitizer is content: the mark of a case's second row."""
    if case.verdict in UNSOUND:
        return FAILED
    if case.verdict in ("passed", "wrong answer", "not written", "input modified", "over budget"):
        return PASSED
    return OPEN


def allowed(case: CaseResult) -> str:
    """Whether the work was done as the puzzle asks: a row only where some of it was not."""
    return FAILED if case.verdict == "not allowed" else PASSED if case.verdict == "passed" else OPEN


def _marks(cases: Sequence[CaseResult]) -> list[tuple[str, Callable[[CaseResult], str]]]:
    rule = any(case.verdict == "not allowed" for case in cases)
    return [("numbers", numbers), ("allowed", allowed) if rule else ("sound", sound)]


def on_gpu(report: Report) -> list[CaseResult]:
    """What the GPU said of the same cases, where both engines ran; a last one more is the larger case."""
    return report.engines["gpu"].cases if {"sim", "gpu"} <= report.engines.keys() else []


def rows(cases: Sequence[CaseResult], width: int, look: Look, *, words: bool = True,
         findings: Sequence[Finding] = (), beside: Sequence[CaseResult] = (), chosen: int | None = None) -> list[Row]:
    """Sizes above two rows of marks; more cases than fit go on below. `words` adds what the marks add up to.

    `beside` are the GPU's, a third row; `chosen` is the case under the cursor.
    """
    parts = groups(cases, width, look, words=words, findings=findings, beside=beside, chosen=chosen)
    return [line for sizes, marks in parts for line in (*sizes, *marks)]


def groups(cases: Sequence[CaseResult], width: int, look: Look, *, words: bool = True,
           findings: Sequence[Finding] = (), beside: Sequence[CaseResult] = (),
           chosen: int | None = None) -> list[tuple[list[Row], list[Row]]]:
    """The same as (rows of sizes, rows of marks), for each run of cases that fits into the width."""
    if not cases:
        return []
    same = {(tuple(case.sizes.items()), case.tags): case for case in beside}
    others = [same.get((tuple(case.sizes.items()), case.tags)) for case in cases] if beside else []
    step = _step(cases, width)
    per_line = max(1, (width - LABEL) // step)
    found = []
    for start in range(0, len(cases), per_line):
        chunk = cases[start:start + per_line]
        marks = _mark_rows(chunk, step, _marks(cases), look)
        if others:
            marks.append(_gpu_row(others[start:start + per_line], step, look))
        found.append((_sizes(chunk, step, look), marks))
    if chosen is not None and 0 <= chosen < len(cases):
        _choose(found[chosen // per_line], LABEL + step * (chosen % per_line), step, look)
    if words and len(cases) <= per_line:
        texts = [numbers_words(cases), sound_words(findings), *([larger_words(beside)] if others else [])]
        _add_words(found[0][1], texts, LABEL + step * len(cases), width, look)
    return found


def _gpu_row(cases: Sequence[CaseResult | None], step: int, look: Look) -> Row:
    """Whether each case passed on the GPU."""
    marks = [OPEN if case is None or case.verdict in UNJUDGED else PASSED if case.verdict == "passed" else FAILED
             for case in cases]
    return row((f"  {'on the GPU':<{LABEL - 2}}", look.text), *((mark.rjust(step), _hue(mark, look)) for mark in marks))


def larger_words(beside: Sequence[CaseResult]) -> str:
    """`a larger one too`: what came of the case that only the GPU runs."""
    last = beside[-1] if beside else None
    if last is None or last.tags != "larger" or last.verdict in UNJUDGED:
        return ""
    return "a larger one too" if last.verdict == "passed" else f"larger: {last.verdict}"


def _choose(group: tuple[list[Row], list[Row]], column: int, step: int, look: Look) -> None:
    """The column under the cursor stands out, by its colour and by being bold."""
    for line in (*group[0], *group[1]):
        line.stylize(look.accent_band, column, column + step)
    for line in group[0]:
        line.stylize(look.accent + look.bold, column, column + step)


def detail(cases: Sequence[CaseResult], beside: Sequence[CaseResult], chosen: int, width: int, look: Look) -> list[Row]:
    """The case under the cursor: its sizes and seed, its verdict on each engine, and what went wrong there."""
    case = cases[chosen]
    other = next((one for one in beside if (one.sizes, one.tags) == (case.sizes, case.tags)), None)
    line = row(("▌ ", look.accent), (f"case {chosen + 1} of {len(cases)}", look.strong), "  ",
               (figures.sizes(case.sizes) or "no sizes", look.text), (f"  seed {case.seed}  ", look.muted),
               (_verdict_words(case), look.good if case.verdict == "passed" else look.fault))
    if other is not None and other.verdict not in UNJUDGED:
        line.append(f"  on the GPU: {_verdict_words(other)}", look.good if other.verdict == "passed" else look.fault)
    lines = [line]
    if line.cell_len > width:
        before, _, after = line.plain.rpartition("  on the GPU: ")
        lines = [line[:len(before)], row(("▌ ", look.accent), line[len(line.plain) - len(after) - 12:])]
    for message in dict.fromkeys([case.message, other.message if other is not None else ""]):
        lines += [row(("▌ ", look.accent), part) for part in wrapped(message, width - 3, look)] if message else []
    if len(lines) == 1:
        words = "Right and sound." if case.verdict == "passed" else "An earlier case ended the check." \
            if case.verdict == "not run" else ""
        lines += [row(("▌ ", look.accent), (words, look.muted))] if words else []
    return [row(padded(each, width), style=look.chosen) for each in lines]


def _verdict_words(case: CaseResult) -> str:
    """`race`, `3 of 129 wrong`."""
    if case.verdict == "wrong answer" and case.wrong:
        return f"{case.wrong:,} of {case.of:,} wrong"
    return case.verdict


def _step(cases: Sequence[CaseResult], width: int) -> int:
    """Cells for each case: as wide as fits in one line, 5 at most and 3 at least."""
    longest = max((len(str(size)) for case in cases for size in case.sizes.values()), default=1)
    for step in (5, 4):
        if longest < step and len(cases) * step <= width - LABEL:
            return step
    return 4 if longest > 2 else 3


def _sizes(cases: Sequence[CaseResult], step: int, look: Look) -> list[Row]:
    names = list(dict.fromkeys(name for case in cases for name in case.sizes))
    lines = []
    for name in names:
        cells = [(_size(case.sizes.get(name), step).rjust(step), look.muted) for case in cases]
        lines.append(row(("  " + name[:LABEL - 3].ljust(LABEL - 2), look.muted), *cells))
    return lines


def _mark_rows(cases: Sequence[CaseResult], step: int, marks: Sequence[tuple[str, Callable[[CaseResult], str]]],
               look: Look) -> list[Row]:
    lines = []
    for label, mark in marks:
        cells = [(mark(case).rjust(step), _hue(mark(case), look)) for case in cases]
        lines.append(row((f"  {label:<{LABEL - 2}}", look.text), *cells))
    return lines


def _size(size: int | None, step: int) -> str:
    if size is None:
        return "-"
    return str(size) if len(str(size)) < step else figures.short(size)


def _hue(mark: str, look: Look) -> Style:
    return {PASSED: look.good, FAILED: look.fault, OPEN: look.muted}[mark]


def _add_words(lines: Sequence[Row], texts: Sequence[str], column: int, width: int, look: Look) -> None:
    for line, words in zip(lines, texts, strict=True):
        wording = next((one for one in (words, SHORTER.get(words, "")) if column + 4 + len(one) < width), "")
        if wording:
            line.append("    ")
            line.append(wording, look.text)


def numbers_words(cases: Sequence[CaseResult]) -> str:
    """`1, 3 and 30 wrong` (elements), `5 of 9 fail` where they are many, `all fail`; `right, by luck of order`."""
    if any(case.verdict in STOPPED for case in cases):
        return ""  # no element was compared
    failed = [case for case in cases if numbers(case) == FAILED]
    if failed and len(failed) == len(cases):
        return "all fail" if len(cases) > 1 else ""
    if len(failed) > MOST_COUNTS or any(not case.wrong for case in failed):
        return f"{len(failed)} of {len(cases)} fail"
    if failed:
        return f"{figures.listed([f'{case.wrong:,}' for case in failed])} wrong"
    racing = any(case.verdict == "race" for case in cases)
    if racing and all(numbers(case) == PASSED for case in cases):
        return BY_LUCK
    return ""


def sound_words(findings: Sequence[Finding]) -> str:
    """`64 elements of tile race`: how much of it there is, of the first finding."""
    first = next(iter(findings), None)
    if first is None or first.count < 2 or first.array is None:
        return ""
    verbs = {"race": "race", "uninitialised read": "unset"}
    return f"{first.count} elements of {first.array} {verbs[first.kind]}" if first.kind in verbs else ""


def summary(cases: Sequence[CaseResult]) -> str:
    """One sentence about which cases fail and how badly; empty where all pass."""
    bad = [case for case in cases if case.wrong]
    if not bad:
        return ""
    if len(bad) > MOST_COUNTS:
        which = f"All {len(cases)}" if len(bad) == len(cases) else f"{len(bad)} of {len(cases)}"
        text = f"{which} cases have wrong elements."
    else:
        text = f"{figures.listed([f'{case.wrong:,} of {case.of:,}' for case in bad])} elements are wrong."
    right = [case for case in cases if numbers(case) == PASSED]
    if right and len(bad[0].sizes) == 1:
        (name, least), = bad[0].sizes.items()
        grows = all(case.sizes[name] >= least for case in bad)
        if grows and all(case.sizes.get(name, least) < least for case in right):
            text += f" It begins at {name} = {least}."
    return text
