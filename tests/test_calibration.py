"""Every test's measured size is what the literature, or theory, says of it.

The studies are those of ``benchmarks/calibration`` with fewer runs. A claim fails when the exact binomial 99.9 %
interval of the measured size lies outside it (``benchmarks/calibration/claims.py``): an exact test must have its
very level inside the interval, a conservative one must not lie above alpha, one that is known to reject too often
must lie above beyond doubt, and a band holds where the literature says no more than "near". Seeds are fixed. Bands
were set after first measurements, so they find changes; what is compared with theory or a direction can refute more.
"""

import importlib
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from bestofk import stats

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # the benchmarks are no part of the package
    sys.path.insert(0, str(ROOT))

pytestmark = pytest.mark.slow

MODEL_TOPICS = (
    "pairwise_model",
    "items_model",
    "omnibus_model",
    "ranges_model",
    "multivariate_model",
    "multivariate_overlap",
    "multivariate_datasets",
    "curves_model",
    "roc_model",
    "adjust_model",
    "selection_model",
    "bayes_model",
)
FOLD_TOPICS = ("pairwise_folds", "omnibus_folds", "curves_folds")

#: Share of the table's runs.
EFFORT = {**dict.fromkeys(MODEL_TOPICS, 0.25), "pairwise_folds": 0.7, "omnibus_folds": 0.6, "curves_folds": 0.4}

#: Public functions that are not tests of a hypothesis; battles are estimated here, and tested in whole verdicts only.
NOT_TESTS = {
    *("battles.bradley_terry", "battles.Strengths"),
    *("multivariate.measures", "curves.modify", "curves.curve_features"),
    *("roc.auc", "roc.curve", "roc.convex_hull", "roc.ConvexHull"),
    *("roc.rates", "roc.average_curve", "roc.cost_ranges", "roc.cost_slope", "roc.LearnersHull"),
    *(f"{room}.{name}" for room in ("across", "aggregates", "power") for name in getattr(stats, room).__all__),
    *("effects.Effect", "effects.a12", "effects.cohens_d", "effects.rank_biserial"),
}


def by_worker(*topics):
    """Topics as parameters: with ``pytest --dist loadgroup`` each is simulated by one worker only."""
    return [pytest.param(topic, marks=pytest.mark.xdist_group(topic)) for topic in topics]


def calibration(name):
    return importlib.import_module(f"benchmarks.calibration.{name}")


@cache
def rows_of(topic):
    """Rows of all studies of a topic; the stored twonorm is left to the table, it repeats the model population."""
    run = calibration("study").run
    studies = [study for study in calibration(topic).STUDIES if "twonorm" not in study.population]
    return [row for study in studies for row in run(study, EFFORT[topic], power=_has_theory(study))]


def _has_theory(study):
    """Power is measured only where theory gives a value to compare it with."""
    return any(case.power_theory for case in study.cases)


def contradicted(study, outcome, position=0):
    """Whether the claim of a case is contradicted when its test is replaced by another outcome."""
    mutated = replace(study, cases=(replace(study.cases[position], outcome=outcome),))
    (row,) = calibration("study").run(mutated, power=False)
    return not row.holds


def size(topic, function, variant, learner, null):
    (row,) = [
        row
        for row in rows_of(topic)
        if (row.case.function, row.case.variant) == (function, variant)
        and row.study.learner == learner
        and row.study.null.endswith(null)
    ]
    return row.size.rate


@pytest.mark.parametrize("topic", by_worker(*MODEL_TOPICS, *FOLD_TOPICS))
def test_sizes_are_as_claimed(topic):
    assert not [str(row) for row in rows_of(topic) if not row.holds]


@pytest.mark.parametrize("topic", by_worker(*MODEL_TOPICS))
def test_powers_are_those_of_theory(topic):
    confidence = calibration("claims").CONFIDENCE
    compared = [(row, power) for row in rows_of(topic) for power in row.powers if power.theory is not None]
    wrong = [
        f"{row}; power {power.measured.rate:.4f}, theory {power.theory:.4f}"
        for row, power in compared
        if not power.measured.interval(confidence)[0] <= power.theory <= power.measured.interval(confidence)[1]
    ]
    assert not wrong


