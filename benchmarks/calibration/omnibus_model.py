"""Analyses of variance and rank tests of more than two learners on data drawn from their assumptions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.calibration.claims import ALPHA, Claim, above, at_most, exactly, near
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import ranks, student
from bestofk.stats import omnibus

K, FOLDS = 5, 10
RANKED, DATA_SETS = 4, 10
EQUAL_GROUPS, UNEQUAL_GROUPS = (6, 6, 6), (5, 6, 7)
SPREADS = np.array([1.0, 1.0, 1.0, 1.0, 5.0])

Draw = Callable[[np.random.Generator, int, float], np.ndarray]


def one_worse(k: int, effect: float) -> np.ndarray:
    """Means of k learners, the last of which loses more by ``effect``."""
    return effect * (np.arange(k) == k - 1.0)


def independent_groups(k: int, folds: int) -> Draw:
    def draw(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
        return rng.normal(size=(runs, k, folds)) + one_worse(k, effect)[:, None]

    return draw


def blocked(k: int, folds: int, spreads: np.ndarray | float = 1.0) -> Draw:
    """Losses (..., k, folds) that share a difficulty of the fold; unequal spreads break sphericity."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
        difficulty = 2.0 * rng.normal(size=(runs, 1, folds))
        noise = rng.normal(size=(runs, k, folds)) * np.broadcast_to(spreads, k)[:, None]
        return difficulty + noise + one_worse(k, effect)[:, None]

    return draw


def one_worse_noncentrality(k: int, count: int, effect: float) -> float:
    """Σ of squared deviations of the means, in units of the error variance."""
    return count * effect**2 * (1 - 1 / k)


ANOVA = Study(
    name="independent groups",
    null=f"{K} independent normal groups of {FOLDS}",
    draw=independent_groups(K, FOLDS),
    runs=400_000,
    effects={"one by 1 sd": 1.0, "one by 1.5 sd": 1.5},
    cases=(
        Case(
            "omnibus.anova",
            "",
            lambda x: omnibus.anova(x).rejects(),
            exactly(0.05),
            "exact (Fisher 1925)",
            power_theory=lambda e: student.f_power(one_worse_noncentrality(K, FOLDS, e), K - 1, K * (FOLDS - 1)),
        ),
    ),
)


def _repeated(
    field: str, variant: str, claim: Claim, literature: str, power: Callable[[float], float] | None = None
) -> Case:
    return Case(
        "omnibus.repeated_anova",
        variant,
        lambda x: getattr(omnibus.repeated_anova(x), field) <= ALPHA,
        claim,
        literature,
        power,
    )


SPHERICAL = Study(
    name="spherical blocks",
    null=f"{K} learners on {FOLDS} folds as blocks, normal and spherical",
    draw=blocked(K, FOLDS),
    runs=100_000,
    effects={"one by 1 sd": 1.0, "one by 1.5 sd": 1.5},
    cases=(
        _repeated(
            "pvalue",
            "plain",
            exactly(0.05),
            "exact under sphericity (Fisher 1925)",
            lambda e: student.f_power(one_worse_noncentrality(K, FOLDS, e), K - 1, (K - 1) * (FOLDS - 1)),
        ),
        _repeated(
            "pvalue_greenhouse_geisser",
            "Greenhouse–Geisser",
            at_most(),
            "conservative under sphericity (Huynh and Feldt 1976)",
        ),
        _repeated(
            "pvalue_huynh_feldt",
            "Huynh–Feldt",
            near(0.04, 0.05),
            "near alpha (Huynh and Feldt 1976); band stated here",
        ),
    ),
)

NOT_SPHERICAL = Study(
    name="blocks without sphericity",
    null=f"the same, one learner with 5 times the spread: epsilon {student.box_epsilon(SPREADS):.2f}",
    draw=blocked(K, FOLDS, SPREADS),
    runs=100_000,
    cases=(
        _repeated("pvalue", "plain", above(), "above alpha without sphericity (Box 1954)"),
        _repeated(
            "pvalue_greenhouse_geisser",
            "Greenhouse–Geisser",
            near(0.04, 0.06),
            "near alpha (Greenhouse and Geisser 1959); band stated here",
        ),
        _repeated(
            "pvalue_huynh_feldt",
            "Huynh–Feldt",
            near(0.04, 0.065),
            "near alpha (Huynh and Feldt 1976); band stated here",
        ),
    ),
)


def unequal_groups(rng: np.random.Generator, runs: int, effect: float) -> list[np.ndarray]:
    shifts = one_worse(len(UNEQUAL_GROUPS), effect)
    return [rng.normal(loc=shift, size=(runs, n)) for n, shift in zip(UNEQUAL_GROUPS, shifts, strict=True)]


KRUSKAL = Study(
    name="unequal ranked groups",
    null=f"independent groups of {UNEQUAL_GROUPS}",
    draw=unequal_groups,
    runs=400_000,
    effects={"one by 1 sd": 1.0, "one by 2 sd": 2.0},
    cases=(
        Case(
            "omnibus.kruskal_wallis",
            "",
            lambda groups: omnibus.kruskal_wallis(*groups).rejects(),
            exactly(ranks.kruskal_wallis_size(UNEQUAL_GROUPS)),
            "χ² conservative for small groups (Kruskal and Wallis 1952), by counting",
        ),
    ),
)

