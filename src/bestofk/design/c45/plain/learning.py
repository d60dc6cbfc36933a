"""Grow, collapse, prune."""

from __future__ import annotations

from bestofk.design.c45.cases import Training
from bestofk.design.c45.plain.collapsing import collapse
from bestofk.design.c45.plain.draft import flat
from bestofk.design.c45.plain.growing import grown
from bestofk.design.c45.plain.pruning import prune
from bestofk.design.c45.rules import Rules
from bestofk.design.c45.tree import Tree


def learn(training: Training, rules: Rules) -> Tree:
    """Return the tree of the training rows."""
    root = grown(training, rules)
    if rules.collapse:
        collapse(root)
    if rules.pessimistic:
        prune(root, training, rules)
    return flat(root)
