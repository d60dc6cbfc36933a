"""``bestofk replicate multitest``: Tables 1 to 3, Figures 3 and 4 of Yıldız and Alpaydın 2006, ours beside theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.core.extras import available
from bestofk.core.phrases import counted, listed
from bestofk.core.record import Record
from bestofk.ordering import multitest
from bestofk.plots.figures.histograms import ErrorHistogramsInfo
from bestofk.plots.figures.loss_boxes import LossBoxesInfo
from bestofk.plots.figures.order_graph import OrderGraphInfo
from bestofk.plots.gallery import Figure, figure_of
from bestofk.replications.multitest.choices import (
    COLUMNS,
    METHODS,
    Choices,
    choices_of,
    distance,
    largest_deviation,
    largest_gap,
    same_most_selected,
    table2_block,
    table3_block,
)
from bestofk.replications.multitest.experiment import FoldErrors, errors_of_sets
from bestofk.replications.multitest.pairing import choices_by_pairing, pairing_agreement, pairing_section
from bestofk.replications.multitest.published import LEARNERS, RUNS, dataset_names, paper_sets
from bestofk.replications.multitest.table1 import ASKED, Table1, cells_of, table1_blocks
from bestofk.replications.multitest.today import errors_today, today_section
from bestofk.replications.replication import Agreement, Progress, Replication, today, versions_used
from bestofk.reporting.blocks import Block, Pictures, Section, Sentences
from bestofk.reporting.page import why_no_figures

TITLE = "MultiTest: ours beside the published tables"
REFERENCE = (
    "Yıldız, O. T. and Alpaydın, E. Ordering and finding the best of K > 2 supervised learning algorithms. "
    "IEEE Transactions on Pattern Analysis and Machine Intelligence 28(3), 392–402, 2006."
)


def replicate(
    *,
    runs: int | None = None,
    datasets: Sequence[str] = (),
    data: str | None = None,
    into: str | Path | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Progress = lambda done, total, what: None,
) -> Replication:
    """Run the paper's experiment; see ``bestofk.replications.replication.Replicate``."""
    runs = RUNS if runs is None else runs
    if runs < 1:
        raise InputError(f"runs is {runs}.", "replicate multitest, --runs", "ask for at least one run.")
    found = paper_sets(data, datasets)
    if not found.sets:
        raise InputError("none of the data sets can be had.", "replicate multitest, --datasets", found.left_out[0])
    made = errors_of_sets(found.sets, runs, seed, into=into, workers=workers, progress=progress)
    in_order = {name: made[name] for name in dataset_names() if name in made}
    progress(0, 1, "today's learners")
    of_today = errors_today({name: found.sets[name] for name in in_order}, runs, seed, into=into, workers=workers)
    return replication_of(in_order, of_today, runs, seed, found.left_out)


def replication_of(
    made: Mapping[str, FoldErrors], of_today: Mapping[str, Array], runs: int, seed: int, left_out: Sequence[str]
) -> Replication:
    """Tables, figures and agreement of errors that are there, and what today's learners and tests say."""
    table1 = Table1(tuple(cell for name, errors in made.items() for cell in cells_of(name, errors)))
    choices = {name: choices_of(name, errors.errors, seed) for name, errors in made.items()}
    by_pairing = choices_by_pairing(made, seed) if runs >= len(LEARNERS) else None
    tables = (
        Section("means", "Table 1: errors", table1_blocks(table1)),
        Section("choices", "Table 2: most selected learners", (table2_block(choices),)),
        *(
            (Section("totals", "Table 3: totals", (table3_block(choices),)),)
            if len(made) == len(dataset_names())
            else ()
        ),
    )
    pairing = () if by_pairing is None else (pairing_section(by_pairing),)
    figures = tuple(figure_section(number, made[name]) for number, (name, *_) in PUBLISHED.items() if name in made)
    return Replication(
        paper="multitest",
        title=TITLE,
        reference=REFERENCE,
        headline=_headline(choices, table1),
        agreement=(*nearness(table1, choices), *(() if by_pairing is None else pairing_agreement(by_pairing))),
        sections=(*tables, *pairing, *figures, today_section(made, of_today, seed)),
        left_out=(*left_out, *_shortened(runs)),
        runs=runs,
        seed=seed,
        made=today(),
        versions=versions_used(*(("numba",) if compiled_wanted() else ())),
    )


