"""Growing: from the root down, until no question helps."""

from __future__ import annotations

import numpy as np

from bestofk.c45.cases import Training
from bestofk.c45.plain.choosing import question_for
from bestofk.c45.plain.dealing import Share, dealt
from bestofk.c45.plain.draft import Node
from bestofk.c45.rules import Rules
from bestofk.core.arrays import Array


def grown(training: Training, rules: Rules) -> Node:
    """The whole tree, before anything is taken back."""
    share = Share(np.arange(len(training.y)), training.weights)
    root = Node(counts_of(training, share), share)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        node.question = question_for(training, rules, node.share, node.counts)
        if node.question is not None:
            shares = dealt(node.question, training.features, training.cases, node.share)
            node.children = [Node(counts_of(training, each), each) for each in shares]
            waiting.extend(node.children)
    return root


def counts_of(training: Training, share: Share) -> Array:
    """Weight of each class."""
    counts = np.bincount(training.y[share.rows], share.weights, minlength=training.classes)
    return counts.astype(np.float64)
