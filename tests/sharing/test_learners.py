"""Ways of sharing work across folds: the predictions of the plain way, for every learner, kernel and kind of fold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.learners import learner_of
from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding
from bestofk.sharing import way_for
from bestofk.sharing.shelf import SHARING
from bestofk.testing.design import check_sharing, example_datasets, example_folds
from makers import slow

OF_LEARNER = {
    "max": "most-frequent",
    "nmc": "nearest-mean",
    "naive-bayes": "naive-bayes",
    "lda": "linear-discriminant",
    "qda": "quadratic-discriminant",
    "nn": "nearest-neighbours",
    "lgc": "logistic",
}


@pytest.mark.parametrize("name", OF_LEARNER)
def test_registered_learners_predict_as_fold_by_fold(name: str, loops: str) -> None:
    if name == "nn" and loops == "numpy":
        pytest.skip("without numba neighbours run the plain way")
    check_sharing(SHARING[OF_LEARNER[name]], learner_of(name))


@pytest.mark.slow
def test_several_neighbours_vote_as_fold_by_fold() -> None:
    pytest.importorskip("numba")
    for votes in (2, 5):
        check_sharing(SHARING["nearest-neighbours"], learner_of("knn", params={"n_neighbors": votes}))


@pytest.mark.slow
def test_logistic_regression_reaches_the_tight_optimum(loops: str) -> None:
    tight = learner_of("lgc", params={"solver": "newton-cholesky", "tol": 1e-10})
    check_sharing(SHARING["logistic"], tight)


@pytest.mark.parametrize("votes", [1, *slow(4)])
def test_scikit_learns_own_neighbours_differ_in_ties_only(votes: int) -> None:
    pytest.importorskip("numba")
    from sklearn.neighbors import KNeighborsClassifier

    learner = learner_of_estimator(KNeighborsClassifier(votes), encoding=Encoding(scale=True))
    check_sharing(SHARING["nearest-neighbours"], learner)


def _pipelines() -> list[object]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

    return [
        NearestCentroid(),
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(reg_param=0.1),
        GaussianNB(var_smoothing=1e-3),
        LogisticRegression(C=0.5, solver="newton-cholesky", tol=1e-10),
        DummyClassifier(),
        KNeighborsClassifier(3),
    ]


@pytest.mark.parametrize("last", [0, 3, *slow(1, 2, 4, 5, 6)])
def test_pipelines_on_raw_data_are_recognised(last: int) -> None:
    pytest.importorskip("numba")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    estimator = make_pipeline(StandardScaler(), _pipelines()[last])
    numbers = [each for each in example_datasets() if not any(f.nominal for f in each.features)]
    for dataset in numbers:
        way = way_for(learner_of_estimator(estimator), dataset, SHARING.values())
        assert way is not None, dataset.name
        check_sharing(lambda case, way=way: _first(case), learner_of_estimator(estimator), datasets=[dataset])


def _first(case: object) -> object:
    return next((way for way in (share(case) for share in SHARING.values()) if way is not None), None)


@pytest.mark.parametrize(
    ("unknown", "scaled"), [("ignore", True), *slow(*product(["ignore", "error"], [False]), ("error", True))]
)
def test_categories_in_a_column_transformer(unknown: str, scaled: bool) -> None:
    pytest.importorskip("pandas")
    from sklearn.compose import ColumnTransformer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    ones = OneHotEncoder(handle_unknown=unknown, sparse_output=False)
    numbers = StandardScaler() if scaled else "passthrough"
    columns = ColumnTransformer([("n", numbers, ["a", "c"]), ("c", ones, ["b"])])
    equal = next(each for each in example_datasets() if each.name == "equal rows")
    check_sharing(SHARING["naive-bayes"], learner_of_estimator(make_pipeline(columns, GaussianNB())), datasets=[equal])


def _unsupported() -> list[object]:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.tree import DecisionTreeClassifier

    return [
        KNeighborsClassifier(weights="distance"),
        KNeighborsClassifier(metric="manhattan"),
        NearestCentroid(shrink_threshold=0.1),
        NearestCentroid(priors="empirical"),
        LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1),
        LinearDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
        QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.2),
        GaussianNB(priors=[0.2, 0.3, 0.5]),
        LogisticRegression(class_weight="balanced"),
        LogisticRegression(fit_intercept=False),
        LogisticRegression(max_iter=5),
        DummyClassifier(strategy="stratified"),
        DecisionTreeClassifier(),
        make_pipeline(MinMaxScaler(), NearestCentroid()),
    ]


@pytest.mark.parametrize("number", range(14))
def test_unsupported_parameters_run_the_plain_way(number: int) -> None:
    estimator = _unsupported()[number]
    assert way_for(learner_of_estimator(estimator), example_datasets()[0], SHARING.values()) is None


def test_a_derived_class_is_not_recognised() -> None:
    from sklearn.neighbors import NearestCentroid

    class Mine(NearestCentroid):  # type: ignore[misc]
        def predict(self, X: object) -> object:
            return np.zeros(len(X), dtype=int)  # type: ignore[arg-type]

    Mine.__module__ = "mine"
    learner = learner_of("nmc")
    mine = type(learner)("mine", Mine, {}, learner.encoding)
    assert way_for(mine, example_datasets()[0], SHARING.values()) is None


def test_gaps_that_the_plain_way_refuses_are_not_shared() -> None:
    raw = np.array([[1.0, np.nan], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]])
    features = tuple(Feature(name, raw[:, place]) for place, name in enumerate("ab"))
    dataset = Dataset("gaps", features, np.array([0.0, 0, 1, 1]), ("u", "v"), raw=raw)
    from sklearn.naive_bayes import GaussianNB

    learner = learner_of_estimator(GaussianNB(), encoding=Encoding(none=True))
    assert way_for(learner, dataset, SHARING.values()) is None


def test_single_precision_is_not_shared() -> None:
    from sklearn.naive_bayes import GaussianNB

    first = example_datasets()[0]
    raw = np.column_stack([feature.values for feature in first.features]).astype(np.float32)
    dataset = Dataset("single", first.features, first.y, first.classes, raw=raw)
    learner = learner_of_estimator(GaussianNB(), encoding=Encoding(none=True))
    assert way_for(learner, dataset, SHARING.values()) is None


def test_ties_between_equal_rows_go_to_the_lowest_and_are_counted() -> None:
    pytest.importorskip("numba")
    values = np.array([0.0, 0.0, 5.0, 6.0, 0.0, 9.0])
    dataset = Dataset("ties", (Feature("a", values),), np.array([1.0, 0, 0, 1, 0, 1]), ("u", "v"))
    way = way_for(learner_of("nn"), dataset, [SHARING["nearest-neighbours"]])
    assert way is not None
    folds = example_folds(dataset)[:0]
    from bestofk.design.folds.base import Fold

    folds = [Fold(np.array([0, 1, 2, 3]), np.array([4, 5]))]
    assert way.predict(folds)[0].tolist() == [1, 1]
    assert way.ties == 1


def test_the_check_finds_a_wrong_sharing() -> None:
    class Wrong:
        name, ties, plain_folds = "wrong", 0, 0

        def __init__(self, right: object) -> None:
            self.right = right

        def predict(self, folds: object) -> object:
            answers = [answer.copy() for answer in self.right.predict(folds)]  # type: ignore[attr-defined]
            answers[0][0] = (answers[0][0] + 1) % 2
            return answers

    with pytest.raises(AssertionError, match=r"1 differ.*0 ties"):
        check_sharing(lambda case: Wrong(SHARING["most-frequent"](case)), learner_of("max"))
