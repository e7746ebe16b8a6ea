"""The first files of a puzzle: a whole one that copies an array, with a TODO wherever an author has to write."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from gpulab.catalog.errors import did_you_mean

if TYPE_CHECKING:
    from gpulab.catalog.model import Catalog

STATEMENT = '''---
title: "TODO: two words"
summary: "TODO: the task in one sentence, as an order."
language: numba
minutes: 10
write: KERNEL(out, a, n)
launched: KERNEL[blocks, 64], a thread per element
stars:
  correct: "right for every n, nothing out of bounds"
---
TODO: what the learner needs to know, in five lines. Below it one drawing, at most 76 columns wide.

```
a    │ 3 │ 1 │ 4 │
out  │ 3 │ 1 │ 4 │
```
'''

STARTER = '''"""TODO: the task in one line."""

from numba import cuda


@cuda.jit
def KERNEL(out, a, n):
    i = cuda.grid(1)
    # TODO: what is to be written here
'''

SPEC = '''"""TODO: what out holds, in one line."""

from gpulab.catalog.spec import Case, NumbaPuzzle, drawn, empty, larger, normal, one_thread_per, sizes

TILE = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))  # no file can have been written for it


def reference(a):
    return a  # TODO: the right answer, in float64


PUZZLE = NumbaPuzzle(kernel="KERNEL", args="out a n", launch=one_thread_per("out", TILE))
'''

REFERENCE = '''"""TODO: the idea of the reference in one line."""

from numba import cuda


@cuda.jit
def KERNEL(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i]  # TODO: solve it
'''

TRITON_STATEMENT = (STATEMENT.replace("language: numba", "language: triton")
                    .replace("KERNEL(out, a, n)", "KERNEL(out, a, n, BLOCK)")
                    .replace("KERNEL[blocks, 64], a thread per element",
                             "KERNEL[(blocks,)], a program per BLOCK elements"))

TRITON_STARTER = '''"""TODO: the task in one line."""

import triton
import triton.language as tl


@triton.jit
def KERNEL(out, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    # TODO: what is to be written here
'''

TRITON_SPEC = '''"""TODO: what out holds, in one line."""

from gpulab.catalog.spec import Case, TritonPuzzle, drawn, empty, larger, normal, one_program_per, sizes

TILE = 64


def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n, BLOCK=TILE, sizes={"n": n})


def cases(rng):
    for n in sizes(TILE):
        yield make(rng, n)
    yield drawn(make(rng, larger(rng, 1000)))  # no file can have been written for it


def reference(a):
    return a  # TODO: the right answer, in float64


PUZZLE = TritonPuzzle(kernel="KERNEL", args="out a n BLOCK", launch=one_program_per("out", "BLOCK"))
'''

TRITON_REFERENCE = '''"""TODO: the idea of the reference in one line."""

import triton
import triton.language as tl


@triton.jit
def KERNEL(out, a, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(out + offsets, tl.load(a + offsets, mask=inside), mask=inside)  # TODO: solve it
'''

BY_LANGUAGE = {"numba": (STATEMENT, STARTER, SPEC, REFERENCE),
               "triton": (TRITON_STATEMENT, TRITON_STARTER, TRITON_SPEC, TRITON_REFERENCE)}

HINTS = '''## TODO: the idea
> TODO: says what this hint tells, before it is asked for.

TODO: a push. No code yet.

## TODO: the next step
> TODO: says what this hint tells.

TODO: more.

## TODO: nearly the code
> TODO: says what this hint tells.

TODO: the lines, but for the last.
'''

AFTER = '''TODO: why it works, and why it matters on a real GPU, in four lines.
'''

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Refused(Exception):
    """Why there is no new puzzle, and what to do instead."""


def scaffold(catalog: Catalog, id: str) -> list[Path]:
    """Write the files of puzzle `id`, in the language of its track, and enter it at the track's end. Raises `Refused`.

    Nothing that exists is written over. tracks.yaml is changed last, so that it never names what is not there.
    """
    track, name = _parts(id)
    root = catalog.root
    _refuse_where_it_cannot_be(catalog, track, id)
    kernel = name.replace("-", "_")
    folder = root / "puzzles" / id
    statement, starter, spec, reference = BY_LANGUAGE[_language(catalog, track)]
    texts = {folder / "statement.md": statement, folder / "starter.py": starter, folder / "spec.py": spec,
             folder / "hints.md": HINTS, folder / "after.md": AFTER, root / "kernels" / f"{id}.py": reference}
    try:
        for kind in ("wrong", "right"):
            (folder / kind).mkdir(parents=True)
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            with open(file, "x", encoding="utf-8") as new:
                new.write(text.replace("KERNEL", kernel))
        _enter(root / "tracks.yaml", track, name)
    except OSError as error:
        raise Refused(f"{error.filename} cannot be written ({error.strerror}).") from error
    return [*texts, root / "tracks.yaml"]


def _language(catalog: Catalog, track: str) -> str:
    """What the track's last puzzle is written in; Numba where it has none yet, or one of another kind."""
    puzzles = next(known.puzzles for known in catalog.tracks if known.id == track)
    return puzzles[-1].language if puzzles and puzzles[-1].language in BY_LANGUAGE else "numba"


