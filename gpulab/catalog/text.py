"""The texts of a puzzle, read when they are shown: Brief, hints and the explanation after it is solved."""

from __future__ import annotations

from pathlib import Path

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Hint, Puzzle

_FENCE = "---"


def read_text(file: Path) -> str:
    """The file as text; a `CatalogError` where it is missing or not UTF-8."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CatalogError(file, None, "The file is missing.", "gpulab new writes a first one.") from None
    except UnicodeDecodeError as error:
        line = file.read_bytes()[: error.start].count(b"\n") + 1
        raise CatalogError(file, line, "This is not UTF-8 text.", "Save the file as UTF-8.") from None
    except OSError as error:
        raise CatalogError(file, None, f"It cannot be read: {error.strerror}.", "Check its permissions.") from None


def split_front_matter(file: Path) -> tuple[str, str, int]:
    """(front matter, body, lines before the body) of a statement."""
    lines = read_text(file).splitlines()
    if not lines or lines[0].rstrip() != _FENCE:
        raise CatalogError(file, 1, "A statement begins with its front matter.", "Make --- the first line.")
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _FENCE:
            return "\n".join(lines[1:number]), "\n".join(lines[number + 1:]).strip("\n") + "\n", number + 1
    raise CatalogError(file, 1, "The front matter has no end.", "Put a line --- below its last key.")


def statement(puzzle: Puzzle) -> str:
    """The Brief's text: Markdown, with the drawing in a code fence."""
    return split_front_matter(puzzle.folder / "statement.md")[1]


def after(puzzle: Puzzle) -> str:
    """Why it works: Markdown, shown when solved."""
    return read_text(puzzle.folder / "after.md").strip() + "\n"


def hints(puzzle: Puzzle) -> list[Hint]:
    """The hints in order."""
    return parse_hints(puzzle.folder / "hints.md")


def parse_hints(file: Path) -> list[Hint]:
    """Hints as written: `## title`, then `> what it tells`, then the text."""
    cure = "Begin each hint with ## and its title."
    sections: list[tuple[int, str, list[str]]] = []
    fenced = False
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("## ") and not fenced:
            sections.append((number, line[3:].strip(), []))
        elif sections:
            sections[-1][2].append(line)
        elif line.strip():
            raise CatalogError(file, number, "There is text before the first hint.", cure)
    if not sections:
        raise CatalogError(file, 1, "There is no hint here.", cure)
    return [_hint(file, *section) for section in sections]


def _hint(file: Path, number: int, title: str, lines: list[str]) -> Hint:
    body = "\n".join(lines).strip("\n").splitlines()
    quoted = 0
    while quoted < len(body) and body[quoted].startswith(">"):
        quoted += 1
    tells = " ".join(line[1:].strip() for line in body[:quoted])
    text = "\n".join(body[quoted:]).strip("\n")
    if not title:
        raise CatalogError(file, number, "The hint has no title.", "Write it after the ##.")
    if not tells:
        raise CatalogError(file, number, f'The hint "{title}" does not say what it tells.',
                           "Put a line below its title: > Names the call that ...")
    if not text.strip():
        raise CatalogError(file, number, f'The hint "{title}" is empty.', "Write its text below the > line.")
    return Hint(title, tells, text)
