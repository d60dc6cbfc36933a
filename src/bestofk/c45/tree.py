"""The learnt tree as flat arrays, a line for each node; children lie side by side, after their parent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.cases import Ints
from bestofk.c45.rules import SMALL
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


def tree_text(tree: Tree, says: Answers, names: Sequence[str], levels: Sequence[Any], classes: Sequence[Any]) -> str:
    """Return a line for each branch; a leaf tells its class, the weight of its rows, and of those of other classes."""
    if tree.width[0] == 0:
        return f": {_leaf(tree, says, classes, 0)}\n"
    lines: list[str] = []
    waiting = [(node, 0) for node in reversed(_children(tree, 0))]
    parent = parents(tree)
    while waiting:
        node, depth = waiting.pop()
        line = "|   " * depth + _asked(tree, names, levels, int(parent[node]), node)
        lines.append(line if tree.width[node] else f"{line}: {_leaf(tree, says, classes, node)}")
        waiting.extend((child, depth + 1) for child in reversed(_children(tree, node)))
    return "\n".join(lines) + "\n"


def _children(tree: Tree, node: int) -> range:
    return range(int(tree.first[node]), int(tree.first[node] + tree.width[node]))


def _asked(tree: Tree, names: Sequence[str], levels: Sequence[Any], parent: int, node: int) -> str:
    feature, branch = int(tree.feature[parent]), node - int(tree.first[parent])
    if levels[feature] is not None:
        return f"{names[feature]} = {levels[feature][branch]}"
    return f"{names[feature]} {'>' if branch else '<='} {_shortened(tree.threshold[parent], 6)}"


def _leaf(tree: Tree, says: Answers, classes: Sequence[Any], node: int) -> str:
    weight = tree.counts[node].sum()
    errors = weight - tree.counts[node].max()
    wrong = f"/{_weight(errors)}" if errors > 1e-6 else ""
    return f"{classes[says.label[node]]} ({_weight(weight)}{wrong})"


def _weight(weight: float) -> str:
    text = _shortened(weight, 2)
    return text if "." in text else text + ".0"


def _shortened(number: float, places: int) -> str:
    """Half a unit is rounded away from 0, as J48 does it."""
    rounded = np.copysign(np.floor(abs(number) * 10.0**places + 0.5) / 10.0**places, number)
    text = f"{rounded:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
