"""What a verdict knows beyond its order, found when it is first read: it may take a second, and not everybody asks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.errors import InputError
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.ordering import Ordering

if TYPE_CHECKING:
    from bestofk.judging.findings.aggregates import Aggregates
    from bestofk.judging.findings.by_group import ByGroup
    from bestofk.judging.findings.counted_wins import CountedWins
    from bestofk.judging.findings.detectable import DetectableTable
    from bestofk.judging.findings.orders import MeanRanks, MeasureOrders
    from bestofk.judging.findings.pareto_front import ParetoFront
    from bestofk.judging.findings.roc import CostsOfMistakes, RocCurves
    from bestofk.judging.findings.sensitivity import Sensitivity
    from bestofk.judging.findings.two_learners import BayesPair, FoldChances, TwoLearners
    from bestofk.judging.findings.where_it_wins import WhereItWins
    from bestofk.judging.good_enough import Within

#: Values of pairs that each part of the sensitivity may look at: about a second. Where leaving out two data sets takes
#: more, one is left out at a time; where that does too, nothing is tried: ``sensitivity_of`` does when it is asked.
EFFORT, MOST_ONE = 1_500_000, 500_000

#: Findings in the JSON document.
NAMES = (
    "two_learners",
    "mean_ranks",
    "bayes",
    "bayes_folds",
    "sensitivity",
    "detectable",
    "counted_wins",
    "aggregates",
    "pareto_front",
    "where_it_wins",
    "by_group",
    "roc",
    "mistake_costs",
    "measure_orders",
    "filled_in",
)


class Findings:
    """The lazy part of a verdict; every finding is None where the evidence has none."""

    comparison: Comparison
    ordering: Ordering
    order: tuple[str, ...]
    evidence: Evidence | None
    rope: float | None
    within: Within | None
    features: Mapping[str, Any] | None

    @property
    def rivals(self) -> tuple[str, ...]:
        """Learners that are not shown to be worse than the first."""
        raise NotImplementedError

    @property
    def beaten_by(self) -> tuple[str, ...]:
        """Learners that are shown to be better than the first."""
        raise NotImplementedError

    @property
    def closest(self) -> tuple[str, str]:
        """The first of the order and the learner that most calls it into question: figures look at these two.

        Of those not shown to be worse than the first the one of the best mean, else of all. The second of an order by
        preference may be the worst of all: a picture of it says nothing about the choice. Only learners that were
        compared with the first count.
        """
        first, comparison = self.order[0], self.comparison
        others = [name for name in self.order[1:] if comparison.compared(first, name)]
        open_ = {*self.rivals, *self.beaten_by}
        asked = [name for name in others if name in open_] or others
        sign = -1.0 if comparison.larger_is_better else 1.0
        return first, min(asked, key=lambda name: (sign * comparison.means[name], self.order.index(name)))

    @property
    def telling(self) -> tuple[str, str]:
        """Of several measures the pair that says the most: different by the vectors and not by the error."""
        pairs = [self.comparison.pair(*names) for names in self.comparison.pairs]

        def rank(pair: Any) -> tuple[bool, bool, float]:
            error = None if pair.vector is None else pair.vector.error
            hidden = pair.significant and error is not None and not error.significant
            return not hidden, not any(part.significant for part in pair.parts), pair.pvalue

        pair = min(pairs, key=rank)
        first, second = sorted((pair.first, pair.second), key=self.order.index)
        return first, second

    @property
    def _over_datasets(self) -> Scores | None:
        """Scores of one measure over several data sets."""
        scores, comparison = self.evidence, self.comparison
        right = isinstance(scores, Scores) and comparison.kind == "datasets" and comparison.several is None
        return scores if right and isinstance(scores, Scores) else None

    @property
    def sensitivity_work(self) -> int:
        """Values that other choices of data sets look at; more than ``MOST_ONE`` are not looked at."""
        from bestofk.judging.findings.sensitivity import FEWEST_RESAMPLES

        scores = self._over_datasets
        if scores is None:
            return 0
        return len(self.comparison.pairs) * len(scores.datasets) * max(len(scores.datasets), FEWEST_RESAMPLES)

    @cached_property
    def sensitivity(self) -> Sensitivity | None:
        """How the conclusions stand other choices of data sets (``docs/explanation/datasets_choice.md``)."""
        from bestofk.judging.findings.sensitivity import sensitivity_of

        scores = self._over_datasets
        if scores is None or self.sensitivity_work > MOST_ONE:
            return None
        ordering = None if self.within is not None else self.ordering  # who is good enough is another question
        return sensitivity_of(scores, self.comparison, ordering, seed=self.comparison.seed, effort=EFFORT)

    @cached_property
    def detectable(self) -> DetectableTable | None:
        """What could have been seen, for every pair that is not shown to differ."""
        from bestofk.judging.findings.detectable import detectable_of

        return detectable_of(self.comparison)

    @cached_property
    def pareto_front(self) -> ParetoFront | None:
        """Times, sizes and prices beside the measure; None with a control, which compares too few pairs."""
        from bestofk.judging.findings.pareto_front import pareto_front

        comparison = self.comparison
        if self.evidence is None or comparison.control is not None or comparison.several is not None:
            return None
        return pareto_front(self.evidence, comparison)

    @cached_property
    def counted_wins(self) -> CountedWins | None:
        """Wins, ties and losses by the folds of every data set; None without such folds."""
        from bestofk.judging.findings.counted_wins import counted_wins

        scores = self._over_datasets
        if scores is None or int(np.asarray(scores.planned).sum(axis=(1, 2)).min()) < 2 or scores.gaps.any():
            return None
        try:
            return counted_wins(scores, alpha=self.comparison.alpha, seed=self.comparison.seed)
        except InputError:  # folds that no test takes, such as two of one run: the means were compared all the same
            return None

    @cached_property
    def aggregates(self) -> Aggregates | None:
        """Interquartile means and probabilities of improvement of runs on several tasks."""
        from bestofk.judging.findings.aggregates import aggregates_of

        return aggregates_of(self.comparison, self.order)

    @cached_property
    def two_learners(self) -> TwoLearners | None:
        """The tests of two learners side by side; None for more learners."""
        from bestofk.judging.findings.two_learners import two_learners

        scores = self._over_datasets
        return None if scores is None else two_learners(scores, self.comparison, *self.order[:2])

    @cached_property
    def mean_ranks(self) -> MeanRanks | None:
        """Ranks of three learners or more over data sets, with the groups that do not differ."""
        from bestofk.judging.findings.orders import mean_ranks

        return None if self._over_datasets is None else mean_ranks(self.comparison)

    @cached_property
    def bayes(self) -> BayesPair | None:
        """The first and its strongest rival (``closest``) by Bayesian tests over data sets."""
        from bestofk.judging.findings.two_learners import bayes_pair

        scores = self._over_datasets
        return None if scores is None else bayes_pair(scores, self.comparison, *self.closest, rope=self.rope)

    @cached_property
    def bayes_folds(self) -> FoldChances | None:
        """The same two by the Bayesian correlated t test on the folds of one data set, where a rope was given."""
        from bestofk.judging.findings.two_learners import fold_chances

        return None if self.rope is None else fold_chances(self.comparison, *self.closest, self.rope)

    @property
    def features_are_used(self) -> bool:
        """Whether features of data sets that were given can say something: over enough data sets without gaps."""
        scores = self._over_datasets
        from bestofk.judging.findings.where_it_wins import FEWEST

        return scores is not None and len(scores.datasets) >= FEWEST and not scores.gaps.any()

    @cached_property
    def where_it_wins(self) -> WhereItWins | None:
        """Features of data sets that go with the difference of ``closest``; None unless features were given."""
        from bestofk.judging.findings.where_it_wins import where_it_wins

        scores = self._over_datasets
        if self.features is None or scores is None or not self.features_are_used:
            return None
        first, second = self.closest
        alpha, seed = self.comparison.alpha, self.comparison.seed
        return where_it_wins(scores, self.features, first=first, second=second, alpha=alpha, seed=seed)

    @cached_property
    def by_group(self) -> ByGroup | None:
        """Means of every learner in every group of items."""
        from bestofk.judging.findings.by_group import by_group

        return by_group(self.evidence)

    @cached_property
    def roc(self) -> RocCurves | None:
        """ROC curves, areas and their hull, where there are probabilities of items."""
        from bestofk.judging.findings.roc import roc_curves

        items = self.evidence.items if isinstance(self.evidence, Vectors) else None
        return roc_curves(items) if items is not None and items.complete else None

    @cached_property
    def mistake_costs(self) -> CostsOfMistakes | None:
        """For which costs of mistakes each learner is best, by counts of one data set or by the hull of curves."""
        from bestofk.judging.findings.roc import costs_of_mistakes

        if not isinstance(self.evidence, Vectors):
            return None
        if self.roc is not None and self.evidence.is_area:
            return self.roc.costs
        return costs_of_mistakes(self.evidence)

    @cached_property
    def measure_orders(self) -> MeasureOrders | None:
        """Each of several measures by itself."""
        from bestofk.judging.findings.orders import measure_orders

        return measure_orders(self.comparison)
