"""Numba's own passes up to type inference, without what only code generation and rarer functions need.

A learner waits for each of these milliseconds at every save: the same IR and types come out in half of the time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from numba.cuda.compiler import CUDABytecodeInterpreter, DefaultPassBuilder, TranslateByteCode
from numba.cuda.core import ir, transforms
from numba.cuda.core.compiler import CompilerBase
from numba.cuda.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.cuda.core.postproc import PostProcessor, VariableLifetime
from numba.cuda.core.typed_passes import NopythonTypeInference
from numba.cuda.core.untyped_passes import InlineClosureLikes

_RARE = {
    "peep_hole_delete_with_exit": (),  # `with` is refused before
    "peep_hole_fuse_dict_add_updates": ("build_map",),
    "peep_hole_list_to_tuple": ("build_list",),
    "peep_hole_call_function_ex_to_call_function_kw": ("build_map", "build_list", "build_tuple"),
}
"""Rewrites of the interpreter, by the expressions without which each has nothing to do."""


class TypeOnly(CompilerBase):  # type: ignore[misc]
    """Stops after type inference; the compilation's result is (IR, types, calls, return type)."""

    def define_pipelines(self) -> list[Any]:
        passes = _Passes("gpulab_type_only")
        for implementation, description in DefaultPassBuilder.define_untyped_pipeline(self.state).passes:
            passes.add_pass(_LEANER.get(implementation, implementation), description)
        passes.add_pass(NopythonTypeInference, "type inference")
        passes.add_pass(_StopAfterTyping, "stop after typing")
        passes.finalize()
        return [passes]


class _Passes(PassManager):  # type: ignore[misc]
    """Runs passes without timing, events and checks of each other's work."""

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:
        pss.analysis = self._analysis
        pss.run_initialization(internal_state)
        pss.run_pass(internal_state)
        pss.run_finalizer(internal_state)


class _Interpreter(CUDABytecodeInterpreter):  # type: ignore[misc]
    def post_process(self, peepholes: list[Any], func_ir: Any) -> Any:
        there = _expressions(func_ir)
        needed = [peep for peep in peepholes if there.intersection(_RARE.get(peep.__name__, there))]
        return super().post_process(needed, func_ir)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Translate(FunctionPass):  # type: ignore[misc]
    _name = "gpulab_translate_bytecode"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state["func_ir"] = _Interpreter(state["func_id"]).interpret(state["bc"])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlineClosures(InlineClosureLikes):  # type: ignore[misc]
    """Nothing to do where no function, list or reduction is written in place."""

    _name = "gpulab_inline_closure_likes"

    def run_pass(self, state: Any) -> bool:
        if _expressions(state.func_ir) & {"make_function", "build_list"} or "reduce" in _names(state.func_ir):
            return bool(super().run_pass(state))
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _StopAfterTyping(FunctionPass):  # type: ignore[misc]
    _name = "gpulab_stop_after_typing"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.cr = (state.func_ir, state.typemap, state.calltypes, state.return_type)
        return False


_LEANER = {TranslateByteCode: _Translate, InlineClosureLikes: _InlineClosures}


@contextlib.contextmanager
def lifetimes_when_asked_for() -> Iterator[None]:
    """Numba computes five times which variables live where, which only generators and lowering ask for."""
    stock = PostProcessor.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            stock(self, emit_dels, extend_lifetimes)
            return
        self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
        self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)  # computes when it is looked at
        self.func_ir.generator_info = None

    PostProcessor.run = run
    try:
        yield
    finally:
        PostProcessor.run = stock


def _expressions(func_ir: Any) -> set[str]:
    """The kinds of expressions there are: "call", "getitem", "build_list"..."""
    return {statement.value.op for block in func_ir.blocks.values() for statement in block.body
            if isinstance(statement, ir.assign_types) and isinstance(statement.value, ir.expr_types)}


def _names(func_ir: Any) -> set[str]:
    """Names of globals and attributes, "reduce" in `functools.reduce`."""
    names = set()
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            if isinstance(value, ir.global_types + ir.freevar_types):
                names.add(value.name)
            elif isinstance(value, ir.expr_types) and value.op == "getattr":
                names.add(value.attr)
    return names
