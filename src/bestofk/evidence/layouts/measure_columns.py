"""Which column is the measure, which way it points, and which columns are costs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, Unsaid
from bestofk.core.names import plain, unknown
from bestofk.evidence.checks import is_binary
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.grid import Key, stretches
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.measure_vectors.wanted import RECALLS, WHERE, known_direction
from bestofk.evidence.measure_vectors.wanted import direction_of as direction_of_wanted
from bestofk.evidence.scores import COUNTS
from bestofk.measures.catalogue import (
    COUNTED,
    cost_of_name,
    is_larger_better,
    is_of_training,
    is_spread,
    without_mean,
)
from bestofk.measures.checks import UNTOLD, refuse_impossible, settled_direction
from bestofk.measures.count_columns import GIVEN, OF_COUNTS
from bestofk.tables.amounts import first_odd
from bestofk.tables.cells import is_absent, is_mean_with_spread
from bestofk.tables.table import Table, Text

INDICES = frozenset({"test_indices", "train_indices", "indices"})  # of folds, as scikit-learn names them

TURNED = "; or, if these are runs, folds or data sets, what is in them: --measure accuracy --rows runs|folds|datasets"


@dataclass
class NumberColumns:
    """Columns of numbers by what they hold: measures by name, costs by name, confusion counts."""

    measures: dict[str, str] = field(default_factory=dict)
    costs: dict[str, str] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    scorer: bool = False  # scikit-learn's scorers: larger is better by convention


def number_columns(table: Table, roles: Roles, request: Request) -> NumberColumns:
    """Sort the columns without a role, unless it is known which are measures; words are left out and said back."""
    said = {plain(name) for name in request.costs or ()} - {plain(request.measure or "")}
    if roles.measures:
        return NumberColumns(dict(roles.measures), {name: name for name in roles.rest if plain(name) in said})
    numeric, empty, words = split_columns(table, roles.rest)
    refuse_means_with_spread(table, words, request)
    costs = [name for name in words if plain(name) in said or cost_of_name(name) is not None]
    roles.no_amounts |= {name: _odd_amount(table, name) for name in costs}
    roles.leave_out("words", words)
    roles.leave_out("empty", empty)
    spreads = [name for name in numeric if is_spread(name)]
    if len(spreads) < len(numeric):
        roles.leave_out("spreads", spreads)
        numeric = [name for name in numeric if name not in spreads]
    names = {plain(name): name for name in numeric}
    found = NumberColumns(scorer=is_scorer_output(table))
    if set(COUNTS) <= set(names):
        found.counts = {count: names[count] for count in COUNTS}
    for name in numeric:
        cost = cost_of_name(name) or (name if plain(name) in said else None)
        if name in found.counts.values():
            continue
        if cost is not None:
            found.costs[name if cost in found.costs else cost] = name
        elif "step" in roles_of_name(name):  # one single step, which is none
            found.costs[name] = name
        elif plain(name).startswith("train_") and "test_" + plain(name).removeprefix("train_") in names:
            roles.leave_out("scores on training data", [name])
        else:
            found.measures[_measure_name(name, names)] = name
    if not found.measures and not found.counts and len(found.costs) == 1:  # what is paid is all that there is
        found.measures, found.costs = found.costs, {}
    return found


def pass_over_faults(table: Table, roles: Roles, request: Request) -> None:
    """Leave out columns in which a cell is no finite number and that nobody asks for, where another is the measure.

    Where none is said to be, these are costs by their names beside other columns of numbers.
    """
    asked = plain(request.measure or "")
    said = asked in {each for name in roles.rest for each in (plain(name), _short(name))}
    needed = {asked, *COUNTS, *map(plain, request.costs or ()), *(plain(each.name) for each in request.on)}
    free = [n for n in roles.rest if not needed & {plain(n), _short(n)} and (said or cost_of_name(n) is not None)]
    faulty = [name for name in free if _has_fault(table, name)]
    if not said and not any(table.is_numeric(name) for name in roles.rest if name not in faulty):
        return
    roles.no_amounts |= {n: _odd_amount(table, n) for n in faulty if cost_of_name(n) and not table.is_numeric(n)}
    roles.leave_out("cells that are no finite numbers", faulty)
    roles.rest = [name for name in roles.rest if name not in faulty]


def _has_fault(table: Table, name: str) -> bool:
    if not table.is_numeric(name):
        return _is_meant_as_numbers(table, name)
    return bool(np.isinf(table.numbers(name)).any())


def cost_columns(table: Table, request: Request) -> dict[str, str]:
    """Columns of a program's table with costs in them, by their names or as somebody says, and what they are called."""
    said = {plain(name) for name in request.costs or ()}
    found: dict[str, str] = {}
    for name in table.names:
        cost = cost_of_name(name) or (name if plain(name) in said else None)
        if cost is not None and cost not in found.values() and not table.column(name).empty.all():
            found[name] = cost
    return found


