"""From vectors to all pairs: the multivariate test, the measures one by one, and one test over all learners."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from bestofk.comparing.measures_comparison import MeasuresComparison, MeasuresPair, MeasureTest
from bestofk.comparing.measures_dominance import different_measures, dominance_of_pairs, relation_of
from bestofk.comparing.measures_manova import over_all, scaled_weights
from bestofk.comparing.measures_tests import MeasuresDesign, VectorTests, measures_design, vector_tests
from bestofk.core.arrays import Array, without_rounding
from bestofk.core.options import level_inside
from bestofk.evidence.vectors import VectorMeasure, Vectors
from bestofk.stats.adjust import ADJUST

_ERROR = VectorMeasure("error", False)


def compare_measures(
    vectors: Vectors,
    *,
    test: str = "auto",
    adjust: str = "bonferroni",
    alpha: float = 0.05,
    seed: int = 0,
    left_out: str = "",
) -> MeasuresComparison:
    """Compare all pairs of learners in all measures at once, then measure by measure, and the error beside them.

    p values of pairs are adjusted for all pairs; those of single measures for all pairs and, by Bonferroni, for the
    measures that are not copies of one another.
    """
    alpha = level_inside(alpha, name="alpha", where="judge")
    design = measures_design(vectors, test)
    learners, names = vectors.learners, vectors.names
    tests = vector_tests(design.rows, design, names, seed)
    error = _error_tests(design, seed)
    answers = _Answers(
        vectors=vectors,
        design=design,
        tests=tests,
        adjusted=_adjusted(tests.pvalue, adjust),
        single=_adjusted_measures(tests, design.rows, adjust),
        error=error,
        error_adjusted=None if error is None else _adjusted(error.measure_pvalue[:, 0], adjust),
        dominance=dominance_of_pairs(design, vectors, adjust),
        alpha=alpha,
    )
    pairs = tuple(answers.pair(*each) for each in enumerate(combinations(range(len(learners)), 2)))
    means = design.rows.mean(axis=1)
    over, over_pvalue, details = over_all(design, names, alpha, seed)
    return MeasuresComparison(
        learners=learners,
        measures=vectors.measures,
        means={name: dict(zip(names, row, strict=True)) for name, row in zip(learners, means.tolist(), strict=True)},
        error_means={}
        if design.error is None
        else dict(zip(learners, design.error.mean(axis=1).tolist(), strict=True)),
        evidence=repr(vectors),
        design=design.text,
        kind=design.kind,
        rows=design.rows.shape[1],
        test=design.test,
        measure_test=_measure_test(design),
        why_test=design.why,
        test_fraction=design.test_fraction,
        adjust=adjust,
        alpha=alpha,
        seed=seed,
        pairs=pairs,
        over=over,
        over_pvalue=over_pvalue,
        manova=details,
        left_out=left_out,
        error_of=vectors.error_of,
        filled=dict(vectors.filled),
    )


def _measure_test(design: MeasuresDesign) -> str:
    if design.kind == "datasets":
        return "wilcoxon"
    return "paired-t" if design.test_fraction is None else "corrected-t"


def _adjusted(pvalue: Array, adjust: str) -> Array:
    return np.asarray(ADJUST[adjust](pvalue))


def _adjusted_measures(tests: VectorTests, rows: Array, adjust: str) -> Array:
    """(pairs, measures): each measure adjusted for all pairs, then for the number of measures that say new things."""
    columns = np.stack([_adjusted(column, adjust) for column in tests.measure_pvalue.T], axis=-1)
    return columns if adjust == "none" else np.asarray(np.minimum(columns * different_measures(rows), 1.0))


def _error_tests(design: MeasuresDesign, seed: int) -> VectorTests | None:
    return None if design.error is None else vector_tests(design.error[..., None], design, ("error",), seed)


@dataclass(frozen=True, eq=False)
class _Answers:
    """What the tests say of all pairs, and how a pair reads it."""

    vectors: Vectors
    design: MeasuresDesign
    tests: VectorTests
    adjusted: Array
    single: Array
    error: VectorTests | None
    error_adjusted: Array | None
    dominance: tuple[Array, Array]
    alpha: float

    def pair(self, number: int, places: tuple[int, int]) -> MeasuresPair:
        names = tuple(self.vectors.learners[i] for i in places)
        significant = bool(self.adjusted[number] <= self.alpha)
        measures = self._measures(number, places, names)
        raw, dominating = (each[number] for each in self.dominance)
        tests = self.tests
        return MeasuresPair(
            first=names[0],
            second=names[1],
            statistic=float(tests.statistic[number]),
            f_statistic=None if tests.f_statistic is None else float(tests.f_statistic[number]),
            df=tuple(tests.df[number].tolist()),
            rank=int(tests.rank[number]),
            pvalue=float(tests.pvalue[number]),
            adjusted=float(self.adjusted[number]),
            significant=significant,
            direction=_direction(tests, number, self.vectors.names),
            weights=self._weights(number, places),
            tests=measures,
            error=self._error(number, places, names),
            relation=relation_of(measures, names, significant, dominating, self.alpha),
            dominance_pvalue=float(raw.min()),
            dominance_adjusted=float(dominating.min()),
        )

    def _weights(self, number: int, places: tuple[int, int]) -> dict[str, float]:
        if self.tests.direction is None:
            return {}
        spread = np.subtract(*self.design.rows[list(places)]).std(axis=0, ddof=1)
        return scaled_weights(self.vectors.names, self.tests.direction[number], spread)

    def _measures(self, number: int, places: tuple[int, int], names: tuple[str, ...]) -> tuple[MeasureTest, ...]:
        answers = zip(
            self.vectors.measures,
            np.moveaxis(self.design.rows[list(places)], -1, 0),
            self.tests.measure_statistic[number],
            self.tests.measure_pvalue[number],
            self.single[number],
            strict=True,
        )
        return tuple(
            _measure(measure, names, rows, statistic, pvalue, adjusted, self.alpha)
            for measure, rows, statistic, pvalue, adjusted in answers
        )

    def _error(self, number: int, places: tuple[int, int], names: tuple[str, ...]) -> MeasureTest | None:
        if self.error is None or self.error_adjusted is None or self.design.error is None:
            return None
        answers = (self.error.measure_statistic[number, 0], self.error.measure_pvalue[number, 0])
        return _measure(
            _ERROR, names, self.design.error[list(places)], *answers, self.error_adjusted[number], self.alpha
        )


def _direction(tests: VectorTests, number: int, names: tuple[str, ...]) -> dict[str, float]:
    if tests.direction is None:
        return {}
    return dict(zip(names, tests.direction[number].tolist(), strict=True))


def _measure(
    measure: VectorMeasure,
    names: tuple[str, ...],
    rows: Array,
    statistic: Any,
    pvalue: Any,
    adjusted: Any,
    alpha: float,
) -> MeasureTest:
    one, two = rows.mean(axis=1)
    difference = float(without_rounding(one - two, np.abs(rows).max()))
    side = measure.sign * difference
    return MeasureTest(
        measure=measure.name,
        first_mean=float(one),
        second_mean=float(two),
        difference=difference,
        statistic=float(statistic),
        pvalue=float(pvalue),
        adjusted=float(adjusted),
        significant=bool(adjusted <= alpha),
        better=None if side == 0 else names[0] if side < 0 else names[1],
    )