def test_every_test_is_calibrated():
    studied = {case.function for study in calibration("topics").STUDIES for case in study.cases}
    rooms = {room: getattr(stats, room) for room in stats.__all__}
    public = {f"{room}.{name}" for room, part in rooms.items() for name in part.__all__ if not name.isupper()}
    assert public - NOT_TESTS == studied


@pytest.mark.xdist_group("pairwise_folds")
def test_the_corrections_mend_most_of_what_overlap_spoils():
    for learner in ("nearest mean", "one column", "1-NN"):
        ten_folds = size("pairwise_folds", "pairwise.paired_t", "10 folds", learner, "own columns")
        hundred = size("pairwise_folds", "pairwise.paired_t", "10×10 folds", learner, "own columns")
        corrected = size("pairwise_folds", "pairwise.corrected_t", "10×10 folds", learner, "own columns")
        calibrated = size("pairwise_folds", "pairwise.calibrated_t", "10×10 folds, all, df 10", learner, "own columns")
        splits = size("pairwise_folds", "pairwise.paired_t", "30 random splits", learner, "own columns")
        corrected_splits = size("pairwise_folds", "pairwise.corrected_t", "30 random splits", learner, "own columns")
        assert max(corrected, calibrated) < hundred / 3
        assert corrected_splits < splits / 5
        assert ten_folds < hundred


# Wrong forms that a claim must find out.


def test_a_t_without_the_root_of_its_variance_is_found_out():
    """Eqs. 1 and 4 of the multivariate paper lack the root of s_d: with errors of percents, 95 % type I error."""
    study = calibration("pairwise_model").INDEPENDENT_FOLDS
    rates = []

    def misprinted(pair):
        difference = 0.03 * (pair.first - pair.second)
        t = np.sqrt(10) * difference.mean(axis=-1) / difference.var(axis=-1, ddof=1)
        rejected = 2 * special.stdtr(9, -np.abs(t)) <= 0.05
        rates.append(rejected.mean())
        return rejected

    assert contradicted(study, misprinted)
    assert np.mean(rates) == pytest.approx(0.95, abs=0.02)


def test_one_degree_of_freedom_too_many_is_found_out():
    study = calibration("pairwise_model").INDEPENDENT_FOLDS

    def misprinted(pair):
        t = stats.pairwise.paired_t(pair.first, pair.second).statistic
        return 2 * special.stdtr(10, -np.abs(t)) <= 0.05

    assert contradicted(study, misprinted)


def test_a_forgotten_correction_is_found_out():
    study = calibration("pairwise_model").RANDOM_SPLITS
    assert contradicted(study, lambda pair: stats.pairwise.paired_t(pair.first, pair.second).rejects())


def test_mcnemar_that_rejects_where_it_should_accept_is_found_out():
    """Eq. 13 of the MultiTest paper says accept where it means reject."""
    study = calibration("items_model").MCNEMAR
    assert contradicted(study, lambda counts: ~stats.pairwise.mcnemar(*counts).rejects())


def test_hotelling_with_a_misprinted_degree_of_freedom_is_found_out():
    """Eq. 3 of the multivariate paper has m for p in the first degree of freedom."""
    study = calibration("multivariate_model").PAIRED

    def misprinted(pair):
        return special.fdtrc(9, 7, stats.multivariate.hotelling(*pair).f_statistic) <= 0.05

    assert contradicted(study, misprinted)


def test_newman_keuls_that_looks_inside_accepted_ranges_is_found_out():
    study = calibration("ranges_model").COMPLETE
    cases = {case.function: i for i, case in enumerate(study.cases)}

    def without_step_down(losses):
        # Neighbours in the order of means, each pair against the range of two only.
        q = np.diff(np.sort(losses.mean(axis=-1), axis=-1), axis=-1)
        error = np.sqrt(losses.var(axis=-1, ddof=1).mean(axis=-1) / losses.shape[-1])
        return (2 * special.stdtr(45, -q / error[:, None] / np.sqrt(2)) <= 0.05).any(axis=-1)

    assert contradicted(study, without_step_down, cases["omnibus.newman_keuls"])


def test_an_adjustment_that_forgets_a_hypothesis_is_found_out():
    study = calibration("adjust_model").ALL_TRUE
    cases = {case.function: i for i, case in enumerate(study.cases)}
    assert contradicted(study, lambda family: (9 * family.p <= 0.05).any(axis=-1), cases["adjust.bonferroni"])
