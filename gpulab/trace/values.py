"""Where a value came from: the store that wrote an element, its operands, and who wrote those."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpulab.trace.coordinates import Coordinates

Element = tuple[str, tuple[int, ...]]
"""A global array's name and an index into it."""

Value = float | int | bool | str
"""A scalar as shown to a learner (complex numbers and NaN payloads as text)."""


@dataclass(frozen=True)
class Operand:
    """One load that fed a store: `array[index]` held `value`; `written_by` is the store before it.

    `written_by` is None for an input of the launch, or for memory nobody wrote.
    """

    array: str
    index: tuple[int, ...]
    value: Value
    line: int
    space: str
    """"global", "shared" or "local"."""
    written_by: Write | None = None


@dataclass(frozen=True)
class Write:
    """One store of one thread to `array[index]`."""

    array: str
    index: tuple[int, ...]
    value: Value
    line: int
    block: Coordinates
    thread: Coordinates
    operands: tuple[Operand, ...] = ()


@dataclass
class ValueTrace:
    """The stores to the global elements that were asked about, of one small launch."""

    writes: dict[Element, list[Write]] = field(default_factory=dict)
    """Element -> its stores in the order they happened."""

    def writer(self, array: str, index: tuple[int, ...]) -> Write | None:
        """The store that left `array[index]` as it is, or None if nobody wrote it."""
        stores = self.writes.get((array, index))
        return stores[-1] if stores else None
