"""Colours for light and dark pages; learners differ by marker and line style too, so no colour has to be told apart."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

from bestofk.core.frozen import frozen
from bestofk.core.options import one_of

ThemeName: TypeAlias = Literal["light", "dark"]

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: Solid, dashed, dotted, dash-dotted, long dashes.
LINES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1.2)), (0, (4, 1.2, 1, 1.2)), (0, (8, 2)))


@frozen
class Style:
    """How one learner is drawn."""

    colour: str
    marker: str
    line: Any


@frozen
class Theme:
    """Colours of one page. ``levels`` go from not significant to the smallest p; ``against`` marks a contradiction."""

    name: ThemeName | Literal["page"]
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
    if theme.name == "page":
        return _MARK_OF[f"on-{_NAME_OF[colour]}"]
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    light = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "#111315" if light > 0.18 else "#ffffff"


# A drawing whose colours are those of the page: drawn in marks, which the SVG text then has as CSS variables.


def _values(theme: Theme) -> dict[str, str]:
    """Every colour of a theme by the name of its variable, and the ink that stands out on it."""
    plain = {name: getattr(theme, name) for name in ("paper", "ink", "muted", "faint", "accent", "against")}
    plain |= {f"level-{i}": colour for i, colour in enumerate(theme.levels)}
    inks = {f"on-{name}": readable_on(colour, theme) for name, colour in plain.items()}
    return plain | {f"colour-{i}": colour for i, colour in enumerate(theme.colours)} | inks


_VALUES = {"light": _values(LIGHT), "dark": _values(DARK)}
_MARK_OF = {name: f"#c0de{i:02x}" for i, name in enumerate(_VALUES["light"])}
_NAME_OF = {mark: name for name, mark in _MARK_OF.items()}
_MARK = re.compile("#c0de[0-9a-f]{2}")
PAGE = Theme(
    name="page",
    **{name: _MARK_OF[name] for name in ("paper", "ink", "muted", "faint", "accent", "against")},
    levels=tuple(_MARK_OF[f"level-{i}"] for i in range(4)),  # type: ignore[arg-type]
    colours=tuple(_MARK_OF[f"colour-{i}"] for i in range(len(LIGHT.colours))),
)


def with_variables(tag: str) -> str:
    """A tag of an SVG drawn in ``PAGE`` with CSS variables as colours; without a page they are those of ``LIGHT``."""

    def variable(match: re.Match[str]) -> str:
        name = _NAME_OF[match.group()]
        return f"var(--fig-{name}, {_VALUES['light'][name]})"

    return _MARK.sub(variable, tag)


def colour_variables(theme: ThemeName) -> str:
    """The variables that ``svg(theme="page")`` is coloured by, as declarations for a style sheet.

    Examples
    --------
    >>> colour_variables("dark")[:40]
    '--fig-paper: #14171b; --fig-ink: #e9ecef'
    """
    return "; ".join(f"--fig-{name}: {colour}" for name, colour in _VALUES[theme_of(theme).name].items()) + ";"


def page_style() -> str:
    """A style sheet that colours every figure of a page, dark where the reader's system is."""
    light, dark = colour_variables("light"), colour_variables("dark")
    return f":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
