"""Three themes with variables of our own, and the look that views draw with in each."""

from __future__ import annotations

import os

from textual.theme import Theme

from gpulab.views.look import ANSI_PALETTE, DARK_PALETTE, LIGHT_PALETTE, Look, Palette
from gpulab.views.look import look as find_look

DARK, LIGHT, ANSI = "gpulab-dark", "gpulab-light", "gpulab-ansi"
NAMES = {DARK: "dark", LIGHT: "light", ANSI: "ansi"}


TERMINALS_OWN = {"ansi-background": "ansi_default", "ansi-foreground": "ansi_default"}
"""What Textual's own stylesheets ask of a theme in the terminal's colours."""


def _variables(palette: Palette) -> dict[str, str]:
    """`$data-1` .. `$data-4` and the muted hues: each theme has its own."""
    hues = zip(palette.data, palette.data_muted, strict=True)
    variables: dict[str, str] = {}
    if palette.background is None:
        variables |= TERMINALS_OWN
    variables |= {"rule": _css(palette.faint), "band-fault": _css(palette.error_muted),
                 "band-good": _css(palette.success_muted), "band-accent": _css(palette.accent_muted)}
    for number, (hue, muted) in enumerate(hues, start=1):
        variables[f"data-{number}"] = _css(hue)
        variables[f"data-{number}-muted"] = _css(muted)
    return variables


def _css(color: str | None) -> str:
    """Rich's colour name as Textual's: `bright_black` is `ansi_bright_black`, none is the terminal's own."""
    return "ansi_default" if color is None else color if color.startswith("#") else f"ansi_{color}"


def _theme(name: str, palette: Palette, *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=_css(palette.data[0]),
        secondary=_css(palette.data[1]),
        warning=_css(palette.accent),
        error=_css(palette.error),
        success=_css(palette.success),
        accent=_css(palette.accent),
        foreground=_css(palette.text),
        background=_css(palette.background),
        surface=_css(palette.surface),
        panel=_css(palette.panel),
        boost=_css(palette.surface),
        dark=dark,
        ansi=palette.background is None,
        variables=_variables(palette),
    )


def themes() -> list[Theme]:
    """The app's themes; Textual's own do not define our variables and are not offered."""
    return [_theme(DARK, DARK_PALETTE, dark=True), _theme(LIGHT, LIGHT_PALETTE, dark=False),
            _theme(ANSI, ANSI_PALETTE, dark=True)]


def first_theme(color_system: str | None, *, no_color: bool) -> str:
    """What to begin with: `GPULAB_THEME`, else ansi where there are 16 colours or none, else dark."""
    if no_color:
        return ANSI
    wanted = f"gpulab-{os.environ.get('GPULAB_THEME', '')}"
    if wanted in NAMES:
        return wanted
    return ANSI if color_system in (None, "standard") else DARK


def look(theme: str, *, ascii: bool, no_color: bool) -> Look:
    """The styles for a theme; under NO_COLOR only bold and reverse."""
    return find_look("plain" if no_color else NAMES.get(theme, "dark"), ascii=ascii)
