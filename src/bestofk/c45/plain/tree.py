"""A tree grown from the root down, collapsed and pruned from the leaves up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from bestofk.c45.cases import Training
from bestofk.c45.plain.split import Question, Share, dealt, question_for
from bestofk.c45.pruning import added_errors
from bestofk.c45.rules import BENEFIT, SMALL, WORTHLESS, Rules
from bestofk.c45.tree import Tree
from bestofk.core.arrays import Array


def learn(training: Training, rules: Rules) -> Tree:
    """Return the tree of the training rows."""
    root = grown(training, rules)
    if rules.collapse:
        collapse(root)
    if rules.pessimistic:
        prune(root, training, rules)
    return flat(root)


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


def collapse(root: Node) -> None:
    """From the root down."""
    below: dict[int, float] = {}
    for node in reversed(breadth_first(root)):
        below[id(node)] = sum(below[id(child)] for child in node.children) if node.children else node.errors
    for node in breadth_first(root):
        if node.children and below[id(node)] >= node.errors - WORTHLESS:
            node.become_leaf()


def prune(root: Node, training: Training, rules: Rules) -> None:
    """From the leaves up; a branch that takes its parent's place is pruned again with the rows that it gains."""
    expected: dict[int, float] = {}
    waiting = breadth_first(root)
    while waiting:
        node = waiting.pop()
        leaf = _expected(node.counts, rules)
        if not node.children:
            expected[id(node)] = leaf
            continue
        tree = sum(expected[id(child)] for child in node.children)
        branch, raised = _branch(node, training, rules)
        if leaf - (tree + BENEFIT) < SMALL and leaf - (raised + BENEFIT) < SMALL:
            node.become_leaf()
            expected[id(node)] = leaf
        elif raised - (tree + BENEFIT) < SMALL:
            node.question, node.children = branch.question, branch.children
            _fill(node, training)
            waiting.extend(breadth_first(node))
        else:
            expected[id(node)] = tree


def _branch(node: Node, training: Training, rules: Rules) -> tuple[Node, float]:
    """The heaviest branch, the last of equals, and its expected errors with all rows of its parent."""
    heaviest, weight = node.children[0], 0.0
    for child in node.children:
        if weight - child.weight < SMALL:
            heaviest, weight = child, child.weight
    if not rules.raising:
        return heaviest, math.inf
    errors, waiting = 0.0, [(heaviest, node.share)]
    while waiting:
        each, share = waiting.pop()
        if each.question is None:
            errors += _expected(counts_of(training, share), rules)
        else:
            shares = dealt(each.question, training.features, training.cases, share)
            waiting.extend(zip(each.children, shares, strict=True))
    return heaviest, errors


def _fill(node: Node, training: Training) -> None:
    """Deal the node's rows down the branch that took its place."""
    waiting: list[tuple[Node, Share]] = [(node, node.share)]
    while waiting:
        each, share = waiting.pop()
        each.share = share
        each.counts = counts_of(training, each.share)
        if each.question is not None:
            shares = dealt(each.question, training.features, training.cases, each.share)
            waiting.extend(zip(each.children, shares, strict=True))


def _expected(counts: Array, rules: Rules) -> float:
    weight, errors = float(counts.sum()), float(counts.sum() - counts.max())
    if weight < SMALL:
        return 0.0
    return errors + added_errors(weight, errors, rules.confidence, rules.deviate)
