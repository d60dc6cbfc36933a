"""How near the replication comes to Tables 1 to 3: the figures that were asked for."""

from __future__ import annotations

from math import ceil

from bestofk.replications.multitest.choices import METHODS
from bestofk.replications.multitest.published import LEARNERS, dataset_names
from bestofk.replications.multitest.table1 import Table1
from bestofk.replications.multitest.table1_markdown import ASKED
from bestofk.replications.multitest.table2 import COLUMNS, Choices, largest_deviation, same_most_selected
from bestofk.replications.multitest.table3 import distance, largest_gap
from bestofk.replications.replication import Agreement

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