def _parts(id: str) -> tuple[str, str]:
    track, slash, name = id.partition("/")
    if not slash or not NAME.fullmatch(track) or not NAME.fullmatch(name):
        raise Refused(f'"{id}" is no id for a puzzle. Write track/name in small letters, digits and dashes: '
                      "gpulab new shared/transpose")
    return track, name


def _refuse_where_it_cannot_be(catalog: Catalog, track: str, id: str) -> None:
    if catalog.root.name == "content":
        raise Refused("This gpulab is installed, and its puzzles with it. Write new ones in a checkout, "
                      "or set GPULAB_CONTENT to a folder with a tracks.yaml.")
    known = [known.id for known in catalog.tracks]
    if track not in known:
        raise Refused(f"There is no track {track}. {did_you_mean(track, known)} A new track begins with an entry in "
                      f"{catalog.root / 'tracks.yaml'}: id, title, summary, tags and puzzles: [].")
    for place in (catalog.root / "puzzles" / id, catalog.root / "kernels" / f"{id}.py"):
        if place.exists():
            raise Refused(f"{place} is there already. Choose another name, or go on with it: gpulab verify {id}")


def _enter(file: Path, track: str, name: str) -> None:
    """Add `name` to the track's puzzles, and leave every other character of tracks.yaml as it is."""
    text = file.read_text(encoding="utf-8")
    temporary = file.with_name(f".{file.name}.new")
    temporary.write_text(_with_puzzle(text, track, name), encoding="utf-8")
    os.replace(temporary, file)


def _with_puzzle(text: str, track: str, name: str) -> str:
    top = yaml.compose(text, yaml.SafeLoader)
    assert top is not None
    puzzles = _puzzles_node(top, track)
    if puzzles.flow_style:
        end = puzzles.end_mark.index - 1  # of the closing bracket
        return f"{text[:end].rstrip()}{', ' if puzzles.value else ''}{name}{text[end:]}"
    last = puzzles.value[-1]
    end = last.end_mark.index
    return f"{text[:end]}\n{' ' * (last.start_mark.column - 2)}- {name}{text[end:]}"


def _puzzles_node(top: yaml.Node, track: str) -> yaml.SequenceNode:
    """The list of a track's puzzles; the catalogue has been loaded, so it is there."""
    for entry in _value(top, "tracks").value:
        if _value(entry, "id").value == track:
            node = _value(entry, "puzzles")
            assert isinstance(node, yaml.SequenceNode)
            return node
    raise AssertionError(f"the catalogue has a track {track}, tracks.yaml has not")


def _value(mapping: yaml.Node, name: str) -> yaml.Node:
    found: yaml.Node = next(value for key, value in mapping.value if key.value == name)
    return found
