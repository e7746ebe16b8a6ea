"""A small content folder for tests, written whole, to be spoiled in one place."""

from __future__ import annotations

from pathlib import Path

TRACKS = """\
format_version: 1
tracks:
  - id: threads
    title: Threads
    summary: One thread, one element.
    tags: indices, guards, grids
    puzzles: [map, guard]
  - id: shared
    title: Shared memory
    summary: A small memory for a block.
    tags: tiles, barriers, scans
    after: {threads: 2}
    puzzles: [pooling]
"""

STATEMENT = """\
---
title: {title}
summary: "Sum each element with its neighbours: once."
language: numba
minutes: 10
write: f(out, a, n)
launched: f[blocks, 64], a thread per element
stars:
  correct: right for every n
  efficient: at most 1.04 global loads per output
efficient_needed: true
aliases: []
---
The task.

```
a   | 3 | 1 |
```
"""

HINTS = """\
## Which cell?
> Names the cell.

Take `tile[33]`.

## Who waits?
> Says who waits,
> and for whom.

```python
## no title
```

## Nearly there
> Shows the call.
Text.
"""

PUZZLES = ("threads/map", "threads/guard", "shared/pooling")


def write_content(root: Path) -> Path:
    """Three puzzles in two tracks, as far as the loader reads them."""
    (root / "tracks.yaml").write_text(TRACKS)
    for id in PUZZLES:
        folder = root / "puzzles" / id
        folder.mkdir(parents=True)
        (folder / "statement.md").write_text(STATEMENT.format(title=id.split("/")[1].title()))
        (folder / "hints.md").write_text(HINTS)
        for name in ("starter.py", "spec.py", "after.md"):
            (folder / name).write_text("x = 1\n")
        reference = root / "kernels" / f"{id}.py"
        reference.parent.mkdir(parents=True, exist_ok=True)
        reference.write_text("x = 1\n")
    return root


def spoil(file: Path, old: str, new: str) -> None:
    """Replace `old`, which must be there, by `new`."""
    text = file.read_text()
    assert old in text, f"{old!r} is not in {file}"
    file.write_text(text.replace(old, new, 1))
