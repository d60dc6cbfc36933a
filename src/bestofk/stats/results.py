"""What every test returns: a frozen object with named fields that reads as one line."""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.core.record import Record

# A plain float for one test, an array for a batch: the caller's shape decides, so no static type can.
Numeric: TypeAlias = Any


class Result(Record):
    """Outcome of a test. ``estimate`` is in units of loss; ``df`` is empty where a distribution has none."""

    test: str
    statistic: Numeric
    pvalue: Numeric
    df: tuple[Numeric, ...]
    estimate: Numeric
    alternative: str

    symbol: ClassVar[str] = "statistic"

    @property
    def side(self) -> Numeric:
        """1 where the test speaks for the first losing more, −1 for the second, 0 for neither."""
        return np.sign(self.statistic if self.symbol == "t" else self.estimate)

    @property
    def turned(self) -> Numeric | None:
        """The statistic of the second against the first, where it follows from this one; else None."""
        return -np.asarray(self.statistic) if self.symbol == "t" else None

    @property
    def of_student(self) -> bool:
        """Whether p is of Student's distribution, which has one number of degrees of freedom."""
        return len(self.df) == 1

    @property
    def counted(self) -> Numeric | None:
        """In how many shuffles the p value is counted, 0 where a formula gives it; None for a test without any."""
        return None

    @property
    def second_statistic(self) -> str:
        """What ``repr`` says beside the statistic, where the degrees of freedom belong to another one."""
        return ""

    def rejects(self, alpha: float = 0.05) -> Numeric:
        """Say whether the null hypothesis is rejected: ``pvalue <= alpha``."""
        level_inside(alpha, name="alpha", where=f"{self.test}, rejects")
        decision = np.asarray(self.pvalue) <= alpha
        return decision if decision.ndim else bool(decision)

    def __repr__(self) -> str:
        if np.ndim(self.pvalue):
            rejected = np.mean(self.rejects())
            return (
                f"{self.test} ({self.alternative}), batch of shape {np.shape(self.pvalue)}: "
                f"p <= 0.05 in {rejected:.1%} of {np.size(self.pvalue)} tests"
            )
        freedom = f", df = {', '.join(_number(value) for value in self.df)}" if self.df else ""
        decision = "rejects" if self.rejects() else "does not reject"
        return (
            f"{self.test} ({self.alternative}): {self.symbol} = {_number(self.statistic)}{self.second_statistic}"
            f"{freedom}, p = {_number(self.pvalue)}: {decision} at 0.05"
        )


class Interval(Record):
    """A confidence interval; ``low`` and ``high`` are infinite where a one-sided test leaves that end open."""

    low: Numeric
    high: Numeric
    level: float


def _number(value: float) -> str:
    return f"{value:.4g}"


def only_single(result: Result, *, what: str) -> None:
    """Refuse a step-by-step account of a batch: it exists for one test at a time."""
    if np.ndim(result.pvalue):
        raise InputError(
            f"{what} is for one test; this result is a batch of shape {np.shape(result.pvalue)}.",
            f"{result.test}, {what}",
            "call the test on one pair.",
        )


def levels_inside(level: Any, *, where: str) -> Any:
    """Take a confidence level, or one for every test of a batch."""
    if np.ndim(level) == 0:
        return level_inside(level, name="level", where=where)
    return np.array([level_inside(each, name="level", where=where) for each in np.ravel(level)]).reshape(
        np.shape(level)
    )


def alpha_of(level: Any, alternative: str) -> Any:
    """The two-sided level of an interval whose one end is that of a one-sided test."""
    return (1.0 - level) * (1.0 if alternative == "two-sided" else 2.0)


def open_end(low: Numeric, high: Numeric, alternative: str, level: Any) -> Interval:
    """The interval between two ends; a one-sided test leaves one of them open."""
    return Interval(
        low=np.full_like(low, -np.inf) if alternative == "less" else low,
        high=np.full_like(high, np.inf) if alternative == "greater" else high,
        level=level,
    )


def around(estimate: Numeric, half: Numeric, alternative: str, level: Any) -> Interval:
    """The interval of half this width on both sides of an estimate; a one-sided test leaves one end open."""
    return open_end(estimate - np.asarray(half), estimate + np.asarray(half), alternative, level)
