"""Several measures at once: a test of all of them for every pair, the measures one by one after it, who dominates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.comparing.pair_tests import Places, df_of, shuffles_of
from bestofk.comparing.sample import Sample
from bestofk.comparing.test_choice import thresholds_of_all
from bestofk.core.arrays import Array, Flags, without_rounding
from bestofk.core.errors import InputError, TooFewUnits
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed, plural
from bestofk.core.record import Record
from bestofk.core.rng import generator
from bestofk.evidence.measure_vectors.wanted import threshold_in
from bestofk.evidence.scores import COUNTS
from bestofk.evidence.vectors import VectorMeasure
from bestofk.stats.adjust import ADJUST, holm
from bestofk.stats.multivariate import hotelling, manova
from bestofk.stats.multivariate.flips import smallest_share
from bestofk.stats.multivariate.over_datasets import hotelling_over_datasets, manova_over_datasets
from bestofk.stats.multivariate.thresholds import rates_test
from bestofk.stats.pairwise import wilcoxon
from bestofk.stats.pairwise.student import FEWEST_DF, of_signs, too_few
from bestofk.stats.pairwise.wilcoxon import wilcoxon_sides

#: Weights of less than this, of unit length, are rounding.
_NOTHING = 1e-9


class Parts(Record, kw_only=True):
    """The measures one by one: arrays have an entry per pair and measure, ``adjusted`` for all of them.

    ``better`` is 1 where the first has the better mean, −1 where the second has, 0 where means are equal.
    """

    measures: tuple[VectorMeasure, ...]
    first_mean: Array
    second_mean: Array
    difference: Array
    statistic: Array
    pvalue: Array
    adjusted: Array
    better: Array


class Several(Record, kw_only=True):
    """What a comparison in several measures says beyond one answer per pair.

    ``direction`` are the weights S⁻¹d̄ of the measures that part a pair most, ``weights`` the same for measures in units
    of the standard deviation of their differences, of unit length; None where the test has none. ``rank`` is the number
    of measures that vary independently. ``error`` has the tests of the error alone, None where it is not known.
    ``dominance_pvalue`` (pairs, 2) is that of the intersection–union test that the first, or the second, is better in
    every measure; ``dominance_adjusted`` is adjusted for all pairs by Holm.
    """

    parts: Parts
    part_test: str
    error: Parts | None
    f_statistic: Array | None
    df: Array
    rank: Array
    direction: Array | None
    weights: Array | None
    dominance_pvalue: Array
    dominance_adjusted: Array


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

    criteria: tuple[ManovaCriterion, ...]
    eigenvalues: tuple[float, ...]
    share: float
    collinear: bool
    rank: int
    direction: dict[str, float]
    weights: dict[str, float]
    measure_pvalues: dict[str, float]


@frozen(eq=False)
class VectorTests:
    """One entry per pair; the fields of measures have a last axis of measures."""

    statistic: Array
    f_statistic: Array | None
    df: Array
    rank: Array
    pvalue: Array
    direction: Array | None
    measure_statistic: Array
    measure_pvalue: Array
    shuffles: Array | None = None
    exact: Flags | None = None


def smallest_vector_pvalue(sample: Sample, test: str) -> float:
    """The smallest p value there can be: of signs dealt anew, or of a continuous distribution 0, 1 of too few folds."""
    if test in ("threshold-test", "hotelling-over-datasets"):
        return smallest_share(sample.units)
    return float(sample.units - 1.0 < FEWEST_DF)


def run_vectors(
    sample: Sample, test: str, first: Places, second: Places, *, adjust: str, alpha: float, seed: int
) -> tuple[VectorTests, Several, tuple[str, ...]]:
    """Test the pairs in all measures; the measures one by one; and say what is shown of each pair."""
    vectors = np.asarray(sample.vectors)
    tests = _tested(vectors, sample, test, first, second, seed)
    shares = _shares(sample, test)
    adjusted = _adjusted_measures(tests, vectors, first, second, adjust)
    parts = _parts(sample.measures, vectors, tests, adjusted, first, second)
    error = None
    if sample.error is not None:
        alone = _tested(sample.error[..., None], sample, test, first, second, seed)
        of_error = _adjusted(alone.measure_pvalue, adjust)
        error = _parts((VectorMeasure("error", False),), sample.error[..., None], alone, of_error, first, second)
    raw, dominating = _dominance(sample, vectors, parts, first, second, adjust)
    several = Several(
        parts=parts,
        part_test="wilcoxon" if sample.kind == "datasets" else "paired-t" if shares is None else "corrected-t",
        error=error,
        f_statistic=tests.f_statistic,
        df=tests.df,
        rank=tests.rank,
        direction=tests.direction,
        weights=_weights(vectors, tests, first, second),
        dominance_pvalue=raw,
        dominance_adjusted=dominating,
    )
    significant = _adjusted(tests.pvalue[:, None], adjust)[:, 0] <= alpha
    return tests, several, _relations(significant, several, alpha)


def over_all(
    sample: Sample, test: str, seed: int
) -> tuple[str, float, tuple[float, ...], float, ManovaOver | None] | None:
    """One test over three learners or more, as (test, statistic, df, p, details); None where units are too few."""
    vectors, names = np.asarray(sample.vectors), sample.names
    if sample.kind == "datasets":
        result = manova_over_datasets(vectors, rng=seed)
        return result.test, float(result.statistic), tuple(map(float, result.df)), float(result.pvalue), None
    try:
        rows = _of_equal_classes(vectors, names)
        found = manova(rows, test_fraction=_shares(sample, test))
    except TooFewUnits:  # more measures than the folds of all learners can carry; the pairs stand
        return None
    df = tuple(float(number) for number in found.df)
    return found.test, float(found.statistic), df, float(found.pvalue), _manova_details(found, rows, names)


def different_measures(vectors: Array, first: Places, second: Places) -> int:
    """Number of measures that are no copies: on some pair their differences are not in one proportion.

    Such as tp and fn on the same folds: every test says the same of both, so they are one hypothesis.
    """
    difference = without_rounding(vectors[first] - vectors[second], np.abs(vectors).max(axis=(0, 1)))
    length = np.linalg.norm(difference, axis=1)
    unit = difference / np.where(length > 0, length, 1.0)[:, None, :]
    along = np.abs(np.einsum("nrp,nrq->npq", unit, unit))
    both_equal = (length == 0)[:, :, None] & (length == 0)[:, None, :]
    copies = ((along > 1.0 - 1e-12) | both_equal).all(axis=0)
    return int((~np.tril(copies, -1).any(axis=1)).sum())


def _shares(sample: Sample, test: str) -> float | None:
    """The share of test data that the test corrects for; None where it takes rows for independent."""
    return sample.share if test in ("hotelling-corrected", "threshold-test") else None


def _tested(rows: Array, sample: Sample, test: str, first: Places, second: Places, seed: int) -> VectorTests:
    one, two = rows[first], rows[second]
    try:
        if sample.kind == "datasets":
            return _over_datasets(one, two, seed)
        if test == "threshold-test" and rows.shape[-1] > 1:
            return _over_thresholds(one, two, sample, seed)
        return _over_folds(one, two, _shares(sample, test))
    except TooFewUnits as error:
        names = sample.names
        what = plural(sample.unit)
        alone = "; or judge one data set: --dataset NAME" if sample.kind == "datasets" else ""
        raise InputError(
            f"{counted(sample.units, sample.unit)} cannot carry {len(names)} measures that vary independently: "
            f"{listed(names)}.",
            f"judge on {','.join(names)}, {sample.units_text}",
            f"judge on fewer measures, or collect at least {len(names) + 1} {what}{alone}.",
        ) from error


def _over_folds(one: Array, two: Array, test_fraction: float | None) -> VectorTests:
    result, units = hotelling(one, two, test_fraction=test_fraction), one.shape[-2]
    f_statistic, direction = np.asarray(result.f_statistic), np.asarray(result.direction)
    found = _with_measures(result, result.posthoc, len(one), f_statistic, direction)
    pvalue = _careful(found.pvalue, found.statistic, found.df[:, -1], units)
    alone = _careful(found.measure_pvalue, found.measure_statistic, result.error_df, units)
    return replace(found, pvalue=pvalue, measure_pvalue=alone)


def _careful(pvalue: Array, statistic: Array, df: Any, units: int) -> Array:
    """P values as those of one measure: no surer than signs where nothing varies, 1 of too few folds."""
    constant = np.isinf(statistic)
    return np.where(too_few(df, constant, units), 1.0, np.where(constant, of_signs(units - 1.0), pvalue))


def _over_datasets(one: Array, two: Array, seed: int) -> VectorTests:
    alone = wilcoxon(np.moveaxis(one, -1, -2), np.moveaxis(two, -1, -2))
    return _with_measures(hotelling_over_datasets(one, two, rng=seed), alone, len(one))


def _with_measures(
    result: Any, alone: Any, pairs: int, f_statistic: Array | None = None, direction: Array | None = None
) -> VectorTests:
    """A test of all measures, and the tests of the measures one by one."""
    shuffled = shuffles_of(result, pairs)
    return VectorTests(
        statistic=np.asarray(result.statistic),
        f_statistic=f_statistic,
        df=df_of(result, pairs),
        rank=np.asarray(result.rank),
        pvalue=np.asarray(result.pvalue),
        direction=direction,
        measure_statistic=np.asarray(alone.statistic),
        measure_pvalue=np.asarray(alone.pvalue),
        **shuffled,
    )


def _over_thresholds(one: Array, two: Array, sample: Sample, seed: int) -> VectorTests:
    """The shrunk test of every pair; the measures one by one by the corrected t test, as beside Hotelling's."""
    names, share = sample.names, sample.share
    cuts = thresholds_of_all(names)
    assert cuts is not None
    places = [next(names.index(name) for name in names if threshold_in(name) == (rate, cut))
              for cut in cuts for rate in ("tpr", "fpr")]  # fmt: skip
    ratio = 0.0 if share is None else share / (1.0 - share)
    shaped = [each[..., places].reshape(*each.shape[:-1], len(cuts), 2) for each in (one, two)]
    found = [
        rates_test(a, b, cuts, ratio=ratio, random=generator(seed, where="judge", name="seed"))  # all with one seed
        for a, b in zip(*shaped, strict=True)
    ]
    alone = [_over_folds(one[..., [i]], two[..., [i]], share) for i in range(len(names))]
    return VectorTests(
        statistic=np.array([float(each.statistic) for each in found]),
        f_statistic=None,
        df=np.zeros((len(one), 0)),
        rank=np.array([len(each.kept) for each in found]),
        pvalue=np.array([float(each.pvalue) for each in found]),
        direction=None,
        measure_statistic=np.concatenate([each.measure_statistic for each in alone], axis=-1),
        measure_pvalue=np.concatenate([each.measure_pvalue for each in alone], axis=-1),
        shuffles=np.array([each.patterns for each in found]),
        exact=np.array([each.exact for each in found]),
    )


