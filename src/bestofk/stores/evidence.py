"""From a store to evidence: the folds of one plan as scores or curves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.design.plan.cell import CellResult
from bestofk.evidence import Curves, Origin, Scores
from bestofk.evidence.curves import Point
from bestofk.evidence.divisions import grow, mean_share
from bestofk.evidence.evidence import Divided
from bestofk.evidence.step_grids import curves_by_size
from bestofk.measures.catalogue import MEASURES
from bestofk.measures.checks import refuse_unfit, settled_direction
from bestofk.stores.notes import notes_of, shared_notes
from bestofk.stores.outcomes import COSTS, StoredOutcomes, counts_of, lacks_counts
from bestofk.stores.plans import chosen_plan, keys_of_plan, wanted_of
from bestofk.stores.store import PlanRecord, Store


def evidence_from_store(
    store: Store,
    *,
    plan: str | None = None,
    measure: str | None = None,
    larger_is_better: bool | None = None,
    reopen: Callable[[], Store] | None = None,
) -> Scores | Curves:
    """Read all folds of a plan: the only one, or that whose fingerprint starts with ``plan``.

    Growing training sizes within folds become curves, everything else scores. ``reopen`` opens the store once more, for
    what is asked of the scores later.
    """
    record = chosen_plan(store, plan)
    wanted = wanted_of(record)
    if wanted is None:
        raise InputError(
            f"the plan {record.fingerprint[:12]} is damaged: its text is not the one that was kept.",
            store.url,
            "take your copy of the store, or merge what is sound into a new one: bestofk store merge new.db old.db "
            "--rescue.",
        )
    grid = _Grid(
        [each["name"] for each in wanted["learners"]],
        [each["name"] for each in wanted["datasets"]],
        (wanted["replications"], wanted["folds_per_replication"]),
        list(store.read([key.series for key in keys_of_plan(wanted)])),
    )
    if not grid.cells:
        raise InputError("the store has no result of this plan.", store.url, "run bestofk collect first.")
    name = measure or ("error" if grid.classification else [*wanted["measures"], *grid.kept][0])
    values = grid.values_of(name, store.url)
    low = notes_on(wanted["folds"])
    facts: dict[str, Any] = {
        "learners": tuple(grid.learners),
        "measure": name,
        "larger_is_better": settled_direction(name, larger_is_better, where=store.url),
        "costs": grid.costs(),
        "prior": tuple(wanted["prior"]) if isinstance(wanted["prior"], list) else wanted["prior"],
        "origin": Origin(
            source=store.url,
            sha256=record.fingerprint,
            notes=(*_notes(record), *grid.notes(), *low),
            assumed=() if record.locked else ("plan-not-locked",),
            collected=True,
        ),
    }
    prints = grid.fingerprints()
    if wanted["folds"].startswith("learning-curve"):
        return _curves(grid, values, facts, store.url, wanted["folds"])
    how = divided(grid.cells, grid.datasets, grid.shape, wanted["folds"])
    return Scores(
        datasets=tuple(grid.datasets),
        values=values,
        others={other: grid.placed(other) for other in grid.kept if other != name},
        measured_costs={cost: grid.measured(part) for cost, part in COSTS.items()},
        counts=grid.two_by_two(),
        failures=grid.failures(),
        fingerprints=prints,
        test_fraction=how.test_fraction,
        divided=how.way,
        outcomes=None if reopen is None else StoredOutcomes(reopen, record.fingerprint),
        **facts,
    )


def _curves(grid: _Grid, values: Array, facts: dict[str, Any], where: str, folds: str) -> Curves:
    """Growing training sizes as steps; every replication and fold is a run, every data set a block."""
    own = {name: [c.train_sizes.ravel() for c in grid.cells if c.key.dataset == name and c.train_sizes is not None]
           for name in grid.datasets}  # fmt: skip
    sizes = {name: np.setdiff1d(np.concatenate([*found, []]), [0]) for name, found in own.items()}
    made = curves_by_size(values, sizes, facts, where)
    how = divided(grid.cells, grid.datasets, grid.shape, folds, sizes=len(made.steps))
    return replace(made, failures=_failed_points(grid, made), divided=how.way, test_fraction=how.test_fraction)


def _failed_points(grid: _Grid, curves: Curves) -> dict[Point, str]:
    """Reasons by learner, run and step: all sizes of a fold come one after another."""
    several, points = len(grid.datasets) > 1, len(curves.steps)
    found: dict[Point, str] = {}
    for (learner, dataset, replication, place), reason in grid.failures().items():
        fold, step = divmod(int(place) - 1, points)
        run = f"{replication}.{fold + 1}"
        found[learner, f"{dataset}/{run}" if several else run, curves.steps[step]] = reason
    return found


def _notes(record: PlanRecord) -> tuple[str, ...]:
    if record.locked is None:
        return (f"plan {record.fingerprint[:12]} was not locked before the results",)
    return (f"plan {record.fingerprint[:12]} was locked at {record.locked}, before any result",)


def _several_versions(cells: Iterable[CellResult]) -> list[str]:
    """Packages of which several versions were at work."""
    known: dict[str, set[str]] = {}
    for cell in cells:
        for package, version in notes_of(cell).versions.items():
            known.setdefault(package, set()).add(version)
    mixed = [f"{package} {' and '.join(sorted(found))}" for package, found in known.items() if len(found) > 1]
    return [f"results of several versions were put together: {', '.join(mixed)}"] if mixed else []


def _unscored(cells: Iterable[CellResult]) -> list[str]:
    """Why measures are missing in folds that did not fail, each reason once."""
    found = {
        f"{name} of {cell.key.learner} on {cell.key.dataset} is missing in some folds: {reason}": None
        for cell in cells
        for name, reasons in notes_of(cell).unscored.items()
        for reason in reasons
    }
    return list(found)


@frozen
class _Grid:
    """Cells of a plan at their places: learners × data sets × replications × folds."""

    learners: list[str]
    datasets: list[str]
    shape: tuple[int, int]  # replications and folds of the plan: what is not there is missing
    cells: list[CellResult]

    @cached_property
    def kept(self) -> dict[str, None]:
        """Names of measures kept beside the counts, in order."""
        return {name: None for cell in self.cells for name in cell.scores}

    @cached_property
    def classification(self) -> bool:
        return any(cell.confusion is not None for cell in self.cells)

    def values_of(self, name: str, where: str) -> Array:
        """A measure of every fold, as it was kept, or made of the counts; else why it cannot be had."""
        if name in self.kept:
            return self.placed(name)
        counted = [each.name for each in MEASURES.values() if each.needs == "counts"] if self.classification else []
        known = list(dict.fromkeys([*counted, *self.kept]))
        if name not in MEASURES:
            raise unknown(name, known, what="measure", where=where)
        for cell in self.cells:
            task, classes = ("classification", len(cell.classes)) if self.classification else ("regression", None)
            refuse_unfit(MEASURES[name], cell.key.dataset, task, None if cell.confusion is None else classes)
        bare = next((cell for cell in self.cells if lacks_counts(cell)), None)
        if name in known and bare is None:
            return self._place(lambda c: np.nan if c.confusion is None else MEASURES[name].compute(c.confusion))
        if name in known and bare is not None:  # results of a table may have an error and no counts
            raise InputError(
                f"{name} is made of counts, and the results of {bare.key.learner} on {bare.key.dataset} have none.",
                f"measure {name}",
                f"choose among: {', '.join(self.kept) or 'none'}.",
            )
        fix = f"add measures = [{name!r}] to the plan and collect; there are: {', '.join(known)}."
        raise InputError(f"{name} was not collected.", where, fix)

    def placed(self, name: str) -> Array:
        return self._place(lambda cell: cell.scores.get(name, np.nan))

    def _place(self, part: Any, more: tuple[int, ...] = ()) -> Array:
        """One number (or ``more`` of them) per fold, NaN where the fold failed."""
        values = np.full((len(self.learners), len(self.datasets), *self.shape, *more), np.nan)
        for cell in self.cells:
            k, d = self.learners.index(cell.key.learner), self.datasets.index(cell.key.dataset)
            failed = cell.failed_folds
            found = np.array(np.broadcast_to(part(cell), (*failed.shape, *more)), dtype=float)
            found[failed] = np.nan
            values[k, d, cell.key.start : cell.key.stop, : failed.shape[1]] = found
        return values

    def notes(self) -> list[str]:
        """What a reader of the results should know about how they came about."""
        return [*_several_versions(self.cells), *_unscored(self.cells), *shared_notes(self.cells)]

    def two_by_two(self) -> Array | None:
        """tp, fn, fp, tn where every data set has two classes; the second class is the positive one."""
        if not self.classification or any(len(cell.classes) != 2 for cell in self.cells):
            return None
        return self._place(lambda cell: counts_of(cell)[..., [1, 1, 0, 0], [1, 0, 1, 0]], (4,))

    def failures(self) -> dict[tuple[str, str, str, str], str]:
        return {
            (cell.key.learner, cell.key.dataset, str(cell.key.start + r + 1), str(f + 1)): reason.splitlines()[-1]
            for cell in self.cells
            if cell.failed
            for r, line in enumerate(cell.failures)
            for f, reason in enumerate(line)
            if reason
        }

    def fingerprints(self) -> Any:
        """Fingerprints of the folds; a fold that differs between learners is refused (they would not be paired)."""
        prints = np.zeros((len(self.datasets), *self.shape), dtype=np.int64)
        seen = np.zeros(prints.shape, dtype=bool)
        for cell in self.cells:
            d, rows = self.datasets.index(cell.key.dataset), slice(cell.key.start, cell.key.stop)
            old, there = prints[d, rows, : cell.fingerprints.shape[1]], seen[d, rows, : cell.fingerprints.shape[1]]
            if (there & (old != cell.fingerprints)).any():
                raise InputError(
                    f"{cell.key.learner} has other folds of {cell.key.dataset} than the others.",
                    "store",
                    "the store is damaged or was merged with another experiment: bestofk store verify.",
                )
            old[...], there[...] = cell.fingerprints, True
        return prints

    def measured(self, part: str) -> Array:
        """A cost of every fold; NaN where it was not measured."""
        return self._place(lambda cell: getattr(cell, part))

    def costs(self) -> dict[str, dict[str, float]]:
        """Means of the measured folds (shared ones have no time); every data set weighs the same."""
        shape = (len(self.learners), len(self.datasets), -1)
        means = {cost: _mean_of_measured(self.measured(part).reshape(shape)) for cost, part in COSTS.items()}
        return {
            cost: dict(zip(self.learners, _mean_of_measured(each).tolist(), strict=True))
            for cost, each in means.items()
        }


def _mean_of_measured(values: Array) -> Array:
    """Means over the last axis of what was measured; NaN where nothing was."""
    known = ~np.isnan(values)
    totals = np.where(known, values, 0.0).sum(axis=-1)
    means: Array = np.divide(totals, known.sum(axis=-1), out=np.full_like(totals, np.nan), where=known.any(axis=-1))
    return means


@frozen
class Overlap:
    """A word for folds that are neither k-fold nor random splits, and the share of test rows that corrects for overlap.

    The share f stands for the mean of n_test/n_train over the folds, which is f/(1 − f); None for k-fold, where the
    number of folds tells it.
    """

    way: Divided = ""
    test_fraction: float | None = None


def divided(
    cells: Iterable[CellResult], datasets: Sequence[str], shape: tuple[int, int], folds: str, *, sizes: int = 1
) -> Overlap:
    """Say how rows were divided into ``shape``, replications and folds, under the name ``folds`` of the plan.

    Where every fold is trained on ``sizes`` growing sets, the last of them, which are whole, say it.
    """
    if _tests_on_training(folds):
        return Overlap("trained-on")
    kept = [cell for cell in cells if cell.train_sizes is not None and cell.test_sizes is not None]
    train, test = (
        _sizes(kept, datasets, shape, part)[..., sizes - 1 :: sizes] for part in ("train_sizes", "test_sizes")
    )
    known = (train > 0) & (test > 0)
    if known[0].size < 2 or not known.any():
        return Overlap()
    share = mean_share(train[known], test[known])
    if known.shape[-1] == 1:
        return Overlap("", share)
    whole = known.all(axis=-1)  # replications of which every size is known
    if _as_in_kfold(train[whole], test[whole], slack=max([1, *(len(cell.classes) for cell in kept)])):
        return Overlap()
    return Overlap("growing" if grow(train[whole], test[whole]) else "uneven", share)


def notes_on(folds: str) -> list[str]:
    """What a reader of results under this name of folds should know."""
    low = "every bootstrap sample was tested on the full set, rows that were trained on included: errors are too low"
    return [low] if _tests_on_training(folds) else []


def lost_in_tables(store: Store, series: Sequence[str] | None = None) -> list[str]:
    """Names of folds that only the store itself can be judged by: a table tells replications and folds, not sizes."""
    names = dict.fromkeys(each.key.folds for each in store.finished(series))
    return [name for name in names if _tests_on_training(name) or name.startswith(("forward-", "TimeSeriesSplit("))]


def _tests_on_training(folds: str) -> bool:
    inner = re.sub(r"^learning-curve-(.+)-\d+$", r"\1", folds)
    return inner.startswith("bootstrap") and not inner.endswith("-oob")


def _sizes(cells: list[CellResult], datasets: Sequence[str], shape: tuple[int, int], part: str) -> Array:
    """Rows of every fold, (data sets, replications, folds): equal for all learners; 0 where none could be made."""
    sizes = np.zeros((len(datasets), *shape))
    for cell in cells:
        own = getattr(cell, part)
        place = sizes[datasets.index(cell.key.dataset), cell.key.start : cell.key.stop, : own.shape[1]]
        np.maximum(place, own, out=place)
    return sizes


def _as_in_kfold(train: Array, test: Array, *, slack: int) -> bool:
    """Every row is tested once per replication, in parts as equal as rounding, or stratifying, lets them be."""
    rows = train + test
    once: Flags = (rows == rows[..., :1]).all(axis=-1) & (test.sum(axis=-1) == rows[..., 0])
    return bool((once & (np.ptp(test, axis=-1) <= slack)).all())
