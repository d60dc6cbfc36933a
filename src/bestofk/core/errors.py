"""Every error in three lines: what is wrong, where, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bestofk.core.passwords import without_passwords


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
        lengths = (LONGEST, 2 * LONGEST, 2 * LONGEST)  # paths and lists of what to do may be longer
        self.wrong, self.where, self.fix = parts = tuple(map(_line, (wrong, where, fix), lengths))
        super().__init__(*parts)

    def __str__(self) -> str:
        return f"{self.wrong}\n  where: {self.where}\n  to do: {self.fix}"

    def to_dict(self) -> dict[str, str]:
        """Return the three lines as the JSON form of the error."""
        return {"wrong": self.wrong, "where": self.where, "fix": self.fix}


#: Characters of a line; of a longer one the middle, where cells and names are, is left out.
LONGEST = 500


def _line(text: str, longest: int) -> str:
    """A text in one line, without passwords: names and the messages of other programs may have several, or be long."""
    text = without_passwords(" ".join(text.splitlines()))
    return text if len(text) <= longest else f"{text[: longest // 2]} … {text[-longest // 3 :]}"


class InputError(BestOfKError, ValueError):
    """Values, shapes or designs that a function cannot answer for."""


class Unsaid(InputError):
    """Something that only the user can say before results are judged, of which they tell all else.

    ``option`` is the keyword that says it, ``choices`` are the values that it may have, the likeliest first.
    """

    def __init__(self, wrong: str, where: str, fix: str, *, option: str = "", choices: Sequence[Any] = ()) -> None:
        super().__init__(wrong, where, fix)
        self.option, self.choices = option, tuple(choices)


class TooFewUnits(InputError):
    """Fewer folds or data sets than a test of so many measures needs."""


class UnknownName(InputError, KeyError):
    """A name (test, adjustment, option, learner) that nobody has registered."""

    __str__ = BestOfKError.__str__  # KeyError would print the repr of its arguments


class MissingExtra(BestOfKError, ImportError):
    """An optional part is asked for whose package is not installed."""


def message_of(error: BaseException) -> str:
    """Return the message of somebody else's exception, even one that cannot be printed."""
    try:
        return str(error)
    except Exception:
        return "its message cannot be made"


def glimpse(value: Any) -> str:
    """Show a value in an error message, cut to forty characters."""
    text = without_passwords(" ".join(repr(value).split()))
    return text if len(text) <= 40 else text[:37] + "..."
