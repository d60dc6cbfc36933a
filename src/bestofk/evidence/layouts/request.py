"""What the caller says about a source beside the source itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bestofk.core.errors import InputError
from bestofk.stats.options import one_of

ROWS = ("datasets", "folds", "items")


@dataclass(frozen=True)
class Request:
    """Measure, direction and learners asked for; ``rows`` says what the rows of a table without key columns are.

    ``one_file_each`` is set where every learner has a file of its own: their items must then be the same. ``scorer`` is
    set where the scores are known to be those of scikit-learn's scorers, whose larger values are better.
    """

    measure: str | None = None
    larger_is_better: bool | None = None
    learners: tuple[str, ...] | None = None
    rows: str | None = None
    one_file_each: bool = False
    scorer: bool = False


def request_of(
    measure: str | None, larger_is_better: bool | None, learners: Sequence[str] | None, rows: str | None
) -> Request:
    """Check the arguments of ``read`` and put them together."""
    if measure is not None and (not isinstance(measure, str) or not measure.strip()):
        raise InputError(f"measure is {measure!r}.", "read, argument measure", "give a name such as 'accuracy'.")
    if larger_is_better is not None and not isinstance(larger_is_better, bool):
        raise InputError(
            f"larger_is_better is {larger_is_better!r}.", "read, argument larger_is_better", "give True or False."
        )
    if isinstance(learners, str) or any(not isinstance(name, str) for name in learners or ()):
        raise InputError(f"learners is {learners!r}.", "read, argument learners", "give a list of names.")
    if rows is not None:
        one_of(rows, ROWS, name="rows", where="read")
    return Request(measure, larger_is_better, None if learners is None else tuple(learners), rows)
