"""How large the differences are, in numbers that do not depend on the unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.comparing.batches import Places, per_pair
from bestofk.comparing.design import Design
from bestofk.core.arrays import Array
from bestofk.stats.effects import a12, cohens_d, rank_biserial


@dataclass(frozen=True, eq=False)
class Effects:
    """One entry per pair, positive (``a12``: above ½) where the first is better; None where it does not fit."""

    cohens_d: Array | None = None
    a12: Array | None = None
    rank_biserial: Array | None = None


def effects_of(design: Design, first: Places, second: Places) -> Effects:
    """Paired d and A12 where values are paired, rank-biserial where pairs are independent and graded."""
    if design.kind == "curves":
        return Effects(a12=_of_curves(design, first, second))
    rows = design.rows
    if rows.shape[1] < 2:
        return Effects()
    independent = design.kind in ("datasets", "items") and not design.binary
    return Effects(
        cohens_d=per_pair(_better_d, rows, first, second),
        a12=per_pair(_better_a12, rows, first, second),
        rank_biserial=per_pair(_better_ranks, rows, first, second) if independent else None,
    )


# Statistics speak of losses, so their effects are positive where the first loses more; here it is the better one's.


def _better_d(one: Array, two: Array) -> Any:
    return -np.asarray(cohens_d(one, two).value) + 0.0  # no −0


def _better_a12(one: Array, two: Array) -> Any:
    return 1.0 - np.asarray(a12(one, two).value)


def _better_ranks(one: Array, two: Array) -> Any:
    return -np.asarray(rank_biserial(one, two).value) + 0.0


def _of_curves(design: Design, first: Places, second: Places) -> Array | None:
    """A12 of the curves' means; None when some learner has a single curve."""
    means = [each.mean(axis=-1) for each in design.curves]
    if min(len(each) for each in means) < 2:
        return None
    return np.array([_better_a12(means[i], means[j]) for i, j in zip(first, second, strict=True)], dtype=float)
