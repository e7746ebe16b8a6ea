"""Export and import: everything arrives, twice changes nothing, and nothing is ever lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpulab.catalog.model import Catalog
from gpulab.judge.report import Stars
from gpulab.workspace import Workspace, WorkspaceError, archive
from tests.workspace.conftest import report_of


@pytest.fixture
def full(workspace: Workspace, catalog: Catalog) -> Workspace:
    workspace.start(catalog.puzzles[0]).write_text("mine = 1  # größer\n")
    workspace.progress.record(report_of("threads/map", "race", line=3))
    workspace.progress.record(report_of("threads/map"))
    workspace.progress.read_hint("threads/zip")
    return workspace


def without_date(text: bytes) -> dict[str, object]:
    return {**json.loads(text), "exported": None}


def test_everything_arrives(full: Workspace, tmp_path: Path, catalog: Catalog) -> None:
    there = Workspace.open(tmp_path / "there", catalog)
    imported = archive.import_into(there, archive.export(full))
    assert (imported.attempts, imported.files, imported.beside) == (2, [there.root / "threads/map.py"], [])
    assert there.progress.standings() == full.progress.standings()
    assert there.progress.attempts("threads/map") == full.progress.attempts("threads/map")
    assert there.progress.last("threads/map") == report_of("threads/map")
    assert there.progress.hints_read("threads/zip") == 1
    assert there.source(catalog.puzzles[0]) == "mine = 1  # größer\n"
    assert without_date(archive.export(there)) == without_date(archive.export(full))


def test_the_json_has_the_documented_shape(full: Workspace) -> None:
    data = json.loads(archive.export(full))
    assert (data["format"], data["version"]) == ("gpulab workspace", 1)
    assert list(data["attempts"][0]) == ["id", "puzzle", "at", "verdict", "stars", "line", "seconds", "hints",
                                         "source_hash", "report"]
    assert data["attempts"][1]["report"]["verdict"] == "passed"
    assert [(hint["puzzle"], hint["number"]) for hint in data["hints"]] == [("threads/zip", 1)]
    assert {"id", "puzzle", "began", "ended"} == set(data["visits"][0])
    assert data["files"] == {"threads/map": "mine = 1  # größer\n"}


def test_importing_twice_or_into_itself_changes_nothing(full: Workspace, tmp_path: Path) -> None:
    text = archive.export(full)
    assert archive.import_into(full, text).attempts == 0
    assert without_date(archive.export(full)) == without_date(text)


def test_two_histories_become_one(full: Workspace, tmp_path: Path) -> None:
    other = Workspace.open(tmp_path / "other")
    other.progress.record(report_of("threads/map", "over budget", stars=Stars(True, False)))
    other.progress.record(report_of("shared/pooling"))
    other.progress.read_hint("threads/zip")
    other.progress.read_hint("threads/zip")
    archive.import_into(full, archive.export(other))
    archive.import_into(other, archive.export(full))
    assert full.progress.standings() == other.progress.standings()
    assert full.progress.standing("threads/map").attempts == 3
    assert full.progress.hints_read("threads/zip") == 2
    assert full.progress.stars("threads/map") == Stars(True, True)


def test_a_file_that_differs_is_kept_beside_once(full: Workspace, tmp_path: Path, catalog: Catalog) -> None:
    text = archive.export(full)
    path = full.file_for(catalog.puzzles[0])
    path.write_text("newer = 2\n")
    beside, = archive.import_into(full, text).beside
    assert path.read_text() == "newer = 2\n"
    assert beside.read_text() == "mine = 1  # größer\n"
    assert archive.import_into(full, text).beside == []


@pytest.mark.parametrize(("text", "told"), [
    (b"", "not a file that gpulab wrote"),
    (b"{}", "not a file that gpulab wrote"),
    (b'{"format": "recipes", "version": 1}', "not a file that gpulab export wrote"),
    (b'{"format": "gpulab workspace", "version": 9}', "A newer gpulab wrote this file"),
    (b'{"format": "gpulab workspace", "version": 1, "hints": [{"puzzle": 3}]}', r"\$.hints\[0\].puzzle"),
    (b'{"format": "gpulab workspace", "version": 1, "files": {"../../etc/passwd": ""}}', "no track/puzzle"),
    (b'{"format": "gpulab workspace", "version": 1, "files": {"backups/map": ""}}', "no track/puzzle"),
])
def test_what_is_no_archive_is_refused_whole(workspace: Workspace, text: bytes, told: str) -> None:
    with pytest.raises(WorkspaceError, match=told) as refusal:
        archive.import_into(workspace, text)
    assert "Nothing was imported" in str(refusal.value)
    assert not workspace.root.exists()


def test_an_import_that_cannot_be_written_says_so(full: Workspace, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there/progress.db").mkdir()
    with pytest.raises(WorkspaceError, match="Nothing was imported"):
        archive.import_into(Workspace.open(tmp_path / "there"), archive.export(full))


def test_an_export_that_cannot_be_read_is_no_empty_archive(tmp_path: Path) -> None:
    (tmp_path / "progress.db").mkdir()
    with pytest.raises(WorkspaceError):
        archive.export(Workspace.open(tmp_path))
