"""`check`, `watch`: is it right, and why not."""

from __future__ import annotations

import secrets
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gpulab.cli.failure import ENVIRONMENT, NOT_PASSED, Failure
from gpulab.cli.output import short, speaks_utf8
from gpulab.cli.session import Session, session_command

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.check import Progress
    from gpulab.judge.report import Report
    from gpulab.workspace.watch import Save

file_option = click.option("--file", metavar="F", type=click.Path(path_type=Path),
                           help="Check this file instead of yours.")
engine_option = click.option("--engine", type=click.Choice(["auto", "sim", "gpu"]), default="auto",
                             help="Where it runs; auto takes what is there.")
seed_option = click.option("--seed", type=click.IntRange(0), help="Repeat the numbers of an earlier check.")


@session_command("check", short_help="Check your solution.")
@click.argument("id", required=False)
@file_option
@engine_option
@seed_option
def check_command(session: Session, id: str | None, file: Path | None, engine: str, seed: int | None) -> int:
    """Check your solution: is it right, is it sound, and if not, which line and thread is to blame.

    Exit status: 0 passed, 1 not passed, 2 a wrong call, 3 this machine's fault.
    """
    warm_worker(once=True, id=id)
    puzzle = session.puzzle(id)
    file = file_to_check(session, puzzle, file)
    _prepare_to_print(session)
    report, reference = _check(session, puzzle, file, engine, seed)
    _record(session, puzzle, report)
    if session.out.json:
        session.out.data(report)
    else:
        print_report(session, puzzle, report, reference)
    session.warn()
    return status_of(report)


def _check(session: Session, puzzle: Puzzle, file: Path, engine: str, seed: int | None,
           cancel: threading.Event | None = None) -> tuple[Report, Report | None]:
    """The report and, if it passed and people will read it, the reference's of the same numbers.

    Raises `Cancelled`.
    """
    from gpulab.check import check

    seed = secrets.randbelow(1_000_000) if seed is None else seed
    stage = StageLine(session)
    reference = None if session.out.json else Reference(puzzle, file, seed)

    def moved(progress: Progress) -> None:
        stage.show(progress)
        if reference is not None:
            reference.see(progress)

    try:
        report = check(puzzle, file, engine=engine, seed=seed, on_progress=moved, cancel=cancel,
                       cards=session.workspace.root)
        return report, reference.report(report) if reference is not None else None
    finally:
        stage.clear()
        if reference is not None:
            reference.cancel.set()


class Reference:
    """The reference's own check: the figures to hold the learner's against, once theirs passed.

    It begins when half of the learner's cases have passed, so that nobody waits for it afterwards.
    """

    def __init__(self, puzzle: Puzzle, file: Path, seed: int) -> None:
        self._puzzle, self._file, self._seed = puzzle, file, seed
        self._thread: threading.Thread | None = None
        self._found: Report | None = None
        self.cancel = threading.Event()

    def see(self, progress: Progress) -> None:
        """What the learner's check does."""
        if progress.verdict not in ("", "passed"):
            self.cancel.set()
        elif self._thread is None and progress.of and 2 * progress.done >= progress.of:
            self._begin()

    def report(self, of_learner: Report) -> Report | None:
        """The reference's report, waited for; None where the learner's did not pass."""
        if not of_learner.passed:
            return None
        if self._file.resolve() == self._puzzle.reference.resolve():
            return of_learner
        if self._thread is None:
            self._begin()
        if self._thread is not None:
            self._thread.join()
        return self._found if self._found is not None and self._found.passed else None

    def _begin(self) -> None:
        if self._file.resolve() == self._puzzle.reference.resolve():
            return
        self._thread = threading.Thread(target=self._check, name="gpulab-reference", daemon=True)
        self._thread.start()

    def _check(self) -> None:
        from gpulab.check import Cancelled, check

        with suppress(Cancelled):
            self._found = check(self._puzzle, self._puzzle.reference, engine="sim", seed=self._seed,
                                cancel=self.cancel)


@session_command("watch", short_help="Check on every save.")
@click.argument("id", required=False)
@file_option
@engine_option
@seed_option
def watch_command(session: Session, id: str | None, file: Path | None, engine: str, seed: int | None) -> None:
    """Check now and on every save, until ctrl-c. A save during a check starts it again. JSON is one line a report."""
    warm_worker(id=id)
    puzzle = session.puzzle(id)
    file = file_to_check(session, puzzle, file)
    _prepare_to_print(session)
    session.out.note(f"Watching {short(file)} for {puzzle.id}: save it, and it is checked. Ctrl-c ends.")
    Watch(session, puzzle, file, engine, seed).run()


def warm_worker(once: bool = False, id: str | None = None) -> None:
    """Start the worker before anything else: it needs a second, and the catalogue is read meanwhile."""
    from gpulab.runner import warm

    warm(once, _family(id))


def _family(id: str | None) -> str:
    """The family that checks this puzzle, at a glance: a wrong guess costs a worker that nobody needs."""
    from gpulab.catalog.root import content_root

    try:
        head = (content_root() / "puzzles" / (id or "") / "statement.md").read_bytes()[:1000]
    except OSError:
        return "numba"
    return "triton" if b"\nlanguage: triton\n" in head else "numba"


