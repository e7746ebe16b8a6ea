"""The styles that rows are made of. Each has one meaning; no view names a colour."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style


@dataclass(frozen=True)
class Palette:
    """The colours of one theme, as Rich writes them; None leaves the terminal's own."""

    background: str | None
    surface: str | None
    panel: str | None
    text: str | None
    bright: str | None
    muted: str | None
    faint: str
    accent: str
    error: str
    success: str
    data: tuple[str, str, str, str]
    accent_muted: str | None = None
    error_muted: str | None = None
    success_muted: str | None = None
    data_muted: tuple[str | None, str | None, str | None, str | None] = (None, None, None, None)


DARK_PALETTE = Palette(
    background="#0F1317", surface="#171E25", panel="#1D262F",
    text="#C8CFD6", bright="#F2F5F7", muted="#8A949D", faint="#4A545D",
    accent="#E0AF55", error="#F0716A", success="#6FBF73",
    data=("#6AA5D8", "#B08BE0", "#4FB8AA", "#D9D2C3"),
    accent_muted="#463A24", error_muted="#452526", success_muted="#24382A",
    data_muted=("#22405A", "#3E2F58", "#1C443F", "#49453D"),
)

LIGHT_PALETTE = Palette(
    background="#FBFAF7", surface="#EFEDE7", panel="#E3E0D8",
    text="#33393F", bright="#0C0F12", muted="#656D75", faint="#A9AEB2",
    accent="#8A5A00", error="#B3261E", success="#23702B",
    data=("#1F62A3", "#7440B8", "#0F766A", "#6B6248"),
    accent_muted="#F4E4C1", error_muted="#F8DCD9", success_muted="#D9EEDB",
    data_muted=("#D3E4F5", "#E6DAF6", "#CDEBE6", "#E6E1D2"),
)

ANSI_PALETTE = Palette(
    background=None, surface=None, panel=None, text=None, bright=None, muted=None, faint="bright_black",
    accent="yellow", error="red", success="green", data=("blue", "magenta", "cyan", "white"),
)
"""The terminal's own sixteen colours: emphasis is bold, title and keys are reversed."""


@dataclass(frozen=True)
class Look:
    """Every style a row may have, and whether glyphs must be ASCII."""

    name: str
    text: Style
    bright: Style
    """A name or a number within text."""
    strong: Style
    """The one sentence, the one word."""
    muted: Style
    faint: Style
    """Rules and empty cells, never words."""
    accent: Style
    fault: Style
    good: Style
    data: tuple[Style, Style, Style, Style]
    data_cell: tuple[Style, Style, Style, Style]
    """Text on the muted hue."""
    chosen: Style
    """Behind a chosen row."""
    bar: Style
    """Behind the title and the keys."""
    fault_band: Style
    good_band: Style
    accent_band: Style
    fault_cell: Style
    ascii: bool = False

    @property
    def bold(self) -> Style:
        return Style(bold=True)


def _style(color: str | None, background: str | None = None, *, bold: bool = False) -> Style:
    return Style(color=color, bgcolor=background, bold=bold or None)


def _look(name: str, palette: Palette) -> Look:
    native = palette.bright is None
    data_cell = tuple(
        _style(hue if native else palette.bright, muted, bold=native)
        for hue, muted in zip(palette.data, palette.data_muted, strict=True)
    )
    one, two, three, four = (_style(hue) for hue in palette.data)
    return Look(
        name=name,
        text=_style(palette.text),
        bright=_style(palette.bright, bold=native),
        strong=_style(palette.bright, bold=True),
        muted=_style(palette.muted),
        faint=_style(palette.faint),
        accent=_style(palette.accent),
        fault=_style(palette.error),
        good=_style(palette.success),
        data=(one, two, three, four),
        data_cell=(data_cell[0], data_cell[1], data_cell[2], data_cell[3]),
        chosen=_style(None, palette.surface),
        bar=Style(reverse=True) if native else _style(None, palette.panel),
        fault_band=_style(None, palette.error_muted),
        good_band=_style(None, palette.success_muted),
        accent_band=_style(None, palette.accent_muted),
        fault_cell=_style(palette.error, palette.error_muted, bold=True),
    )


DARK = _look("dark", DARK_PALETTE)
LIGHT = _look("light", LIGHT_PALETTE)
ANSI = _look("ansi", ANSI_PALETTE)

_BOLD = Style(bold=True)
_NONE = Style.null()
PLAIN = Look(
    name="plain", text=_NONE, bright=_BOLD, strong=_BOLD, muted=_NONE, faint=_NONE, accent=_BOLD, fault=_BOLD,
    good=_NONE, data=(_NONE,) * 4, data_cell=(_NONE,) * 4, chosen=_NONE, bar=Style(reverse=True),
    fault_band=_NONE, good_band=_NONE, accent_band=_NONE, fault_cell=_BOLD,
)
"""NO_COLOR: bold and reverse only; words, marks and places carry the rest."""

LOOKS = {look.name: look for look in (DARK, LIGHT, ANSI, PLAIN)}


def look(name: str = "dark", *, ascii: bool = False) -> Look:
    """The look of this name ("dark", "light", "ansi", "plain"), its glyphs ASCII if asked."""
    from dataclasses import replace

    return replace(LOOKS[name], ascii=ascii)