def _adjusted(pvalue: Array, adjust: str) -> Array:
    """Every column adjusted for all pairs."""
    return np.stack([np.asarray(ADJUST[adjust](column)) for column in pvalue.T], axis=-1)


def _adjusted_measures(tests: VectorTests, vectors: Array, first: Places, second: Places, adjust: str) -> Array:
    """Each measure adjusted for all pairs, then for the number of measures that say new things."""
    columns = _adjusted(tests.measure_pvalue, adjust)
    if adjust == "none":
        return columns
    return np.asarray(np.minimum(columns * different_measures(vectors, first, second), 1.0))


def _parts(
    measures: tuple[VectorMeasure, ...],
    vectors: Array,
    tests: VectorTests,
    adjusted: Array,
    first: Places,
    second: Places,
) -> Parts:
    means = vectors.mean(axis=1)
    scale = np.maximum(np.abs(vectors[first]).max(axis=1), np.abs(vectors[second]).max(axis=1))
    difference = without_rounding(means[first] - means[second], scale)
    signs = np.array([measure.sign for measure in measures])
    return Parts(
        measures=measures,
        first_mean=means[first],
        second_mean=means[second],
        difference=difference,
        statistic=tests.measure_statistic,
        pvalue=tests.measure_pvalue,
        adjusted=adjusted,
        better=-np.sign(signs * difference) + 0.0,
    )