class Watch:
    """Checks of one file, each for the newest save. The file is watched in a thread; checks run in the caller's."""

    def __init__(self, session: Session, puzzle: Puzzle, file: Path, engine: str, seed: int | None) -> None:
        self._session, self._puzzle, self._file = session, puzzle, file
        self._engine, self._seed = engine, seed
        self._stop = threading.Event()
        self._saved = threading.Event()
        self._cancel = threading.Event()
        self._turn = threading.Lock()

    def run(self) -> None:
        from gpulab.workspace.watch import watch

        watcher = threading.Thread(target=watch, args=(self._file, self._on_save, self._stop),
                                   kwargs={"since": self._file.read_bytes()}, daemon=True)
        watcher.start()
        self._saved.set()
        try:
            while True:
                # In slices: a wait without end would not let ctrl-c through on every Python.
                if self._saved.wait(3600):
                    self._check()
        except KeyboardInterrupt:
            return
        finally:
            self._stop.set()
            watcher.join(2)

    def _on_save(self, save: Save) -> None:
        with self._turn:
            self._saved.set()
            self._cancel.set()

    def _check(self) -> None:
        from gpulab.check import Cancelled

        with self._turn:  # a save is either before this check, and read by it, or after, and cancels it
            cancel = self._cancel = threading.Event()
            self._saved.clear()
        try:
            report, reference = _check(self._session, self._puzzle, self._file, self._engine, self._seed, cancel)
        except Cancelled:
            return
        _record(self._session, self._puzzle, report)
        self._print(report, reference)
        self._session.warn()

    def _print(self, report: Report, reference: Report | None) -> None:
        if self._session.out.json:
            self._session.out.data_line(report)
        else:
            print_report(self._session, self._puzzle, report, reference)
            self._session.out.line()
            self._session.out.note(f"Still watching {short(self._file)}: the next save is checked. Ctrl-c ends.")


class StageLine:
    """What the check is doing, on one line of a terminal's stderr, gone when it is done."""

    def __init__(self, session: Session) -> None:
        self._wanted = sys.stderr.isatty() and not session.out.json
        self._dots = "…" if speaks_utf8(sys.stderr) and not session.out.ascii else "..."

    def show(self, progress: Progress) -> None:
        if self._wanted:
            sys.stderr.write(f"\r\x1b[K{progress.words}{self._dots}")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._wanted:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _prepare_to_print(session: Session) -> None:
    """Import what prints the result while the worker starts: 0.1 s that nobody waits for."""
    if not session.out.json:
        threading.Thread(target=import_module, args=("gpulab.views.result",), daemon=True).start()


def status_of(report: Report) -> int:
    """The exit status a report stands for."""
    if report.passed:
        return 0
    return ENVIRONMENT if report.verdict == "environment" else NOT_PASSED


def print_report(session: Session, puzzle: Puzzle, report: Report, reference: Report | None = None) -> None:
    """The result for people: the diagnosis first, and below it what to do next."""
    from gpulab.catalog.text import after, read_text
    from gpulab.views.result import render
    from gpulab.views.solved import Solved

    look, width = session.out.look, session.out.width
    solved = Solved(after(puzzle), read_text(puzzle.reference), of_reference=reference) if report.passed else None
    session.out.line(f"{puzzle.id}  {short(Path(report.file))}", bold=True)
    session.out.show(render(report, width=width, ascii=look.ascii, look=look, puzzle=puzzle, solved=solved))
    if report.timing is not None:
        from gpulab.views.timing import rows

        for shown in rows(report.timing, look):
            session.out.show(shown)
    if report.passed:
        following, why = session.workspace.progress.next_puzzle(session.catalog)
        session.out.line(f"Next: {following.id}. {why}")


def file_to_check(session: Session, puzzle: Puzzle, file: Path | None) -> Path:
    """The file to check; a `Failure` where it is not there."""
    if file is not None and not file.is_file():
        raise Failure(f"There is no file {file}: check the path.")
    path = file or session.workspace.file_for(puzzle)
    if not path.is_file():
        raise Failure(f"{puzzle.id} is not begun: there is no {short(path)}. Begin: gpulab start {puzzle.id}")
    return path.absolute()


def _record(session: Session, puzzle: Puzzle, report: Report) -> None:
    """Keep the check where it was of the learner's file of this puzzle: no other earns stars or changes its state."""
    real, theirs = Path(report.file).resolve(), session.workspace.file_for(puzzle)
    if real == theirs.resolve():
        session.workspace.progress.record(report)
        return
    root = session.catalog.root
    own = (root / "kernels", root / "puzzles")
    if any(folder.resolve() in real.parents for folder in own):
        session.out.note(f"Not recorded: {short(real)} is gpulab's own file, not yours.")
    else:
        session.out.note(f"Not recorded: your file of {puzzle.id} is {short(theirs)}. What you save there counts.")
