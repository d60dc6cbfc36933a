"""Tests on the right and wrong answers of classifiers to the items of one test set."""

from __future__ import annotations

import numpy as np

from benchmarks.calibration.claims import Claim, above, at_most, exactly, near
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import counts
from bestofk.stats import omnibus, pairwise

ITEMS = 200
DISAGREEMENT = 0.15
CLASSIFIERS = 5


def disagreements(rng: np.random.Generator, runs: int, effect: float) -> tuple[np.ndarray, np.ndarray]:
    """Counts of items that only the first, only the second gets wrong; ``effect`` moves the share from ½."""
    total = rng.binomial(ITEMS, DISAGREEMENT, size=runs)
    first = rng.binomial(total, 0.5 + effect)
    return first, total - first


def _mcnemar(method: str, literature: str) -> Case:
    return Case(
        "pairwise.mcnemar",
        method,
        lambda d: pairwise.mcnemar(*d, method=method).rejects(),
        exactly(counts.mcnemar_rate(method, ITEMS, DISAGREEMENT)),
        literature,
        power_theory=lambda effect: counts.mcnemar_rate(method, ITEMS, DISAGREEMENT, 0.5 + effect),
    )


MCNEMAR = Study(
    name="disagreements",
    null=f"{ITEMS} items, each in disagreement with chance {DISAGREEMENT}, either way equally likely",
    draw=disagreements,
    runs=200_000,
    chunk=50_000,
    effects={"65 : 35": 0.15, "80 : 20": 0.30},
    cases=(
        _mcnemar("chi2-corrected", "conservative (Dietterich 1998; Fagerland et al. 2013), by counting"),
        _mcnemar("chi2", "near alpha, at times above (Fagerland et al. 2013), by counting"),
        _mcnemar("exact", "conservative (Fagerland et al. 2013), by counting"),
        _mcnemar("mid-p", "near alpha, rarely above (Fagerland et al. 2013), by counting"),
    ),
)


def labels(rng: np.random.Generator, runs: int, effect: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth and two columns of predicted labels with the same disagreement as in the counts above."""
    truth = rng.integers(0, 2, size=(runs, ITEMS))
    differ = rng.random((runs, ITEMS)) < DISAGREEMENT
    by_first = rng.random((runs, ITEMS)) < 0.5 + effect
    return truth, np.where(differ & by_first, 1 - truth, truth), np.where(differ & ~by_first, 1 - truth, truth)


MCNEMAR_LABELS = Study(
    name="labels",
    null=f"the same as labels of {ITEMS} items",
    draw=labels,
    runs=100_000,
    chunk=5_000,
    cases=(
        Case(
            "pairwise.mcnemar_from",
            "chi2-corrected",
            lambda d: pairwise.mcnemar_from(*d).rejects(),
            exactly(counts.mcnemar_rate("chi2-corrected", ITEMS, DISAGREEMENT)),
            "the same test from labels",
        ),
        Case(
            "pairwise.mcnemar_losses",
            "mid-p",
            lambda d: pairwise.mcnemar_losses(d[1] != d[0], d[2] != d[0], method="mid-p").rejects(),
            exactly(counts.mcnemar_rate("mid-p", ITEMS, DISAGREEMENT)),
            "the same test from 0/1 losses",
        ),
        Case(
            "pairwise.mcnemar_mid_p_losses",
            "mid-p",
            lambda d: pairwise.mcnemar_mid_p_losses(d[1] != d[0], d[2] != d[0]).rejects(),
            exactly(counts.mcnemar_rate("mid-p", ITEMS, DISAGREEMENT)),
            "the same test by its own name",
        ),
        Case(
            "pairwise.mcnemar_exact_losses",
            "exact",
            lambda d: pairwise.mcnemar_exact_losses(d[1] != d[0], d[2] != d[0]).rejects(),
            exactly(counts.mcnemar_rate("exact", ITEMS, DISAGREEMENT)),
            "conservative (Fagerland et al. 2013), by counting",
        ),
        Case(
            "pairwise.mcnemar_auto_losses",
            "auto",
            lambda d: pairwise.mcnemar_auto_losses(d[1] != d[0], d[2] != d[0]).rejects(),
            exactly(counts.mcnemar_rate("auto", ITEMS, DISAGREEMENT)),
            "exact below 25 disagreements, else mid-p, by counting",
        ),
    ),
)


def exchangeable(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
    """Items of random easiness, on which all classifiers are right equally often (the last one less by effect)."""
    easiness = rng.beta(4.0, 1.0, size=(runs, 100, 1))
    chance = easiness - effect * (np.arange(CLASSIFIERS) == CLASSIFIERS - 1)
    return (rng.random((runs, 100, CLASSIFIERS)) < chance).astype(float)


def near_copies(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
    """Four classifiers that nearly always agree and a fifth of the same accuracy that is on its own."""
    right = rng.random((runs, 100, CLASSIFIERS)) < 0.8
    common = rng.random((runs, 100, 1)) < 0.8
    copied = rng.random((runs, 100, CLASSIFIERS)) < 0.95
    copied[..., -1] = False
    return np.where(copied, common, right).astype(float)


def _looney(epsilon: str | None, claim: Claim, literature: str) -> Case:
    return Case(
        "omnibus.looney",
        epsilon or "plain F",
        lambda correct: omnibus.looney(correct, epsilon=epsilon).rejects(),
        claim,
        literature,
    )


def _cochran(claim: Claim, literature: str) -> Case:
    return Case("omnibus.cochran_q", "", lambda correct: omnibus.cochran_q(correct).rejects(), claim, literature)


EXCHANGEABLE = Study(
    name="exchangeable classifiers",
    null=f"100 items, {CLASSIFIERS} exchangeable classifiers",
    draw=exchangeable,
    runs=40_000,
    chunk=5_000,
    effects={"accuracy −0.10": 0.10, "accuracy −0.20": 0.20},
    cases=(
        _cochran(near(0.04, 0.055), "near alpha for many items (Cochran 1950); band stated here"),
        _looney(None, near(0.04, 0.06), "near alpha (Looney 1988); band stated here"),
        _looney("greenhouse-geisser", near(0.035, 0.055), "at or below the plain F; band stated here"),
        _looney("huynh-feldt", near(0.035, 0.06), "between the two; band stated here"),
        _looney("lower-bound", at_most(0.02), "far below alpha: the least epsilon there is (Looney 1988)"),
    ),
)

NEAR_COPIES = Study(
    name="near copies",
    null="100 items, four near copies and one of equal accuracy: no sphericity",
    draw=near_copies,
    runs=40_000,
    chunk=5_000,
    cases=(
        _cochran(above(), "above alpha without sphericity: Q weighs all classifiers alike"),
        _looney(None, above(), "above alpha without sphericity (Looney 1988)"),
        _looney("greenhouse-geisser", near(0.04, 0.06), "near alpha (Looney 1988); band stated here"),
        _looney("huynh-feldt", near(0.04, 0.06), "near alpha (Looney 1988); band stated here"),
        _looney("lower-bound", at_most(0.05), "at most alpha (Looney 1988)"),
    ),
)

STUDIES = (MCNEMAR, MCNEMAR_LABELS, EXCHANGEABLE, NEAR_COPIES)
