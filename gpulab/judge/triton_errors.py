"""Triton's refusals in plain words: what does not compile, and why. What is not known here keeps Triton's own line."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from gpulab.judge.typing_errors import OPERATORS
from gpulab.judge.wording import fit

MARK = "Triton: "
"""Before each message of Triton's front end."""

Told = tuple[str, str, str]
"""What is wrong, without a period, the reason as a sentence, and what to do ("" where the line alone says it)."""

NAMES = (
    "abs", "arange", "argmax", "argmin", "associative_scan", "atomic_add", "atomic_and", "atomic_cas", "atomic_max",
    "atomic_min", "atomic_or", "atomic_xchg", "atomic_xor", "bfloat16", "broadcast_to", "cat", "cdiv", "ceil",
    "clamp", "constexpr", "cos", "cumprod", "cumsum", "debug_barrier", "device_print", "dot", "erf", "exp", "exp2",
    "expand_dims", "fdiv", "flip", "float16", "float32", "float64", "floor", "fma", "full", "gather", "histogram",
    "int16", "int32", "int64", "int8", "join", "load", "log", "log2", "math", "max", "maximum", "min", "minimum",
    "num_programs", "permute", "program_id", "rand", "randint", "range", "ravel", "reduce", "reshape", "rsqrt",
    "sigmoid", "sin", "softmax", "sort", "split", "sqrt", "static_assert", "static_range", "store", "sum", "trans",
    "view", "where", "xor_sum", "zeros", "zeros_like",
)
"""What tl.load may have been meant for."""

TYPES = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "int1": "true or false"}


def in_plain_words(message: str) -> Told | None:
    """What Triton refused and why, or None where its own message must do."""
    for pattern, words in _RULES:
        found = pattern.search(message)
        if found is not None:
            return words(found)
    return None


def _constant_range(found: re.Match[str]) -> Told:
    return ("tl.arange takes constants only",
            "A block's length is built into the kernel: no argument like n can give it.",
            "Give it a parameter marked tl.constexpr, or a number.")


def _power_of_two(found: re.Match[str]) -> Told:
    return ("a block's length must be a power of two",
            "Blocks have 1, 2, 4, 8, ... lanes; a mask leaves out those too many.",
            "Take the next power of two, and a mask.")


def _subscript(found: re.Match[str]) -> Told:
    return ("a pointer takes no brackets",
            "A pointer is an address: tl.load reads what lies there, tl.store writes.",
            "Add the offsets to the pointer, and load or store there.")


def _if_block(found: re.Match[str]) -> Told:
    return ("if cannot look at a whole block of values",
            "A program runs a line for all lanes at once, and each has another answer.",
            "Give the condition to tl.load and tl.store as mask=, or to tl.where.")


def _global(found: re.Match[str]) -> Told:
    return (f"a kernel cannot see {found['name']} from outside",
            "It is a number of your file, which may change after the kernel is compiled.",
            f"Make it a parameter marked tl.constexpr, or {found['name']} = tl.constexpr(...).")


def _shapes(found: re.Match[str]) -> Told:
    one, other = found["one"], found["other"]
    return (f"blocks of {one} and {other} lanes do not fit together",
            "Lanes are combined one by one: along an axis lengths are equal, or one is 1.",
            "Look at the lengths that your tl.arange, [:, None] and [None, :] give.")


def _unknown_word(found: re.Match[str]) -> Told:
    word, name = found["word"], found["name"]
    meant = get_close_matches(word, ("mask", "other", "axis", "keep_dims", "dtype", "cache_modifier",
                                     "eviction_policy", "input_precision", "acc"), 1)
    cure = f"Did you mean {meant[0]}=?" if meant else "Leave it out."
    return f"tl.{name} has no {word}=", "It takes other names.", cure


def _unknown_attribute(found: re.Match[str]) -> Told:
    name = found["name"]
    meant = get_close_matches(name, NAMES, 1)
    return (f"there is no tl.{name}", "Triton's language has no such name.",
            f"Did you mean tl.{meant[0]}?" if meant else "Look for a slip in its spelling.")


