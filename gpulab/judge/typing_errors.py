"""Numba's refusals in plain words: what does not compile, and why.

Numba lists every overload it tried, thirty lines for a wrong index. A beginner needs the one that counts. What
is not known here keeps Numba's own first line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from gpulab.judge.source import Source

Words = tuple[str, str]
"""What is wrong, without a period, and the reason as a sentence."""

Told = tuple[str, str, str]
"""The same, and what to do; "" where the line alone says it."""

OPERATORS = {
    "add": "+", "iadd": "+=", "sub": "-", "isub": "-=", "mul": "*", "imul": "*=", "truediv": "/", "itruediv": "/=",
    "floordiv": "//", "ifloordiv": "//=", "mod": "%", "imod": "%=", "pow": "**", "ipow": "**=", "and_": "&", "or_": "|",
    "xor": "^", "lshift": "<<", "rshift": ">>", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "neg": "-", "invert": "~", "not_": "not",
}

IMPORTS = {
    "cuda": "from numba import cuda", "np": "import numpy as np", "numpy": "import numpy", "math": "import math",
    **{name: f"from numba import {name}" for name in ("float32", "float64", "int32", "int64", "uint32", "njit", "jit")},
}
"""Names that are used before they are imported -> the line that does."""

CUDA_NAMES = (
    "activemask", "all_sync", "any_sync", "atomic", "ballot_sync", "blockDim", "blockIdx", "const", "fma", "grid",
    "gridDim", "gridsize", "laneid", "lanemask_lt", "local", "popc", "selp", "shared", "shfl_down_sync", "shfl_sync",
    "shfl_up_sync", "shfl_xor_sync", "syncthreads", "syncthreads_and", "syncthreads_count", "syncthreads_or",
    "syncwarp", "threadIdx", "threadfence", "warpsize",
)


def in_plain_words(message: str, line: int | None, source: Source) -> Told | None:
    """What Numba refused and why, or None where its own message must do."""
    for pattern, words in _RULES:
        found = pattern.search(message)
        if found is None:
            continue
        told = words(found)
        computed = source.computed_shape_on(line) if words is _array_shape and line else None
        if computed is not None:
            return (told[0], f"{computed} is computed in the kernel, and that is too late for a shape.",
                    f"Name it above the kernel: SIZE = {computed}")
        return (*told, "") if len(told) == 2 else told
    return None


def _too_many_indices(found: re.Match[str]) -> Words:
    axes, indices = int(found["axes"]), int(found["indices"])
    return (f"{indices} indices for an array of {axes} axis" if axes == 1 else f"{indices} indices for {axes} axes",
            f"The array is indexed with {'one number' if axes == 1 else f'up to {axes} numbers'} in brackets.")


def _index_type(found: re.Match[str]) -> Words:
    return _index(found["type"])


def _index(type_: str) -> Words:
    kind = _short(type_)
    if kind == "Dim3":
        return "an index cannot be a Dim3", "A Dim3, as threadIdx is, holds three numbers: take .x, .y or .z of it."
    return f"an index cannot be {_an(kind)}", "An index is a whole number. Note that / gives a float, // does not."


def _array_shape(found: re.Match[str]) -> Words:
    return (f"the shape of a {found['space']} array must be a constant",
            "Its size must be known before: a number, or a name from above the kernel.")


def _operator(found: re.Match[str]) -> Words:
    types = " and ".join(_short(part) for part in _split(found["types"]))
    return f"{OPERATORS[found['name']]} does not work on {types}", "Numba has no such operation for these types."


def _other_call(found: re.Match[str]) -> Words:
    types = ", ".join(_short(part) for part in _split(found["types"]))
    return f"{found['name']} does not take ({types})", "Numba knows it for other types, or with other arguments."


def _anything_else(found: re.Match[str]) -> Words:
    call = found["call"]
    return ("no kernel can do this with these types",
            f"Numba was asked for {call}." if len(call) < 50 else "The traceback has what Numba was asked for.")


def _unknown_name(found: re.Match[str]) -> Words | Told:
    name = found["name"]
    if name in IMPORTS:
        return f"nothing has imported {name}", "A kernel sees only its file.", f"Put this above: {IMPORTS[name]}"
    return f"the name {name} is not defined", "A kernel sees its parameters, and what stands above it in the file."


def _of_the_host(found: re.Match[str]) -> Words | Told:
    name, kind = found["name"], found["type"].rpartition(".")[2]
    if kind == "function":
        return (f"{name} is a plain Python function",
                "A kernel can call only what has @cuda.jit(device=True) above it.",
                f"Write @cuda.jit(device=True) above def {name}.")
    if kind == "builtin_function_or_method":
        return f"no kernel can call {name}", "It is Python's own, and works on the host only."
    if kind == "type":
        return f"no kernel can use {name}", "It is a class, and objects live on the host only."
    return (f"no kernel can use {name}, a {kind}",
            "Of its file a kernel sees numbers, tuples, arrays and device functions.")


def _recursion(found: re.Match[str]) -> Told:
    return ("it calls itself", "That is more than Numba can follow on a GPU.", "A loop does the same: write one.")


def _stored(found: re.Match[str]) -> Words | Told:
    array, index, value = [*_split(found["types"]), "", "", ""][:3]
    held = re.match(r"[Aa]rray\((\w+), ", array)
    if held is None:
        return (f"an element of {_an(_short(array))} cannot be changed",
                "Elements can be stored into arrays only, and into those that are not constants.")
    if not re.match(r"(Literal\[int\]|u?int\d+|(Uni)?Tuple|slice)", index.strip()):
        return _index(index)
    return (f"{_an(_short(value))} cannot be stored in an element", f"Each element of this array holds one {held[1]}.",
            "Store a number there.")


def _read(found: re.Match[str]) -> Words:
    owner, index = [*_split(found["types"]), "", ""][:2]
    if re.match(r"[Aa]rray\(", owner.strip()):
        return _index(index)
    return (f"{_an(_short(owner))} has no elements", "Brackets can stand behind an array or a tuple only.")


def _an(kind: str) -> str:
    if kind == "text" or kind.startswith(("a ", "an ")) or kind.lower() == "none":
        return kind
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _list(found: re.Match[str]) -> Told:
    return ("no kernel can build a list", "A list grows, and a kernel has no place where it could.",
            "Write a loop, or use an array: cuda.local.array has a fixed length.")


def _attribute(found: re.Match[str]) -> Words:
    kind, module = _short(found["type"]), re.match(r"Module\(<module '(\w+)'", found["type"])
    if module:
        return f"{module[1]} has no {found['name']} in a kernel", "Numba knows only a part of it on a GPU."
    return f"{_an(kind)} has no {found['name']} in a kernel", "Numba knows only some of its attributes there."


def _untold(found: re.Match[str]) -> Told:
    name = found["name"].partition(".")[0]
    what = "Numba cannot follow an expression here" if name.startswith("$") else f"Numba cannot tell the type of {name}"
    return what, "It must know the type of every value before the kernel runs.", "Write it as two lines, or plainer."


def _unknown_attribute(found: re.Match[str]) -> Words:
    close = get_close_matches(found["name"], CUDA_NAMES, n=1)
    return (f"cuda has no {found['name']}",
            f"Did you mean cuda.{close[0]}?" if close else "Numba's documentation lists what there is.")


def _two_types(found: re.Match[str]) -> Words:
    name = found["name"].partition(".")[0]
    return (f"{name} has two types", f"In one place it is {_short(found['one'])}, in another {_short(found['other'])}.")


def _no_value_yet(found: re.Match[str]) -> Words:
    return f"{found['name']} is used before it has a value", "Give it one first, whatever branch is taken."


def _short(kind: str) -> str:
    """`int64` for `Literal[int](3)`, `a tuple` for `UniTuple(int64 x 2)`, `a 1-d array` for `array(float32, 1d, C)`."""
    kind = kind.strip()
    literal = re.match(r"Literal\[(\w+)\]", kind)
    if literal:
        return {"int": "int64", "str": "text", "bool": "boolean"}.get(literal[1], literal[1])
    if kind == "unicode_type":
        return "text"
    array = re.match(r"[Aa]rray\((\w+), (\d)d", kind)
    if array:
        return f"a {array[2]}-d array"
    return "a tuple" if re.match(r"(Uni)?Tuple\(", kind) else "a list" if kind.startswith("list(") else kind


def _split(types: str) -> list[str]:
    """The types of a signature: commas within brackets do not part them."""
    return [part for part in re.split(r", (?![^(\[<]*[)\]>])", types) if part]


def _returns(found: re.Match[str]) -> Told:
    return (f"it returns {_an(_short(found['type']))}", "A kernel returns nothing: nobody is there to take it.",
            "Store the result in an array instead.")


def _as_said(found: re.Match[str]) -> Words:
    return found["what"], found["why"]


def _loop(found: re.Match[str]) -> Words | Told:
    items = re.match(r"Tuple\((.*)\)$", found["type"])
    kinds = list(dict.fromkeys(_short(part) for part in _split(items[1]))) if items else []
    if len(kinds) > 1:
        return ("its loop goes over a tuple of two types",
                f"Numba loops over items of one type only; here are {' and '.join(kinds[:2])}.",
                f"Turn all of them into one, as {kinds[-1]}(x) does.")
    return f"no loop can go over {_an(_short(found['type']))}", "It can over a range, an array or a tuple."


def _statement(found: re.Match[str]) -> Words:
    return (_STATEMENTS.get(found["code"], "Numba does not know this kind of statement"),
            "Numba knows only a part of Python in a kernel.")


_STATEMENTS = {
    "UNPACK_EX": "no kernel can unpack with a star", "STORE_GLOBAL": "no kernel can assign to a global name",
    "DELETE_GLOBAL": "no kernel can delete a global name", "DELETE_SUBSCR": "no kernel can delete an element",
    "LOAD_BUILD_CLASS": "no kernel can define a class", "IMPORT_NAME": "no kernel can import",
}
"""Bytecode that Numba has no word for -> what the learner wrote."""


def _lazy(found: re.Match[str]) -> Told:
    return ("no kernel can use a generator", "Its values come one at a time, and a kernel has nobody to keep them.",
            "Write the loop out.")


def _texts(found: re.Match[str]) -> Words:
    return "no kernel can make a text of a number", "print takes numbers as they are: print(i, x)."


def _declared(found: re.Match[str]) -> Told:
    return (f"{found['name']} is declared {found['declared']}", f"The launch gives it {found['given']}.",
            "Correct the signature above the kernel, or leave it out.")


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Words | Told]], ...] = tuple(
    (re.compile(pattern), words) for pattern, words in (
        (r"^A kernel returns nothing, but this one returns (?P<type>.*)\.$", _returns),
        (r"^(?P<what>.* whole array)\. (?P<why>A thread .*)$", _as_said),
        (r"The signature declares (?P<name>\w+) as (?P<declared>.+?), but it gets (?P<given>.+)\.$", _declared),
        (r"^(?P<what>Numba cannot [^:]+)\. (?P<why>[^.]+\.)$", _as_said),
        (r"Invalid use of getiter with parameters \((?P<type>.+)\)", _loop),
        (r"Use of unsupported opcode \((?P<code>\w+)\)", _statement),
        (r"use of yield in a closure|A kernel cannot yield", _lazy),
        (r"<intrinsic resolve_hasattr>|function Function\(<class 'str'>\)", _texts),
        (r"cannot index array\([^)]*?(?P<axes>\d)d[^)]*\) with (?P<indices>\d+) indices", _too_many_indices),
        (r"Unsupported array index type (?P<type>[\w\[\]()]+)", _index_type),
        (r"<function (?P<space>shared|local)\.array [^>]*>", _array_shape),
        (rf"<built-in function (?P<name>{'|'.join(OPERATORS)})>\) found for signature:\s*>>> \w+\((?P<types>.*)\)\s",
         _operator),
        (r"<built-in function (?:static_)?setitem>\) found for signature:\s*>>> \w+\((?P<types>.*)\)\s", _stored),
        (r"<built-in function (?:static_)?getitem>\) found for signature:\s*>>> \w+\((?P<types>.*)\)\s", _read),
        (r"Function\(<[\w -]*?function (?P<name>[\w.]+)[^>]*>\) found for signature:\s*>>> [\w.]+\((?P<types>.*)\)\s",
         _other_call),
        (r"No implementation of function .* found for signature:\s*>>> (?P<call>.*)\s", _anything_else),
        (r"NameError: name '(?P<name>\w+)' is not defined", _unknown_name),
        (r"module 'numba\.cuda' has no attribute '(?P<name>\w+)'", _unknown_attribute),
        (r"Cannot unify (?P<one>.+?) and (?P<other>.+) for '(?P<name>[\w.]+)'", _two_types),
        (r"Variable '(?P<name>\w+)' is not defined", _no_value_yet),
        (r"Untyped global name '(?P<name>\w+)':.*<class '(?P<type>[\w.]+)'>", _of_the_host),
        (r"compiler re-entrant to the same function signature", _recursion),
        (r"Unknown attribute '(?P<name>\w+)' of type (?:reflected )?list", _list),
        (r"Unknown attribute '(?P<name>\w+)' of type (?P<type>.+)", _attribute),
        (r"Type of variable '(?P<name>[^']+)' cannot be determined", _untold),
    )
)
