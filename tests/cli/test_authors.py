"""`new` gives an author a puzzle to fill in, and `verify` finds everything that a puzzle claims and does not keep."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gpulab.authoring import proof, scaffold
from gpulab.authoring.proof import Expectation
from gpulab.catalog import load
from tests.cli.conftest import ROOT, Gpulab

TRACKS = """# this comment stays
format_version: 1
tracks:
  - id: threads
    title: Threads
    summary: Indices.
    tags: indices
    puzzles: [guard]  # and this one
  - id: shared
    title: Shared
    summary: Tiles.
    tags: tiles
    puzzles: []
"""


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue of its own: threads/guard, as shipped."""
    root = tmp_path / "catalogue"
    shutil.copytree(ROOT / "puzzles/threads/guard", root / "puzzles/threads/guard")
    (root / "kernels/threads").mkdir(parents=True)
    shutil.copy(ROOT / "kernels/threads/guard.py", root / "kernels/threads/guard.py")
    (root / "tracks.yaml").write_text(TRACKS)
    monkeypatch.setenv("GPULAB_CONTENT", str(root))
    return root


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def promise(file: Path, line: str) -> None:
    """Make `line` the first of a wrong file."""
    file.write_text("\n".join([line, *file.read_text().splitlines()[1:]]) + "\n")


class TestVerify:
    def test_a_sound_puzzle_holds(self, gpulab: Gpulab, content: Path) -> None:
        said = gpulab("verify", "--json")
        assert said.status == 0, said.out
        data = said.data
        assert (data["version"], data["passed"]) == (1, True)
        puzzle, = data["puzzles"]
        assert (puzzle["id"], puzzle["passed"], puzzle["problems"]) == ("threads/guard", True, [])
        assert puzzle["wrong"] >= 3
        assert puzzle["right"] >= 2

    def test_every_broken_promise_is_named(self, gpulab: Gpulab, content: Path) -> None:
        folder = content / "puzzles/threads/guard"
        promise(folder / "wrong/no_guard.py", "# verdict: out of bounds, line 7")
        promise(folder / "wrong/doubles.py", "# verdict: race")
        promise(folder / "wrong/off_by_one.py", "# it is out of bounds")
        shutil.copy(folder / "wrong/guard_too_tight.py", folder / "right/tight.py")
        (folder / "wrong/two_faults.py").write_text(
            "# verdict: wrong answer\nfrom numba import cuda\n\n\n@cuda.jit\ndef add_ten(out, a, n):\n"
            "    i = cuda.threadIdx.x\n    if i < n or n > 3:\n        out[i] = a[i] + 11\n")
        right = sorted((folder / "right").glob("*.py"))[0]
        shutil.copy(content / "kernels/threads/guard.py", folder / "right/again.py")
        (folder / "right/again.py").write_text('"""Another docstring."""\n' + "\n".join(
            (folder / "right/again.py").read_text().splitlines()[1:]) + "  # and a comment\n")
        (folder / "starter.py").write_text(right.read_text())
        edit(folder / "after.md", "Off by one", "See [this](figures/none.png). Off by one")
        edit(folder / "hints.md", "## What may thread 31 do?", "TODO\n## What may thread 31 do?")
        said = gpulab("verify", "guard")
        assert said.status == 1
        for file, words in {
            "wrong/no_guard.py": "It should fail with out of bounds on line 7: the verdict is out of bounds on line 8.",
            "wrong/doubles.py": "It should fail with race: the verdict is wrong answer",
            "wrong/off_by_one.py": "Its first line must name the verdict that is due: # verdict: race, line 16",
            "wrong/two_faults.py": "It should fail with wrong answer: the verdict is out of bounds on line 9.",
            "right/tight.py": "It should pass: the verdict is not written",
            "right/again.py": "It is the same program as guard.py.",
            "starter.py": "The starter passes: there is nothing left to do.",
            "after.md, line 5": "The link leads to figures/none.png, which is not there.",
            "hints.md, line 7": "Here something is still to be written.",
        }.items():
            assert f"{folder / file}: {words}" in said.out
        assert "gpulab check threads/guard --seed" in said.out
        assert said.out.splitlines()[-1].startswith("1 of 1 puzzles do not hold")

    def test_a_reference_that_fails_and_a_missing_size_are_named(self, gpulab: Gpulab, content: Path) -> None:
        edit(content / "kernels/threads/guard.py", "if i < n:", "if i < n - 1:")
        edit(content / "puzzles/threads/guard/spec.py", '"three blocks"', '"tile"')
        for file in (*(content / "puzzles/threads/guard").glob("wrong/*.py"),
                     *(content / "puzzles/threads/guard").glob("right/*.py")):
            file.unlink()
        said = gpulab("verify")
        assert said.status == 1
        assert "The reference does not pass: the verdict is not written" in said.out
        assert 'No case has more than two tiles and a remainder (tile 32). Add one, or say in exempt' in said.out
        assert "There are 0 wrong solutions, 3 are due." in said.out
        assert "There are 0 right solutions, 2 are due." in said.out

    def test_a_broken_spec_is_named_by_line(self, gpulab: Gpulab, content: Path) -> None:
        spec = content / "puzzles/threads/guard/spec.py"
        spec.write_text(spec.read_text().replace("PUZZLE =", "PUZLE ="))
        said = gpulab("verify")
        assert said.status == 1
        assert f"{spec}: There is no PUZZLE. End the file with PUZZLE = NumbaPuzzle(...)." in said.out

    def test_an_unknown_id_is_a_wrong_call(self, gpulab: Gpulab, content: Path) -> None:
        said = gpulab("verify", "threads/gard")
        assert said.status == 2
        assert "Did you mean threads/guard?" in said.err


