"""C4.5 with compiled loops against scikit-learn's tree, fit and predict: sizes of pendigits, nursery and iris.

The data are made here: numbers as pendigits has them (7,494 rows of 16 whole numbers up to 100, ten classes), nursery
by a table of points over its eight nominal features (12,960 rows), iris as scikit-learn brings it.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from benchmarks.speed.measure import Disagreement, Row, contest
from bestofk.c45 import C45Classifier

#: Levels of nursery's features.
NURSERY = (3, 5, 4, 4, 3, 2, 3, 3)


def rows() -> list[Row]:
    iris = load_iris(return_X_y=True)
    pens = _pens()
    codes, y = _nursery()
    nominal = C45Classifier(nominal_features=list(range(codes.shape[1])))
    return [
        _row("pendigits size, 7,494 × 16 numbers", C45Classifier(), *pens, pens[0], "", 1.0),
        _row("nursery size, 12,960 × 8 nominal", nominal, codes, y, _one_of_n(codes), ", 1-of-n", 1.0),
        _row("nursery size, 12,960 × 8 nominal", nominal, codes, y, codes, ", codes taken for numbers", None),
        _row("iris, 150 × 4 numbers", C45Classifier(), *iris, iris[0], "", 1.0),
    ]


def _row(work: str, tree: C45Classifier, X: np.ndarray, y: np.ndarray, theirs: np.ndarray, how: str, demand) -> Row:
    def ours() -> np.ndarray:
        return C45Classifier(**tree.get_params()).fit(X, y).predict(X)

    def peer() -> np.ndarray:
        return DecisionTreeClassifier(criterion="entropy", random_state=0).fit(theirs, y).predict(theirs)

    # Other trees, pruned and not: what both must have is the rule that the data were made by.
    for name, right in (("c45", (ours() == y).mean()), ("scikit-learn", (peer() == y).mean())):
        if right < 0.9:
            raise Disagreement(f"{work}: {name} has {right:.1%} of the training rows right, less than 90 %.")
    our_time, peer_time = contest(ours, peer)
    against = f'`DecisionTreeClassifier(criterion="entropy")`{how}'
    return Row(
        f"`C45Classifier` fit and predict, {work}", against, our_time, peer_time, demand=demand, note="compiled before"
    )


def _pens() -> tuple[np.ndarray, np.ndarray]:
    """Ten classes, each in three ways of writing, around which the sixteen numbers vary."""
    rng = np.random.default_rng(8)
    ways = rng.uniform(0, 100, size=(30, 16))
    way = rng.integers(30, size=7494)
    numbers = ways[way] + rng.normal(scale=18.0, size=(7494, 16))
    return np.clip(numbers, 0, 100).round(), way // 3


def _nursery() -> tuple[np.ndarray, np.ndarray]:
    """All combinations; the last feature decides a third by itself, points of the others the rest."""
    codes = np.array(list(product(*(range(each) for each in NURSERY))), dtype=float)
    points = (
        codes[:, 0] * 2 + codes[:, 1] + codes[:, 2] + codes[:, 3] // 2 + codes[:, 4] + codes[:, 5] + codes[:, 6] ** 2
    )
    grade = 1 + np.digitize(points, [4.5, 7.5, 10.5])
    return codes, np.where(codes[:, 7] == 0, 0, grade)


def _one_of_n(codes: np.ndarray) -> np.ndarray:
    columns = [codes[:, feature] == level for feature, levels in enumerate(NURSERY) for level in range(levels)]
    return np.column_stack(columns).astype(float)


if __name__ == "__main__":
    from benchmarks.report import as_text

    print(as_text(rows()))
