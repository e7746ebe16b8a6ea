"""How a time comes about, and what it is worth. Over the double only the way is tested: its times are no card's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gpulab import runner
from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report, Stars
from gpulab.timing.cards import Card, Cards, bandwidth, card_of, float32_rate, shortest
from gpulab.timing.model import Measured, Plan, summary_of
from gpulab.timing.protocol import flushes
from gpulab.timing.smi import Seen
from gpulab.timing.worth import as_timing, complete, device_of
from gpulab.trace.device import Device
from tests.gpu.conftest import DOUBLE, HOST, KERNEL, Check, written
from tests.sample import thorough

H200 = Device("NVIDIA H200", "GPU-1", (9, 0), 150 << 30, 140 << 30, 132, 60 << 20, 1980000, 3201000, 6016, (13, 0),
              "580.1")
CARD = Card("GPU-1", "580.1", "NVIDIA H200", copy=4.2e12, fma=60e12, matmul=51e12)


def timing_of(times: list[float], *, bytes_moved: int = 1 << 30, fast: float | None = 0.5, card: Card | None = CARD,
              seen: Seen | None = None) -> Report:
    """A passed report with these times, held against the card."""
    timing = as_timing(Measured(times, times), Plan(), H200, seen or Seen("580.1"), sizes={"n": 1}, flops=0,
                       bytes_moved=bytes_moved, limit="copy", fast=fast)
    return complete(Report("t/p", "f", "passed", Stars(True), 1, timing=timing), card)


def test_median_and_quartiles_are_numpys() -> None:
    found = summary_of([4.0, 1.0, 3.0, 2.0, 5.0])
    assert (found.low, found.median, found.high, found.runs) == (2.0, 3.0, 4.0, 5)
    assert found.spread == pytest.approx(2 / 3)


def test_an_h200s_own_rates_follow_from_its_drivers_figures() -> None:
    assert bandwidth(H200) == pytest.approx(4.814e12, rel=1e-3)
    assert float32_rate(H200) == pytest.approx(66.9e12, rel=1e-3)
    assert bandwidth(replace(H200, memory_clock=0)) is None


def test_a_time_is_a_fraction_of_the_measured_limit_and_earns_the_star() -> None:
    report = timing_of([0.40] * 20)  # 1 GiB at 4.2 TB/s is 0.2557 ms
    assert report.timing is not None
    assert report.timing["limit_ms"] == pytest.approx(0.25565, rel=1e-4)
    assert report.timing["percent_of_limit"] == pytest.approx(63.9, rel=1e-2)
    assert report.stars.fast is True


def test_a_slow_time_earns_none() -> None:
    assert timing_of([0.60] * 20).stars.fast is False


def test_faster_than_a_copy_is_let_pass_faster_than_the_memory_is_not() -> None:
    honest = timing_of([0.2557 / 1.06] * 20)
    assert honest.timing is not None and not honest.timing["rejected"]
    assert honest.stars.fast is True
    impossible = timing_of([0.19] * 20)
    assert impossible.timing is not None and "cannot be true" in str(impossible.timing["rejected"])
    assert impossible.stars.fast is None


def test_what_fits_into_l2_need_not_have_reached_memory() -> None:
    assert shortest(H200, CARD, 60 << 20, 0) == 0
    rest = (1 << 30) - (60 << 20)
    assert shortest(H200, CARD, 1 << 30, 0) == pytest.approx(1000 * rest / (4.814e12 * 1.02), rel=1e-3)


def test_without_a_memory_clock_only_far_faster_than_a_copy_is_disbelieved() -> None:
    unknown = replace(H200, memory_clock=0, l2=0)
    assert shortest(unknown, CARD, 1 << 30, 0) == pytest.approx(1000 * (1 << 30) / (4.2e12 * 1.12 * 1.02), rel=1e-3)
    assert shortest(unknown, None, 1 << 30, 0) == 0


def test_a_spread_of_more_than_a_tenth_is_said_and_takes_no_star_away() -> None:
    report = timing_of([0.5, 0.7, 0.9] * 7)
    assert report.timing is not None and "busy" in str(report.timing["flags"])
    assert report.stars.fast is None
    assert any(note.kind == "timing" for note in report.notes)


def test_others_on_the_card_and_clocks_held_back_are_said() -> None:
    report = timing_of([0.4] * 20, seen=Seen("580.1", "its power limit is reached", 1))
    assert report.timing is not None
    assert report.timing["flags"] == ["1 other program uses this GPU.",
                                      "The card's clocks are held back: its power limit is reached."]


def test_without_measured_limits_there_is_a_time_and_no_star() -> None:
    report = timing_of([0.4] * 20, card=None)
    assert report.timing is not None and report.timing["percent_of_limit"] is None
    assert report.stars.fast is None


def test_a_card_is_kept_by_uuid_and_driver(tmp_path: Path) -> None:
    cards = Cards(tmp_path)
    assert cards.get("GPU-1", "580.1") is None
    cards.keep(CARD)
    cards.keep(replace(CARD, driver="590.0", copy=4.3e12))
    cards.keep(replace(CARD, copy=4.1e12))
    found = cards.get("GPU-1", "580.1")
    assert found is not None and found.copy == 4.1e12
    assert len(json.loads((tmp_path / "cards.json").read_text())["cards"]) == 2


def test_a_damaged_file_of_cards_is_as_none(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text("{")
    assert Cards(tmp_path).get("GPU-1", "580.1") is None


def test_what_was_measured_before_a_crash_counts() -> None:
    card = card_of(H200, '{"copy": 4.2e12}\n{"fma": 6e13}\nFatal Python error: Segmentation fault\n')
    assert card is not None and (card.copy, card.fma, card.matmul) == (4.2e12, 6e13, None)
    assert card.rate("float32") == 6e13
    assert card_of(H200, "Traceback ...") is None


def test_the_device_comes_back_out_of_a_timing_as_it_was() -> None:
    report = timing_of([0.4] * 20)
    assert report.timing is not None
    assert device_of(json.loads(json.dumps(report.timing))) == H200


def test_a_right_kernel_is_timed_in_turn_with_a_copy_and_checked_afterwards(check: Check, timed_puzzle: Puzzle) -> None:
    report = check(KERNEL, timed_puzzle)
    timing = report.timing
    assert report.passed and timing is not None
    assert timing["runs"] >= 20 and timing["input_sets"] == 3 and timing["warm_runs"] >= 2
    assert timing["flushed_bytes"] >= 62914560  # at least the L2 cache of the card that it is a double of
    assert set(timing["baselines"]) == {"copy"}
    assert (timing["bytes"], timing["sizes"]) == (8 * 4096, {"n": 4096})


@thorough
def test_a_kernel_that_is_wrong_only_where_it_is_timed_is_no_right_one(check: Check, timed_puzzle: Puzzle) -> None:
    """The larger case has 4,093 elements, what is timed 4,096."""
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n:
                out[i] = a[i] + (2 if n == 4096 else 1)
    """, timed_puzzle)
    assert (report.verdict, report.stars.correct, report.timing) == ("wrong answer", False, None)
    assert report.diagnosis is not None and report.diagnosis.sizes == {"n": 4096}


@thorough
def test_a_host_function_is_timed_too(host_puzzle: Puzzle, tmp_path: Path) -> None:
    report = runner.time_file(host_puzzle, written(tmp_path / "work", HOST), seed=1, gpu_family=DOUBLE, cards=tmp_path)
    assert report.passed and report.timing is not None
    assert report.timing["runs"] >= 20


def test_a_puzzle_without_a_bench_has_nothing_to_time(puzzle: Puzzle, tmp_path: Path) -> None:
    spec = puzzle.spec.read_text()
    start, end = spec.index("    bench="), spec.rindex(")")
    puzzle.spec.write_text(spec[:start] + spec[end:])
    report = runner.time_file(puzzle, written(tmp_path / "work", KERNEL), seed=1, gpu_family=DOUBLE, cards=tmp_path)
    assert (report.verdict, report.timing) == ("passed", None)


def test_a_flush_covers_what_a_launch_costs_the_host() -> None:
    assert flushes(host=0.024, one=0.060) == 2  # three times the launch
    assert flushes(host=0.079, one=0.060) == 4
    assert flushes(host=0.001, one=0.060) == 1
    assert flushes(host=1000.0, one=0.060) == 64  # a host function that is slow by itself
    assert flushes(host=0.024, one=0.0) == 64
