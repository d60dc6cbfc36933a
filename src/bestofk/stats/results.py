"""What every test returns: a frozen object with named fields that reads as one line."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any, ClassVar, TypeAlias

import numpy as np

from bestofk.core.errors import InputError
from bestofk.stats.options import level_inside

# A plain float for one test, an array for a batch: the caller's shape decides, so no static type can.
Numeric: TypeAlias = Any


@dataclass(frozen=True, eq=False, repr=False)
class Fields:
    """A frozen record of named fields: arrays read-only, single values as plain Python numbers."""

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _settled(getattr(self, field.name)))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, ready for JSON; infinities are the words Infinity and -Infinity."""
        return {field.name: _jsonable(getattr(self, field.name)) for field in fields(self)}

    def text(self) -> str:
        """Return what ``repr`` shows."""
        return repr(self)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row">{escape(field.name)}</th><td>{escape(_short(getattr(self, field.name)))}</td></tr>'
            for field in fields(self)
        )
        return f"<p>{escape(self.text())}</p><table>{rows}</table>"

    def __repr__(self) -> str:
        inside = ", ".join(f"{field.name}={_short(getattr(self, field.name))}" for field in fields(self))
        return f"{type(self).__name__}({inside})"


@dataclass(frozen=True, eq=False, repr=False)
class Result(Fields):
    """Outcome of a test. ``estimate`` is in units of loss; ``df`` is empty where a distribution has none."""

    test: str
    statistic: Numeric
    pvalue: Numeric
    df: tuple[Numeric, ...]
    estimate: Numeric
    alternative: str

    symbol: ClassVar[str] = "statistic"

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


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Fields):
    """A confidence interval; ``low`` and ``high`` are infinite where a one-sided test leaves that end open."""

    low: Numeric
    high: Numeric
    level: float


def _settled(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_settled(entry) for entry in value)
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    if isinstance(value, np.ndarray):
        value = value.view()  # the caller's own array keeps its flags
        value.flags.writeable = False
    return value


def _jsonable(value: Any) -> Any:
    if isinstance(value, Fields):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return _jsonable(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        if np.isnan(value):
            return None
        return "Infinity" if value > 0 else "-Infinity"  # JSON has no infinity; Python and JavaScript read this word
    if isinstance(value, tuple | list):
        return [_jsonable(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): _jsonable(entry) for key, entry in value.items()}
    return value


def _number(value: float) -> str:
    return f"{value:.4g}"


def _short(value: Any, width: int = 80) -> str:
    text = np.array2string(value, threshold=12, precision=4) if isinstance(value, np.ndarray) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def only_single(result: Result, *, what: str) -> None:
    """Refuse a step-by-step account of a batch: it exists for one test at a time."""
    if np.ndim(result.pvalue):
        raise InputError(
            f"{what} is for one test; this result is a batch of shape {np.shape(result.pvalue)}.",
            f"{result.test}, {what}",
            "call the test on one pair.",
        )
