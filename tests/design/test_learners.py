"""Learners and measures of a plan."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from bestofk.core.errors import InputError, UnknownName
from bestofk.design.datasets import dataset_of
from bestofk.design.encoding import encoded
from bestofk.design.learners import learner_of, refuse_wrong_task, with_seed
from bestofk.design.learners.estimators import settings_of
from bestofk.design.learners.learner import Encoding
from bestofk.design.learners.shelf import LEARNERS, Shape, shape_of
from bestofk.design.plan.plan import Plan
from bestofk.measures.catalogue import MEASURES, is_larger_better
from bestofk.measures.checks import measure_of, refuse_unfit
from bestofk.measures.counts import class_f1, class_precision, class_recall
from bestofk.measures.predictions import widened
from bestofk.testing import check_learner


@pytest.mark.parametrize("name", LEARNERS.names())
def test_registered(name):
    learner = learner_of(name)
    check_learner(learner)
    assert learner.name == name
    assert learner.complexity is not None


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(C=0.1),
        make_pipeline(StandardScaler(), SVC(kernel="linear")),
        GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=KFold(3, shuffle=True)),
        BaggingClassifier(DecisionTreeClassifier(), n_estimators=3),
        Ridge(),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_estimators(estimator):
    check_learner(learner_of(estimator))


def test_the_checks_find_a_learner_left_to_chance():
    class Chance(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return np.random.default_rng().integers(2, size=len(X))

    Chance.__qualname__ = "Chance"
    learner = learner_of("max")
    broken = type(learner)(learner.name, Picklable(Chance), learner.settings)
    globals()["Chance"] = Chance
    with pytest.raises(AssertionError, match="same seed"):
        check_learner(broken)


class Picklable:
    def __init__(self, make):
        self.make = make

    def __call__(self):
        return self.make()


def test_names():
    assert learner_of(LogisticRegression()).name == "LogisticRegression"
    assert learner_of(make_pipeline(StandardScaler(), SVC())).name == "StandardScaler+SVC"
    assert learner_of(SVC(), name="mine").name == "mine"
    assert learner_of(learner_of("knn"), name="other").fingerprint == learner_of("knn").fingerprint


def test_what_learners_are_by_the_papers_order():
    order = sorted(("nn", "tree", "lgc", "max", "nmc"), key=lambda name: learner_of(name).complexity)
    assert order == ["max", "nmc", "lgc", "tree", "nn"]


def test_settings_are_told_apart():
    prints = {
        learner_of(source, params=params).fingerprint
        for source, params in [
            ("knn", None),
            ("knn", {"n_neighbors": 5}),
            ("nn", None),
            (SVC(), None),
            (SVC(C=2.0), None),
            (SVC(), {"C": 3.0}),
            (make_pipeline(SVC()), None),
            (make_pipeline(SVC(C=2.0)), None),
            (make_pipeline(StandardScaler(), SVC()), None),
            (BaggingClassifier(SVC()), None),
            (BaggingClassifier(SVC(C=2.0)), None),
            (SVC(class_weight={0: 1.0, 1: 2.0}), None),
            (SVC(class_weight={0: 1.0, 1: 3.0}), None),
            (GridSearchCV(SVC(), {"C": np.array([1.0, 2.0])}), None),
            (GridSearchCV(SVC(), {"C": np.array([1.0, 3.0])}), None),
            (GridSearchCV(SVC(), {"C": [1.0]}, cv=KFold(3)), None),
            (GridSearchCV(SVC(), {"C": [1.0]}, cv=KFold(4)), None),
            (FunctionSteps(np.log1p), None),
            (FunctionSteps(np.exp), None),
        ]
    }
    assert len(prints) == 19


def FunctionSteps(function):  # noqa: N802
    return make_pipeline(FunctionTransformer(function), SVC())


def test_the_same_settings_have_the_same_fingerprint():
    named = learner_of("svm", params={"kernel": "rbf", "C": 2.0}, encoding=Encoding())
    assert learner_of(SVC(C=np.float64(2.0))).fingerprint == named.fingerprint
    assert learner_of(SVC(), encoding=Encoding(scale=True)).fingerprint != learner_of(SVC()).fingerprint


def test_new_parameters_and_defaults_of_a_library_leave_the_fingerprint(monkeypatch):
    before = [learner_of(each).fingerprint for each in ("svm", SVC(C=2.0), "lgc", make_pipeline(SVC()))]

    def init(self, *, kernel="linear", C=1.5, more=3):
        self.kernel, self.C, self.more = kernel, C, more

    monkeypatch.setattr(SVC, "__init__", init)
    assert [learner_of(each).fingerprint for each in ("svm", SVC(C=2.0), "lgc", make_pipeline(SVC()))] == before


def test_a_value_of_another_type_is_no_default():
    forest = learner_of(RandomForestRegressor()).fingerprint
    assert learner_of(RandomForestRegressor(max_features=1.0)).fingerprint == forest
    assert learner_of(RandomForestRegressor(max_features=1)).fingerprint != forest


class Base(ClassifierMixin, BaseEstimator):
    def __init__(self, depth=1, width=2):
        self.depth, self.width = depth, width


class HandingOn(Base):
    """As those of XGBoost do."""

    def __init__(self, depth=3, **more):
        super().__init__(depth, **more)

    def get_params(self, deep=True):
        return {"depth": self.depth, "width": self.width}


def test_parameters_that_are_handed_on_to_a_base_class():
    assert settings_of(HandingOn(), "")["params"] == {}
    assert settings_of(HandingOn(width=5), "")["params"] == {"width": 5}
    assert settings_of(HandingOn(depth=1), "")["params"] == {"depth": 1}


def test_who_prepares_the_data():
    assert learner_of(make_pipeline(StandardScaler(), SVC())).encoding.none
    columns = ColumnTransformer([("kinds", OneHotEncoder(), ["kind"])])
    assert learner_of(GridSearchCV(make_pipeline(columns, SVC()), {"svc__C": [1.0]})).encoding.none
    assert learner_of(SVC()).encoding == Encoding()
    assert not learner_of(HistGradientBoostingClassifier()).encoding.impute
    assert learner_of(make_pipeline(SVC()), encoding=Encoding(scale=True)).encoding == Encoding(scale=True)


def test_the_users_estimator_stays_as_it_is():
    estimator = RandomForestClassifier(n_estimators=3)
    learner = learner_of(estimator, params={"max_depth": 2})
    with_seed(learner.make(), 1).fit([[0], [1]], [0, 1])
    assert estimator.max_depth is None
    assert not hasattr(estimator, "estimators_")
    assert not hasattr(learner.make(), "estimators_")
    assert learner.make().max_depth == 2


def test_fresh_estimators_share_nothing():
    learner = learner_of(GridSearchCV(SVC(), {"C": [1.0]}))
    first, second = learner.make(), learner.make()
    assert first.estimator is not second.estimator
    assert pickle.loads(pickle.dumps(learner)).make().param_grid == {"C": [1.0]}


def module_level(X):
    return X


STATE = np.random.RandomState(1)
REFUSED = {
    "lambda": (lambda: FunctionSteps(lambda X: X), "lambda", "define it in a module"),
    "generator": (lambda: RandomForestClassifier(random_state=STATE), "other numbers", "seed"),
    "object without a name": (lambda: SVC(class_weight=object()), "cannot be named", "__repr__"),
    "class": (lambda: SVC, "is a class", "SVC()"),
    "no estimator": (lambda: object(), "is no learner", "get_params"),
}


@pytest.mark.parametrize(("make", "wrong", "fix"), REFUSED.values(), ids=REFUSED)
def test_refused_estimators(make, wrong, fix):
    with pytest.raises(InputError) as caught:
        learner_of(make())
    assert wrong in caught.value.wrong
    assert fix in caught.value.fix


def test_local_functions_are_refused_and_named_ones_taken():
    def local(X):
        return X

    with pytest.raises(InputError, match="local"):
        learner_of(FunctionSteps(local))
    assert learner_of(FunctionSteps(module_level)).settings


def test_an_estimator_that_scikit_learn_cannot_copy():
    class Changing(ClassifierMixin, BaseEstimator):
        def __init__(self, numbers=()):
            self.numbers = list(numbers)

        def fit(self, X, y):
            return self

        def predict(self, X):
            return X

    with pytest.raises(InputError, match="cannot copy"):
        learner_of(Changing())


def test_unknown_names_and_parameters():
    with pytest.raises(UnknownName, match="random-forest"):
        learner_of("random-forrest")
    with pytest.raises(UnknownName) as caught:
        learner_of("knn", params={"n_neighbours": 3})
    assert "'n_neighbors'" in caught.value.fix
    assert "knn" in caught.value.where
    with pytest.raises(InputError, match="already"):
        learner_of(learner_of("knn"), params={"n_neighbors": 3})


def test_seeds_fill_what_is_none_and_nothing_else():
    search = GridSearchCV(
        BaggingClassifier(DecisionTreeClassifier(random_state=5)), {"n_estimators": [1]}, cv=KFold(3, shuffle=True)
    )
    seeded = with_seed(clone(search), 1)
    again, other = with_seed(clone(search), 1), with_seed(clone(search), 2)
    assert seeded.estimator.estimator.random_state == 5
    assert seeded.estimator.random_state == again.estimator.random_state != other.estimator.random_state
    assert seeded.cv.random_state == again.cv.random_state != other.cv.random_state
    assert seeded.cv.random_state != seeded.estimator.random_state
    own = KFold(3, shuffle=True)
    assert with_seed(GridSearchCV(SVC(random_state=0), {}, cv=own), 1).cv.random_state is not None
    assert own.random_state is None
    plain = KNeighborsClassifier()
    assert with_seed(plain, 1) is plain
    assert with_seed(GridSearchCV(SVC(random_state=0), {}, cv=KFold(3)), 1).cv.random_state is None


def test_wrong_tasks():
    iris, diabetes = dataset_of("iris"), dataset_of("diabetes")
    refuse_wrong_task(learner_of("tree"), iris)
    refuse_wrong_task(learner_of("ridge"), diabetes)
    refuse_wrong_task(learner_of(GridSearchCV(make_pipeline(StandardScaler(), Ridge()), {})), diabetes)
    with pytest.raises(InputError, match="ridge is a regressor"):
        refuse_wrong_task(learner_of("ridge"), iris)
    with pytest.raises(InputError, match="tree is a classifier"):
        refuse_wrong_task(learner_of("tree"), diabetes)


# Measures

THEIRS = {
    "error": lambda t, p: 1 - metrics.accuracy_score(t, p),
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": lambda t, p: np.mean(metrics.recall_score(t, p, average=None, labels=np.unique(t))),
    "precision_macro": lambda t, p: metrics.precision_score(t, p, average="macro", zero_division=0),
    "recall_macro": lambda t, p: metrics.recall_score(t, p, average="macro", zero_division=0),
    "f1_macro": lambda t, p: metrics.f1_score(t, p, average="macro", zero_division=0),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
}
TWO = {
    "precision": lambda t, p: metrics.precision_score(t, p, zero_division=0),
    "recall": lambda t, p: metrics.recall_score(t, p, zero_division=0),
    "tpr": lambda t, p: metrics.recall_score(t, p, zero_division=0),
    "tnr": lambda t, p: metrics.recall_score(t, p, pos_label=0, zero_division=0),
    "f1": lambda t, p: metrics.f1_score(t, p, zero_division=0),
    "fpr": lambda t, p: 1 - metrics.recall_score(t, p, pos_label=0, zero_division=0),
    "fnr": lambda t, p: 1 - metrics.recall_score(t, p, zero_division=0),
}


@pytest.mark.parametrize("name", MEASURES.names())
def test_directions_are_those_of_the_evidence(name):
    assert measure_of(name).larger_is_better is is_larger_better(name)
    assert measure_of(name).name == name


@given(st.integers(2, 5), st.integers(1, 30), st.integers(0, 10**6))
def test_counts_give_what_scikit_learn_gives(classes, rows, seed):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.integers(classes, size=rows), rng.integers(classes, size=rows)
    counts = metrics.confusion_matrix(truth, predicted, labels=range(classes))
    certain = len({*truth, *predicted}) == 1
    for name, theirs in THEIRS.items():
        if name in ("kappa", "mcc") and certain:
            assert measure_of(name).compute(counts) == 0.0  # scikit-learn: 0 / 0, or a warning
            continue
        assert measure_of(name).compute(counts) == pytest.approx(theirs(truth, predicted), abs=1e-12), name
    options = {"average": None, "labels": range(classes), "zero_division": 0}
    np.testing.assert_allclose(class_precision(counts), metrics.precision_score(truth, predicted, **options))
    np.testing.assert_allclose(class_recall(counts), metrics.recall_score(truth, predicted, **options))
    np.testing.assert_allclose(class_f1(counts), metrics.f1_score(truth, predicted, **options))


@given(arrays(np.int64, 20, elements=st.integers(0, 1)), arrays(np.int64, 20, elements=st.integers(0, 1)))
def test_two_classes(truth, predicted):
    truth = np.concatenate([truth, [0, 1]])
    predicted = np.concatenate([predicted, [0, 1]])
    counts = metrics.confusion_matrix(truth, predicted)
    for name, theirs in TWO.items():
        assert measure_of(name).compute(counts) == pytest.approx(theirs(truth, predicted), abs=1e-12), name


def test_all_folds_at_once_and_failed_ones():
    counts = np.random.default_rng(1).integers(1, 20, size=(5, 2, 3, 3)).astype(np.uint32)
    counts[2, 1] = 0
    for name in THEIRS:
        scores = measure_of(name).compute(counts)
        assert scores.shape == (5, 2)
        assert np.argwhere(np.isnan(scores)).tolist() == [[2, 1]]
        assert scores[3, 1] == pytest.approx(measure_of(name).compute(counts[3, 1]))


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_probabilities_give_what_scikit_learn_gives(classes, seed):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.integers(classes, size=40)])
    table = np.round(rng.dirichlet(np.ones(classes), size=len(truth)), 2)  # rounded: ties and zeros
    table[:, -1] += 1.0 - table.sum(axis=1)
    table = np.abs(table)
    labels = list(range(classes))
    assert measure_of("log_loss").compute(truth, table) == pytest.approx(metrics.log_loss(truth, table, labels=labels))
    brier = metrics.brier_score_loss(truth, table[:, 1] if classes == 2 else table, labels=labels)
    assert measure_of("brier").compute(truth, table) == pytest.approx(brier)
    auc = metrics.roc_auc_score(truth, table[:, 1] if classes == 2 else table, multi_class="ovr")
    assert measure_of("auc").compute(truth, table) == pytest.approx(auc)


@pytest.mark.parametrize(
    ("truth", "table", "wrong"),
    [
        ([0, 0], [[0.5, 0.5], [0.1, 0.9]], "there is one"),
        ([0, 1], [[0.5, 0.6], [0.1, 0.9]], "row 1"),
        ([0, 1], [[0.5, 0.5], [-0.1, 1.1]], "row 2"),
        ([0, 1], [[0.5, 0.5], [np.nan, 0.9]], "row 2"),
        ([0, 2], [[0.5, 0.5], [0.1, 0.9]], "shape"),
        ([0, 1, 1], [[0.5, 0.5], [0.1, 0.9]], "shape"),
    ],
)
def test_refused_probabilities(truth, table, wrong):
    with pytest.raises(InputError, match=wrong):
        measure_of("auc").compute(truth, table)


def test_classes_that_were_not_trained_on_get_nothing():
    assert widened([[0.2, 0.8]], [0, 2], 4).tolist() == [[0.2, 0.0, 0.8, 0.0]]


@pytest.mark.parametrize("seed", range(3))
def test_numbers_give_what_scikit_learn_gives(seed):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.normal(size=30), rng.normal(size=30)
    assert measure_of("mse").compute(truth, predicted) == pytest.approx(metrics.mean_squared_error(truth, predicted))
    rmse = metrics.root_mean_squared_error(truth, predicted)
    assert measure_of("rmse").compute(truth, predicted) == pytest.approx(rmse)
    assert measure_of("mae").compute(truth, predicted) == pytest.approx(metrics.mean_absolute_error(truth, predicted))
    assert measure_of("r2").compute(truth, predicted) == pytest.approx(metrics.r2_score(truth, predicted))
    for guess in (np.ones(4), np.zeros(4)):
        assert measure_of("r2").compute(np.ones(4), guess) == metrics.r2_score(np.ones(4), guess)


@pytest.mark.parametrize(("truth", "guess"), [([1.0, 2.0], [1.0]), ([1.0], [np.nan]), ([], []), ([[1.0]], [[1.0]])])
def test_refused_numbers(truth, guess):
    for name in ("mse", "rmse", "mae", "r2"):
        with pytest.raises(InputError):
            measure_of(name).compute(truth, guess)


def test_measures_that_data_do_not_allow():
    with pytest.raises(InputError, match="mse is for regression"):
        refuse_unfit(measure_of("mse"), "iris", "classification", 3)
    with pytest.raises(InputError, match="2 classes, and iris has 3") as caught:
        refuse_unfit(measure_of("f1"), "iris", "classification", 3)
    assert "f1_macro" in caught.value.fix
    refuse_unfit(measure_of("f1"), "breast-cancer", "classification", 2)
    with pytest.raises(UnknownName, match="'accuracy'"):
        measure_of("acuracy")


#: How many numbers a fitted estimator of scikit-learn holds for the parameters that the formulas count.
HELD = {
    "nmc": lambda fitted: fitted.centroids_.size,
    "naive-bayes": lambda fitted: fitted.theta_.size + fitted.var_.size + fitted.class_prior_.size - 1,
    "nn": lambda fitted: fitted._fit_X.size + fitted._y.size,
    "svm": lambda fitted: fitted.coef_.size + fitted.intercept_.size,
}


@pytest.mark.parametrize("name", HELD)
def test_parameters_are_those_that_the_fitted_estimator_holds(name):
    dataset = dataset_of("balance" if name == "nmc" else "iris")
    learner = learner_of(name)
    X, _ = encoded(dataset, learner.encoding, np.arange(dataset.rows), np.arange(3))
    fitted = learner.make().fit(X, dataset.y)
    assert learner.parameters(shape_of(dataset, learner.encoding)) == HELD[name](fitted)


def test_parameters_by_hand():
    shape = Shape(rows=100, inputs=4, classes=3)
    counts = {name: learner_of(name).parameters for name in ("max", "lda", "qda", "lgc", "knn", "mean", "ridge")}
    # lgc: two lines of 4 + 1; lda: 12 means, 10 of a symmetric matrix, 2 shares; qda: three such matrices
    by_hand = {"max": 1, "lda": 24, "qda": 44, "lgc": 10, "knn": 500, "mean": 1, "ridge": 5}
    assert {name: count(shape) for name, count in counts.items()} == by_hand
    assert learner_of("c45").parameters is None  # a tree has as many as it grows


def test_inputs_are_counted_as_the_learner_sees_them():
    cars = dataset_of("car")  # six nominal features of 4, 4, 4, 3, 3 and 3 categories
    assert shape_of(cars, Encoding()).inputs == 21
    assert shape_of(cars, Encoding(one_of_n=False)).inputs == 6


def test_a_plan_may_prefer_the_simple_ones():
    plan = Plan(["nn", "c45", "lgc", "max", "nmc"], ["iris"], prior="complexity")
    assert plan.prior == ("max", "nmc", "lgc", "c45", "nn")
    assert plan.fingerprint == Plan(["nn", "c45", "lgc", "max", "nmc"], ["iris"], prior=plan.prior).fingerprint
    with pytest.raises(InputError, match="says how complex SVC"):
        Plan(["nn", SVC()], ["iris"], prior="complexity")
