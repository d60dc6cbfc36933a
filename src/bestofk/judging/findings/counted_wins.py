"""Wins, ties and losses: a test on the folds of every data set by itself, and how often each learner wins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.comparing import chosen_test, compare_pairs, sample_of
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.evidence import Scores
from bestofk.stats.pairwise.sign_test import sign_test


class CountedWins(Record, kw_only=True):
    """``wins[i, j]``: data sets on which learner i is shown to be better than j by their folds; else ``ties``.

    ``won`` (pairs, data sets) is 1 where the first of a pair wins, −1 where the second does, 0 where they tie.
    ``sign_pvalue`` is the two-sided sign test of each pair on the *means*, wins or not: counting only significant wins
    throws most of the evidence away (Demšar 2006, section 3.1.4), so no p value belongs to these counts. Each data set
    and pair is tested at ``alpha`` by itself unless ``adjust`` says otherwise.
    """

    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    tests: tuple[str, ...]
    alpha: float
    pairs: tuple[tuple[str, str], ...]
    won: Array
    wins: Array
    ties: Array
    sign_pvalue: Array
    adjust: str = "none"

    @property
    def level(self) -> str:
        """The level of each win, in words that follow the test."""
        if len(self.pairs) == 1:
            return f" at {self.alpha:g}"
        how = "not adjusted" if self.adjust == "none" else f"adjusted by {self.adjust} for the pairs of each data set"
        return f", each at {self.alpha:g}, {how}"

    def of(self, first: str, second: str) -> tuple[int, int, int]:
        """Wins, ties and losses of the first against the second."""
        i, j = self.learners.index(first), self.learners.index(second)
        return int(self.wins[i, j]), int(self.ties[i, j]), int(self.wins[j, i])


def counted_wins(evidence: Scores, *, adjust: str = "none", alpha: float = 0.05, seed: int = 0) -> CountedWins:
    """Test the folds of every data set by themselves, by the test that fits them, every pair at ``alpha``, and count.

    Parameters
    ----------
    evidence : Scores
        Several data sets with folds.
    adjust, alpha
        Counts of wins are of single tests, so nothing is adjusted unless asked for: then the family is that of one data
        set's pairs, and nothing is adjusted over data sets.
    seed : int
    """
    alpha = level_inside(alpha, name="alpha", where="counted wins")
    if not isinstance(evidence, Scores) or len(evidence.datasets) < 2 or np.asarray(evidence.planned)[0].size < 2:
        raise InputError(
            "there are no folds of several data sets.", "counted wins", "give scores with folds per data set."
        )
    gaps = int(evidence.gaps.sum())
    if gaps:
        missing = f"{counted(gaps, 'result')} {'is' if gaps == 1 else 'are'} missing."
        raise InputError(missing, "counted wins", "complete them, or leave data sets out.")
    won, tests = [], []
    for name in evidence.datasets:
        alone = _one(evidence, name)
        choice = chosen_test("auto", sample_of(alone))
        found = compare_pairs(alone, choice=choice, adjust=adjust, alpha=alpha, seed=seed)
        if not found.decidable:
            few = f"{found.sample.units_text}, {name}, cannot show any difference by {found.test}."
            raise InputError(few, "counted wins", "give more folds, or leave the data set out.")
        won.append(np.where(found.significant, found.better, 0.0))
        tests.append(choice.test)
    return _counted(evidence, np.stack(won, axis=1), tuple(tests), alpha, adjust)


def _one(evidence: Scores, dataset: str) -> Scores:
    """One data set, with the folds that it has."""
    alone = evidence.without(datasets=[name for name in evidence.datasets if name != dataset])
    planned = np.asarray(alone.planned)[0]
    replications, folds = np.flatnonzero(planned.any(axis=1)), np.flatnonzero(planned.any(axis=0))
    if planned.sum() != len(replications) * len(folds):
        raise InputError(
            f"data set {dataset} has replications with different numbers of folds.",
            "counted wins",
            "give every replication the same folds.",
        )
    # The same kind of evidence: how its rows were divided decides which test its folds allow.
    return replace(
        alone,
        values=alone.values[:, :, replications][..., folds],
        planned=None,
        replications=tuple(alone.replications[i] for i in replications),
        folds=tuple(alone.folds[i] for i in folds),
        others={},
        measured_costs={},
        counts=None,
        fingerprints=None,
    )


def _counted(evidence: Scores, won: Array, tests: tuple[str, ...], alpha: float, adjust: str) -> CountedWins:
    k = len(evidence.learners)
    first, second = np.triu_indices(k, 1)
    wins, ties = np.zeros((k, k)), np.zeros((k, k))
    wins[first, second], wins[second, first] = (won > 0).sum(axis=1), (won < 0).sum(axis=1)
    ties[first, second] = ties[second, first] = (won == 0).sum(axis=1)
    losses = sample_of(evidence).rows
    return CountedWins(
        learners=evidence.learners,
        datasets=evidence.datasets,
        tests=tests,
        alpha=alpha,
        adjust=adjust,
        pairs=tuple((evidence.learners[i], evidence.learners[j]) for i, j in zip(first, second, strict=True)),
        won=won,
        wins=wins,
        ties=ties,
        sign_pvalue=np.asarray(sign_test(losses[first], losses[second]).pvalue),
    )
