"""Rows on their way down a tree, a level at a time; a missing value sends a row down all branches, in fractions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bestofk.c45.cases import Cases, Features, Ints
from bestofk.c45.rules import SMALL
from bestofk.c45.tree import Answers, Tree, clearly_largest
from bestofk.core.arrays import Array, Flags


class Walkers(NamedTuple):
    """Rows, the nodes where they are, and the fraction of the row that is there."""

    row: npt.NDArray[np.intp]
    node: Ints
    weight: Array

    def chosen(self, which: Flags) -> Walkers:
        """Some of them."""
        return Walkers(self.row[which], self.node[which], self.weight[which])

    def joined(self, others: Walkers) -> Walkers:
        """These and others."""
        pairs = zip(self, others, strict=True)
        row, node, weight = (np.concatenate([mine, theirs]) for mine, theirs in pairs)
        return Walkers(row, node, weight)


def probabilities(tree: Tree, says: Answers, features: Features, cases: Cases) -> Array:
    """Class probabilities of each row."""
    found = np.zeros((cases.numbers.shape[1], tree.counts.shape[1]))
    for walkers in _levels(tree, says, features, cases):
        at = tree.width[walkers.node] == 0
        np.add.at(found, walkers.row[at], walkers.weight[at, None] * says.probabilities[walkers.node[at]])
    return found


def labels(tree: Tree, says: Answers, features: Features, cases: Cases) -> Ints:
    """The class of each row."""
    return clearly_largest(probabilities(tree, says, features, cases))


def weights_on_the_way(tree: Tree, says: Answers, features: Features, cases: Cases, y: Ints, weights: Array) -> Array:
    """Weight of each class among the rows that pass each node."""
    found = np.zeros_like(tree.counts)
    for walkers in _levels(tree, says, features, cases):
        np.add.at(found, (walkers.node, y[walkers.row]), walkers.weight * weights[walkers.row])
    return found


def _levels(tree: Tree, says: Answers, features: Features, cases: Cases) -> Iterator[Walkers]:
    rows = cases.numbers.shape[1]
    walkers = Walkers(np.arange(rows), np.zeros(rows, dtype=np.int32), np.ones(rows))
    while len(walkers.row):
        yield walkers
        asked = tree.width[walkers.node] > 0
        walkers = _stepped(tree, says, features, cases, walkers.chosen(asked))


def _stepped(tree: Tree, says: Answers, features: Features, cases: Cases, walkers: Walkers) -> Walkers:
    branch = _branches(tree, features, cases, walkers)
    known = branch >= 0
    ahead = Walkers(walkers.row[known], tree.first[walkers.node[known]] + branch[known], walkers.weight[known])
    if known.all():
        return ahead
    lost = walkers.chosen(~known)
    width = tree.width[lost.node]
    offset = np.arange(width.sum()) - np.repeat(np.cumsum(width) - width, width)
    node = (np.repeat(tree.first[lost.node], width) + offset).astype(np.int32)
    spread = Walkers(np.repeat(lost.row, width), node, np.repeat(lost.weight, width) * says.share[node])
    return ahead.joined(spread.chosen(says.share[node] > SMALL))


def _branches(tree: Tree, features: Features, cases: Cases, walkers: Walkers) -> Ints:
    feature = tree.feature[walkers.node]
    slot, nominal = features.slot[feature], features.levels[feature] > 0
    branch = np.empty(len(feature), dtype=np.int32)
    branch[nominal] = cases.codes[slot[nominal], walkers.row[nominal]]
    numbers = cases.numbers[slot[~nominal], walkers.row[~nominal]]
    above = numbers - tree.threshold[walkers.node[~nominal]] >= SMALL
    branch[~nominal] = np.where(np.isnan(numbers), -1, above)
    return branch
