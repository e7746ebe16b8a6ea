"""Everything of a workspace in one JSON file, to carry to another machine; importing it never loses anything.

    {"format": "gpulab workspace", "version": 1, "exported": ISO 8601,
     "attempts": [{"id", "puzzle", "at", "verdict", "stars", "line", "seconds", "hints", "source_hash", "report"}],
     "hints": [{"puzzle", "number", "at"}], "visits": [{"id", "puzzle", "began", "ended"}],
     "files": {"shared/pooling": "..."}}

Times are seconds since 1970. Importing merges by id, so the same file may be imported any number of times.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gpulab.judge.stars import Stars
from gpulab.workspace import files, reports
from gpulab.workspace.errors import WorkspaceError
from gpulab.workspace.rows import AttemptRow, HintRow, Rows, VisitRow
from gpulab.workspace.standings import star

if TYPE_CHECKING:
    from gpulab.workspace.workspace import Workspace

FORMAT = "gpulab workspace"
VERSION = 1


class ArchivedAttempt(msgspec.Struct):
    """An `AttemptRow` with its report as JSON."""

    id: str
    puzzle: str
    at: float
    verdict: str
    stars: Stars
    line: int | None = None
    seconds: float = 0.0
    hints: int = 0
    source_hash: str = ""
    report: msgspec.Raw = msgspec.Raw(b"null")


class ArchivedHint(msgspec.Struct):
    """A `HintRow`."""

    puzzle: str
    number: int
    at: float


class ArchivedVisit(msgspec.Struct):
    """A `VisitRow`."""

    id: str
    puzzle: str
    began: float
    ended: float


class Archive(msgspec.Struct):
    """The whole file."""

    format: str
    version: int
    exported: str = ""
    attempts: list[ArchivedAttempt] = []
    hints: list[ArchivedHint] = []
    visits: list[ArchivedVisit] = []
    files: dict[str, str] = {}


@dataclass(frozen=True)
class Imported:
    """What an import brought: new checks, files that were made, and files kept beside different ones."""

    attempts: int
    files: list[Path]
    beside: list[Path]


def export(workspace: Workspace) -> bytes:
    """The archive as JSON, a line per workspace."""
    rows = workspace.progress.everything()
    archive = Archive(
        FORMAT, VERSION, datetime.now().astimezone().isoformat(timespec="seconds"),
        [_archived(row) for row in rows.attempts], [ArchivedHint(*row) for row in rows.hints],
        [ArchivedVisit(*row) for row in rows.visits], _learner_files(workspace.root),
    )
    return msgspec.json.encode(archive) + b"\n"


def import_into(workspace: Workspace, text: bytes) -> Imported:
    """Merge an archive. Raises `WorkspaceError` if it is not one, or is of a newer format."""
    archive = _decoded(text)
    rows = Rows([_row(attempt) for attempt in archive.attempts],
                [HintRow(hint.puzzle, hint.number, hint.at) for hint in archive.hints],
                [VisitRow(visit.id, visit.puzzle, visit.began, visit.ended) for visit in archive.visits])
    new = workspace.progress.add(rows)
    if not workspace.progress.recording:
        raise WorkspaceError(f"Nothing was imported. {workspace.progress.problems[-1]}")
    made, beside = _import_files(workspace.root, archive.files)
    return Imported(new, made, beside)


def _import_files(root: Path, sources: dict[str, str]) -> tuple[list[Path], list[Path]]:
    """Make the files that are missing; keep those that differ from the learner's in `backups/`."""
    made, beside = [], []
    for id, text in sources.items():
        path, source = root / f"{id}.py", text.encode()
        try:
            if files.create(path, source):
                made.append(path)
            elif path.read_bytes() != source and (kept := _keep_beside(root, id, source)):
                beside.append(kept)
        except OSError as error:
            raise WorkspaceError(f"{path} cannot be written ({error.strerror}). Free some space and import again: "
                                 "what is there already is not imported twice.") from error
    return made, beside


def _archived(row: AttemptRow) -> ArchivedAttempt:
    report = reports.unpacked(row.report) if row.report else None
    return ArchivedAttempt(
        row.id, row.puzzle, row.at, row.verdict, Stars(star(row.correct), star(row.efficient), star(row.fast)),
        row.line, row.seconds, row.hints, row.source_hash, msgspec.Raw(report or b"null"),
    )


def _row(attempt: ArchivedAttempt) -> AttemptRow:
    stars = (attempt.stars.correct, attempt.stars.efficient, attempt.stars.fast)
    correct, efficient, fast = (None if value is None else int(value) for value in stars)
    report = bytes(attempt.report)
    return AttemptRow(
        attempt.id, attempt.puzzle, attempt.at, attempt.verdict, correct, efficient, fast, attempt.line,
        attempt.seconds, attempt.hints, attempt.source_hash, None if report == b"null" else zlib.compress(report),
    )


def _learner_files(root: Path) -> dict[str, str]:
    """Id -> source of every file at `<root>/<track>/<puzzle>.py`."""
    found = {}
    for path in sorted(root.glob("*/*.py")):
        if path.parent.name != "backups":
            found[f"{path.parent.name}/{path.stem}"] = path.read_text(encoding="utf-8", errors="replace")
    return found


def _decoded(text: bytes) -> Archive:
    try:
        archive = msgspec.json.decode(text, type=Archive)
    except msgspec.DecodeError as error:
        raise WorkspaceError(f"This is not a file that gpulab wrote: {error}. Nothing was imported.") from error
    if archive.format != FORMAT:
        raise WorkspaceError("This is not a file that gpulab export wrote. Nothing was imported.")
    if archive.version > VERSION:
        raise WorkspaceError(f"A newer gpulab wrote this file (format {archive.version}, this one knows {VERSION}). "
                             "Nothing was imported: update gpulab.")
    wrong = next((id for id in archive.files if not re.fullmatch(r"(?!backups/)[\w-]+/[\w-]+", id)), None)
    if wrong is not None:
        raise WorkspaceError(f"The file names a puzzle {wrong!r}, which is no track/puzzle. Nothing was imported.")
    return archive


def _keep_beside(root: Path, id: str, source: bytes) -> Path | None:
    """Put a file that differs from the learner's into `backups/`, named by content; None if it is there already."""
    track, name = id.split("/")
    path = root / "backups" / track / f"{name}-imported-{hashlib.sha256(source).hexdigest()[:8]}.py"
    return path if files.create(path, source) else None
