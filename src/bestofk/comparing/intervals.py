"""An interval for every difference: the test's own, or that of the t test which fits the design."""

from __future__ import annotations

from bestofk.comparing.batches import Places
from bestofk.comparing.design import Design
from bestofk.comparing.pair_tests import PairTests, run_pairs
from bestofk.core.arrays import Array


def interval_of(
    design: Design, tests: PairTests, test: str, first: Places, second: Places, alpha: float
) -> tuple[Array | None, Array | None, str]:
    """Return low, high (differences of losses, first minus second) and the test they come from."""
    if tests.low is not None:
        return tests.low, tests.high, test
    stand_in = _stand_in(design)
    if not stand_in:
        return None, None, ""
    other = run_pairs(design, stand_in, first, second, alpha, seed=0)
    return other.low, other.high, stand_in


def _stand_in(design: Design) -> str:
    """Rank and permutation tests have no interval of the mean; a t test of the same design has."""
    if design.kind == "folds":
        return "corrected-t" if design.replications_and_folds[1] > 1 or design.test_fraction is not None else ""
    return "paired-t" if design.kind in ("datasets", "items") and design.rows.shape[1] > 1 else ""