def _unknown_name(found: re.Match[str]) -> Told:
    name = found["name"]
    imports = {"tl": "import triton.language as tl", "triton": "import triton"}
    if name in imports:
        return f"nothing has imported {name}", "A kernel sees only its file.", f"Put this first: {imports[name]}"
    return (f"{name} is not defined here",
            "What gets its first value in a loop or an if does not exist after it.",
            f"Give {name} a value above, or look for a slip in its spelling.")


def _mismatched(found: re.Match[str]) -> Told:
    name, one, other = found["name"], _type(found["one"]), _type(found["other"])
    return (f"{name} has two types after the if",
            fit(f"It is {one} where the condition holds, and {other} where it does not.",
                "A value has one type, whichever way the kernel goes."), "Give both the same type.")


def _carried(found: re.Match[str]) -> Told:
    name, one, other = found["name"], _type(found["one"]), _type(found["other"])
    return (f"the loop changes the type of {name}",
            fit(f"It begins as {one}, and a round makes it {other}.",
                "It begins as one type, and a round of the loop makes it another."),
            f"Begin with {name} in the type and shape that the loop gives it.")


def _one_pointer(found: re.Match[str]) -> Told:
    return ("a block of values cannot go to a single address",
            "tl.store needs an address for each lane.", "Add the block's offsets to the pointer.")


def _no_pointer(found: re.Match[str]) -> Told:
    return (f"tl.{found['name']} needs addresses, and gets numbers",
            "An address is a pointer argument plus offsets.", "Add the offsets to the pointer of the tensor.")


def _axis(found: re.Match[str]) -> Told:
    return (f"the block has no axis {found['axis']}",
            "Axes are counted from 0: a block of one dimension has axis 0 alone.", "Count the block's axes.")


def _operands(found: re.Match[str]) -> Told:
    one, other = _type(found["one"]), _type(found["other"])
    return ("these two cannot be combined",
            fit(f"One is {one}, the other {other}: a pointer takes whole numbers only.",
                "To a pointer only whole numbers can be added."),
            "Load the value first, or make the offset a whole number: use // for /.")


def _pointer_value(found: re.Match[str]) -> Told:
    return ("an address is stored as if it were a value", "A pointer plus offsets says where, not what.",
            "Load the values from there first: tl.load(...).")


def _statement(found: re.Match[str]) -> Told:
    what = {"Import": "import", "ListComp": "a list in brackets with for", "Try": "try", "With": "with",
            "Lambda": "lambda", "Dict": "a dictionary", "Set": "a set", "Raise": "raise", "Delete": "del",
            "Global": "global", "Nonlocal": "nonlocal", "Yield": "yield", "ClassDef": "class",
            "Break": "break", "Continue": "continue"}.get(found["name"], found["name"])
    return f"a kernel cannot have {what}", "Triton compiles only a part of Python.", "Do it another way, or outside."


def _loop(found: re.Match[str]) -> Told:
    return ("a loop can only go over a range",
            "range, tl.range and tl.static_range count; there are no lists to go over.", "Count with range.")


def _not_triton(found: re.Match[str]) -> Told:
    return (f"a kernel cannot call {found['name']}", "In a kernel there are only Triton's own functions, in tl.",
            "Look for it in tl, or write it with what is there.")


def _ranks(found: re.Match[str]) -> Told:
    return ("tl.dot multiplies blocks of two axes", "A block of one axis is neither row nor column.",
            "Make one with [:, None] or [None, :], or use tl.sum.")


def _small_dot(found: re.Match[str]) -> Told:
    return ("the blocks are too small for tl.dot", "Tensor cores multiply tiles of a least size.",
            "Use larger blocks: 16 x 16 and more.")


def _length(found: re.Match[str]) -> Told:
    return ("a tensor has no length in a kernel", "A kernel gets its address alone.",
            "Pass the number of elements as an argument.")


def _recursion(found: re.Match[str]) -> Told:
    return "it calls itself", "Triton builds each call into the kernel, and would never end.", "Write a loop."


def _operator(found: re.Match[str]) -> Told:
    sign = OPERATORS.get(found["name"].strip("_"), found["name"])
    return f"{sign} does not work on these values", "Triton has no such operation for them.", ""


