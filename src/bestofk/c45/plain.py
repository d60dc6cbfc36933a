"""C4.5 in numpy alone: a node at a time, all its rows at once.

Which question a node asks, by information gain and gain ratio (Quinlan, 1993 and 1996), and its rows in branches; the
tree is grown from the root down, collapsed and pruned from the leaves up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bestofk.c45.cases import Cases, Features, Ints, Training
from bestofk.c45.pruning import added_errors
from bestofk.c45.rules import BELOW_AVERAGE, BENEFIT, CEILING, GAP, SHARE_OF_CLASS, SMALL, WORTHLESS, Rules
from bestofk.c45.tree import Answers, Tree, clearly_largest
from bestofk.core.arrays import Array, Flags


class Question(NamedTuple):
    """What a node asks; ``threshold`` is NaN for a nominal feature."""

    feature: int
    threshold: float
    branches: int


class Share(NamedTuple):
    """The rows that reach a node, and with what weight."""

    rows: npt.NDArray[np.intp]
    weights: Array


def branches_of(question: Question, features: Features, cases: Cases, rows: npt.NDArray[np.intp]) -> Ints:
    """The branch of each row, -1 where the value is missing."""
    slot = features.slot[question.feature]
    if features.levels[question.feature]:
        codes: Ints = cases.codes[slot, rows]
        return codes
    numbers = cases.numbers[slot, rows]
    above = (numbers - question.threshold >= SMALL).astype(np.int32)
    return np.where(np.isnan(numbers), np.int32(-1), above)


def dealt(question: Question, features: Features, cases: Cases, share: Share) -> list[Share]:
    """The share of each branch, by the proportions of the rows whose value is known."""
    branch = branches_of(question, features, cases, share.rows)
    fractions = _fractions(branch, share.weights, question.branches)
    missing = branch < 0
    dealings = []
    for number, fraction in enumerate(fractions):
        mine = branch == number
        takes = mine | missing if fraction > SMALL else mine
        weights = np.where(missing, fraction * share.weights, share.weights)
        dealings.append(Share(share.rows[takes], weights[takes]))
    return dealings


def _fractions(branch: Ints, weights: Array, branches: int) -> Array:
    known = branch >= 0
    bags = np.bincount(branch[known], weights[known], minlength=branches)
    total = bags.sum()
    return bags / total if total > SMALL else np.full(branches, 1.0 / branches)


def question_for(training: Training, rules: Rules, share: Share, counts: Array) -> Question | None:
    """The question of a node with these rows; none where it is to be a leaf."""
    total = counts.sum()
    if 2.0 * rules.min_instances - total > SMALL or total - counts.max() < SMALL:
        return None
    found = {
        feature: split
        for feature in range(len(training.averaged))
        if (split := _split(training, rules, share, feature))
    }
    feature = _best(found, training, rules)
    return None if feature is None else _question(training, feature, found[feature])


def _split(training: Training, rules: Rules, share: Share, feature: int) -> Split | None:
    slot, levels = int(training.features.slot[feature]), int(training.features.levels[feature])
    y = training.y[share.rows]
    if levels:
        codes = training.cases.codes[slot, share.rows]
        return nominal_split(codes, levels, y, share.weights, training.classes, rules)
    return numeric_split(training.cases.numbers[slot, share.rows], y, share.weights, training.classes, rules)


def _best(found: dict[int, Split], training: Training, rules: Rules) -> int | None:
    gains = [split.gain for feature, split in found.items() if training.averaged[feature]]
    if not gains:
        return None
    least = sum(gains) / len(gains) - BELOW_AVERAGE if rules.by_ratio else 0.0
    best, chosen = 0.0, None
    for feature, split in found.items():
        score = split.ratio if rules.by_ratio else split.gain
        if split.gain >= least and score - best > SMALL:
            best, chosen = score, feature
    return chosen


def _question(training: Training, feature: int, split: Split) -> Question:
    levels = int(training.features.levels[feature])
    if levels:
        return Question(feature, np.nan, levels)
    slot = training.features.slot[feature]
    threshold = largest_value(training.all_numbers[slot], training.ascending[slot], split.threshold)
    return Question(feature, threshold, 2)


def largest_value(numbers: Array, ascending: Array, middle: float) -> float:
    """The largest value of the training set that does not exceed the midpoint; NaN sorts last."""
    place = int(np.searchsorted(ascending, middle + SMALL, side="left")) - 1
    if place == 0 or ascending[place] - ascending[place - 1] > SMALL or ascending[place] == ascending[0]:
        return float(ascending[place])
    # Of values that are equal up to the margin the first that J48 meets stays.
    found = -np.inf
    for value in numbers[numbers - middle < SMALL].tolist():
        if value - found > SMALL:
            found = value
    return float(found)


class Split(NamedTuple):
    """``threshold`` is midway between two values of the node's rows; NaN for a nominal feature."""

    gain: float
    ratio: float
    threshold: float


