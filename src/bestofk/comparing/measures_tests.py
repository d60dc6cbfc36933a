"""Which multivariate test fits folds and which data sets, and its answer for all pairs at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bestofk.comparing.random_splits import share_not_known
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.phrases import counted, listed
from bestofk.core.rng import generator
from bestofk.evidence.divisions import refuse_tested_training
from bestofk.evidence.outcomes.wanted import threshold_in
from bestofk.evidence.scores import folds_in_words
from bestofk.evidence.vectors import Vectors
from bestofk.stats.multivariate import hotelling
from bestofk.stats.multivariate.over_datasets import hotelling_over_datasets
from bestofk.stats.multivariate.thresholds import rates_test
from bestofk.stats.pairwise import wilcoxon

#: Tests of vectors by the name they are asked for.
TESTS = ("hotelling-corrected", "hotelling", "hotelling-over-datasets", "threshold-test")
#: Fewer folds than these cannot reject at 0.05 by their signs.
FEWEST_SIGNS = 6
_WHY = {
    "hotelling-corrected": "training sets of different folds overlap, and the corrected covariance allows for it",
    "hotelling": "it was asked for: the paper's own test, which takes folds for independent",
    "threshold-test": "rates at several thresholds nearly repeat each other, and their covariance is shrunk; p by "
    "signs of the folds dealt anew, corrected for training sets that overlap",
    "hotelling-over-datasets": "data sets are independent, and their differences may have any distribution",
}


@dataclass(frozen=True, eq=False)
class MeasuresDesign:
    """Vectors as the tests take them, (learners, rows, measures), and the share of test data where rows overlap.

    ``one_instead`` is how to judge one data set of several, in words.
    """

    kind: Literal["folds", "datasets"]
    rows: Array
    error: Array | None
    test: str
    why: str
    test_fraction: float | None
    text: str
    one_instead: str = ""


@dataclass(frozen=True, eq=False)
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


def measures_design(vectors: Vectors, test: str = "auto") -> MeasuresDesign:
    """Say how vectors are paired, and which test fits; refuse one that does not."""
    over = len(vectors.datasets) > 1
    share = None if over else _share(vectors)
    cuts = None if over else thresholds_of_all(vectors.names)
    fitting = "hotelling-over-datasets" if over else "hotelling-corrected" if cuts is None else "threshold-test"
    if fitting == "threshold-test" and vectors.rows().shape[1] < FEWEST_SIGNS:
        fitting = "hotelling-corrected"
    chosen = fitting if test == "auto" else test
    if chosen not in TESTS:
        raise unknown(test, ("auto", *TESTS), what="test of several measures", where="judge, argument test")
    if over != (chosen == "hotelling-over-datasets") or (chosen == "threshold-test" and cuts is None):
        raise InputError(
            f"{chosen} is not valid for {_text(vectors)}.",
            "judge, argument test",
            f"use {fitting} (--test auto)" + (", or judge one data set: --dataset NAME." if over else "."),
        )
    return MeasuresDesign(
        kind="datasets" if over else "folds",
        rows=vectors.rows(),
        error=vectors.error_rows(),
        test=chosen,
        why=_WHY[chosen],
        test_fraction=share if chosen in ("hotelling-corrected", "threshold-test") else None,
        text=_text(vectors),
        one_instead=f"; or judge one data set: --dataset {vectors.datasets[0]}" if over else "",
    )


def _share(vectors: Vectors) -> float:
    """The share of the data that a fold tests."""
    scores = vectors
    refuse_tested_training(scores)
    replications, folds = scores.values.shape[2:]
    if scores.test_fraction is not None:
        return float(scores.test_fraction)
    if folds >= 2:
        return 1.0 / float(folds)
    if replications >= 2:
        raise share_not_known(replications, scores.origin.source, "give whole folds (a column fold)")
    raise InputError(
        "there is one fold, which cannot show a difference.",
        scores.origin.source,
        f"collect at least {len(vectors.measures) + 1} folds.",
    )


def _text(vectors: Vectors) -> str:
    scores = vectors
    if len(scores.datasets) > 1:
        return counted(len(scores.datasets), "data set")
    replications, folds = scores.values.shape[2:]
    if scores.divided:
        return f"{folds_in_words(scores.divided, replications, folds)}, of one data set"
    if scores.test_fraction is not None:
        return f"{counted(replications * folds, 'random split')} of one data set"
    several = f"{counted(replications, 'replication')} of " if replications > 1 else ""
    return f"{several}{counted(folds, 'fold')} of one data set"


def vector_tests(rows: Array, design: MeasuresDesign, names: tuple[str, ...], seed: int) -> VectorTests:
    """Test all pairs (0, 1), (0, 2), … of rows (learners, rows, measures)."""
    first, second = np.triu_indices(len(rows), 1)
    try:
        if design.kind == "datasets":
            return _over_datasets(rows[first], rows[second], seed)
        if design.test == "threshold-test" and len(names) > 1:
            return _over_thresholds(rows[first], rows[second], design.test_fraction, names, seed)
        return _over_folds(rows[first], rows[second], design.test_fraction)
    except InputError as error:
        if "cannot carry" not in error.wrong:  # another fault is not to be hidden
            raise
        what = "data sets" if design.kind == "datasets" else "folds"
        raise InputError(
            f"{rows.shape[1]} {what} cannot carry {len(names)} measures that vary independently: {listed(names)}.",
            f"judge on {','.join(names)}, {design.text}",
            f"judge on fewer measures, or collect at least {len(names) + 1} {what}{design.one_instead}.",
        ) from error


def _over_folds(one: Array, two: Array, test_fraction: float | None) -> VectorTests:
    result = hotelling(one, two, test_fraction=test_fraction)
    alone = result.posthoc
    return VectorTests(
        statistic=np.asarray(result.statistic),
        f_statistic=np.asarray(result.f_statistic),
        df=_freedom(result.df, len(one)),
        rank=np.asarray(result.rank),
        pvalue=np.asarray(result.pvalue),
        direction=np.asarray(result.direction),
        measure_statistic=np.asarray(alone.statistic),
        measure_pvalue=np.asarray(alone.pvalue),
    )


def _over_datasets(one: Array, two: Array, seed: int) -> VectorTests:
    result = hotelling_over_datasets(one, two, rng=seed)
    alone = wilcoxon(np.moveaxis(one, -1, -2), np.moveaxis(two, -1, -2))
    return VectorTests(
        statistic=np.asarray(result.statistic),
        f_statistic=None,
        df=_freedom(result.df, len(one)),
        rank=np.asarray(result.rank),
        pvalue=np.asarray(result.pvalue),
        direction=None,
        measure_statistic=np.asarray(alone.statistic),
        measure_pvalue=np.asarray(alone.pvalue),
    )


def thresholds_of_all(names: tuple[str, ...]) -> Array | None:
    """The thresholds, where the measures are tpr and fpr at each of two or more, else None."""
    found = [threshold_in(name) for name in names]
    cuts = {each[1] for each in found if each is not None}
    if len(cuts) < 2 or set(found) != {(rate, cut) for cut in cuts for rate in ("tpr", "fpr")}:
        return None
    return np.array(sorted(cuts))


def _over_thresholds(
    one: Array, two: Array, test_fraction: float | None, names: tuple[str, ...], seed: int
) -> VectorTests:
    """The shrunk test of every pair; the measures one by one by the corrected t test, as beside Hotelling's."""
    cuts = thresholds_of_all(names)
    assert cuts is not None
    places = [next(names.index(name) for name in names if threshold_in(name) == (rate, cut))
              for cut in cuts for rate in ("tpr", "fpr")]  # fmt: skip
    share = 0.0 if test_fraction is None else test_fraction / (1.0 - test_fraction)
    shaped = [each[..., places].reshape(*each.shape[:-1], len(cuts), 2) for each in (one, two)]
    found = []
    for a, b in zip(*shaped, strict=True):  # every pair with the same signs
        random = generator(seed, where="judge", name="seed")
        found.append(rates_test(a, b, cuts, ratio=share, random=random))
    alone = [_over_folds(one[..., [i]], two[..., [i]], test_fraction) for i in range(len(names))]
    return VectorTests(
        statistic=np.array([float(each.statistic) for each in found]),
        f_statistic=None,
        df=np.zeros((len(one), 0)),
        rank=np.array([len(each.kept) for each in found]),
        pvalue=np.array([float(each.pvalue) for each in found]),
        direction=None,
        measure_statistic=np.concatenate([each.measure_statistic for each in alone], axis=-1),
        measure_pvalue=np.concatenate([each.measure_pvalue for each in alone], axis=-1),
    )


def _freedom(df: tuple[Any, ...], pairs: int) -> Array:
    """(pairs, degrees of freedom), also where all pairs share them."""
    return np.stack([np.broadcast_to(np.asarray(each, dtype=float), (pairs,)) for each in df], axis=-1)
