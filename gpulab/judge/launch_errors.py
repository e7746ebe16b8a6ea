"""What Python and numba-cuda raise on the host, in plain words: launches that cannot be, names that nobody imported."""

from __future__ import annotations

import re
from collections.abc import Callable

from gpulab.judge.session import Problem
from gpulab.judge.source import Source
from gpulab.judge.typing_errors import IMPORTS
from gpulab.judge.wording import count, number

Words = tuple[str, str, str]
"""Message, detail, next."""

def in_plain_words(stopped: Problem, source: Source) -> Words | None:
    """What an exception on the host comes to, or None where Python's own message must do."""
    for pattern, words in _RULES:
        found = pattern.search(stopped.message)
        if found is not None and stopped.line:
            return words(found, stopped.line, source)
    return None


def _name(found: re.Match[str], line: int, source: Source) -> Words:
    name = found["name"]
    if name not in IMPORTS:
        return (f"Line {line} uses {name}, which is not defined there.",
                "Python reads a file from the top: a name must be defined above its use.",
                f"Define {name} above line {line}, or look for a slip in its spelling.")
    return (f"Line {line} uses {name}, but nothing has imported it.",
            "Python reads a file from the top: a name must be imported above its use.",
            f"Put this line first: {IMPORTS[name]}")


def _no_launch(found: re.Match[str], line: int, source: Source) -> Words:
    name = source.kernel_called_on(line) or "kernel"
    return (f"Line {line} calls {'the kernel' if name == 'kernel' else name} like a function, not as a launch.",
            "A launch says in brackets how many blocks run, and how many threads in each.",
            f"Write {name}[blocks, threads](...).")


def _arguments(found: re.Match[str], line: int, source: Source) -> Words:
    given, wanted = int(found["given"]), int(found["wanted"])
    name = source.kernel_called_on(line)
    if name is None:
        return (f"The signature on line {line} has {count(given, 'type')}, the kernel {count(wanted, 'argument')}.",
                "A signature names the type of each argument, in order.", "Make them agree, or leave the types out.")
    parameters = source.parameters_of(name)
    return (f"Line {line} launches {name} with {count(given, 'argument')}; it takes {wanted}.",
            f"It begins: def {name}({', '.join(parameters)})." if parameters else "A launch gives all of them.",
            "Give it all of them, in this order.")


def _returns(found: re.Match[str], line: int, source: Source) -> Words:
    return (f"The signature on line {line} says that the kernel returns a value.",
            "A kernel returns nothing: it stores its results in arrays.",
            "Write void(...) there, or the argument types alone.")


def _zero(found: re.Match[str], line: int, source: Source) -> Words:
    what = "blocks" if found["what"] == "grid" else "threads in a block"
    extents = [int(extent) for extent in re.findall(r"-?\d+", found["extents"])]
    least = min(extents)
    return (f"Line {line} launches {least} {what}, and the least is 1.",
            "A GPU refuses such a launch.", "Launch nothing where there is nothing to do, or correct the division.")


def _too_many(found: re.Match[str], line: int, source: Source) -> Words:
    asked, axis = found["asked"], f" in {found['axis']}" if found["axis"] else ""
    what, cure = {
        "block": (f"blocks of {asked} threads{axis}", "Use smaller blocks, and more of them."),
        "grid": (f"{asked} blocks{axis}", "Let each thread do more, or use another axis."),
    }.get(found["what"], (f"{asked} bytes of shared memory", "Do with less, or with more and smaller blocks."))
    return f"Line {line} asks for {what}, and at most {found['most']} may be.", "A GPU refuses such a launch.", cure


def _fraction(found: re.Match[str], line: int, source: Source) -> Words:
    what = "blocks" if found["what"].lower() == "griddim" else "threads"
    value = re.search(r"\d+\.\d+", found["extents"])
    given = number(float(value[0]), 3) if value else found["extents"]
    return (f"Line {line} launches {given} {what}: that must be a whole number.",
            "In Python / gives a float, and // a whole number, rounded down.",
            f"Make the number of {what} an int, rounded the way you need it.")


def _declared(found: re.Match[str], line: int, source: Source) -> Words:
    name, declared, given = found["name"], found["declared"], found["given"]
    return (f"The signature of {found['kernel']} declares {name} as {_array(declared)}.",
            f"Line {line} gives it {_array(given)}, whose bytes a GPU would take for the other.",
            "Correct the signature above the kernel, or leave it out.")


def _not_on_device(found: re.Match[str], line: int, source: Source) -> Words:
    return (f"Line {line} launches with an array that is not in device memory.",
            "Its address or its extents reach outside of what was allocated there.",
            "Give the kernel NumPy or device arrays, as they are.")


def _no_array(found: re.Match[str], line: int, source: Source) -> Words:
    kind = found["type"].rpartition(".")[2]
    return (f"Line {line} launches with {'an' if kind[:1] in 'aeiouAEIOU' else 'a'} {kind}.",
            "A kernel takes arrays and numbers, and tuples of them.", "Pass its arrays and numbers one by one.")


def _array(kind: str) -> str:
    """`float32[:]` for `array(float32, 1d, C)`."""
    found = re.match(r"[Aa]rray\((\w+), (\d)d", kind)
    return f"{found[1]}[{', '.join(':' * int(found[2]))}]" if found else kind


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int, Source], Words]], ...] = tuple(
    (re.compile(pattern), words) for pattern, words in (
        (r"^NameError: name '(?P<name>\w+)' is not defined", _name),
        (r"Kernel launch configuration was not specified", _no_launch),
        (r"Signature mismatch: (?P<given>\d+) argument types given, but function takes (?P<wanted>\d+)", _arguments),
        (r"CUDA kernel must have void return type", _returns),
        (r"LaunchConfig\.(?P<what>grid|block) values must be >= 1 \(got (?P<extents>\([^)]*\))", _zero),
        (r"\(an? (?P<what>grid|block) has at most (?P<most>\d+)(?: threads)?(?: in (?P<axis>[xyz]))?, "
         r"this launch asks for (?:.* = )?(?P<asked>\d+)\)", _too_many),
        (r"\((?P<what>dynamic shared memory)(?P<axis>) is 0 to (?P<most>\d+) bytes, this launch asks for "
         r"(?P<asked>\d+)\)", _too_many),
        (r"(?i)(?P<what>griddim|blockdim) must be a sequence of integers, got (?P<extents>.*)", _fraction),
        (r"cuLaunchKernel results in CUDA_ERROR_ILLEGAL_ADDRESS: an array's memory is not on", _not_on_device),
        (r"Cannot determine Numba type of <class '(?P<type>[\w.]+)'>", _no_array),
        (r"`(?P<name>\w+)` of (?P<kernel>\w+) is declared as (?P<declared>array\([^)]*\)), and got "
         r"(?P<given>array\([^)]*\))", _declared),
    )
)
