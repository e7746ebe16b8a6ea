"""The learner's folder as one object: files, progress, and what to know about its disk."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gpulab.workspace import files, place
from gpulab.workspace.database import Database
from gpulab.workspace.errors import WorkspaceError
from gpulab.workspace.place import Place
from gpulab.workspace.progress import Progress
from gpulab.workspace.records import Volume
from gpulab.workspace.volume import volume_of

if TYPE_CHECKING:
    from gpulab.catalog.model import Catalog, Puzzle

SCARCE = 20 * 1024 * 1024
"""Bytes free below which the disk is called nearly full."""


class Workspace:
    """See the package's docstring. Use `Workspace.open`."""

    def __init__(self, place: Place, catalog: Catalog | None = None) -> None:
        self.root = place.root
        self._place = place
        self._database = Database(self.root / "progress.db")
        self.progress = Progress(self._database, _aliases(catalog))

    @classmethod
    def open(cls, home: Path | None = None, catalog: Catalog | None = None) -> Workspace:
        """Choose the folder and make it the one used last; it is created when something is first kept in it.

        Raises `WorkspaceError` for a folder that cannot be a workspace.
        """
        workspace = cls(place.choose(home), catalog)
        if workspace.root.is_dir():
            place.remember(workspace.root)
        return workspace

    @property
    def volume(self) -> Volume:
        """Facts about the disk, as they are now."""
        return volume_of(self.root, locks=self._database.locks)

    @property
    def problems(self) -> list[str]:
        """Plain sentences to show, most pressing first."""
        return [*self.progress.problems, *self._disk_problems()]

    def file_for(self, puzzle: Puzzle) -> Path:
        """Where the learner's file is or will be; a puzzle that was renamed keeps the file it had."""
        path = self._path(puzzle.id)
        earlier = (self._path(alias) for alias in puzzle.aliases)
        return path if path.exists() else next((old for old in earlier if old.exists()), path)

    def source(self, puzzle: Puzzle) -> str | None:
        """The learner's file as a check reads it, or None if there is none."""
        from importlib.util import decode_source

        try:
            content = self.file_for(puzzle).read_bytes()
        except OSError:
            return None
        try:
            return decode_source(content)
        except (SyntaxError, UnicodeDecodeError):
            return content.decode("utf-8", "replace")

    def start(self, puzzle: Puzzle) -> Path:
        """Copy the starter unless there is a file already. Raises `WorkspaceError` where it cannot be written."""
        path = self.file_for(puzzle)
        try:
            files.create(path, puzzle.starter.read_bytes())
        except OSError as error:
            raise _cannot_write(path, error) from error
        place.remember(self.root)
        self.progress.touch(puzzle)
        return path

    def reset(self, puzzle: Puzzle) -> Path | None:
        """Put the starter back. The file that was there is moved to `backups/`; its new path is returned.

        None where nothing had to be kept: no file, or one like the starter. Raises `WorkspaceError`.
        """
        path, starter = self.file_for(puzzle), puzzle.starter.read_bytes()
        try:
            if _is_work(path, starter):
                backup, made = files.replace_keeping(path, starter, self.root / "backups" / puzzle.track)
            else:
                backup, made = None, files.create(path, starter)
        except OSError as error:
            raise _cannot_write(path, error) from error
        if backup and not made:
            raise WorkspaceError(f"{path} was saved again while it was reset, so it stays. The earlier one: {backup}")
        self.progress.touch(puzzle)
        return backup

    def _path(self, id: str) -> Path:
        return self.root / f"{id}.py"

    def _disk_problems(self) -> list[str]:
        volume = self.volume
        found = []
        if not volume.writable and self.progress.recording:
            found.append(f"{self.root} cannot be written, so progress is not being recorded. "
                         "To record, choose another folder: gpulab --home DIR")
        if volume.writable and volume.free is not None and volume.free < SCARCE:
            found.append(f"Only {volume.free // 2**20} MB are free on the disk of {self.root}.")
        if self._place.gone:
            found.append(f"The workspace used last, {self._place.gone}, is not there any more. This is {self.root}.")
        if volume.lost_when_stopped:
            found.append(self._how_to_keep)
        return found

    @cached_property
    def _how_to_keep(self) -> str:
        command = command_to_keep(self.root)
        also = ", and copy FILE to another machine." if command.startswith("gpulab export") else ""
        return f"{self.root} is lost when this machine is stopped. To keep it: {command}{also}"


def command_to_keep(root: Path) -> str:
    """What brings the workspace at `root` to a disk that stays; where there is none, what copies it to FILE."""
    from shlex import quote

    better = place.default()
    if better == root or volume_of(better, locks=True).lost_when_stopped:
        return "gpulab export --output FILE"
    use = f"gpulab --home {quote(str(better))}"
    return f"mv {quote(str(root))} {quote(str(better))} && {use}" if root.exists() else use


def _is_work(path: Path, starter: bytes) -> bool:
    return path.exists() and path.read_bytes() != starter


def _aliases(catalog: Catalog | None) -> dict[str, str]:
    """Earlier id -> id. An id that a puzzle has now is nobody's earlier one."""
    if catalog is None:
        return {}
    now = {puzzle.id for puzzle in catalog.puzzles}
    return {old: puzzle.id for puzzle in catalog.puzzles for old in puzzle.aliases if old not in now}


def _cannot_write(path: Path, error: OSError) -> WorkspaceError:
    return WorkspaceError(f"{path} cannot be written ({error.strerror}). Your files are as they were. "
                          "Free some space or choose another folder: gpulab --home DIR")
