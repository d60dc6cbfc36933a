"""The tree in words, in the form that J48 prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.c45.tree import Answers, Tree


def tree_text(tree: Tree, says: Answers, names: Sequence[str], levels: Sequence[Any], classes: Sequence[Any]) -> str:
    """Return a line for each branch; a leaf tells its class, the weight of its rows, and of those of other classes."""
    if tree.width[0] == 0:
        return f": {_leaf(tree, says, classes, 0)}\n"
    lines: list[str] = []
    waiting = [(node, 0) for node in reversed(_children(tree, 0))]
    parent = np.repeat(np.arange(len(tree.width)), tree.width)
    while waiting:
        node, depth = waiting.pop()
        line = "|   " * depth + _asked(tree, names, levels, int(parent[node - 1]), node)
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
