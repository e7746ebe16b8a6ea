"""tracks.yaml, front matter, hints: what is read, and what is said when it cannot be."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpulab.catalog import CatalogError, UnknownPuzzle, find, hints, load, select, statement
from gpulab.catalog.root import content_root
from tests.catalog.folder import spoil, write_content


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_content(tmp_path)


def refusal(root: Path) -> CatalogError:
    with pytest.raises(CatalogError) as caught:
        load(root)
    return caught.value


def test_tracks_and_puzzles_are_read_in_order(root: Path) -> None:
    catalog = load(root)
    assert [puzzle.id for puzzle in catalog.puzzles] == ["threads/map", "threads/guard", "shared/pooling"]
    assert catalog.tracks[1].after == {"threads": 2}
    pooling = catalog.puzzles[2]
    assert pooling.title == "Pooling"
    assert pooling.summary == "Sum each element with its neighbours: once."
    assert pooling.stars.efficient == "at most 1.04 global loads per output"
    assert pooling.stars.fast is None
    assert pooling.stars.efficient_needed
    assert pooling.starter.is_file() and pooling.reference.is_file()


def test_texts_are_read_when_asked_for(root: Path) -> None:
    pooling = load(root).puzzles[2]
    assert statement(pooling).startswith("The task.\n\n```\na   | 3")
    first, second, third = hints(pooling)
    assert (first.title, first.tells, first.text) == ("Which cell?", "Names the cell.", "Take `tile[33]`.")
    assert second.tells == "Says who waits, and for whom."
    assert "## no title" in second.text
    assert third.text == "Text."


@pytest.mark.parametrize(("old", "new", "line", "said"), [
    ("format_version: 1", "format_version: 7", 1, "update gpulab"),
    ("format_version: 1\n", "", 1, '"format_version" is missing'),
    ("    title: Threads\n", "    titel: Threads\n", 3, '"title" is missing'),
    ("    title: Threads\n", "    title: Threads\n    sumary: x\n", 5, 'Did you mean "summary"?'),
    ("    title: Threads\n", "    title: 3\n", 4, '"title" must be text, and is a whole number'),
    ("    title: Threads\n", "    title: ''\n", 4, '"title" is empty'),
    ("    title: Threads\n", "    title: a: b\n", 4, "needs quotes"),
    ("    title: Threads\n", "    title: A\n    title: B\n", 5, "stands here twice"),
    ("id: shared", "id: threads", 8, 'There are two tracks "threads"'),
    ("id: shared", "id: Shared", 8, "lower case"),
    ("[map, guard]", "map", 7, '"puzzles" must be a list'),
    ("[map, guard]", "[map, 3]", 7, "must hold texts only"),
    ("[map, guard]", "[map, map]", 7, "in this track twice"),
    ("[map, guard]", "[map, gard]", 7, "There is no folder puzzles/threads/gard. gpulab new threads/gard makes one."),
    ("{threads: 2}", "{thread: 2}", 12, 'Did you mean "threads"?'),
    ("{threads: 2}", "{threads: two}", 12, '"threads" must be a whole number'),
    ("{threads: 2}", "{threads: 0}", 12, "at least 1"),
    ("{threads: 2}", "threads", 12, '"after" must be a mapping'),
])
def test_a_malformed_tracks_file_is_named_by_line(root: Path, old: str, new: str, line: int, said: str) -> None:
    file = root / "tracks.yaml"
    spoil(file, old, new)
    error = refusal(root)
    assert (error.file, error.line) == (file, line)
    assert said in str(error)
    assert f"{file}, line {line}: " in str(error)


@pytest.mark.parametrize(("old", "new", "line", "said"), [
    ("---\ntitle", "title", 1, "Make --- the first line"),
    ("aliases: []\n---\n", "aliases: []\n", 1, "Put a line ---"),
    ("aliases: []", "hunt: yes please", 12, "hunt"),
    ("language: numba", "language: cuda", 4, '"cuda" is no language'),
    ("minutes: 10", "minutes: ten", 5, '"minutes" must be a whole number'),
    ("minutes: 10", "minutes: -1", 5, "at least 1"),
    ("minutes: 10\n", "minutes: 10\nminuets: 3\n", 6, 'Did you mean "minutes"?'),
    ("write: f(out, a, n)\n", "", 2, '"write" is missing'),
    ("  correct: right", "  correkt: right", 9, '"correct" is missing'),
    ("  efficient: at most 1.04 global loads per output\n", "", 10, "Add a line efficient:"),
    ("efficient_needed: true", "efficient_needed: 1", 11, "true or false"),
    ("aliases: []", "aliases: [pool]", 12, "track/puzzle"),
    ("aliases: []", "aliases: [threads/map]", 12, "already belongs to threads/map"),
    ("aliases: []", "aliases: [shared/pooling]", 12, "already belongs to shared/pooling"),
])
def test_a_malformed_statement_is_named_by_line(root: Path, old: str, new: str, line: int, said: str) -> None:
    file = root / "puzzles/shared/pooling/statement.md"
    spoil(file, old, new)
    error = refusal(root)
    assert (error.file, error.line) == (file, line)
    assert said in str(error)


@pytest.mark.parametrize("name", ["starter.py", "spec.py", "hints.md", "after.md", "statement.md"])
def test_a_missing_file_is_named(root: Path, name: str) -> None:
    file = root / "puzzles/threads/map" / name
    file.unlink()
    assert refusal(root).file == file


def test_a_missing_reference_is_named(root: Path) -> None:
    (root / "kernels/threads/map.py").unlink()
    assert refusal(root).file == root / "kernels/threads/map.py"


def test_an_alias_used_by_two_puzzles_is_refused(root: Path) -> None:
    for name in ("threads/map", "shared/pooling"):
        spoil(root / "puzzles" / name / "statement.md", "aliases: []", "aliases: [old/name]")
    assert "already belongs to threads/map" in str(refusal(root))


def test_text_that_is_not_utf8_is_named_with_its_line(root: Path) -> None:
    file = root / "puzzles/threads/map/statement.md"
    file.write_bytes(file.read_bytes().replace(b"title: Map", b"title: M\xff"))
    error = refusal(root)
    assert (error.line, error.cure) == (2, "Save the file as UTF-8.")


@pytest.mark.parametrize(("old", "new", "line", "said"), [
    ("## Which cell?", "Which cell?", 1, "before the first hint"),
    ("> Names the cell.\n", "", 1, "does not say what it tells"),
    ("Take `tile[33]`.", "", 1, "is empty"),
    ("## Who waits?", "## ", 6, "no title"),
])
def test_a_malformed_hint_is_named_with_line_and_cure(root: Path, old: str, new: str, line: int, said: str) -> None:
    pooling = load(root).puzzles[2]
    spoil(pooling.folder / "hints.md", old, new)
    with pytest.raises(CatalogError) as caught:
        hints(pooling)
    assert caught.value.line == line
    assert said in str(caught.value)


def test_a_puzzle_is_found_by_id_and_by_former_id(root: Path) -> None:
    spoil(root / "puzzles/shared/pooling/statement.md", "aliases: []", "aliases: [shared/pool]")
    catalog = load(root)
    assert find(catalog, "shared/pooling") is find(catalog, "shared/pool") is find(catalog, " shared/pooling/ ")


@pytest.mark.parametrize(("typed", "meant"), [
    ("pooling", "shared/pooling"), ("shared/poling", "shared/pooling"), ("threads/pooling", "shared/pooling"),
    ("Shared/Pooling", "shared/pooling"), ("gard", "threads/guard"), ("threads", "threads/map or threads/guard"),
    ("share", "shared"),
])
def test_an_unknown_id_says_what_may_have_been_meant(root: Path, typed: str, meant: str) -> None:
    with pytest.raises(UnknownPuzzle, match=f"Did you mean {meant}\\?"):
        find(load(root), typed)


def test_an_id_like_nothing_points_to_the_list(root: Path) -> None:
    with pytest.raises(UnknownPuzzle, match=r"There is no puzzle xyz/qqq\. gpulab list shows them all\."):
        find(load(root), "xyz/qqq")


def test_a_track_stands_for_its_puzzles_and_nothing_for_all(root: Path) -> None:
    catalog = load(root)
    chosen = select(catalog, ["shared", "threads/map", "shared/pooling"])
    assert [puzzle.id for puzzle in chosen] == ["shared/pooling", "threads/map"]
    assert select(catalog, []) == list(catalog.puzzles)


def test_the_content_root_can_be_chosen(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPULAB_CONTENT", str(root))
    assert content_root() == root
    assert load().root == root
    monkeypatch.delenv("GPULAB_CONTENT")
    assert (content_root() / "gpulab" / "catalog").is_dir() or content_root().name == "content"


def test_loading_imports_neither_numpy_nor_an_engine(root: Path) -> None:
    code = ("import sys; from gpulab.catalog import load, hints; from pathlib import Path\n"
            "hints(load(Path(sys.argv[1])).puzzles[0])\n"
            "print([name for name in ('numpy', 'numba', 'torch', 'triton', 'rich') if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_twenty_four_puzzles_load_in_a_blink(root: Path) -> None:
    names = [f"p{number}" for number in range(24)]
    for name in names:
        folder = root / "puzzles/threads" / name
        folder.mkdir()
        for path in (root / "puzzles/threads/map").iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        (root / f"kernels/threads/{name}.py").write_text("x = 1\n")
    spoil(root / "tracks.yaml", "[map, guard]", f"[map, guard, {', '.join(names)}]")
    best = min(_seconds(root) for _ in range(5))
    assert best < 0.05, f"{best * 1e3:.1f} ms"  # processor time; 8 ms on a quiet machine


def _seconds(root: Path) -> float:
    start = time.process_time()
    load(root)
    return time.process_time() - start
