"""What is known of a conclusion when the data sets change."""

from __future__ import annotations

import numpy as np

from bestofk.advice.dataset_names import listed_datasets
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed
from bestofk.core.record import Record


class Removal(Record, kw_only=True):
    """Data sets left out, and what is concluded then: the learner shown to be better, or None."""

    without: tuple[str, ...]
    then: str | None
    adjusted: float | None = None


class Robustness(Record, kw_only=True):
    """How one conclusion stands the loss of data sets.

    ``about`` names the pair, or is empty for the verdict's first place; ``conclusion`` is the better learner (or the
    best one), None where nothing is shown. ``flips_one`` and ``flips_two`` count the single data sets and the pairs of
    them whose loss changes it (None where pairs were not tried), with examples. ``smallest`` is the fewest data sets
    whose loss changes it: none smaller does if ``exact``, otherwise ``at_least`` so many must go; empty where no set of
    up to ``tried_up_to`` was found. ``stability`` is the share of resamples of the data sets with the same conclusion.
    """

    about: tuple[str, ...]
    conclusion: str | None
    adjusted: float | None
    flips_one: int
    flips_two: int | None
    examples: tuple[Removal, ...]
    smallest: Removal | None
    exact: bool
    at_least: int
    tried_up_to: int
    stability: float

    @property
    def flips(self) -> bool:
        """Whether one data set changes it, or two do, of those that were all tried."""
        return bool(self.flips_one or self.flips_two)

    @property
    def fragile(self) -> bool:
        """Whether one or two data sets decide."""
        return bool(self.flips_one or self.flips_two or (self.smallest and len(self.smallest.without) <= 2))

    def __repr__(self) -> str:
        what = " and ".join(self.about) if self.about else "first place"
        return f"{what}: {_held(self)}; the same on {100 * self.stability:.3g} % of resamples"


class Sensitivity(Record, kw_only=True):
    """The conclusions of a verdict and what becomes of them on other choices of data sets.

    ``influence`` (pairs, data sets) is the normal score of a pair's p with a data set minus that without it: positive
    where the data set speaks for the first of the pair. ``best`` is None where the method is
    another than MultiTest or Multi²Test.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    test: str
    adjust: str
    alpha: float
    pairs: tuple[Robustness, ...]
    best: Robustness | None
    influence: Array
    resamples: int
    seed: int

    def pair(self, first: str, second: str) -> Robustness:
        """What is known of a pair, in either order."""
        for each in self.pairs:
            if set(each.about) == {first, second}:
                return each
        raise InputError(
            f"{first} and {second} were not compared.", "sensitivity", f"pairs of {listed(self.learners)}."
        )

    @property
    def fragile(self) -> tuple[Robustness, ...]:
        """Conclusions that one or two data sets decide."""
        return tuple(each for each in (*((self.best,) if self.best else ()), *self.pairs) if each.fragile)

    @property
    def shakiest(self) -> Robustness | None:
        """The pair whose conclusion the fewest data sets change; None where no such set was found."""
        found = [each for each in self.pairs if each.smallest is not None]
        return min(found, key=lambda each: len(each.smallest.without) if each.smallest else 0, default=None)

    def most_influential(self, first: str, second: str, number: int = 3) -> tuple[tuple[str, float], ...]:
        """The data sets that speak most for either learner of a pair, with their influence."""
        row = self.influence[[set(each.about) for each in self.pairs].index({first, second})]
        return tuple((self.datasets[i], float(row[i])) for i in np.argsort(-np.abs(row), kind="stable")[:number])

    def __repr__(self) -> str:
        return "\n".join(repr(each) for each in (*((self.best,) if self.best else ()), *self.pairs))


def _held(each: Robustness) -> str:
    """What it takes to change a conclusion, in half a sentence."""
    said = f"{each.conclusion} is {'best' if not each.about else 'better'}" if each.conclusion else "no difference"
    if each.smallest is None:
        sure = "no set" if each.exact else "no set found"
        return f"{said}, and {sure} of up to {counted(each.tried_up_to, 'data set')} changes that"
    then = (
        f"{each.smallest.then} is {'best' if not each.about else 'better'}" if each.smallest.then else "no difference"
    )
    few = "" if each.exact else f" (at least {each.at_least} must go)"
    return f"{said}, but without {listed_datasets(each.smallest.without)}: {then}{few}"
