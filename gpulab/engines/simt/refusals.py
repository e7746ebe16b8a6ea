"""Numba's refusal of a kernel: its message without boilerplate, and the learner's line it is about.

Numba says where in several ways: in the text, in the exception's `loc`, in the chain of what it was typing. Some
refusals name no place at all, or one in Numba's own files; then the place is what Numba was looking at when it raised.
"""

from __future__ import annotations

import dis
import os
import re
import traceback
from types import CodeType
from typing import Any

import numba
from numba import cuda

from gpulab.engines.simt.errors import DoesNotCompile

_NUMBAS = tuple(os.path.dirname(os.path.abspath(package.__file__)) + os.sep for package in (numba, cuda))

_BOILERPLATE = re.compile(
    r"Failed in (?:cuda|nopython|gpulab_type_only) mode pipeline \(step: [^)]*\)\s*|\x1b\[[0-9;]*m|"
    r"During: .*?(?=\n|$)|This error may have been caused.*|\(Note: [^)]*\)|\.? Raised from None"
)


def refusal(error: Exception, code: CodeType) -> DoesNotCompile:
    """What Numba raised for the function of this code, as ours."""
    text, _, _ = _BOILERPLATE.sub("", str(error)).partition('\nFile "')
    text = re.sub(r"\n\s*\n+", "\n", text).strip()
    return DoesNotCompile(text or type(error).__name__, _line(error, code), code.co_filename)


def in_the_learners_file(error: DoesNotCompile, code: CodeType) -> DoesNotCompile:
    """The refusal of a function that this one calls; where that is Numba's own, the line here that calls it."""
    if error.file is None or not error.file.startswith(_NUMBAS):
        return error
    return DoesNotCompile(error.message, _looked_at(error, code.co_filename), code.co_filename)


def _line(error: Exception, code: CodeType) -> int:
    file = code.co_filename
    places = (
        _named_in_text(str(error), file),
        _line_of(getattr(error, "loc", None), file),
        _looked_at(error, file),
        _line_of_name(error, code),
    )
    return next((line for line in places if line), code.co_firstlineno)


def _named_in_text(text: str, file: str) -> int | None:
    """The last place in the learner's file: `File "...", line 5:`, else the first `typing of call at ... (5)`."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    places = re.findall(rf'File "{re.escape(file)}", line (\d+)', text)
    places = [place for place in places if int(place)]  # 0 is an unknown location
    if not places and "/" in file:
        places = re.findall(rf'File "(?:[^"]*/)?{re.escape(file.rpartition("/")[2])}", line ([1-9]\d*)', text)
    if places:
        return int(places[-1])
    typed = re.findall(rf"\bat {re.escape(file)} \(([1-9]\d*)\)", text)
    return int(typed[0]) if typed else None


def _line_of(location: Any, file: str) -> int | None:
    return location.line if getattr(location, "filename", None) == file and location.line else None


def _looked_at(error: BaseException | None, file: str) -> int | None:
    """The line of the statement or instruction that Numba's innermost frame was working on."""
    while error is not None:
        for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
            for held in list(frame.f_locals.values()):
                line: int | None = _line_of(getattr(held, "loc", None), file)
                if line is None and type(held).__name__ == "ByteCodeInst":
                    line = getattr(held, "lineno", None)
                if line:
                    return line
        error = error.__cause__ or error.__context__
    return None


def _line_of_name(error: Exception, code: CodeType) -> int | None:
    """Where the function uses the name that is not defined."""
    name = re.search(r"name '(\w+)' is not defined", str(error))
    if name is None:
        return None
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = getattr(instruction, "line_number", None) or _started(instruction) or line
        if instruction.argval == name[1] and instruction.opname.startswith("LOAD_"):
            return line
    return None


def _started(instruction: dis.Instruction) -> int | None:
    """The line an instruction starts, up to Python 3.12: 3.13 says `line_number`, and makes `starts_line` a bool."""
    starts: Any = instruction.starts_line
    return starts if isinstance(starts, int) and not isinstance(starts, bool) else None
