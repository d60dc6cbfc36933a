"""Why a measure of a vector cannot be had, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from bestofk.core.arrays import Array, Flags, glimpse
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted, listed
from bestofk.evidence.evidence import Evidence
from bestofk.evidence.outcomes.wanted import AREAS, WHERE, Wanted, threshold_in
from bestofk.evidence.scores import COUNTS, Scores
from bestofk.measures.catalogue import ENTRIES, Measure, same_values
from bestofk.measures.count_columns import OF_COUNTS, contradicting, contradiction

#: Two columns of one measure may differ by so much: they are often rounded to two digits.
_ROUNDED_SHARE = 0.0051


class NoPositive(InputError):
    """Several classes could be the positive one, and none is said to be."""


def settled_undefined(undefined: object, names: Iterable[str]) -> float | None:
    """What 0/0 counts as, or None: a number from 0 to 1, or from −1 where mcc or kappa is among the names."""
    if undefined is None:
        return None
    lowest = -1.0 if any(map(_is_signed, names)) else 0.0
    is_number = isinstance(undefined, int | float | np.number) and not isinstance(undefined, bool)
    if not is_number or not lowest <= float(undefined) <= 1.0:  # type: ignore[arg-type]
        raise InputError(
            f"undefined is {glimpse(undefined)}.",
            "judge, argument undefined",
            f"give what a measure 0/0 counts as, a number from {lowest:g} to 1: --undefined 0 (undefined=0).",
        )
    return float(undefined)  # type: ignore[arg-type]


def undefined_part(name: str) -> str:
    """What is 0/0 of a measure, in words: itself, or the ratio of a class."""
    known = ENTRIES.get(plain(name))
    return f"the {known.averages} of a class in {name}" if known is not None and known.averages else name


def refuse_below_zero(name: str, undefined: float) -> None:
    """Refuse a negative number for 0/0 of a ratio that has none."""
    if undefined < 0.0 and not _is_signed(name):
        raise InputError(
            f"undefined is {undefined:g}, and {undefined_part(name)} is 0/0, which lies between 0 and 1.",
            "judge, argument undefined",
            "give a number from 0 to 1: --undefined 0 (undefined=0).",
        )


def _is_signed(name: str) -> bool:
    """Whether a measure goes down to −1; other ratios of counts lie between 0 and 1."""
    known = _entry(name)
    return known is not None and known.scale == "correlation"


def _entry(name: str) -> Measure | None:
    return ENTRIES.get(plain(name.partition("@")[0]))


def shared_without(name: str, folds: int, scores: Scores) -> InputError:
    """The error of a cost that folds which shared their work do not have."""
    return InputError(
        f"{name} is not known of {counted(folds, 'fold')}: they shared their work, so that none has a time or a size "
        "of its own.",
        f"{WHERE}, {scores.origin.source}",
        "collect once more with --no-sharing (sharing=False), into another store, and judge that one.",
    )


def no_times(typed: str, column: str, scores: Scores) -> InputError:
    """The error of seconds beside counts, which hold none."""
    return InputError(
        f"{typed} is not known: there are counts, which hold no times, and no column {column}.",
        f"{WHERE}, {scores.origin.source}",
        f"add a column {column} with the seconds of every fold; or judge a store, which keeps times.",
    )


def one_mean_per_learner(name: str, scores: Scores) -> InputError:
    """The error of a cost that was read as a mean."""
    return InputError(
        f"{name} is known here as one mean per learner, not per fold.",
        f"{WHERE}, {scores.origin.source}",
        "give judge the file or the frame itself, or bk.read(source, on=…): it is read with every measure.",
    )


def nothing_below(name: str, empty: Flags, scores: Scores) -> InputError:
    """The error of a ratio 0/0, with the first fold where it is."""
    why = f"there is no row of class {name.removeprefix('recall of ')}" if name.startswith("recall of ") else None
    measure, _, threshold = name.partition("@")
    known = _entry(name)
    why = why or (known.empty if known is not None else "")
    instead = "or judge on tpr,fpr; " if measure in ("precision", "f1") and not threshold else ""
    instead = "or take another threshold; " if threshold else instead
    return InputError(
        f"{undefined_part(name)} is 0/0 in {counted(int(empty.sum()), 'fold')}: {why}.",
        f"{scores.origin.source}, {'first ' if empty.sum() > 1 else ''}{place_of(empty, scores)}",
        f"say what it should count as there: --undefined 0 (undefined=0); {instead}or use larger folds.",
    )


def refuse_some_counts(name: str, known: Iterable[str], scores: Scores) -> None:
    """Refuse a measure of counts of which some are there and others are not."""
    there = {plain(each) for each in known} & set(COUNTS)
    lacking = [each for each in COUNTS if each not in there]
    if there and lacking and plain(name) in OF_COUNTS:
        raise InputError(
            f"{name} needs the counts tp, fn, fp and tn, and {listed(lacking)} {'is' if len(lacking) == 1 else 'are'} "
            "missing.",
            f"{WHERE}, {scores.origin.source}",
            f"add {'a column' if len(lacking) == 1 else 'columns'} {', '.join(lacking)}, or a column {name}.",
        )


def refuse_contradiction(name: str, column: Array, counted_values: Array, scores: Scores) -> None:
    """Refuse a column that says something else than the counts beside it; it may be in per cent."""
    apart, scale = contradicting(column, counted_values)
    if apart.any():
        first = tuple(np.argwhere(apart)[0])
        wrong, fix = contradiction(name, float(column[first]), scale * float(counted_values[first]))
        raise InputError(wrong, f"{scores.origin.source}, {place_of(apart, scores)}", fix)


def place_of(found: Flags, scores: Scores) -> str:
    """The first fold that is marked, in words."""
    k, d, r, f = (int(i) for i in np.argwhere(found)[0])
    place = f"learner {scores.learners[k]}, "
    place += f"data set {scores.datasets[d]}, " if len(scores.datasets) > 1 else ""
    place += f"replication {scores.replications[r]}, " if len(scores.replications) > 1 else ""
    return f"{place}fold {scores.folds[f]}"


def different_classes(datasets: Sequence[str], where: str) -> InputError:
    """The error of recalls of data sets whose classes are not the same."""
    return InputError(
        "the data sets have different classes, so their recalls cannot be put side by side.",
        where,
        f"judge one data set: --dataset {datasets[0]} (of {', '.join(datasets)}).",
    )


def no_recalls(scores: Scores, mixed: bool) -> InputError:
    """The error of ``recalls`` where classes have none, or not the same ones."""
    where = f"{WHERE}, {scores.origin.source}"
    if mixed:
        return different_classes(scores.datasets, where)
    return InputError(
        "there are no recalls of classes: neither counts, nor columns recall_CLASS.",
        where,
        "name the columns that hold them (--on recall_a,recall_b), or give a store or a table of tp, fn, fp, tn.",
    )


def needs_positive(name: str, classes: tuple[str, ...], mixed: bool, scores: Scores) -> InputError | None:
    """The error of a measure of one class where several could be meant; None where that is not the reason."""
    where = f"{WHERE}, {scores.origin.source}"
    if len(classes) > 2:
        return NoPositive(
            f"{name} is of one class against the rest, and there are {len(classes)} classes, and none is said to be "
            "positive.",
            where,
            f"say which: --positive {classes[0]} (of {', '.join(classes)}), or --positive each; or --on recalls.",
        )
    if mixed:
        return InputError(
            f"{name} is of one class of two, and the data sets have different classes, or more.",
            where,
            f"judge one data set: --dataset {scores.datasets[0]} (of {', '.join(scores.datasets)}).",
        )
    return None


def one_score(asked: Iterable[Wanted], key: str, where: str) -> InputError:
    """The error of a source with one score per cell, such as a column per learner: it goes by any name."""
    names = ", ".join(each.name for each in asked)
    if names in AREAS or "@" in names:
        return _no_probabilities(f"is one score per learner and {key.replace('data', 'data ')}", where, areas=True)
    return InputError(
        f"there is one score per learner and {key.replace('data', 'data ')}, which cannot be {names} at once.",
        f"{WHERE}, {where}",
        f"give a long table: columns learner, {key}, and one per measure, or tp, fn, fp, tn; or judge by the one "
        "score: --measure NAME without --on.",
    )


def no_counts(asked: Sequence[str], scores: Scores) -> InputError:
    """The error of counts as measures where there are none."""
    return InputError(
        f"{listed(asked)} {'is a count' if len(asked) == 1 else 'are counts'}, and there are none.",
        f"{WHERE}, {scores.origin.source}",
        "give columns tp, fn, fp, tn; or name measures that are there: --on tpr,fpr.",
    )


def no_classes(positive: str, scores: Scores) -> InputError:
    """The error of a class by name where nothing names classes."""
    return InputError(
        f"positive is {positive!r}, and the results have no classes by name.",
        f"judge, argument positive, {scores.origin.source}",
        "leave it out: the counts tp, fn, fp, tn say which class is positive; a store knows classes by name.",
    )


def no_probabilities(found: Evidence) -> InputError:
    """The error of ROC curves and thresholds of other results."""
    of_folds = isinstance(found, Scores)
    several = isinstance(found, Scores) and found.others
    there = f"the measures {listed([found.measure, *several])} of folds" if several else repr(found)
    return _no_probabilities(f"are {there}", found.origin.source, areas=of_folds)


def _no_probabilities(there: str, source: str, *, areas: bool) -> InputError:
    """``areas``: those of every fold are a measure like any other."""
    instead = "; for areas per fold say --measure auc and leave --on out" if areas else ""
    return InputError(
        f"ROC curves and thresholds need probabilities of every item, and there {there}.",
        f"{WHERE}, {source}",
        "give a table with a column truth and columns learner:class of probabilities (or learner:decision), or learner,"
        " item, truth and probability (or decision), a column fold names folds; or a store collected with "
        f"keep_predictions = true{instead}.",
    )


def refuse_copies(names: Sequence[str], *, where: str) -> None:
    """Refuse two names of one measure of counts, or of a measure and one minus it, at one threshold."""
    for first, second in _related(names):
        raise _copies(first, second, where)


def refuse_equal_columns(columns: Mapping[str, Array], *, where: str) -> None:
    """Refuse two columns of such names that say the same, or one minus it; a user's own may be about different things.

    Examples
    --------
    >>> refuse_equal_columns({"recall": np.array([0.2, 0.9]), "sensitivity": np.array([0.5, 0.4])}, where="here")
    """
    for first, second in _related(list(columns)):
        one, two = _shares(columns[first]), _shares(columns[second])
        both = ~(np.isnan(one) | np.isnan(two))
        apart = [np.abs(one - other)[both].max(initial=0.0) for other in (two, 1.0 - two)]
        if both.any() and min(apart) <= _ROUNDED_SHARE:
            raise _copies(first, second, where)


def _related(names: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of names that mean the same, at the same threshold: 0.30 and 0.3 are one."""
    said = {name: threshold_in(name) or (name, None) for name in names}
    meant = {name: (same_values(measure), threshold) for name, (measure, threshold) in said.items()}
    return [(one, two) for one, two in combinations(names, 2) if meant[one] == meant[two] and meant[one][0]]


def _shares(values: Array) -> Array:
    """Shares, also of what is in percent."""
    return values / 100.0 if np.nanmax(np.abs(values), initial=0.0) > 1.5 else values


def _copies(first: str, second: str, where: str) -> InputError:
    return InputError(
        f"{first} and {second} are one measure: the second is the first, or one minus it.",
        where,
        f"leave one of them out: {second} says nothing that the other does not.",
    )
