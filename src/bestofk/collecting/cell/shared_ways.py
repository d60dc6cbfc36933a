"""Work that folds share: the ways known in this process, or why there is none, and folds of one cell run by them.

A few folds of a cell run by themselves, to measure and to compare, the others together. A way is made once and kept for
the cells that follow. Its compiled loops are loaded in one piece; numba compiles them once on a machine, for they are
kept on its disk, and the seconds of that are counted.
"""

from __future__ import annotations

import signal
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from threading import Lock
from typing import Any, Literal

import numpy as np

from bestofk.collecting.cell.failures import reason_of
from bestofk.collecting.cell.fold_runner import FoldRunner, Place
from bestofk.collecting.cell.tally import Tally, confusions
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds
from bestofk.design.learners.learner import Learner
from bestofk.measures.catalogue import Measure
from bestofk.sharing.plain_fold import Codes
from bestofk.sharing.shelf import way_for
from bestofk.sharing.way import Way, plain_predictions

#: When folds share work: from so many on that it pays, always where it can be done, or never.
Sharing = Literal["auto", "always", "never"]
#: Folds of a data set from which on what sharing takes to begin with (loading loops, lists of neighbours) is repaid.
ENOUGH = 100
#: Tolerance of a logistic regression up to which its predictions are those of the optimum; lbfgs with 1e-6 was seen to
#: differ from it in single rows.
TIGHT = 1e-8


def sharing_of(wish: bool | str) -> Sharing:
    """Return what an argument ``sharing`` means."""
    if wish is True or wish is False:
        return "auto" if wish else "never"
    if wish in ("auto", "always", "never"):
        return wish  # type: ignore[return-value]
    raise InputError(f"sharing is {wish!r}.", "collect, argument sharing", 'give True, False or "always".')


def why_of_plan(
    sharing: Sharing, dataset: Dataset, learner: Learner, folds: Folds, measures: Sequence[Measure], keep: bool
) -> str:
    """Why a plan lets the folds of a learner on a data set run by themselves."""
    if sharing == "never":
        return "sharing is off"
    if dataset.task != "classification":
        return "numbers are learnt, not classes"
    if measures:
        return f"{', '.join(each.name for each in measures)} needs more than predictions"
    if keep and hasattr(learner.make(), "predict_proba"):
        return "probabilities are kept with the predictions"
    count = folds.replications * folds.folds
    if sharing == "auto" and count < ENOUGH:
        return f"{count} folds; sharing pays from {ENOUGH} on"
    return ""


def why_unknown(learner: Learner) -> str:
    """Why no way of sharing recognised a learner."""
    estimator = _last(learner.make())
    if type(estimator).__name__ in ("KNeighborsClassifier", "ExactNeighbours") and not compiled_wanted():
        return "neighbours are shared by compiled loops, which the extra fast brings (numba)"
    return f"no sharing knows {type(estimator).__name__} with these parameters, on data prepared like this"


def why_loose(learner: Learner) -> str:
    """Why an estimator that stops before its optimum is not shared: the shared answer is that of the optimum."""
    estimator = _last(learner.make())
    if type(estimator).__name__ != "LogisticRegression" or estimator.tol <= TIGHT:
        return ""
    return f"{estimator.solver} with tol={estimator.tol:g} stops before rows on the border between classes are settled"


def _last(estimator: Any) -> Any:
    return estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator


_CLOCK: dict[str, Any] = {}


def load_loops() -> None:
    """Load numba where it is used, and take the time of what is compiled from now on."""
    if compiled_wanted() and not _CLOCK:
        events: Any = import_module("numba.core.event")
        _CLOCK["numba"] = events.TimingListener()
        events.register("numba:compile", _CLOCK["numba"])


def compiling_seconds() -> float:
    """All seconds of compiling so far."""
    clock = _CLOCK.get("numba")
    return float(clock.duration) if clock is not None and clock.done else 0.0


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait: a package that is half loaded when it comes stays broken for the rest of the process."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


#: Bytes of arrays in all ways that are kept; beyond it those that were not asked for longest are made anew.
MOST_BYTES = 256_000_000


@dataclass(eq=False)
class Found:
    """A way, or ``why`` there is none; ``checked`` when this process has compared it with the plain way."""

    way: Way | None
    why: str = ""
    checked: bool = False
    size: int = 0
    guard: Any = field(default_factory=Lock)  # ties are counted from call to call

    def distrust(self, why: str) -> None:
        """Leave all further folds to the plain way."""
        self.way, self.why = None, why


