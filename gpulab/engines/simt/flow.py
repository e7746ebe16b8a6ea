"""The order in which a lane program runs its blocks, and which variables live where.

Blocks run smallest first, so the order decides where diverged lanes meet again: a block comes after everything
that can still lead to
it, and what lies behind a loop comes after the whole loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numba.cuda.core import ir as numba_ir


@dataclass(frozen=True)
class Flow:
    """Control flow of one function. Blocks are known by their position in `order` (labels of the IR)."""

    order: list[int]
    position: dict[int, int]
    live_in: dict[str, frozenset[int]]
    """Variable -> positions of the blocks whose waiting lanes still need it (phi targets count as there)."""
    predecessors: dict[int, list[int]]
    headers: frozenset[int]
    """Labels of loop headers: blocks some later block jumps back to."""


def analyse(ir: Any) -> Flow:
    blocks = ir.blocks
    successors = {label: list(block.terminator.get_targets()) for label, block in blocks.items()}
    order = _order(min(blocks), successors)
    position = {label: i for i, label in enumerate(order)}
    predecessors: dict[int, list[int]] = {label: [] for label in order}
    for label in order:
        for target in successors[label]:
            predecessors[target].append(label)
    headers = frozenset(t for label in order for t in successors[label] if position[t] <= position[label])
    return Flow(order, position, _liveness(blocks, order, successors, position), predecessors, headers)


def _loops(entry: int, successors: dict[int, list[int]]) -> dict[int, frozenset[int]]:
    """Label -> the headers of the natural loops it is in."""
    back, state, stack = [], {}, [(entry, iter(successors[entry]))]
    state[entry] = "open"
    while stack:
        label, targets = stack[-1]
        target = next(targets, None)
        if target is None:
            state[label] = "closed"
            stack.pop()
        elif target not in state:
            state[target] = "open"
            stack.append((target, iter(successors[target])))
        elif state[target] == "open":
            back.append((label, target))
    predecessors: dict[int, list[int]] = {label: [] for label in state}
    for label in state:
        for target in successors[label]:
            predecessors[target].append(label)
    inside: dict[int, set[int]] = {label: set() for label in state}
    for latch, header in back:
        body, todo = {header}, [latch]
        while todo:
            label = todo.pop()
            if label not in body:
                body.add(label)
                todo.extend(predecessors[label])
        for label in body:
            inside[label].add(header)
    return {label: frozenset(headers) for label, headers in inside.items()}


def _order(entry: int, successors: dict[int, list[int]]) -> list[int]:
    """Reverse postorder in which loop exits are visited first, so that they come last."""
    loops = _loops(entry, successors)
    seen, post = {entry}, []
    stack = [(entry, _exits_first(entry, successors, loops))]
    while stack:
        label, targets = stack[-1]
        target = next(targets, None)
        if target is None:
            post.append(label)
            stack.pop()
        elif target not in seen:
            seen.add(target)
            stack.append((target, _exits_first(target, successors, loops)))
    return _returns_where_written(post[::-1], successors)


def _returns_where_written(order: list[int], successors: dict[int, list[int]]) -> list[int]:
    """Blocks that return run where they stand in the source: whoever left early does not count at a later barrier."""
    for label in [label for label in order if not successors[label]]:
        order.remove(label)
        first = 1 + max((i for i, other in enumerate(order) if label in successors[other]), default=-1)
        place = next((i for i in range(first, len(order)) if order[i] > label), len(order))
        order.insert(place, label)
    return order


def _exits_first(label: int, successors: dict[int, list[int]], loops: dict[int, frozenset[int]]) -> Any:
    here = loops[label]
    return iter(sorted(successors[label], key=lambda target: (len(here & loops[target]), -target)))


def _liveness(
    blocks: Any, order: list[int], successors: dict[int, list[int]], position: dict[int, int]
) -> dict[str, frozenset[int]]:
    use, define, phis = {}, {}, {}
    for label in order:
        used: set[str] = set()
        defined: set[str] = set()
        targets = set()
        for statement in blocks[label].body:
            if isinstance(statement, numba_ir.Del):
                continue
            value = getattr(statement, "value", None)
            if isinstance(statement, numba_ir.Assign) and isinstance(value, numba_ir.Expr) and value.op == "phi":
                targets.add(statement.target.name)
                defined.add(statement.target.name)
                continue
            names = {variable.name for variable in statement.list_vars()}
            if isinstance(statement, numba_ir.Assign):
                names.discard(statement.target.name)
                used |= names - defined
                if statement.target.name not in used:
                    defined.add(statement.target.name)
            else:
                used |= names - defined
        use[label], define[label], phis[label] = used, defined, targets
    edge_uses = _phi_uses(blocks, order)
    live: dict[int, set[str]] = {label: set(use[label]) for label in order}
    changed = True
    while changed:
        changed = False
        for label in reversed(order):
            out = set(edge_uses.get(label, ()))
            for target in successors[label]:
                out |= live[target]
            new = use[label] | (out - define[label])
            if new != live[label]:
                live[label] = new
                changed = True
    needed: dict[str, set[int]] = {}
    for label in order:
        for name in live[label] | phis[label]:
            needed.setdefault(name, set()).add(position[label])
    return {name: frozenset(where) for name, where in needed.items()}


def _phi_uses(blocks: Any, order: list[int]) -> dict[int, set[str]]:
    """Label of a predecessor -> variables its edges copy into phis."""
    uses: dict[int, set[str]] = {}
    for label in order:
        for statement in blocks[label].body:
            value = getattr(statement, "value", None)
            if isinstance(value, numba_ir.Expr) and value.op == "phi":
                for source, block in zip(value.incoming_values, value.incoming_blocks, strict=True):
                    if isinstance(source, numba_ir.Var):
                        uses.setdefault(block, set()).add(source.name)
    return uses
