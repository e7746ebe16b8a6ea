"""Budgets on any counter: what the verdict says of the figure, the limit, the line that costs most and the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpulab.judge.report import BudgetLine, Report, limit_to_tell
from gpulab.judge.source import Source
from tests.judge import specs
from tests.judge.local import judge, puzzle_of
from tests.judge.test_verdicts import HEAD, KERNEL, changed, judged, said

OWN = 'budget=Budget({limit}, needed=True, idea="Do better."))'

RECORDS = """
import numpy as np
from gpulab.catalog.spec import *

def cases(rng):
    for n in sizes(64):
        yield Case(p=normal(rng, n, 8), out=empty(n), n=n)

def reference(p):
    return p[:, 3].astype(np.float64) + p[:, 4]

PUZZLE = NumbaPuzzle(kernel="f", args="out p n", launch=one_thread_per("out", 64),
                     """

FIELDS = HEAD + """\
@cuda.jit
def f(out, p, n):
    i = cuda.grid(1)
    if i < n:
        x = p[i, 3]  # the first field
        y = p[i, 4]
        out[i] = x + y
"""

COLUMNS = HEAD + """\
@cuda.jit
def f(out, a, n):
    tile = cuda.shared.array((TPB, 8), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    for k in range(8):
        tile[t, k] = float32(0)
    if i < n:
        tile[t, 0] = a[i]
        if i >= 1:
            tile[t, 1] = a[i - 1]
        if i >= 2:
            tile[t, 2] = a[i - 2]
    total = float32(0)
    for k in range(8):
        total += tile[t, k]
    if i < n:
        out[i] = total
"""


def spec(text: str, limit: str) -> str:
    """The spec with another budget."""
    if text is RECORDS:
        return RECORDS + OWN.format(limit=limit)
    old = 'budget=Budget(global_loads_per_output=1.04, uses_shared=True, needed=True, idea="Use the tile."))'
    return changed(text, old, OWN.format(limit=limit))


def budget(report: Report) -> BudgetLine:
    (line,) = report.engines["sim"].budget
    return line


def detail(report: Report) -> str:
    assert report.diagnosis is not None
    return report.diagnosis.detail


def test_sectors_per_request_name_the_worst_line_and_its_own_figure(tmp_path: Path) -> None:
    report = judged(tmp_path, FIELDS, spec(RECORDS, "global_load_sectors_per_request=4"))
    assert report.verdict == "over budget"
    assert said(report) == "Right, but it takes 31.25 global load sectors per request; at most 4 may be."
    assert detail(report) == "Line 11, x = p[i, 3], is the worst: 31.25 for each request."
    assert report.diagnosis is not None and report.diagnosis.next == "Do better."
    found = budget(report)
    assert (found.line, found.figure, found.line_figure, found.line_share) == (11, 31.25, 31.25, 0.5)


def test_bytes_per_output_are_those_that_move(tmp_path: Path) -> None:
    report = judged(tmp_path, FIELDS, spec(RECORDS, "global_bytes_per_output=12"))
    assert said(report) == "Right, but it takes 68 global bytes per output; at most 12 may be."
    assert detail(report) == "Line 11, x = p[i, 3], makes the most: 32 of 68."


def test_bank_conflicts_name_the_line_that_makes_most(tmp_path: Path) -> None:
    report = judged(tmp_path, COLUMNS, spec(specs.STENCIL, "bank_conflicts=0"))
    found = budget(report)
    assert report.verdict == "over budget"
    assert found.figure == report.engines["sim"].counters["totals"]["shared_load_bank_conflicts"] + (
        report.engines["sim"].counters["totals"]["shared_store_bank_conflicts"])
    assert detail(report) == "Line 13, tile[t, k] = float32(0), makes the most: 1792 of 4238."
    assert found.line == 13 and found.line_share == pytest.approx(1792 / 4238)


def test_wavefronts_per_request_are_a_ratio(tmp_path: Path) -> None:
    report = judged(tmp_path, COLUMNS, spec(specs.STENCIL, "shared_load_wavefronts_per_request=1"))
    assert said(report) == "Right, but it takes 8 shared load wavefronts per request; at most 1 may be."
    assert detail(report) == "Line 22, total += tile[t, k], is the worst: 8 for each request."


def test_a_share_of_active_lanes_is_asked_for_from_below(tmp_path: Path) -> None:
    source = KERNEL + """\
    if i < n:
        total = float32(0)
        if i % 32 == 0:
            for k in range(100):
                total += float32(0)
        if i >= 2:
            total += a[i - 2]
        if i >= 1:
            total += a[i - 1]
        out[i] = total + a[i]
"""
    report = judged(tmp_path, source, spec(specs.STENCIL, "active_lanes_percent=60"))
    found = budget(report)
    assert report.verdict == "over budget" and found.at_least and not found.kept
    assert (found.line, found.line_figure) == (13, pytest.approx(100 / 32, abs=0.01))
    assert said(report).startswith("Right, but only ") and said(report).endswith("at work; at least 60 % should be.")
    assert detail(report) == "Line 13, for k in range(100):, idles most: 3.12 % of its lanes are at work."
    kept = judged(tmp_path, changed(source, "% 32 == 0", "< n"), spec(specs.STENCIL, "active_lanes_percent=60"))
    assert kept.passed and budget(kept).kept


def test_the_code_of_a_line_is_left_out_where_there_is_no_room(tmp_path: Path) -> None:
    long = "x = p[i, 3]" + " + float32(0)" * 6
    report = judged(tmp_path, changed(FIELDS, "x = p[i, 3]", long), spec(RECORDS, "global_load_sectors_per_request=4"))
    assert detail(report) == "Line 11 is the worst: 31.25 for each request."


def test_a_malformed_name_is_a_broken_puzzle_with_the_names_there_are(tmp_path: Path) -> None:
    report = judge(puzzle_of(tmp_path, spec(RECORDS, "global_load_sector_per_request=4")), FIELDS)
    assert report.verdict == "environment" and report.diagnosis is not None
    said = f"{report.diagnosis.message} {report.diagnosis.detail}"
    assert 'Unknown budget "global_load_sector_per_request"' in said and "global_load_sectors" in said


def test_the_code_of_a_line_has_no_comment_and_no_indentation() -> None:
    source = Source("a = 1\n    b[i] = c  # why\n\n")
    assert [source.line(number) for number in (1, 2, 3, 9, None)] == ["a = 1", "b[i] = c", "", "", ""]


def test_of_two_limits_that_are_not_kept_the_launches_are_told() -> None:
    loads, stores = BudgetLine("global_loads", 9, 4), BudgetLine("global_stores", 2, 4)
    launches, shared = BudgetLine("launches", 2, 1), BudgetLine("shared_arrays", 0, 1, at_least=True)
    assert limit_to_tell([loads, stores, launches, shared]) is launches
    assert limit_to_tell([stores, loads, shared]) is loads
    assert limit_to_tell([stores]) is None
