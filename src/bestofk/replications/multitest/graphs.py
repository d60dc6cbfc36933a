"""Figures 3 and 4: the graph that MultiTest finds most often, and how the errors are distributed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.extras import available
from bestofk.core.phrases import listed
from bestofk.core.record import Record
from bestofk.ordering import multitest
from bestofk.plots.error_histograms import ErrorHistogramsInfo
from bestofk.plots.figures import Figure, figure_of
from bestofk.plots.loss_boxes import LossBoxesInfo
from bestofk.plots.order_graph import OrderGraphInfo
from bestofk.replications.multitest.experiment import FoldErrors
from bestofk.replications.multitest.published import LEARNERS
from bestofk.reporting.blocks import Block, Pictures, Section, Sentences
from bestofk.reporting.pictures import why_no_figures

#: Number of the figure → data set, edges of the published graph (worse, better) and order, as section 4.3 tells them.
PUBLISHED = {
    3: ("hepatitis", (), LEARNERS),
    4: (
        "pendigits",
        tuple(
            (worse, better)
            for i, worse in enumerate(LEARNERS)
            for better in LEARNERS[i + 1 :]
            if (worse, better) != ("LGC", "C4.5")
        ),
        ("NN", "LGC", "C4.5", "NMC", "MAX"),
    ),
}


class FrequentGraph(Record):
    """The graph that came out most often: its edges (worse, better), its order and in how many of the runs."""

    dataset: str
    edges: tuple[tuple[str, str], ...]
    order: tuple[str, ...]
    times: int
    runs: int


def frequent_graph(made: FoldErrors) -> FrequentGraph:
    """Find the most frequent graph of MultiTest, the first in the order of its edges on a tie."""
    found = multitest(made.errors.transpose(1, 0, 2, 3))
    kinds, first, times = np.unique(found.edges, axis=0, return_index=True, return_counts=True)
    most = int(times.argmax())
    edges = tuple(
        (LEARNERS[i], LEARNERS[j]) for (i, j), edge in zip(found.pairs, kinds[most], strict=True) if bool(edge)
    )
    order = tuple(LEARNERS[i] for i in found.order[first[most]])
    return FrequentGraph(made.dataset, edges, order, int(times[most]), len(found.edges))


def figure_section(number: int, made: FoldErrors) -> Section:
    """A figure of the paper: the graph, the errors of every learner, the two best of them pair by pair."""
    graph = frequent_graph(made)
    drawn: Block = _drawn(made, graph) if available("matplotlib") else Sentences((why_no_figures(),))
    return Section(f"figure-{number}", f"Fig. {number}: {made.dataset}", (_said(number, graph), drawn))


def _said(number: int, graph: FrequentGraph) -> Sentences:
    _, edges, order = PUBLISHED[number]
    alike = "the published graph" if set(graph.edges) == set(edges) else _apart(graph, edges)
    which = "also the published one" if graph.order == order else f"the published one is {' < '.join(order)}"
    return Sentences(
        (
            f"The most frequent graph came out in {graph.times:,} of {graph.runs:,} runs and is {alike}.",
            f"Its order, best first, is {' < '.join(graph.order)}; {which}.",
        )
    )


def _apart(graph: FrequentGraph, published: tuple[tuple[str, str], ...]) -> str:
    more = [f"{worse} → {better}" for worse, better in graph.edges if (worse, better) not in published]
    less = [f"{worse} → {better}" for worse, better in published if (worse, better) not in graph.edges]
    parts = ([f"with {listed(more)} besides"] if more else []) + ([f"without {listed(less)}"] if less else [])
    return f"the published graph {' and '.join(parts)}"


def _drawn(made: FoldErrors, graph: FrequentGraph) -> Pictures:
    percent = {name: 100.0 * made.of(name).reshape(-1) for name in LEARNERS}
    best, second = sorted(LEARNERS, key=lambda name: float(percent[name].mean()))[:2]
    measure = "error in percent"
    infos = (
        OrderGraphInfo(LEARNERS, graph.edges, graph.order, graph.order[0], True),
        LossBoxesInfo(LEARNERS, tuple(percent.values()), measure, False, "fold"),
        ErrorHistogramsInfo(best, second, percent[best], percent[second], measure),
    )
    return Pictures(tuple(_named(figure_of(info), made.dataset) for info in infos))


def _named(figure: Figure, dataset: str) -> Figure:
    return replace(figure, name=f"{figure.name}-{dataset}", title=f"{dataset}: {figure.title}")
