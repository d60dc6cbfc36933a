"""The order of K learners by one of the methods, with what it rests on."""

from __future__ import annotations

from typing import Any

from bestofk.core.record import Record


class Ordering(Record, kw_only=True):
    """Learners from best to worst. ``best`` is None when the method finds none.

    ``edges`` (i, j) say that the preferred i is shown to be worse than j; ``groups`` are learners that are not told
    apart (methods ``ranges`` and ``cliques``), ``groups_by`` says by what. ``prior_from`` names the cost behind the
    preference, ``prior_ties`` the learners of equal cost. ``graph`` is the result of the method that made a graph.
    """

    method: str
    best: str | None
    order: tuple[str, ...]
    edges: tuple[tuple[str, str], ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    groups_by: str = ""
    prior: tuple[str, ...] | None = None
    prior_from: str = ""
    prior_ties: tuple[tuple[str, ...], ...] = ()
    graph: Any = None

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import ordering_html

        return ordering_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.words import ordering_text

        return ordering_text(self)
