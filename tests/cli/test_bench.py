"""`gpulab bench` from outside: what it says without a GPU, and how it puts timings into JSON and rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gpulab.judge.report import Report, Stars
from tests.cli.conftest import Gpulab

TIMING = {
    "yours_ms": 0.25, "low_ms": 0.24, "high_ms": 0.26, "runs": 100, "spread": 0.08, "baselines": {"copy": 0.13},
    "limit": "copy", "limit_ms": 0.128, "percent_of_limit": 51.2, "fast_asked": 0.5, "fast": True, "flags": [],
    "rejected": "", "resources": None, "device": {"name": "a card"}, "card": {"copy": 4.2e12},
}


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any] | None], None]:
    """Stand in for the card: every file has this timing."""
    def set_to(timing: dict[str, Any] | None) -> None:
        monkeypatch.setattr("gpulab.engines.gpu.presence.looks_present", lambda: True)
        monkeypatch.setattr("gpulab.check.time_file", lambda puzzle, file, **options: Report(
            puzzle.id, str(file), "passed", Stars(True), 1, timing=timing))

    return set_to


def test_without_a_gpu_it_says_so_with_status_3(gpulab: Gpulab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    called = gpulab("bench", "threads")
    assert (called.status, called.out) == (3, "")
    assert called.err.startswith("gpulab: This machine has no GPU to time on.")


def test_an_unknown_puzzle_is_a_wrong_call(gpulab: Gpulab) -> None:
    assert gpulab("bench", "nowhere/nothing").status == 2


def test_device_and_card_stand_once_in_the_json(gpulab: Gpulab, timed: Callable[..., None]) -> None:
    timed(TIMING)
    called = gpulab("bench", "threads/blocks", "--json")
    assert called.status == 0
    assert (called.data["device"], called.data["card"]) == ({"name": "a card"}, {"copy": 4.2e12})
    (row,) = called.data["puzzles"]
    assert (row["id"], row["yours"]) == ("threads/blocks", None)
    assert row["reference"]["percent_of_limit"] == 51.2
    assert "device" not in row["reference"]


def test_people_get_rows_with_copy_and_limit(gpulab: Gpulab, timed: Callable[..., None]) -> None:
    timed(TIMING)
    out = gpulab("bench", "threads/blocks").out
    assert "0.25 ms  median of 100 runs" in out
    assert "0.13 ms  a copy of as many bytes" in out
    assert "51 % of this card's copy rate (4.20 TB/s), 50 % asked" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_reference_that_misses_its_star_is_status_1(gpulab: Gpulab, timed: Callable[..., None]) -> None:
    timed({**TIMING, "fast": False})
    assert gpulab("bench", "threads/blocks").status == 1


def test_what_has_no_bench_is_left_out(gpulab: Gpulab, timed: Callable[..., None]) -> None:
    timed(None)
    called = gpulab("bench", "threads")
    assert (called.status, called.out) == (0, "There is nothing to time here.\n")


def test_resources_need_no_gpu_only_the_compiler(gpulab: Gpulab) -> None:
    called = gpulab("bench", "shared/pooling", "--for", "9.0", "--json")
    (row,) = called.data["puzzles"]
    if row["resources"] is None:
        assert (called.status, row["verdict"]) == (3, "environment")
        assert "its libraries are missing" in row["problem"]
        return
    assert called.status == 0
    assert row["resources"]["shared"] == 66 * 4  # the tile: 64 elements and two of the halo
    assert row["resources"]["occupancy"]["blocks"] == 32


def test_a_compute_capability_is_two_numbers(gpulab: Gpulab) -> None:
    called = gpulab("bench", "shared/pooling", "--for", "90")
    assert called.status == 2
    assert called.err == "gpulab: 90 is no compute capability: --for 9.0 is an H100's or H200's.\n"