def _headline(choices: Choices, table1: Table1) -> str:
    same = [f"{method} on {len(same_most_selected(choices, method))}" for method in COLUMNS]
    away = sum(abs(cell.deviation) for cell in table1.cells) / len(table1.cells)
    return (
        f"The learner selected most often is the published one for {', '.join(same)} of "
        f"{counted(len(choices), 'data set')}; mean errors differ by {away:.2f} points on average."
    )


def _shortened(runs: int) -> tuple[str, ...]:
    fewer = (f"{RUNS - runs:,} of the paper's {RUNS:,} runs on each data set.",) if runs < RUNS else ()
    few = counted(len(LEARNERS), "run")
    return (*fewer, *((f"Unpaired errors: they take at least {few}.",) if runs < len(LEARNERS) else ()))


# How near the replication comes to Tables 1 to 3: the figures that were asked for.


#: Of thirty data sets, on how many a learner is asked to be near; of a part of them the same share, rounded up.
NEAR = {"MAX": 30, "NMC": 28, "LGC": 30, "C4.5": 28, "NN": 28}
SAME = 28
#: Share by which a standard deviation may differ, and points by which a share of Table 3 may.
SPREAD, GAP = 0.2, 1.5


def nearness(made: Table1, choices: Choices) -> tuple[Agreement, ...]:
    """Agreement with the three tables."""
    return (*_table1(made), *_table2(choices), *_table3(choices))


def needed(of_thirty: int, sets: int) -> int:
    """The same share of fewer sets, rounded up.

    Examples
    --------
    >>> needed(28, 30), needed(28, 8), needed(30, 8)
    (28, 8, 8)
    """
    return ceil(of_thirty * sets / len(dataset_names()))


def _table1(made: Table1) -> list[Agreement]:
    sets = len(made.by_dataset())
    lines = []
    for name in LEARNERS:
        near, spreads, asked = (
            made.within(name, ASKED[name]),
            made.spreads_within(name, SPREAD),
            needed(NEAR[name], sets),
        )
        what = f"Table 1, {name}: mean error within {ASKED[name]:g} points"
        ours = f"{near} of {sets} (mean absolute difference {made.mean_deviation(name):.2f})"
        lines.append(Agreement(what, ours, f"≥ {asked} of {sets}", near >= asked))
        what = f"Table 1, {name}: standard deviation within {SPREAD:.0%}"
        lines.append(Agreement(what, f"{spreads} of {sets}", f"≥ {asked} of {sets}", spreads >= asked))
    return lines


def _table2(choices: Choices) -> list[Agreement]:
    sets, lines = len(choices), []
    for method in COLUMNS:
        same, asked = len(same_most_selected(choices, method)), needed(SAME, sets)
        apart = sum(largest_deviation(each[method], name) for name, each in choices.items()) / sets
        ours = f"{same} of {sets} (mean largest difference of a percentage {apart:.1f})"
        what = f"Table 2, {method}: same most selected learner"
        lines.append(Agreement(what, ours, f"≥ {asked} of {sets}", same >= asked))
    return lines


def _table3(choices: Choices) -> list[Agreement]:
    if len(choices) < len(dataset_names()):
        return [Agreement("Table 3", "not comparable: it adds up all thirty data sets")]
    return [
        Agreement(
            f"Table 3, {method}: largest difference of a share",
            f"{largest_gap(choices, method):.2f} points (distance of distributions {distance(choices, method):.2f})",
            f"≤ {GAP:g} points",
            largest_gap(choices, method) <= GAP,
        )
        for method in METHODS
    ]


# Figures 3 and 4: the graph that MultiTest finds most often, and how the errors are distributed.


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