class Ways:
    """Ways by the very learner and data set, which are kept with them so that no other ones can have their numbers."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[int, int], tuple[Learner, Dataset, Found]] = OrderedDict()
        self._guard = Lock()

    def of(self, learner: Learner, dataset: Dataset) -> Found:
        """Return the way of a learner on a data set, made when first asked for."""
        place = (id(learner), id(dataset))
        with self._guard:
            if place not in self._kept:
                self._kept[place] = learner, dataset, way_or_why(learner, dataset)
            self._kept.move_to_end(place)
            return self._kept[place][2]

    def weigh(self, found: Found) -> None:
        """Take a way's size anew, for it grows with its first folds, and forget others where all are too large."""
        found.size = bytes_in(found.way)
        with self._guard:
            total = sum(each.size for *_, each in self._kept.values())
            for place in [place for place, (*_, each) in self._kept.items() if each is not found and each.way]:
                if total <= self.most:
                    return
                total -= self._kept.pop(place)[2].size

    def clear(self) -> None:
        """Forget all ways."""
        with self._guard:
            self._kept.clear()


def way_or_why(learner: Learner, dataset: Dataset) -> Found:
    """Make a way; whatever goes wrong in it is a reason for the plain way."""
    try:
        with uninterrupted():
            way = way_for(learner, dataset)
            if way is not None:
                load_loops()
    except Exception as error:
        return Found(None, f"sharing could not begin: {reason_of(error).splitlines()[-1]}")
    if way is None:
        return Found(None, why_unknown(learner))
    loose = why_loose(learner)
    return Found(None, loose) if loose else Found(way)


def bytes_in(thing: Any) -> int:
    """Bytes of the arrays that belong to a way, those of its data set aside."""
    packages = {"bestofk", _package(thing)}
    return sum({id(array): array.nbytes for array in _arrays(thing, packages, set())}.values())


def _arrays(thing: Any, packages: set[str], seen: set[int]) -> Iterator[Any]:
    if id(thing) in seen or isinstance(thing, Dataset | Learner):
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        yield thing if thing.base is None or not isinstance(thing.base, np.ndarray) else thing.base
        return
    inside: Any = ()
    if isinstance(thing, dict):
        inside = thing.values()
    elif isinstance(thing, list | tuple):
        inside = thing
    elif _package(thing) in packages and hasattr(thing, "__dict__"):
        inside = vars(thing).values()
    for each in inside:
        yield from _arrays(each, packages, seen)


def _package(thing: Any) -> str:
    return type(thing).__module__.partition(".")[0]


WAYS = Ways()


#: The first folds of a plan run by themselves: times and sizes come from them.
MEASURED = 10
#: Training sets of one replication that differ by more than this share are all measured, as those of learning curves.
UNEVEN = 1.1
#: Rows in all folds that are asked for together, and folds that at least are (a machine word), within so many rows.
ROWS, WORD, MOST_ROWS = 1_000_000, 64, 8_000_000
#: Stands for the answer of a fold that a tie leaves open.
OPEN = object()


class Distrusted(Exception):
    """Sharing went wrong, or answered otherwise than the plain way: the whole cell is to run the plain way."""