class TestNew:
    def test_the_new_puzzle_loads_and_verify_says_what_to_write(self, gpulab: Gpulab, content: Path) -> None:
        said = gpulab("new", "shared/two-words")
        assert said.status == 0, said.err
        assert "gpulab verify shared/two-words" in said.out
        puzzle = next(puzzle for puzzle in load(content).puzzles if puzzle.id == "shared/two-words")
        assert puzzle.write == "two_words(out, a, n)"
        verified = gpulab("verify", "shared/two-words")
        assert verified.status == 1
        for words in ("statement.md, line 2: Here something is still to be written. two words",
                      "There are 0 wrong solutions, 3 are due. Write down the classic mistakes",
                      "There are 0 right solutions, 2 are due.", "hints.md, line 1"):
            assert words in verified.out
        assert "does not pass" not in verified.out, "the scaffold's own reference is right"
        assert "politely" not in verified.out, "and its starter fails politely"

    def test_nothing_else_in_tracks_yaml_changes(self, gpulab: Gpulab, content: Path) -> None:
        gpulab("new", "threads/second")
        gpulab("new", "shared/first")
        assert (content / "tracks.yaml").read_text() == TRACKS.replace(
            "[guard]", "[guard, second]").replace("puzzles: []", "puzzles: [first]")

    def test_a_list_with_dashes_grows_by_a_line(self) -> None:
        text = "tracks:\n  - id: a\n    puzzles:\n      - one\n      - two  # last\n  - id: b\n    puzzles: [x]\n"
        assert scaffold._with_puzzle(text, "a", "three") == text.replace("- two", "- two\n      - three")

    @pytest.mark.parametrize(("id", "told"), [
        ("threads/guard", "is there already. Choose another name, or go on with it: gpulab verify threads/guard"),
        ("thread/new", 'There is no track thread. Did you mean "threads"?'),
        ("Threads/New One", "is no id for a puzzle"),
        ("guard", "is no id for a puzzle"),
    ])
    def test_what_cannot_be_is_refused_and_changes_nothing(
        self, gpulab: Gpulab, content: Path, id: str, told: str
    ) -> None:
        before = sorted(content.rglob("*"))
        said = gpulab("new", id)
        assert said.status == 2
        assert told in said.err
        assert sorted(content.rglob("*")) == before

    def test_an_installed_catalogue_is_not_written_to(
        self, gpulab: Gpulab, content: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        installed = content.with_name("content")
        content.rename(installed)
        monkeypatch.setenv("GPULAB_CONTENT", str(installed))
        said = gpulab("new", "threads/second")
        assert said.status == 2
        assert "Write new ones in a checkout" in said.err


@pytest.mark.parametrize(("line", "meant"), [
    ("# verdict: race, line 16", Expectation(("race",), (16,))),
    ("# verdict: wrong answer", Expectation(("wrong answer",))),
    ("# verdict: race or wrong answer, line 15 or 16", Expectation(("race", "wrong answer"), (15, 16))),
    ("# verdict: wrong answer, ANSWER", Expectation(("wrong answer",), unanswered=True)),
    ("# verdict: race or passed", "no verdict of a wrong file"),
    ("# verdict: passed", "no verdict of a wrong file"),
    ("# verdict: rase, line 3", "no verdict of a wrong file"),
    ("from numba import cuda", "must name the verdict"),
    ("", "must name the verdict"),
])
def test_the_first_line_of_a_wrong_file_is_read(tmp_path: Path, line: str, meant: Expectation | str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(f"{line}\n\nx = 1\n" if line else "")
    read = proof.expectation_of(file)
    assert meant in read if isinstance(meant, str) and isinstance(read, str) else read == meant
