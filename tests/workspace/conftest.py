"""What the workspace tests share: a catalogue of small puzzles, reports, and a home that is not the developer's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gpulab.catalog.model import Catalog, Puzzle, StarTexts, Track
from gpulab.judge.report import Diagnosis, Report, Stars
from gpulab.workspace import Workspace

STARTER = "from numba import cuda\n\n\n@cuda.jit\ndef kernel(out, a, n):\n    pass\n"


@pytest.fixture(autouse=True)
def home_of_the_test(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.delenv("GPULAB_HOME", raising=False)
    return home


def puzzle_in(folder: Path, id: str, aliases: tuple[str, ...] = (), efficient: str | None = None) -> Puzzle:
    place = folder / "puzzles" / id
    place.mkdir(parents=True, exist_ok=True)
    (place / "starter.py").write_text(STARTER)
    return Puzzle(id, id.split("/")[1].title(), "Do it.", "numba", 5, "kernel(out, a, n)", "a thread per element",
                  StarTexts("right for every n", efficient), place, folder / "kernels" / f"{id}.py", aliases=aliases)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    threads = Track("threads", "Threads", "Indices and guards.", "indices",
                    tuple(puzzle_in(tmp_path, f"threads/{name}") for name in ("map", "zip", "guard")))
    shared = Track("shared", "Shared", "Tiles.", "tiles",
                   (puzzle_in(tmp_path, "shared/stage"), puzzle_in(tmp_path, "shared/pooling", efficient="few loads")),
                   after={"threads": 3})
    matmul = Track("matmul", "Matmul", "Products.", "tiling", (puzzle_in(tmp_path, "matmul/naive"),))
    return Catalog((threads, shared, matmul), tmp_path)


@pytest.fixture
def workspace(tmp_path: Path, catalog: Catalog) -> Workspace:
    return Workspace.open(tmp_path / "work", catalog)


def report_of(puzzle: str, verdict: str = "passed", *, stars: Stars | None = None, source: str = "x = 1\n",
              when: str = "", line: int | None = None) -> Report:
    passed = verdict == "passed"
    return Report(puzzle, f"/somewhere/{puzzle}.py", verdict, stars or Stars(passed, True if passed else None), 71,
                  diagnosis=None if passed else Diagnosis(verdict, f"It is a {verdict}.", line=line), source=source,
                  when=when, seconds={"total": 0.08})


@pytest.fixture
def report() -> Callable[..., Report]:
    return report_of
