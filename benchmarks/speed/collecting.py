"""What the machinery of a cell costs: a whole cell (dividing, encoding, seeding, counting, packing) beside bare folds.

The rows of what stands around: the very cell, its whole time beside the seconds that it spent inside ``fit`` and
``predict`` of scikit-learn; at most 5 % may be around them. Both come from one run, so that a slow moment of the
machine falls on both. Folds are forgotten before every cell, as for the first learner of a data set; the row of all
four is a plan, where they are made once.

The bare loop, for comparison: it makes an estimator, fits and predicts on arrays that were divided and encoded before
the clock started. At most 1.05 times its time was demanded once, and three of these rows missed it. Nothing is demanded
of them now, for they cannot judge 5 %: ``fit`` and ``predict`` run on both sides and vary by more (the same row, five
times one after another on a busy machine, gave 1.00 to 1.13 for the neighbours and 0.88 to 1.13 for the tree). A row
above 1.05 is still worth a look.

The other rows: the same job as a user of scikit-learn does it, ``cross_validate`` of a pipeline with the confusion
counts on the same folds, which are given to it.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks.speed.measure import Row, Work, contest, same
from bestofk.collecting.cell.cell import SHARED, run_cell
from bestofk.collecting.cell.fold_runner import fold_seed
from bestofk.collecting.engines.process import one_thread
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding import encoded
from bestofk.design.folds.resampling import RepeatedFolds
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.stores.cell_format import pack

REPLICATIONS, SEED, RUNS = 50, 1, 25
DEMAND = 1.05
LEARNERS: dict[str, tuple[Any, Encoding]] = {
    "naive Bayes": (GaussianNB(), Encoding()),
    "tree": (DecisionTreeClassifier(), Encoding()),
    "5 nearest neighbours, scaled": (KNeighborsClassifier(), Encoding(scale=True)),
    "logistic, scaled": (LogisticRegression(), Encoding(scale=True)),
}


def rows() -> list[Row]:
    with one_thread():
        sides = {name: _sides(name, estimator) for name, (estimator, _) in LEARNERS.items()}
        alone = [_row(name, [side]) for name, side in sides.items()]
        whole = [_cross_validated(name, sides[name][0], *LEARNERS[name]) for name in sides]
        around = [*(_around([name]) for name in sides), _around(list(sides))]
        return [*alone, _row("all four", list(sides.values())), *around, *whole]


def _iris() -> Dataset:
    X, y = load_iris(return_X_y=True)
    features = tuple(Feature(f"x{column}", np.ascontiguousarray(X[:, column])) for column in range(X.shape[1]))
    return Dataset("iris", features, y.astype(float), ("setosa", "versicolor", "virginica"))


IRIS = _iris()


def _sides(name: str, estimator: Any) -> tuple[Work, Work]:
    """A cell, and the bare loop over its folds, after a check that both predict the same."""
    dataset, folds = IRIS, RepeatedFolds(REPLICATIONS, 2)
    kind, learner = type(estimator), _learner(name)
    prepared = _prepared(dataset, learner, folds)

    def cell() -> bytes:
        return pack(run_cell(dataset, learner, folds, SEED, 0, REPLICATIONS))

    def bare() -> list[Any]:
        return [kind(**settings).fit(X, y).predict(test) for settings, X, y, test, _ in prepared]

    _check(run_cell(dataset, learner, folds, SEED, 0, REPLICATIONS), bare(), prepared)
    return cell, bare


def _row(name: str, sides: list[tuple[Work, Work]]) -> Row:
    def cells() -> None:
        SHARED.clear()
        for cell, _ in sides:
            cell()

    def loops() -> None:
        for _, bare in sides:
            bare()

    ours, peer = contest(cells, loops)
    folds = 2 * REPLICATIONS * len(sides)
    more = f"{(ours - peer) / folds * 1e6:+.0f} µs beside the loop, of {ours / folds * 1e6:.0f} µs a fold"
    note = f"no demand: {more}, and fit and predict themselves vary between the two sides"
    work = f"cells of {2 * REPLICATIONS} folds of iris, {name}"
    return Row(work, "the bare loop of fit and predict", ours, peer, ceiling=True, note=note)


def _around(names: list[str]) -> Row:
    """Cells of some learners beside the time inside fit and predict, in the run whose share of them is the median.

    Folds are forgotten before the first learner: as in a plan, the others find them made.
    """
    learners, runs = [_learner(name) for name in names], []
    folds = RepeatedFolds(REPLICATIONS, 2)
    for _ in range(RUNS):
        SHARED.clear()
        start = time.perf_counter()
        results = [run_cell(IRIS, learner, folds, SEED, 0, REPLICATIONS) for learner in learners]
        for result in results:
            pack(result)
        whole = time.perf_counter() - start
        runs.append((whole, sum(float(each.fit_seconds.sum() + each.predict_seconds.sum()) for each in results)))
    runs.sort(key=lambda run: run[0] / run[1])
    whole, inside = runs[len(runs) // 2]
    note = (
        f"{(whole - inside) / (2 * REPLICATIONS * len(names)) * 1e6:.0f} µs a fold; wall clock, median of {RUNS} runs"
    )
    work = f"cells of {2 * REPLICATIONS} folds of iris, {names[0] if len(names) == 1 else 'all four'}, whole"
    return Row(work, "inside fit and predict", whole, inside, DEMAND, ceiling=True, note=note)


def _learner(name: str) -> Learner:
    estimator, encoding = LEARNERS[name]
    kind, parameters = type(estimator), estimator.get_params()
    return Learner(name, lambda: kind(**parameters), {"name": name}, encoding)


def _cross_validated(name: str, cell: Work, estimator: Any, encoding: Encoding) -> Row:
    """A cell beside scikit-learn's own machinery for the same folds, scaling and counts."""
    steps = [StandardScaler()] * encoding.scale
    X, folds = np.column_stack([feature.values for feature in IRIS.features]), RepeatedFolds(REPLICATIONS, 2)
    made = [fold for replication in range(REPLICATIONS) for fold in folds.split(IRIS, replication, SEED)]
    pairs = [(fold.train, fold.test) for fold in made]

    def ours() -> None:
        SHARED.clear()
        cell()

    def peer() -> Any:
        return cross_validate(make_pipeline(*steps, estimator), X, IRIS.y.astype(int), cv=pairs, scoring=_counts)

    found = peer()
    same(sum(found[f"test_{truth}{answer}"].sum() for truth in range(3) for answer in range(3)), len(made) * 75, "rows")
    seconds, theirs = contest(ours, peer)
    work = f"cells of {2 * REPLICATIONS} folds of iris, {name}, with folds, encoding and counts"
    return Row(work, "cross_validate of a pipeline", seconds, theirs, DEMAND, ceiling=True)


