"""A learner's own keys: `keys.yaml` in the workspace, each line the id of a binding and the keys that do it."""

from __future__ import annotations

import string
from collections.abc import Mapping
from pathlib import Path

from gpulab.tui import keymap

FILE = "keys.yaml"

HEAD = """\
# Your own keys. Take the # away from a line and write the keys that you want, separated by commas.
# Names of keys: letters and digits, and ? / : as they are; enter, escape, space, tab, backspace, up, down, left, right,
# home, end, pageup, pagedown, f1 to f12; shift+tab, ctrl+r. Other lines keep what they say. Read when the app starts.
"""

_NAMES = frozenset(("enter", "escape", "space", "tab", "backspace", "delete", "insert", "up", "down", "left", "right",
                    "home", "end", "pageup", "pagedown", *(f"f{number}" for number in range(1, 13))))
def read(root: Path) -> tuple[dict[str, str], list[str]]:
    """(id -> keys as Textual names them, what is wrong with the file in sentences). Lines that are wrong change
    nothing."""
    file = root / FILE
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}, []
    except (OSError, UnicodeDecodeError) as error:
        return {}, [f"{FILE} cannot be read ({error}), so keys are as they come."]
    import yaml

    try:
        found = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        return {}, [f"{FILE}{where}: this is no YAML, so keys are as they come. A line is like  lab.run: r, f9"]
    if not isinstance(found, dict):
        return {}, [f"{FILE} is no list of  id: keys, so keys are as they come."]
    return _checked(found)


def _checked(found: Mapping[object, object]) -> tuple[dict[str, str], list[str]]:
    import difflib

    known = {key.id: key for key in keymap.every_key()}
    own: dict[str, str] = {}
    problems = []
    for id, wanted in found.items():
        if id not in known:
            close = difflib.get_close_matches(str(id), known, n=1)
            meant = f" Did you mean {close[0]}?" if close else ""
            problems.append(f"{FILE}: there is no key called {id}.{meant}")
            continue
        names = [key_name(part.strip()) for part in str(wanted).split(",") if part.strip()]
        if not names or None in names:
            problems.append(f"{FILE}: {id} cannot be {wanted!r}: no key is called so.")
            continue
        own[str(id)] = ",".join(name for name in names if name is not None)
    return own, problems + clashes(own)


def key_name(text: str) -> str | None:
    """A key as Textual names it: `?` is `question_mark`; None for what is no key."""
    *held, last = text.split("+") if len(text) > 1 else [text]
    if any(each not in ("ctrl", "shift", "alt") for each in held):
        return None
    if len(last) == 1 and not last.isalnum():
        last = _punctuation(last)
    known = len(last) == 1 or last in _NAMES or last in map(_punctuation, string.punctuation)
    return "+".join([*held, last]) if known else None


def _punctuation(char: str) -> str:
    """As Textual names it: by Unicode's name, some shortened."""
    import unicodedata

    from textual.keys import KEY_NAME_REPLACEMENTS

    name = unicodedata.name(char, "").lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def clashes(own: Mapping[str, str]) -> list[str]:
    """Keys that would do two things on one screen, said of those that the learner gave away."""
    found = []
    for screen, keys in keymap.SCREENS.items():
        doing: dict[str, keymap.Key] = {}
        for key in sorted(keys, key=lambda key: key.id not in own):
            for name in own.get(key.id, key.keys).split(","):
                other = doing.setdefault(name, key)
                if other.action != key.action and other.id in own:
                    found.append(f"{FILE}: on {screen}, {keymap.written(name)} is {other.id} now, no longer {key.id}.")
    return found


def write_template(root: Path) -> Path:
    """Write the file, every line a comment, unless there is one; its path. Raises OSError."""
    file = root / FILE
    if not file.exists():
        root.mkdir(parents=True, exist_ok=True)
        lines = [f"# {key.id}: {', '.join(key.keys.split(','))}" for key in keymap.every_key()]
        file.write_text(HEAD + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file


ABOUT = """\
# Keys

Written by `./lab pictures keys`. `?` in the app shows the keys of the screen you are on.

To have other keys: `p`, then *Change the keys*, writes `keys.yaml` into your folder, every line a comment. Take the `#`
away from a line and write the keys you want, separated by commas:

    lab.run: x, f12

It is read when the app starts; what is wrong with it is said then, and changes nothing. On a screen, a key that you
give to one thing is taken from another. In text on the screen ("n go on") keys are named as they come.
"""


def documented() -> str:
    """`docs/keys.md`: the keys of each screen, by the ids that `keys.yaml` takes."""
    lines = [ABOUT]
    seen: set[str] = set()
    for screen, keys in keymap.SCREENS.items():
        new = [key for key in keys if key.id not in seen]
        seen |= {key.id for key in new}
        lines += [f"## {screen}", "", "| id | keys | |", "|---|---|---|"]
        lines += [f"| `{key.id}` | {', '.join(key.keys.split(','))} | {key.explained or key.does} |" for key in new]
        lines.append("")
    return "\n".join(lines)