def replications_together(dataset: Dataset, folds: int) -> int:
    """How many replications are asked for at once: whole words of folds, in memory that their number does not change.

    Examples
    --------
    >>> from bestofk.design.datasets import dataset_of
    >>> replications_together(dataset_of("iris"), 2)
    3328
    """
    rows = dataset.rows * folds
    word = -(-WORD // folds)
    whole = ROWS // (rows * word) * word
    return max(whole, min(word, MOST_ROWS // rows), 1)


class SharedRunner:
    """Runs folds of one cell; ``ties`` counts predictions of shared folds that an exact tie left open."""

    def __init__(self, found: Found, way: Way, runner: FoldRunner, tally: Tally) -> None:
        self.found, self.way, self.runner, self.tally = found, way, runner, tally
        self.exact = getattr(way, "exact", True)  # in ties it decides as the plain way does
        self.ties, self.error = 0, ""

    def run(self, places: Sequence[Place]) -> None:
        """Run folds; raises ``Distrusted`` where sharing and the plain way do not agree."""
        measured = self._measured(places)
        alone = [place for place in places if place.at in measured]
        together = [place for place in places if place.at not in measured]
        with self.found.guard:
            answers = self._answers([place.fold for place in alone])
            self.runner.run(alone)
            self._compare(alone, answers)
            before = self.way.ties
            answers = self._answers([place.fold for place in together])
            ties = self.way.ties - before
        self.ties += ties if self.exact else 0
        given = [pair for pair in zip(together, answers, strict=True) if pair[1] is not None and pair[1] is not OPEN]
        left = [pair for pair in zip(together, answers, strict=True) if pair[1] is None or pair[1] is OPEN]
        self.runner.run([place for place, _ in left])
        self._compare(*zip(*left, strict=True) if left else ((), ()))
        if given and not self.found.checked:
            self._compare_first(*given[0])
        self.found.checked = self.found.checked or bool(places)
        self._count(given)

    def _measured(self, places: Sequence[Place]) -> set[tuple[int, int]]:
        """Places of the folds that have times of their own: which ones they are does not depend on the cell."""
        folds = self.tally.fit_seconds.shape[1]
        if not places or (self.tally.key.start + places[0].at[0]) * folds >= MEASURED:
            return set()
        sizes: dict[int, list[int]] = {}
        for place in places:
            sizes.setdefault(place.at[0], []).append(len(place.fold.train))
        found = set()
        for line, number in (place.at for place in places):
            first = (self.tally.key.start + line) * folds
            uneven = max(sizes[line]) > UNEVEN * min(sizes[line])
            if first + (0 if uneven else number) < MEASURED:
                found.add((line, number))
        return found

    def _answers(self, folds: Sequence[Fold]) -> list[Any]:
        """Codes of the test rows of each fold; None where the way refuses a fold, ``OPEN`` where ties decide it."""
        if self.exact:
            return self._asked(folds)
        return [each for at in range(0, len(folds), WORD) for each in self._untied(folds[at : at + WORD])]

    def _untied(self, folds: Sequence[Fold]) -> list[Any]:
        """What scikit-learn makes of equally near rows is not stated: such folds run the plain way."""
        before = self.way.ties
        answers = self._asked(folds)
        return answers if self.way.ties == before else [OPEN] * len(folds)

    def _asked(self, folds: Sequence[Fold]) -> list[Any]:
        """Ask for all at once; where that fails, for halves of them, so that one bad fold costs no other."""
        if not folds:
            return []
        try:
            return list(self.way.predict(folds))
        except Exception as error:
            self.error = reason_of(error).splitlines()[-1]
            half = len(folds) // 2
            return self._asked(folds[:half]) + self._asked(folds[half:]) if half else [None]

    def _compare(self, places: Sequence[Place], answers: Sequence[Any]) -> None:
        """A fold that fails by itself must have been refused, any other must have the same predictions."""
        for place, answer in zip(places, answers, strict=True):
            failed = bool(self.tally.failures[place.at[0]][place.at[1]])
            if answer is OPEN:
                continue
            if answer is None and not failed:
                raise Distrusted(f"{self.way.name} failed ({self.error})")
            if answer is not None and (failed or not np.array_equal(answer, self.tally.last[place.at])):
                raise Distrusted(f"{self.way.name} gave other predictions than the fold by itself")

    def _compare_first(self, place: Place, answer: Codes) -> None:
        """Compare one fold where none is measured: this process may have other loops than the one that measured."""
        plain = plain_predictions(self.runner.learner, self.runner.dataset, place.fold)
        if not np.array_equal(answer, plain):
            raise Distrusted(f"{self.way.name} gave other predictions than the fold by itself")

    def _count(self, given: Sequence[tuple[Place, Codes]]) -> None:
        """Confusion counts of all folds in one go."""
        if not given:
            return
        classes, lengths = len(self.tally.classes), [len(place.fold.test) for place, _ in given]
        if [np.shape(answer) for _, answer in given] != [(length,) for length in lengths]:
            raise Distrusted(f"{self.way.name} gave predictions of the wrong number")
        predicted = np.concatenate([answer for _, answer in given])
        if predicted.min() < 0 or predicted.max() >= classes:
            raise Distrusted(f"{self.way.name} gave classes that are not there")
        truth = self.runner.y[np.concatenate([place.fold.test for place, _ in given])]
        counts = confusions(truth, predicted, lengths, classes)
        self.tally.count([place.at for place, _ in given], counts, [answer for _, answer in given])
