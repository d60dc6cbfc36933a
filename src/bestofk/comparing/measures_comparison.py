"""Every pair of learners in several measures at once, as fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.names import unknown
from bestofk.core.record import Record
from bestofk.evidence.vectors import VectorMeasure

#: first, second: that learner is shown to be better in every measure, and the test of all tells the two apart.
#: trade-off: they are told apart, and each is shown to be better in some measure. differ: they are told apart, and
#: neither is shown. alike: they are not told apart.
Relation = Literal["first", "second", "trade-off", "differ", "alike"]


class MeasureTest(Record):
    """One measure of one pair: ``difference`` is first minus second in its units; ``adjusted`` is for all of them.

    ``better`` is the learner with the better mean, None where the means are equal.
    """

    measure: str
    first_mean: float
    second_mean: float
    difference: float
    statistic: float
    pvalue: float
    adjusted: float
    significant: bool
    better: str | None


class MeasuresPair(Record, kw_only=True):
    """Two learners. ``statistic`` is T², ``direction`` the weights S⁻¹d̄ of the measures that part them most.

    ``weights`` are the same for measures in units of the standard deviation of their differences, of unit length.
    ``rank`` is the number of measures that vary independently. ``error`` is the test on the error alone, None where the
    error is not known. ``dominance_pvalue`` is that of the intersection–union test that one of the two, whichever it
    is, is better in every measure; ``dominance_adjusted`` is adjusted for all pairs by Holm. ``relation`` says what is
    shown.
    """

    first: str
    second: str
    statistic: float
    f_statistic: float | None
    df: tuple[float, ...]
    rank: int
    pvalue: float
    adjusted: float
    significant: bool
    direction: dict[str, float]
    weights: dict[str, float]
    tests: tuple[MeasureTest, ...]
    error: MeasureTest | None
    relation: Relation
    dominance_pvalue: float
    dominance_adjusted: float

    @property
    def dominating(self) -> str | None:
        """The learner that dominates the other, with significance."""
        return {"first": self.first, "second": self.second}.get(self.relation)

    @property
    def names_a_measure(self) -> bool:
        """Whether some single measure is shown to differ."""
        return any(test.significant for test in self.tests)

    def in_measure(self, measure: str) -> MeasureTest:
        """The test of one measure."""
        found = next((test for test in self.tests if test.measure == measure), None)
        if found is None:
            raise unknown(measure, [test.measure for test in self.tests], what="measure", where="in_measure")
        return found

    def shown(self, learner: str) -> tuple[MeasureTest, ...]:
        """Measures in which this learner is shown to be better."""
        return tuple(test for test in self.tests if test.significant and test.better == learner)


class ManovaCriterion(Record):
    """One of the four criteria of a MANOVA."""

    name: str
    statistic: float
    f_statistic: float
    df: tuple[float, ...]
    pvalue: float


class ManovaOver(Record, kw_only=True):
    """MANOVA over all learners. ``direction`` is the first discriminant, of unit length.

    ``weights`` are the same for measures in units of their standard deviation within learners, of unit length.
    ``collinear``: the first eigenvalue is more than 0.9 of their sum, so one combination tells the learners apart.
    ``measure_pvalues`` are those of an ANOVA per measure.
    """

    test: str
    criteria: tuple[ManovaCriterion, ...]
    pvalue: float
    significant: bool
    eigenvalues: tuple[float, ...]
    share: float
    collinear: bool
    rank: int
    direction: dict[str, float]
    weights: dict[str, float]
    measure_pvalues: dict[str, float]


class MeasuresComparison(Record, kw_only=True):
    """All pairs by one multivariate test, the measures one by one after it, and one test over all learners.

    ``rows`` folds, data sets or items were compared; ``over`` is the test over all of three learners or more,
    ``over_pvalue`` its p value and ``manova`` its details where it is a MANOVA. ``error_means`` are empty where the
    error is not known; ``error_of`` says what the error is of where thresholds are named. ``filled`` are
    the measures that are 0/0 somewhere, and what that counts as.
    """

    learners: tuple[str, ...]
    measures: tuple[VectorMeasure, ...]
    means: dict[str, dict[str, float]]
    error_means: dict[str, float]
    evidence: str
    design: str
    kind: Literal["folds", "datasets", "items"]
    rows: int
    test: str
    measure_test: str
    why_test: str
    test_fraction: float | None
    adjust: str
    alpha: float
    seed: int
    pairs: tuple[MeasuresPair, ...]
    over: str
    over_pvalue: float | None
    manova: ManovaOver | None
    left_out: str = ""
    error_of: str = ""
    filled: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(measure.name for measure in self.measures)

    @property
    def of_areas(self) -> bool:
        """Whether areas under ROC curves were compared: the one measure that is judged by itself here."""
        return self.names == ("auc",)

    @cached_property
    def _by_names(self) -> dict[frozenset[str], MeasuresPair]:
        return {frozenset((each.first, each.second)): each for each in self.pairs}

    def pair(self, first: str, second: str) -> MeasuresPair:
        """The pair, in the order in which it was compared."""
        found = self._by_names.get(frozenset((first, second)))
        if found is None:
            known = ", ".join(self.learners)
            raise InputError(f"{first} and {second} were not compared.", "comparison", f"name two of: {known}.")
        return found

    def table(self) -> list[dict[str, Any]]:
        """One dict per pair, ready for a table."""
        return [
            {
                "first": each.first,
                "second": each.second,
                "statistic": each.statistic,
                "pvalue": each.pvalue,
                "adjusted": each.adjusted,
                "significant": each.significant,
                "relation": each.relation,
                **{f"difference {test.measure}": test.difference for test in each.tests},
                **{f"adjusted {test.measure}": test.adjusted for test in each.tests},
            }
            for each in self.pairs
        ]

    def frame(self) -> Any:
        """Return one row per pair as a pandas data frame."""
        return need("pandas", purpose="a data frame of the comparison").DataFrame(self.table())

    def __repr__(self) -> str:
        differ = sum(each.significant for each in self.pairs)
        return f"{differ} of {len(self.pairs)} pairs differ in {', '.join(self.names)} by {self.test}"