def _weights(vectors: Array, tests: VectorTests, first: Places, second: Places) -> Array | None:
    """Weights in units of the spread of the differences, of unit length, so that they can be compared."""
    if tests.direction is None:
        return None
    spread = (vectors[first] - vectors[second]).std(axis=1, ddof=1)
    return np.stack([_scaled(*each) for each in zip(tests.direction, spread, strict=True)])


def _scaled(weights: Array, spread: Array) -> Array:
    scaled = weights * spread
    length = float(np.linalg.norm(scaled))
    if not 0.0 < length < np.inf:  # nothing varies: a difference that is the same on every fold
        scaled, length = weights, float(np.linalg.norm(weights)) or 1.0
    return np.where(np.abs(scaled / length) < _NOTHING, 0.0, scaled / length)


def _dominance(
    sample: Sample, vectors: Array, parts: Parts, first: Places, second: Places, adjust: str
) -> tuple[Array, Array]:
    """Raw and adjusted p, (pairs, 2): that the first of a pair is better in every measure, and that the second is.

    An intersection–union of one-sided tests: the measure that speaks least for it. Either may be, so raw p are doubled.
    Holm adjusts them whatever adjusts the pairs: methods that use how hypotheses of equality hang together (Shaffer,
    Bergmann and Hommel) do not hold for dominance.
    """
    if sample.kind == "datasets":
        losses = vectors * np.array([measure.sign for measure in sample.measures])
        one, two = losses[first], losses[second]
        _, less, greater = wilcoxon_sides(np.moveaxis(one, -1, -2), np.moveaxis(two, -1, -2))
        sides = [np.asarray(each.pvalue).max(axis=-1) for each in (less, greater)]
    else:
        half = 0.5 * parts.pvalue
        sides = [np.where(parts.better * side > 0, half, 1.0 - half).max(axis=-1) for side in (1.0, -1.0)]
    raw = np.minimum(2.0 * np.stack(sides, axis=-1), 1.0)
    if adjust == "none":
        return raw, raw
    smaller = np.asarray(holm(raw.min(axis=-1)))[:, None]
    return raw, np.where(raw == raw.min(axis=-1, keepdims=True), smaller, 1.0)


