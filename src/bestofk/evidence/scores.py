"""Scores of K learners on the same folds of one data set or of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.options import level_inside
from bestofk.core.phrases import counted
from bestofk.evidence.checks import frozen, read_only, refuse_infinite, refuse_shape, settled_names
from bestofk.evidence.evidence import Divided, Evidence, failed_text, kept_costs
from bestofk.measures.checks import settled_direction
from bestofk.settings import DATASETS, FOLDS

if TYPE_CHECKING:
    from bestofk.evidence.measure_vectors.known import Outcomes

Cell = tuple[str, str, str, str]  # learner, data set, replication, fold

COUNTS = ("tp", "fn", "fp", "tn")
#: Names that stand for several measures, or for curves.
OF_SEVERAL = ("confusion", "recalls", "roc", "auc")
AXES = ("datasets", "replications", "folds")
NOUNS = ("data set", "replication", "fold")


class Scores(Evidence, kw_only=True):
    """Paired scores. ``values`` is (learners, data sets, replications, folds); NaN is a result that is missing.

    ``planned`` (data sets, replications, folds) says which folds exist at all: data sets may have different numbers of
    them. ``others`` holds further measures of the same shape, ``measured_costs`` what each fold cost where that was
    measured (``costs`` are means of it, and NaN is a fold not measured), and ``counts`` confusion counts (..., 4) in
    the order tp, fn, fp, tn. ``failures`` gives the reason of a failed cell, ``fingerprints`` (data sets, replications,
    folds) the fold's own, equal for all learners. ``test_fraction`` is the share of test rows where the results are of
    random splits, each a replication of one fold. ``divided`` says how rows were divided where that is neither k-fold
    nor random splits; ``test_fraction`` of growing or uneven folds stands for the mean of test rows per training row.
    ``outcomes`` finds more of the same folds where the scores came from a store, and is read when asked.

    Examples
    --------
    >>> Scores(learners=("lda", "knn"), values=[[[.1, .2]], [[.2, .3]]], measure="error", larger_is_better=False)
    2 learners on 1 data set, 1 replication of 2 folds, measure error: smaller is better
    """

    values: Array
    datasets: tuple[str, ...] = ("data",)
    replications: tuple[str, ...] = ()
    folds: tuple[str, ...] = ()
    planned: Flags | None = None
    others: Mapping[str, Array] = field(default_factory=dict)
    measured_costs: Mapping[str, Array] = field(default_factory=dict)
    counts: Array | None = None
    failures: Mapping[Cell, str] = field(default_factory=dict)
    fingerprints: Any = None
    test_fraction: float | None = None
    divided: Divided = ""
    outcomes: Outcomes | None = field(default=None, repr=False)

    LISTS: ClassVar = ("learners", *AXES)
    MAPPINGS: ClassVar = ("costs", "others", "measured_costs", "failures")

    def __post_init__(self) -> None:
        where = self.origin.source
        self._take_lists()
        if self.divided == "trained-on" and self.test_fraction is not None:
            raise InputError(
                f"test_fraction is {self.test_fraction:g}, but every bootstrap sample was tested on the full set, no "
                "random split.",
                where,
                f"leave test_fraction out; for a test, collect with folds = {self.spec_for_a_test}.",
            )
        values = frozen(self.values, where=where)
        if values.ndim == 3:  # one data set
            values = frozen(values[:, None])
        self._settle("values", values)
        if values.ndim != 4 or values.shape[:2] != (len(self.learners), len(self.datasets)) or 0 in values.shape:
            raise InputError(
                f"values has the shape {values.shape} for {counted(len(self.learners), 'learner')} and "
                f"{counted(len(self.datasets), 'data set')}.",
                f"{where}, values",
                "give (learners, data sets, replications, folds); (learners, replications, folds) for one data set.",
            )
        refuse_infinite(values, where)
        for name, noun, size in zip(AXES, NOUNS, values.shape[1:], strict=True):
            self._settle(name, settled_names(getattr(self, name), size, what=noun, where=where))
        self._settle_companions(values.shape)
        if self.test_fraction is not None:
            self._settle("test_fraction", level_inside(self.test_fraction, name="test_fraction", where=where))
        super().__post_init__()

    def _settle_companions(self, shape: tuple[int, ...]) -> None:
        """Copy the arrays that go with the values, and check their shapes."""
        where = self.origin.source
        planned = np.ones(shape[1:], dtype=bool) if self.planned is None else np.array(self.planned, dtype=bool)
        refuse_shape(planned, shape[1:], name="planned", where=where)
        self._settle("planned", read_only(planned))
        for beside in ("others", "measured_costs"):
            given = getattr(self, beside).items()
            found = {name: frozen(each, name=f"{beside}[{name!r}]", where=where) for name, each in given}
            for name, each in found.items():
                refuse_shape(each, shape, name=f"{beside}[{name!r}]", where=where)
            self._settle(beside, found)
        if self.counts is not None:
            self._settle("counts", frozen(self.counts, name="counts", where=where))
            refuse_shape(self.counts, (*shape, 4), name="counts", where=where)
        if self.fingerprints is not None:
            refuse_shape(self.fingerprints, shape[1:], name="fingerprints", where=where)
            self._settle("fingerprints", read_only(np.array(self.fingerprints)))

    def _settle(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def held(self) -> frozenset[str]:
        """Folds, unless there is one result a data set; data sets where there are several."""
        several = len(self.datasets) > 1
        folds = not several or int(np.asarray(self.planned).sum(axis=(1, 2)).max()) > 1
        return frozenset([*([FOLDS] if folds else []), *([DATASETS] if several else [])])

    @property
    def spec_for_a_test(self) -> str:
        """Bootstrap folds as many as these, but at least ten, that can be tested, and other ways."""
        return f'"bootstrap-{max(10, *np.shape(self.values)[-2:])}-oob", "5x2" or "10-fold"'

    def losses(self) -> Array:
        """Return (learners, data sets, replications, folds), smaller is better; NaN where a result is missing."""
        return self.sign * self.values

    def means(self) -> dict[str, float]:
        """Mean over data sets of the mean over folds; NaN when a result is missing."""
        return dict(zip(self.learners, self.by_dataset().mean(axis=1).tolist(), strict=True))

    def by_dataset(self) -> Array:
        """Return the mean score of every learner on every data set, (learners, data sets); NaN where one is missing."""
        planned = np.asarray(self.planned)
        total = np.where(planned, self.values, 0.0).sum(axis=(2, 3))
        return np.asarray(total / planned.sum(axis=(1, 2)))

    @property
    def gaps(self) -> Flags:
        """Cells that are planned and have no value, in the shape of ``values``."""
        return np.asarray(np.isnan(self.values) & self.planned)

    @property
    def dataset_names(self) -> tuple[str, ...]:
        """The data sets by name."""
        return self.datasets

    @property
    def planned_everywhere(self) -> bool:
        """Whether all data sets have the same replications and folds."""
        return bool(np.all(self.planned))

    def missing_cells(self) -> tuple[Cell, ...]:
        """Learner, data set, replication and fold of every missing result."""
        return tuple(map(self.cell_at, np.argwhere(self.gaps)))

    def cell_at(self, place: Iterable[int]) -> Cell:
        """The names of a cell by its place in ``values``."""
        k, d, r, f = place
        return self.learners[k], self.datasets[d], self.replications[r], self.folds[f]

    def missing(self) -> tuple[str, ...]:
        """Name every missing result, with the reason where one is known."""
        return tuple(self._cell_text(cell) for cell in self.missing_cells())

    def first_place(self, marked: Flags) -> str:
        """The first learner and fold that is marked, in words."""
        return self._cell_text(self.cell_at(np.argwhere(marked)[0]))

    def _cell_text(self, cell: Cell) -> str:
        reason = self.failures.get(cell)
        places = [f"learner {cell[0]}", self.place_text(*cell[1:])]
        return ", ".join(filter(None, places)) + (f" (failed: {reason})" if reason else "")

    def place_text(self, dataset: str, replication: str, fold: str) -> str:
        """A fold in words, by those of the names that tell it from others."""
        named = zip(NOUNS, AXES, (dataset, replication, fold), strict=True)
        return ", ".join(f"{noun} {name}" for noun, axis, name in named if len(getattr(self, axis)) > 1)

    def without(self, learners: Iterable[str] = (), datasets: Iterable[str] = ()) -> Scores:
        """Return the evidence without some learners or data sets."""
        gone, left_out = set(learners), set(datasets)
        rows = [i for i, name in enumerate(self.learners) if name not in gone]
        columns = [i for i, name in enumerate(self.datasets) if name not in left_out]
        if not columns:
            raise InputError("no data set is left.", self.origin.source, "complete the missing results.")
        names = tuple(self.learners[i] for i in rows)

        planned = np.asarray(self.planned)[columns]
        there = [np.asarray(planned.any(axis=axes)) for axes in ((0, 2), (0, 1))]  # replications, folds that are left

        return self.with_arrays(
            lambda array: array[rows][:, columns][:, :, there[0]][:, :, :, there[1]],
            lambda array: array[columns][:, there[0]][:, :, there[1]],
            learners=names,
            datasets=tuple(self.datasets[i] for i in columns),
            replications=tuple(name for name, kept in zip(self.replications, there[0], strict=True) if kept),
            folds=tuple(name for name, kept in zip(self.folds, there[1], strict=True) if kept),
            costs=kept_costs(self.costs, names),
        )

    def with_arrays(self, by_learner: Callable[[Any], Any], by_dataset: Callable[[Any], Any], **changes: Any) -> Scores:
        """The same scores with every array changed: those that begin with learners, and those with data sets."""
        return replace(
            self,
            values=by_learner(self.values),
            others={name: by_learner(each) for name, each in self.others.items()},
            measured_costs={name: by_learner(each) for name, each in self.measured_costs.items()},
            counts=None if self.counts is None else by_learner(self.counts),
            planned=by_dataset(self.planned),
            fingerprints=None if self.fingerprints is None else by_dataset(self.fingerprints),
            **changes,
        )

    def on(
        self,
        *measures: str,
        positive: str | None = None,
        undefined: float | None = None,
        larger_is_better: bool | None = None,
    ) -> Scores:
        """Return the same results with another of their measures in front, or several of them as ``Vectors``."""
        known = [self.measure, *self.others]
        names_several = len(measures) != 1 or plain(measures[0]) in OF_SEVERAL or "," in measures[0]
        if names_several and measures not in [(name,) for name in known]:
            return super().on(*measures, positive=positive, undefined=undefined, larger_is_better=larger_is_better)
        measure = measures[0]
        if measure not in known:
            raise unknown(measure, known, what="measure", where=self.origin.source)
        if measure == self.measure:
            return self
        others = {name: array for name, array in self.others.items() if name != measure}
        return replace(
            self,
            values=self.others[measure],
            measure=measure,
            larger_is_better=settled_direction(measure, larger_is_better, where=self.origin.source),
            others={self.measure: self.values, **others},
            costs=self._costs_beside(measure),
        )

    def _costs_beside(self, measure: str) -> dict[str, Mapping[str, float]]:
        """The costs when another measure is in front: the measure itself is no cost, the one before becomes one."""
        kept = {name: each for name, each in self.costs.items() if name != measure}
        return {**kept, self.measure: self.means()} if len(kept) < len(self.costs) else kept

    def __repr__(self) -> str:
        return (
            f"{counted(len(self.learners), 'learner')} on {counted(len(self.datasets), 'data set')}"
            f"{self._folds_text()}, {self._measure_text()}{self._failed_text()}"
        )

    def _measure_text(self) -> str:
        return f"measure {self.measure}: {self.direction}"

    def _failed_text(self) -> str:
        here = [cell for cell in self.failures if cell[0] in self.learners and cell[1] in self.datasets]
        return failed_text(len(here), len(self.learners) * int(np.asarray(self.planned).sum()))

    def _folds_text(self) -> str:
        per_dataset = {tuple(int(n) for n in _extent(one)) for one in np.asarray(self.planned)}
        if len(per_dataset) > 1:
            return ", different numbers of folds"
        replications, folds = per_dataset.pop()
        if len(self.datasets) > 1 and replications * folds == 1:
            return ""
        each = "each " if len(self.datasets) > 1 else ""
        if self.divided in ("growing", "uneven"):
            return f", {each}{folds_in_words(self.divided, replications, folds)}"
        if self.test_fraction is not None:
            splits = counted(replications * folds, "random split")
            return f", {each}{splits} with {100 * self.test_fraction:.3g} % test data"
        return f", {each}{counted(replications, 'replication')} of {counted(folds, 'fold')}"


def folds_in_words(divided: Divided, replications: int, folds: int) -> str:
    """Growing or uneven folds, as a sentence names them.

    Examples
    --------
    >>> folds_in_words("growing", 1, 4), folds_in_words("uneven", 10, 5)
    ('4 folds with growing training sets', '10 replications of 5 folds of other sizes than in k-fold')
    """
    several = f"{counted(replications, 'replication')} of " if replications > 1 else ""
    how = "with growing training sets" if divided == "growing" else "of other sizes than in k-fold"
    return f"{several}{counted(folds, 'fold')} {how}"


def _extent(planned: Flags) -> tuple[int, int]:
    """Replications and folds per replication of one data set."""
    return int(planned.any(axis=1).sum()), int(planned.any(axis=0).sum())
