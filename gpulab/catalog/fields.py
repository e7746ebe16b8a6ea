"""YAML read by its nodes, so that whatever is wrong is said with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from gpulab.catalog.errors import CatalogError, did_you_mean

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # 24 statements: 3 ms in C, 43 ms in Python
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_KINDS = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false", "null": "nothing",
          "map": "a mapping", "seq": "a list", "timestamp": "a date"}


@dataclass
class Fields:
    """A YAML mapping whose keys are taken one by one; `finish` refuses the keys nobody took.

    `offset` is the number of lines in the file before the YAML begins.
    """

    file: Path
    node: MappingNode
    offset: int = 0
    _taken: list[str] = field(default_factory=list)
    _values: dict[str, tuple[Node, Node]] = field(init=False)

    def __post_init__(self) -> None:
        self._values = {}
        for key, value in self.node.value:
            name = str(key.value)
            if name in self._values:
                self.fail(key, f'"{name}" stands here twice.', "Keep one of them.")
            self._values[name] = (key, value)

    def line(self, node: Node | None = None) -> int:
        """The 1-based line of `node`, or of the mapping itself."""
        return int((node or self.node).start_mark.line) + 1 + self.offset

    def fail(self, node: Node | None, problem: str, cure: str) -> NoReturn:
        """Refuse `node` with its line."""
        raise CatalogError(self.file, self.line(node), problem, cure)

    def has(self, name: str) -> bool:
        """Whether the key is there."""
        return name in self._values

    def where(self, name: str) -> Node:
        """The key's own node, for errors that concern its value as a whole."""
        return self._values[name][0]

    def text(self, name: str) -> str:
        """A text that must be there and not be empty."""
        node = self._scalar(name, "str", "text", f"Write it in quotes: {name}: \"...\".")
        if not node.value.strip():
            self.fail(node, f'"{name}" is empty.', "Give it a text.")
        return " ".join(str(node.value).split())

    def optional_text(self, name: str) -> str | None:
        """A text, or None where the key is left out."""
        return self.text(name) if self._offered(name) else None

    def whole(self, name: str, least: int = 1) -> int:
        """A whole number of at least `least`."""
        node = self._scalar(name, "int", "a whole number", f"Write it as {name}: {max(least, 10)}.")
        number = int(node.value)
        if number < least:
            self.fail(node, f'"{name}" is {number}.', f"It must be at least {least}.")
        return number

    def flag(self, name: str) -> bool:
        """true or false; false where the key is left out."""
        if not self._offered(name):
            return False
        node = self._scalar(name, "bool", "true or false", f"Write it as {name}: true.")
        return str(node.value).lower() in ("true", "yes", "on")

    def mapping(self, name: str) -> Fields:
        """A nested mapping."""
        node = self._take(name)
        if not isinstance(node, MappingNode):
            self.fail(node, f'"{name}" must be a mapping, and is {_kind(node)}.', "Write its keys below it, indented.")
        return Fields(self.file, node, self.offset)

    def optional_mapping(self, name: str) -> Fields | None:
        """A nested mapping, or None where the key is left out."""
        return self.mapping(name) if self._offered(name) else None

    def mappings(self, name: str) -> list[Fields]:
        """A list of mappings."""
        return [self._entry(name, node) for node in self._sequence(name).value]

    def names(self, name: str) -> list[tuple[str, Node]]:
        """A list of texts with their nodes; empty where the key is left out."""
        if not self._offered(name):
            return []
        nodes = self._sequence(name).value
        for node in nodes:
            if not isinstance(node, ScalarNode) or _tag(node) != "str":
                self.fail(node, f'"{name}" must hold texts only; this is {_kind(node)}.', "Write each one in quotes.")
        return [(str(node.value), node) for node in nodes]

    def keys(self) -> list[str]:
        """The keys of a mapping whose keys are free, in order."""
        return list(self._values)

    def finish(self) -> None:
        """Refuse keys that were not asked for."""
        for name, (key, _) in self._values.items():
            if name not in self._taken:
                self.fail(key, f'Unknown key "{name}".', did_you_mean(name, self._taken))

    def _offered(self, name: str) -> bool:
        self._taken.append(name)
        return self.has(name)

    def _take(self, name: str) -> Node:
        if not self._offered(name):
            self.fail(None, f'"{name}" is missing.', f"Add a line {name}: ...")
        return self._values[name][1]

    def _scalar(self, name: str, tag: str, wanted: str, cure: str) -> ScalarNode:
        node = self._take(name)
        if not isinstance(node, ScalarNode) or _tag(node) != tag:
            self.fail(node, f'"{name}" must be {wanted}, and is {_kind(node)}.', cure)
        return node

    def _sequence(self, name: str) -> SequenceNode:
        node = self._take(name)
        if not isinstance(node, SequenceNode):
            self.fail(node, f'"{name}" must be a list, and is {_kind(node)}.', f"Write it as {name}: [first, second].")
        return node

    def _entry(self, name: str, node: Node) -> Fields:
        if not isinstance(node, MappingNode):
            self.fail(node, f'"{name}" must hold mappings; this is {_kind(node)}.', "Begin it with - id: ...")
        return Fields(self.file, node, self.offset)


def _tag(node: Node) -> str:
    return str(node.tag).rpartition(":")[2]


def _kind(node: Node) -> str:
    return _KINDS.get(_tag(node), _tag(node))


def check_name(fields: Fields, node: Node | None, name: str, what: str) -> str:
    """`name` if it is lower case words joined by hyphens, as every id is."""
    if not _NAME.fullmatch(name):
        fields.fail(node, f'"{name}" is no {what}.', "Use lower case letters, digits and single hyphens: block-sum.")
    return name


def read_mapping(file: Path, text: str, offset: int = 0) -> Fields:
    """The top-level mapping of a YAML text that begins `offset` lines into `file`."""
    try:
        node = yaml.compose(text, _LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 + offset if mark else None
        raise CatalogError(file, line, f"YAML cannot read this: {error.problem}.",
                           "A text with a colon, a # or a leading quote or bracket needs quotes around it.") from None
    except yaml.YAMLError as error:
        raise CatalogError(file, None, f"YAML cannot read this: {error}.", "Remove what is no plain text.") from None
    if not isinstance(node, MappingNode):
        raise CatalogError(file, offset + 1, "Keys and values are expected here.", "Begin with a line like title: ...")
    return Fields(file, node, offset)
