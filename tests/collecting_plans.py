"""Plans of a user's own, in Python with small data and as files, and what collecting them gives."""

from __future__ import annotations

import warnings
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

import bestofk as bk
from bestofk.collecting.run.report import FailedFolds
from bestofk.stores.address import open_store


class Column(ClassifierMixin, BaseEstimator):
    """Answers with a column of the data."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, X: Any, y: Any) -> Column:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.asarray(X)[:, self.column].astype(int)


class Failing(Column):
    """Fails wherever it is trained on few rows."""

    def __init__(self, column: int = 0, least: int = 1000) -> None:
        super().__init__(column)
        self.least = least

    def fit(self, X: Any, y: Any) -> Column:
        if len(X) < self.least:
            raise ValueError("too few rows for me")
        return super().fit(X, y)


class Coloured(ClassifierMixin, BaseEstimator):
    """Raises with colours for a terminal."""

    def fit(self, X: Any, y: Any) -> Coloured:
        raise ValueError("\x1b[31mred\x1b[0m\x07 alert \x1b]0;title\x07!")

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X))


def noisy(rows: int = 40) -> tuple[Any, Any]:
    draw = np.random.default_rng(3)
    X = draw.normal(size=(rows, 3))
    return X, (X[:, 0] + draw.normal(size=rows) > 0).astype(int)


def answers() -> tuple[Any, Any]:
    """Truth, an answer that is always right, and one that is wrong on 2, 5, 2 and 4 of 8 rows of the test blocks."""
    y = np.arange(40) % 2
    other = y.copy()
    for block, wrong in enumerate((2, 5, 2, 4)):
        rows = slice(8 + 8 * block, 8 + 8 * block + wrong)
        other[rows] = 1 - other[rows]
    return np.column_stack([y, other]).astype(float), y


def collected(tmp_path: Path, folds: Any, dataset: Any = None, learners: Any = ("max", "nmc"), **more: Any) -> Any:
    """The evidence of one data set of one's own, collected into ``r.db``."""
    dataset = noisy() if dataset is None else dataset
    plan = bk.Plan(learners if isinstance(learners, dict) else list(learners), {"mine": dataset}, folds=folds, **more)
    return bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)


#: Sixty rows, and the numbers that name their classes; the third class is rare.
X = np.random.default_rng(7).normal(size=(60, 2))
Y = np.r_[[1] * 29, [2] * 29, [3] * 2]


def collected_beside_max(tmp_path: Path, learner: Any, *, data: Any = None, folds: Any = "5-fold", **more: Any) -> str:
    """The store of a learner called mine beside max on a data set called d; failed folds are not warned of."""
    first = np.c_[Y, X].astype(float)
    plan = bk.Plan(
        learners={"mine": learner, "max": "max"}, datasets={"d": data or (first, Y)}, folds=folds, seed=1, **more
    )
    store = str(tmp_path / "s.db")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FailedFolds)
        bk.collect(plan, store, engine="serial", progress=False)
    return store


def outcomes(store: str) -> tuple[list[float | None], set[str]]:
    """Error, None where the fold failed, of every fold of the learner called mine, and all reasons."""
    with closing(open_store(store)) as opened:
        cells = [cell for cell in opened.read() if cell.key.learner == "mine"]
    errors = [
        None if reason else float(1 - np.trace(matrix) / matrix.sum())
        for cell in cells
        for matrices, line in zip(cell.confusion, cell.failures, strict=True)
        for matrix, reason in zip(matrices, line, strict=True)
    ]
    return errors, {reason for cell in cells for line in cell.failures for reason in line if reason}


def written(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def plan_file(
    tmp_path: Path, *lines: str, folds: str = "3-fold", datasets: str = "iris", name: str = "plan.toml"
) -> Path:
    """A plan of max, nmc and the learners of the lines."""
    text = [f'folds = "{folds}"', f'datasets = ["{datasets}"]', "[learners]", "max = {}", "nmc = {}", *lines]
    return written(tmp_path, "\n".join(text), name)


def plan_of(folder: Path, *learners: str, folds: str = "5-fold", datasets: str = 'datasets = ["iris"]') -> Path:
    """A plan of the learners of the lines only; data sets as a line, or as a table."""
    text = "\n".join([f'folds = "{folds}"', *([] if "\n" in datasets else [datasets]), "[learners]", *learners])
    return written(folder, text + "\n" + (datasets if "\n" in datasets else ""), "plan.toml")
