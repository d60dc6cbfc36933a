"""Range tests: the chance to tell any two equal learners apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.calibration.claims import ALPHA, Claim, above, exactly
from benchmarks.calibration.omnibus_model import independent_groups
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import ranges
from bestofk.stats import omnibus

K, FOLDS, PAIRS = 5, 10, 3
PARTIAL_DF = 2 * PAIRS * (FOLDS - 1)
FAR_APART = 4.0


def any_pair(test: Callable[..., Any], losses: np.ndarray) -> np.ndarray:
    """Whether any two learners are told apart."""
    return (test(losses).pvalue <= ALPHA).any(axis=(-2, -1))


def any_equal_pair(test: Callable[..., Any], losses: np.ndarray) -> np.ndarray:
    """Whether any of the pairs (0, 1), (2, 3), … of equal learners is told apart."""
    pvalue = test(losses).pvalue
    first = np.arange(0, pvalue.shape[-1], 2)
    return (pvalue[..., first, first + 1] <= ALPHA).any(axis=-1)


def pairs_far_apart(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
    """Learners in equal pairs, each pair far from the next, so that only ranges of two are in doubt."""
    level = FAR_APART * np.repeat(np.arange(PAIRS), 2)
    return rng.normal(size=(runs, 2 * PAIRS, FOLDS)) + level[:, None]


def _case(name: str, outcome: Callable[..., np.ndarray], variant: str, claim: Claim, literature: str) -> Case:
    test = getattr(omnibus, name)
    return Case(f"omnibus.{name}", variant, lambda losses: outcome(test, losses), claim, literature)


COMPLETE = Study(
    name="all equal",
    null=f"{K} equal normal groups of {FOLDS}: the complete null",
    draw=independent_groups(K, FOLDS),
    runs=100_000,
    effects={"one by 1 sd": 1.0, "one by 1.5 sd": 1.5},
    cases=(
        _case("tukey", any_pair, "any pair", exactly(0.05), "exact (Tukey 1949)"),
        _case("newman_keuls", any_pair, "any pair", exactly(0.05), "exact under the complete null (Keuls 1952)"),
        _case("duncan", any_pair, "any pair", exactly(ranges.duncan_complete(K)), "1 − 0.95^(K−1) (Duncan 1955)"),
    ),
)

PARTIAL = Study(
    name="equal pairs",
    null=f"{PAIRS} pairs of equal learners, the pairs far apart: a partial null",
    draw=pairs_far_apart,
    runs=100_000,
    cases=(
        _case(
            "tukey",
            any_equal_pair,
            "any equal pair",
            exactly(ranges.tukey_error(PAIRS, PARTIAL_DF)),
            "at most alpha (Tukey 1949), by quadrature",
        ),
        _case(
            "newman_keuls",
            any_equal_pair,
            "any equal pair",
            exactly(ranges.newman_keuls_error(PAIRS, PARTIAL_DF)),
            "not controlled beyond the complete null (Hochberg and Tamhane 1987), by quadrature",
        ),
        _case(
            "duncan",
            any_equal_pair,
            "any equal pair",
            above(),
            "not controlled (Duncan 1955); as Newman–Keuls, whose level for two it shares",
        ),
    ),
)

STUDIES = (COMPLETE, PARTIAL)
