"""Evidence as a long table, one row per result, which reads as the same evidence again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.outputs import refuse_source
from bestofk.core.record import Record
from bestofk.evidence.battles import Battles
from bestofk.evidence.columns import MOST_FOLDS, roles_of_name
from bestofk.evidence.curves import Curves, Runs
from bestofk.evidence.evidence import ASSUMED, ONE_REPLICATION, Evidence
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.grid import places_within
from bestofk.evidence.natural_order import class_order
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.measures.catalogue import cost_of_name, is_larger_better
from bestofk.tables.writing import table_writer

_Cells = np.ndarray[Any, Any]


class Converted(Record):
    """A table that was written: its rows and columns, the options of ``read`` that it needs, and what it lacks."""

    path: str
    rows: int
    columns: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def converted(evidence: Evidence, path: str | Path) -> Converted:
    """Write evidence as a long table: learner, what rows are of, the measures and the costs."""
    refuse_source(path, evidence.origin.paths, where="convert, argument path")
    keys, numbers = _parts(evidence)
    rows = len(next(iter(keys.values())))
    words = {name: [str(cell) for cell in cells] for name, cells in keys.items()}
    figures = {name: np.asarray(cells, dtype=np.float64).tolist() for name, cells in numbers.items()}
    taken = sorted(set(words) & set(figures))
    if taken:
        raise InputError(
            f"{taken[0]!r} is a column of the table already.", evidence.origin.source, "give it another name."
        )
    with table_writer(path, (*words, *figures), tuple(figures)) as write:
        write(words | figures)
    return Converted(str(path), rows, (*words, *figures), _options(evidence, numbers), _left_out(evidence))


def _parts(evidence: Evidence) -> tuple[dict[str, _Cells], dict[str, _Cells]]:
    """Columns of names and columns of numbers."""
    where = evidence.origin.source
    if isinstance(evidence, Vectors):
        fix = "leave on out: a table has all measures of the source."
        raise InputError("several measures side by side (on) were made of the results.", where, fix)
    if isinstance(evidence, Scores | Curves) and evidence.divided:
        fix = "keep the source as it is; of a store, bestofk store export writes a table."
        raise InputError("a table has no place for how the rows of these folds were divided.", where, fix)
    if isinstance(evidence, Battles):
        return _of_battles(evidence)
    if isinstance(evidence, Items):
        return _of_items(evidence)
    if isinstance(evidence, Curves):
        return _of_curves(evidence)
    assert isinstance(evidence, Scores)
    return _of_scores(evidence)


def _of_scores(scores: Scores) -> tuple[dict[str, _Cells], dict[str, _Cells]]:
    there = np.broadcast_to(np.asarray(scores.planned), scores.values.shape)
    learner, dataset, replication, fold = np.nonzero(there)
    keys = {"learner": np.array(scores.learners, dtype=object)[learner]}
    guessed = ONE_REPLICATION in scores.origin.assumed
    if scores.datasets != ("data",):
        keys["dataset"] = np.array(scores.datasets, dtype=object)[dataset]
    if scores.replications != ("1",) or (len(scores.folds) > MOST_FOLDS and not guessed):
        keys["replication"] = np.array(scores.replications, dtype=object)[replication]
    if scores.folds != ("1",) or len(keys) == 1:
        keys["split" if guessed else "fold"] = np.array(scores.folds, dtype=object)[fold]
    counts = {} if scores.counts is None else dict(zip(COUNTS, np.moveaxis(scores.counts, -1, 0), strict=True))
    arrays = {scores.measure: scores.values, **scores.others, **counts, **scores.measured_costs}
    numbers = {name: each[there] for name, each in arrays.items()}
    if scores.failures:
        cells = map(scores.cell_at, np.argwhere(there))
        keys["failure"] = _reasons(scores.failures.get(cell, "") for cell in cells)
    if scores.fingerprints is not None:
        keys["fingerprint"] = np.broadcast_to(scores.fingerprints, there.shape)[there]
    return keys, numbers | _costs(scores, learner, numbers)


def _of_battles(battles: Battles) -> tuple[dict[str, _Cells], dict[str, _Cells]]:
    """One row per vote; prompts by name or else by number, and costs of the model on either side."""
    learners, sides = _words(battles.models), {"a": battles.first, "b": battles.second}
    keys = {f"model_{side}": learners[places] for side, places in sides.items()}
    keys["winner"] = _words(("model_b", "tie", "model_a"))[(2 * battles.score).astype(np.intp)]
    if battles.prompts is not None:
        named = battles.prompt_names
        places = np.minimum(battles.prompts, len(named))  # one without a name has one battle
        keys["prompt_id"] = _words((*named, ""))[places] if named else battles.prompts
    found = {side: _costs(battles, places, {}) for side, places in sides.items()}
    return keys, {f"{name}_{side}": each for side, costs in found.items() for name, each in costs.items()}


def _of_items(items: Items) -> tuple[dict[str, _Cells], dict[str, _Cells]]:
    if items.units is not None and "" in items.units:
        raise InputError(
            "nothing names the items, which may be the same in all replications.",
            items.origin.source,
            "add a column item to the source.",
        )
    number, size = len(items.learners), len(items.items)
    keys = {
        "learner": np.repeat(np.array(items.learners, dtype=object), size),
        "item": _tiled(items.units or items.items, number),
    }
    beside = {items.group_name: items.groups, "truth": items.truth}
    beside |= {"replication": items.replications, "fold": items.folds}
    keys |= {name: _tiled(each, number) for name, each in beside.items() if each is not None}
    numbers: dict[str, _Cells] = {}
    if items.predictions is not None:
        keys["prediction"] = np.concatenate([_words(items.predictions[name]) for name in items.learners])
    if items.predictions is None or not _is_made_of_predictions(items):
        numbers[items.measure] = items.values.ravel()
    if items.weights is not None:
        numbers["weight"] = np.tile(items.weights, number)
    if items.probabilities is not None:
        chances = np.concatenate([items.probabilities[name] for name in items.learners])
        numbers |= dict(zip(items.classes, chances.T, strict=True))
    if items.decisions is not None:
        numbers["decision"] = np.concatenate([items.decisions[name] for name in items.learners])
    return keys, numbers | _costs(items, np.repeat(np.arange(number), size), numbers)


def _is_made_of_predictions(items: Items) -> bool:
    """Whether the outcome is the error of the predictions, which need not be written then."""
    if items.measure != "error" or items.predictions is None or items.truth is None:
        return False
    truth = _words(items.truth)
    said = np.stack([_words(items.predictions[name]) for name in items.learners])
    wrong = np.where(said == "", np.nan, (said != truth).astype(np.float64))
    return np.array_equal(wrong, items.values, equal_nan=True)


def _of_curves(curves: Curves) -> tuple[dict[str, _Cells], dict[str, _Cells]]:
    planned = curves.planned or tuple(np.ones(each.shape, dtype=bool) for each in curves.values)
    places = [np.nonzero(each) for each in planned]
    learner = np.repeat(np.arange(len(places)), [len(rows) for rows, _ in places])
    keys = {"learner": np.array(curves.learners, dtype=object)[learner]}
    if curves.datasets:
        told = zip(curves.datasets, places, strict=True)
        keys["dataset"] = np.concatenate([_words(names)[rows] for names, (rows, _) in told])
    own = np.concatenate([_words(each)[rows] for each, (rows, _) in zip(curves.runs, places, strict=True)])
    if curves.of_folds:
        keys |= _places_of_folds(curves, places)
    else:
        of = keys.get("dataset", np.full(len(own), ""))
        keys["run"] = _words(name.removeprefix(f"{dataset}/") for name, dataset in zip(own, of, strict=True))
    step = np.concatenate([np.array(curves.steps)[columns] for _, columns in places])
    numbers = {} if isinstance(curves, Runs) else {"step": step}
    numbers[curves.measure] = np.concatenate([v[p] for v, p in zip(curves.values, planned, strict=True)])
    if curves.failures and isinstance(curves, Runs):
        cells = zip(keys["learner"], own, step.tolist(), strict=True)
        keys["failure"] = _reasons(curves.failures.get(cell, "") for cell in cells)
    return keys, numbers | _costs(curves, learner, numbers)


def _places_of_folds(curves: Curves, places: Sequence[tuple[Any, ...]]) -> dict[str, _Cells]:
    """Replication and fold of every point, by number; a single replication is not written."""
    sets = [places_within(np.unique(names, return_inverse=True)[1]) for names in curves.names_of_sets]
    own = np.concatenate([each[rows] for each, (rows, _) in zip(sets, places, strict=True)])
    replication, fold = np.divmod(own, curves.folds)
    guessed = ONE_REPLICATION in curves.origin.assumed
    found: dict[str, _Cells] = {"split" if guessed else "fold": fold + 1}
    return {"replication": replication + 1, **found} if replication.any() else found


def _words(names: Iterable[object]) -> np.ndarray[Any, Any]:
    return np.array(list(names), dtype=object)


def _tiled(names: Iterable[object], number: int) -> np.ndarray[Any, Any]:
    return np.tile(_words(names), number)


def _reasons(found: Iterable[str]) -> np.ndarray[Any, Any]:
    return _words(" ".join(reason.split()) for reason in found)


def _costs(evidence: Evidence, learner: np.ndarray[Any, Any], written: Mapping[str, Any]) -> dict[str, _Cells]:
    """Costs that no column has yet: one number per learner, in all its rows."""
    found: dict[str, _Cells] = {}
    names = evidence.models if isinstance(evidence, Battles) else evidence.learners
    for name, by_learner in evidence.costs.items():
        each = np.array([by_learner.get(learner, np.nan) for learner in names])
        if name not in written and not np.isnan(each).all():
            found[name] = each[learner]
    return found


def _options(evidence: Evidence, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """What ``read`` must be told: the measure among several, a direction that no name tells, the share of splits."""
    if isinstance(evidence, Battles):  # whose measure is computed
        return {"learners": evidence.learners} if evidence.others else {}
    beside = {"step", "weight", "decision", *COUNTS, *(evidence.classes if isinstance(evidence, Items) else ())}
    others = [name for name in numbers if name != evidence.measure and name not in beside]
    found: dict[str, Any] = {}
    if others and (cost_of_name(evidence.measure) is not None or any(cost_of_name(name) is None for name in others)):
        found["measure"] = evidence.measure
    if isinstance(evidence, Items) and evidence.predictions is not None and evidence.measure in numbers:
        found["measure"] = evidence.measure
    if isinstance(evidence, Items) and evidence.groups is not None and roles_of_name(evidence.group_name) != ("group",):
        found["group"] = evidence.group_name
    if is_larger_better(evidence.measure) is None:
        found["larger_is_better"] = evidence.larger_is_better
    share = getattr(evidence, "test_fraction", None)
    return found if share is None else found | {"test_fraction": share}


def _left_out(evidence: Evidence) -> tuple[str, ...]:
    """What a table of this form has no place for."""
    lost = ["what the store kept of every test row"] if getattr(evidence, "outcomes", None) is not None else []
    lost += ["the preference of the plan"] if evidence.prior is not None else []
    if isinstance(evidence, Scores):
        known = {*evidence.measured_costs, *evidence.others, *COUNTS}
        lost += [f"that {name} is a mean over folds" for name in evidence.costs if name not in known]
    if isinstance(evidence, Items) and evidence.classes != class_order(evidence.classes):
        lost.append(f"that {evidence.classes[-1]} is the last class (positive={evidence.classes[-1]!r} of two)")
    if isinstance(evidence, Items) and evidence.fixed_groups:
        lost.append("that the claim is about these groups only (groups='fixed')")
    assumed = [code for code in evidence.origin.assumed if code != ONE_REPLICATION]
    return (*lost, *(f"the assumption that {ASSUMED.get(code, code)}" for code in assumed))
