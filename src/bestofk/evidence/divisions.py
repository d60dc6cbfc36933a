"""How the rows were divided into test sets: folds, repeated or not, or random splits; and results regrouped by it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.evidence import Battles, Curves, Items, Origin, Results, Scores
from bestofk.evidence.evidence import ONE_REPLICATION, Divided
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.scores import Cell, folds_in_words

Indices = Sequence[npt.NDArray[np.int64]]

NOTHING = Request()
SIZES = ("test_size", "train_size", "max_train_size", "gap")  # of splitters; whole numbers are numbers of rows
SAME_SHARE = 0.01  # shares of test data that differ by no more are one share


@frozen
class Division:
    """Replications of folds; ``test_fraction`` is the share of test rows where these are random splits.

    Where training sets grow from fold to fold (``divided``), it stands for the mean of test rows per training row.
    """

    replications: int
    folds: int
    test_fraction: float | None = None
    divided: Divided = ""

    def __str__(self) -> str:
        if self.divided:
            return folds_in_words(self.divided, self.replications, self.folds)
        if self.test_fraction is not None:
            return counted(self.replications, "random split")
        return f"{counted(self.replications, 'replication')} of {counted(self.folds, 'fold')}"


def indices_of(entries: Any) -> Indices | None:
    """Return lists of row numbers as arrays; None where they are something else."""
    try:
        found = [np.asarray(each, dtype=np.int64) for each in entries]
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found and all(each.ndim == 1 and each.size for each in found) else None


def division_of(test: Indices, train: Indices | None, where: str, asked: Request = NOTHING) -> Division:
    """Say how test sets divide the rows. Sets in a row that cover all rows without overlap are one replication.

    What is ``asked`` may give the share of test data where no training sets tell it, and nothing else than they say.

    Examples
    --------
    >>> halves = [np.array([0, 1]), np.array([2, 3]), np.array([0, 2]), np.array([1, 3])]
    >>> print(division_of(halves, None, "here"))
    2 replications of 2 folds
    """
    rounds, left = _rounds(_flags(test, train))
    if not left and len(set(rounds)) == 1:
        division = Division(len(rounds), rounds[0])
        _refuse_other_division(division, asked, where)
        return division
    if rounds:
        raise InputError(
            f"the test sets are a mixture: {', '.join(map(str, rounds))} folds that cover all rows, then "
            f"{counted(left, 'set')} that {'does' if left == 1 else 'do'} not.",
            where,
            "give whole replications of equally many folds, or random splits alone.",
        )
    share = asked.test_fraction if train is None else None
    if train is not None and len(train) == len(test) and are_rounds(test):  # no row is tested twice
        rows, tested = (np.array([len(each) for each in sets], dtype=float) for sets in (train, test))
        if asked.test_fraction is None and grow(rows, tested):
            return Division(1, len(test), mean_share(rows, tested), "growing")
    return Division(len(test), 1, _share(test, train, where) if share is None else share)


def division_of_splitter(cv: Any, number: int) -> Division | None:
    """Say how scikit-learn's ``cv`` divides any rows into so many splits; None where that depends on the rows.

    Examples
    --------
    >>> print(division_of_splitter(5, 5), division_of_splitter(iter(()), 3))
    1 replication of 5 folds None
    """
    if number < 1:
        return None
    if cv is None or isinstance(cv, Integral):
        return Division(1, number)
    for pairs in [cv] if isinstance(cv, list | tuple) else _stand_in_splits(cv, number):
        try:
            train, test = (indices_of(sets) for sets in zip(*pairs, strict=True))
            if test is not None and len(test) == number:
                return division_of(test, train, "cv")
        except (TypeError, ValueError):  # which InputError is one of
            continue
    return None


def _stand_in_splits(cv: Any, number: int) -> Iterator[list[Any]]:
    """Splits of a thousand rows, and of as many as there are splits: leave-one-out has one for each."""
    if any(isinstance(size, Integral) and size for size in (getattr(cv, name, None) for name in SIZES)):
        return
    for rows in (1000, number):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                yield list(deepcopy(cv).split(np.zeros((rows, 1)), np.zeros(rows, dtype=int), np.arange(rows)))
            except Exception:  # noqa: S112  a splitter of the user's own may raise anything
                continue


def are_rounds(test: Indices) -> bool:
    """Whether test sets in a row cover all rows in turn, in replications of equally many.

    Examples
    --------
    >>> are_rounds([np.array([0]), np.array([1]), np.array([1]), np.array([0])]), are_rounds([np.array([0, 1])] * 2)
    (True, True)
    """
    rounds, left = _rounds(_flags(test, None))
    return not left and len(set(rounds)) == 1


def grow(train: Array, test: Array) -> bool:
    """Whether training sets, by their sizes, become larger, and not because the test sets become smaller."""
    steps, rows = np.diff(train, axis=-1), np.diff(train + test, axis=-1)
    return bool((steps >= 0).all() and (rows > 0).any(axis=-1).all())


def mean_share(train: Array, test: Array) -> float:
    """The share f of test rows that stands for the mean of n_test/n_train, which is f/(1 − f)."""
    ratio = float(np.mean(test / train))
    return ratio / (1.0 + ratio)


def _flags(test: Indices, train: Indices | None) -> list[Flags]:
    """Which rows every test set has, of all the rows that occur."""
    rows = np.unique(np.concatenate([*test, *(train or ())]))
    flags = []
    for each in test:
        flag = np.zeros(len(rows), dtype=bool)
        flag[np.searchsorted(rows, each)] = True
        flags.append(flag)
    return flags


def _rounds(flags: list[Flags]) -> tuple[list[int], int]:
    """Numbers of test sets in a row that cover all rows once, and how many sets are left after the last such round."""
    rounds: list[int] = []
    start, covered = 0, np.zeros_like(flags[0])
    for place, flag in enumerate(flags):
        if (covered & flag).any():
            break
        covered = covered | flag
        if covered.all():
            rounds.append(place + 1 - start)
            start, covered = place + 1, np.zeros_like(flag)
    return rounds, len(flags) - start


def _share(test: Indices, train: Indices | None, where: str) -> float:
    if train is None or len(train) != len(test):
        raise InputError(
            "the test sets do not cover the rows in turn: they are random splits, and no training indices tell "
            "the share of test data.",
            where,
            "say the share: test_fraction=0.3 (--test-fraction 0.3) for 30 % test data; of folds give every row once "
            "in each replication.",
        )
    shares = [len(t) / (len(t) + len(r)) for t, r in zip(test, train, strict=True)]
    if max(shares) - min(shares) > SAME_SHARE:
        raise InputError(
            f"the splits have between {100 * min(shares):.3g} % and {100 * max(shares):.3g} % test data.",
            where,
            "give splits of one size, or folds that cover all rows.",
        )
    return sum(shares) / len(shares)


def refuse_tested_training(scores: Scores | Curves) -> None:
    """Refuse to test folds that were tested on rows they were trained on; what they do tell, the means, is said."""
    if scores.divided != "trained-on":
        return
    means = ", ".join(f"{name} {mean:.4g}" for name, mean in scores.means().items())
    raise InputError(
        f"every bootstrap sample was tested on the full set, and no test is valid there; only means: {means} "
        f"({scores.measure}, {scores.direction}).",
        scores.origin.source,
        f"collect with folds = {scores.spec_for_a_test} for a verdict.",
    )


def as_asked(evidence: Results, replications: int | None, test_fraction: float | None) -> Results:
    """Return the evidence with its folds as ``replications`` or ``test_fraction`` say they are."""
    if (replications is None and test_fraction is None) or isinstance(evidence, Battles):
        return evidence
    if isinstance(evidence, Curves):
        return _curves_as_asked(evidence, replications, test_fraction)
    if isinstance(evidence, Items):
        return _items_as_asked(evidence, replications, test_fraction)
    return _replicated(evidence, replications or 1) if test_fraction is None else as_split(evidence, test_fraction)


def _contradicts(
    where: str, known: str, replications: int | None = None, test_fraction: float | None = None
) -> InputError:
    """The error for an argument that says something else than the source."""
    name, value = ("test_fraction", test_fraction) if replications is None else ("replications", replications)
    return InputError(
        f"{name} is {value}, but {known}.", where, f"leave {name} out, or number the splits in one column."
    )


def _indivisible(folds: str, number: int, where: str) -> InputError:
    wrong = f"{folds} cannot be {counted(number, 'replication')} of equally many."
    return InputError(wrong, f"{where}, argument replications", "give a number that divides the number of folds.")


def _items_as_asked(items: Items, replications: int | None, share: float | None) -> Items:
    """Items whose folds or replications are random splits; what the items themselves say may be said again."""
    where = items.origin.source
    named = [tuple(dict.fromkeys(each or ())) for each in (items.replications, items.folds)]
    if replications is not None and replications == len(named[0]):
        return items
    if replications is not None and len(named[0]) > 1:
        raise _contradicts(where, f"by the items there are {len(named[0])}", replications)
    if share is None or max(map(len, named)) < 2:
        raise _contradicts(where, "these are items", replications, share)
    if min(map(len, named)) > 1:
        known = f"there are {Division(len(named[0]), len(named[1]))}, no random splits"
        raise _contradicts(where, known, test_fraction=share)
    splits = items.replications if len(named[0]) > 1 else items.folds
    return replace(items, replications=splits, folds=None, test_fraction=share)


def _curves_as_asked(curves: Curves, replications: int | None, share: float | None) -> Curves:
    """Curves of folds as so many replications, or as random splits; what the source says itself stays."""
    repeated = any(curves.folds < number for names in curves.names_of_sets for number in Counter(names).values())
    if repeated or curves.test_fraction is not None:
        raise _contradicts(curves.origin.source, "the source itself says how folds are repeated", replications, share)
    folds = curves.folds // (replications or curves.folds)
    if replications is not None and folds * replications != curves.folds:
        raise _indivisible(counted(curves.folds, "fold"), replications, curves.origin.source)
    return replace(curves, folds=folds, test_fraction=share, origin=settled_origin(curves.origin))


def regrouped(scores: Scores, division: Division, note: str = "") -> Scores:
    """Return the same results, in the same order, in another number of replications and folds."""
    shape = (division.replications, division.folds)
    replications, folds = _names(scores, division)
    return scores.with_arrays(
        lambda array: array.reshape((*array.shape[:2], *shape, *array.shape[4:])),
        lambda array: array.reshape((*array.shape[:1], *shape)),
        replications=replications,
        folds=folds,
        failures=_moved(scores, replications, folds),
        test_fraction=division.test_fraction,
        divided=division.divided or scores.divided,
        origin=settled_origin(scores.origin, note),
    )


def settled_origin(origin: Origin, note: str = "") -> Origin:
    """Return the origin of results whose division is known, so that nothing about it is assumed."""
    assumed = tuple(each for each in origin.assumed if each != ONE_REPLICATION)
    return replace(origin, notes=(*origin.notes, *([note] if note else [])), assumed=assumed)


def assuming_one_replication(scores: Scores) -> Scores:
    """Return the scores with the assumption that their folds are one replication, where there is anything to assume."""
    origin = scores.origin
    if len(scores.folds) == 1 or len(scores.replications) > 1 or ONE_REPLICATION in origin.assumed:
        return scores
    return replace(scores, origin=replace(origin, assumed=(*origin.assumed, ONE_REPLICATION)))


def _refuse_other_division(found: Division, asked: Request, where: str) -> None:
    """Refuse an argument that says something else than the test indices."""
    known = f"the test indices are those of {found}"
    if asked.test_fraction is not None:
        raise _contradicts(where, f"{known}, no random splits", test_fraction=asked.test_fraction)
    if found.replications == 1 and asked.replications not in (None, 1):
        raise _contradicts(where, known, asked.replications)


def _replicated(scores: Scores, number: int) -> Scores:
    where = scores.origin.source
    if scores.test_fraction is not None or len(scores.replications) > 1:
        random = scores.test_fraction is not None
        named = f"{counted(len(scores.replications), 'random split' if random else 'replication')}"
        raise _contradicts(where, f"the source itself says that there are {named}", number)
    folds = len(scores.folds)
    if folds % number or not scores.planned_everywhere:
        known = counted(folds, "fold") if scores.planned_everywhere else "different numbers of folds per data set"
        raise _indivisible(known, number, where)
    division = Division(number, folds // number)
    note = f"{counted(folds, 'fold')} in a row were read as {division}" if number > 1 else ""
    return regrouped(scores, division, note)


def as_split(scores: Scores, share: float) -> Scores:
    """Return the scores as those of random splits with this share of test data."""
    where = scores.origin.source
    known = scores.test_fraction
    if known is not None and abs(known - share) > SAME_SHARE:
        raise _contradicts(where, f"the source itself says {known:.3g}", test_fraction=share)
    if len(scores.replications) > 1 and len(scores.folds) > 1:
        there = f"there are {Division(len(scores.replications), len(scores.folds))}, no random splits"
        raise _contradicts(where, there, test_fraction=share)
    number = max(len(scores.replications), len(scores.folds))
    return regrouped(scores, Division(number, 1, share if known is None else known))


def _names(scores: Scores, division: Division) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Random splits keep their names; repeated folds are numbered."""
    if division.test_fraction is not None and not division.divided:
        return (scores.folds if len(scores.replications) == 1 else scores.replications), ("1",)
    if division.replications == len(scores.replications):
        return scores.replications, scores.folds
    return (), tuple(str(i + 1) for i in range(division.folds))


def _moved(scores: Scores, replications: tuple[str, ...], folds: tuple[str, ...]) -> Mapping[Cell, str]:
    """Reasons of failures under the new names of their folds."""
    if not scores.failures:
        return {}
    number = len(scores.replications) * len(scores.folds) // len(folds)
    names = replications or tuple(str(i + 1) for i in range(number))
    places = [(r, f) for r in scores.replications for f in scores.folds]
    new = dict(zip(places, ((r, f) for r in names for f in folds), strict=True))
    return {(k, d, *new[r, f]): reason for (k, d, r, f), reason in scores.failures.items()}
