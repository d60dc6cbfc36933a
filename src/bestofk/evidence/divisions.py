"""How the rows were divided into test sets: folds that cover them all, repeated or not, or random splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.curves import Curves
from bestofk.evidence.scores import Scores

Indices = Sequence[npt.NDArray[np.int64]]

SAME_SHARE = 0.01  # shares of test data that differ by no more are one share


@dataclass(frozen=True)
class Division:
    """Replications of folds; ``test_fraction`` is the share of test rows where these are random splits."""

    replications: int
    folds: int
    test_fraction: float | None = None

    def __str__(self) -> str:
        if self.test_fraction is not None:
            return counted(self.replications, "random split")
        return f"{counted(self.replications, 'replication')} of {counted(self.folds, 'fold')}"


def indices_of(entries: Any) -> Indices | None:
    """Return lists of row numbers as arrays; None where they are something else."""
    try:
        found = [np.asarray(each, dtype=np.int64) for each in entries]
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found and all(each.ndim == 1 and each.size for each in found) else None


def division_of(test: Indices, train: Indices | None, where: str, *, said_share: float | None = None) -> Division:
    """Say how test sets divide the rows. Sets in a row that cover all rows without overlap are one replication.

    Examples
    --------
    >>> halves = [np.array([0, 1]), np.array([2, 3]), np.array([0, 2]), np.array([1, 3])]
    >>> print(division_of(halves, None, "here"))
    2 replications of 2 folds
    """
    rounds, left = _rounds(_flags(test, train))
    if not left and len(set(rounds)) == 1:
        return Division(len(rounds), rounds[0])
    if rounds:
        raise InputError(
            f"the test sets are a mixture: {', '.join(map(str, rounds))} folds that cover all rows, then "
            f"{counted(left, 'set')} that {'does' if left == 1 else 'do'} not.",
            where,
            "give whole replications of equally many folds, or random splits alone.",
        )
    return Division(len(test), 1, _share(test, train, where) if said_share is None else said_share)


def are_rounds(test: Indices) -> bool:
    """Whether test sets in a row cover all rows in turn, in replications of equally many.

    Examples
    --------
    >>> are_rounds([np.array([0]), np.array([1]), np.array([1]), np.array([0])]), are_rounds([np.array([0, 1])] * 2)
    (True, True)
    """
    rounds, left = _rounds(_flags(test, None))
    return not left and len(set(rounds)) == 1


def _flags(test: Indices, train: Indices | None) -> list[Flags]:
    """Which rows every test set has, of all the rows that occur."""
    rows = np.unique(np.concatenate([*test, *(train or ())]))
    flags = []
    for each in test:
        flag = np.zeros(len(rows), dtype=bool)
        flag[np.searchsorted(rows, each)] = True
        flags.append(flag)
    return flags


def _rounds(flags: list[Flags]) -> tuple[list[int], int]:
    """Numbers of test sets in a row that cover all rows once, and how many sets are left after the last such round."""
    rounds: list[int] = []
    start, covered = 0, np.zeros_like(flags[0])
    for place, flag in enumerate(flags):
        if (covered & flag).any():
            break
        covered = covered | flag
        if covered.all():
            rounds.append(place + 1 - start)
            start, covered = place + 1, np.zeros_like(flag)
    return rounds, len(flags) - start


def _share(test: Indices, train: Indices | None, where: str) -> float:
    if train is None or len(train) != len(test):
        raise InputError(
            "the test sets do not cover the rows in turn: they are random splits, and no training indices tell "
            "the share of test data.",
            where,
            "say the share: test_fraction=0.3 (--test-fraction 0.3) for 30 % test data.",
        )
    shares = [len(t) / (len(t) + len(r)) for t, r in zip(test, train, strict=True)]
    if max(shares) - min(shares) > SAME_SHARE:
        raise InputError(
            f"the splits have between {100 * min(shares):.3g} % and {100 * max(shares):.3g} % test data.",
            where,
            "give splits of one size, or folds that cover all rows.",
        )
    return sum(shares) / len(shares)


def refuse_tested_training(scores: Scores | Curves) -> None:
    """Refuse to test folds that were tested on rows they were trained on; what they do tell, the means, is said."""
    if scores.divided != "trained-on":
        return
    means = ", ".join(f"{name} {mean:.4g}" for name, mean in scores.means().items())
    raise InputError(
        f"every bootstrap sample was tested on the full set, and no test is valid there; only means: {means} "
        f"({scores.measure}, {scores.direction}).",
        scores.origin.source,
        f"collect with folds = {scores.spec_for_a_test} for a verdict.",
    )