def nominal_split(codes: Ints, levels: int, y: Ints, weights: Array, classes: int, rules: Rules) -> Split | None:
    """A branch for each level; none unless two branches are heavy enough."""
    known = codes >= 0
    place = codes[known].astype(np.intp) * classes + y[known]
    sums: Array = np.bincount(place, weights[known], minlength=levels * classes).astype(np.float64)
    counts = sums.reshape(levels, classes)
    bags = counts.sum(axis=1)
    if (rules.min_instances - bags < SMALL).sum() < 2:
        return None
    total = float(weights.sum())
    before = _bits(bags.sum()) - _bits(counts.sum(axis=0)).sum()
    gain = float(_gain(before - (_bits(bags).sum() - _bits(counts).sum()), bags.sum(), total))
    return Split(gain, _ratio(gain, bags, total), np.nan)


def numeric_split(numbers: Array, y: Ints, weights: Array, classes: int, rules: Rules) -> Split | None:
    """The threshold of the largest gain; none unless the gain pays for choosing among thresholds."""
    known = np.flatnonzero(~np.isnan(numbers))
    if len(known) == 0:
        return None
    known = known[np.argsort(numbers[known], kind="stable")]
    numbers = numbers[known]
    total = float(weights.sum())
    ends, sides = _allowed(numbers, _sums(y[known], weights[known], classes), classes, rules)
    if len(ends) == 0:
        return None
    gains = _gains(sides, total)
    best = _first_clearly_largest(gains)
    gain = 0.0 if best is None else float(gains[best])
    if rules.penalty:
        gain -= float(np.log2(len(ends))) / total
    if best is None or gain < SMALL:
        return None
    threshold = _midway(float(numbers[ends[best]]), float(numbers[ends[best] + 1]))
    return Split(gain, _ratio(gain, sides[:, best].sum(axis=1), total), threshold)


def _sums(y: Ints, weights: Array, classes: int) -> Array:
    """Weight of each class up to each row."""
    ones = np.zeros((len(y), classes))
    ones[np.arange(len(y)), y] = weights
    return np.cumsum(ones, axis=0)


def _allowed(numbers: Array, sums: Array, classes: int, rules: Rules) -> tuple[Array, Array]:
    """Places after which a threshold may lie, and the class weights on its two sides."""
    known = sums[-1].sum()
    least = SHARE_OF_CLASS * known / classes
    least = rules.min_instances if least - rules.min_instances < SMALL else min(least, CEILING)
    ends = np.flatnonzero(numbers[:-1] + GAP < numbers[1:])
    sides = np.stack([sums[ends], sums[-1] - sums[ends]])
    heavy = (least - sides.sum(axis=2) < SMALL).all(axis=0)
    return ends[heavy], sides[:, heavy]


def _gains(sides: Array, total: float) -> Array:
    known = sides[:, 0].sum()
    before = _bits(known) - _bits(sides[:, 0].sum(axis=0)).sum()
    after = (_bits(sides.sum(axis=2)) - _bits(sides).sum(axis=2)).sum(axis=0)
    return _gain(before - after, known, total)


def _bits(weights: Array) -> Array:
    """w log2 w, the entropy's part."""
    return weights * np.log2(np.where(weights < SMALL, 1.0, weights))


def _gain(saved: Array, known: float, total: float) -> Array:
    """Bits saved per row; rows whose value is missing save nothing."""
    saved = saved * (known / total)
    return np.where(saved < SMALL, 0.0, saved / known)


def _ratio(gain: float, bags: Array, total: float) -> float:
    """Gain per bit of the question itself; the missing are a branch of their own here."""
    whole, missing = _bits(np.array([total, total - bags.sum()]))
    bits = float(whole - missing - _bits(bags).sum())
    return 0.0 if bits < SMALL else gain / (bits / total)


def _first_clearly_largest(gains: Array) -> int | None:
    best, place = 0.0, None
    for index in np.flatnonzero(gains >= np.maximum.accumulate(gains)).tolist():
        if gains[index] - best > SMALL:
            best, place = gains[index], index
    return place


def _midway(low: float, high: float) -> float:
    middle = (low + high) / 2.0
    return low if middle == high else middle


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
