"""How a learner's process ended, and that in words."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from gpulab.judge.session import Problem
from gpulab.runner.limits import GB, MB, Limits

_FRAME = re.compile(r'^  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)$', re.MULTILINE)

_SIGNALS = {
    signal.SIGSEGV: "it touched memory that is not its own (a segmentation fault)",
    signal.SIGBUS: "it touched memory that does not exist (a bus error)",
    signal.SIGFPE: "the processor refused a calculation (SIGFPE)",
    signal.SIGILL: "it ran something that is no instruction (SIGILL)",
    signal.SIGABRT: "it aborted itself (SIGABRT)",
    signal.SIGKILL: "something killed it (SIGKILL); the machine does so when its memory runs out",
}


@dataclass(frozen=True)
class Ending:
    """Why the process is gone.

    `cause` is "exit" (`status` is what it left), "signal" (`status` is the number), or the limit for which it was
    ended: "time", "memory", "output", "processes". `dump` is what faulthandler wrote.
    """

    cause: str
    status: int = 0
    dump: str = ""


def from_wait_status(status: int, dump: str) -> Ending:
    """The ending that `os.waitpid` tells of."""
    if status < 0:
        return Ending("signal", -status, dump)
    return Ending("exit", status, dump)


def describe(ending: Ending, doing: str, seconds: float, limits: Limits, file: str, source: str) -> Problem:
    """The ending as a problem of the learner's `file`; `doing` is "loading your file" or "running pool"."""
    frames = learner_frames(ending.dump, file)
    line = frames[0][0] if frames else None
    kind = "timed out" if ending.cause == "time" else "crashed"
    return Problem(kind, _sentence(ending, doing, seconds, limits), line, traceback=_traceback(frames, file, source))


def learner_frames(dump: str, file: str) -> list[tuple[int, str]]:
    """(line, function) of the frames in `file`, the innermost first."""
    return [(int(match["line"]), match["function"]) for match in _FRAME.finditer(dump) if match["file"] == file]


def signal_in_words(number: int) -> str:
    """What happened to a process that this signal ended."""
    known = _SIGNALS.get(number)  # type: ignore[call-overload]  # a number that is no Signals is simply not in there
    if known:
        return str(known)
    try:
        return f"it was ended by {signal.Signals(number).name}"
    except ValueError:
        return f"it was ended by signal {number}"


def _sentence(ending: Ending, doing: str, seconds: float, limits: Limits) -> str:
    if ending.cause == "time":
        return f"Time ran out: {doing} took more than {seconds:g} s."
    if ending.cause == "memory":
        return f"The process used more than {_size(limits.memory)} of memory while {doing}, so it was ended."
    if ending.cause == "output":
        return f"The process printed more than {_size(limits.output_most)} while {doing}, so it was ended."
    if ending.cause == "processes":
        return f"The process started more than {limits.processes} others while {doing}, so all were ended."
    if ending.cause == "signal":
        return f"The process died while {doing}: {signal_in_words(ending.status)}."
    return f"The process ended itself while {doing}, with exit status {ending.status}."


def _size(size: int) -> str:
    return f"{size / GB:.3g} GB" if size >= GB else f"{size / MB:.3g} MB"


def _traceback(frames: list[tuple[int, str]], file: str, source: str) -> str:
    """As Python would print it, the innermost frame last."""
    lines = source.splitlines()
    entries = []
    for line, function in reversed(frames):
        text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
        entries.append(f'  File "{file}", line {line}, in {function}\n    {text}\n')
    return "Traceback (most recent call last):\n" + "".join(entries) if entries else ""
