"""What a verdict knows beyond its order, found when it is first read: it may take a second, and not everybody asks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence import Evidence, Scores
from bestofk.judging.bayes_pair import BayesPair, bayes_pair
from bestofk.judging.counted_wins import CountedWins, counted_wins
from bestofk.judging.detectable import DetectableTable, detectable_of
from bestofk.judging.mean_ranks import MeanRanks, mean_ranks
from bestofk.judging.other_goods import OtherGoods, other_goods
from bestofk.judging.robustness import Sensitivity
from bestofk.judging.sensitivity import FEWEST_RESAMPLES, sensitivity_of
from bestofk.judging.strongest_rival import strongest_rival
from bestofk.judging.two_learners import TwoLearners, two_learners
from bestofk.judging.where_it_wins import FEWEST, WhereItWins, where_it_wins
from bestofk.ordering import Ordering

#: Values of pairs that each part of the sensitivity may look at: about a second. Where leaving out two data sets takes
#: more, one is left out at a time; where that does too, nothing is tried: ``sensitivity_of`` does when it is asked.
EFFORT, MOST_ONE = 1_500_000, 500_000

#: Record of the JSON document that are found here.
NAMES = (
    "two_learners",
    "mean_ranks",
    "bayes",
    "sensitivity",
    "detectable",
    "counted_wins",
    "other_goods",
    "where_it_wins",
    "not_looked_at",
)


class Findings:
    """The lazy part of a verdict; every finding is None where the design has none."""

    comparison: Comparison
    ordering: Ordering
    order: tuple[str, ...]
    rivals: tuple[str, ...]
    beaten_by: tuple[str, ...]
    evidence: Evidence | None
    rope: float | None
    features: Mapping[str, Any] | None

    @property
    def closest(self) -> tuple[str, str]:
        """The first of the order and its strongest rival: the pair that figures and Bayesian tests look at."""
        return self.order[0], strongest_rival(self.order, (*self.rivals, *self.beaten_by), self.comparison)

    @property
    def not_looked_at(self) -> str:
        """Why other choices of data sets were not tried, in words; empty where they were, or there are none."""
        if not isinstance(self.evidence, Scores) or self.comparison.kind != "datasets":
            return ""
        datasets, pairs = len(self.evidence.datasets), len(self.comparison.pairs)
        work = pairs * datasets * max(datasets, FEWEST_RESAMPLES)
        if work <= MOST_ONE:
            return ""
        size = f"{counted(pairs, 'pair')} on {counted(datasets, 'data set')}, one left out at a time or drawn anew,"
        are = "is" if pairs == 1 else "are"
        return f"{size} {are} {work:,} values, more than the {MOST_ONE:,} that a verdict looks at by itself"

    @cached_property
    def sensitivity(self) -> Sensitivity | None:
        """How the conclusions stand other choices of data sets (``docs/datasets_choice.md``)."""
        if self.evidence is None or self.not_looked_at:
            return None
        return sensitivity_of(self.evidence, self.comparison, self.ordering, seed=self.comparison.seed, effort=EFFORT)

    @cached_property
    def detectable(self) -> DetectableTable | None:
        """What could have been seen, for every pair that is not told apart."""
        return None if self.evidence is None else detectable_of(self.comparison)

    @cached_property
    def other_goods(self) -> OtherGoods | None:
        """Times, sizes and prices beside the measure; None with a control, which compares too few pairs."""
        if self.evidence is None or self.comparison.control is not None:
            return None
        return other_goods(self.evidence, self.comparison)

    @cached_property
    def counted_wins(self) -> CountedWins | None:
        """Wins, ties and losses by the folds of every data set; None without such folds."""
        scores = self.evidence
        if not isinstance(scores, Scores) or self.comparison.kind != "datasets":
            return None
        if int(np.asarray(scores.planned).sum(axis=(1, 2)).min()) < 2 or scores.gaps.any():
            return None
        try:
            return counted_wins(scores, alpha=self.comparison.alpha, seed=self.comparison.seed)
        except InputError:  # folds that no test takes, such as two of one run: the means were compared all the same
            return None

    @cached_property
    def two_learners(self) -> TwoLearners | None:
        """The tests of two learners side by side; None for more learners."""
        return None if self.evidence is None else two_learners(self.evidence, self.comparison, *self.order[:2])

    @cached_property
    def mean_ranks(self) -> MeanRanks | None:
        """Ranks of three learners or more over data sets, with the groups that are not told apart."""
        return None if self.evidence is None else mean_ranks(self.evidence, self.comparison)

    @cached_property
    def bayes(self) -> BayesPair | None:
        """The first and its strongest rival (``closest``) by Bayesian tests over data sets."""
        if self.evidence is None:
            return None
        return bayes_pair(self.evidence, self.comparison, *self.closest, rope=self.rope)

    @property
    def features_not_used(self) -> str:
        """Why features of data sets that were given say nothing, in words; empty where they do, or none were given."""
        scores = self.evidence
        if self.features is None:
            return ""
        if not isinstance(scores, Scores) or self.comparison.kind != "datasets":
            return f"{self.comparison.design} are not several data sets"
        if len(scores.datasets) < FEWEST:
            return f"{counted(len(scores.datasets), 'data set')} are fewer than the {FEWEST} that they need"
        return "results are missing" if scores.gaps.any() else ""

    @cached_property
    def where_it_wins(self) -> WhereItWins | None:
        """Features of data sets that go with the difference of ``closest``; None unless features were given."""
        scores = self.evidence
        if self.features is None or self.features_not_used or not isinstance(scores, Scores):
            return None
        first, second = self.closest
        alpha, seed = self.comparison.alpha, self.comparison.seed
        return where_it_wins(scores, self.features, first=first, second=second, alpha=alpha, seed=seed)
