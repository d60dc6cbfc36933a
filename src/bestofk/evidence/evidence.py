"""What Scores, Items and Curves share: learners, one measure with a direction, costs, and where they came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import refuse_unprintable
from bestofk.core.options import refuse_duplicates
from bestofk.core.passwords import shown_address
from bestofk.core.phrases import counted
from bestofk.core.record import Record
from bestofk.evidence.checks import entries_of, mapping_of
from bestofk.measures.catalogue import is_bounded

if TYPE_CHECKING:
    from bestofk.evidence.long_form import Converted
    from bestofk.evidence.scores import Scores
    from bestofk.evidence.summary import Summary

#: Code of a reading to confirm: folds in a row may be repeated, or random splits.
ONE_REPLICATION = "one-replication"
#: The note of a reading to confirm, where nothing else says it.
_NOTES = {
    ONE_REPLICATION: "nothing says whether the folds are repeated or are random splits: read as one replication "
    "(replications= or test_fraction= otherwise)"
}
#: Runs of one learner differ in their settings: a search, and no repeated runs.
SETTINGS_AS_RUNS = "settings-as-runs"
#: Settings that a search tried: the best of them was chosen by the results themselves.
SEARCHED = "searched"
#: Models got different prompts for the same items, and how the note of it ends.
OTHER_PROMPTS = "other-prompts"
#: Of every curve its best value was taken, of some learners among at least twice as many steps as of others.
BEST_OF_MORE = "best-of-more"
#: Curves were cut to less than half of the steps of the longest.
MOSTLY_CUT = "mostly-cut"
#: Readings to confirm in words.
ASSUMED = {
    "rows-are-datasets": "rows are data sets",
    "plan-not-locked": "data sets were chosen before their results",
    ONE_REPLICATION: "the folds are one replication",
    SETTINGS_AS_RUNS: "runs with different settings are runs of one learner",
    SEARCHED: "the settings were searched by these results",
    OTHER_PROMPTS: "models may get different prompts for the same items",
    BEST_OF_MORE: "the best of more steps is comparable with that of fewer",
    MOSTLY_CUT: "the steps that all curves have tell enough",
}


class Origin(Record):
    """Source of evidence: a path or a kind of object, the hash of its content, and how it was read.

    ``notes`` say back what was not plain from the names alone, one sentence each ("column 'model' was read as
    learner"); ``assumed`` are the codes of readings that a person should confirm (``"rows-are-datasets"``,
    ``"one-replication"``, ``"settings-as-runs"``, ``"searched"``). ``collected``: from a store, so that times are
    seconds and learners those of a plan. ``reading`` are the arguments of ``read`` that were given, with the paths as
    its source. ``no_amounts`` has of a column of costs that was not read the cell that is no amount, and its place.
    ``paths`` are the files, folders and stores that were read, as far as they were given by name. ``rate``: the source
    says that the measure lies between 0 and 1, whatever its name. ``priced`` has of costs from a table of their own
    where it is, and the learners in it; ``directions`` whether larger is better, of the measures of which the source
    says so.
    """

    source: str = "arrays"
    sha256: str = ""
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    collected: bool = False
    reading: Mapping[str, Any] = field(default_factory=dict)
    no_amounts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    paths: tuple[str, ...] = field(default=(), repr=False)
    rate: bool = field(default=False, repr=False)
    directions: Mapping[str, bool] = field(default_factory=dict, repr=False)
    priced: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict, repr=False)

    @property
    def said(self) -> tuple[str, ...]:
        """All notes, those of readings to confirm last."""
        return (*self.notes, *(_NOTES[code] for code in self.assumed if code in _NOTES))

    def read_with(self, source: Any, options: Mapping[str, Any]) -> Origin:
        """The same origin with what ``read`` was told beside what it was told before; only paths of a source are kept.

        ``paths`` has them all, those of costs too: no report takes the place of any.
        """
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
        paths = [shown_address(str(each)) for each in _paths_in(source)]
        by_name = isinstance(source, Mapping)
        named = {"source": paths[0] if isinstance(source, str | Path) else paths} if paths and not by_name else {}
        costs = [options["costs"]] if isinstance(options.get("costs"), str) else []
        reading = {**(self.reading if isinstance(source, Evidence) else {}), **named, **given}
        return replace(self, reading=reading, paths=tuple(dict.fromkeys((*self.paths, *paths, *costs))))


def _paths_in(source: Any) -> Iterator[str | Path]:
    """The paths in a source: itself, or those in its lists and mappings."""
    if isinstance(source, str | Path):
        yield source
    elif isinstance(source, list | tuple | Mapping):
        for each in source.values() if isinstance(source, Mapping) else source:
            yield from _paths_in(each)


Kind = TypeVar("Kind", bound="Evidence")

#: growing: training sets grow from fold to fold. uneven: folds of other sizes than those of k-fold. trained-on: rows
#: were tested that were trained on. Whole folds and random splits need no word.
Divided = Literal["", "growing", "uneven", "trained-on"]


class Evidence(Record, kw_only=True):
    """Facts about K learners. ``costs`` has one number per learner and cost: ``{"fit_time": {"lda": 0.1, …}}``.

    ``prior`` is the preference that was fixed together with the experiment, if one was.
    """

    learners: tuple[str, ...]
    measure: str
    larger_is_better: bool
    costs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)
    prior: str | tuple[str, ...] | None = None

    #: Fields that are lists, and those that are dicts by name: whatever else is given is refused.
    LISTS: ClassVar[tuple[str, ...]] = ("learners",)
    MAPPINGS: ClassVar[tuple[str, ...]] = ("costs",)

    def __post_init__(self) -> None:
        refuse_unprintable(self.learners, what="learner", where=self.origin.source)
        for what, names in self.names_inside().items():
            refuse_unprintable(dict.fromkeys(map(str, names)), what=what, where=self.origin.source, empty=True)
        refuse_duplicates(self.learners, what="learner", where=self.origin.source)
        if not self.learners:
            raise InputError("there is no learner.", self.origin.source, "give the results of at least two learners.")
        super().__post_init__()

    def names_inside(self) -> Mapping[str, Iterable[object]]:
        """Names that answers repeat, beside those of the learners, by what they name."""
        inside = {"data set": "datasets", "group": "groups", "class": "classes"}
        lists = {what: getattr(self, name, None) for what, name in inside.items()}
        return {"measure": (self.measure,), "cost": self.costs, **{what: each or () for what, each in lists.items()}}

    def _take_lists(self) -> None:
        """Copy lists and dicts, before anything is done with them."""
        where = self.origin.source
        for name in self.LISTS:
            object.__setattr__(self, name, entries_of(getattr(self, name), name=name, where=where))
        for name in self.MAPPINGS:
            object.__setattr__(self, name, dict(mapping_of(getattr(self, name), name=name, where=where)))
        costs = {
            name: dict(mapping_of(each, name=f"costs[{name!r}]", where=where)) for name, each in self.costs.items()
        }
        object.__setattr__(self, "costs", costs)

    def _repr_html_(self) -> str:
        from bestofk.reporting.notebook import evidence_html

        return evidence_html(self)

    @property
    def held(self) -> frozenset[str]:
        """What it has that options are about (``settings.HELD``)."""
        return frozenset()

    @property
    def sign(self) -> float:
        """Turns scores into losses: the one place where the direction of the measure counts."""
        return -1.0 if self.larger_is_better else 1.0

    @property
    def direction(self) -> str:
        """The direction in words; None is for who shows results whose direction nobody has said."""
        known = {True: "larger is better", False: "smaller is better"}
        return known.get(self.larger_is_better, "direction not known")

    @property
    def is_rate(self) -> bool:
        """Whether results lie between 0 and 1, or in per cent: by the name of the measure, or as the source says."""
        return self.origin.rate or is_bounded(self.measure)

    @property
    def worst(self) -> float | None:
        """The worst result that there can be; None where nothing bounds it."""
        if not self.is_rate:
            return None
        most = max(float(np.nanmax(each, initial=0.0)) for each in self.values)  # type: ignore[attr-defined]
        return 0.0 if self.larger_is_better else 100.0 if most > 1 else 1.0

    def means(self) -> dict[str, float]:
        """Return the mean score of every learner, in units of the measure."""
        raise NotImplementedError

    @property
    def gaps(self) -> Any:
        """Learner by learner: which results should be there and are not."""
        raise NotImplementedError

    def missing(self) -> tuple[str, ...]:
        """Name every result that should be there and is not, in words."""
        raise NotImplementedError

    def without(self, learners: Any) -> Evidence:
        """Return the evidence without these learners."""
        raise NotImplementedError

    def as_kind(self, kind: type[Kind], **changes: Any) -> Kind:
        """Return evidence of another kind: what the class above it has stays as it is here, but for these changes."""
        above = fields(kind.__mro__[1])
        return kind(**{each.name: getattr(self, each.name) for each in above} | changes)

    def summary(self, unsaid: Mapping[str, tuple[Any, ...]] | None = None) -> Summary:
        """Return what was understood of the results, in at most a screen: learners, units, measures, notes.

        ``unsaid`` are options that were taken for said, and are not, with the values that they may have.
        """
        from bestofk.evidence.summary import summary_of

        return summary_of(self, unsaid or {})

    def convert(self, path: str | Path) -> Converted:
        """Write a long table (CSV, TSV, JSON Lines, Parquet) that reads as the same evidence.

        ``options`` of what is returned are the arguments of ``read`` that the table needs: the measure among several,
        or a direction that no name tells.
        """
        from bestofk.evidence.long_form import converted

        return converted(self, path)

    def on(
        self,
        *measures: str,
        positive: str | None = None,
        undefined: float | None = None,
        larger_is_better: bool | None = None,
    ) -> Scores:
        """Return several measures of the same results side by side: ``items.on("tpr", "fpr")`` gives ``Vectors``.

        ``positive`` is the class that is positive, ``undefined`` what a measure 0/0 counts as, ``larger_is_better`` the
        direction of measures that bestofk does not know.
        """
        from bestofk.evidence.measure_vectors.vector_reading import vectors_from
        from bestofk.evidence.measure_vectors.wanted import Ask

        on = measures[0] if len(measures) == 1 else measures  # "tpr,fpr" too
        return vectors_from(self, Ask(on, positive, undefined, larger_is_better))


def failed_text(number: int, whole: int, unit: str = "fold") -> str:
    """Failed folds, where there are any, after what was collected."""
    return f"; {number:,} of {counted(whole, unit)} failed" if number else ""


def kept_costs(costs: Mapping[str, Mapping[str, float]], learners: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """The costs of the learners that stay; NaN where one is not known."""
    return {name: {learner: each.get(learner, float("nan")) for learner in learners} for name, each in costs.items()}
