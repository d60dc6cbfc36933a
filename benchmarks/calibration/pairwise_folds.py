"""Pairwise tests on the folds of a learner that is compared with its equal, training sets overlapping.

As in Dietterich 1998 and Nadeau and Bengio 2003: every run draws a data set, resamples it, and tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.calibration import designs
from benchmarks.calibration.claims import above, at_most, near
from benchmarks.calibration.learners import LEARNERS
from benchmarks.calibration.populations import Population, available
from benchmarks.calibration.resampling import (
    ROWS,
    TESTED,
    Said,
    answers,
    confusion,
    contenders,
    error,
    margins_of,
    study_of,
)
from bestofk.stats import bayes, multivariate, pairwise, roc

SPLITS = 30

Two = tuple[np.ndarray, np.ndarray]


class Results(NamedTuple):
    """Losses of two learners in every design; the second axis is the learner."""

    halves: np.ndarray  # (runs, 2, 5, 2)
    repeated: np.ndarray  # (runs, 2, 10, 10)
    splits: np.ndarray  # (runs, 2, 30)
    counts: np.ndarray  # (runs, 2, 10, 4): tp, fn, fp, tn of the first ten folds
    margins: np.ndarray  # (runs, 2, tested) on the first split
    truth: np.ndarray  # (runs, tested)


def draw_results(population: Population, learner: str) -> Callable[[np.random.Generator, int, float], Results]:
    def draw(rng: np.random.Generator, runs: int, effect: float) -> Results:
        sample = population.draw(rng, runs, ROWS, 2, effect)
        predictors = contenders(sample, learner)
        halves = designs.folds(rng, runs, ROWS, 5, 2)
        folds = designs.folds(rng, runs, ROWS, 10, 10)
        splits = designs.splits(rng, runs, ROWS, SPLITS, TESTED)
        by_half, by_fold, by_split = (margins_of(predictors, tested) for tested in (halves, folds, splits))
        true_half, true_fold, true_split = (answers(sample.truth, tested) for tested in (halves, folds, splits))
        return Results(
            halves=error(by_half, true_half).reshape(runs, 2, 5, 2),
            repeated=error(by_fold, true_fold).reshape(runs, 2, 10, 10),
            splits=error(by_split, true_split),
            counts=confusion(by_fold[:, :, :10], true_fold[:, :10]),
            margins=by_split[:, :, 0],
            truth=true_split[:, 0],
        )

    return draw


def _two(values: np.ndarray) -> Two:
    return values[:, 0], values[:, 1]


def _ten_folds(results: Results) -> Two:
    return _two(results.repeated[:, :, 0])


def _hundred_folds(results: Results) -> Two:
    return _two(results.repeated.reshape(len(results.repeated), 2, -1))


def _wrong(results: Results) -> Two:
    return _two((results.margins > 0) != results.truth[:, None])


def _measures(results: Results, *names: str) -> Two:
    return _two(multivariate.measures(*np.moveaxis(results.counts, -1, 0), names=names, undefined=0.0))


def _posterior(results: Results) -> np.ndarray:
    found = bayes.correlated_t(*_hundred_folds(results), rope=0.0, correlation=0.1)
    return (found.probabilities[..., [0, 2]] <= 0.025).any(axis=-1)


def _delong(results: Results) -> np.ndarray:
    # The function takes one truth; here every run has its own.
    pairs = zip(results.truth, results.margins, strict=True)
    return np.array([roc.delong(truth, *margins).rejects() for truth, margins in pairs])


HALVES = (
    Said(
        "pairwise.five_by_two_t",
        "5×2 folds",
        lambda r: pairwise.five_by_two_t(*_two(r.halves)).rejects(),
        at_most(),
        "at or below alpha (Dietterich 1998)",
        # The two halves of 1-NN err together: the nearest neighbour of a row in the other half often has that
        # very row as its own nearest there. With own rows the contenders' training rows are not the tested ones.
        unlike={"1-NN, own columns": above()},
    ),
    Said(
        "pairwise.five_by_two_f",
        "5×2 folds",
        lambda r: pairwise.five_by_two_f(*_two(r.halves)).rejects(),
        at_most(),
        "at or below alpha (Alpaydın 1999)",
        unlike={"1-NN, own columns": above()},
    ),
)

# Where differences on two folds of 10×10 are more alike than the correlation 1/10 that the corrections suppose.
_ALIKE = ("one column, own columns", "1-NN, own columns", "nearest mean, own rows")

_INDEPENDENT_ONLY = "for independent values only; band stated here"

TEN_FOLDS = (
    Said(
        "pairwise.paired_t",
        "10 folds",
        lambda r: pairwise.paired_t(*_ten_folds(r)).rejects(),
        above(),
        "above alpha (Dietterich 1998)",
        unlike={"nearest mean, own columns": near(0.04, 0.06)},
    ),
    Said(
        "pairwise.corrected_t",
        "10 folds",
        lambda r: pairwise.corrected_t(*_two(r.repeated[:, :, :1])).rejects(),
        at_most(0.07),
        "near or below alpha (Nadeau and Bengio 2003); band stated here",
    ),
    Said(
        "pairwise.wilcoxon",
        "10 folds",
        lambda r: pairwise.wilcoxon(*_ten_folds(r)).rejects(),
        near(0.02, 0.2),
        _INDEPENDENT_ONLY,
    ),
    Said(
        "pairwise.sign_test",
        "10 folds",
        lambda r: pairwise.sign_test(*_ten_folds(r)).rejects(),
        near(0.01, 0.12),
        _INDEPENDENT_ONLY,
    ),
    Said(
        "pairwise.permutation_t",
        "10 folds",
        lambda r: pairwise.permutation_t(*_ten_folds(r)).rejects(),
        near(0.02, 0.2),
        _INDEPENDENT_ONLY,
    ),
    Said(
        "multivariate.hotelling",
        "10 folds, (tpr, fpr)",
        lambda r: multivariate.hotelling(*_measures(r, "tpr", "fpr")).rejects(),
        near(0.02, 0.15),
        _INDEPENDENT_ONLY,
        unlike={"own rows": above()},
    ),
    Said(
        "multivariate.hotelling",
        "10 folds, (tp, fp, fn, tn), singular",
        lambda r: multivariate.hotelling(*_measures(r, "tp", "fp", "fn", "tn")).rejects(),
        near(0.02, 0.15),
        _INDEPENDENT_ONLY,
        unlike={"own rows": above()},
    ),
)

HUNDRED_FOLDS = (
    Said(
        "pairwise.paired_t",
        "10×10 folds",
        lambda r: pairwise.paired_t(*_hundred_folds(r)).rejects(),
        above(0.4),
        "far above alpha (Bouckaert and Frank 2004); here at least 0.4",
    ),
    Said(
        "pairwise.corrected_t",
        "10×10 folds",
        lambda r: pairwise.corrected_t(*_two(r.repeated)).rejects(),
        near(0.03, 0.07),
        "near alpha (Bouckaert and Frank 2004); band stated here",
        unlike=dict.fromkeys(_ALIKE, near(0.05, 0.17)),
    ),
    Said(
        "pairwise.repeated_cv_t",
        "10×10 folds",
        lambda r: pairwise.repeated_cv_t(*_two(r.repeated)).rejects(),
        at_most(0.06),
        "below alpha, or near; band stated here",
    ),
    Said(
        "pairwise.calibrated_t",
        "10×10 folds, all, df 10",
        lambda r: pairwise.calibrated_t(*_two(r.repeated)).rejects(),
        near(0.03, 0.07),
        "near alpha (Bouckaert 2003); band stated here",
        unlike=dict.fromkeys(_ALIKE, near(0.05, 0.18)),
    ),
    Said(
        "pairwise.calibrated_t",
        "10×10 folds, sorted-runs, df 10",
        lambda r: pairwise.calibrated_t(*_two(r.repeated), scheme="sorted-runs").rejects(),
        near(0.03, 0.08),
        "near alpha (Bouckaert 2003); band stated here",
        unlike=dict.fromkeys(_ALIKE, near(0.05, 0.2)),
    ),
    *(
        Said(
            "pairwise.calibrated_t",
            f"10×10 folds, {scheme}, df 10",
            lambda r, scheme=scheme: pairwise.calibrated_t(*_two(r.repeated), scheme=scheme).rejects(),
            above(0.4),
            "10 is not the df of averages: far above alpha; here at least 0.4",
        )
        for scheme in ("runs", "folds")
    ),
    Said(
        "bayes.correlated_t",
        "10×10 folds, 0 outside the central 95 %",
        _posterior,
        near(0.03, 0.07),
        "as the corrected t (Corani and Benavoli 2015)",
        unlike=dict.fromkeys(_ALIKE, near(0.05, 0.17)),
    ),
)

RANDOM_SPLITS = (
    Said(
        "pairwise.paired_t",
        f"{SPLITS} random splits",
        lambda r: pairwise.paired_t(*_two(r.splits)).rejects(),
        above(0.4),
        "far above alpha (Dietterich 1998; Nadeau and Bengio 2003); here at least 0.4",
    ),
    Said(
        "pairwise.corrected_t",
        f"{SPLITS} random splits",
        lambda r: pairwise.corrected_t(*_two(r.splits), test_fraction=TESTED / ROWS).rejects(),
        near(0.005, 0.08),
        "near or below alpha (Nadeau and Bengio 2003); band stated here",
    ),
)

_ONE_CLASSIFIER = "of two trained classifiers, not of learners (Dietterich 1998)"

ONE_SPLIT = (
    *(
        Said(
            "pairwise.mcnemar_losses",
            f"one split, {method}",
            lambda r, method=method: pairwise.mcnemar_losses(*_wrong(r), method=method).rejects(),
            claim,
            f"{said}; {_ONE_CLASSIFIER}",
            unlike={"own rows": near(0.04, 0.22)},
        )
        for method, claim, said in (
            ("chi2-corrected", at_most(), "below alpha"),
            ("chi2", near(0.03, 0.07), "near alpha"),
            ("exact", at_most(), "below alpha"),
            ("mid-p", near(0.03, 0.06), "near alpha"),
        )
    ),
    Said(
        "roc.delong",
        "one split",
        _delong,
        near(0.02, 0.07),
        "near alpha; of two trained classifiers, not of learners (as McNemar)",
        unlike={"own rows": above()},
    ),
)

TESTS = (*HALVES, *TEN_FOLDS, *HUNDRED_FOLDS, *RANDOM_SPLITS, *ONE_SPLIT)

STUDIES = tuple(
    study_of(
        population,
        learner,
        count="two",
        draw=draw_results(population, learner),
        tests=TESTS,
        runs=3_000 if learner == "1-NN" else 6_000,
    )
    for population in available()
    for learner in LEARNERS
)
