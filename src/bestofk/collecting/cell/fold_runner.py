"""One learner on folds of one data set: prepared together, trained and tested one by one, counted together."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from bestofk.collecting.cell.failures import Remarks, reason_of
from bestofk.collecting.cell.interrupts import let_through, stop_if_signalled
from bestofk.collecting.cell.scores import Scored, probability_scores, scores_of
from bestofk.collecting.cell.tally import FoldOutcome, Tally, confusions
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding import encoded, encoded_folds
from bestofk.design.folds.base import Fold
from bestofk.design.learners.learner import Learner
from bestofk.measures.catalogue import Measure
from bestofk.sharing.plain_fold import (
    Codes,
    Estimators,
    class_codes,
    finite_numbers,
    numeric_names,
    refuse_names_as_numbers,
)

#: Models of a small data set (numbers in its rows) that are held at a time.
SIDE_BY_SIDE, SMALL = 16, 2**14


class Place(NamedTuple):
    """A fold and where it stands in the cell: line and number."""

    at: tuple[int, int]
    fold: Fold


class _Begun(NamedTuple):
    """A fold that is ready to be trained and tested on."""

    place: Place
    estimator: Any
    train: Any
    y: Any
    test: Any


class _Trained(NamedTuple):
    """A fold with its answer and the seconds it took; its place comes first, as everywhere."""

    place: Place
    begun: _Begun
    answer: Any
    fit_seconds: float
    predict_seconds: float


class FoldRunner:
    """Runs one learner on folds of one data set; what does not change from fold to fold is found out once."""

    def __init__(self, dataset: Dataset, learner: Learner, tally: Tally, measures: Sequence[Measure]) -> None:
        self.dataset, self.learner, self.tally = dataset, learner, tally
        self.measures, self.keep = tuple(measures), tally.keep
        self.classification = dataset.task == "classification"
        self.y = dataset.y.astype(np.int64) if self.classification else dataset.y
        self._named_by_numbers = self.classification and numeric_names(dataset.classes) is not None
        self.remarks = Remarks()
        self._estimators: Estimators | None = None
        self._line = -1  # the replication for which the global generators were seeded

    def run(self, places: Sequence[Place]) -> None:
        """Train and test on every fold; whatever a learner raises is a failed fold, sys.exit() included."""
        prepared = list(zip(places, self._prepared(places), strict=True))
        done: list[tuple[tuple[int, int], FoldOutcome]] = []
        with self.remarks.listening():
            step = self._side_by_side()
            for first in range(0, len(prepared), step):
                trained = self._each(_trained, self._each(self._begun, prepared[first : first + step]))
                done += self._each(self._scored, trained)
        self.tally.add(self._counted(done) if self.classification else done)

    def _each(self, step: Callable[[Any], Any], folds: Sequence[Any]) -> list[Any]:
        """Do one step for every fold (its place comes first); one that raises is a failed fold and goes no further."""
        kept = []
        for fold in folds:
            try:
                kept.append(step(fold))
                stop_if_signalled()
            except BaseException as error:
                let_through(error)
                self.tally.fail(fold[0].at, reason_of(error))
        return kept

    def _side_by_side(self) -> int:
        """Models that are held at a time: what stands around their training runs faster in a row than in between."""
        if self.dataset.rows * len(self.dataset.features) > SMALL:
            return 1
        try:
            maker = self._maker()
            alone = maker.draws_globally or maker.make() is maker.make()  # one object for all folds holds one model
            return 1 if alone else SIDE_BY_SIDE
        except BaseException as error:  # every fold will meet the fault by itself, sys.exit() included
            let_through(error)
            return 1

    def _prepared(self, places: Sequence[Place]) -> Sequence[tuple[Any, Any] | None]:
        """Encoded rows of all folds; None where one of them cannot be encoded: each will then meet its own fault."""
        try:
            return encoded_folds(self.dataset, self.learner.encoding, [place.fold for place in places])
        except Exception:
            return [None] * len(places)

    def _begun(self, prepared: tuple[Place, tuple[Any, Any] | None]) -> _Begun:
        place, matrices = prepared
        fold = place.fold
        estimators = self._maker()
        self._seed_globally(place.at[0], estimators)
        estimator = estimators.fresh(self._fold_seed(*place.at) if estimators.seeded else 0)
        train, test = matrices or encoded(self.dataset, self.learner.encoding, fold.train, fold.test)
        return _Begun(place, estimator, train, self.y[fold.train], test)

    def _maker(self) -> Estimators:
        if self._estimators is None:
            self._estimators = Estimators(self.learner, self.dataset)
        return self._estimators

    def _seed_globally(self, line: int, estimators: Estimators) -> None:
        """What draws from the global generators finds the same ones in every replication."""
        if line != self._line and estimators.draws_globally:
            seed_global_random(self._fold_seed(line, -1))
        self._line = line

    def _fold_seed(self, line: int, number: int) -> int:
        key = self.tally.key
        return fold_seed(key.seed, key.dataset_fingerprint, key.learner_fingerprint, key.start + line, number)

    def _scored(self, trained: _Trained) -> tuple[tuple[int, int], FoldOutcome]:
        begun = trained.begun
        size = fitted_numbers(begun.estimator, self._maker().attributes)
        outcome = FoldOutcome(trained.fit_seconds, trained.predict_seconds, size)
        truth = self.y[begun.place.fold.test]
        if self._named_by_numbers:
            known = getattr(begun.estimator, "classes_", None)
            refuse_names_as_numbers(trained.answer, known, begun.y, self.dataset.classes)
        return begun.place.at, self._with_scores(outcome, begun.estimator, begun.test, trained.answer, truth)

    def _with_scores(self, outcome: FoldOutcome, estimator: Any, test: Any, answer: Any, truth: Any) -> FoldOutcome:
        if not self.classification:
            predicted = finite_numbers(answer, len(truth))
            outcome.predictions = predicted
            return self._remarked(outcome, scores_of(self.measures, truth, predicted))
        classes = self.dataset.classes
        outcome.truth, outcome.predictions = truth, _codes(answer, len(truth), classes)
        if self.measures or self.keep:
            class_codes(outcome.predictions, len(truth), classes)  # a fold that fails lacks no measure besides
            scored, outcome.probabilities = probability_scores(self.measures, estimator, test, truth, classes)
            self._remarked(outcome, scored)
        return outcome

    def _remarked(self, outcome: FoldOutcome, scored: Scored) -> FoldOutcome:
        """Keep the scores, and remark which could not be taken."""
        outcome.scores = {name: score for name, score in scored.items() if not isinstance(score, str)}
        self.remarks.missing({name: reason for name, reason in scored.items() if isinstance(reason, str)})
        return outcome

    def _counted(self, done: list[tuple[tuple[int, int], FoldOutcome]]) -> list[tuple[tuple[int, int], FoldOutcome]]:
        """Confusion counts of all folds in one go; a fold with an answer out of range fails."""
        if not done:
            return done
        classes = len(self.dataset.classes)
        predicted: Codes = np.concatenate([outcome.predictions for _, outcome in done])
        if predicted.min() < 0 or predicted.max() >= classes:
            return self._counted([each for each in done if self._in_range(*each)])
        truth: Codes = np.concatenate([outcome.truth for _, outcome in done])
        counts = confusions(truth, predicted, [len(outcome.truth) for _, outcome in done], classes)
        for (_, outcome), confusion in zip(done, counts, strict=True):
            outcome.confusion = confusion
        return done

    def _in_range(self, at: tuple[int, int], outcome: FoldOutcome) -> bool:
        try:
            class_codes(outcome.predictions, len(outcome.truth), self.dataset.classes)
        except ValueError as error:
            self.tally.fail(at, reason_of(error))
            return False
        return True


def _trained(begun: _Begun) -> _Trained:
    """Train and test; nothing but this is timed."""
    estimator, train, y, test = begun[1:]
    started = perf_counter()
    estimator.fit(train, y)
    fitted = perf_counter()
    answer = estimator.predict(test)
    return _Trained(begun.place, begun, answer, fitted - started, perf_counter() - fitted)


def _codes(answer: Any, rows: int, classes: tuple[str, ...]) -> Codes:
    """Codes of classes; those of the usual type are checked later, all folds together."""
    if type(answer) is np.ndarray and answer.dtype == np.int64 and answer.shape == (rows,) and rows:
        return answer
    return class_codes(answer, rows, classes)


def fold_seed(seed: int, dataset: str, learner: str, replication: int, fold: int) -> int:
    """32 bits for one fold of one learner (fingerprints of data set and learner).

    Examples
    --------
    >>> fold_seed(1, "data", "learner", 0, 0) == fold_seed(1, "data", "learner", 0, 0)
    True
    """
    text = f"{seed}|{dataset}|{learner}|{replication}|{fold}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")


@contextmanager
def borrowed_global_random() -> Iterator[None]:
    """Give the global generators back as they were: a learner without a seed of its own draws from them."""
    numpy_state, python_state = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002
        random.setstate(python_state)


def seed_global_random(seed: int) -> None:
    """Seed the global generators, for learners that draw from them."""
    np.random.seed(seed)  # noqa: NPY002
    random.seed(seed)


#: A node of a scikit-learn tree: feature, threshold, two children; its values are counted apart.
PER_NODE = 4
DEEPEST = 12
#: Types that are told at once: kinds of arrays whose values count, single numbers, and what counts for nothing.
COUNTED = "biufc"
SINGLE = frozenset({bool, int, float, np.float64, np.int64})
NONE = frozenset({type(None), str, bytes, type})

_Count = Callable[[Any, set[int], int], int]


def fitted_numbers(estimator: Any, fresh: Iterable[str] = ()) -> int:
    """Count the numbers that fitting added to an estimator, in its arrays, trees and parts.

    ``fresh`` are the names of attributes it had before: parameters are no part of what was learnt. A learner that
    keeps its training rows (nearest neighbours) is as large as they are. An estimator may know better: its property
    ``n_parameters`` is taken where it has one.

    Examples
    --------
    >>> class Line:
    ...     def __init__(self):
    ...         self.slope_, self.offset_ = np.zeros(3), 1.5
    >>> fitted_numbers(Line())
    4
    """
    if isinstance(getattr(type(estimator), "n_parameters", None), property):
        return int(estimator.n_parameters)
    before = fresh if isinstance(fresh, frozenset) else frozenset(fresh)
    total, rest = 0, []
    for name, value in getattr(estimator, "__dict__", {}).items():
        if name in before:
            continue
        kind = type(value)
        if kind is np.ndarray and value.dtype.kind in COUNTED:
            total += value.size
        elif kind in SINGLE:
            total += 1
        elif kind not in NONE:
            rest.append(value)
    steps = getattr(estimator, "steps", None)  # a pipeline is fitted in its parameters
    if steps:
        rest.append(steps)
    seen = {id(estimator)}
    for value in rest:
        total += _numbers(value, seen, 1)
    return total


def _numbers(value: Any, seen: set[int], depth: int) -> int:
    kind = type(value)
    how = _HOW.get(kind)
    if how is None:
        how = _HOW[kind] = _how(value)
    if how is _nothing or depth > DEEPEST or id(value) in seen:
        return 0
    if how is not _one and how is not _of_array:
        seen.add(id(value))
    return how(value, seen, depth)


def _how(value: Any) -> _Count:
    """The way to count values of this type; found out once, for it takes several questions."""
    if isinstance(value, np.ndarray):
        return _of_array
    if isinstance(value, bool | int | float | np.number):
        return _one
    if value is None or isinstance(value, str | bytes | type) or callable(value):
        return _nothing
    if isinstance(value, Mapping):
        return _of_mapping
    if isinstance(value, list | tuple):
        return _of_sequence
    parts = (("node_count", _of_tree), ("nnz", _of_sparse), ("__dict__", _of_object))
    return next((how for name, how in parts if hasattr(value, name)), _nothing)


def _nothing(value: Any, seen: set[int], depth: int) -> int:
    return 0


def _one(value: Any, seen: set[int], depth: int) -> int:
    return 1


def _of_mapping(value: Any, seen: set[int], depth: int) -> int:
    return _of_sequence(value.values(), seen, depth)


def _of_sequence(value: Any, seen: set[int], depth: int) -> int:
    return sum(_numbers(each, seen, depth + 1) for each in value)


def _of_array(value: np.ndarray[Any, Any], seen: set[int], depth: int) -> int:
    if value.dtype.kind in COUNTED:
        return int(value.size)
    return sum(_numbers(each, seen, depth + 1) for each in value.ravel()) if value.dtype.kind == "O" else 0


def _of_sparse(value: Any, seen: set[int], depth: int) -> int:
    return int(value.nnz)


def _of_object(value: Any, seen: set[int], depth: int) -> int:
    return _of_mapping(vars(value), seen, depth)


def _of_tree(tree: Any, seen: set[int], depth: int) -> int:
    nodes = int(tree.node_count)
    try:
        return nodes * (PER_NODE + int(tree.n_outputs * tree.max_n_classes))  # ``value`` would be copied to be measured
    except AttributeError:
        return PER_NODE * nodes + int(np.size(getattr(tree, "value", ())))


_HOW: dict[type, _Count] = {}
