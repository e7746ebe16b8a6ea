"""Executing a puzzle's spec.py, and saying what is wrong with it by line. Judge processes only."""

from __future__ import annotations

import ast
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

import numpy as np

from gpulab.catalog.bfloat16 import is_bfloat16, widened
from gpulab.catalog.budgets import BudgetName
from gpulab.catalog.errors import CatalogError, did_you_mean
from gpulab.catalog.hunt import KINDS, code_lines
from gpulab.catalog.spec import CASE_RULES, Answer, Bench, Budget, Case, NumbaPuzzle, Output, Spec, Tolerance
from gpulab.catalog.text import read_text


def load_spec(path: Path) -> Spec:
    """Execute `path` under a private module name and check what it defines. Raises `CatalogError`."""
    source = read_text(path)
    module = _execute(path, source)
    checker = _Checker(path)
    for name, cure in (("PUZZLE", "End the file with PUZZLE = NumbaPuzzle(...)."),
                       ("cases", "Write def cases(rng): and yield a Case for each size."),
                       ("reference", "Write def reference(...): with float64 NumPy.")):
        if not hasattr(module, name):
            checker.fail(None, f"There is no {name}.", cure)
    spec = Spec(module.PUZZLE, module.cases, module.reference)
    checker.check_puzzle(spec.puzzle)
    checker.check_functions(spec)
    checker.check_first_case(spec)
    return spec


def cases_of(spec: Spec, path: Path, seed: int) -> Iterator[Case]:
    """The cases for `seed`, each from a random stream of its own: one case's draws never move another's.

    Raises `CatalogError` where `cases` fails or a case does not fit the puzzle's arguments.
    """
    checker = _Checker(path)
    rng = np.random.Generator(np.random.PCG64([seed, 0]))
    stream = checker.guarded("cases", lambda: iter(spec.cases(rng)))
    index = 0
    while True:
        rng.bit_generator.state = np.random.PCG64([seed, index]).state
        case = checker.guarded("cases", lambda: next(stream, None))
        if case is None:
            return
        checker.check_case(spec.puzzle, case)
        yield case
        index += 1


def picture_of(spec: Spec, path: Path, seed: int) -> Case | None:
    """The case the spec wants drawn, for `seed`; None where it names none. Raises `CatalogError` as `cases_of` does."""
    make = spec.puzzle.picture
    if make is None:
        return None
    checker = _Checker(path)
    case: Case = checker.guarded("picture", lambda: make(np.random.Generator(np.random.PCG64([seed, 1 << 20]))))
    checker.check_case(spec.puzzle, case)
    return case


def expected_of(spec: Spec, path: Path, case: Case) -> dict[str, np.ndarray[Any, Any]]:
    """What each output must hold, by name.

    `reference` is called with copies of the inputs it names (and the start of outputs that have one); it returns the
    array of the only output, a tuple in the order of the puzzle's arguments, or a dict.
    """
    checker = _Checker(path)
    offered = dict(case.inputs) | {name: out.initial for name, out in case.outputs.items() if out.initial is not None}
    wanted = _asked_for(spec.reference, offered)
    copies = {name: widened(value).copy() if isinstance(value, np.ndarray) else value for name, value in wanted.items()}
    result = checker.guarded("reference", lambda: spec.reference(**copies))
    names = [name for name in spec.puzzle.parameters if name in case.outputs]
    return checker.name_results(names, case, result)