def _counts(estimator: Any, X: Any, y: Any) -> dict[str, int]:
    matrix = confusion_matrix(y, estimator.predict(X), labels=[0, 1, 2])
    return {f"{truth}{answer}": int(matrix[truth, answer]) for truth in range(3) for answer in range(3)}


def _prepared(dataset: Dataset, learner: Learner, folds: Any) -> list[tuple[dict[str, Any], Any, Any, Any, Any]]:
    """Parameters with their seed, training rows and classes, test rows and classes of every fold."""
    y, found = dataset.y.astype(int), []
    for replication in range(REPLICATIONS):
        for number, fold in enumerate(folds.split(dataset, replication, SEED)):
            settings = clone(learner.make()).get_params()
            if "random_state" in settings:
                place = (dataset.fingerprint, learner.fingerprint, replication, number)
                settings["random_state"] = fold_seed(SEED, *place)
            train, test = encoded(dataset, learner.encoding, fold.train, fold.test)
            found.append((settings, train, y[fold.train], test, y[fold.test]))
    return found


def _check(result: Any, answers: list[Any], prepared: list[Any]) -> None:
    """Both sides predict the same."""
    errors = [np.mean(answer != fold[4]) for answer, fold in zip(answers, prepared, strict=True)]
    right = np.trace(result.confusion, axis1=2, axis2=3) / result.test_sizes
    same(1.0 - right.ravel(), errors, "error of every fold")


if __name__ == "__main__":
    from benchmarks.report import as_text

    print(as_text(rows()))
