"""The verbs: read · order · judge. Composition only, no mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.registry import registry
from bestofk.evidence import Scores, read_table
from bestofk.judging import Verdict, chosen_test, judge_scores
from bestofk.ordering import MultiTestOrder, multitest
from bestofk.stats.method import method_of


def read(path: str | Path, *, larger_is_better: bool | None = None) -> Scores:
    """Read a CSV of folds: columns learner, replication (if repeated), fold and one measure.

    Replications and folds are taken in the order of their names (numbers by value), not of the rows: tests such as
    5x2cv-t look at the first fold. ``larger_is_better`` gives the direction of a measure that bestofk does not know.
    """
    return read_table(path, larger_is_better=larger_is_better)


def order(
    evidence: Scores, *, prior: Sequence[str] | None = None, test: str = "auto", **options: Any
) -> MultiTestOrder:
    """Order the learners by MultiTest; ``prior`` lists them most preferred first, ``auto`` takes the test that fits."""
    chosen, _ = chosen_test(test, *_scores(evidence).values.shape[1:])
    losses = evidence.losses(method_of(registry("pairwise").load(chosen)).axes_with(options))
    return multitest(losses, prior, test=chosen, **options)


def judge(
    evidence: Scores,
    *,
    prior: Sequence[str] | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    adjust: str = "bonferroni",
    seed: int = 0,
) -> Verdict:
    """Say which learner is best, in what order the others follow, and how sure that is.

    Parameters
    ----------
    evidence : Scores
        What ``read`` returns.
    prior : sequence of str, optional
        Learners, most preferred first. Without it nothing decides between learners that the data do not separate.
    test : str
        A pairwise test (``bestofk list pairwise``), or ``auto``: the one that fits the folds.
    alpha : float
        Family-wise level for all pairs.
    adjust : str
        How p values are adjusted for all pairs (``bestofk list adjust``), or ``none``.
    seed : int
        For tests that shuffle; the same seed gives the same verdict.

    Returns
    -------
    Verdict
        ``best``, ``order``, ``status`` (decided, preferred, tied), ``rivals``, ``reasons``; ``repr`` says it in words.
    """
    return judge_scores(_scores(evidence), prior=prior, test=test, alpha=alpha, adjust=adjust, seed=seed)


def _scores(evidence: object) -> Scores:
    if not isinstance(evidence, Scores):
        raise InputError(
            f"the evidence is a {type(evidence).__name__}.",
            "argument evidence",
            "give bestofk.read('results.csv').",
        )
    return evidence
