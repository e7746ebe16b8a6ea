"""A bug hunt through the command line, in real processes: what is told before ANSWER is right, and after."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Gpulab

ID = "bughunt/missing-barrier"
MENDED = (ROOT / "kernels" / f"{ID}.py").read_text()
BROKEN = (ROOT / "puzzles" / ID / "starter.py").read_text()
RIGHT = 'ANSWER = (12, "race")'
NOTHING = {"cases": [], "findings": [], "counters": {}, "compiled": {}, "rewrites": {}, "budget": []}


@pytest.fixture
def file(gpulab: Gpulab, work: Path) -> Path:
    assert gpulab("start", ID).status == 0
    return work / f"{ID}.py"


def test_the_brief_shows_the_starter_by_line_and_the_kinds(gpulab: Gpulab) -> None:
    said = gpulab("show", ID).out
    assert " 12 │     tile[t] = a[min(i, n - 1)]\n" in said
    assert "Kinds: out of bounds, race, barrier divergence," in said
    assert '"""' not in said
    assert gpulab("show", ID, "--json").data["hunt"] is True


def test_the_starter_says_that_answer_is_missing_and_tells_nothing(gpulab: Gpulab, file: Path) -> None:
    checked = gpulab("check", ID, "--json")
    assert checked.status == 1
    report = checked.data
    assert report["verdict"] == "wrong answer"
    assert report["hunt"] == {"answer": "missing", "code_passes": False, "lines": [], "kind": ""}
    assert NOTHING.items() <= report["engines"]["sim"].items()
    assert report["notes"] == []
    assert report["diagnosis"]["message"] == "The code does not pass yet; ANSWER is not set."
    assert report["diagnosis"]["line"] is None
    listed = gpulab("list").out
    assert "wrong answer" in next(line for line in listed.splitlines() if ID in line)


def test_the_right_answer_tells_all_and_mending_then_solves(gpulab: Gpulab, file: Path) -> None:
    file.write_text(f"{BROKEN}\n{RIGHT}\n")
    told = gpulab("check", ID).out
    assert "RACE   Thread 0 reads tile[64] while thread 64 may still write it." in told
    assert "ANSWER is right. What is left is to mend the code." in told
    file.write_text(MENDED)
    assert gpulab("check", ID).status == 0


def test_mended_code_without_the_right_answer_does_not_pass(gpulab: Gpulab, file: Path) -> None:
    for answer, words in ((None, "ANSWER is not set."), ((5, "race"), "line 5 is not where the bug is."),
                          ((12, "not written"), "line 12 is right, the kind is not.")):
        file.write_text(MENDED.replace(RIGHT, f"ANSWER = {answer!r}"))
        checked = gpulab("check", ID)
        assert checked.status == 1
        assert f"WRONG ANSWER   The code passes; {words}" in checked.out
        assert "ANSWER is not right" in checked.out


def test_there_is_no_picture_before_the_answer_is_right(gpulab: Gpulab, file: Path) -> None:
    hidden = gpulab("view", ID)
    assert (hidden.status, hidden.out) == (1, "")
    assert "The picture comes once ANSWER is right; ANSWER is not set." in hidden.err
    file.write_text(f"{BROKEN}\n{RIGHT}\n")
    assert gpulab("view", ID).status == 0


@pytest.mark.slow
class TestVerify:
    @pytest.fixture
    def content(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A catalogue with one hunt; few of its files, to be quick."""
        root = tmp_path / "catalogue"
        shutil.copytree(ROOT / "puzzles" / ID, root / "puzzles" / ID)
        for file in sorted((root / "puzzles" / ID / "wrong").glob("*.py"))[3:]:
            file.unlink()
        (root / "kernels/bughunt").mkdir(parents=True)
        (root / "kernels" / f"{ID}.py").write_text(MENDED)
        (root / "tracks.yaml").write_text("format_version: 1\ntracks:\n  - id: bughunt\n    title: Hunt\n"
                                          "    summary: One.\n    tags: bugs\n    puzzles: [missing-barrier]\n")
        monkeypatch.setenv("GPULAB_CONTENT", str(root))
        return root

    @pytest.mark.parametrize(("where", "old", "new", "said"), [
        ("spec.py", "lines=(12, 13, 14, 15)", "lines=(12, 13, 15)", None),
        ("spec.py", "lines=(12, 13, 14, 15)", "lines=(13, 10)", "The code passes; line 12 is not where the bug is."),
        ("spec.py", "lines=(12, 13, 14, 15)", "lines=(12, 99)", "answer names line 99, on which starter.py has no"),
        ("spec.py", 'kind="race"', 'kind="not written"', "The code passes; line 12 is right, the kind is not."),
        ("starter.py", "ANSWER = None", RIGHT, "The starter names its own bug."),
        ("starter.py", "    while step > 0:\n", "    while step > 0:\n        cuda.syncthreads()\n",
         "ANSWER says race, but of the starter the verdict is"),
        ("statement.md", "hunt: true\n", "", "The spec has answer=, the statement says hunt: false."),
    ])
    def test_an_answer_that_the_starter_does_not_bear_out_is_named(
            self, gpulab: Gpulab, content: Path, where: str, old: str, new: str, said: str | None) -> None:
        file = content / "puzzles" / ID / where
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new, 1))
        verified = gpulab("verify")
        assert verified.status == (0 if said is None else 1)
        assert (said or "All 1 puzzles hold") in verified.out

    def test_a_right_kind_on_lines_that_the_race_is_not_on_is_named(self, gpulab: Gpulab, content: Path) -> None:
        spec, reference = content / "puzzles" / ID / "spec.py", content / "kernels" / f"{ID}.py"
        spec.write_text(spec.read_text().replace("lines=(12, 13, 14, 15)", "lines=(19,)"))
        reference.write_text(MENDED.replace(RIGHT, 'ANSWER = (19, "race")'))
        assert "ANSWER says line 19, but of the starter the verdict is race on line 15." in gpulab("verify").out
