"""An audit hook around the learner's code: what would show it the answer, or touch the judge, is refused and told.

It is no sandbox. It stops what a puzzle must stop: reading the reference or the expected values instead of
computing them.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from gpulab.engines.simt.host.session import LAUNCH_EVENT, is_library
from gpulab.judge.session import Problem

_MEMORY_CALLS = ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "syscall")
_START_CALLS = ("system", "popen", "execl", "execlp", "execv", "execve", "execvp", "posix_spawn", "posix_spawnp")
_STANDARD = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_ASKING = tuple(os.sep + name for name in ("platform.py", "uuid.py", os.path.join("ctypes", "util.py")))
"""Modules of the standard library that run programs of their own choosing, to learn about the machine."""
_PRIVATE_PROC = ("mem", "fd", "root", "cwd", "map_files", "fdinfo")

_FRAME_EVENTS = ("sys._getframe", "sys._current_frames", "gc.get_objects", "gc.get_referrers", "object.__getattr__")
_ENGINE = str(Path(__file__).resolve().parent.parent / "engines") + os.sep
_FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
"""Ways to the frames and objects of others; the last event tells of one only by these attributes."""

Identity = tuple[int, int]
"""Device and inode: the same file under any name or link."""


class NotAllowed(PermissionError):
    """Raised in the learner's code at the forbidden act."""


class Guard:
    """Forbids `folder`, but not the file that is checked nor the starter, and `reference`. `tell` gets each offence.

    `note_attribute` gets the name of every attribute whose setting or deletion raises an audit event, and `replaced`
    says at each launch of a host program what it has replaced of that which launches rely on.
    """

    def __init__(self, file: Path, folder: Path, reference: Path, tell: Callable[[Problem], None],
                 note_attribute: Callable[[str], None] = lambda name: None,
                 replaced: Callable[[], Problem | None] = lambda: None) -> None:
        self._file = str(file)
        self._tell = tell
        self._replaced = replaced
        self._names = (str(folder), str(reference))
        own = {identity(path) for path in (file, folder / "starter.py")}
        self._folders = {identity(path) for path in (folder, *_folders_in(folder))} - {None}
        self._files = ({identity(reference), *_files_in(folder)} | self._folders) - {None} - own
        self._own = own - {None}
        self._pid = os.getpid()
        self.launching = False
        """Whether a kernel runs: no Python of the learner's has anything to do then."""
        self._looking = False
        self._events: dict[str, Callable[[Any], None]] = {
            LAUNCH_EVENT: self._launch,
            "open": self._open,
            "os.link": self._open,
            "object.__setattr__": lambda args: note_attribute(args[1]),
            "object.__delattr__": lambda args: note_attribute(args[1]),
            "os.kill": self._kill,
            "os.killpg": self._kill,
            "ctypes.dlsym": self._symbol,
            **dict.fromkeys(_FRAME_EVENTS, self._look_around),
            "sys.addaudithook": self._audit,
            "subprocess.Popen": self._command,
            "os.system": self._command,
            "os.exec": self._command,
            "os.posix_spawn": self._command,
        }

    def stand(self) -> None:
        """From now on, for the life of this process."""
        events = self._events

        def hook(event: str, args: tuple[Any, ...]) -> None:
            handler = events.get(event)
            if handler is not None:
                handler(args)

        sys.addaudithook(hook)

    def _launch(self, args: Any) -> None:
        problem = self._replaced()
        if problem is not None:
            self._forbid(problem)

    def _open(self, args: Any) -> None:
        path = args[0]
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        name = os.fsdecode(path)
        if _is_private_proc(name, self._pid):
            self._refuse(f"opened {name}, the memory and files of another process")
        elif self._is_forbidden(name):
            self._refuse(f"opened {os.path.basename(name)} of the puzzle, which is for the judge alone")

    def _is_forbidden(self, name: str) -> bool:
        found = identity(name)
        if found in self._files:
            return True
        if found in self._own:
            return False
        return identity(os.path.dirname(name) or ".") in self._folders

    def _kill(self, args: Any) -> None:
        pid, number = args[0], args[1]
        if number and pid not in (os.getpid(), 0) and not self._is_below(pid):
            self._refuse(f"sent signal {int(number)} to process {pid}, which it did not start")

    def _is_below(self, pid: int) -> bool:
        from gpulab.runner.tree import descendants

        return pid in descendants(self._pid)

    def _symbol(self, args: Any) -> None:
        if args[1] in _MEMORY_CALLS:
            self._refuse(f"asked for {args[1]}, which reaches into other processes")
        elif args[1] in _START_CALLS and not _caller_is_library():
            self._refuse(f"asked for {args[1]}, which starts other programs; a solution needs none")

    def _look_around(self, args: Any) -> None:
        if not self.launching or self._looking or (len(args) > 1 and args[1] not in _FRAMES):
            return
        self._looking = True  # at frames, which is such an event itself
        try:
            if not _caller_is_ours_or_library():
                self._refuse("ran in Python while its kernel did, and looked for the arrays there")
        finally:
            self._looking = False

    def _audit(self, args: Any) -> None:
        if not _caller_is_library():
            self._refuse("added an audit hook, which would run beside its own check")

    def _command(self, args: Any) -> None:
        text = repr(args)
        if any(name in text for name in self._names):
            self._refuse("ran a program on the puzzle's own files, which are for the judge alone")
        if not _caller_is_library():
            self._refuse("started another program; a solution needs none")

    def _refuse(self, what: str) -> NoReturn:
        self._forbid(Problem("not allowed", f"Your code {what}.", self._line()))

    def _forbid(self, problem: Problem) -> NoReturn:
        self._tell(problem)
        raise NotAllowed(problem.message)

    def _line(self) -> int | None:
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_filename == self._file:
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
        return None


def _caller_is_library() -> bool:
    """Whether an installed library is at work, however it was called: numba and torch ask compilers and linkers.

    The standard library does what its caller says, so it is its caller that counts.
    """
    frame: FrameType | None = sys._getframe(3)  # whoever raised the event
    while frame is not None:
        file = frame.f_code.co_filename
        if file.endswith(_ASKING) and file.startswith(_STANDARD):
            return True
        if not file.startswith("<frozen") and not _is_standard(file):
            return is_library(file)
        frame = frame.f_back
    return True


def _caller_is_ours_or_library() -> bool:
    """Whether gpulab or an installed library asks, and not by the hand of the file that is checked."""
    frame: FrameType | None = sys._getframe(3)
    while frame is not None and (frame.f_code.co_filename.startswith("<frozen")
                                 or _is_standard(frame.f_code.co_filename)):
        frame = frame.f_back
    if frame is None:
        return True
    file = frame.f_code.co_filename
    return file.startswith(_ENGINE) or is_library(file)


def _is_standard(file: str) -> bool:
    return file.startswith(_STANDARD) and "-packages" + os.sep not in file


def identity(path: Path | str) -> Identity | None:
    """Which file this is, links followed; None if there is none."""
    try:
        stat = os.stat(path)
    except (OSError, ValueError):
        return None
    return stat.st_dev, stat.st_ino


def _files_in(folder: Path) -> Iterable[Identity | None]:
    return (identity(path) for path in folder.rglob("*") if path.is_file())


def _folders_in(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_dir())


def _is_private_proc(name: str, pid: int) -> bool:
    """/proc/1234/mem and the like, of any process but this one."""
    parts = name.split("/")
    if len(parts) < 4 or parts[1] != "proc" or not parts[2].isdigit():
        return False
    return int(parts[2]) not in (pid, os.getpid()) and bool({*parts[3:]} & {*_PRIVATE_PROC})
