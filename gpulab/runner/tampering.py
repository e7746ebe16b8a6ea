"""Has the learner's code replaced something that its own check relies on: a timer, NumPy, Numba or gpulab itself?"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter, is_, itemgetter
from types import FunctionType, ModuleType
from typing import Any

_MODULES = ("builtins", "dataclasses", "math", "msgspec", "msgspec.msgpack", "numba.cuda", "numpy",
            "operator", "pickle", "socket", "struct", "time")
_PACKAGES = ("contextlib", "numba.cuda.cudadrv", "numba.cuda.dispatcher", "numpy._core", "weakref")
"""Whole packages, and in them the classes too, method by method. Not all of numba: looking at its 15,000 names in a
fresh fork copies the pages they lie in, 30 ms."""

_OURS = "gpulab"
"""Of our own package every name counts, tables and imported modules too, and nobody may add one."""

_LAUNCHING = ("gpulab.engines.simt", "numba.cuda.dispatcher")
"""What a launch of a host program runs through: looked at before each launch, as it may be put back after."""

_PARTS = ("__code__", "__defaults__", "__kwdefaults__")
"""What makes a function another one (`object.__setattr__` in Python's table of audit events)."""

_INERT = ("__abstractmethods__", "__annotations__", "__doc__", "__weakref__", "_abc_impl")
"""What Python itself sets on a class when somebody looks."""

Names = Mapping[str, Any]
Owner = Any
"""A module, a class or an instance."""
Group = tuple[Owner, Names, dict[Any, Any]]
"""An owner, its names, and what those that count are to hold."""


class Snapshot:
    """What the modules above, and the instances that are watched, hold now."""

    def __init__(self) -> None:
        self._modules: tuple[tuple[str, ModuleType, type], ...] = ()
        self._entries: tuple[tuple[Owner, Names, str, Any], ...] = ()
        self._codes: tuple[tuple[Any, ...], ...] = ()
        self._add_modules()
        self._take()

    def _add_modules(self) -> None:
        known = {name for name, *_ in self._modules}
        new = tuple((name, module, type(module)) for name, module in list(sys.modules.items())
                    if name not in known and isinstance(module, ModuleType) and _is_watched(name))
        entries = tuple(entry for name, module, _ in new for entry in _entries(name, module))
        self._modules += new
        self._entries += entries
        self._codes += _codes(value for *_, value in entries)

    def watch(self, *owners: Owner, but: tuple[str, ...] = ()) -> None:
        """Watch what these instances or modules hold, too, but for these names."""
        more = tuple((owner, vars(owner), key, value) for owner in owners for key, value in vars(owner).items()
                     if key not in but)
        self._entries += more
        self._same_names.append(_sameness_of_names(more))

    def accept(self) -> None:
        """Take what our own code replaced or imported since as what it is."""
        changed = [names.get(key) for _, names, key, value in self._entries if names.get(key) is not value]
        self._codes += _codes(changed)
        self._entries = tuple((owner, names, key, names.get(key)) for owner, names, key, _ in self._entries)
        self._add_modules()
        self._take()

    def _take(self) -> None:
        self._closed = tuple(_closed(self._entries))
        self._tables = tuple((owner, key, value, value.copy()) for owner, _, key, value in self._entries
                             if type(value) in (dict, list, set) and _is_ours(owner))
        groups = _grouped(self._entries)
        launching = [group for group in groups if _is_for_launches(group[0])]
        self._same_names = [_sameness(groups)]
        self._launching_tables = [table for table in self._tables if _is_for_launches(table[0])]
        self._launching_closed = [closed for closed in self._closed if _is_for_launches(closed[0])]
        launching += [(owner, table, before) for owner, _, table, before in self._launching_tables
                      if isinstance(table, dict) and before]
        self._same_launching = _sameness(launching)
        self._same_launching_cells = _sameness_of_cells(parts for parts in self._codes if _is_for_launches(parts[0]))
        self._code_set_since_launch = False
        self._same_cells = _sameness_of_cells(self._codes)
        self._codes_differ = _difference_of_codes(self._codes)
        self._code_was_set = True  # once: the pages looked at are this process's own from then on

    def note_attribute(self, name: str) -> None:
        """Some object's attribute is being set: Python raises an audit event for it where the name is one of these."""
        if name in _PARTS:
            self.distrust()
            self._code_set_since_launch = True

    def distrust(self) -> None:
        """Look at the code of every function next time: Python may not have told of a change."""
        self._code_was_set = True

    def replaced_at_launch(self) -> str | None:
        """The full name of something that a launch relies on and that is replaced just now, or None. Undoes nothing.

        It may be put back before the host program returns, so each launch looks: 0.2 ms where all is as it was.
        """
        added = [f"{_name_of(owner)}.{key}" for owner, names, known in self._launching_closed
                 for key in _added(owner, names, known)]
        if added:
            return added[0]
        code_was_set, self._code_set_since_launch = self._code_set_since_launch, False
        if self._same_launching() and self._same_launching_cells() and not (code_was_set and self._codes_differ()):
            return None
        return next(self._replaced_for_launches(), None)

    def _replaced_for_launches(self) -> Iterator[str]:
        for owner, names, key, value in self._entries:
            if names.get(key) is not value and _is_for_launches(owner):
                yield f"{_name_of(owner)}.{key}"
        for owner, key, table, before in self._launching_tables:
            if _lacks(table, before):
                yield f"{_name_of(owner)}.{key}"
        for function, code, defaults, keywords, cells in self._codes:
            if (function.__code__ is not code or function.__defaults__ is not defaults
                    or not _same_keywords(function.__kwdefaults__, keywords)
                    or any(cell.cell_contents is not content for cell, content in cells)):
                yield _name_of_function(function)

    def undo_changes(self) -> str | None:
        """Put back what was replaced, so that we can rely on it to tell; the full name of one such thing, or None."""
        found = None
        for undo in (self._undo_modules, self._undo_names, self._undo_additions, self._undo_tables, self._undo_codes):
            found = undo() or found
        return found

    def _undo_modules(self) -> str | None:
        found = None
        for name, module, kind in self._modules:
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                found = name
            if type(module) is not kind:
                module.__class__ = kind
                found = name
        return found

    def _undo_names(self) -> str | None:
        for is_same in self._same_names:
            if not is_same():
                break
        else:
            return None
        found = None
        for owner, names, key, value in self._entries:
            if names.get(key) is not value:
                _set(owner, key, value)
                found = f"{_name_of(owner)}.{key}"
        return found

    def _undo_additions(self) -> str | None:
        found = None
        for owner, names, known in self._closed:
            for key in _added(owner, names, known):
                delattr(owner, key)
                found = f"{_name_of(owner)}.{key}"
        return found

    def _undo_tables(self) -> str | None:
        """Tables may grow: some are caches. What was in them stays."""
        found = None
        for owner, key, table, before in self._tables:
            if _lacks(table, before):
                table.clear()
                table.extend(before) if isinstance(table, list) else table.update(before)
                found = f"{_name_of(owner)}.{key}"
        return found

    def _undo_codes(self) -> str | None:
        if self._same_cells() and not (self._code_was_set and self._codes_differ()):
            self._code_was_set = False
            return None
        found = None
        for function, code, defaults, keywords, cells in self._codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                function.__code__, function.__defaults__ = code, defaults
                found = _name_of_function(function)
            if not _same_keywords(function.__kwdefaults__, keywords):
                function.__kwdefaults__ = keywords and dict(keywords)
                found = _name_of_function(function)
            for cell, content in cells:
                if cell.cell_contents is not content:
                    cell.cell_contents = content
                    found = _name_of_function(function)
        self._code_was_set = False
        return found


def _difference_of_codes(codes: Iterable[tuple[Any, ...]]) -> Callable[[], bool]:
    """Whether code or defaults of one of these functions are other objects than now.

    Python audits each reading of a function's code, and 4,000 calls of our hook are 15 ms; what a function refers to
    the collector tells for nothing. Where that differs (annotations, say, come when they are asked for), it is read.
    """
    functions = tuple(function for function, *_ in codes)
    read, refer, same, every, each, count = attrgetter(*_PARTS), gc.get_referents, is_, all, map, len
    held = tuple(each(read, functions))
    referents = refer(*functions)

    def is_same(now: tuple[Any, ...], then: tuple[Any, ...]) -> bool:
        return now[0] is then[0] and now[1] is then[1] and now[2] is then[2]

    def differs() -> bool:
        nonlocal referents
        now = refer(*functions)
        if count(now) == count(referents) and every(each(same, now, referents)):
            return False
        if not every(each(is_same, each(read, functions), held)):
            return True
        referents = now
        return False

    return differs


def _sameness_of_names(entries: Iterable[tuple[Owner, Names, str, Any]]) -> Callable[[], bool]:
    return _sameness(_grouped(entries))


def _grouped(entries: Iterable[tuple[Owner, Names, str, Any]]) -> list[Group]:
    grouped: dict[int, Group] = {}
    for owner, names, key, value in entries:
        grouped.setdefault(id(owner), (owner, names, {}))[2][key] = value
    return list(grouped.values())


def _sameness(groups: Iterable[Group]) -> Callable[[], bool]:
    """Whether all names hold what they hold in `groups`, told in a tenth of the time of a look at each."""
    looks = [(names, itemgetter(*held, *list(held)[:1]), [*held.values(), *list(held.values())[:1]])
             for _, names, held in groups]  # of one key, itemgetter would not make a tuple
    missing, same, every, each = KeyError, is_, all, map  # as they are before anybody can replace them

    def is_same() -> bool:
        try:
            return every(every(each(same, get(names), values)) for names, get, values in looks)
        except missing:
            return False

    return is_same


def _sameness_of_cells(codes: Iterable[tuple[Any, ...]]) -> Callable[[], bool]:
    """Whether the cells and keyword defaults of these functions hold what they hold now."""
    parts = tuple(codes)
    keywords = tuple(defaults for _, _, _, defaults, _ in parts if defaults)
    held = tuple(function.__kwdefaults__ for function, _, _, defaults, _ in parts if defaults)
    same_keywords = _same_keywords
    cells = tuple(cell for *_, closure in parts for cell, _ in closure)
    look, same, every, each, count = gc.get_referents, is_, all, map, len
    contents = look(*cells)

    def is_same() -> bool:
        now = look(*cells)
        return (every(each(same_keywords, held, keywords)) and count(now) == count(contents)
                and every(each(same, now, contents)))

    return is_same


def _same_keywords(now: dict[str, Any] | None, then: dict[str, Any] | None) -> bool:
    """Whether these are the same objects: an object may claim to equal any other."""
    if now is None or then is None:
        return now is then
    return now.keys() == then.keys() and all(now[key] is value for key, value in then.items())


def _is_watched(name: str) -> bool:
    return name in _MODULES or name.startswith(_PACKAGES) or _is_our_name(name)


def _is_our_name(name: str) -> bool:
    return name == _OURS or name.startswith(_OURS + ".")


def _is_ours(owner: Owner) -> bool:
    return _is_our_name(owner.__name__ if isinstance(owner, ModuleType) else getattr(owner, "__module__", None) or "")


def _is_for_launches(owner: Owner) -> bool:
    name = owner.__name__ if isinstance(owner, ModuleType) else getattr(owner, "__module__", None) or ""
    return any(name == part or name.startswith(part + ".") for part in _LAUNCHING)


def _entries(name: str, module: ModuleType) -> Iterator[tuple[Owner, Names, str, Any]]:
    """(owner, its names, key, value) for what counts of a module, and of the classes it defines."""
    ours = _is_our_name(name)
    for key, value in list(vars(module).items()):
        if not callable(value) and (not ours or key.startswith("__") or type(value) in (int, float, bool)):
            continue
        yield module, vars(module), key, value
        if isinstance(value, type) and value.__module__ == name and (ours or name.startswith(_PACKAGES)):
            yield from ((value, vars(value), method, function) for method, function in list(vars(value).items())
                        if method not in _INERT and (ours or _is_code(function)))


def _is_code(value: Any) -> bool:
    return callable(value) or isinstance(value, (property, classmethod, staticmethod))


def _codes(values: Iterable[Any]) -> tuple[tuple[Any, ...], ...]:
    functions = {id(function): function for value in values for function in _functions(value)}
    return tuple(_parts(function) for function in functions.values())


def _closed(entries: Iterable[tuple[Owner, Names, str, Any]]) -> Iterator[tuple[Owner, Names, frozenset[str]]]:
    """Our own modules and classes, with all the names they have: nobody may add one."""
    owners = {id(owner): (owner, names) for owner, names, *_ in entries
              if isinstance(owner, (ModuleType, type)) and _is_ours(owner)}
    return ((owner, names, frozenset(names)) for owner, names in owners.values())


def _added(owner: Owner, names: Names, known: frozenset[str]) -> list[str]:
    """Names that `owner` has by now and that may change something."""
    if len(names) == len(known):
        return []
    return [key for key in names if key not in known and not _is_harmless(owner, key, names[key])]


def _is_harmless(owner: Owner, key: str, value: Any) -> bool:
    """An added name that changes nothing: a module imported later, or what Python itself keeps there."""
    if isinstance(owner, type):
        return not _is_code(value) and (key in _INERT or not hasattr(object, key))
    return type(value) is ModuleType or (key.startswith("__") and not callable(value))


def _lacks(table: Any, before: Any) -> bool:
    if isinstance(table, dict):
        return any(table.get(key, table) is not value for key, value in before.items())
    if isinstance(table, set):
        return not before <= table
    return len(table) < len(before) or any(now is not then for now, then in zip(table, before, strict=False))


def _functions(value: Any) -> Iterator[FunctionType]:
    """The Python functions that calling or reading `value` runs: beneath properties, caches and decorators too."""
    if isinstance(value, FunctionType):
        yield value
    for name in ("__func__", "__wrapped__", "fget", "func"):
        inner = getattr(value, name, None) if not isinstance(value, (type, ModuleType)) else None
        if isinstance(inner, FunctionType):
            yield from _functions(inner)


def _parts(function: FunctionType) -> tuple[Any, ...]:
    cells = tuple((cell, cell.cell_contents) for cell in function.__closure__ or () if _is_filled(cell))
    keywords = function.__kwdefaults__
    return function, function.__code__, function.__defaults__, keywords and dict(keywords), cells


def _is_filled(cell: Any) -> bool:
    try:
        return _is_code(cell.cell_contents)
    except ValueError:
        return False


def _set(owner: Owner, key: str, value: Any) -> None:
    if isinstance(owner, (ModuleType, type)):
        setattr(owner, key, value)
    else:
        object.__setattr__(owner, key, value)  # frozen ones too


def _name_of(owner: Owner) -> str:
    if isinstance(owner, ModuleType):
        return owner.__name__
    kind = owner if isinstance(owner, type) else type(owner)
    return f"{kind.__module__}.{kind.__qualname__}"


def _name_of_function(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def line_that_replaces(name: str, source: str) -> int | None:
    """Where `source` assigns to an attribute of this name, or to something in it, or calls `setattr` with it."""
    short = name.rpartition(".")[2]
    for node in _nodes(source):
        if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            if short in (_word(node), _word(node.value)):
                return node.lineno
        elif isinstance(node, ast.Call) and short in _constants(node.args):
            return node.lineno
    return None


_PUBLIC = ("simulate", "Unsupported", "DoesNotCompile", "Finding", "Note", "Run", "Site", "__version__")
"""What `gpulab` offers to whoever imports it."""

_WAYS_IN = ("__globals__", "__module__", "cell_contents", "f_globals", "get_objects", "get_referrers", "get_referents",
            "getmodule")
"""Names by which Python gives what nobody has handed over. No solution needs them."""


def line_that_reaches_in(source: str) -> int | None:
    """Where `source` takes hold of parts of gpulab that are not offered, or of objects by the back door, or None.

    Whoever holds the simulator can change what it noted of a launch, and leave no trace. That this is not found in a
    text that hides it is known: it costs more than a puzzle.
    """
    if not any(word in source for word in (_OURS, "modules", *_WAYS_IN)):
        return None
    return min((int(getattr(node, "lineno", 1)) for node in _run_nodes(source) if _reaches_in(node)), default=None)


def _reaches_in(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.startswith(_OURS + ".") for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        parts = [alias.name for alias in node.names] if node.module == _OURS else [_OURS]
        return not node.level and _is_our_name(node.module or "") and not set(parts) <= set(_PUBLIC)
    if isinstance(node, ast.Attribute):
        ours = isinstance(node.value, ast.Name) and node.value.id == _OURS and node.attr not in _PUBLIC
        return ours or node.attr in _WAYS_IN or (node.attr != "modules" and _is_all_modules(node.value))
    if isinstance(node, ast.Subscript):
        return _is_all_modules(node.value)
    if isinstance(node, ast.Call):
        return _word(node.func) in ("import_module", "__import__") and _OURS in _constants(node.args)
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and (
        node.value in _WAYS_IN or (node.value.startswith(_OURS + ".") and node.value.replace(".", "_").isidentifier()))


def _is_all_modules(node: ast.expr) -> bool:
    """`sys.modules`: its names tell nothing, what it holds does."""
    return isinstance(node, ast.Attribute) and node.attr == "modules" and _word(node.value) == "sys"


def _run_nodes(source: str) -> Iterator[ast.AST]:
    """Every node of a file but those beneath `if __name__ == "__main__":`."""
    try:
        left: list[ast.AST] = [ast.parse(source)]
    except (SyntaxError, ValueError, RecursionError):
        return
    while left:
        node = left.pop()
        yield node
        if isinstance(node, ast.If) and "__name__" in {_word(part) for part in ast.walk(node.test)
                                                       if isinstance(part, ast.expr)}:
            left.extend(node.orelse)
        else:
            left.extend(ast.iter_child_nodes(node))


def line_that_calls(names: tuple[str, ...], source: str) -> int | None:
    """Where `source` calls a function or method by one of these names."""
    for node in _nodes(source):
        if isinstance(node, ast.Call) and _word(node.func) in names:
            return node.lineno
    return None


def _word(node: ast.expr) -> str | None:
    """The last word of `name` or `some.name`."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def _nodes(source: str) -> Iterator[ast.AST]:
    try:
        return ast.walk(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return iter(())


def _constants(nodes: list[ast.expr]) -> list[object]:
    return [node.value for node in nodes if isinstance(node, ast.Constant)]
