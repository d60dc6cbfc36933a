"""The learnt tree as flat arrays, a line for each node; children lie side by side, after their parent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bestofk.c45.cases import Ints
from bestofk.c45.margins import SMALL
from bestofk.core.arrays import Array


class Tree(NamedTuple):
    """``feature`` is -1 at leaves; ``counts`` are the weights of the classes among the training rows of a node."""

    feature: Ints
    threshold: Array
    first: Ints
    width: Ints
    counts: Array


class Answers(NamedTuple):
    """What each node says when it is asked: class probabilities, the class, and the share of its parent's rows.

    A leaf without rows says what its parent would say.
    """

    probabilities: Array
    label: Ints
    share: Array


def parents(tree: Tree) -> Ints:
    """The parent of each node; the root's is itself."""
    parent = np.zeros(len(tree.feature), dtype=np.int32)
    parent[1:] = np.repeat(np.arange(len(tree.width), dtype=np.int32), tree.width)
    return parent


def answers(tree: Tree) -> Answers:
    """Work out the answers of all nodes."""
    totals = tree.counts.sum(axis=1)
    parent = parents(tree)
    source = np.where(totals > SMALL, np.arange(len(totals)), parent)
    probabilities = tree.counts[source] / totals[source][:, None]
    return Answers(probabilities, clearly_largest(probabilities), totals / totals[parent])


def clearly_largest(probabilities: Array) -> Ints:
    """The first class that no later one clearly exceeds."""
    label: Ints = probabilities.argmax(axis=1).astype(np.int32)
    largest = probabilities.max(axis=1)
    near = (probabilities > largest[:, None] - 2.0 * SMALL).sum(axis=1) > 1
    for line in np.flatnonzero(near):
        label[line] = _first_clear(probabilities[line])
    return label


def _first_clear(probabilities: Array) -> int:
    best, label = -1.0, 0
    for code, probability in enumerate(probabilities.tolist()):
        if probability - best > SMALL:
            best, label = probability, code
    return label


def depth(tree: Tree) -> int:
    """Number of questions on the longest way down."""
    level = np.zeros(len(tree.feature), dtype=np.int64)
    for node in np.flatnonzero(tree.width):
        level[tree.first[node] : tree.first[node] + tree.width[node]] = level[node] + 1
    return int(level.max())
