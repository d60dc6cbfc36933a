"""Adjusted p values: family-wise error, and the false discovery rate of the two that control it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import special

from benchmarks.calibration.claims import ALPHA, Above, Claim, above, at_most, exactly, near
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import families
from bestofk.stats import adjust

K = 5
M = K * (K - 1) // 2
TRUE_NULLS = 5
BONFERRONI = families.smallest_below(ALPHA / M, M)
HARMONIC = float(sum(1 / i for i in range(1, M + 1)))

Adjustment = Callable[[np.ndarray], np.ndarray]


class Family(NamedTuple):
    """p values of a family, and which of its null hypotheses are true."""

    p: np.ndarray
    true: np.ndarray


Outcome = Callable[[Family], np.ndarray]


def independent_nulls(rng: np.random.Generator, runs: int, effect: float) -> Family:
    """Uniform p values; with an effect every third hypothesis is false, a normal z with that mean."""
    z = rng.normal(size=(runs, M))
    true = np.ones(M, dtype=bool)
    if effect:
        true[::3] = False
        z[:, ~true] += effect
    return Family(2 * special.ndtr(-np.abs(z)), true)


def half_false(rng: np.random.Generator, runs: int, effect: float) -> Family:
    """Half of the hypotheses are false beyond doubt (p = 0): the hardest case for a step-down."""
    p = rng.random((runs, M))
    true = np.arange(M) < TRUE_NULLS
    p[:, ~true] = 0.0
    return Family(p, true)


def all_pairs(rng: np.random.Generator, runs: int, effect: float) -> Family:
    """Dependent p values of all pairs of K equal learners, in the order (0,1), (0,2), …"""
    means = rng.normal(size=(runs, K))
    i, j = np.triu_indices(K, 1)
    return Family(2 * special.ndtr(-np.abs(means[:, i] - means[:, j]) / 2**0.5), np.ones(M, dtype=bool))


def two_groups(rng: np.random.Generator, runs: int, effect: float) -> Family:
    """Pairs of learners 0, 1, 2 and of 3, 4 are equal; the two groups are far apart."""
    means = rng.normal(size=(runs, K)) + 20.0 * np.array([0, 0, 0, 1, 1])
    i, j = np.triu_indices(K, 1)
    p = 2 * special.ndtr(-np.abs(means[:, i] - means[:, j]) / 2**0.5)
    return Family(p, (i < 3) == (j < 3))


def family_wise(adjustment: Adjustment) -> Outcome:
    """Whether any true null is rejected."""
    return lambda family: (adjustment(family.p)[:, family.true] <= ALPHA).any(axis=-1)


def family_wise_or_found(adjustment: Adjustment) -> Outcome:
    """The same when all nulls are true; when some are false, the share of these that is found."""

    def outcome(family: Family) -> np.ndarray:
        if family.true.all():
            return family_wise(adjustment)(family)
        return (adjustment(family.p)[:, ~family.true] <= ALPHA).mean(axis=-1)

    return outcome


def false_discoveries(adjustment: Adjustment) -> Outcome:
    """Share of rejected hypotheses that are true."""

    def outcome(family: Family) -> np.ndarray:
        rejected = adjustment(family.p) <= ALPHA
        return rejected[:, family.true].sum(axis=-1) / np.maximum(rejected.sum(axis=-1), 1)

    return outcome


def _dynamic(p: np.ndarray) -> np.ndarray:
    return adjust.shaffer(p, kind="dynamic")


def _case(name: str, measure: Callable[[Adjustment], Outcome], claim: Claim, literature: str) -> Case:
    variant = "false discovery rate" if measure is false_discoveries else "any true null rejected"
    return Case(f"adjust.{name}", variant, measure(getattr(adjust, name)), claim, literature)


def _dynamic(p: np.ndarray) -> np.ndarray:
    return adjust.shaffer(p, kind="dynamic")


ALL_TRUE = Study(
    name="independent nulls",
    null=f"{M} independent true nulls",
    draw=independent_nulls,
    runs=400_000,
    effects={"a third false by 3 sd: share of them found": 3.0},
    cases=(
        _case("none", family_wise_or_found, exactly(families.smallest_below(ALPHA, M)), "1 − 0.95^m"),
        _case("bonferroni", family_wise_or_found, exactly(BONFERRONI), "1 − (1 − α/m)^m (Dunn 1961)"),
        _case("holm", family_wise_or_found, exactly(BONFERRONI), "as Bonferroni when all are true (Holm 1979)"),
        _case("hochberg", family_wise_or_found, at_most(), "at most alpha (Hochberg 1988)"),
        _case("hommel", family_wise_or_found, at_most(), "at most alpha (Hommel 1988)"),
        _case("holland", family_wise_or_found, exactly(0.05), "exactly alpha (Holland and Copenhaver 1987)"),
        _case("finner", family_wise_or_found, exactly(0.05), "exactly alpha (Finner 1993)"),
        _case("li", family_wise_or_found, exactly(families.li_error(M)), "at most alpha (Li 2008), by quadrature"),
        _case(
            "benjamini_hochberg",
            family_wise_or_found,
            exactly(0.05),
            "Simes: exactly alpha (Benjamini and Hochberg 1995)",
        ),
        _case(
            "benjamini_yekutieli",
            family_wise_or_found,
            exactly(0.05 / HARMONIC),
            "α/Σ1/i (Benjamini and Yekutieli 2001)",
        ),
    ),
)

HALF_FALSE = Study(
    name="half false",
    null=f"{M} independent hypotheses, {TRUE_NULLS} true, the others false beyond doubt",
    draw=half_false,
    runs=400_000,
    cases=(
        _case("none", family_wise, exactly(families.smallest_below(ALPHA, TRUE_NULLS)), "1 − 0.95^5"),
        _case("bonferroni", family_wise, exactly(families.smallest_below(ALPHA / M, TRUE_NULLS)), "1 − (1 − α/10)^5"),
        _case("holm", family_wise, exactly(families.smallest_below(ALPHA / TRUE_NULLS, TRUE_NULLS)), "1 − (1 − α/5)^5"),
        _case("hochberg", family_wise, at_most(), "at most alpha (Hochberg 1988)"),
        _case("hommel", family_wise, at_most(), "at most alpha (Hommel 1988)"),
        _case("holland", family_wise, exactly(0.05), "exactly alpha (Holland and Copenhaver 1987)"),
        replace(
            _case(
                "finner",
                family_wise,
                exactly(families.finner_error(M, TRUE_NULLS)),
                "alpha (García et al. 2010); but its levels 1 − (1 − α)^(i/m) give 1 − 0.95^(m₀(m−m₀+1)/m)",
            ),
            unlike=True,
        ),
        _case("li", family_wise, at_most(), "at most alpha (Li 2008)"),
        _case(
            "benjamini_hochberg",
            false_discoveries,
            exactly(ALPHA * TRUE_NULLS / M),
            "α·m₀/m (Benjamini and Hochberg 1995)",
        ),
        _case(
            "benjamini_yekutieli",
            false_discoveries,
            exactly(ALPHA * TRUE_NULLS / M / HARMONIC),
            "α·m₀/m/Σ1/i when independent (Benjamini and Yekutieli 2001)",
        ),
    ),
)


def _pair_cases(finner: Claim) -> tuple[Case, ...]:
    for_pairs = "at most alpha (García and Herrera 2008)"
    not_for_pairs = "at most alpha for independent p values; here dependent ones"
    return (
        *(_case(name, family_wise, at_most(), for_pairs) for name in ("bonferroni", "holm", "bergmann_hommel")),
        _case("shaffer", family_wise, at_most(), for_pairs),
        Case("adjust.shaffer", "dynamic, any true null rejected", family_wise(_dynamic), at_most(), for_pairs),
        *(_case(name, family_wise, at_most(), not_for_pairs) for name in ("hochberg", "hommel", "holland")),
        replace(
            _case("finner", family_wise, finner, "alpha (García et al. 2010); as for independent hypotheses"),
            unlike=isinstance(finner, Above),
        ),
        _case("li", family_wise, near(0.04, 0.07), "alpha for independent p values only (Li 2008); band stated here"),
    )


ALL_PAIRS = Study(
    name="all pairs equal",
    null=f"all pairs of {K} equal learners, dependent p values",
    draw=all_pairs,
    runs=40_000,
    chunk=5_000,
    cases=_pair_cases(finner=at_most()),
)

TWO_GROUPS = Study(
    name="two groups of learners",
    null="all pairs of 5 learners in two groups of 3 and 2, far apart",
    draw=two_groups,
    runs=40_000,
    chunk=5_000,
    cases=_pair_cases(finner=above()),
)

STUDIES = (ALL_TRUE, HALF_FALSE, ALL_PAIRS, TWO_GROUPS)
