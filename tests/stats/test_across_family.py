"""Family-wise error of every all-pairs procedure at K = 5, 10 and 20, by simulation.

All learners equal, and two groups of equal learners far apart, which is the harder case for a step-down. A procedure
fails when the exact binomial 99.9 % interval of the share of families with a false rejection lies above alpha.
Procedures that are known not to hold alpha for dependent p values, or for some true null hypotheses (finner, li; the
false discovery rate of benjamini-hochberg), are measured in benchmarks/calibration and left out here.
"""

import numpy as np
import pytest
from scipy import special

from bestofk.stats import across, adjust
from bestofk.stats.adjust import ADJUST

pytestmark = pytest.mark.slow

ALPHA = 0.05
#: Valid for whatever dependence, or for that of all pairs.
ADJUSTMENTS = ("bonferroni", "holm", "hochberg", "hommel", "holland", "shaffer")
LEARNERS = (5, 10, 20)
RUNS = {5: 20_000, 10: 10_000, 20: 4_000}


def lower_limit(count, runs):
    """Lower end of the exact two-sided 99.9 % interval of a share."""
    return 0.0 if count == 0 else float(special.betaincinv(count, runs - count + 1, 0.0005))


def groups(learners, shape):
    """Levels of the learners: all equal, or two groups far apart."""
    levels = np.zeros(learners)
    if shape == "two groups":
        levels[: learners // 2] = 1.0
    return levels


def z_pvalues(learners, shape, runs, seed=0):
    """p values of all pairs of normal means, dependent as all pairs are, and which null hypotheses are true."""
    levels = groups(learners, shape)
    means = np.random.default_rng(seed).normal(size=(runs, learners)) + 20.0 * levels
    i, j = np.triu_indices(learners, 1)
    return 2 * special.ndtr(-np.abs(means[:, i] - means[:, j]) / np.sqrt(2)), levels[i] == levels[j]


def family_wise(adjusted, true):
    return int((adjusted[:, true] <= ALPHA).any(axis=1).sum())


@pytest.mark.parametrize("learners", LEARNERS)
@pytest.mark.parametrize("shape", ["all equal", "two groups"])
@pytest.mark.parametrize("name", ADJUSTMENTS)
def test_adjusted_pairs_hold_alpha(name, shape, learners):
    p, true = z_pvalues(learners, shape, RUNS[learners])
    count = family_wise(np.asarray(ADJUST[name](p)), true)
    assert lower_limit(count, len(p)) <= ALPHA
    if shape == "all equal":
        assert count / len(p) > 0.005  # a procedure that never rejects would hold alpha as well


@pytest.mark.parametrize("shape", ["all equal", "two groups"])
@pytest.mark.parametrize("kind", ["bergmann-hommel", "shaffer-dynamic"])
def test_exhaustive_procedures_hold_alpha_at_five(kind, shape):
    """Both are exact for at most nine learners, so of the three sizes they have the first."""
    p, true = z_pvalues(5, shape, 5_000)
    adjusted = adjust.bergmann_hommel(p) if kind == "bergmann-hommel" else adjust.shaffer(p, kind="dynamic")
    assert lower_limit(family_wise(adjusted, true), len(p)) <= ALPHA


@pytest.mark.parametrize("learners", LEARNERS)
@pytest.mark.parametrize("shape", ["all equal", "two groups"])
def test_unadjusted_pairs_do_not(shape, learners):
    """The check can fail: without adjustment it does, by far."""
    p, true = z_pvalues(learners, shape, 2_000)
    assert lower_limit(family_wise(p, true), len(p)) > ALPHA


@pytest.mark.parametrize("learners", LEARNERS)
@pytest.mark.parametrize("name", ["benjamini-hochberg", "benjamini-yekutieli"])
def test_false_discovery_rates_hold_alpha_where_nobody_differs(name, learners):
    """All null hypotheses true: the false discovery rate is the chance of any, which Yekutieli's form bounds always.

    Benjamini and Hochberg's form is proven under positive dependence, which all pairs do not have: here it is measured.
    """
    p, true = z_pvalues(learners, "all equal", RUNS[learners])
    assert lower_limit(family_wise(np.asarray(ADJUST[name](p)), true), len(p)) <= ALPHA


def test_every_adjustment_is_measured_or_known_not_to_hold():
    """Nothing that adjusts all pairs is forgotten here."""
    elsewhere = {"none", "finner", "li"}  # see the head of this file
    exhaustive = {"bergmann-hommel"}  # up to nine learners
    discovery = {"benjamini-hochberg", "benjamini-yekutieli"}
    assert {*ADJUSTMENTS, *elsewhere, *exhaustive, *discovery} == set(ADJUST.names())


@pytest.mark.parametrize("learners", LEARNERS)
@pytest.mark.parametrize("shape", ["all equal", "two groups"])
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "paired-t", "permutation-t", "nemenyi"])
def test_tables_of_learners_hold_alpha(test, shape, learners):
    """From losses to conclusions: 25 data sets, Holm's adjustment (Nemenyi's test has its own)."""
    runs, datasets = {5: 3_000, 10: 1_500, 20: 600}[learners], 25
    if test == "permutation-t":  # 10,000 flips a table
        runs //= 10
    rng, levels = np.random.default_rng(1), groups(learners, shape)
    question = across.all_pairs(learners, test, "holm")
    true = levels[question.first] == levels[question.second]
    everything = np.arange(datasets, dtype=np.intp)[None]
    wrong = 0
    for _ in range(runs):
        table = rng.normal(size=(learners, datasets)) + 20.0 * levels[:, None] + rng.normal(size=datasets)
        wrong += bool((across.decide(table, everything, question).conclusion[0][true] != 0).any())
    assert lower_limit(wrong, runs) <= ALPHA
