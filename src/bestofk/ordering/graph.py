"""The graph part of MultiTest: take out the most preferred learner that nobody beats, again and again."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.core.record import Record


class Order(Record):
    """Learners from best to worst; ``edges`` (i, j) say that the preferred i is significantly worse than j."""

    order: tuple[Any, ...]
    edges: tuple[tuple[Any, Any], ...]
    prior: tuple[Any, ...]

    @property
    def best(self) -> Any:
        """The first of the order."""
        return self.order[0]

    def __repr__(self) -> str:
        return "order: " + " < ".join(str(name) for name in self.order)


def from_edges(edges: Iterable[tuple[Hashable, Hashable]], prior: Sequence[Hashable]) -> Order:
    """Order learners from the edges of a graph and a prior order, most preferred first.

    Best is the most preferred learner without an outgoing edge; it is taken out with its edges, and so on.

    References
    ----------
    Yıldız and Alpaydın 2006, Fig. 1 and Fig. 2.

    Examples
    --------
    >>> from_edges([(1, 2), (1, 3), (1, 4), (2, 3)], prior=(1, 2, 3, 4))
    order: 3 < 2 < 4 < 1
    """
    names = tuple(prior)
    where = "from_edges, argument prior"
    if not names:
        raise InputError("prior is empty.", where, "name the learners, most preferred first.")
    refuse_duplicates(names, what="learner", where=where)
    place = {name: i for i, name in enumerate(names)}
    given: tuple[Any, ...] = tuple(tuple(edge) if isinstance(edge, Iterable) else (edge,) for edge in edges)
    if any(len(edge) != 2 for edge in given):
        raise InputError(f"edges are {given}.", "from_edges, argument edges", "give pairs (preferred, other).")
    matrix = np.zeros((len(names), len(names)), dtype=bool)
    for tail, head in given:
        matrix[_checked(tail, head, place)] = True
    return Order(order=tuple(names[i] for i in topological(matrix)), edges=given, prior=names)


def _checked(tail: Hashable, head: Hashable, place: dict[Any, int]) -> tuple[int, int]:
    for name in (tail, head):
        if name not in place:
            raise InputError(
                f"edge {tail!r} → {head!r} names {name!r}, which is not in the prior.",
                "from_edges, argument edges",
                f"use the names of the prior: {', '.join(map(str, place))}.",
            )
    if place[tail] >= place[head]:
        raise InputError(
            f"edge {tail!r} → {head!r} does not go from a preferred to a less preferred learner.",
            "from_edges, argument edges",
            "an edge starts at the preferred learner, which was found significantly worse.",
        )
    return place[tail], place[head]


def topological(matrix: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Orders (..., K) of graphs (..., K, K) whose nodes stand in prior order: always the first free node next."""
    batch, k = matrix.shape[:-2], matrix.shape[-1]
    graphs = matrix.reshape(-1, k, k)
    outgoing = graphs.sum(axis=2)
    order = np.empty((len(graphs), k), dtype=np.intp)
    rows = np.arange(len(graphs))
    for step in range(k):
        chosen = np.argmax(outgoing == 0, axis=1)
        order[:, step] = chosen
        outgoing -= graphs[rows, :, chosen]
        outgoing[rows, chosen] = -1  # taken out: never 0 again
    return order.reshape(*batch, k)
