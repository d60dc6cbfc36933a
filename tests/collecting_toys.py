"""A small plan whose parts misbehave on demand, for the tests of collecting."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.collecting.run.collect import collect_plan
from bestofk.collecting.run.jobs import Setting
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds.base import Fold, generator_for
from bestofk.design.learners.learner import Learner
from bestofk.design.plan.cell import CellResult
from bestofk.stores.memory import MemoryStore


@dataclass(frozen=True)
class Halves:
    """Random halves, each trained on once."""

    replications: int = 5
    folds: int = 2

    @property
    def spec(self) -> str:
        return f"halves-{self.replications}"

    def split(self, dataset: Dataset, replication: int, seed: int) -> list[Fold]:
        rows = generator_for(dataset, replication, seed).permutation(dataset.rows)
        first, second = rows[: dataset.rows // 2], rows[dataset.rows // 2 :]
        return [Fold(first, second), Fold(second, first)]


@dataclass(frozen=True)
class Toy:
    """What collecting needs of a plan."""

    learners: tuple[Learner, ...]
    datasets: tuple[Dataset, ...]
    folds: Any = Halves()
    seed: int = 1
    measures: tuple[str, ...] = ()
    keep_predictions: bool = False
    fingerprint: str = sha256(b"{}").hexdigest()

    def to_text(self) -> str:
        return "{}"


def toy_dataset(name: str = "toy", *, rows: int = 60, classes: int = 3, seed: int = 0) -> Dataset:
    draw = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    X = draw.normal(size=(rows, 5)) + 0.7 * y[:, None]
    features = tuple(Feature(f"x{column}", X[:, column].copy()) for column in range(5))
    return Dataset(name, features, y.astype(float), tuple("abcdef"[:classes]))


def toy_regression(rows: int = 40) -> Dataset:
    x = np.linspace(0.0, 1.0, rows)
    return Dataset("line", (Feature("x", x),), 3.0 * x + 1.0)


def toy_learner(name: str, make: Any) -> Learner:
    return Learner(name, make, {"name": name})


def naive_bayes() -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier()


def logistic() -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression()


NB = toy_learner("nb", naive_bayes)
TREE = toy_learner("tree", tree)
LOGISTIC = toy_learner("logistic", logistic)


def toy_plan(replications: int = 5, *learners: Learner, datasets: int = 2, **changes: Any) -> Toy:
    sets = tuple(toy_dataset(f"toy{number}", seed=number) for number in range(datasets))
    return replace(Toy(learners or (NB, TREE), sets, Halves(replications)), **changes)


class Constant:
    """Answers with one value, after doing what a subclass wants."""

    def __init__(self, answer: Any = 0) -> None:
        self.answer = answer

    def fit(self, X: Any, y: Any) -> Constant:
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.answer)


class Nearest(Constant):
    """The class of the nearest mean, in numpy alone: a process that needs no more starts quickly."""

    def fit(self, X: Any, y: Any) -> Nearest:
        self.means_ = np.array([X[y == code].mean(axis=0) for code in range(3)])
        return self

    def predict(self, X: Any) -> Any:
        return ((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)


#: For the tests of processes: they start faster without scikit-learn.
NEAREST = toy_learner("nearest", Nearest)


class Raising(Constant):
    """Fails where the first training row has a positive first feature."""

    def fit(self, X: Any, y: Any) -> Raising:
        if X[0, 0] > 0:
            raise RuntimeError("cannot learn /home/somebody/data/file.csv of <thing at 0x7f00>")
        return self


class GlobalDraw(Constant):
    """Draws from numpy's global generator, as a careless learner does."""

    def predict(self, X: Any) -> Any:
        return np.random.randint(0, 3, len(X))  # noqa: NPY002


class SlowDraw(GlobalDraw):
    """Draws a while after its generator was seeded."""

    def fit(self, X: Any, y: Any) -> SlowDraw:
        time.sleep(0.001)
        return self


class Exiting(Constant):
    """Wants to end the program, as a script does that was never meant to be a learner."""

    def fit(self, X: Any, y: Any) -> Exiting:
        sys.exit("nothing to do")


class Deciding(Constant):
    """Has a decision function, with ties, and no probabilities."""

    def decision_function(self, X: Any) -> Any:
        return np.round(30 * X[:, 0])


@contextmanager
def python_listening() -> Iterator[None]:
    """Let Python hear Ctrl-C as in a terminal: what is started in the background may have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Sleeping(Constant):
    """Takes its time."""

    def __init__(self, seconds: float = 0.05) -> None:
        super().__init__(0)
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Sleeping:
        time.sleep(self.seconds)
        return self


class Greedy(Constant):
    """Takes two gigabytes."""

    def fit(self, X: Any, y: Any) -> Greedy:
        self.taken_ = np.ones(2**28)
        return self


class Deadly(Constant):
    """Kills its own process, always, or once for each file name it is given."""

    def __init__(self, once: str = "") -> None:
        super().__init__(0)
        self.once = once

    def fit(self, X: Any, y: Any) -> Deadly:
        if not self.once or not Path(self.once).exists():
            if self.once:
                Path(self.once).touch()
            os.kill(os.getpid(), 9)
        return self


def rows_of(results: Any) -> dict[tuple[str, str, int, int], tuple[Any, ...]]:
    """Every fold once, with all that must not depend on how it was run; a fold met twice is an error."""
    rows: dict[tuple[str, str, int, int], tuple[Any, ...]] = {}
    for result in results:
        for r, f in np.ndindex(result.fingerprints.shape):
            place = (result.key.dataset, result.key.learner, result.key.start + r, f)
            assert place not in rows, f"{place} is there twice"
            rows[place] = _row(result, r, f)
    return rows


def _row(result: CellResult, r: int, f: int) -> tuple[Any, ...]:
    counts = () if result.confusion is None else tuple(map(int, result.confusion[r, f].ravel()))
    scores = tuple((name, float(values[r, f])) for name, values in sorted(result.scores.items()))
    kept = tuple(repr((part or {}).get((r, f))) for part in (result.predictions, result.probabilities))
    return (counts, repr(scores), int(result.fingerprints[r, f]), result.failures[r][f], repr(result.size[r, f]), kept)


def setting_of(plan: Any) -> Setting:
    return Setting(plan.learners, plan.datasets, plan.folds, plan.seed, plan.measures, plan.keep_predictions)


def rows_and_report(plan: Any, **options: Any) -> tuple[dict[tuple[str, str, int, int], tuple[Any, ...]], Any]:
    """Collect into memory: every fold, and what collecting reports."""
    store = MemoryStore()
    report = collect_plan(plan, store, progress=False, **options)
    return rows_of(store.read()), report
