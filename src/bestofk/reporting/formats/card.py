"""A card to share: the verdict in a picture of 1200 × 630 points, as a link or a post shows it."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.judging import Verdict
from bestofk.reporting.document import Document, Request
from bestofk.reporting.tables import PlainTable

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
_INK, _MUTED, _FAINT = "#1b1d20", "#5b6168", "#d5d9de"
#: The page's colours: chosen, in the set of the best, shown to be worse.
_COLOURS = {"chosen": "#0b5cad", "open": "#8a5a00", "worse": "#6b7178"}
_MARKERS = {"chosen": "o", "open": "D", "worse": "s"}
#: Fonts for letters that the first one lacks, where the machine has them.
_FONTS = (
    *("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei"),
    *("WenQuanYi Micro Hei", "Droid Sans Fallback", "Noto Emoji", "Symbola", "Segoe UI Symbol", "Arial Unicode MS"),
)


@dataclass(frozen=True)
class Row:
    """A learner on the card; ``ends`` are low, middle and high of its interval, nan where there is none."""

    name: str
    value: str
    finding: str
    state: str
    ends: tuple[float, float, float]


@dataclass(frozen=True)
class Rows:
    """The rows, the heads of their values and drawings, how many learners are left out, and the ticks' words."""

    rows: tuple[Row, ...]
    value: str
    drawn: str
    hidden: int
    ratio: bool = False


def card_report(request: Request) -> Document:
    """Draw the card."""
    if request.alone:
        raise InputError("a card is a picture, and no text.", "report, format png", "name a file: -o card.png.")
    need("matplotlib", purpose="drawing a card")
    with _fonts():
        figure = card_figure(request)
        picture = BytesIO()
        figure.savefig(picture, format="png", dpi=_DPI)
    return Document("", data=picture.getvalue())


def card_figure(request: Request) -> Any:
    """The card as a figure of matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    page = request.page
    figure = Figure(figsize=(WIDTH / _DPI, HEIGHT / _DPI), dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    rows = rows_of(request.subject, page.table)
    every = rows_of(request.subject, page.table, most=None).rows
    names = _short_names([row.name for row in every])
    title, said = (_with_short(text, names) for text in (page.title, page.lines[-1] if page.lines else ""))
    colour = _COLOURS["chosen"] if any(row.state == "chosen" for row in rows.rows) else _INK
    _lines(figure, title, 50, size=_title_size(title), most=1, weight="bold", color=colour)
    _lines(figure, said, 122, size=17.0, most=2, color=_INK)
    if rows.rows:
        _draw(figure, rows, names)
    _lines(figure, _with_short(" ".join(page.small[:1]), names), 585, size=12.5, most=1, until=1020, color=_MUTED)
    _text(figure, _RIGHT, 585, f"bestofk {page.version}", size=12.5, color=_MUTED, ha="right", va="top")
    return figure


def rows_of(subject: Any, table: PlainTable | None, most: int | None = MOST_ROWS) -> Rows:
    """The first rows of the page's table, with what is drawn beside them."""
    if table is None:
        return Rows((), "", "", 0)
    name, value = table.row_name, next((i for i, each in enumerate(table.columns) if each in table.numeric), None)
    finding = table.columns.index("finding") if "finding" in table.columns else None
    number = len(table.rows)
    shown = number if most is None or number <= most else most - 1
    drawn, ends = _intervals(subject, [row[name] for row in table.rows])
    states = table.states or ("open",) * number
    rows = tuple(
        Row(
            row[name],
            "" if value is None else row[value],
            "" if finding is None else row[finding],
            state,
            ends.get(row[name], (np.nan, np.nan, np.nan)),
        )
        for row, state in zip(table.rows[:shown], states, strict=False)
    )
    ratio = isinstance(subject, Verdict) and subject.comparison.sample.scale == "log-ratio" and subject.comparison.sized
    return Rows(rows, "" if value is None else table.columns[value], drawn, number - shown, ratio)


