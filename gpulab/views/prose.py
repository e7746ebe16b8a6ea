"""Markdown of statements, hints and explanations as rows: paragraphs, lists, drawings and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from gpulab.views.code import highlighted
from gpulab.views.look import Look
from gpulab.views.rows import NO_BREAK, Row, blank, fold, indented, row

if TYPE_CHECKING:
    from markdown_it.token import Token

_BOX = frozenset("─│┌┐└┘├┤┬┴┼╰╯╭╮━┃╌╎═║╔╗╚╝·")
"""Characters of a drawing that are lines, not words."""


@dataclass(frozen=True)
class Block:
    """One block of a text. `kind` is "text", "item", "drawing" or "code"."""

    kind: str
    text: Text
    lead: str = ""
    """The bullet or number of an item."""


def blocks(markdown: str, look: Look) -> list[Block]:
    """The blocks of a Markdown text in order."""
    return list(_read(_parsed(markdown), look))


@lru_cache(maxsize=16)
def _parsed(markdown: str) -> list[Token]:
    """The text as its parser sees it; a tab that is opened again need not wait for that."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").parse(markdown)


def prose(markdown: str, width: int, look: Look) -> list[Row]:
    """A Markdown text wrapped to `width`, blocks parted by a blank row; no margin."""
    rows: list[Row] = []
    before = ""
    for block in blocks(markdown, look):
        if rows and not (before == block.kind == "item"):
            rows.append(blank())
        rows.extend(block_rows(block, width, look))
        before = block.kind
    return rows


def block_rows(block: Block, width: int, look: Look) -> list[Row]:
    """One block in rows. Drawings and code keep their lines and are cut where the width ends."""
    if block.kind == "item":
        first, *rest = fold(block.text, width - len(block.lead))
        indent = " " * len(block.lead)
        return [row((block.lead, look.muted), first), *(row(indent, line) for line in rest)]
    if block.kind in ("drawing", "code"):
        lines = block.text.split("\n", allow_blank=True)
        if block.kind == "drawing":
            return [row for line in lines for row in _with_note_below(line, width)]
        return [_cut(line, width) for line in lines]
    return fold(block.text, width)


def drawing_and_text(markdown: str, look: Look) -> tuple[Block | None, list[Block]]:
    """The first drawing, which may stand beside the text, and the blocks around it."""
    all_blocks = blocks(markdown, look)
    drawing = next((block for block in all_blocks if block.kind == "drawing"), None)
    return drawing, [block for block in all_blocks if block is not drawing]


def stacked(parts: list[Block], width: int, look: Look) -> list[list[Row]]:
    """Each block's rows, items of one list together."""
    groups: list[list[Row]] = []
    before = ""
    for block in parts:
        rows = block_rows(block, width, look)
        if before == block.kind == "item":
            groups[-1].extend(rows)
        else:
            groups.append(rows)
        before = block.kind
    return groups


def _with_note_below(line: Text, width: int) -> list[Row]:
    """A line of a drawing; where it is too long, the note at its right stands below it, at the right too."""
    start = _note_start(line.plain, width) if line.cell_len > width else None
    if start is None:
        return [_cut(line, width)]
    lines = fold(line[start:], width)
    indent = max(0, width - max(each.cell_len for each in lines))
    drawing = line[:start]
    drawing.rstrip()
    return [_cut(drawing, width), *(_cut(each, width) for each in indented(lines, indent))]


def _note_start(plain: str, width: int) -> int | None:
    """Where the words begin that the edge would cut: behind two blanks or a line; None where it would cut a line."""
    before = max(plain.rfind("  ", 0, width), *(plain.rfind(char, 0, width) for char in _BOX))
    words = plain[before + 1:]
    start = before + 1 + len(words) - len(words.lstrip())
    drawn_on = any(char in _BOX for char in words) or not re.search(r"[A-Za-z]{2}|= ", words)
    return None if drawn_on or not plain[:start].strip() else start


def _cut(line: Text, width: int) -> Row:
    piece = line.copy()
    piece.no_wrap, piece.end = True, ""
    if piece.cell_len > width:
        piece.truncate(width, overflow="ellipsis")
    return piece


def _read(tokens: list[Token], look: Look) -> Iterator[Block]:
    """Blocks from markdown-it's flat token stream."""
    lists: list[int | None] = []
    fresh_item = False
    heading = False
    for token in tokens:
        if token.type == "bullet_list_open":
            lists.append(None)
        elif token.type == "ordered_list_open":
            lists.append(int(token.attrs.get("start", 1)))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            fresh_item = True
        elif token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type == "fence":
            yield _fenced(token, look)
        elif token.type == "code_block":
            yield Block("code", _code(token.content, look))
        elif token.type == "inline":
            text = _inline(token, look.strong if heading else look.text, look)
            yield _paragraph(text, lists, fresh_item)
            if fresh_item and lists and lists[-1] is not None:
                lists[-1] += 1
            fresh_item = False


def _paragraph(text: Text, lists: list[int | None], fresh: bool) -> Block:
    if not lists:
        return Block("text", text)
    number = lists[-1]
    bullet = "- " if number is None else f"{number}. "
    indent = "  " * (len(lists) - 1)
    return Block("item", text, indent + (bullet if fresh else " " * len(bullet)))


def _fenced(token: Token, look: Look) -> Block:
    language = token.info.strip()
    if language in ("python", "py"):
        return Block("code", _code(token.content, look))
    return Block("drawing", drawn(token.content.rstrip("\n"), look))


def _code(source: str, look: Look) -> Text:
    return Text("\n").join(indented(highlighted(source.rstrip("\n"), look), 4))


def drawn(drawing: str, look: Look) -> Text:
    """A drawing in text: its lines faint, its words and numbers as they are."""
    text = Text(drawing, look.text)
    start = None
    for place, char in enumerate(drawing + " "):
        if char in _BOX:
            start = place if start is None else start
        elif start is not None:
            text.stylize(look.faint, start, place)
            start = None
    return text


def _inline(token: Token, base: Style, look: Look) -> Text:
    """Words of a paragraph: code and strong words bright, the rest plain, line ends as blanks."""
    text = Text("")
    style, code = base, look.bright
    for child in token.children or []:
        if child.type == "text":
            text.append(child.content, style)
        elif child.type == "code_inline":
            text.append(child.content.replace(" ", NO_BREAK), code)
        elif child.type in ("softbreak", "hardbreak"):
            text.append("\n" if child.type == "hardbreak" else " ", style)
        elif child.type in ("strong_open", "em_open"):
            style = look.strong if child.type == "strong_open" else look.bright
        elif child.type in ("strong_close", "em_close"):
            style = base
    return text
