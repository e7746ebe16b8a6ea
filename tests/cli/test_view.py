"""`view`: what it draws, where it begins, its statuses and its JSON, through real processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Gpulab, process

WRONG = ROOT / "puzzles/shared/pooling/wrong"
POOLING = str(ROOT / "kernels/shared/pooling.py")
SCAN = str(ROOT / "kernels/shared/scan-any-length.py")


def drawn(gpulab: Gpulab, *arguments: str) -> str:
    said = gpulab("view", *arguments)
    assert said.status == 0, said.err
    return said.out


class TestDrawing:
    @pytest.mark.parametrize("width", [80, 120])
    @pytest.mark.parametrize("what", ["source", "memory", "banks", "barriers"])
    def test_nothing_is_wider_than_the_terminal_and_a_pipe_gets_no_colour(
        self, gpulab: Gpulab, monkeypatch: pytest.MonkeyPatch, what: str, width: int
    ) -> None:
        monkeypatch.setenv("COLUMNS", str(width))
        out = drawn(gpulab, "shared/pooling", "--file", POOLING, "--what", what)
        assert max(map(len, out.splitlines())) <= width
        assert "\x1b" not in out and out.startswith("shared/pooling  ")
        assert re.search(r"pool\[3, 64\]  n = 129  seed \d+", out)

    def test_ascii_is_ascii(self, gpulab: Gpulab) -> None:
        for what in ("source", "memory", "banks", "barriers"):
            assert drawn(gpulab, "pooling", "--file", POOLING, "--what", what, "--ascii").isascii()

    def test_without_what_it_is_the_source_with_its_figures(self, gpulab: Gpulab) -> None:
        out = drawn(gpulab, "pooling", "--file", POOLING)
        assert "loads stores  sect/req  best conflicts  lanes" in out and "def pool(out, a, n):" in out
        assert re.search(r"tile\[t \+ 2\] = a\[i\]\s+5 +5 +3\.4 +3\.4 +0 +25\.8\n", out), out

    def test_block_warp_step_and_thread_are_taken(self, gpulab: Gpulab) -> None:
        out = drawn(gpulab, "pooling", "--file", POOLING, "--what", "memory", "--block", "1", "--warp", "1",
                    "--step", "2")
        assert "step 2 of " in out and "block 1, warp 1" in out
        out = drawn(gpulab, "pooling", "--file", POOLING, "--what", "memory", "--block", "2", "--thread", "0")
        assert "block 2, warp 0" in out

    def test_of_barriers_a_step_is_an_interval(self, gpulab: Gpulab) -> None:
        out = drawn(gpulab, "pooling", "--file", POOLING, "--what", "barriers", "--step", "1", "--cell", "40")
        assert "interval 1 of 2" in out and re.search(r"\n     40 ", out)

    def test_a_host_puzzle_has_a_picture_for_each_launch(self, gpulab: Gpulab) -> None:
        assert "launch 1 of 3" in drawn(gpulab, "scan-any-length", "--file", SCAN)
        assert "add_before[" in drawn(gpulab, "scan-any-length", "--file", SCAN, "--launch", "3")

    def test_a_racing_file_is_drawn_with_its_verdict_and_its_line_marked(self, gpulab: Gpulab) -> None:
        out = drawn(gpulab, "pooling", "--file", str(WRONG / "missing_barrier.py"))
        assert re.search(r"seed \d+  race\n", out) and "\n×18 │" in out and "× line 18: race." in out


class TestSeed:
    def test_the_last_checks_numbers_are_drawn(self, gpulab: Gpulab, work: Path) -> None:
        gpulab("start", "pooling")
        (work / "shared/pooling.py").write_text(Path(POOLING).read_text())
        assert gpulab("check", "pooling", "--seed", "4711").status == 0
        said = gpulab("view", "pooling", "--what", "memory")
        assert "seed 4711" in said.out and said.err == ""

    def test_before_the_first_check_it_says_that_the_numbers_are_new(self, gpulab: Gpulab, work: Path) -> None:
        gpulab("start", "pooling")
        (work / "shared/pooling.py").write_text(Path(POOLING).read_text())
        said = gpulab("view", "pooling")
        assert said.status == 0
        assert said.err == ("Not checked yet, so the numbers are new ones. Check: gpulab check shared/pooling\n")

    def test_one_seed_gives_one_picture(self, gpulab: Gpulab) -> None:
        one, two = (drawn(gpulab, "pooling", "--file", POOLING, "--what", "barriers", "--seed", "5") for _ in range(2))
        assert one == two


class TestRefusals:
    @pytest.mark.parametrize(("arguments", "message"), [
        (["--block", "3"], "There is no block 3: the launch has 3, so choose 0 to 2."),
        (["--warp", "2"], "There is no warp 2: a block has 2, so choose 0 to 1."),
        (["--step", "99"], "There is no step 99: this warp makes "),
        (["--thread", "64"], "There is no thread 64: a block has 64, so choose 0 to 63."),
        (["--launch", "2"], "There is no launch 2: your file launches once."),
        (["--what", "barriers", "--step", "3"], "There is no interval 3: this block has 2, so choose 1 to 2."),
    ])
    def test_what_is_not_there_is_a_wrong_call_in_one_line(
        self, gpulab: Gpulab, arguments: list[str], message: str
    ) -> None:
        what = [] if "--what" in arguments else ["--what", "memory"]
        said = gpulab("view", "pooling", "--file", POOLING, *what, *arguments)
        assert (said.status, said.out) == (2, "")
        assert said.err.startswith(f"gpulab: {message}") and said.err.count("\n") == 1

    @pytest.mark.parametrize("what", ["banks", "barriers"])
    def test_a_kernel_without_shared_memory_has_no_banks_and_no_barriers(self, gpulab: Gpulab, what: str) -> None:
        said = gpulab("view", "threads/map", "--file", str(ROOT / "kernels/threads/map.py"), "--what", what)
        assert (said.status, said.out) == (2, "")
        assert "uses no shared memory" in said.err and "--what memory" in said.err and said.err.count("\n") == 1

    @pytest.mark.parametrize(("source", "message"), [
        ("def pool(:\n", "Nothing to draw, does not compile: Line 1 is not Python"),
        ("def other(a):\n    pass\n", "Nothing to draw, does not compile: "),
        ("raise ValueError('no')\n", "Nothing to draw, raised"),
    ])
    def test_a_file_that_cannot_be_run_is_not_passed_and_says_why(
        self, gpulab: Gpulab, tmp_path: Path, source: str, message: str
    ) -> None:
        file = tmp_path / "pool.py"
        file.write_text(source)
        said = gpulab("view", "pooling", "--file", str(file))
        assert (said.status, said.out) == (1, "")
        assert said.err.startswith(f"gpulab: {message}") and said.err.count("\n") == 1

    def test_a_puzzle_that_is_not_begun_is_a_wrong_call(self, gpulab: Gpulab) -> None:
        said = gpulab("view", "pooling")
        assert said.status == 2 and "Begin: gpulab start shared/pooling" in said.err

    def test_without_a_puzzle_touched_the_command_to_type_is_said(self, gpulab: Gpulab) -> None:
        said = gpulab("view")
        assert said.status == 2 and "gpulab view threads/map" in said.err


class TestJson:
    def test_a_step_comes_with_its_lanes_and_its_cost(self, gpulab: Gpulab) -> None:
        data = gpulab("view", "pooling", "--file", POOLING, "--what", "memory", "--step", "1", "--json").data
        assert list(data)[:6] == ["version", "puzzle", "file", "seed", "sizes", "verdict"]
        assert (data["puzzle"], data["what"], data["step"], data["kind"]) == ("shared/pooling", "memory", 1, "load")
        assert data["sectors"] == {"touched": data["sectors"]["touched"], "asked_bytes": 128, "moved_bytes": 128,
                                   "used_percent": 100.0, "best": 4}
        assert data["indices"][:2] == [[0], [1]] and len(data["values"]) == 32

    def test_lines_carry_all_counters(self, gpulab: Gpulab) -> None:
        data = gpulab("view", "pooling", "--file", POOLING, "--json").data
        assert data["what"] == "source" and data["totals"]["global_loads"] > 0
        assert data["totals"]["global_load_requests"] > 0
        assert all(line.isdigit() for line in data["lines"])

    def test_intervals_carry_contents_and_arrows(self, gpulab: Gpulab) -> None:
        data = gpulab("view", "block-sum", "--file", str(ROOT / "kernels/shared/block-sum.py"), "--what", "barriers",
                      "--json").data
        last = data["intervals"][-1]
        assert last["variables"] == {"half": 1} and last["arrows"] == [{"from": 1, "to": 0, "thread": 0}]
        assert set(last["contents"]) >= {"0", "1"}

    def test_banks_carry_wavefronts(self, gpulab: Gpulab) -> None:
        data = gpulab("view", "matmul/tiled", "--file", str(ROOT / "kernels/matmul/tiled.py"), "--what", "banks",
                      "--json").data
        assert data["banks"]["wavefronts"] == data["banks"]["best"] == 1


@pytest.mark.slow
def test_a_command_in_a_process_of_its_own_respects_no_color() -> None:
    said = process("view", "pooling", "--file", POOLING, "--what", "banks", NO_COLOR="1")
    assert said.status == 0 and "\x1b" not in said.out and "bank 0" in said.out


def test_every_view_is_named_in_the_help(gpulab: Gpulab) -> None:
    said = gpulab("view", "--help")
    assert said.status == 0
    assert all(what in said.out for what in ("source", "memory", "banks", "barriers"))


def test_a_starter_that_does_nothing_yet_is_told_apart_from_a_wrong_call(gpulab: Gpulab) -> None:
    said = gpulab("view", "guard", "--file", str(ROOT / "puzzles/threads/guard/starter.py"), "--what", "memory")
    assert (said.status, said.out) == (1, "")
    assert "touches no memory" in said.err
    assert gpulab("view", "guard", "--file", str(ROOT / "puzzles/threads/guard/starter.py")).status == 0
