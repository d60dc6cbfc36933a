"""Judging scores of one data set by MultiTest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bestofk.core.registry import registry
from bestofk.evidence import Scores
from bestofk.judging.choice import fitting_test
from bestofk.judging.verdict import Reason, Status, Verdict
from bestofk.ordering import multitest
from bestofk.stats.intake import Array
from bestofk.stats.method import method_of


def judge_scores(
    scores: Scores,
    *,
    prior: Sequence[str] | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    adjust: str = "bonferroni",
) -> Verdict:
    """Order the learners by MultiTest and say how sure the first place is."""
    _, replications, folds = scores.values.shape
    test, why = fitting_test(replications, folds) if test == "auto" else (test, "it was asked for")
    losses = scores.losses()
    means = {name: float(values.mean()) for name, values in scores.losses().items()}
    # Without a preference the learners are listed by mean loss, equal ones by name.
    preferred = tuple(prior) if prior is not None else tuple(sorted(means, key=lambda name: (means[name], name)))
    ordering = multitest(losses, preferred, test=test, alpha=alpha, adjust=adjust)
    pvalues = _two_sided(losses, ordering.order, test, adjust)
    edges = set(ordering.edges)

    def is_significant(better: int, worse: int) -> bool:
        pair = (ordering.order[worse], ordering.order[better])
        return pair in edges or bool(pvalues[better, worse] <= alpha)

    rivals = tuple(name for i, name in enumerate(ordering.order) if i > 0 and not is_significant(0, i))
    reasons = tuple(
        Reason(
            better=a,
            worse=b,
            significant=is_significant(i, i + 1),
            difference=means[b] - means[a],
            pvalue=float(pvalues[i, i + 1]),
        )
        for i, (a, b) in enumerate(zip(ordering.order, ordering.order[1:], strict=False))
    )
    sign = -1.0 if scores.larger_is_better else 1.0
    return Verdict(
        best=ordering.best,
        order=ordering.order,
        status=_status(rivals, prior),
        rivals=rivals,
        reasons=reasons,
        test=test,
        why_test=why,
        adjust=adjust,
        alpha=alpha,
        means={name: sign * means[name] for name in ordering.order},
        prior=None if prior is None else preferred,
        evidence=repr(scores),
        ordering=ordering,
    )


def _status(rivals: tuple[str, ...], prior: Sequence[str] | None) -> Status:
    if not rivals:
        return "decided"
    return "tied" if prior is None else "preferred"


def _two_sided(losses: dict[str, Array], order: tuple[str, ...], test: str, adjust: str) -> Array:
    """Adjusted two-sided p values of all pairs as a table over the order; 1 where the lower one loses less.

    Twice the one-sided p in the direction of the order: the two-sided p that also knows its direction.
    """
    run = registry("pairwise").load(test)
    table = np.stack([losses[name] for name in order])
    if method_of(run).axes == 1:
        table = table.reshape(len(order), -1)
    first, second = np.triu_indices(len(order), 1)
    one_sided = run(table[first], table[second], alternative="less").pvalue
    pvalues = np.ones((len(order), len(order)))
    pvalues[first, second] = registry("adjust").load(adjust)(np.minimum(1.0, 2.0 * one_sided))
    return pvalues
