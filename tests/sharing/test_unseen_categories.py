"""Linear discriminants of folds whose training rows lack categories: answered together, and as scikit-learn answers."""

from __future__ import annotations

import numpy as np
import pytest

from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding import Encoder, encoded
from bestofk.design.folds.base import Fold
from bestofk.design.learners import learner_of
from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding
from bestofk.sharing import way_for
from bestofk.sharing.linear_discriminant import LinearDiscriminant, share
from bestofk.testing.design import check_sharing
from makers import slow

ROWS = 240


def _rare(classes: int, *, gaps: bool, seed: int = 3) -> Dataset:
    """Five nominal features, four of which have categories of one, two or three rows; numbers beside them."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(ROWS) % classes).astype(float)
    numbers = 0.7 * y[:, None] + rng.normal(size=(ROWS, 2))
    levels = (y[:, None] + rng.integers(4, size=(ROWS, 5))) % 3
    for feature in range(4):
        few = rng.permutation(ROWS)[:6]
        levels[few, feature] = 3.0 + np.repeat(np.arange(3), [1, 2, 3])
    if gaps:
        numbers[rng.random(ROWS) < 0.1, 0] = np.nan
        levels[:, 1:3][rng.random((ROWS, 2)) < 0.15] = np.nan
    names = ("p", "q", "r", "one row", "two", "three", "no row")
    nominal = tuple(Feature(f"l{place}", column, names) for place, column in enumerate(levels.T))
    plain = tuple(Feature(f"x{place}", column) for place, column in enumerate(numbers.T))
    return Dataset("rare categories", (*plain, *nominal), y, tuple("uvwxyz"[:classes]))


def _folds(dataset: Dataset, seed: int = 5) -> list[Fold]:
    """Halves, and bootstrap samples with repeated rows in any order."""
    rng = np.random.default_rng(seed)
    every, folds = np.arange(dataset.rows), []
    for _ in range(30):
        part = rng.permutation(dataset.rows) % 2
        folds += [Fold(every[part == half], every[part != half]) for half in (0, 1)]
    drawn = [rng.integers(dataset.rows, size=dataset.rows) for _ in range(30)]
    return folds + [Fold(train, np.setdiff1d(every, train)) for train in drawn]


def _scikit_learns(dataset: Dataset, fold: Fold) -> np.ndarray:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    train, test = encoded(dataset, Encoding(), fold.train, fold.test)
    return LinearDiscriminantAnalysis().fit(train, dataset.y[fold.train].astype(int)).predict(test)


def _way(dataset: Dataset) -> LinearDiscriminant:
    way = way_for(learner_of("lda"), dataset, [share])
    assert isinstance(way, LinearDiscriminant)
    return way


def _lacking(dataset: Dataset, fold: Fold) -> bool:
    """Whether some test row has a category that the training rows lack: then a feature of it is zeros only."""
    encoder = Encoder.fit(dataset, fold.train, Encoding())
    ones = encoder.transform(fold.test)[:, 2:]
    return bool((ones.sum(axis=1) < 5).any())


def _as_scikit_learn(dataset: Dataset, folds: list[Fold]) -> tuple[int, int]:
    """Compare all folds; the number of those that were answered together, and of those left to the plain way."""
    way = _way(dataset)
    for number, answer in enumerate(way.predict(folds)):
        assert (answer == _scikit_learns(dataset, folds[number])).all(), f"{dataset.name}, fold {number}"
    together = [answer is not None for answer in way.many.predict(folds)]
    return sum(together), way.plain_folds


@pytest.mark.parametrize(("classes", "gaps"), [(2, False), (3, True), *slow((2, True), (3, False))])
def test_folds_that_lack_categories_are_answered_together(classes: int, gaps: bool, loops: str) -> None:
    dataset = _rare(classes, gaps=gaps)
    folds = _folds(dataset)
    assert sum(_lacking(dataset, fold) for fold in folds) >= len(folds) // 2
    together, plain = _as_scikit_learn(dataset, folds)
    assert together >= 0.95 * len(folds)
    assert plain == 0


def test_many_seeds() -> None:
    for seed in (10, 11):
        dataset = _rare(3, gaps=True, seed=seed)
        folds = _folds(dataset, seed)[::3]
        assert _as_scikit_learn(dataset, folds)[0] >= 0.9 * len(folds), f"seed {seed}"


def test_a_category_that_is_one_class_alone() -> None:
    """The category has no spread within classes, but the others of its feature add up to it, and do differ."""
    rng = np.random.default_rng(1)
    y = rng.permutation(np.arange(ROWS) % 4 // 2 + (np.arange(ROWS) % 8 == 7)).astype(float)
    level = np.where(y == 2, 2.0, (rng.random(ROWS) < 0.3 + 0.3 * y).astype(float))
    other = rng.integers(3, size=ROWS).astype(float)
    numbers = 0.5 * y[:, None] * [1.0, -1.0] + rng.normal(size=(ROWS, 2))
    nominal = (Feature("l", level, ("p", "q", "own")), Feature("m", other, ("p", "q", "r")))
    plain = tuple(Feature(f"x{place}", column) for place, column in enumerate(numbers.T))
    dataset = Dataset("a class of its own", (*plain, *nominal), y, ("u", "v", "w"))
    folds = _folds(dataset)
    assert _as_scikit_learn(dataset, folds) == (len(folds), 0)


def test_the_commonest_category_may_be_missing_from_the_training_rows() -> None:
    dataset = _rare(3, gaps=False)
    level = dataset.features[2].values
    common = np.bincount(level.astype(int)).argmax()
    folds = [Fold(fold.train[level[fold.train] != common], fold.test) for fold in _folds(dataset)[:20]]
    assert _as_scikit_learn(dataset, folds) == (len(folds), 0)


def test_a_number_that_is_constant_in_half_the_folds_takes_a_direction_away() -> None:
    """With more classes than columns the class means then lie in fewer directions."""
    rng = np.random.default_rng(2)
    y = rng.permutation(np.arange(ROWS) % 6).astype(float)
    numbers = np.column_stack([rng.normal(size=(ROWS, 3)) + 0.6 * (y[:, None] == [1, 2, 3]), np.zeros(ROWS)])
    numbers[7, 3] = 0.5
    features = tuple(Feature(f"x{place}", column) for place, column in enumerate(numbers.T))
    dataset = Dataset("constant", features, y, tuple("uvwxyz"))
    folds = _folds(dataset)
    together, _ = _as_scikit_learn(dataset, folds)
    assert together >= 0.95 * len(folds)


@pytest.mark.parametrize(
    ("unknown", "scaled"), [("ignore", True), ("error", False), *slow(("ignore", False), ("error", True))]
)
def test_encoders_that_refuse_a_category_still_do(unknown: str, scaled: bool) -> None:
    pytest.importorskip("pandas")
    from sklearn.compose import ColumnTransformer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    dataset = _rare(3, gaps=False)
    ones = OneHotEncoder(handle_unknown=unknown, sparse_output=False)
    columns = ColumnTransformer([("n", "passthrough", ["x0", "x1"]), ("c", ones, ["l0", "l1", "l4"])])
    steps = [columns, *[StandardScaler()] * scaled, LinearDiscriminantAnalysis()]
    chosen = [dataset.features[place] for place in (0, 1, 2, 3, 6)]
    small = Dataset("refused", tuple(chosen), dataset.y, dataset.classes)
    check_sharing(share, learner_of_estimator(make_pipeline(*steps)), datasets=[small], folds=_folds(small)[::4])


def _with_own_value(own: float, usual: float) -> Dataset:
    """Two numbers, and one that has a value of its own in every row of one class alone."""
    rng = np.random.default_rng(4)
    y = rng.permutation(np.arange(ROWS) % 3).astype(float)
    numbers = np.column_stack([y, y == 1, np.where(y == 1, own, usual)])
    numbers[:, :2] += rng.normal(size=(ROWS, 2))
    features = tuple(Feature(f"x{place}", column) for place, column in enumerate(numbers.T))
    return Dataset(f"{own} in one class", features, y, ("u", "v", "w"))


def test_a_number_that_every_class_has_constant_counts_for_nothing_where_its_means_do_not_round() -> None:
    dataset = _with_own_value(3.0, 1.5)
    folds = _folds(dataset)
    assert _as_scikit_learn(dataset, folds) == (len(folds), 0)


@pytest.mark.parametrize(("own", "usual"), [(0.48, 1.0), (1.0, 0.48)])
def test_where_its_means_round_the_plain_way_decides(own: float, usual: float) -> None:
    dataset = _with_own_value(own, usual)
    folds = _folds(dataset)[::3]
    assert _as_scikit_learn(dataset, folds) == (0, len(folds))


def test_means_of_scaled_whole_numbers_round_too() -> None:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    dataset = _with_own_value(3.0, 1.0)
    learner = learner_of_estimator(make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()))
    check_sharing(share, learner, datasets=[dataset], folds=_folds(dataset)[::4])


def test_a_tolerance_that_keeps_rounding_is_not_shared() -> None:
    dataset = _rare(3, gaps=False)
    assert way_for(learner_of("lda", params={"tol": 1e-12}), dataset, [share]) is None
    assert way_for(learner_of("lda", params={"tol": 1e-5}), dataset, [share]) is not None


@pytest.mark.parametrize("tol", [0.02, 0.2])
def test_directions_that_a_large_tolerance_drops(tol: float) -> None:
    rng = np.random.default_rng(9)
    y = rng.permutation(np.arange(ROWS) % 4).astype(float)
    numbers = 2.0 * (y[:, None] == [1, 2, 3]) * [3.0, 0.1, 0.3] + rng.normal(size=(ROWS, 3))
    close = numbers[:, 2] + 0.1 * rng.normal(size=ROWS)
    features = tuple(Feature(f"x{place}", column) for place, column in enumerate([*numbers.T, close]))
    dataset = Dataset("nearly one direction", features, y, tuple("uvwx"))
    check_sharing(share, learner_of("lda", params={"tol": tol}), datasets=[dataset], folds=_folds(dataset)[::3])


def test_the_two_kinds_of_loops_give_the_least_norm_solutions() -> None:
    pytest.importorskip("numba")
    from bestofk.sharing import arrays, loops

    rng = np.random.default_rng(6)
    rows = rng.normal(size=(12, 60, 7))
    rows[:6, :, 4] = rows[:6, :, 0] - rows[:6, :, 1]  # of the first six folds columns determine one another
    rows[3:9, :, 5] = 0.0
    stack = np.einsum("fna,fnb->fab", rows, rows) / 60.0
    right = rng.normal(size=(12, 3, 7))
    expected = right @ np.linalg.pinv(stack, rcond=1e-10, hermitian=True)
    for kind in (arrays, loops):
        answers, ranks, sizes = kind.solutions(stack, right, 1e-4, 1e-11)
        assert np.allclose(answers, expected, rtol=1e-9, atol=1e-11), kind.__name__
        assert ranks.tolist() == np.linalg.matrix_rank(stack, hermitian=True).tolist()
        assert np.isfinite(sizes).all()
    rows[0, :, 6] = rows[0, :, 5] + 1e-4 * rng.normal(size=60)  # a direction of about the spread that decides
    unclear = np.einsum("fna,fnb->fab", rows[:1], rows[:1]) / 60.0
    for kind in (arrays, loops):
        assert np.isinf(kind.solutions(unclear, right[:1], 1e-4, 1e-11)[2][0]), kind.__name__
