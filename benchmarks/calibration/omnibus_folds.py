"""Tests of four equal learners on the same folds or the same test set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from benchmarks.calibration import designs
from benchmarks.calibration.claims import ALPHA, Claim, above, at_most, near
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
from bestofk.stats import adjust, multivariate, omnibus, pairwise, selection

CONTENDERS = 4


class Results(NamedTuple):
    """Losses of four learners on ten folds, and their answers to one test set."""

    losses: np.ndarray  # (runs, 4, 10)
    measures: np.ndarray  # (runs, 4, 10, 2): tpr, fpr
    correct: np.ndarray  # (runs, tested, 4)
    posteriors: np.ndarray  # (runs, tested, 4), of the true class


def draw_results(population: Population, learner: str) -> Callable[[np.random.Generator, int, float], Results]:
    def draw(rng: np.random.Generator, runs: int, effect: float) -> Results:
        sample = population.draw(rng, runs, ROWS, CONTENDERS, effect)
        predictors = contenders(sample, learner)
        folds, split = designs.folds(rng, runs, ROWS, 1, 10), designs.splits(rng, runs, ROWS, 1, TESTED)
        by_fold, by_item = margins_of(predictors, folds), margins_of(predictors, split)[:, :, 0]
        true_fold, true_item = answers(sample.truth, folds), answers(sample.truth, split)
        counts = confusion(by_fold, true_fold)
        return Results(
            losses=error(by_fold, true_fold),
            measures=multivariate.measures(*np.moveaxis(counts, -1, 0), undefined=0.0),
            correct=np.swapaxes((by_item > 0) == true_item, 1, 2).astype(float),
            posteriors=np.swapaxes(special.expit(np.where(true_item, by_item, -by_item)), 1, 2),
        )

    return draw


def _any_pair(pvalue: np.ndarray) -> np.ndarray:
    return (pvalue <= ALPHA).any(axis=(-2, -1))


def _adjusted(name: str, losses: np.ndarray) -> np.ndarray:
    """Whether any pair is rejected after adjusting the k-fold t tests of all pairs."""
    i, j = np.triu_indices(CONTENDERS, 1)
    raw = pairwise.paired_t(losses[:, i], losses[:, j]).pvalue
    return (getattr(adjust, name)(raw) <= ALPHA).any(axis=-1)


def _selection(results: Results) -> np.ndarray:
    return np.array([selection.multinomial_selection(p, samples=1).rejects() for p in results.posteriors])


_FOLDS = "above alpha, as the k-fold t (Dietterich 1998, for two learners)"
_ITEMS = "near alpha, of trained classifiers, not of learners (as McNemar); band stated here"
_NEAR_ALPHA = near(0.02, 0.08)
_STABLE = "nearest mean, own columns"  # hardly changes with its training rows, so that overlap does little harm


def _on_folds(
    name: str, variant: str, outcome: Callable[[np.ndarray], np.ndarray], stable: Claim = _NEAR_ALPHA
) -> Said:
    return Said(
        f"omnibus.{name}",
        f"10 folds{variant}",
        lambda r: outcome(r.losses),
        above(),
        _FOLDS,
        unlike={_STABLE: stable},
    )


def _by_data_set(losses: np.ndarray) -> np.ndarray:
    return np.swapaxes(losses, -1, -2)


VARIANCE = (
    _on_folds("anova", "", lambda x: omnibus.anova(x).rejects()),
    _on_folds("repeated_anova", "", lambda x: omnibus.repeated_anova(x).rejects()),
    _on_folds(
        "repeated_anova",
        ", Greenhouse–Geisser",
        lambda x: omnibus.repeated_anova(x).pvalue_greenhouse_geisser <= ALPHA,
    ),
    _on_folds("repeated_anova", ", Huynh–Feldt", lambda x: omnibus.repeated_anova(x).pvalue_huynh_feldt <= ALPHA),
)

RANKS = (
    _on_folds("kruskal_wallis_losses", "", lambda x: omnibus.kruskal_wallis_losses(x).rejects()),
    _on_folds("friedman", ", χ²", lambda x: omnibus.friedman(_by_data_set(x)).rejects()),
    _on_folds("friedman", ", Iman–Davenport F", lambda x: omnibus.friedman(_by_data_set(x)).f_pvalue <= ALPHA),
    _on_folds("nemenyi", ", any pair", lambda x: _any_pair(omnibus.nemenyi(_by_data_set(x)).pvalue)),
)

RANGES = tuple(
    _on_folds(name, ", any pair", lambda x, name=name: _any_pair(getattr(omnibus, name)(x).pvalue), stable)
    for name, stable in (
        ("tukey", _NEAR_ALPHA),
        ("newman_keuls", _NEAR_ALPHA),
        ("duncan", near(0.1, 0.2)),
    )
)


def _manova(said: str, outcome: Callable[[Any], np.ndarray], stable: Claim) -> Said:
    return Said(
        "multivariate.manova",
        f"10 folds, (tpr, fpr), {said}",
        lambda r: outcome(multivariate.manova(r.measures)),
        above(),
        _FOLDS,
        unlike={_STABLE: stable},
    )


MEASURES = (
    _manova("Wilks", lambda found: found.pvalue <= ALPHA, at_most()),
    _manova("Pillai", lambda found: found.pillai.pvalue <= ALPHA, at_most()),
    _manova("Hotelling–Lawley", lambda found: found.hotelling_lawley.pvalue <= ALPHA, at_most()),
    _manova("Roy", lambda found: found.roy.pvalue <= ALPHA, near(0.05, 0.12)),
)

ADJUSTED = tuple(
    Said(
        f"adjust.{name}",
        "paired t on 10 folds, any pair",
        lambda r, name=name: _adjusted(name, r.losses),
        above(),
        "no adjustment mends p values that are too small",
        unlike={} if name == "none" else {_STABLE: _NEAR_ALPHA},
    )
    for name in ("none", "bonferroni", "holm", "bergmann_hommel")
)

ITEMS = (
    Said(
        "omnibus.cochran_q",
        "one split",
        lambda r: omnibus.cochran_q(r.correct).rejects(),
        near(0.03, 0.09),
        _ITEMS,
        unlike={"own rows": above()},
    ),
    *(
        Said(
            "omnibus.looney",
            f"one split, {epsilon or 'plain F'}",
            lambda r, epsilon=epsilon: omnibus.looney(r.correct, epsilon=epsilon).rejects(),
            claim,
            _ITEMS,
            unlike={"own rows": near(0.05, 0.4)},
        )
        for epsilon, claim in (
            (None, near(0.03, 0.09)),
            ("greenhouse-geisser", near(0.03, 0.09)),
            ("huynh-feldt", near(0.03, 0.09)),
            ("lower-bound", at_most(0.03)),
        )
    ),
    Said(
        "selection.multinomial_selection",
        "one split",
        _selection,
        None,
        "nothing said; a trained classifier that is bolder wins more items (1-NN: all posteriors tie)",
    ),
)

TESTS = (*VARIANCE, *RANKS, *RANGES, *MEASURES, *ADJUSTED, *ITEMS)

STUDIES = tuple(
    study_of(
        population,
        learner,
        count="four",
        draw=draw_results(population, learner),
        tests=TESTS,
        runs=2_000 if learner == "1-NN" else 6_000,
    )
    for population in available()
    for learner in LEARNERS
)