def split_columns(table: Table, names: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Split columns into those of numbers, the empty ones, and those of words."""
    numeric = [name for name in names if _is_meant_as_numbers(table, name)]
    empty = [name for name in numeric if np.isnan(table.numbers(name)).all()]
    return (
        [name for name in numeric if name not in empty],
        empty,
        [name for name in names if name not in numeric],
    )


def is_scorer_output(table: Table) -> bool:
    """Whether the columns are those of scikit-learn's ``cross_validate``: its times, or its fold indices."""
    names = {plain(name) for name in (*table.names, *table.left_out)}
    scores = {name for name in names if name.startswith("test_")} - INDICES
    if names & INDICES or {"fit_time", "score_time"} <= names:
        return bool(scores)
    return "test_score" in scores and bool(names & {"fit_time", "score_time"})


def chosen_measure(table: Table, found: NumberColumns, roles: Roles, request: Request) -> str:
    """Return the name of the measure: the one asked for, or the only one there is."""
    if request.measure is not None:
        return _asked_measure(table, found, request.measure)
    if request.on:
        return _measure_in_front(table, found, request)
    if len(found.measures) == 1:
        return next(iter(found.measures))
    if not found.measures and found.counts:
        roles.notes.append("the measure is the error, from the counts tp, fn, fp, tn")
        return "error"
    known = [name for name in found.measures if _is_known(name) and not is_of_training(name)]
    if request.one_file_each and len(known) == 1:
        roles.notes.append(f"column {found.measures[known[0]]!r} was read as the measure")
        return known[0]
    raise _no_one_measure(table, found)


def chosen_metric(metrics: Sequence[str], request: Request, where: str) -> str:
    """Return the metric asked for, by its name (``val/acc``, ``val_acc``) or its end (``acc``), or the only one."""
    if request.measure is not None:
        asked = plain(request.measure.replace("/", "_"))
        whole = [name for name in metrics if plain(name.replace("/", "_")) == asked]
        ends = [name for name in metrics if plain(name.rsplit("/", 1)[-1]) == asked]
        if whole or len(ends) == 1:
            return (whole or ends)[0]
        if not ends:
            raise unknown(request.measure, list(metrics), what="measure", where=where)
        metrics = ends
    if len(metrics) == 1 or (metrics and request.on):
        return metrics[0]
    if not metrics:
        raise InputError("no column holds a metric.", where, "log a number for every run, or for every step.")
    raise _several_measures(metrics, where)


def nameless_measure(values: Sequence[Array], roles: Roles, request: Request) -> str:
    """Return what numbers of learners are that no column names: of items, where all are 0 or 1, right and wrong."""
    if request.measure is not None:
        return request.measure
    if "item" in roles and not request.on and request.larger_is_better is None and all(map(is_binary, values)):
        roles.notes.append("outcomes of 0 and 1 were read as correct")
        return "correct"
    return "score"


def direction_of(measure: str, found: NumberColumns, roles: Roles, request: Request, where: str) -> bool:
    """Return whether larger is better; scikit-learn's scorers always point up, so a loss among them is asked about."""
    scored = (found.scorer or request.scorer) and measure in found.measures and cost_of_name(measure) is None
    if request.on and not (scored and _is_turned(measure, request)):
        return _direction_in_front(measure, request)
    if not scored or plain(measure).startswith("neg_"):
        return settled_direction(measure, request.larger_is_better, where=where)
    if request.larger_is_better is not None:
        return request.larger_is_better
    if is_larger_better(measure) is False:
        raise Unsaid(
            f"{measure!r} may be read two ways: smaller is better by its name, larger is better as a scorer's value.",
            where,
            f"say {measure}:smaller, or call it neg_{measure} if larger is better."
            if request.on
            else "say --larger-is-better or --smaller-is-better (larger_is_better=True or False).",
            option="larger_is_better",
            choices=(False, True),
        )
    if is_larger_better(measure) is None:
        roles.notes.append(f"{measure} is a scorer's value: larger is better by scikit-learn's convention")
    return True


def measured_column(
    table: Table, roles: Roles, found: NumberColumns, request: Request, what: str
) -> tuple[str, bool, Array]:
    """The measure, whether larger is better, and its values, where only a column of them will do."""
    measure = chosen_measure(table, found, roles, request)
    if measure not in found.measures:
        raise InputError(
            f"{what} have confusion counts.", table.source, "give one column with the measure; counts are for folds."
        )
    larger = direction_of(measure, found, roles, request, table.source)
    refuse_impossible_columns(table, [found.measures[measure]], measure, scorer=found.scorer)
    return measure, larger, finite_numbers(table, found.measures[measure])


def _measure_in_front(table: Table, found: NumberColumns, request: Request) -> str:
    """Of several measures the error, where rates of counts are asked for; else one whose direction is known.

    A column that is asked for by its own name is kept under it. What is not there is told later, with all that is.
    """
    for each in request.on:
        for name, column in (found.measures | found.costs).items():
            if plain(each.name) == plain(column) != plain(name):
                found.measures[each.name] = column
    names = {plain(name): name for name in (*found.costs, *found.measures)}
    there = [each for each in request.on if plain(each.name) in names]
    turned = [each for each in there if (found.scorer or request.scorer) and _is_turned(each.name, request)]
    of_counts = any(plain(each.name) in (*OF_COUNTS, RECALLS) for each in request.on)
    if of_counts and not turned and (found.counts or "error" in names):
        return names.get("error", "error")
    there.sort(key=lambda each: (each.larger_is_better is None and known_direction(each.name) is None, each.said != ""))
    asked = [names[plain(each.name)] for each in (*turned, *there)]  # the first of which is refused
    front = next(iter([*asked, *found.measures, *(["error"] if found.counts else []), *found.costs]), None)
    if front is None:
        raise _no_one_measure(table, found)
    if front in found.costs:
        found.measures.setdefault(front, found.costs[front])
    return front


def _is_turned(measure: str, request: Request) -> bool:
    """Whether a scorer's value is named after a loss, and nobody says which way it points."""
    said = next((each.larger_is_better for each in request.on if plain(each.name) == plain(measure)), True)
    is_loss = is_larger_better(measure) is False and cost_of_name(measure) is None
    return said is None and is_loss and not plain(measure).startswith("neg_")


def _direction_in_front(measure: str, request: Request) -> bool:
    """The direction of a measure that is asked for; any other is there to be passed over."""
    asked = next((each for each in request.on if plain(each.name) == plain(measure)), None)
    return known_direction(measure) is not False if asked is None else direction_of_wanted(asked, None, where=WHERE)


def refuse_impossible_columns(table: Table, columns: Sequence[str], measure: str, *, scorer: bool = False) -> None:
    """Refuse values that the measure of these columns cannot have; a scorer may have turned a loss round."""
    if scorer and is_larger_better(measure) is False:
        return
    values = [finite_numbers(table, name) for name in columns]
    refuse_impossible(
        values[0][:, None] if len(values) == 1 else np.stack(values, axis=1),
        measure,
        lambda place: table.where(row=place[0], column=columns[place[1]]),
    )


def finite_numbers(table: Table, column: str) -> Array:
    """Return a column of numbers, NaN where empty; infinity is refused with its row."""
    values = table.numbers(column)
    fix = "give a finite number, or none."
    table.refuse(np.isinf(values), lambda row: f"{column} is {values[row]}.", fix, column=column)
    return values


def _odd_amount(table: Table, name: str) -> tuple[str, str]:
    """The first cell of a cost that is no amount of one kind with those before it, and where it is."""
    column, odd = table.text(name), first_odd(table, name) or ""
    places = np.flatnonzero(column.codes == column.categories.index(odd)) if odd else [0]
    return odd, table.where(row=int(places[0]), column=name)


def mean_costs(table: Table, found: NumberColumns, learner: Key, measure: str) -> dict[str, dict[str, float]]:
    """Return the mean of every column of numbers but the measure per learner; NaN for a learner that has none."""
    costs = {}
    for name, column in (found.costs | found.measures | found.counts).items():
        if name != measure:
            costs[name] = means_by(finite_numbers(table, column), learner)
    return costs


def means_by(values: Array, key: Key) -> dict[str, float]:
    """The mean of the values that are there, by name; NaN where there is none."""
    total, number = np.zeros((2, len(key.names)))
    for part in stretches(len(values)):
        there = ~np.isnan(values[part])
        codes = key.codes[part][there]
        total += np.bincount(codes, weights=values[part][there], minlength=len(total))
        number += np.bincount(codes, minlength=len(total))
    means = np.divide(total, number, out=np.full_like(total, np.nan), where=number > 0)
    settled = (float(f"{mean:.12g}") for mean in means.tolist())  # the mean of equal prices is that price
    return dict(zip(key.names, settled, strict=True))


def _is_meant_as_numbers(table: Table, name: str) -> bool:
    """Whether a column is to be read as numbers; a stray word in it is then an error and not a column of words."""
    column = table.column(name)
    if not isinstance(column, Text) or table.is_numeric(name):
        return True
    if is_larger_better(name) is not None and cost_of_name(name) is None and not _has_spreads(column):
        return True
    return table.is_mostly_numeric(name)


def refuse_means_with_spread(table: Table, columns: Sequence[str], request: Request) -> None:
    """Refuse a column of means with their spreads, unless another is asked for."""
    asked = {plain(request.measure or ""), *(plain(each.name) for each in request.on)} - {""}
    for name in columns:
        column = table.text(name)
        if _has_spreads(column) and (not asked or plain(name) in asked):
            row = int(np.argmax(column.codes >= 0))
            raise InputError(
                f"{name} is {column.categories[column.codes[row]]!r}: a mean and its spread are no results.",
                table.where(row=row, column=name),
                "give the value of every run or fold, one row each; or the mean alone, where there are many data sets.",
            )


def _has_spreads(column: Text) -> bool:
    """Whether most words of a column are means with their spreads; the first thousand tell."""
    words = [word for word in column.categories[:1000] if not is_absent(word)]
    return bool(words) and 2 * sum(map(is_mean_with_spread, words)) > len(words)


def _short(column: str) -> str:
    return without_mean(column).removeprefix("test_")


def _measure_name(column: str, names: dict[str, str]) -> str:
    short = _short(column)
    return short if short not in (plain(column), "") and short not in names else column


def _asked_measure(table: Table, found: NumberColumns, asked: str) -> str:
    everything = found.measures | found.counts | found.costs
    for name, column in everything.items():
        if asked in (name, column) or plain(asked) in (plain(name), plain(column)):
            found.measures.setdefault(name, column)
            return name
    if found.counts and plain(asked) in COUNTED:
        return plain(asked)
    if len(found.measures) == 1 and plain(next(iter(found.measures))) in UNTOLD and is_larger_better(asked) is not None:
        found.measures = {asked: found.measures.popitem()[1]}
        return asked
    empty = next((name for name in table.names if plain(name) == plain(asked) and table.is_blank(name)), None)
    if empty is not None:
        raise InputError(f"column {empty!r} is empty.", table.where(column=empty), "fill it, or name another measure.")
    known = [*everything, *(GIVEN if found.counts else ())]
    if not known:
        raise _no_one_measure(table, found)
    raise unknown(asked, known, what="measure", where=table.source)


def _no_one_measure(table: Table, found: NumberColumns) -> InputError:
    if found.measures:
        known = any(map(_is_known, found.measures))
        return _several_measures(list(found.measures), table.source, "" if known else TURNED)
    fix = "add a column of numbers named after the measure, such as error or accuracy."
    return table.lacks("no column holds scores", fix)


def _several_measures(names: Sequence[str], where: str, more: str = "") -> InputError:
    flat = {name: plain(name.replace("/", "_")) for name in names}  # as loggers group them: val/loss
    first, *_ = names = sorted(
        names, key=lambda name: (not _is_known(flat[name]), _is_of_training(flat[name], flat.values()))
    )
    return Unsaid(
        f"there are {len(names)} measures: {', '.join(names)}.",
        where,
        f"say which: --measure {first} (measure={first!r}){more}.",
        option="measure",
        choices=names,
    )


def _is_of_training(name: str, names: Collection[str]) -> bool:
    """Whether a metric is of the data that were trained on: by its name, or beside its twin, loss beside val_loss."""
    return is_of_training(name) or any(f"{start}_{name}" in names for start in ("val", "valid", "validation", "eval"))


def _is_known(name: str) -> bool:
    return is_larger_better(name) is not None
