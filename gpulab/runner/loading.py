"""The learner's file, imported under a private name, and its errors as data."""

from __future__ import annotations

import inspect
import linecache
import sys
import traceback
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

from gpulab.catalog.hunt import NAME as ANSWER
from gpulab.engines.gpu.faults import GpuFault
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.triton.errors import Stopped
from gpulab.judge.session import Answered, Function, Problem
from gpulab.runner.guard import NotAllowed
from gpulab.runner.jobs import LearnerFile

MODULE_NAME = "_gpulab_learner"


def load(file: LearnerFile) -> tuple[ModuleType | None, Problem | None]:
    """Import the file; the module, or what stopped it."""
    _remember_source(file)
    try:
        code = compile(file.content, str(file.path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return None, _syntax_problem(error)
    module = ModuleType(MODULE_NAME)
    module.__file__ = str(file.path)
    sys.modules[MODULE_NAME] = module
    problem = problem_of(lambda: _execute(code, module), file.path)
    return module, problem


def _execute(code: CodeType, module: ModuleType) -> None:
    exec(code, vars(module))


def _remember_source(file: LearnerFile) -> None:
    """Tracebacks and `inspect.getsource` shall show what was checked, not what was saved since."""
    lines = file.source.splitlines(keepends=True)
    linecache.cache[str(file.path)] = (len(file.content), None, lines, str(file.path))


def _syntax_problem(error: BaseException) -> Problem:
    line = getattr(error, "lineno", None)
    text = "".join(traceback.format_exception_only(type(error), error))
    message = f"{type(error).__name__}: {getattr(error, 'msg', None) or error}"
    return Problem("does not compile", message, line, traceback=text)


def problem_of(work: Any, file: Path, ours: bool = False) -> Problem | None:
    """Do `work`, which runs the learner's code; what it raised, as a problem of `file`.

    With `ours` an exception that comes from beneath our own code is our fault: "environment".
    """
    depth = sys.getrecursionlimit()
    try:
        try:
            work()
        finally:
            if sys.getrecursionlimit() < depth:  # ours is no deeper than it was, but what is left may not do for it
                sys.setrecursionlimit(depth)
    except Unsupported as error:
        return Problem("unsupported", str(error), error.line or line_in(error, file), construct=error.construct)
    except DoesNotCompile as error:
        return Problem("does not compile", error.message, error.line or line_in(error, file))
    except GpuFault as error:
        return Problem(error.kind, error.message, error.line or line_in(error, file))
    except Stopped as error:
        return Problem("raised", error.message, error.line)
    except NotAllowed as error:
        return Problem("not allowed", str(error), line_in(error, file), learner_traceback(error, file))
    except SystemExit as error:
        shown = "" if error.code is None else repr(error.code)
        return Problem("crashed", f"The program ended itself: sys.exit({shown}).", line_in(error, file),
                       learner_traceback(error, file))
    except BaseException as error:
        if ours:
            return Problem("environment", one_line(error), traceback="".join(traceback.format_exception(error)))
        return _raised(error, file)
    return None


def _raised(error: BaseException, file: Path) -> Problem:
    kind = "does not compile" if _is_numbas(error) else "raised"
    return Problem(kind, one_line(error), line_in(error, file), learner_traceback(error, file))


def _is_numbas(error: BaseException) -> bool:
    """Numba refused a kernel while the file was loading (an eager signature)."""
    return any(f"{cls.__module__}.{cls.__name__}".endswith("core.errors.NumbaError") for cls in type(error).__mro__)


def one_line(error: BaseException) -> str:
    """`ZeroDivisionError: division by zero`."""
    lines = traceback.format_exception_only(type(error), error)
    return " ".join(lines[-1].split()) or type(error).__name__


def line_in(error: BaseException, file: Path) -> int | None:
    """The innermost line of `file` that the exception passed through."""
    frames = _frames(error.__traceback__, file)
    return frames[-1].lineno if frames else None


def learner_traceback(error: BaseException, file: Path) -> str:
    """The traceback as Python prints it, cut to the frames in `file`."""
    frames = _frames(error.__traceback__, file)
    start = ["Traceback (most recent call last):\n"] if frames else []
    return "".join(start + traceback.format_list(frames) + traceback.format_exception_only(type(error), error))


def _frames(start: TracebackType | None, file: Path) -> list[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(start) if frame.filename == str(file)]


_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def functions_of(module: ModuleType) -> dict[str, Function]:
    """What the file itself defines that can be called, by name, in order."""
    found = {}
    for name, value in vars(module).items():
        function = value if inspect.isfunction(value) else _beneath(value)
        if inspect.isfunction(function) and function.__module__ == MODULE_NAME:
            parameters = inspect.signature(function).parameters
            kinds = [parameter.kind for parameter in parameters.values()]
            named = [name for name, parameter in parameters.items() if parameter.kind not in _REST]
            required = sum(parameters[one].default is inspect.Parameter.empty for one in named)
            found[name] = Function(name, _kind(value), tuple(named), function.__code__.co_firstlineno, required,
                                   inspect.Parameter.VAR_POSITIONAL in kinds)
    return found


def _beneath(value: Any) -> Any:
    """The Python function that a decorator of Numba or Triton has kept; Triton's may stand one above another."""
    for name in ("py_func", "fn"):
        inner = inspect.getattr_static(value, name, None)
        if inner is not None:
            return inner if inspect.isfunction(inner) else _beneath(inner) if name == "fn" else None
    return None


MOST_TEXT = 60
"""Characters of a kind that are told: the longest word is far shorter."""

MOST_LINE = 1_000_000


def answer_of(module: ModuleType) -> Answered | None:
    """The file's `ANSWER` as plain data; None where it is not set.

    Only exact types count, and nothing of the value is called: it may be an object of the learner's own.
    """
    value = vars(module).get(ANSWER)
    if value is None:
        return None
    if type(value) is not tuple or len(value) != 2:
        return Answered(amiss=_shape(value))
    line, kind = value
    if type(line) is not int or type(kind) is not str:
        return Answered(amiss="not a number and a text")
    return Answered(max(0, min(line, MOST_LINE)), kind[:MOST_TEXT].encode("utf-8", "replace").decode())


_SHAPES: dict[type, str] = {int: "a number", float: "a fraction", str: "a text", list: "a list", dict: "a dict",
                            set: "a set", bool: "a truth value"}


def _shape(value: Any) -> str:
    """What kind of thing it is, in words."""
    if type(value) is tuple:
        return f"a tuple of {len(value)}"
    return _SHAPES.get(type(value), "something else")


_KERNELS = ("CUDADispatcher", "JITFunction", "Autotuner", "Heuristics")


def _kind(value: Any) -> str:
    if inspect.isfunction(value):
        return "function"
    options = getattr(value, "targetoptions", {})
    if options.get("device"):
        return "device function"
    return "kernel" if type(value).__name__ in _KERNELS else "function"