def _intervals(subject: Any, names: Sequence[str]) -> tuple[str, Mapping[str, tuple[float, float, float]]]:
    """What is drawn, and for each learner low, middle and high: differences from the first, or else ranks."""
    if not isinstance(subject, Verdict):
        return "", {}
    comparison, first = subject.comparison, subject.order[0]
    if not comparison.sized:
        ranks = subject.rank_intervals
        return "rank", {name: (ranks[name][0], np.nan, ranks[name][1]) for name in names if name in ranks}
    ends = {first: (np.nan, 0.0, np.nan)}
    for name in names:
        if name != first and name in comparison.learners and comparison.compared(first, name):
            pair = comparison.pair(name, first)
            found = (np.nan if each is None else float(each) for each in (pair.low, pair.difference, pair.high))
            ends[name] = tuple(found)  # type: ignore[assignment]
    return "difference", ends


def _draw(figure: Any, rows: Rows, names: Mapping[str, str]) -> None:
    """The table: names, values, intervals on one axis, findings."""
    lines = len(rows.rows) + bool(rows.hidden)
    step = min(_MOST_STEP, (_LAST_ROW - _FIRST_ROW) / max(lines - 1, 1))
    start = _FIRST_ROW + 0.3 * (_LAST_ROW - _FIRST_ROW - (lines - 1) * step)  # few rows stand near the middle
    places = [start + i * step for i in range(lines)]
    first = rows.rows[0].name
    head = (
        f"difference from {_fitted(names.get(first, first), 150, 12.0)}" if rows.drawn == "difference" else rows.drawn
    )
    above = start - 0.5 * step - 22
    for x, words, side in (
        (_NAMES[0], "learner", "left"),
        (_VALUES, _fitted(rows.value, 150, 12.0), "right"),
        (_DRAWING[0], head, "left"),
        (_FINDINGS[0], "finding" if any(row.finding for row in rows.rows) else "", "left"),
    ):
        _text(figure, x, above, words, size=12.0, color=_MUTED, ha=side, va="center")
    for place, row in zip(places, rows.rows, strict=False):
        bold = "bold" if row.state == "chosen" else "normal"
        style: dict[str, Any] = {"color": _COLOURS.get(row.state, _INK), "va": "center", "weight": bold}
        _text(figure, _NAMES[0], place, names.get(row.name, row.name), size=15.0, **style)
        _text(figure, _VALUES, place, row.value, size=15.0, ha="right", **style)
        _text(figure, _FINDINGS[0], place, _fitted(row.finding, _FINDINGS[1] - _FINDINGS[0], 13.0), size=13.0, **style)
    if rows.hidden:
        _text(figure, _NAMES[0], places[-1], f"and {rows.hidden} more", size=15.0, color=_MUTED, va="center")
    _draw_intervals(figure, rows, places)


def _draw_intervals(figure: Any, rows: Rows, places: Sequence[float]) -> None:
    """Every interval in the picture's own points, so that it stands in the line of its name."""
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    ends = np.array([row.ends for row in rows.rows])
    finite = ends[np.isfinite(ends)]
    for row, place in zip(rows.rows, places, strict=False):
        mark: dict[str, Any] = {"marker": _MARKERS.get(row.state, "o"), "color": _COLOURS.get(row.state, _INK)}
        figure.add_artist(_line(Line2D, [_LEFT + 7], [place], markersize=9, linestyle="", **mark))
    if not len(finite):
        return
    low, high = float(finite.min()), float(finite.max())
    spread = (high - low) or 1.0
    low, high = low - 0.04 * spread, high + 0.04 * spread

    def across(value: float) -> float:
        return float(np.interp(value, [low, high], _DRAWING))

    top, bottom = places[0] - 18, places[-1] + 22
    if rows.drawn == "difference":
        figure.add_artist(_line(Line2D, [across(0.0)] * 2, [top, bottom], color=_FAINT, linewidth=1.5))
    steps = MaxNLocator(4, steps=[1, 2, 5, 10], integer=rows.drawn == "rank").tick_values(low, high)
    ticks = [float(each) for each in steps if low <= each <= high]
    for tick, words in zip(ticks, _tick_words(ticks, rows), strict=True):
        _text(figure, across(tick), bottom + 4, words, size=11.0, color=_MUTED, ha="center", va="top")
    for row, place in zip(rows.rows, places, strict=False):
        style: dict[str, Any] = {"color": _COLOURS.get(row.state, _INK), "solid_capstyle": "butt"}
        start, middle, end = row.ends
        if not np.isnan([start, end]).any():
            figure.add_artist(_line(Line2D, [across(start), across(end)], [place] * 2, linewidth=4.0, **style))
        if not np.isnan(middle):
            mark = {"marker": _MARKERS.get(row.state, "o"), "markersize": 9, "markeredgecolor": "white"}
            figure.add_artist(_line(Line2D, [across(middle)], [place], linestyle="", **mark, **style))