def _asserted(found: re.Match[str]) -> Told:
    return "tl.static_assert does not hold", "It asks for what must be known when the kernel is compiled.", ""


def _type(name: str) -> str:
    """`float32`, `an int32 pointer`, `a block of float32`."""
    name = name.strip()
    block = re.fullmatch(r"<\[(.*?)\], (.*)>", name)
    if block:
        sizes = " x ".join(re.findall(r"\d+", block[1]))
        return f"a block of {sizes} {_type(block[2])}"
    pointer = re.match(r"pointer<(\w+)>", name)
    if pointer:
        return f"a pointer to {TYPES.get(pointer[1], pointer[1])}"
    name = name.removeprefix("triton.language.")
    return TYPES.get(name, name)


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Told]], ...] = tuple(
    (re.compile(pattern), words) for pattern, words in (
        (r"arange's arguments must be of type tl\.constexpr", _constant_range),
        (r"(range must be a power of 2|Shape element \d+ must be a power of 2)", _power_of_two),
        (r"`_(semantic|builder)` argument must be provided|__setitem__ is not supported|"
         r"'pointer_type' object is not subscriptable|unsupported tensor index", _subscript),
        (r"(Boolean value of Tensor|truth value|condition must be a scalar)", _if_block),
        (r"Cannot access global variable (?P<name>\w+) ", _global),
        (r"incompatible dimensions at index \d+: (?P<one>\d+) and (?P<other>\d+)", _shapes),
        (r"(?P<name>\w+)\(\) got an unexpected keyword argument '(?P<word>\w+)'", _unknown_word),
        (r"module 'triton\.language' has no attribute '(?P<name>\w+)'", _unknown_attribute),
        (r"^Triton: (NameError: )?(?P<name>\w+) is not defined", _unknown_name),
        (r"Mismatched type for (?P<name>\w+) between then block \((?P<one>.*?)\) and else block \((?P<other>.*?)\)",
         _mismatched),
        (r"Loop-carried variable (?P<name>\w+) has initial type (?P<one>.*?) but is re-assigned to (?P<other>.*?) in "
         r"loop", _carried),
        (r"Value argument cannot be block type if pointer argument is not a block", _one_pointer),
        (r"Unsupported ptr type .* in `tl\.(?P<name>\w+)`", _no_pointer),
        (r"invalid axis (?P<axis>-?\d+)", _axis),
        (r"invalid operands of type (?P<one>.*?) and (?P<other>.*)$", _operands),
        (r"simultaneous multiple comparison", lambda found: _chain()),
        (r"cannot add pointers together", lambda found: _addresses()),
        (r"cannot cast pointer<", _pointer_value),
        (r"unsupported AST node type: (?P<name>\w+)", _statement),
        (r"(Only `range` and `static_range` iterators|object has no attribute 'func')", _loop),
        (r"cannot convert .* of type <class 'numpy\.|'NoneType' object has no attribute '(create_|to_tensor)",
         lambda found: _called("NumPy, or others' functions")),
        (r"Unsupported function referenced: <.*?\b(?P<name>\w+)'?( at .*)?>", _not_triton),
        (r"ranks? >= 2|Both inputs must be either 2D or 3D", _ranks),
        (r"(Input shapes should have M|M >= \d+|K >= \d+)", _small_dot),
        (r"has no len\(\)", _length),
        (r"RecursionError|maximum recursion depth|KeyError: \S+__\S+$", _recursion),
        (r"unsupported operand type.*?: (?P<name>\w+)", _operator),
        (r"static_assert|CompileTimeAssertionFailure", _asserted),
    )
)


def _chain() -> Told:
    return ("a chain of comparisons is one too many", "Triton compares two values at a time.",
            "Write both comparisons in brackets, with & between them.")


def _addresses() -> Told:
    return ("two addresses cannot be added", "A pointer plus offsets says where values lie, not what they are.",
            "Load the values from there first: tl.load(...).")


def _called(what: str) -> Told:
    return (f"a kernel cannot use {what}", "In a kernel there are only Triton's own functions, in tl.",
            "Look for it in tl, or write it with what is there.")
