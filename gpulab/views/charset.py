"""Whether the locale says that characters beyond ASCII may be written: the app and the commands decide alike."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Mapping
from typing import TextIO

VARIABLES = ("LC_ALL", "LC_CTYPE", "LANG")
"""In the order in which the C library asks them; the first that is set rules."""

COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python sets `LC_CTYPE` to when it starts in the C locale (PEP 538)."""


def without_utf8(environ: Mapping[str, str] | None = None) -> tuple[str, str] | None:
    """(variable, value) of the locale that rules characters where it is one without UTF-8.

    None where it has UTF-8, and where there is no locale at all: Python takes C.UTF-8 then (PEP 538), and rented
    images often set none. By default as this process was given them: Python changes what `LC_CTYPE` says when it
    starts in the C locale.
    """
    given = as_given() if environ is None else environ
    name = next((name for name in VARIABLES if given.get(name)), None)
    if name is None or re.search(r"utf-?8", given[name], re.IGNORECASE):
        return None
    return name, given[name]


def encodes_utf8(stream: TextIO) -> bool:
    """Whether the stream itself takes characters beyond ASCII."""
    try:
        return codecs.lookup(stream.encoding or "ascii").name == "utf-8"
    except LookupError:
        return False


def cure(variable: str) -> str:
    """What to type: the variable that rules, since another one changes nothing."""
    return f"export {variable}=C.UTF-8"


def as_given() -> Mapping[str, str]:
    """The environment with the `LC_CTYPE` that this process was given, as far as the system tells."""
    if os.environ.get("LC_CTYPE") not in COERCED:
        return os.environ
    try:
        with open("/proc/self/environ", "rb") as stream:
            first = dict(line.partition("=")[::2] for line in os.fsdecode(stream.read()).split("\0"))
    except OSError:
        return os.environ
    return {**os.environ, "LC_CTYPE": first.get("LC_CTYPE", "")}