def _tick_words(ticks: Sequence[float], rows: Rows) -> list[str]:
    if rows.ratio:
        return [f"×{np.exp(tick):.3g}" for tick in ticks]
    return [
        f"{tick:+.4g}".replace("-", "−") if rows.drawn == "difference" and tick else f"{tick:.4g}" for tick in ticks
    ]


def _line(kind: Any, x: Sequence[float], y: Sequence[float], **style: Any) -> Any:
    """A line or marks at points of the picture, counted from its upper left corner."""
    return kind([each / WIDTH for each in x], [1 - each / HEIGHT for each in y], **style)


def _text(figure: Any, x: float, y: float, words: str, *, size: float, **style: Any) -> Any:
    from bestofk.plots.canvas.text_width import literal

    return figure.text(x / WIDTH, 1 - y / HEIGHT, literal(words), fontsize=size, **style)


def _lines(figure: Any, words: str, y: float, *, size: float, most: int, until: float = _RIGHT, **style: Any) -> None:
    """Words in at most so many lines; what does not fit is left out behind a mark of omission."""
    from bestofk.plots.canvas.text_width import text_width

    room = (until - _LEFT) * _MM * (_BOLD if style.get("weight") == "bold" else 0.98)
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(lines) == most or text_width(longer, size) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    for i, line in enumerate(lines):
        fits = _beginning(line, room, size) if i == most - 1 else _fitted(line, room / _MM, size)
        _text(figure, _LEFT, y + i * size * 2.0, fits, size=size, va="top", **style)


def _title_size(title: str) -> float:
    """The largest letters in which the title is one line."""
    from bestofk.plots.canvas.text_width import text_width

    room = (_RIGHT - _LEFT) * _MM * _BOLD
    return next((size for size in _TITLE_SIZES if text_width(title, size) <= room), _TITLE_SIZES[-1])


def _beginning(line: str, room: float, size: float) -> str:
    """As many words as fit, then a mark of omission."""
    from bestofk.plots.canvas.text_width import fitted, text_width

    if text_width(line, size) <= room:
        return line
    words = line.split()
    while len(words) > 1 and text_width(" ".join(words) + " …", size) > room:
        words.pop()
    return f"{fitted(' '.join(words), room - text_width(' …', size), size)} …"


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


@contextmanager
def _fonts() -> Iterator[None]:
    """Draw in the first font, and in what fonts there are where it lacks a letter; one that none has is a box."""
    from matplotlib import font_manager, rc_context

    manager = font_manager.fontManager
    known = {font.fname for font in manager.ttflist}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        for path in font_manager.findSystemFonts():
            if path not in known:  # installed since matplotlib last looked
                with suppress(Exception):  # a file of somebody else that is no font
                    manager.addfont(path)
        names = {font.name for font in manager.ttflist}
        log, level = logging.getLogger("matplotlib.font_manager"), logging.getLogger("matplotlib.font_manager").level
        log.setLevel(logging.ERROR)  # which fonts have no bold letters is nobody's concern
        try:
            with rc_context({"font.family": [name for name in _FONTS if name in names]}):
                yield
        finally:
            log.setLevel(level)
