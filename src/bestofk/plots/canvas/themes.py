"""Colours for light and dark pages; learners differ by marker and line style too, so no colour has to be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from bestofk.core.options import one_of

ThemeName: TypeAlias = Literal["light", "dark"]

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: Solid, dashed, dotted, dash-dotted, long dashes.
LINES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (4, 1.2, 1, 1.2)), (0, (8, 2)))


@dataclass(frozen=True)
class Style:
    """How one learner is drawn."""

    colour: str
    marker: str
    line: Any


@dataclass(frozen=True)
class Theme:
    """Colours of one page. ``levels`` go from not significant to the smallest p; ``against`` marks a contradiction."""

    name: ThemeName
    paper: str
    ink: str
    muted: str
    faint: str
    accent: str
    against: str
    levels: tuple[str, str, str, str]
    colours: tuple[str, ...]

    def style(self, place: int) -> Style:
        """The look of the learner at this place: no two of the first 35 share colour and line, nor of 56 the marker."""
        return Style(self.colours[place % len(self.colours)], MARKERS[place % len(MARKERS)], LINES[place % len(LINES)])


# Okabe and Ito 2008, in an order that keeps neighbours apart; darker on white, lighter on black where they must be.
LIGHT = Theme(
    name="light",
    paper="#ffffff",
    ink="#1b1d20",
    muted="#5b6168",
    faint="#d5d9de",
    accent="#0072b2",
    against="#d55e00",
    levels=("#eceef1", "#9ecae1", "#4292c6", "#084594"),
    colours=("#0072b2", "#d55e00", "#009e73", "#a8508a", "#b87d00", "#2f8fc4", "#1b1d20"),
)
DARK = Theme(
    name="dark",
    paper="#14171b",
    ink="#e9ecef",
    muted="#a7aeb6",
    faint="#3d444c",
    accent="#56b4e9",
    against="#ff8c42",
    levels=("#262b31", "#1f5f8f", "#4aa3dc", "#c3e4fa"),
    colours=("#56b4e9", "#ff8c42", "#2bbf96", "#df97bf", "#f0c442", "#8fa8ff", "#e9ecef"),
)


def theme_of(name: str) -> Theme:
    """Return the theme of that name."""
    chosen = one_of(name, ("light", "dark"), name="theme", where="figure")
    return LIGHT if chosen == "light" else DARK


def readable_on(colour: str, theme: Theme) -> str:
    """Black or white ink, whichever stands out on a filled patch."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "#111315" if light > 0.18 else "#ffffff"


def mixed(start: str, end: str, share: float) -> str:
    """The colour this share of the way from one to the other.

    Examples
    --------
    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [(int(start[i : i + 2], 16), int(end[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)
