"""Which learner each method selects as best in every run: the paper's tests, its level and its prior."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.ordering import anova_best, multitest, newman_keuls_best, test_first
from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table import Labels
from bestofk.stats.pairwise import PAIRWISE

#: Rows of Table 3; the last three are the columns of Table 2.
METHODS = ("Anova", "TestFirst", "Newman-Keuls", "MultiTest")
NOT_FOUND = "not found"
ALPHA = 0.05
#: Means of 10 folds that differ by less are equal: only rounding tells them apart.
EQUAL = 1e-12


class Choice(Record):
    """How often a method selects each learner on a data set: ``counts`` of NOT_FOUND, then of LEARNERS."""

    dataset: str
    method: str
    counts: tuple[int, ...]

    @property
    def runs(self) -> int:
        """Runs in all."""
        return sum(self.counts)

    def percent(self, selected: str) -> float:
        """Share of the runs in which it was selected, in percent."""
        return 100.0 * self.counts[SELECTED.index(selected)] / self.runs

    def place(self, place: int) -> tuple[str, float] | None:
        """The most (1) or second most (2) selected and its percentage, None where nothing else was selected."""
        ranked = sorted(range(len(SELECTED)), key=lambda i: (-self.counts[i], i))
        at = ranked[place - 1]
        return (SELECTED[at], self.percent(SELECTED[at])) if self.counts[at] else None


#: What a method can say, in the order of ``Choice.counts``.
SELECTED = (NOT_FOUND, *LEARNERS)


@dataclass(frozen=True)
class Tests:
    """The pairwise test of MultiTest and TestFirst, and MultiTest's adjustment for all pairs."""

    pairwise: str
    adjust: str


#: The paper's, and what one would take today.
PAPER, TODAY = Tests("5x2cv-t", "bonferroni"), Tests("corrected-t", "holm")


def choices_of(dataset: str, errors: Array, seed: int, tests: Tests = PAPER) -> dict[str, Choice]:
    """Choices of all four methods from errors (learners, runs, 5, 2) on one data set.

    The seed draws between learners of equal mean in TestFirst.
    """
    losses = errors.transpose(1, 0, 2, 3)
    flat = losses.reshape(*losses.shape[:2], 10)
    best = {
        "Anova": anova_best(flat, alpha=ALPHA),
        "TestFirst": first_tested(losses, np.random.default_rng([seed, crc32(dataset.encode())]), tests.pairwise),
        "Newman-Keuls": newman_keuls_best(flat, alpha=ALPHA),
        "MultiTest": multitest(losses, test=tests.pairwise, adjust=tests.adjust, alpha=ALPHA).best,
    }
    return {method: Choice(dataset, method, _counted(best[method])) for method in METHODS}


def first_tested(losses: Array, random: np.random.Generator, test: str = PAPER.pairwise) -> Labels:
    """TestFirst of (runs, K, 5, 2), where learners of equal mean error come first in a random order.

    ``ordering.test_first`` gives equal means to the simpler learner. The paper does not say; a draw fits its Table 2
    best (flare: MAX and the pruned tree are often the same).
    """
    run = PAIRWISE[test]
    best = np.array(test_first(losses, test=test, alpha=ALPHA))
    means = losses.mean(axis=(2, 3))
    first = means <= means.min(axis=1, keepdims=True) + EQUAL
    for at in np.flatnonzero(first.sum(axis=1) > 1):
        drawn = int(random.choice(np.flatnonzero(first[at])))
        simpler = [losses[at, i] for i in range(drawn)]
        shown = [run(each, losses[at, drawn], alternative="greater").pvalue <= _level() for each in simpler]
        best[at] = drawn if all(shown) else -1
    return best


def _level() -> float:
    """Of one of the K(K − 1)/2 pairs of learners: Bonferroni."""
    return 2 * ALPHA / (len(LEARNERS) * (len(LEARNERS) - 1))


def _counted(best: Labels) -> tuple[int, ...]:
    return tuple(np.bincount(np.asarray(best) + 1, minlength=len(SELECTED)).tolist())
