"""The Timing page, drawn from times made up by the same functions that make real ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest

from gpulab.timing.smi import Seen
from gpulab.views import attempts, roofline, timing_page
from gpulab.views.look import look
from gpulab.views.plot import Plot
from gpulab.views.timing_data import Shown
from gpulab.workspace.records import Timed
from tests.views import reports, timings
from tests.views.catalogs import catalog

POOLING = next(one for one in catalog(Path("/nowhere")).puzzles if one.id == "shared/pooling")
TODAY = date(2026, 11, 30)
REPORT = timings.passed()
ATTEMPTS = timings.attempts(None, 1.4, 1.2, 0.9, 0.634)
TIMED = Shown(POOLING, REPORT, timing=REPORT.timing, reference=timings.copying(0.62), attempts=ATTEMPTS, gpu=True,
              today=TODAY)
PLANNED = {"sizes": {"n": 1 << 26}, "bytes": 8 << 26, "flops": 0, "limit": "copy", "fast_asked": 0.15}
UNTIMED = Shown(POOLING, reports.race(), planned=PLANNED, attempts=ATTEMPTS[:1], today=TODAY)
PRODUCT = replace(TIMED, timing=timings.multiplying(17.3), reference=timings.multiplying(4.1), others=[
    Timed("matmul/naive", datetime(2026, 11, 11), "passed", timings.multiplying(13.3))])
SLOW = replace(TIMED, timing=timings.copying(0.95), reference=None)
BUSY = replace(TIMED, timing=timings.copying(0.95, spread=0.5, seen=Seen("580.1", "its power limit is reached", 2)))


def lines(page) -> list[str]:
    return [line.plain.rstrip() for line in page.rows]


def page(shown: Shown, width: int = 80, height: int = 21) -> list[str]:
    return lines(timing_page.page(shown, width, height, look()))


@pytest.mark.parametrize("shown", [TIMED, UNTIMED, PRODUCT, SLOW, BUSY])
@pytest.mark.parametrize(("width", "height"), [(60, 17), (80, 21), (100, 26), (120, 37), (200, 57)])
def test_every_page_fits_its_screen_in_both_alphabets(shown, width, height):
    for ascii in (False, True):
        found = timing_page.page(shown, width, height, look(ascii=ascii))
        assert all(line.cell_len <= width for line in found.rows)
        assert len(found.band) + len(found.foot) < height
        assert not ascii or all(line.plain.isascii() and "?" not in line.plain for line in found.rows)
    if width >= 80:
        assert len(timing_page.page(shown, width, height, look()).rows) <= height


def test_the_slowest_bar_is_the_longest_and_the_stars_time_is_a_column():
    found = page(SLOW)
    bars = [line for line in found if "━" in line]
    assert [line.split()[0] for line in bars] == ["yours", "a", "limit"]
    assert [line.count("━") for line in bars] == sorted((line.count("━") for line in bars), reverse=True)
    assert sum("┊" in line for line in bars) == 2 and "0.854 ms for ★" in "".join(bars)
    assert found[0] == "▌ 0.95 ms   13 % of this card's copy rate; 0.854 ms earns the third star."


def test_a_star_that_is_earned_is_green_and_said():
    made = timing_page.page(TIMED, 80, 21, look())
    assert "15 % was asked: the third star." in lines(made)[0]
    assert made.band[0].style == look().good_band


def test_what_disturbs_is_said_and_no_star_is_missed_for_it():
    words = " ".join(" ".join(page(BUSY)).split())
    assert "The machine is busy" in words and "2 other programs use this GPU." in words
    assert "No star is given or missed" in words and "Time it again (b)" in words


def test_no_point_lies_above_the_roof():
    roof = roofline.roof_of(PRODUCT.timing)
    for shown in (TIMED, PRODUCT):
        for point in roofline.points(shown, shown.timing):
            assert point.y <= roof.at(point.x)
    assert roof.ridge == pytest.approx(12.1, rel=0.01)


def test_the_counted_arithmetic_places_a_puzzle_that_names_none():
    assert any("0.25 FLOP per byte" in line for line in page(TIMED))
    assert any("memory limits you" in line for line in page(TIMED))
    assert any("arithmetic limits you" in line for line in page(PRODUCT))


def test_without_arithmetic_there_is_no_roof_and_it_says_what_limits():
    words = " ".join(" ".join(page(replace(TIMED, report=reports.race()))).split())
    assert "moving bytes is all there is to be fast at" in words and "846 GB/s of the 4190" in words


def test_occupancy_names_what_is_used_up_first():
    words = "\n".join(page(PRODUCT, 120, 37))
    assert "registers     38 a thread      6 blocks ◀ limit" in words and "75 %" in words


def test_attempts_are_a_line_that_ends_at_the_newest():
    assert attempts.line(ATTEMPTS, 40, look()).plain == "1.4 ms █▆▃▁ 0.634 ms"
    assert attempts.line(ATTEMPTS, 40, look(ascii=True)).plain == "1.4 ms 8631 0.634 ms"
    assert attempts.marks(ATTEMPTS, 40, look()).plain == "×●●●●  5 checks"


def test_without_a_gpu_nothing_is_measured_and_what_would_be_is_told():
    found = page(UNTIMED)
    assert found[0] == "▌ NOT MEASURED HERE   There is no GPU on this machine."
    words = " ".join(" ".join(found).split())
    assert "0.128 ms at its 4,190 GB/s; the star is at 0.854 ms" in words
    assert "gpulab bench shared/pooling" in words and "12 Nov 14:02 × race" in words


def test_a_puzzle_without_a_time_says_that_it_has_none():
    assert page(replace(UNTIMED, planned=None))[0].startswith("▌ NOTHING TO TIME")


def test_a_triton_puzzle_is_not_timed_yet_and_what_it_needs_is_told():
    triton = replace(UNTIMED, puzzle=replace(POOLING, language="triton"), planned=None)
    found = page(triton)
    assert found[0].startswith("▌ NOT TIMED YET   Triton kernels are not timed yet.")
    assert any("has to compile first" in line for line in found) and any("1 check" in line for line in found)
    needs = TIMED.timing["resources"]
    words = "\n".join(page(replace(triton, resources=needs)))
    assert "16 registers, 264 B shared, no spills" in words and "on compute capability 9.0" in words


def test_a_plot_keeps_marks_at_or_below_their_point():
    plot = Plot(10, 5, (1, 100), (1, 100))
    plot.mark(10, 17, "●")  # 7.3 dots from the top: the cell of dots 4 to 7 would seem to lie higher
    assert [row for row, runs in enumerate(plot.rows()) if any(mark for _, mark in runs)] == [2]
