"""Questions about power at the door, and the answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, index_text, numbers
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import alternative_of, level_inside
from bestofk.core.record import Record
from bestofk.stats.results import Numeric

#: What effects of tests of paired differences, and of the folds of one data set, are measured in.
OF_PAIRS = "mean difference over the standard deviation of the differences"
OF_FOLDS = f"{OF_PAIRS} between folds"
OF_RUNS = "difference of the means over the standard deviation of one run"


class Power(Record):
    """Chance that a test rejects. ``effect`` and ``n`` are as asked, broadcast to the shape of ``power``.

    ``unit`` says what ``n`` counts, ``scale`` what the effect is measured in, ``way`` how the chance was found: by
    formula, enumeration or simulation. ``error`` is the standard error of a simulated chance, 0 otherwise.
    """

    test: str
    effect: Numeric
    n: Numeric
    power: Numeric
    alpha: float
    alternative: str
    unit: str
    scale: str
    way: str
    error: Numeric = 0.0

    def __repr__(self) -> str:
        head = f"{self.test} ({self.alternative}, alpha {self.alpha:g})"
        if np.ndim(self.power):
            low, high = np.min(self.power), np.max(self.power)
            return f"{head}, batch of shape {np.shape(self.power)}: power from {low:.3g} to {high:.3g} by {self.way}"
        noise = f" ± {self.error:.2g}" if self.error else ""
        return f"{head}: {self.n:g} {self.unit}, effect {self.effect:.4g}: power {self.power:.4g}{noise} by {self.way}"


def by_side(alternative: str, greater: Any, less: Any) -> Any:
    """The chance to reject of a two-sided test, or of the side it looks at."""
    return greater + less if alternative == "two-sided" else greater if alternative == "greater" else less


def on_other_side(effect: Numeric, alternative: str) -> Numeric:
    """Whether a one-sided test looks for the opposite of the effect."""
    return np.asarray(effect) * {"greater": -1.0, "less": 1.0}.get(alternative, 0.0) > 0


class SampleSize(Record):
    """The smallest ``n`` from which on the power is at least ``wanted``; ``power`` is what it has.

    Infinite where no number is enough (``limited``), as the power stays below a bound, ``power``, or the effect is on
    the other side than the alternative; and where none up to ``most`` is, which is as far as was looked.
    """

    test: str
    effect: Numeric
    n: Numeric
    power: Numeric
    wanted: float
    alpha: float
    alternative: str
    unit: str
    scale: str
    way: str
    most: float = np.inf
    limited: Numeric = False

    def text_of(self, n: float, effect: float) -> str:
        """A number of results as it is to be read: one that was not found is more than all that were tried."""
        if np.isfinite(n):
            return f"{n:,.0f}"
        return "none is enough" if self.never(effect) else f"more than {self.most:,.0f}"

    def never(self, effect: float) -> bool:
        """Whether no number is enough for an effect, where none was found."""
        return bool(np.isinf(self.most) or np.any(np.asarray(self.limited) & (np.asarray(self.effect) == effect)))

    @property
    def number(self) -> str:
        """The number needed for a single effect, as it is to be read."""
        return self.text_of(self.n, self.effect)

    def __repr__(self) -> str:
        head = f"{self.test} ({self.alternative}, alpha {self.alpha:g})"
        if np.ndim(self.n):
            numbers = [self.text_of(n, e) for n, e in zip(np.ravel(self.n), np.ravel(self.effect), strict=True)]
            return f"{head}: {self.unit} for power {self.wanted:g}: {'; '.join(numbers)}"
        said = self.number
        if np.isinf(self.n) and not self.never(self.effect):
            return f"{head}: effect {self.effect:.4g}: {said} {self.unit} for power {self.wanted:g}"
        if np.isinf(self.n):
            turned = on_other_side(self.effect, self.alternative)
            most = "the effect is on the other side" if turned else f"power stays at or below {self.power:.3g}"
            return f"{head}: effect {self.effect:.4g}: no number of {self.unit} has power {self.wanted:g}: {most}"
        return f"{head}: effect {self.effect:.4g}: {said} {self.unit} have power {self.power:.3g} by {self.way}"


class Detectable(Record):
    """The smallest ``effect`` that is seen with the chance ``wanted``; infinite where none is, however large."""

    test: str
    effect: Numeric
    n: Numeric
    wanted: float
    alpha: float
    alternative: str
    unit: str
    scale: str
    way: str

    def __repr__(self) -> str:
        head = f"{self.test} ({self.alternative}, alpha {self.alpha:g})"
        if np.ndim(self.effect):
            return f"{head}: effects seen with power {self.wanted:g}: " + ", ".join(
                f"{effect:.4g}" for effect in np.ravel(self.effect)
            )
        if np.isinf(self.effect):
            return f"{head}: with {self.n:g} {self.unit} no effect is seen with power {self.wanted:g}"
        return f"{head}: with {self.n:g} {self.unit} an effect of {self.effect:.4g} is seen with power {self.wanted:g}"


@frozen(eq=False)
class Asked:
    """A checked question: effects and sizes of one shape, level and direction."""

    test: str
    effect: Array
    n: Array
    alpha: float
    alternative: str

    def answer(self, power: Any, *, unit: str, scale: str, way: str, error: Any = 0.0) -> Power:
        """Wrap the powers found."""
        return Power(
            test=self.test,
            effect=self.effect,
            n=self.n,
            power=np.clip(power, 0.0, 1.0),
            alpha=self.alpha,
            alternative=self.alternative,
            unit=unit,
            scale=scale,
            way=way,
            error=error,
        )


def asked(
    test: str,
    effect: Any,
    n: Any,
    alpha: Any,
    alternative: Any = "two-sided",
    *,
    at_least: int = 2,
    signed: bool = True,
) -> Asked:
    """Check effects (finite; not negative where a direction means nothing) and sizes (whole, from ``at_least`` up)."""
    where = f"power of {test}"
    effects, sizes = numbers(effect, name="effect", where=where), numbers(n, name="n", where=where)
    _refuse_sizes(sizes, at_least, where)
    if not signed and (effects < 0).any():
        raise InputError(
            f"effect has the value {effects.min():g}.", f"{where}, argument effect", "give an effect from 0 up."
        )
    try:
        effects, sizes = np.broadcast_arrays(effects, sizes)
    except ValueError:
        raise InputError(
            f"effect has the shape {effects.shape} and n {sizes.shape}.",
            f"{where}, arguments effect and n",
            "give one of them as a column, effect[:, None], to have all combinations.",
        ) from None
    level = level_inside(alpha, name="alpha", where=where)
    return Asked(test, effects.copy(), sizes.copy(), level, alternative_of(alternative, where=where))


def two_sided_only(alternative: Any, test: str) -> str:
    """Refuse a direction where the test has none."""
    if alternative_of(alternative, where=f"power of {test}") != "two-sided":
        raise InputError(
            f"{test} has no sides; got alternative={alternative!r}.",
            f"power of {test}, argument alternative",
            'use alternative="two-sided".',
        )
    return "two-sided"


def _refuse_sizes(sizes: Array, at_least: int, where: str) -> None:
    bad = (sizes < at_least) | (sizes != np.floor(sizes))
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        place = f" at position {index_text(first)}" if first else ""
        raise InputError(
            f"n is {sizes[first]:g}{place}.", f"{where}, argument n", f"give whole numbers from {at_least} up."
        )
