"""Whether Triton compiles the kernel at all: its front end's answer, on the learner's line."""

from __future__ import annotations

import linecache
import os
import re
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gpulab.engines.simt.errors import DoesNotCompile
from gpulab.engines.triton.internals import Compiled, Refusal, compile_whole, front_end, language
from gpulab.engines.triton.numbers import BY_DTYPE, kind_of

CAPABILITY = 90
"""The GPU that kernels are compiled for where there is none: sm_90, of the H100 and H200."""

_MOST = {"i32": 1 << 31, "i64": 1 << 63}


_compiled: set[tuple[Any, ...]] = set()
"""What the front end has taken: kernel, types and constants."""


def compile_front(kernel: Any, arguments: Mapping[str, Any], capability: int = CAPABILITY) -> None:
    """Raises `DoesNotCompile` with Triton's words and the line of the kernel's file, if Triton refuses it.

    On a GPU an int that is 1 becomes a constant, and more compiles then; here an int is one that may change.
    """
    signature, given = _signature(kernel, arguments)
    key = (kernel.fn, capability, *signature.items(), *((name, str(value)) for name, value in given.items()))
    if key in _compiled:
        return
    refusals = front_end(kernel, signature, given, capability)
    if refusals:
        line = next((line for line in (_line(refusal, kernel) for refusal in reversed(refusals)) if line), None)
        raise DoesNotCompile(f"Triton: {refusals[-1].message}", line, kernel.fn.__code__.co_filename)
    _compiled.add(key)


def _signature(kernel: Any, arguments: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """The type of each argument, and the values of those that are constants."""
    constants = language().constants(kernel)
    signature = {name: "constexpr" if name in constants else _type(value) for name, value in arguments.items()}
    return signature, {name: arguments[name] for name, kind in signature.items() if kind == "constexpr"}


def compile_for(kernel: Any, arguments: Mapping[str, Any], capability: int = CAPABILITY) -> Compiled:
    """The kernel's machine code for this GPU, for any numbers of these types.

    16 divides every address, as it does of torch's tensors on a GPU; of ints nothing is promised, though a launch tells
    the compiler which of them are 1 or multiples of 16.
    """
    signature, given = _signature(kernel, arguments)
    attributes: dict[tuple[int, ...], Any] = {(place,): [["tt.divisibility", 16]] for place, kind in enumerate(
        signature.values()) if kind.startswith("*")}
    with TemporaryDirectory(prefix="gpulab-triton-") as folder:
        before = os.environ.get("TRITON_CACHE_DIR")
        os.environ["TRITON_CACHE_DIR"] = folder
        try:
            return compile_whole(kernel, signature, given, attributes, capability)
        finally:
            os.environ.pop("TRITON_CACHE_DIR")
            if before is not None:
                os.environ["TRITON_CACHE_DIR"] = before


def _type(value: Any) -> str:
    """Triton's name of an argument's type; None is a constant."""
    if isinstance(value, np.ndarray):
        return f"*{_short(kind_of(value.dtype))}"
    if hasattr(value, "data_ptr"):
        name = str(value.dtype).removeprefix("torch.")
        return f"*{'bf16' if name == 'bfloat16' else _short(BY_DTYPE[name])}"
    if value is None:
        return "constexpr"
    if isinstance(value, (bool, np.bool_)):
        return "u1"
    if isinstance(value, (int, np.integer)):
        return "i32" if -_MOST["i32"] <= value < _MOST["i32"] else "i64" if value < _MOST["i64"] else "u64"
    return "fp32"


def _short(kind: str) -> str:
    """`i32` for "int32", as signatures have it."""
    return {"int1": "i1"}.get(kind) or re.sub(r"^(u?)int", lambda found: f"{found[1] or 'i'}", kind)


def _line(refusal: Refusal, kernel: Any) -> int | None:
    """The line in the kernel's file; None where the function that was refused stands elsewhere."""
    lines = [line.strip() for line in linecache.getlines(kernel.fn.__code__.co_filename)]
    wanted = [line.strip() for line in refusal.source.strip().splitlines()]
    starts = (number for number in range(len(lines)) if lines[number:number + len(wanted)] == wanted)
    start = next(starts, None)
    return None if start is None else start + refusal.line
