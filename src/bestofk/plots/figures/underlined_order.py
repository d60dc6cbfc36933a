"""The order with lines under learners that are not significantly different, as range tests are written."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from bestofk.core.frozen import frozen
from bestofk.core.phrases import column_texts, counted, listed
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import SMALL, clean, line_height, shortened, text_width, widest_of
from bestofk.plots.info import Info
from bestofk.plots.sources import Groups, Sorting, comparison_in, groups_in, order_in, ordering_in, sorted_by

_SIZE = 8.5
_MOST = 40  # lines of groups; more would say nothing
_BETWEEN = 4.0  # millimetres between names on one line


@frozen(eq=False)
class UnderlinedOrderInfo(Info):
    """``order`` as found; ``groups`` of two or more in which no pair differs significantly; ``means`` where known.

    ``preferred``: a preference has a part in the order, so that it is none by quality alone. ``by`` is the test or
    method that finds no difference, ``method`` the one that made the order, ``found`` whether it names a best.
    """

    name: ClassVar[str] = "underlined-order"

    order: tuple[str, ...]
    groups: Groups
    means: tuple[float, ...] | None = None
    measure: str = ""
    preferred: bool = False
    by: str = ""
    method: str = "multitest"
    found: bool = True

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The groups of the method (``ranges``, ``cliques``) where it has some, else those of the comparison."""
        ordering, comparison, order = ordering_in(result), comparison_in(result), order_in(result)
        groups: Groups | None = None
        by = ""
        if ordering is not None and ordering.groups:
            groups, by = tuple(group for group in ordering.groups if len(group) > 1), ordering.method
        elif comparison is not None:
            groups, by = groups_in(comparison, order), comparison.test
        if groups is None:
            return None
        preferred = ordering is not None and ordering.prior is not None
        made_by: dict[str, Any] = {}
        if ordering is not None:
            chosen = getattr(result, "status", "") == "within"
            made_by = {"method": "within" if chosen else ordering.method, "found": ordering.best is not None}
        place = {name: i for i, name in enumerate(order)}
        sorted_groups = tuple(tuple(sorted(group, key=place.__getitem__)) for group in groups)
        if comparison is None:
            return cls(order, sorted_groups, preferred=preferred, by=by, **made_by)
        means = tuple(comparison.means[name] for name in order)
        return cls(order, sorted_groups, means, comparison.measure, preferred, by, **made_by)

    @property
    def sorted_by(self) -> Sorting:
        """What stands first."""
        return sorted_by(self.method, preferred=self.preferred, found=self.found)

    @property
    def telling(self) -> bool:
        """Nothing where one line joins all, or none any."""
        return self.groups not in ((), (self.order,))

    @property
    def title(self) -> str:
        """What it is."""
        return f"Order, with learners that are not significantly different{self._by} joined by a line"

    @property
    def alt(self) -> str:
        """Order and groups."""
        start = f"Order of {counted(len(self.order), 'learner')}, {self.sorted_by.words}: {listed(self.order)}. "
        if not self.groups:
            return f"{start}Every pair is significantly different{self._by}."
        groups = "; ".join(listed(group) for group in self.groups[:_MOST])
        more = f"; and {counted(len(self.groups) - _MOST, 'group')} more" if len(self.groups) > _MOST else ""
        return f"{start}Not significantly different{self._by}: {groups}{more}."

    @property
    def _by(self) -> str:
        return f" by {self.by}" if self.by else ""

    def height(self, width: float) -> float:
        """One line where the names fit, a list otherwise."""
        if self._fits(width):
            return line_height(_SIZE) + 4.5 + 2.0 * max(1, len(self.groups)) + (4.0 if self.means else 0.0)
        return 9.0 + len(self.order) * _row(len(self.order))

    def _fits(self, width: float) -> bool:
        widths = [max(text_width(clean(name), _SIZE), 8.0) for name in self.order]
        return sum(widths) + _BETWEEN * (len(widths) + 1) <= width and len(self.groups) <= 6

    def paint(self, board: Board) -> None:
        """Draw names in their order; a line joins the members of a group, with a dot at each of them."""
        width, height = board.millimetres()
        if self._fits(width):
            _on_one_line(board, self, width)
        else:
            _as_list(board, self, width, height)


def _row(count: int) -> float:
    return 4.6 if count <= 12 else 3.7


def _on_one_line(board: Board, info: UnderlinedOrderInfo, width: float) -> None:
    widths = [max(text_width(clean(name), _SIZE), 8.0) for name in info.order]
    means = column_texts(info.means or ())
    gap = min((width - sum(widths)) / (len(widths) + 1), 12.0)
    left = (width - sum(widths) - gap * (len(widths) - 1)) / 2
    spans: dict[str, tuple[float, float]] = {}
    for i, (name, each) in enumerate(zip(info.order, widths, strict=True)):
        spans[name] = (left, left + each)
        board.text(left + each / 2, 3.4, name, size=_SIZE, ha="center")
        if info.means:
            board.text(left + each / 2, 7.2, means[i], size=SMALL, ha="center", color=board.theme.muted)
        left += each + gap
    top = (9.6 if info.means else 6.6) - 0.4
    for line, group in enumerate(info.groups):
        y = top + 2.0 * line
        ends = [(spans[group[0]][0], y), (spans[group[-1]][1], y)]
        places = [info.order.index(name) for name in group]
        whole = places[-1] - places[0] + 1 == len(group)
        board.bar(ends, [(sum(spans[name]) / 2, y) for name in group], whole=whole)


def _as_list(board: Board, info: UnderlinedOrderInfo, width: float, height: float) -> None:
    row = (height - 8.0) / len(info.order)
    size = min(8.0, row * 2.2)
    groups = info.groups[:_MOST]
    lines = min(2.2, 0.4 * width / max(1, len(groups)))
    numbers = 15.0 if info.means else 0.0
    room = width - lines * (len(groups) + 1) - numbers - 9.0
    short = shortened(info.order, room, size)
    y = {name: 7.0 + (i + 0.5) * row for i, name in enumerate(info.order)}
    means = column_texts(info.means or ())
    heading = f"mean {clean(info.measure)}"[:14] if info.means else ""
    first = info.sorted_by.heading
    both = text_width(first, SMALL) + 3.0 + text_width(heading, SMALL) - numbers  # side by side above short names
    right = 8.0 + max(widest_of(short, size), both)
    muted: dict[str, Any] = {"size": SMALL, "color": board.theme.muted}
    board.text(8.0, 3.5, first, **muted)
    if info.means:
        board.text(right + numbers - 1.0, 3.5, heading, ha="right", **muted)
    for i, (name, each) in enumerate(zip(info.order, short, strict=True)):
        board.text(6.5, y[name], i + 1, size=size, color=board.theme.muted, ha="right")
        board.text(8.0, y[name], each, size=size)
        if info.means:
            board.text(right + numbers - 1.0, y[name], means[i], size=size, ha="right")
    rows = [[info.order.index(name) for name in group] for group in groups]
    board.upright_bars(rows, list(y.values()), right + numbers + 2.0, lines)
