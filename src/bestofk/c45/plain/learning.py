"""Grow, collapse, prune."""

from __future__ import annotations

from bestofk.c45.cases import Training
from bestofk.c45.plain.collapsing import collapse
from bestofk.c45.plain.draft import flat
from bestofk.c45.plain.growing import grown
from bestofk.c45.plain.pruning import prune
from bestofk.c45.rules import Rules
from bestofk.c45.tree import Tree


def learn(training: Training, rules: Rules) -> Tree:
    """Return the tree of the training rows."""
    root = grown(training, rules)
    if rules.collapse:
        collapse(root)
    if rules.pessimistic:
        prune(root, training, rules)
    return flat(root)
