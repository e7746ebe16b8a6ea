"""tracks.yaml and the front matter of every statement, read into a Catalog."""

from __future__ import annotations

from pathlib import Path

from yaml.nodes import Node

from gpulab.catalog.errors import CatalogError, did_you_mean
from gpulab.catalog.fields import Fields, check_name, read_mapping
from gpulab.catalog.model import Catalog, Puzzle, StarTexts, Track
from gpulab.catalog.root import content_root
from gpulab.catalog.text import read_text, split_front_matter

FORMAT_VERSION = 1
LANGUAGES = ("numba", "triton", "torch")
FILES = ("starter.py", "spec.py", "hints.md", "after.md")
"""What every puzzle's folder holds beside its statement.md."""


def load(root: Path | None = None) -> Catalog:
    """All tracks and puzzles below `root` (the content root if left out).

    Reads tracks.yaml and each statement's front matter; executes nothing. Raises `CatalogError`.
    """
    root = root or content_root()
    file = root / "tracks.yaml"
    top = read_mapping(file, read_text(file))
    version = top.whole("format_version")
    if version != FORMAT_VERSION:
        top.fail(top.where("format_version"), f"format_version is {version}.",
                 f"This gpulab reads {FORMAT_VERSION}: update gpulab.")
    entries = top.mappings("tracks")
    top.finish()
    tracks: list[Track] = []
    for fields in entries:
        tracks.append(_track(root, fields, tracks))
    catalog = Catalog(tuple(tracks), root)
    _check_aliases(catalog)
    return catalog


def _track(root: Path, fields: Fields, earlier: list[Track]) -> Track:
    id = check_name(fields, None, fields.text("id"), "track id")
    if any(track.id == id for track in earlier):
        fields.fail(None, f'There are two tracks "{id}".', "Rename one.")
    title, summary, tags = fields.text("title"), fields.text("summary"), fields.text("tags")
    after = _after(fields, earlier)
    names = fields.names("puzzles")
    fields.finish()
    seen: set[str] = set()
    puzzles: list[Puzzle] = []
    for name, node in names:
        check_name(fields, node, name, "puzzle name")
        if name in seen:
            fields.fail(node, f'"{name}" stands in this track twice.', "Remove one.")
        seen.add(name)
        puzzles.append(_puzzle(root, f"{id}/{name}", fields, node))
    return Track(id, title, summary, tags, tuple(puzzles), after)


def _after(fields: Fields, earlier: list[Track]) -> dict[str, int]:
    """Prerequisites; each names a track further up, so that no circle is possible."""
    asked = fields.optional_mapping("after")
    after: dict[str, int] = {}
    for id in asked.keys() if asked else []:
        assert asked is not None
        known = {track.id: track for track in earlier}
        if id not in known:
            cure = did_you_mean(id, known) if known else "The first track can come after none."
            asked.fail(asked.where(id), f'"after" names "{id}", which is no track above this one.', cure)
        after[id] = asked.whole(id)
    return after


def _puzzle(root: Path, id: str, track: Fields, node: Node) -> Puzzle:
    folder = root / "puzzles" / id
    if not folder.is_dir():
        track.fail(node, f"There is no folder puzzles/{id}.", f"gpulab new {id} makes one.")
    reference = root / "kernels" / f"{id}.py"
    for path in (*(folder / name for name in FILES), reference):
        if not path.is_file():
            raise CatalogError(path, None, "The file is missing.",
                               f"Every puzzle needs it; gpulab new {id} writes a first one.")
    return read_puzzle(id, folder, reference)


def read_puzzle(id: str, folder: Path, reference: Path) -> Puzzle:
    """One puzzle from the front matter of its statement.md."""
    file = folder / "statement.md"
    fields = read_mapping(file, split_front_matter(file)[0], offset=1)
    puzzle = Puzzle(
        id=id,
        title=fields.text("title"),
        summary=fields.text("summary"),
        language=_language(fields),
        minutes=fields.whole("minutes"),
        write=fields.text("write"),
        launched=fields.text("launched"),
        stars=_stars(fields),
        folder=folder,
        reference=reference,
        hunt=fields.flag("hunt"),
        aliases=tuple(_alias(fields, name, node) for name, node in fields.names("aliases")),
    )
    fields.finish()
    return puzzle


def _language(fields: Fields) -> str:
    language = fields.text("language")
    if language not in LANGUAGES:
        fields.fail(fields.where("language"), f'"{language}" is no language of a puzzle.',
                    did_you_mean(language, LANGUAGES))
    return language


def _stars(fields: Fields) -> StarTexts:
    stars = fields.mapping("stars")
    texts = StarTexts(stars.text("correct"), stars.optional_text("efficient"), stars.optional_text("fast"),
                      fields.flag("efficient_needed"))
    stars.finish()
    if texts.efficient_needed and texts.efficient is None:
        fields.fail(fields.where("efficient_needed"), "The second star is needed, but nothing says what it asks for.",
                    "Add a line efficient: ... below stars:.")
    return texts


def _alias(fields: Fields, name: str, node: Node) -> str:
    track, slash, puzzle = name.partition("/")
    if not slash:
        fields.fail(node, f'"{name}" is no puzzle id.', "Write the alias as track/puzzle.")
    check_name(fields, node, track, "track id")
    check_name(fields, node, puzzle, "puzzle name")
    return name


def _check_aliases(catalog: Catalog) -> None:
    """An alias may be neither a living id nor used twice: stored stars would count for two puzzles."""
    owners = {puzzle.id: puzzle for puzzle in catalog.puzzles}
    for puzzle in catalog.puzzles:
        for alias in puzzle.aliases:
            owner = owners.setdefault(alias, puzzle)
            if owner is not puzzle or alias == puzzle.id:
                file = puzzle.folder / "statement.md"
                raise CatalogError(file, _line_of(file, alias), f'The alias "{alias}" already belongs to {owner.id}.',
                                   "Remove it here or there.")


def _line_of(file: Path, word: str) -> int | None:
    lines = read_text(file).splitlines()
    return next((number for number, line in enumerate(lines, start=1) if word in line), None)
