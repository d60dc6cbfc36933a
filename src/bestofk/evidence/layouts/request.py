"""What the caller says about a source beside the source itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, flag_of, level_inside, one_of
from bestofk.evidence.measure_vectors.wanted import Wanted

#: What rows may be, and the role of the column that names them.
ROWS = {"datasets": "dataset", "folds": "fold", "items": "item", "runs": "replication"}
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
    with those of the reading itself, and so are codes in ``assumed``. ``learner`` is the column that names the learner,
    ``costs`` are columns that are no measures.
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
    learner: str | None = None
    assumed: tuple[str, ...] = ()
    costs: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.measure is not None and (not isinstance(self.measure, str) or not self.measure.strip()):
            wrong = f"measure is {glimpse(self.measure)}."
            raise InputError(wrong, "read, argument measure", "give a name such as 'accuracy'.")
        if self.larger_is_better is not None:
            flag_of(self.larger_is_better, name="larger_is_better", where="read")
        object.__setattr__(self, "learners", _names(self.learners, "learners"))
        object.__setattr__(self, "costs", _names(self.costs, "costs"))
        for name, known in (("rows", ROWS), ("align", ALIGN)):
            if getattr(self, name) is not None:
                one_of(getattr(self, name), known, name=name, where="read")
        if self.replications is not None and self.test_fraction is not None:
            raise InputError(
                "both replications and test_fraction are given.",
                "read, arguments replications and test_fraction",
                "give replications for repeated folds, test_fraction for random splits.",
            )
        for name, checked in (("replications", count_of), ("test_fraction", level_inside)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, checked(getattr(self, name), name=name, where="read"))

    @property
    def told_rows(self) -> str | None:
        """What rows are that no column names, where something is said of it: also what only folds have."""
        of_folds = self.replications is not None or self.test_fraction is not None
        return self.rows or ("folds" if of_folds else None)

    @property
    def nameless_rows(self) -> str:
        """What rows of a table with one column per learner are that no column names: data sets, unless told."""
        return self.told_rows or "datasets"

    def refuse_learner(self, where: str) -> None:
        """Refuse the column of the learner where there are no columns."""
        if self.learner is not None:
            raise InputError(
                f"learner is {self.learner!r}, the name of a column, and there are no columns.", where, "leave it out."
            )


def _names(given: Any, argument: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    names = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (None,)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{argument} is {glimpse(given)}.", f"read, argument {argument}", "give a list of names.")
    return names
