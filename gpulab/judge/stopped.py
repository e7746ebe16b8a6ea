"""What stopped the learner's code, in words: Python, Numba, a launch, a death, a time limit."""

from __future__ import annotations

import re

from gpulab.judge import launch_errors, triton_errors, typing_errors
from gpulab.judge.report import Diagnosis
from gpulab.judge.session import Problem
from gpulab.judge.source import Source
from gpulab.judge.wording import WIDTH, capital, fit, sentence, shortened

Words = tuple[str, str, str]
"""Message, detail, next."""

NOT_PYTHON = ("SyntaxError", "IndentationError", "TabError")
TOO_DEEP = ("MemoryError", "RecursionError")


def problem(stopped: Problem, source: Source) -> Diagnosis:
    """An exception, a refusal by Numba, a death, a time limit: as the learner's process tells it."""
    stopped = source.own_line(stopped)
    if stopped.kind == "does not compile":
        words = _does_not_compile(stopped, source)
    elif stopped.kind == "raised":
        words = _raised(stopped, source)
    else:
        maker = {"unsupported": _unsupported, "timed out": _timed_out, "crashed": _crashed,
                 "not allowed": _not_allowed}.get(stopped.kind, _environment)
        words = _followed_address(stopped, source) or maker(stopped)
    told = stopped.traceback or (stopped.message if "\n" in stopped.message else "")
    return Diagnosis(stopped.kind, *words, line=stopped.line, traceback=told)


def _where(stopped: Problem, otherwise: str) -> str:
    return f"Line {stopped.line}" if stopped.line else otherwise


def _does_not_compile(stopped: Problem, source: Source) -> Words:
    first, _, rest = stopped.message.strip().partition("\n")
    where = _where(stopped, "Your file")
    kind, _, what = first.partition(": ")
    next = f"Correct line {stopped.line}." if stopped.line else "Correct what it names."
    if kind.rstrip(":") in (*NOT_PYTHON, *TOO_DEEP) or "null bytes" in what:  # a ValueError on Python 3.10
        return _not_python(kind.rstrip(":"), what, where, next)
    tritons = first.startswith(triton_errors.MARK)
    known = (triton_errors.in_plain_words(first) if tritons else
             typing_errors.in_plain_words(stopped.message, stopped.line, source))
    if known is not None:
        what, why, cure = known
        return sentence(f"{where} does not compile: {what}"), why, cure or next
    if tritons:
        said, left = _fitting(f"{where} does not compile", first.removeprefix(triton_errors.MARK))
        return said, shortened(capital(left or "Triton refuses it before anything runs.")), next
    said, left = _fitting(f"{where} does not compile", first)
    detail = left or rest.strip() or "Numba must know the type of every value before the kernel runs."
    return said, sentence(capital(detail)), next


def _not_python(kind: str, what: str, where: str, next: str) -> Words:
    """A file that Python cannot read: its letters, its depth, its grammar."""
    if "null bytes" in what or "codec can't decode" in what or "encoding problem" in what:
        return ("Your file is not UTF-8 text.", "Python cannot read what is saved in another encoding.",
                "Save it again as UTF-8: every editor has a setting for that.")
    if kind in TOO_DEEP:
        return ("Your file nests brackets or signs too deeply for Python to read it.",
                "Python stops before it runs anything.", "Split the longest expression into several lines.")
    return sentence(f"{where} is not Python: {what}"), "Python stops before it runs anything.", next


def _fitting(start: str, message: str) -> tuple[str, str]:
    """`start` and as many clauses of `message` as fit one row; the clauses that are left."""
    clauses = re.split(r"(?<=[^:]): ", message)
    for end in range(len(clauses), -1, -1):
        said = sentence(": ".join((start, *clauses[:end])))
        if len(said) <= WIDTH:
            return said, ": ".join(clauses[end:])
    return sentence(start), message


def _raised(stopped: Problem, source: Source) -> Words:
    known = launch_errors.in_plain_words(stopped, source)
    if known is not None:
        return known
    where = _where(stopped, "Your file")
    said, left = _fitting(f"{where} raised", _without_module(stopped.message))
    said = said.replace(" raised: ", " raised ", 1)
    next = f"Correct line {stopped.line}, or what it is given." if stopped.line else "Read the traceback from its end."
    return said, shortened(capital(left)) if left else "This happened on the host, in Python, not in a kernel.", next


def _without_module(message: str) -> str:
    """`CUDAError: ...` for `cuda.core._utils.cuda_utils.CUDAError: ...`.

    The driver's own text explains the error number at length; what is wrong with this launch follows in brackets, so
    of a CUDAError only these are kept.
    """
    kind, colon, text = message.partition(": ")
    name = kind.rpartition(".")[2]
    told = re.search(r"\(([^()]+)\)\.?$", text) if name == "CUDAError" else None
    return f"{name}{colon}{told.group(1) if told else text}"


def _timed_out(stopped: Problem) -> Words:
    where = f"It was on line {stopped.line} then." if stopped.line else ""
    return sentence(stopped.message), where, "Which condition should end it, and who makes it true?"


def _crashed(stopped: Problem) -> Words:
    where = f"It was on line {stopped.line} then." if stopped.line else "The lab itself is unharmed."
    return sentence(stopped.message), where, "Take out what ends the process: the kernel alone is asked for."


def _followed_address(stopped: Problem, source: Source) -> Words | None:
    """The host read or wrote where a device array lies: on a machine with a GPU that ends the process too."""
    if "segmentation fault" not in stopped.message or not any(name in source.text for name in _DEVICE_ADDRESSES):
        return None
    where = f"line {stopped.line} touched" if stopped.line else "it touched"
    return (f"The process died while {where} memory that is not its own.",
            "A device array's address is one on the GPU: the host cannot follow it.",
            "Let a kernel do the work, or copy the array to the host first.")


_DEVICE_ADDRESSES = ("__cuda_array_interface__", "device_ctypes_pointer", "device_pointer", "gpu_data")


def _not_allowed(stopped: Problem) -> Words:
    where = f"Line {stopped.line} does it." if stopped.line else ""
    return sentence(stopped.message), where, "Take it out: the answer must come from your kernel alone."


def _unsupported(stopped: Problem) -> Words:
    where = f" on line {stopped.line}" if stopped.line else ""
    what, _, advice = (stopped.construct or "this").partition("; ")
    kind = "That says nothing against your solution: a GPU may well run it."
    message = fit(f"The simulator cannot run {what}{where}.", f"The simulator cannot run what is{where}.")
    return (message, kind if what in message else sentence(f"It is {what}"),
            sentence(capital(advice)) if advice else "Write it in another way, or check it on a machine with a GPU.")


def _environment(stopped: Problem) -> Words:
    return (sentence(f"The check itself failed: {stopped.message}"), "This is no fault of your code.",
            "Run it again; if it stays, report it with your file and what gpulab check ID --json prints.")
