"""What the caller says about a source beside the source itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import partial
from typing import Any

from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.options import count_of, flag_of, level_inside, one_of
from bestofk.evidence.measure_vectors.wanted import Wanted

#: What rows may be, and the role of the column that names them.
ROWS = {"datasets": "dataset", "folds": "fold", "items": "item", "runs": "replication"}
#: What to do with curves whose steps differ: keep the steps that all have, draw lines between points, or take shares.
ALIGN = ("common", "interpolate", "relative")
#: Options that name a column, and the role that it gets.
COLUMN_ROLES = {
    "learner": "learner",
    "item": "item",
    "group": "group",
    "dataset_column": "dataset",
    "replication": "replication",
}
#: Options about the columns of a table.
OF_TABLES = (*COLUMN_ROLES, "filter", "transpose")
#: What the tasks of items are: groups, or data sets with the mean of their items.
TASKS = ("groups", "datasets")


@frozen
class Request:
    """Measure, direction and learners asked for; ``rows`` says what the rows of a table without key columns are.

    ``one_file_each`` is set where every learner has a file of its own. ``scorer`` is set where the scores are known to
    be those of scikit-learn's scorers, whose larger values are better.
    ``replications`` and ``test_fraction`` say how the rows were divided, where the source does not; ``align`` what is
    done with curves whose steps differ. ``dataset`` is the one to keep of several; ``tasks`` what those of items are.
    ``on`` are the measures asked for where there are several: whatever the source has is kept, and any of it may be in
    front. ``notes`` are said back with those of the reading itself, and so are codes in ``assumed``; ``rate`` says
    that the measure lies between 0 and 1. ``costs`` are
    columns that are no measures. ``learner``, ``item``, ``group``, ``dataset_column`` and ``replication`` are the
    columns of these roles, ``filter`` says which rows are kept (COLUMN=VALUE), ``transpose`` that learners are in rows
    and data sets in columns. Once a table is read as they say, ``told`` has the columns by role. ``percents`` are
    columns that had per cent signs; ``drawn`` is the share of test data where the source itself says that these are
    random splits.
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
    rate: bool = False
    costs: tuple[str, ...] | None = None
    item: str | None = None
    group: str | None = None
    dataset_column: str | None = None
    replication: str | None = None
    filter: tuple[str, ...] | None = None
    transpose: bool | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    percents: tuple[str, ...] = ()
    tasks: str | None = None
    drawn: float | None = None

    def __post_init__(self) -> None:
        for name, settled in _CHECKS.items():
            if getattr(self, name) is not None:
                object.__setattr__(self, name, settled(getattr(self, name), name=name, where="read"))
        twice = [option for option in COLUMN_ROLES if list(self.columns.values()).count(getattr(self, option)) > 1]
        if twice:
            raise InputError(
                f"{twice[0]} and {twice[1]} are both {getattr(self, twice[0])!r}.",
                f"read, arguments {twice[0]} and {twice[1]}",
                "name another column for one of them, or leave it out.",
            )
        if self.replications is not None and self.test_fraction is not None:
            raise InputError(
                "both replications and test_fraction are given.",
                "read, arguments replications and test_fraction",
                "give replications for repeated folds, test_fraction for random splits.",
            )

    @property
    def told_rows(self) -> str | None:
        """What rows are that no column names, where something is said of it: also what only folds have."""
        return self.rows or ("folds" if self.told_division else None)

    @property
    def told_division(self) -> bool:
        """Whether it is said how rows were divided into folds."""
        return self.replications is not None or self.test_fraction is not None

    @property
    def nameless_rows(self) -> str:
        """What rows of a table with one column per learner are that no column names: data sets, unless told."""
        return self.told_rows or "datasets"

    @property
    def columns(self) -> dict[str, str]:
        """Columns by role, as the options name them."""
        asked = {role: getattr(self, option) for option, role in COLUMN_ROLES.items()}
        return {role: column for role, column in asked.items() if column is not None}

    def refuse_columns(self, where: str) -> None:
        """Refuse what is said of columns where there are none."""
        for option in OF_TABLES:
            value = getattr(self, option)
            if value:
                shown = glimpse(value[0] if option == "filter" else value)
                raise InputError(f"{option} is {shown}, and there are no columns.", where, "leave it out.")


def _name(given: Any, *, name: str, where: str) -> str:
    if not isinstance(given, str) or not given.strip():
        raise InputError(f"{name} is {glimpse(given)}.", f"{where}, argument {name}", "give a name in words.")
    return given


def _names(given: Any, *, name: str, where: str, least: int = 0) -> tuple[str, ...]:
    names = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (None,)
    if len(names) < least or not all(isinstance(each, str) for each in names):
        raise InputError(f"{name} is {glimpse(given)}.", f"{where}, argument {name}", "give a list of names.")
    return names


def filters_of(given: Any, *, name: str = "filter", where: str = "read") -> tuple[str, ...] | None:
    """Filters as COLUMN=VALUE, from such a text, a list of them, or {column: value or list of values}.

    A mere word is a value of the column ``filter``, which harnesses write.
    """
    if isinstance(given, Mapping):
        pairs = ((name, each if isinstance(each, list | tuple) else [each]) for name, each in given.items())
        given = [f"{name}={value}" for name, values in pairs for value in values]
    texts = _names([given] if isinstance(given, str) else given or (), name=name, where=where)
    found = tuple(f"filter={text}" if text.strip() and "=" not in text else text for text in texts)
    for text in found:
        if "=" not in text.strip("= "):
            fix = "give COLUMN=VALUE, such as split=test."
            raise InputError(f"{name} is {text!r}.", f"{where}, argument {name}", fix)
    return found or None


#: How what the caller says is checked, where something is said.
_CHECKS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("measure", *COLUMN_ROLES), _name),
    **dict.fromkeys(("larger_is_better", "transpose"), flag_of),
    "learners": partial(_names, least=1),
    "costs": _names,
    "filter": filters_of,
    "rows": partial(one_of, allowed=ROWS),
    "align": partial(one_of, allowed=ALIGN),
    "tasks": partial(one_of, allowed=TASKS),
    "replications": count_of,
    "test_fraction": level_inside,
}
