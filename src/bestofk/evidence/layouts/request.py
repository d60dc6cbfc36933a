"""What the caller says about a source beside the source itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, level_inside, one_of
from bestofk.evidence.outcomes.wanted import Wanted

ROWS = ("datasets", "folds", "items")
#: What to do with curves whose steps differ: keep the steps that all have, draw lines between points, or take shares.
ALIGN = ("common", "interpolate", "relative")


@dataclass(frozen=True)
class Request:
    """Measure, direction and learners asked for; ``rows`` says what the rows of a table without key columns are.

    ``one_file_each`` is set where every learner has a file of its own: their items must then be the same. ``scorer`` is
    set where the scores are known to be those of scikit-learn's scorers, whose larger values are better.
    ``replications`` and ``test_fraction`` say how the rows were divided, where the source does not; ``align`` what is
    done with curves whose steps differ. ``dataset`` is the one to keep of several. ``on`` are the measures asked for
    where there are several: whatever the source has is kept, and any of it may be in front. ``notes`` are said back
    with those of the reading itself.
    """

    measure: str | None = None
    larger_is_better: bool | None = None
    learners: tuple[str, ...] | None = None
    rows: str | None = None
    one_file_each: bool = False
    scorer: bool = False
    replications: int | None = None
    test_fraction: float | None = None
    align: str | None = None
    dataset: str | None = None
    on: tuple[Wanted, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def nameless_rows(self) -> str:
        """What rows are that no column names: data sets, unless something is said that only folds have."""
        of_folds = self.replications is not None or self.test_fraction is not None
        return self.rows or ("folds" if of_folds else "datasets")


def request_of(
    measure: str | None,
    larger_is_better: bool | None,
    learners: Sequence[str] | None,
    rows: str | None,
    replications: int | None = None,
    test_fraction: float | None = None,
    align: str | None = None,
    dataset: str | None = None,
) -> Request:
    """Check the arguments of ``read`` and put them together."""
    if measure is not None and (not isinstance(measure, str) or not measure.strip()):
        raise InputError(f"measure is {glimpse(measure)}.", "read, argument measure", "give a name such as 'accuracy'.")
    if larger_is_better is not None and not isinstance(larger_is_better, bool):
        raise InputError(
            f"larger_is_better is {glimpse(larger_is_better)}.",
            "read, argument larger_is_better",
            "give True or False.",
        )
    names = _names(learners)
    if rows is not None:
        one_of(rows, ROWS, name="rows", where="read")
    if align is not None:
        one_of(align, ALIGN, name="align", where="read")
    if replications is not None and test_fraction is not None:
        raise InputError(
            "both replications and test_fraction are given.",
            "read, arguments replications and test_fraction",
            "give replications for repeated folds, test_fraction for random splits.",
        )
    if replications is not None:
        replications = count_of(replications, name="replications", where="read")
    if test_fraction is not None:
        test_fraction = level_inside(test_fraction, name="test_fraction", where="read")
    divided = {"replications": replications, "test_fraction": test_fraction}
    return Request(measure, larger_is_better, names, rows, align=align, dataset=dataset, **divided)  # type: ignore[arg-type]


def _names(learners: Any) -> tuple[str, ...] | None:
    if learners is None:
        return None
    names = tuple(learners) if isinstance(learners, Iterable) and not isinstance(learners, str) else (None,)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"learners is {glimpse(learners)}.", "read, argument learners", "give a list of names.")
    return names
