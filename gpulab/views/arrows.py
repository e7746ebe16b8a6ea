"""Arrows between rows: nested tracks of box-drawing, beside a column of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LEFT, RIGHT, UP, DOWN = 1, 2, 4, 8

_GLYPHS = {
    LEFT | RIGHT: "─", UP | DOWN: "│", LEFT | DOWN: "┐", LEFT | UP: "┘", LEFT | UP | DOWN: "┤",
    LEFT | RIGHT | DOWN: "┬", LEFT | RIGHT | UP: "┴", LEFT | RIGHT | UP | DOWN: "┼", LEFT: "─",
}


def draw(edges: Iterable[tuple[int, int]], rows: int, tracks: int) -> tuple[list[str], int]:
    """(a text for each of `rows`, `tracks` + 2 cells wide; how many edges did not fit).

    An edge is (row it comes from, row it points to). The widest take the outer tracks, so that edges that lie within
    one another do not cross more than they must.
    """
    wanted = [edge for edge in dict.fromkeys(edges) if edge[0] != edge[1]]
    inside = [edge for edge in wanted if max(edge) < rows and min(edge) >= 0]
    places = _assign(inside, tracks)
    grid = [[0] * (tracks + 2) for _ in range(rows)]
    for (source, target), track in places.items():
        _lay(grid, source, target, track + 1)
    heads = {target for _, target in places}
    texts = ["".join(_GLYPHS.get(bits, " ") for bits in line) for line in grid]
    texts = ["◀" + text[1:] if place in heads else text for place, text in enumerate(texts)]
    return texts, len(wanted) - len(places)


def _assign(edges: Sequence[tuple[int, int]], tracks: int) -> dict[tuple[int, int], int]:
    """Edge -> track (0 the innermost), the first free one for each: no two share a piece of a track."""
    taken: list[list[tuple[int, int]]] = [[] for _ in range(tracks)]
    places: dict[tuple[int, int], int] = {}
    for edge in sorted(edges, key=lambda edge: (abs(edge[0] - edge[1]), -min(edge))):
        low, high = sorted(edge)
        for track, spans in enumerate(taken):
            if all(high < first or last < low for first, last in spans):
                spans.append((low, high))
                places[edge] = track
                break
    return places


def _lay(grid: list[list[int]], source: int, target: int, column: int) -> None:
    """One edge: out of its source to the track, along it, and back to its target."""
    low, high = sorted((source, target))
    for line in (source, target):
        for place in range(column):
            grid[line][place] |= LEFT | RIGHT
    for line in range(low, high + 1):
        grid[line][column] |= (DOWN if line < high else 0) | (UP if line > low else 0)
    for line in (source, target):
        grid[line][column] |= LEFT
