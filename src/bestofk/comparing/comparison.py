"""Every pair of learners: difference, interval, effect, raw and adjusted p."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from bestofk.comparing.curve_effects import CurveEffects
from bestofk.comparing.design import Design, Kind, Scope
from bestofk.comparing.omnibus import Omnibus
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.core.names import unknown
from bestofk.core.record import Record

#: two: does the pair differ, and which way? one: is the preferred one worse? (MultiTest as in the paper)
Sides = Literal["two", "one"]


class Pair(Record):
    """One pair as asked for. ``difference`` is in units of the measure, first minus second; effects are positive, and
    ``a12`` above ½, where the first is better. None where the design or the test has no such number."""

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    cohens_d: float | None
    a12: float | None
    rank_biserial: float | None
    statistic: float
    pvalue: float
    adjusted: float
    significant: bool
    better: str | None


class Comparison(Record, kw_only=True):
    """All pairs (or all against ``control``) by one test, and one test over all learners when there are three or more.

    Arrays have one entry per pair of ``pairs``. ``statistic`` is the test's for scores of the first against the second,
    ``turned`` the other way round. ``pvalue`` is raw, ``adjusted`` the same after ``adjust``: of one two-sided question
    per pair, or with ``sides`` "one" of the question whether the preferred one is worse. ``less``
    and ``greater`` are the raw one-sided p values that the first loses less, or more; Nemenyi's test has no sides and
    is adjusted already: there they are its p for the side with the better ranks, and 1 for the other. ``low`` and
    ``high`` bound ``difference`` (units of the measure, first minus second) at ``level``, each pair by itself, after
    ``interval_from``. ``better`` is 1 where the test speaks for the first, −1 for the second, 0 for neither. ``curves``
    has what whole curves say beyond their means. ``scope`` says what a claim is about; ``decidable`` is False where no
    outcome at all could have been significant: ``smallest`` is the smallest raw p that the test can give.
    ``sample`` is what was tested; ``to_dict`` leaves it out.
    """

    learners: tuple[str, ...]
    measure: str
    larger_is_better: bool
    means: dict[str, float]
    evidence: str
    kind: Kind
    design: str
    test: str
    why_test: str
    forced: bool
    adjust: str
    alpha: float
    control: str | None
    seed: int
    sides: Sides
    scope: Scope
    smallest: float
    decidable: bool
    pairs: tuple[tuple[str, str], ...]
    difference: Array
    low: Array | None
    high: Array | None
    level: float
    interval_from: str
    cohens_d: Array | None
    a12: Array | None
    rank_biserial: Array | None
    statistic: Array
    turned: Array
    pvalue: Array
    adjusted: Array
    less: Array | None
    greater: Array | None
    better: Array
    omnibus: Omnibus | None
    left_out: str = ""
    curves: CurveEffects | None = None
    sample: Design | None = None

    @cached_property
    def _place(self) -> dict[tuple[str, str], int]:
        return {pair: i for i, pair in enumerate(self.pairs)}

    def _found(self, first: str, second: str) -> tuple[int, bool]:
        """Place of a pair, and whether it is stored the other way round."""
        for name in (first, second):
            if name not in self.learners:
                raise unknown(name, self.learners, what="learner", where="comparison")
        if (first, second) in self._place:
            return self._place[first, second], False
        if (second, first) in self._place:
            return self._place[second, first], True
        raise InputError(
            f"{first} and {second} were not compared.", "comparison", f"every pair has the control, {self.control}."
        )

    def compared(self, first: str, second: str) -> bool:
        """Say whether the pair was tested: with a control only pairs with it are."""
        return (first, second) in self._place or (second, first) in self._place

    def pair(self, first: str, second: str) -> Pair:
        """Return one pair with the first named first."""
        i, turned = self._found(first, second)
        sign = -1.0 if turned else 1.0

        def at(array: Array | None, scale: float = 1.0) -> float | None:
            return None if array is None else scale * float(array[i])

        low, high = at(self.low, sign), at(self.high, sign)
        a12 = at(self.a12)
        return Pair(
            first=first,
            second=second,
            difference=sign * float(self.difference[i]),
            low=high if turned else low,
            high=low if turned else high,
            cohens_d=at(self.cohens_d, sign),
            a12=1.0 - a12 if turned and a12 is not None else a12,
            rank_biserial=at(self.rank_biserial, sign),
            statistic=float((self.turned if turned else self.statistic)[i]),
            pvalue=float(self.pvalue[i]),
            adjusted=float(self.adjusted[i]),
            significant=bool(self.adjusted[i] <= self.alpha and self.better[i] != 0),
            better=(None, first, second)[int(sign * self.better[i])],
        )

    def shows(self, better: str, worse: str) -> bool:
        """Say whether the pair differs significantly and the test speaks for ``better``.

        Two learners that were compared with the control alone are told apart by it when it is shown to stand between.
        """
        if self.control and not self.compared(better, worse):
            return self.shows(better, self.control) and self.shows(self.control, worse)
        i, turned = self._found(better, worse)
        return bool(self.adjusted[i] <= self.alpha and self.better[i] == (-1 if turned else 1))

    def shown(self) -> Flags:
        """Return (learners, learners): the row is shown to be better than the column."""
        return np.array([[a != b and self.shows(a, b) for b in self.learners] for a in self.learners])

    def adjusted_pvalue(self, first: str, second: str) -> float:
        """The adjusted p value of a pair."""
        return float(self.adjusted[self._found(first, second)[0]])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values; what was tested stays where it came from."""
        plain = super().to_dict() if self.sample is None else replace(self, sample=None).to_dict()
        return {name: value for name, value in plain.items() if name != "sample"}

    def rows(self) -> list[dict[str, Any]]:
        """One dict per pair, ready for a table."""
        return [self.pair(*pair).to_dict() for pair in self.pairs]

    def frame(self) -> Any:
        """Return one row per pair as a pandas data frame."""
        return need("pandas", purpose="a data frame of the comparison").DataFrame(self.rows())

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import comparison_html

        return comparison_html(self)

    def __repr__(self) -> str:
        from bestofk.reporting.words import comparison_text

        return comparison_text(self)
