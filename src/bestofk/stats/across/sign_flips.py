"""The permutation test for many choices of data sets: one set of sign patterns serves them all."""

from __future__ import annotations

import numpy as np

from bestofk.stats.across.question import Places, Question
from bestofk.stats.arrays import ROUNDING, Array
from bestofk.stats.pairwise.permutation_t import _TIES, ENUMERATE_UP_TO, _random_signs, permutation_t

#: Sign patterns where not all are counted, as in ``permutation_t``.
SHUFFLES = 10_000
#: Sums held at once.
MOST_VALUES = 200_000


class SignFlips:
    """Sums of differences under sign patterns drawn for the whole table.

    A choice of data sets takes the columns of its data sets (a data set drawn twice has two columns of its own). Of at
    most 16 all patterns are counted: dropping a column leaves every shorter pattern equally often, so p stays exact.
    """

    def __init__(self, losses: Array, question: Question) -> None:
        one, two = losses[question.first], losses[question.second]
        difference = one - two
        scale = ROUNDING * np.maximum(np.abs(one).max(axis=-1), np.abs(two).max(axis=-1))
        self.difference = np.where(np.abs(difference) <= scale[:, None], 0.0, difference)
        self.seed = question.seed

    def pvalues(self, kept: Places) -> tuple[Array, Array, Array, Array]:
        """One-sided p values (less, greater), the two-sided one, and the side, for every choice and pair."""
        n = kept.shape[1]
        repeated = bool((np.diff(np.sort(kept, axis=1), axis=1) == 0).any())
        if n <= ENUMERATE_UP_TO or repeated:
            return self._one_by_one(kept)
        signs = self._signs(self.difference.shape[1])
        counts = [self._counted(d, kept, signs) for d in self.difference]
        less, greater, two_sided, side = (np.stack(part, axis=1) for part in zip(*counts, strict=True))
        return less, greater, two_sided, side

    def _one_by_one(self, kept: Places) -> tuple[Array, Array, Array, Array]:
        chosen = np.moveaxis(self.difference[:, kept], 0, 1)
        zeros = np.zeros(kept.shape[1])
        less, greater, two_sided = (
            np.asarray(permutation_t(chosen, zeros, alternative=side, rng=self.seed).pvalue)
            for side in ("less", "greater", "two-sided")
        )
        return less, greater, two_sided, -np.sign(chosen.sum(axis=-1))

    def _signs(self, n: int) -> Array:
        return np.concatenate(list(_random_signs(n, SHUFFLES, np.random.default_rng(self.seed))))

    def _counted(self, difference: Array, kept: Places, signs: Array) -> tuple[Array, Array, Array, Array]:
        """Count, for one pair, the patterns whose sum is as far out as the observed one, on its side and the other."""
        observed = difference[kept].sum(axis=1)
        far = np.abs(observed) - _TIES * np.abs(difference[kept]).sum(axis=1)
        left = _left_out(kept, len(difference))
        side = np.where(observed < 0, -1.0, 1.0)
        if (np.abs(observed) < np.sqrt(np.square(difference[kept]).sum(axis=1))).all():
            signs = signs[: len(signs) // 10]  # no choice is beyond one standard deviation: no level is near
        sums, count = signs @ difference, float(len(signs))
        # Patterns whose full sum is too small for every choice never count, whatever is left out of them.
        reach = np.sort(np.abs(difference))[::-1][: left.shape[1]].sum()
        flipped = np.ascontiguousarray((signs[np.abs(sums) >= far.min() - reach] * difference).T)
        total = flipped.sum(axis=0)
        same, other = np.empty(len(kept)), np.empty(len(kept))
        step = max(1, MOST_VALUES // max(1, len(total)))
        for start in range(0, len(kept), step):
            part = slice(start, start + step)
            here = np.broadcast_to(total, (len(observed[part]), len(total))).copy()
            for column in left[part].T:
                here -= flipped[column]
            here *= side[part, None]
            same[part] = [np.count_nonzero(row) for row in here >= far[part, None]]
            other[part] = [np.count_nonzero(row) for row in here <= -far[part, None]]
        near, two_sided = (same + 1.0) / (count + 1.0), np.minimum(1.0, (same + other + 1.0) / (count + 1.0))
        away = np.minimum(1.0, 1.0 - near + 2.0 / (count + 1.0))
        return np.where(side < 0, near, away), np.where(side < 0, away, near), two_sided, -np.sign(observed)


def _left_out(kept: Places, datasets: int) -> Places:
    """Data sets that a choice lacks, the same number for all."""
    there = np.zeros((len(kept), datasets), dtype=bool)
    np.put_along_axis(there, kept, True, axis=1)
    return np.nonzero(~there)[1].reshape(len(kept), -1)
