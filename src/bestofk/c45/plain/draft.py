"""A tree while it is grown and pruned."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bestofk.c45.plain.dealing import Question, Share
from bestofk.c45.tree import Tree
from bestofk.core.arrays import Array


@dataclass(eq=False)
class Node:
    """A leaf has no question and no children."""

    counts: Array
    share: Share
    question: Question | None = None
    children: list[Node] = field(default_factory=list)

    def become_leaf(self) -> None:
        """Forget the question and all that is below."""
        self.question, self.children = None, []

    @property
    def weight(self) -> float:
        """Weight of the training rows."""
        return float(self.counts.sum())

    @property
    def errors(self) -> float:
        """Weight of the training rows that are not of the most frequent class."""
        return float(self.counts.sum() - self.counts.max())


def breadth_first(root: Node) -> list[Node]:
    """All nodes, parents before children and children side by side."""
    nodes = [root]
    for node in nodes:
        nodes.extend(node.children)
    return nodes


def flat(root: Node) -> Tree:
    """The tree as arrays."""
    nodes = breadth_first(root)
    width = np.array([len(node.children) for node in nodes], dtype=np.int32)
    questions = [node.question for node in nodes]
    return Tree(
        np.array([-1 if question is None else question.feature for question in questions], dtype=np.int32),
        np.array([np.nan if question is None else question.threshold for question in questions]),
        np.where(width > 0, 1 + np.cumsum(width) - width, 0).astype(np.int32),
        width,
        np.stack([node.counts for node in nodes]),
    )