KRUSKAL_TABLE = Study(
    name="equal ranked groups",
    null=f"independent groups of {EQUAL_GROUPS}",
    draw=independent_groups(3, 6),
    runs=400_000,
    effects={"one by 1 sd": 1.0, "one by 2 sd": 2.0},
    cases=(
        Case(
            "omnibus.kruskal_wallis_losses",
            "",
            lambda x: omnibus.kruskal_wallis_losses(x).rejects(),
            exactly(ranks.kruskal_wallis_size(EQUAL_GROUPS)),
            "the same test from one table, by counting",
        ),
    ),
)

KRUSKAL_TIES = Study(
    name="ranked groups with ties",
    null=f"{K} independent groups of {FOLDS}, rounded to half standard deviations",
    draw=lambda rng, runs, effect: np.round(2 * independent_groups(K, FOLDS)(rng, runs, effect)),
    runs=100_000,
    cases=(
        Case(
            "omnibus.kruskal_wallis_losses",
            "ties corrected",
            lambda x: omnibus.kruskal_wallis_losses(x).rejects(),
            near(0.035, 0.05),
            "at or a little below alpha; band stated here",
        ),
        Case(
            "omnibus.kruskal_wallis_losses",
            "ties=False",
            lambda x: omnibus.kruskal_wallis_losses(x, ties=False).rejects(),
            at_most(),
            "below the corrected form",
        ),
    ),
)

_BY_RANKS = ranks.friedman_sizes(DATA_SETS, RANKED)


def _by_data_set(draw: Draw) -> Draw:
    """The same losses with the learners on the last axis."""
    return lambda rng, runs, effect: np.swapaxes(draw(rng, runs, effect), -1, -2)


FRIEDMAN = Study(
    name="ranked data sets",
    null=f"{RANKED} learners on {DATA_SETS} data sets",
    draw=_by_data_set(blocked(RANKED, DATA_SETS)),
    runs=200_000,
    effects={"one by 1 sd": 1.0, "one by 2 sd": 2.0},
    cases=(
        Case(
            "omnibus.friedman",
            "χ²",
            lambda x: omnibus.friedman(x).rejects(),
            exactly(_BY_RANKS["chi2"]),
            "conservative (Iman and Davenport 1980; Demšar 2006), by counting",
        ),
        Case(
            "omnibus.friedman",
            "Iman–Davenport F",
            lambda x: omnibus.friedman(x).f_pvalue <= ALPHA,
            exactly(_BY_RANKS["iman-davenport"]),
            "nearer to alpha (Iman and Davenport 1980; Demšar 2006), by counting",
        ),
        Case(
            "omnibus.skillings_mack",
            "no gaps",
            lambda x: omnibus.skillings_mack(x).rejects(),
            exactly(_BY_RANKS["chi2"]),
            "Friedman's χ² where nothing is missing (Skillings and Mack 1981), by counting",
        ),
        Case(
            "omnibus.nemenyi",
            "any pair",
            lambda x: (omnibus.nemenyi(x).pvalue <= ALPHA).any(axis=(-2, -1)),
            exactly(_BY_RANKS["nemenyi"]),
            "alpha for many data sets (Nemenyi 1963; Demšar 2006); for so few by counting",
        ),
        Case(
            "omnibus.nemenyi",
            "any against a control (Bonferroni–Dunn)",
            lambda x: (omnibus.nemenyi(x, control=0).pvalue[..., 1:] <= ALPHA).any(axis=-1),
            exactly(_BY_RANKS["bonferroni-dunn"]),
            "at most alpha (Dunn 1961; Demšar 2006), by counting",
        ),
    ),
)

FRIEDMAN_TIES = Study(
    name="ranked data sets with ties",
    null=f"{RANKED} learners on {DATA_SETS} data sets, rounded to half standard deviations",
    draw=lambda rng, runs, effect: np.round(_by_data_set(blocked(RANKED, DATA_SETS, 0.5))(rng, runs, effect) * 2),
    runs=100_000,
    cases=(
        Case(
            "omnibus.friedman",
            "χ², ties corrected",
            lambda x: omnibus.friedman(x).rejects(),
            near(0.035, 0.05),
            "at or a little below alpha; band stated here",
        ),
        Case(
            "omnibus.friedman",
            "χ², ties=False",
            lambda x: omnibus.friedman(x, ties=False).rejects(),
            at_most(0.045),
            "below the corrected form; band stated here",
        ),
        Case(
            "omnibus.nemenyi",
            "any pair",
            lambda x: (omnibus.nemenyi(x).pvalue <= ALPHA).any(axis=(-2, -1)),
            at_most(),
            "conservative with ties: its standard error counts none (Demšar 2006)",
        ),
    ),
)

STUDIES = (ANOVA, SPHERICAL, NOT_SPHERICAL, KRUSKAL, KRUSKAL_TABLE, KRUSKAL_TIES, FRIEDMAN, FRIEDMAN_TIES)
