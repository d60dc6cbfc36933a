"""Performance curves of K learners, one per run, points along training; and runs of which one value is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.core.phrases import counted, listed
from bestofk.evidence.checks import (
    entries_of,
    frozen,
    read_only,
    refuse_infinite,
    refuse_length,
    refuse_shape,
    settled_names,
)
from bestofk.evidence.evidence import BEST_OF_MORE, Divided, Evidence, failed_text, kept_costs
from bestofk.evidence.scores import Scores
from bestofk.settings import FOLDS

Point = tuple[str, str, float]  # learner, run, step

#: What a curve may be reduced to, and how that is called.
QUANTITIES = {
    "final": "the value at its last step",
    "best": "its best value",
    "mean": "the mean over its steps",
    "area": "the area under it, divided by the range of its steps",
}


class Curves(Evidence, kw_only=True):
    """Curves on one grid of steps. ``values`` has one array (runs, steps) per learner; numbers of runs may differ.

    ``datasets`` names, learner by learner, the data set of every curve, where there are several; they are blocks:
    curves are compared within a data set only. ``folds`` says that curves are of folds, so many in each replication,
    one replication after the other; 0 where they are of runs. ``test_fraction`` and ``divided`` are as in scores.
    ``failures`` gives the reason of a point whose fold failed. ``planned`` has, where curves have steps of their own,
    one array (runs, steps) per learner: whether a curve has the step at all. ``ended`` has, by (learner, run), the last
    step of a run before its values end, and the last one of its learner's runs, where these go on; ``stopped`` are the
    (learner, run) that end by more than a tenth of the steps before the one at which most runs end. Both are found.

    Examples
    --------
    >>> curves = [[.5, .6], [.4, .7]], [[.3, .6]]
    >>> Curves(learners=("a", "b"), values=curves, measure="accuracy", larger_is_better=True)
    2 learners, 2 and 1 curves of 2 steps, measure accuracy: larger is better
    """

    unit: ClassVar[str] = "curve"  # what learners have several of, and
    block: ClassVar[str] = "data set"  # within what they are compared, and
    shapes: ClassVar[str] = "(runs, steps) for every learner, with the same steps"  # what values are, in words

    values: tuple[Array, ...]
    steps: tuple[float, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()
    datasets: tuple[tuple[str, ...], ...] = ()
    folds: int = 0
    test_fraction: float | None = None
    failures: Mapping[Point, str] = field(default_factory=dict)
    divided: Divided = ""
    planned: tuple[Flags, ...] = ()
    ended: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    stopped: tuple[tuple[str, str], ...] = ()

    LISTS: ClassVar = ("learners", "values", "steps", "runs", "datasets", "planned")
    MAPPINGS: ClassVar = ("costs", "failures", "ended")

    def __post_init__(self) -> None:
        where = self.origin.source
        self._take_lists()
        values = tuple(frozen(each, where=where) for each in self.values)
        object.__setattr__(self, "values", values)
        if any(each.ndim != 2 or each.size == 0 for each in values) or len(values) != len(self.learners):
            raise self._wrong_shapes()
        if len({each.shape[1] for each in values}) > 1:
            raise self._wrong_shapes()
        for each in values:
            refuse_infinite(each, where)
        object.__setattr__(self, "steps", self._settled_steps(values[0].shape[1] if values else 0))
        object.__setattr__(self, "datasets", self._settled_datasets())
        object.__setattr__(self, "runs", self._settled_runs())
        object.__setattr__(self, "planned", self._settled_planned())
        if not self.ended:  # of all steps, also where they were cut later
            object.__setattr__(self, "ended", self._ended())
            object.__setattr__(self, "stopped", self._stopped() if self.ended and not self.of_folds else ())
        self._refuse_broken_folds()
        super().__post_init__()

    def _refuse_broken_folds(self) -> None:
        """Refuse folds that are no whole replications: nothing would say which of them share training data."""
        for learner, names in zip(self.learners, self.names_of_sets, strict=False):
            number = next((number for number in Counter(names).values() if self.folds and number % self.folds), 0)
            if number:
                raise InputError(
                    f"learner {learner} has {counted(number, 'curve')}, no whole replications of {self.folds} folds.",
                    self.origin.source,
                    "give the curves of all folds, or leave the learner out: --learners a,b.",
                )

    @property
    def names_of_sets(self) -> tuple[tuple[str, ...], ...]:
        """The data set of every curve, also where there is only one."""
        return self.datasets or tuple(("data",) * len(each) for each in self.values)

    @property
    def of_folds(self) -> bool:
        """Whether curves are of folds, whose training sets overlap."""
        return self.folds > 0

    @property
    def held(self) -> frozenset[str]:
        """Folds, where curves are of folds."""
        return frozenset([FOLDS] if self.of_folds else [])

    def _settled_planned(self) -> tuple[Flags, ...]:
        """Nothing where all curves have all steps."""
        where = self.origin.source
        planned = tuple(read_only(np.array(each, dtype=bool)) for each in self.planned)
        if planned:
            refuse_length(planned, len(self.values), name="planned", where=where)
        for each, values in zip(planned, self.values, strict=bool(planned)):
            refuse_shape(each, values.shape, name="planned", where=where)
        return planned if not all(each.all() for each in planned) else ()

    def _ended(self) -> dict[tuple[str, str], tuple[float, float]]:
        if len(self.steps) < 2 or (not self.planned and not any(np.isnan(each).any() for each in self.values)):
            return {}
        found = {}
        told = zip(self.learners, self.runs, self.names_of_sets, self.values, self.gaps, strict=True)
        for learner, runs, sets, values, gaps in told:
            until = ~np.isnan(values) & ~np.logical_or.accumulate(gaps, axis=1)
            steps = np.where(until, self.steps, -np.inf).max(axis=1).tolist()
            longest = dict(sorted(zip(sets, steps, strict=True)))  # the last of a data set stays
            for run, name, last in zip(runs, sets, steps, strict=True):
                if -np.inf < last < longest[name]:
                    found[learner, run] = last, longest[name]
        return found

    def _stopped(self) -> tuple[tuple[str, str], ...]:
        """Runs of a data set that end early, where most end at one step; a learner may have a shorter training."""
        ends: dict[str, dict[str, dict[str, float]]] = {}  # by data set, learner and run
        for learner, runs, sets, values in zip(self.learners, self.runs, self.names_of_sets, self.values, strict=True):
            steps = np.where(np.isnan(values), -np.inf, self.steps).max(axis=1).tolist()
            for run, name, last in zip(runs, sets, steps, strict=True):
                ends.setdefault(name, {}).setdefault(learner, {})[run] = last
        found = []
        for of_set in ends.values():
            usual = _end_of_most([last for own in of_set.values() for last in own.values()])
            for learner, own in of_set.items():
                whole = usual if max(own.values()) >= usual else _end_of_most(list(own.values()))
                least = whole - (whole - self.steps[0]) / 10.0
                found += [(learner, run) for run, last in own.items() if -np.inf < last < least < np.inf]
        return tuple(found)

    def _settled_steps(self, number: int) -> tuple[float, ...]:
        given = frozen(self.steps, name="steps", where=self.origin.source)
        steps = tuple(given.ravel().tolist()) or tuple(float(i + 1) for i in range(number))
        refuse_length(steps, number, name="steps", where=self.origin.source)
        for before, after in pairwise(steps):
            if not before < after:
                raise InputError(
                    f"step {after:g} comes after step {before:g}.",
                    f"{self.origin.source}, steps",
                    "give every step once, in growing order, and its values with it.",
                )
        return steps

    def _settled_runs(self) -> tuple[tuple[str, ...], ...]:
        where = f"{self.origin.source}, runs"
        runs = self.runs or ((),) * len(self.values)
        refuse_length(runs, len(self.values), name="runs", where=self.origin.source)
        named = zip(self.learners, runs, self.values, strict=True)
        return tuple(
            settled_names(names, len(each), what="run", where=f"{where} of {learner}") for learner, names, each in named
        )

    def _settled_datasets(self) -> tuple[tuple[str, ...], ...]:
        """One name per curve; nothing where all curves are of one data set, for then there is nothing to keep apart."""
        if not self.datasets:
            return ()
        where = self.origin.source
        refuse_length(self.datasets, len(self.values), name="datasets", where=where)
        named = [entries_of(names, name="datasets", where=where) for names in self.datasets]
        for learner, names, each in zip(self.learners, named, self.values, strict=True):
            refuse_length(names, len(each), name="datasets", where=f"{where}, learner {learner}")
        kept = tuple(tuple(str(name) for name in names) for names in named)
        return kept if len({name for names in kept for name in names}) > 1 else ()

    def _wrong_shapes(self) -> InputError:
        return InputError(
            f"values has the shapes {', '.join(str(each.shape) for each in self.values)} for "
            f"{counted(len(self.learners), 'learner')}.",
            f"{self.origin.source}, values",
            f"give {self.shapes}.",
        )

    def losses(self) -> dict[str, Array]:
        """Return (runs, steps) by learner, smaller is better; NaN where a point is missing."""
        return {name: self.sign * each for name, each in zip(self.learners, self.values, strict=True)}

    def paired_losses(self) -> dict[str, Array]:
        """Return the losses with runs in the same order for every learner, for ``paired=True``; all must have them."""
        told = zip(self.losses().items(), self._in_first_order(), strict=True)
        return {learner: losses[order] for (learner, losses), order in told}

    def _in_first_order(self) -> list[list[int]]:
        """The places of every learner's runs in the order of the first learner's."""
        names = self.runs[0]
        for learner, runs in zip(self.learners, self.runs, strict=True):
            lone = sorted(set(names) ^ set(runs))
            if lone:
                has, lacks = (self.learners[0], learner) if lone[0] in names else (learner, self.learners[0])
                raise InputError(
                    f"learner {has} has the run {lone[0]!r}, learner {lacks} has not: the {self.unit}s are not paired.",
                    self.origin.source,
                    "give every learner the same folds or seeds, or compare without pairs.",
                )
        return [[runs.index(name) for name in names] for runs in self.runs]

    def means(self) -> dict[str, float]:
        """Mean of every learner over its curves and their points; NaN when a point is missing.

        Over several data sets each counts once, however many curves it has, and only those count that all learners
        have: elsewhere a mean would tell of the data sets, not of the learner.
        """
        if not self.datasets:
            return {name: float(each.mean()) for name, each in zip(self.learners, self.values, strict=True)}
        self.refuse_unshared()
        return dict(zip(self.learners, self.by_dataset().mean(axis=1).tolist(), strict=True))

    def by_dataset(self) -> Array:
        """Means (learners, data sets) over the curves of every data set that all learners have, and their points."""
        sets = zip(self.datasets, self.values, strict=True)
        shared = self.shared_datasets()
        return np.array([[each[np.array(names) == name].mean() for name in shared] for names, each in sets])

    def within_datasets(self) -> dict[str, Array]:
        """Values by learner, moved on every data set to the learner's mean over those that all have, and only there.

        Their means are those of ``means``, and they differ as they do within data sets.
        """
        if not self.datasets:
            return dict(zip(self.learners, self.values, strict=True))
        found = {}
        for name, sets, values in zip(self.learners, self.datasets, self.values, strict=True):
            own = [values[np.array(sets) == each] for each in self.shared_datasets()]
            centres = [np.nanmean(each, axis=0) for each in own]
            moved = [each - centre for each, centre in zip(own, centres, strict=True)]
            found[name] = np.concatenate(moved) + np.mean(centres, axis=0)
        return found

    @property
    def dataset_names(self) -> tuple[str, ...]:
        """The data sets by name; none where they are not told apart."""
        return tuple(dict.fromkeys(name for names in self.datasets for name in names))

    def shared_datasets(self) -> tuple[str, ...]:
        """The data sets that every learner has curves of; none where the data sets are not told apart."""
        return tuple(name for name in self.dataset_names if all(name in names for names in self.datasets))

    def lacking_datasets(self) -> tuple[tuple[str, str], ...]:
        """Learner and data set, wherever a learner has no curve of a data set that another has."""
        told = zip(self.learners, self.datasets, strict=bool(self.datasets))
        return tuple((learner, name) for learner, names in told for name in self.dataset_names if name not in names)

    def refuse_unshared(self) -> None:
        """Refuse learners that have no data set in common."""
        if not self.datasets or self.shared_datasets():
            return
        learner, name = self.lacking_datasets()[0]
        raise InputError(
            f"no {self.block} has {self.unit}s of all learners: learner {learner} has none of {name}.",
            self.origin.source,
            f"add the {self.unit}s that are missing, or choose learners that share a {self.block}: --learners a,b.",
        )

    def missing(self) -> tuple[str, ...]:
        """Name every missing point, with the reason where one is known."""
        return tuple(
            f"learner {name}, run {runs[r]}{self._step(name, runs[r], s)}{self._reason((name, runs[r], self.steps[s]))}"
            for name, runs, gaps in zip(self.learners, self.runs, self.gaps, strict=True)
            for r, s in np.argwhere(gaps)
        )

    def _step(self, learner: str, run: str, place: int) -> str:
        """Where a value is missing: a run that failed after all steps that are compared has none at the last."""
        if len(self.steps) == 1:
            return ""
        last, _ = self.ended.get((learner, run), (-np.inf, 0.0))
        after = place == len(self.steps) - 1 and last >= self.steps[place]
        return f", after step {last:g}" if after else f", step {self.steps[place]:g}"

    @property
    def gaps(self) -> tuple[Flags, ...]:
        """By learner (runs, steps): which points are missing; a step that a curve does not have is none."""
        planned = self.planned or (np.True_,) * len(self.values)
        return tuple(np.isnan(each) & own for each, own in zip(self.values, planned, strict=True))

    def _reason(self, point: Point) -> str:
        reason = self.failures.get(point)
        return f" (failed: {reason})" if reason else ""

    @property
    def spec_for_a_test(self) -> str:
        """As many curves and sizes, on folds that can be tested."""
        runs = max(10, *map(len, self.values))
        first, second, third = (
            f'"learning-curve-{inner}-{len(self.steps)}"' for inner in (f"bootstrap-{runs}-oob", "5x2", "10-fold")
        )
        return f"{first}, {second} or {third}"

    def without(
        self,
        learners: Iterable[str] = (),
        datasets: Iterable[str] = (),
        runs: Iterable[tuple[str, str]] = (),
    ) -> Curves:
        """Return the evidence without some learners, the curves of some data sets, or some (learner, run)."""
        gone, absent, failed = set(learners), set(datasets), set(runs)
        kept: dict[str, list[int]] = {}
        for name, own, sets in zip(self.learners, self.runs, self.names_of_sets, strict=True):
            if name not in gone:
                told = enumerate(zip(own, sets, strict=True))
                kept[name] = [i for i, (run, each) in told if (name, run) not in failed and each not in absent]
        bare = [name for name, places in kept.items() if not places]
        if bare:
            raise InputError(
                f"learner {bare[0]} has no {self.unit} that is left.",
                self.origin.source,
                f"leave the learner out as well (--learners a,b), or keep a {self.unit} that it has.",
            )
        return self._with_runs(kept)

    def _with_runs(self, places: Mapping[str, list[int]]) -> Curves:
        """The runs at these places of these learners, in this order, and the steps of any of them."""
        told = [(self.learners.index(name), own) for name, own in places.items()]
        names = tuple(places)
        planned = tuple(self.planned[i][own] for i, own in told) if self.planned else ()
        there = np.any([each.any(axis=0) for each in planned], axis=0) if planned else np.full(len(self.steps), True)
        return replace(
            self,
            learners=names,
            values=tuple(self.values[i][own][..., there] if planned else self.values[i][own] for i, own in told),
            steps=tuple(each for each, kept in zip(self.steps, there, strict=True) if kept),
            runs=tuple(tuple(self.runs[i][j] for j in own) for i, own in told),
            datasets=tuple(tuple(self.datasets[i][j] for j in own) for i, own in told) if self.datasets else (),
            planned=tuple(each[:, there] for each in planned),
            costs=kept_costs(self.costs, names),
        )

    def on_same_folds(self) -> Curves:
        """Return the curves of the data sets that all learners have, folds in the same order; all must have them."""
        kept = self.without(datasets=set(self.dataset_names) - set(self.shared_datasets()))
        return kept._with_runs(dict(zip(kept.learners, kept._in_first_order(), strict=True)))

    def reduced(self, quantity: str = "final") -> Runs | Scores:
        """Reduce every curve to one number, in units of the measure: ``final``, ``best``, ``mean`` or ``area``.

        Curves of folds become scores of folds, others runs. Curves with steps of their own have a last and a best value
        each; means and areas need the same steps.

        Examples
        --------
        >>> curves = Curves(learners=("a", "b"), values=([[4, 1], [5, 2]], [[3, 3], [4, 4]]), steps=(1, 3),
        ...                 measure="error", larger_is_better=False)
        >>> [each.ravel().tolist() for each in curves.reduced("area").values]
        [[2.5, 3.5], [3.0, 4.0]]
        """
        one_of(quantity, QUANTITIES, name="quantity", where="Curves.reduced")
        if self.planned and quantity not in ("final", "best"):
            raise InputError(
                f"the curves have steps of their own, and {quantity} needs the same.",
                self.origin.source,
                'take final or best; or bring them to the same steps when reading: align="common".',
            )
        if self.of_folds and self.runs.count(self.runs[0]) < len(self.runs):
            return self.on_same_folds().reduced(quantity)
        note = f"of every curve {QUANTITIES[quantity]} was taken"
        planned = self.planned or (None,) * len(self.values)
        values = tuple(self._reduced(each, own, quantity) for each, own in zip(self.values, planned, strict=True))
        told = zip(self.learners, self.runs, values, strict=True)
        gaps = {(name, runs[i]) for name, runs, each in told for i in np.flatnonzero(np.isnan(each))}
        reasons = {(name, run): reason for (name, run, _), reason in self.failures.items() if (name, run) in gaps}
        sizes = [each.sum(axis=1).mean() for each in self.planned]
        more = quantity == "best" and bool(sizes) and max(sizes) >= 2 * min(sizes)
        origin = replace(
            self.origin,
            notes=(*self.origin.notes, note),
            assumed=(*self.origin.assumed, *([BEST_OF_MORE] if more else [])),
        )
        if not self.of_folds:
            failures = {(*run, 1.0): reason for run, reason in reasons.items()}
            ended = {run: steps for run, steps in self.ended.items() if run not in gaps}
            return self.as_kind(
                Runs, values=values, steps=(), planned=(), failures=failures, ended=ended, origin=origin
            )
        names = self.names_of_sets[0]
        places = by_fold(np.arange(1.0, len(names) + 1.0)[None], names, self.folds)[0]
        at = {self.runs[0][int(places[cell]) - 1]: cell for cell in zip(*np.nonzero(~np.isnan(places)), strict=True)}
        datasets = tuple(dict.fromkeys(names))
        return self.as_kind(
            Scores,
            values=by_fold(np.stack(values), names, self.folds),
            datasets=datasets,
            planned=~np.isnan(places),
            failures={
                (name, datasets[at[run][0]], *(str(place + 1) for place in at[run][1:])): reason
                for (name, run), reason in reasons.items()
            },
            test_fraction=self.test_fraction,
            divided=self.divided,
            origin=origin,
        )

    def _reduced(self, curves: Array, planned: Flags | None, quantity: str) -> Array:
        """One number per curve; NaN where a point that it is made of is missing."""
        if quantity == "final":
            last = -1 if planned is None else curves.shape[1] - 1 - np.argmax(planned[:, ::-1], axis=1)
            return np.asarray(curves[np.arange(len(curves)), last])
        if quantity == "best":
            own = curves if planned is None else np.where(planned, curves, np.inf * self.sign)
            return np.asarray(own.max(axis=1) if self.larger_is_better else own.min(axis=1))
        if quantity == "mean" or len(self.steps) == 1:
            return np.asarray(curves.mean(axis=1))
        steps = np.array(self.steps)
        return np.asarray(np.trapezoid(curves, steps, axis=1) / (steps[-1] - steps[0]))

    def __repr__(self) -> str:
        where = f" on {counted(len(self.dataset_names), self.block)}" if self.datasets else ""
        return (
            f"{counted(len(self.learners), 'learner')}{where}, {self._sizes()}, "
            f"measure {self.measure}: {self.direction}{self._failed_text()}"
        )

    def _sizes(self) -> str:
        numbers = [int(number) for each in self.planned for number in each.sum(axis=1)] or [len(self.steps)]
        fewest = f"{min(numbers)} to " if min(numbers) < max(numbers) else ""
        return f"{self._numbers()} of {fewest}{counted(max(numbers), 'step')}"

    def _numbers(self) -> str:
        sizes = [len(each) for each in self.values]
        return f"{counted(sizes[0], self.unit)} each" if len(set(sizes)) == 1 else f"{listed(sizes)} {self.unit}s"

    def _failed_text(self) -> str:
        runs = dict(zip(self.learners, map(set, self.runs), strict=True))
        here = [step for name, run, step in self.failures if run in runs.get(name, ())]
        unit = self.unit if len(self.steps) == 1 else "fold" if self.of_folds else "point"
        return failed_text(len(here), sum(each.size for each in self.values), unit)


def _end_of_most(ends: Sequence[float]) -> float:
    """The step at which more than half of the runs end, infinite where there is none."""
    last, number = Counter(ends).most_common(1)[0]
    return last if 2 * number > len(ends) else np.inf


def by_fold(values: Array, datasets: Sequence[str], folds: int) -> Array:
    """Deal (learners, curves) out to (learners, data sets, replications, folds); NaN where a data set has fewer.

    Examples
    --------
    >>> by_fold(np.arange(4.0)[None], ["x", "x", "y", "y"], 2).tolist()
    [[[[0.0, 1.0]], [[2.0, 3.0]]]]
    """
    names = np.array(datasets, dtype=object)
    parts = [values[:, names == name].reshape(len(values), -1, folds) for name in dict.fromkeys(datasets)]
    dealt = np.full((len(values), len(parts), max(each.shape[1] for each in parts), folds), np.nan)
    for place, each in enumerate(parts):
        dealt[:, place, : each.shape[1]] = each
    return dealt


class Runs(Curves, kw_only=True):
    """Runs with one value each: curves of a single step. ``values`` has one list of numbers per learner.

    Learners may have different numbers of runs. ``runs`` are the names of their seeds; ``datasets`` names, learner by
    learner, the task of every run where there are several. Runs are compared within a task only.

    Examples
    --------
    >>> Runs(learners=("a", "b"), values=([.5, .6, .7], [.4, .7]), measure="accuracy", larger_is_better=True)
    2 learners, 3 and 2 runs, measure accuracy: larger is better
    """

    unit: ClassVar[str] = "run"
    block: ClassVar[str] = "task"
    shapes: ClassVar[str] = "one list of numbers for every learner, a number per run"

    def __post_init__(self) -> None:
        found = tuple(frozen(each, where=self.origin.source) for each in self.values)
        object.__setattr__(self, "values", tuple(each[:, None] if each.ndim == 1 else each for each in found))
        if any(each.shape[1:] != (1,) for each in self.values):
            raise self._wrong_shapes()
        super().__post_init__()

    def _settled_runs(self) -> tuple[tuple[str, ...], ...]:
        """A name of its own for every run of a learner: seeds that are there in several tasks have the task before."""
        if self.datasets and any(len(set(names)) < len(names) for names in self.runs):
            told = zip(self.datasets, self.runs, strict=False)
            named = tuple(tuple(f"{t}/{run}" for t, run in zip(*each, strict=False)) for each in told)
            object.__setattr__(self, "runs", named)
        return super()._settled_runs()

    def missing(self) -> tuple[str, ...]:
        """Name every run without a value, with the reason where one is known, and every task without a run."""
        lacking = (f"learner {name}, task {task} (no run)" for name, task in self.lacking_datasets())
        return (*super().missing(), *lacking)

    def incomplete(self) -> tuple[tuple[str, str], ...]:
        """Learner and task, wherever a run has no value or a learner has no run of a task."""
        told = zip(self.learners, self.names_of_sets, self.gaps, strict=True)
        gaps = {(name, own[i]): None for name, own, each in told for i in np.flatnonzero(each)}
        return (*gaps, *self.lacking_datasets())

    def refuse_lone(self) -> None:
        """Refuse a learner with a single run, of all or in a task: nothing tells how much its runs differ."""
        for learner, names in zip(self.learners, self.names_of_sets, strict=True):
            lone = next((task for task, number in Counter(names).items() if number < 2), None)
            if lone is not None:
                of = f" of task {lone}" if self.datasets else ""
                raise InputError(
                    f"learner {learner} has one run{of}: nothing tells how much its runs differ.",
                    self.origin.source,
                    "give at least two runs of every learner, with different seeds, or leave it out; of tasks with one "
                    "run each say --rows datasets.",
                )

    def _sizes(self) -> str:
        return self._numbers()
