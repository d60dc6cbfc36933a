"""Every error in three lines: what is wrong, where, what to do."""

from __future__ import annotations


class BestOfKError(Exception):
    """Base of all errors of bestofk.

    Examples
    --------
    >>> print(BestOfKError("alpha is 2.", "holm, argument alpha", "choose a level between 0 and 1."))
    alpha is 2.
      where: holm, argument alpha
      to do: choose a level between 0 and 1.
    """

    def __init__(self, wrong: str, where: str, fix: str) -> None:
        super().__init__(wrong, where, fix)
        self.wrong = wrong
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.wrong}\n  where: {self.where}\n  to do: {self.fix}"

    def to_dict(self) -> dict[str, str]:
        """Return the three lines as the JSON form of the error."""
        return {"wrong": self.wrong, "where": self.where, "fix": self.fix}


class InputError(BestOfKError, ValueError):
    """Values, shapes or designs that a function cannot answer for."""


class TooFewUnits(InputError):
    """Fewer folds or data sets than a test of so many measures needs."""


class UnknownName(InputError, KeyError):
    """A name (test, adjustment, option, learner) that nobody has registered."""

    __str__ = BestOfKError.__str__  # KeyError would print the repr of its arguments


class MissingExtra(BestOfKError, ImportError):
    """An optional part is asked for whose package is not installed."""
