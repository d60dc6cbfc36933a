"""A card to share: the verdict in a picture of 1200 × 630 points, as a link or a post shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.reporting.document import Document, Request
from bestofk.reporting.first_screen import LearnersTable
from bestofk.reporting.formats.rendering import has_right_to_left
from bestofk.reporting.tables import without_p

WIDTH, HEIGHT = 1200, 630
MOST_ROWS = 6
_DPI = 100
_MM = 25.4 / _DPI  # of a point of the picture
_LEFT, _RIGHT = 60, WIDTH - 60
#: Where columns stand: names, the right end of values, the drawing, findings.
_NAMES, _VALUES, _DRAWING, _FINDINGS = (_LEFT + 26, 400), 505, (545, 845), (880, _RIGHT)
_FIRST_ROW, _LAST_ROW, _MOST_STEP = 300, 515, 50
_TITLE_SIZES = (32.0, 28.0, 25.0, 22.0)
_BOLD = 0.87  # of its room is what a text may take that is measured in plain letters and drawn in bold ones
_INK, _MUTED, _FAINT = "#1b1f24", "#5b6168", "#d5d9de"
#: The page's colours: chosen, in the set of the best, shown to be worse.
_COLOURS = {"chosen": "#0b5cad", "open": "#8a5a00", "worse": "#5c656f"}
_MARKERS = {"chosen": "o", "open": "D", "worse": "s"}


def card_report(request: Request) -> Document:
    """Draw the card."""
    if request.alone:
        raise InputError("a card is a picture, and no text.", "report, format png", "name a file: -o card.png.")
    need("matplotlib", purpose="drawing a card")
    from bestofk.plots.canvas.board import settings

    with settings():
        figure = card_figure(request)
        picture = BytesIO()
        figure.savefig(picture, format="png", dpi=_DPI)
    return Document("", data=picture.getvalue())


def card_figure(request: Request) -> Any:
    """The card as a figure of matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    page, table = request.page, request.page.table
    figure = Figure(figsize=(WIDTH / _DPI, HEIGHT / _DPI), dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    names = {} if table is None else _short_names([row[table.row_name] for row in table.rows])
    title, said = (_with_short(text, names) for text in (page.title, page.lines[-1] if page.lines else ""))
    colour = _COLOURS["chosen"] if table is not None and "chosen" in table.states else _INK
    below = _lines(figure, title, 50, size=_title_size(title), most=2, weight="bold", color=colour)
    _lines(figure, said, max(122, below + 8), size=17.0, most=2, color=_INK)
    if table is not None:
        _draw(figure, table, names)
    _lines(figure, _with_short(" ".join(page.small[:1]), names), 585, size=12.5, most=1, until=1020, color=_MUTED)
    _text(figure, _RIGHT, 585, f"bestofk {page.version}", size=12.5, color=_MUTED, ha="right", va="top")
    return figure


def _draw(figure: Any, table: LearnersTable, names: Mapping[str, str]) -> None:
    """The first rows of the table: names, values, intervals on one axis, findings."""
    number = len(table.rows)
    shown = number if number <= MOST_ROWS else MOST_ROWS - 1
    lines = shown + (number > shown)
    step = min(_MOST_STEP, (_LAST_ROW - _FIRST_ROW) / max(lines - 1, 1))
    start = _FIRST_ROW + 0.3 * (_LAST_ROW - _FIRST_ROW - (lines - 1) * step)  # few rows stand near the middle
    places = [start + i * step for i in range(lines)]
    value = next(i for i, each in enumerate(table.columns) if each in table.numeric)
    drawn = table.short.get(table.drawn, table.drawn)
    left = _FINDINGS[0] if drawn else _DRAWING[0]
    room = _FINDINGS[1] - left
    whole = all(_fitted(row[-1], room, 13.0) == row[-1] for row in table.rows[:shown])
    rows = table.rows if whole else without_p(table).rows
    above = start - 0.5 * step - 22
    for x, words, side in (
        (_NAMES[0], table.columns[table.row_name], "left"),
        (_VALUES, _fitted(table.columns[value], 150, 12.0), "right"),
        (_DRAWING[0], drawn, "left"),
        (left, table.columns[-1], "left"),
    ):
        _text(figure, x, above, words, size=12.0, color=_MUTED, ha=side, va="center")
    for place, row, state in zip(places, rows, table.states, strict=False):
        if place == places[-1] and number > shown:
            _text(figure, _NAMES[0], place, f"and {number - shown} more", size=15.0, color=_MUTED, va="center")
            break
        bold = "bold" if state == "chosen" else "normal"
        style: dict[str, Any] = {"color": _COLOURS[state], "va": "center", "weight": bold}
        _text(figure, _NAMES[0], place, names[row[table.row_name]], size=15.0, **style)
        _text(figure, _VALUES, place, row[value], size=15.0, ha="right", **style)
        _text(figure, left, place, _fitted(row[-1], room, 13.0), size=13.0, **style)
        _line(figure, [_LEFT + 7], [place], **_look(state))
    if drawn:
        _draw_intervals(figure, table, places[:shown], places[-1])


def _look(state: str) -> dict[str, Any]:
    return {"marker": _MARKERS[state], "color": _COLOURS[state], "markersize": 9, "linestyle": ""}


def _draw_intervals(figure: Any, table: LearnersTable, places: Sequence[float], last: float) -> None:
    """Every mark in the line of its name."""
    top, bottom = places[0] - 18, last + 22

    def across(percent: float) -> float:
        return _DRAWING[0] + percent / 100 * (_DRAWING[1] - _DRAWING[0])

    if table.axis.zero is not None:
        _line(figure, [across(table.axis.zero)] * 2, [top, bottom], color=_FAINT, linewidth=1.5)
    for percent, words in table.axis.ticks:
        _text(figure, across(percent), bottom + 4, words, size=11.0, color=_MUTED, ha="center", va="top")
    for place, state, mark in zip(places, table.states, table.marks, strict=False):
        if mark.low is not None and mark.high is not None:
            ends = [across(mark.low), across(mark.high)]
            _line(figure, ends, [place] * 2, linewidth=4.0, color=_COLOURS[state], solid_capstyle="butt")
        if mark.at is not None:
            _line(figure, [across(mark.at)], [place], markeredgecolor="white", **_look(state))


def _line(figure: Any, x: Sequence[float], y: Sequence[float], **style: Any) -> None:
    """A line or marks at points of the picture, counted from its upper left corner."""
    from matplotlib.lines import Line2D

    figure.add_artist(Line2D([each / WIDTH for each in x], [1 - each / HEIGHT for each in y], **style))


def _text(figure: Any, x: float, y: float, words: str, *, size: float, **style: Any) -> Any:
    """A text that is read from the left, whatever the name that it begins with is written in."""
    from bestofk.plots.canvas.text_width import literal

    mark = "\N{LEFT-TO-RIGHT MARK}" if has_right_to_left(words) else ""
    return figure.text(x / WIDTH, 1 - y / HEIGHT, mark + literal(words), fontsize=size, **style)


def _lines(figure: Any, words: str, y: float, *, size: float, most: int, until: float = _RIGHT, **style: Any) -> float:
    """Words in at most so many lines. Return what is below."""
    from bestofk.plots.canvas.text_width import wrapped

    room = (until - _LEFT) * _MM * (_BOLD if style.get("weight") == "bold" else 0.98)
    lines = wrapped(words, room, size, most=most)
    for i, line in enumerate(lines):
        _text(figure, _LEFT, y + i * size * 2.0, line, size=size, va="top", **style)
    return y + len(lines) * size * 2.0


def _title_size(title: str) -> float:
    """The largest letters in which the title is one line."""
    from bestofk.plots.canvas.text_width import text_width

    room = (_RIGHT - _LEFT) * _MM * _BOLD
    return next((size for size in _TITLE_SIZES if text_width(title, size) <= room), _TITLE_SIZES[-1])


def _fitted(words: str, points: float, size: float) -> str:
    from bestofk.plots.canvas.text_width import fitted

    return str(fitted(words, points * _MM, size))


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """Every name as it fits its column in bold letters, no two alike."""
    from bestofk.plots.canvas.text_width import shortened

    room = (_NAMES[1] - _NAMES[0]) * _MM * _BOLD
    return dict(zip(names, shortened(list(names), room, 15.0), strict=True))


def _with_short(text: str, names: Mapping[str, str]) -> str:
    """The text with its long names shortened, the longest first: one may be the beginning of another."""
    for name in sorted((each for each in names if names[each] != each), key=len, reverse=True):
        text = text.replace(name, names[name])
    return text