def _relations(significant: Any, several: Several, alpha: float) -> tuple[str, ...]:
    """What is shown of each pair; dominance only where the vectors tell the two apart as well."""
    shown = several.parts.better * (several.parts.adjusted <= alpha)
    found = []
    for differs, dominating, single in zip(significant, several.dominance_adjusted, shown, strict=True):
        if not differs:
            found.append("not significant")
        elif dominating.min() <= alpha:
            found.append("first" if dominating[0] <= dominating[1] else "second")
        else:
            found.append("trade-off" if {-1.0, 1.0} <= set(single.tolist()) else "differ")
    return tuple(found)


def _of_equal_classes(rows: Array, names: tuple[str, ...]) -> Array:
    """The four counts as if all folds had the mean number of positives and negatives; other measures as they are.

    The MANOVA does not pair folds, so it would take folds of different sizes for noise.
    """
    if not set(COUNTS) <= set(names):
        return rows
    found = rows.copy()
    for pair in (COUNTS[:2], COUNTS[2:]):
        places = [names.index(each) for each in pair]
        size = rows[..., places].sum(axis=-1, keepdims=True)
        if (size > 0).all():
            found[..., places] *= size.mean() / size
    return found


def _manova_details(result: Any, rows: Array, names: tuple[str, ...]) -> ManovaOver:
    first, within = np.asarray(result.eigenvectors)[:, 0], np.sqrt(rows.var(axis=1, ddof=1).mean(axis=0))
    four = (
        ("Wilks", result),
        ("Pillai", result.pillai),
        ("Hotelling–Lawley", result.hotelling_lawley),
        ("Roy", result.roy),
    )
    values = np.asarray(result.eigenvalues)
    share = 1.0 if np.isinf(values[0]) else float(values[0] / values.sum()) if values.sum() > 0 else 0.0
    return ManovaOver(
        criteria=tuple(
            ManovaCriterion(name, float(e.statistic), float(e.f_statistic), tuple(map(float, e.df)), float(e.pvalue))
            for name, e in four
        ),
        eigenvalues=tuple(values.tolist()),
        share=share,
        collinear=bool(result.collinear),
        rank=int(result.rank),
        direction=dict(zip(names, first.tolist(), strict=True)),
        weights=dict(zip(names, _scaled(first, within).tolist(), strict=True)),
        measure_pvalues=dict(zip(names, np.asarray(result.posthoc.pvalue).tolist(), strict=True)),
    )
