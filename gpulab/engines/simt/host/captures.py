"""What a kernel takes over from its file when it is compiled: arrays and tuples that become constants."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]


def captured(function: Any) -> list[Bytes]:
    """The bytes of each array or tuple that `function`, or a function it calls, knows by name."""
    return [content(value) for value in _captured(function, set())]


def content(value: npt.NDArray[Any] | tuple[Any, ...]) -> Bytes:
    """The bytes of an array, in C order, or of the numbers in a tuple."""
    if isinstance(value, tuple):
        return numbers(value)
    return np.frombuffer(np.ascontiguousarray(value).tobytes(), np.uint8)


def numbers(values: Iterable[Any]) -> Bytes:
    """Numbers, and those within tuples, as the bytes of doubles; what is no number counts for nothing."""
    flat = np.array([value for value in _flat(values) if isinstance(value, (int, float, np.number))], object)
    try:
        return flat.astype(np.float64).view(np.uint8)
    except (OverflowError, TypeError, ValueError):  # integers beyond a double, complex numbers
        return np.frombuffer(repr(flat.tolist()).encode(), np.uint8)


def _captured(function: Any, seen: set[int]) -> Iterator[Any]:
    """Arrays and tuples among the globals and closure variables of `function` and of the functions it calls."""
    if id(function) in seen or not inspect.isfunction(function):
        return
    seen.add(id(function))
    known = inspect.getclosurevars(function)
    names = function.__code__.co_names
    for value in (*known.nonlocals.values(), *known.globals.values()):
        if isinstance(value, (np.ndarray, tuple)):
            yield value
        elif isinstance(value, ModuleType):
            held = (vars(value).get(name) for name in names)
            yield from (item for item in held if isinstance(item, (np.ndarray, tuple)))
        else:
            yield from _captured(getattr(value, "py_func", value), seen)


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value
