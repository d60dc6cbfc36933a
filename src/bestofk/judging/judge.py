"""Judging scores of one data set by MultiTest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.registry import registry
from bestofk.evidence import Scores
from bestofk.judging.choice import chosen_test
from bestofk.judging.pairs import Pairs, all_pairs
from bestofk.judging.verdict import Ground, Reason, Verdict
from bestofk.ordering import MultiTestOrder, multitest
from bestofk.stats.method import method_of


def judge_scores(
    scores: Scores,
    *,
    prior: Sequence[str] | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    adjust: str = "bonferroni",
    seed: int = 0,
) -> Verdict:
    """Order the learners and say how sure the first place is."""
    if isinstance(prior, str):
        raise InputError(
            f"prior is {prior!r}.", "judge, argument prior", "give a list of learners, most preferred first."
        )
    test, why = chosen_test(test, *scores.values.shape[1:])
    facts = method_of(registry("pairwise").load(test))
    options: dict[str, Any] = {"rng": seed} if facts.seeded else {}
    losses = scores.losses(facts.axes_with(options))
    pairs = all_pairs(losses, test, adjust, options)
    ordering = None
    if prior is not None:
        ordering = multitest(losses, prior, test=test, alpha=alpha, adjust=adjust, **options)
    order = ordering.order if ordering is not None else _by_mean(scores)
    shown = _Shown(pairs, ordering, alpha)
    rivals = tuple(name for name in order[1:] if not shown.significant(order[0], name))
    means = scores.means()
    return Verdict(
        best=order[0],
        order=order,
        status="decided" if not rivals else "tied" if prior is None else "preferred",
        rivals=rivals,
        overtaken=_overtaken(order[0], ordering),
        reasons=tuple(shown.reason(a, b) for a, b in pairwise(order)),
        measure=scores.measure,
        larger_is_better=scores.larger_is_better,
        means={name: means[name] for name in order},
        test=test,
        why_test=why,
        adjust=adjust,
        alpha=alpha,
        seed=seed,
        prior=None if prior is None else tuple(prior),
        evidence=repr(scores),
        ordering=ordering,
    )


def _by_mean(scores: Scores) -> tuple[str, ...]:
    means, sign = scores.means(), -1.0 if scores.larger_is_better else 1.0
    return tuple(sorted(means, key=lambda name: (sign * means[name], name)))


def _overtaken(best: str, ordering: MultiTestOrder | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Learners preferred to the best, each with those that are shown to beat it."""
    if ordering is None:
        return ()
    preferred = ordering.prior[: ordering.prior.index(best)]
    return tuple((name, tuple(head for tail, head in ordering.edges if tail == name)) for name in preferred)


class _Shown:
    """What the tests show of a pair: MultiTest's own one-sided answer where it asked, the two-sided one elsewhere."""

    def __init__(self, pairs: Pairs, ordering: MultiTestOrder | None, alpha: float) -> None:
        self.pairs, self.ordering, self.alpha = pairs, ordering, alpha
        self.edges = set(ordering.edges) if ordering is not None else set()

    def significant(self, better: str, worse: str) -> bool:
        return (worse, better) in self.edges or self.pairs.shows(better, worse, self.alpha)

    def reason(self, better: str, worse: str) -> Reason:
        two_sided = self.pairs.p(better, worse)
        ground: Ground
        if self.ordering is None:
            ground = "significant" if self.pairs.shows(better, worse, self.alpha) else "mean"
            return Reason(better=better, worse=worse, ground=ground, question="two-sided", pvalue=two_sided)
        if self.ordering.prior.index(better) > self.ordering.prior.index(worse):
            ground = "significant" if (worse, better) in self.edges else "graph"
            p = self._one_sided(worse, better)
        elif self.pairs.shows(better, worse, self.alpha):
            return Reason(better=better, worse=worse, ground="significant", question="two-sided", pvalue=two_sided)
        else:
            ground, p = "preferred", self._one_sided(better, worse)
        return Reason(better=better, worse=worse, ground=ground, question="one-sided", pvalue=p)

    def _one_sided(self, preferred: str, other: str) -> float:
        assert self.ordering is not None
        return float(self.ordering.adjusted[self.ordering.pairs.index((preferred, other))])
