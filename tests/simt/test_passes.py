"""Inference without what only lowering needs gives what Numba's own passes give."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba.cuda.compiler import CUDATranslateBytecode, DefaultPassBuilder, TranslateByteCode
from numba.cuda.core.compiler import CompilerBase
from numba.cuda.core.compiler_machinery import PassManager
from numba.cuda.core.typed_passes import NopythonTypeInference

from gpulab.catalog import load
from gpulab.catalog.specs import cases_of, load_spec
from gpulab.engines.simt import frontend, passes
from gpulab.engines.simt.practice import _KERNELS
from tests.sample import some_of

PUZZLES = some_of([puzzle for puzzle in load().puzzles if puzzle.language == "numba"])


class Stock(CompilerBase):  # type: ignore[misc]
    """Numba's pipeline as it is, up to inference."""

    def define_pipelines(self) -> list[Any]:
        found = PassManager("gpulab_type_only")
        for implementation, description in DefaultPassBuilder.define_untyped_pipeline(self.state).passes:
            ours = CUDATranslateBytecode if implementation is TranslateByteCode else implementation
            found.add_pass(ours, description)
        found.add_pass(NopythonTypeInference, "type inference")
        found.add_pass(passes._StopAfterTyping, "stop after typing")
        found.finalize()
        return [found]


def told(function: Any, arguments: tuple[Any, ...]) -> tuple[str, dict[str, str], list[str]]:
    """The IR as text, the type of each variable and of each call."""
    frontend._inferred.clear()
    typed = frontend.infer(function, arguments)
    text = "\n".join(str(statement) for label in sorted(typed.ir.blocks) for statement in typed.ir.blocks[label].body
                     if type(statement).__name__ != "Del")
    calls = sorted(f"{expression}: {signature}" for expression, signature in typed.calls.items())
    return numbered(text), {numbered(name): str(kind) for name, kind in typed.types.items()}, [
        numbered(call) for call in calls]


def numbered(text: str) -> str:
    """Without addresses and the numbers of inlined functions, which differ from run to run."""
    return re.sub(r"0x[0-9a-f]+|(?<=__)_?v\d+|(?<=_)v\d+(?=_)", "", text)


def check(monkeypatch: pytest.MonkeyPatch, function: Any, arguments: tuple[Any, ...]) -> None:
    ours = told(function, arguments)
    with monkeypatch.context() as patch:
        patch.setattr(frontend, "TypeOnly", Stock)
        patch.setattr(frontend, "lifetimes_when_asked_for", frontend.contextlib.nullcontext)
        patch.setattr(frontend, "_calls_are_resolved_once", frontend.contextlib.nullcontext)
        stock = told(function, arguments)
    assert ours == stock


@pytest.mark.parametrize("number", range(len(_KERNELS)))
def test_the_ir_and_types_of_practice_kernels_are_numbas(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    check(monkeypatch, *_KERNELS[number])


@pytest.mark.parametrize("puzzle", [puzzle for puzzle in PUZZLES if load_spec(puzzle.spec).puzzle.kernel],
                         ids=lambda puzzle: puzzle.id)
def test_the_ir_and_types_of_learners_kernels_are_numbas(monkeypatch: pytest.MonkeyPatch, puzzle: Any) -> None:
    spec = load_spec(puzzle.spec)
    case = next(iter(cases_of(spec, puzzle.spec, 3)))
    values = [case.args[name] for name in spec.puzzle.parameters]
    arrays = [np.zeros(value.shape, value.dtype) if hasattr(value, "initial") else value for value in values]
    arguments = tuple(frontend.plain(frontend.type_of(value)) for value in arrays)
    for file in (puzzle.reference, *sorted((puzzle.folder / "right").glob("*.py"))):
        module = imported(file)
        check(monkeypatch, getattr(module, spec.puzzle.kernel or "").py_func, arguments)


def imported(file: Path) -> ModuleType:
    module = ModuleType(f"passes_{file.stem}".replace("-", "_"))
    exec(compile(file.read_text(), str(file), "exec"), vars(module))
    return module


def closures(out: Any, a: Any) -> None:
    def twice(x: Any) -> Any:
        return x + x

    pair = (a[0], twice(a[1]))
    for value in pair:
        out[0] += value


def test_closures_and_tuples_are_inlined_as_numba_does(monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, closures, (frontend.types.float32[::1], frontend.types.float32[::1]))