def _asked_for(reference: Callable[..., Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    parameters = inspect.signature(reference).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(offered)
    return {parameter.name: offered[parameter.name] for parameter in parameters if parameter.name in offered}


def _execute(path: Path, source: str) -> ModuleType:
    """The module, registered under a name that no other file can have (dataclasses look it up there)."""
    module = ModuleType(f"_gpulab_spec_{path.parent.parent.name}_{path.parent.name}".replace("-", "_"))
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(_compile(path, source), module.__dict__)
    except CatalogError:
        raise
    except Exception as error:
        raise CatalogError(path, line_in(path, error), f"Running it raised {type(error).__name__}: {error}.",
                           "Run the file with Python to see more.") from error
    return module


def _compile(path: Path, source: str) -> CodeType:
    try:
        return compile(source, str(path), "exec")
    except SyntaxError as error:
        raise CatalogError(path, error.lineno, f"This is not Python: {error.msg}.", "Correct the line.") from None


def line_in(path: Path, error: BaseException) -> int | None:
    """The line of `path` nearest to where `error` was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return frames[-1].lineno if frames else None


class _Checker:
    """Refusals that carry the line on which the name in question is defined."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fail(self, name: str | None, problem: str, cure: str, keyword: str | None = None) -> NoReturn:
        """Refuse what `name` is bound to, or the `keyword` of the call it is bound to."""
        raise CatalogError(self.path, self._line(name, keyword), problem, cure)

    def _line(self, name: str | None, keyword: str | None) -> int | None:
        if name is None:
            return None
        for node in ast.parse(read_text(self.path)).body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node.lineno
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                keywords = (found for found in ast.walk(node.value) if isinstance(found, ast.keyword))
                return next((found.value.lineno for found in keywords if found.arg == keyword), node.lineno)
        return None

    def guarded(self, name: str, call: Callable[[], Any]) -> Any:
        """`call()`, with an exception turned into a refusal at its line in the spec."""
        try:
            return call()
        except Exception as error:
            line = line_in(self.path, error) or self._line(name, None)
            raise CatalogError(self.path, line, f"{name} raised {type(error).__name__}: {error}.",
                               "Correct the function.") from error

    def check_puzzle(self, puzzle: Any) -> None:
        """Types and names within PUZZLE."""
        if not isinstance(puzzle, NumbaPuzzle):
            self.fail("PUZZLE", f"PUZZLE is a {type(puzzle).__name__}.", "Make it a NumbaPuzzle, or a TritonPuzzle.")
        if not isinstance(puzzle.args, str) or not puzzle.parameters:
            self.fail("PUZZLE", "args names no parameter.", 'Write them in order: args="out a n".', "args")
        for name in puzzle.parameters:
            if not name.isidentifier():
                self.fail("PUZZLE", f'"{name}" in args is no name.', "Separate names by spaces only.", "args")
        if len(set(puzzle.parameters)) != len(puzzle.parameters):
            self.fail("PUZZLE", "args holds a name twice.", "Keep one of them.", "args")
        self._check_entry(puzzle)
        for rule in puzzle.exempt:
            if rule not in CASE_RULES:
                self.fail("PUZZLE", f'exempt names "{rule}", which is no rule.', did_you_mean(rule, CASE_RULES),
                          "exempt")
        if puzzle.budget is not None:
            self._check_budget(puzzle.budget)
        if puzzle.answer is not None:
            self._check_answer(puzzle.answer, puzzle.budget)

    def _check_entry(self, puzzle: NumbaPuzzle) -> None:
        if (puzzle.kernel is None) == (puzzle.host is None):
            self.fail("PUZZLE", "Exactly one of kernel and host must be given.",
                      "kernel names a kernel that we launch, host a function that launches kernels.")
        if puzzle.kernel and not callable(puzzle.launch):
            self.fail("PUZZLE", "A kernel needs a launch.", 'Add launch=one_thread_per("out", 64).', "kernel")
        if puzzle.host and puzzle.launch:
            self.fail("PUZZLE", "A host function chooses its own launch.", "Remove launch.", "launch")

    def _check_budget(self, budget: Any) -> None:
        if not isinstance(budget, Budget):
            self.fail("PUZZLE", "budget is no Budget.", "Write budget=Budget(global_loads_per_output=1).", "budget")
        for name, limit in budget.limits.items():
            try:
                BudgetName.parse(name)
            except ValueError as error:
                self.fail("PUZZLE", f'Unknown budget "{name}".', str(error), name)
            if isinstance(limit, bool) or not isinstance(limit, (int, float)) or limit < 0:
                self.fail("PUZZLE", f"The limit of {name} is {limit!r}.", "It must be a number of at least 0.", name)
        if not (budget.limits or budget.uses_shared or budget.launches is not None):
            self.fail("PUZZLE", "The budget asks for nothing.", "Name a counter and its limit, or remove it.", "budget")

    def _check_answer(self, answer: Any, budget: Budget | None) -> None:
        """Lines of the starter that hold code, and a kind that a check can find."""
        if not isinstance(answer, Answer):
            self.fail("PUZZLE", "answer is no Answer.", 'Write answer=Answer(lines=(9,), kind="race").', "answer")
        if answer.kind not in KINDS:
            self.fail("PUZZLE", f"{answer.kind!r} is no kind of bug.", did_you_mean(str(answer.kind), KINDS), "kind")
        if answer.kind == "over budget" and not (budget and budget.needed):
            self.fail("PUZZLE", "The bug is to be over budget, but no budget is needed.",
                      "Add a budget with needed=True.", "kind")
        if not isinstance(answer.lines, tuple) or not answer.lines:
            self.fail("PUZZLE", "answer names no lines.", "Write them as a tuple: lines=(9,).", "answer")
        holding = self._starter_lines()
        for line in answer.lines:
            if line not in holding:
                self.fail("PUZZLE", f"answer names line {line!r}, on which starter.py has no code.",
                          f"Lines with code are {', '.join(map(str, holding))}.", "lines")

    def _starter_lines(self) -> list[int]:
        """Lines of the starter beside the spec that hold code."""
        starter = self.path.with_name("starter.py")
        try:
            return code_lines(read_text(starter))
        except SyntaxError as error:
            raise CatalogError(starter, error.lineno, f"This is not Python: {error.msg}.",
                               "A bug hunt begins with code that runs.") from None

    def check_functions(self, spec: Spec) -> None:
        """`cases` takes a generator of random numbers; bench functions take the bench's sizes."""
        for name, function in (("cases", spec.cases), ("reference", spec.reference)):
            if not callable(function):
                self.fail(name, f"{name} is no function.", f"Write def {name}(...):")
        if len(inspect.signature(spec.cases).parameters) != 1:
            self.fail("cases", "cases takes one argument, the random generator.", "Write def cases(rng):")
        if spec.puzzle.bench is not None:
            self._check_bench(spec.puzzle.bench)

    def _check_bench(self, bench: Bench) -> None:
        for name, function, first in (("make", bench.make, (None,)), ("bytes_moved", bench.bytes_moved, ()),
                                      ("flops", bench.flops, ())):
            if function is None:
                continue
            try:
                inspect.signature(function).bind(*first, **bench.sizes)
            except TypeError as error:
                takes = ", ".join(bench.sizes)
                self.fail("PUZZLE", f"bench.{name} does not take the bench's sizes: {error}.",
                          f"It is called with {'rng, ' if first else ''}{takes}.", name)

    def check_first_case(self, spec: Spec) -> None:
        """The first case and its reference, so that a slip shows when the spec is loaded."""
        case = next(cases_of(spec, self.path, 0), None)
        if case is None:
            self.fail("cases", "cases yields nothing.", "Yield a Case for each size.")
        expected_of(spec, self.path, case)

    def check_case(self, puzzle: NumbaPuzzle, case: Any) -> None:
        """The case names exactly the puzzle's arguments and has an output."""
        if not isinstance(case, Case):
            self.fail("cases", f"cases yields a {type(case).__name__}.", "Yield Case(out=..., a=..., n=...).")
        missing = [name for name in puzzle.parameters if name not in case.args]
        extra = [name for name in case.args if name not in puzzle.parameters]
        if missing or extra:
            self.fail("cases", f"A case has {', '.join(case.args) or 'no arguments'}, but args says {puzzle.args}.",
                      f"{'Add' if missing else 'Remove'} {', '.join(missing or extra)}.")
        if not case.outputs:
            self.fail("cases", "A case has no output.", "Give it one: out=empty(n).")
        if puzzle.tolerance == Tolerance() and any(is_bfloat16(output.dtype) for output in case.outputs.values()):
            self.fail("PUZZLE", "An output is bfloat16, which has 8 bits of precision.",
                      "Say how near is near enough: tolerance=Tolerance(relative=1e-2).")

    def name_results(self, names: list[str], case: Case, result: Any) -> dict[str, np.ndarray[Any, Any]]:
        """The reference's result by output name, each of the output's shape."""
        if not isinstance(result, dict):
            values = result if isinstance(result, tuple) else (result,)
            if len(values) != len(names):
                self.fail("reference", f"reference returns {len(values)} arrays for {len(names)} outputs.",
                          f"Return a tuple, or a dict with {', '.join(names)}.")
            result = dict(zip(names, values, strict=True))
        if set(result) != set(names):
            self.fail("reference", f"reference returns {', '.join(map(str, result))}.", f"Return {', '.join(names)}.")
        return {name: self._fit(name, case.outputs[name], result[name]) for name in names}

    def _fit(self, name: str, output: Output, value: Any) -> np.ndarray[Any, Any]:
        array = np.asarray(value)
        if array.shape != output.shape:
            self.fail("reference", f"reference returns {name} with shape {array.shape}, but the case's is "
                      f"{output.shape}.", "Make the shapes agree.")
        return array
