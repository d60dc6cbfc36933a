"""Estimators of scikit-learn compared on one set of folds, and searches that refit by preference."""

import pickle
import warnings
from time import sleep

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Lasso, Ridge
from sklearn.metrics import make_scorer, root_mean_squared_error
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import bestofk as bk
from makers import codes, slow

X, Y = load_iris(return_X_y=True)
NUMBERS = load_diabetes(return_X_y=True)
EVEN = np.arange(0, 150, 2)
PAIR = {"bayes": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
LINES = {"ridge": Ridge(), "lasso": Lasso()}


class Fits(ClassifierMixin, BaseEstimator):
    """Counts its fits, and fails where the first row it is given is in the upper half of iris."""

    fits = 0

    def __init__(self, fails=False):
        self.fails = fails

    def fit(self, inputs, classes):
        Fits.fits += 1
        if self.fails and classes[0] == 1:
            raise RuntimeError("no\nway")
        self.classes_ = np.unique(classes)
        return self

    def predict(self, inputs):
        return np.zeros(len(inputs), dtype=int)


# --- compare_estimators -----------------------------------------------------------------------------------------------


def test_the_default_is_five_stratified_halves_for_all():
    scores = bk.compare_estimators(PAIR, X, Y, seed=3).evidence
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=3)
    assert (scores.learners, scores.measure, scores.values.shape) == (("bayes", "lda"), "accuracy", (2, 1, 5, 2))
    for place, each in enumerate(PAIR.values()):
        np.testing.assert_array_equal(scores.values[place].ravel(), cross_val_score(each, X, Y, cv=cv))
    assert scores.origin.assumed == ()
    assert set(scores.costs) == {"fit_time", "predict_time"}
    lines = bk.compare_estimators(LINES, *NUMBERS).evidence
    expected = cross_val_score(Ridge(), *NUMBERS, cv=RepeatedKFold(n_splits=2, n_repeats=5, random_state=0))
    np.testing.assert_array_equal(lines.values[0].ravel(), expected)
    assert lines.measure == "r2"


@pytest.mark.parametrize(
    ("cv", "shape", "share", "divided"),
    [
        (5, (1, 5), None, ""),
        (KFold(5, shuffle=True), (1, 5), None, ""),
        (RepeatedStratifiedKFold(n_splits=5, n_repeats=3), (3, 5), None, ""),
        (ShuffleSplit(6, test_size=0.3), (6, 1), 0.3, ""),
        (TimeSeriesSplit(4), (1, 4), (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4, "growing"),
        ([(EVEN, EVEN + 1), (EVEN + 1, EVEN)], (1, 2), None, ""),
    ],
)
def test_the_folds_are_the_same_for_all_and_known(cv, shape, share, divided):
    shuffled = np.random.default_rng(0).permutation(150)
    twins = {"one": GaussianNB(), "other": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    scores = bk.compare_estimators(twins, X[shuffled], Y[shuffled], cv=cv).evidence
    np.testing.assert_array_equal(scores.values[0], scores.values[1])
    assert scores.values.shape[2:] == shape
    assert scores.divided == divided
    if divided:
        share = share / (1 + share)  # of test rows per training row
    assert scores.test_fraction == (None if share is None else pytest.approx(share, abs=1e-12))
    assert scores.origin.assumed == ()


def test_whole_numbers_are_stratified_and_groups_stay_together():
    scores = bk.compare_estimators(PAIR, X, Y, cv=5).evidence
    np.testing.assert_array_equal(scores.values[0].ravel(), cross_val_score(GaussianNB(), X, Y, cv=StratifiedKFold(5)))
    groups = np.arange(150) % 7
    expected = cross_val_score(GaussianNB(), X, Y, cv=GroupKFold(7), groups=groups)
    scores = bk.compare_estimators(PAIR, X, Y, groups=groups).evidence
    np.testing.assert_array_equal(scores.values[0].ravel(), expected)


@pytest.mark.parametrize("n_jobs", [None, *slow(2)])
def test_negated_losses_are_turned_back(n_jobs):
    options = {"cv": 5, "n_jobs": n_jobs}
    expected = -cross_val_score(Ridge(), *NUMBERS, cv=5, scoring="neg_root_mean_squared_error")
    by_name = bk.compare_estimators(LINES, *NUMBERS, scoring="neg_root_mean_squared_error", **options)
    by_hand = {"rmse": make_scorer(root_mean_squared_error, greater_is_better=False)}
    for verdict in (by_name, bk.compare_estimators(LINES, *NUMBERS, scoring=by_hand, **options)):
        scores = verdict.evidence
        assert (scores.measure, scores.larger_is_better) == ("rmse", False)
        np.testing.assert_allclose(scores.values[0].ravel(), expected)
        assert verdict.order == ("ridge", "lasso")


def test_of_several_scorers_the_first_or_the_one_that_is_named():
    both = ["r2", "neg_mean_absolute_error"]
    scores = bk.compare_estimators(LINES, *NUMBERS, cv=3, scoring=both).evidence
    assert (scores.measure, set(scores.others)) == ("r2", {"mae"})
    assert (scores.others["mae"] > 0).all()
    for measure in ("mae", "neg_mean_absolute_error"):
        scores = bk.compare_estimators(LINES, *NUMBERS, cv=3, scoring=both, measure=measure).evidence
        assert (scores.measure, scores.larger_is_better) == ("mae", False)

    def own(estimator, inputs, truth):
        return {"first": 1.0, "second": estimator.score(inputs, truth)}

    scores = bk.compare_estimators(LINES, *NUMBERS, cv=3, scoring=own, measure="second").evidence
    np.testing.assert_array_equal(scores.values[0].ravel(), cross_val_score(Ridge(), *NUMBERS, cv=3))


class Slow(LinearDiscriminantAnalysis):
    """Takes its time."""

    def fit(self, inputs, classes):
        sleep(0.05)
        return super().fit(inputs, classes)


def test_settings_of_judge_are_passed_on():
    settings = {"prior": "fit-time", "within": 0.2, "alpha": 0.1}
    verdict = bk.compare_estimators({"slow": Slow(), "bayes": GaussianNB()}, X, Y, **settings)
    assert verdict.provenance.settings["alpha"] == 0.1
    assert verdict.ordering.prior == ("bayes", "slow")
    assert (verdict.status, verdict.best) == ("within", "bayes")
    assert bk.judge(verdict.evidence, **settings).best == "bayes"


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"prior": "fit-tme"}, "fit-tme"),
        ({"prior": ["a"]}, "does not name"),
        ({"control": "c"}, "unknown"),
        ({"alhpa": 0.1}, "alhpa"),
        ({"test": "wilcoxon"}, "wilcoxon"),
        ({"within": 2}, "within is 2"),
        ({"scoring": "acuracy"}, "acuracy"),
        ({"scoring": ["accuracy"], "measure": "f1"}, "f1"),
        ({"cv": 1}, "cannot be divided"),
        ({"cv": [([0, 1], [2, 3]), ([0], [2, 3, 4])]}, "test data"),
        ({"groups": [1, 2]}, "cannot be divided"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_fitted(options, wrong):
    Fits.fits = 0
    with pytest.raises(bk.InputError, match=wrong) as error:
        bk.compare_estimators({"a": Fits(), "b": Fits()}, X, Y, **options)
    assert Fits.fits == 0
    assert str(error.value).count("\n") == 2


@pytest.mark.parametrize(
    ("estimators", "wrong"),
    [
        ({"a": GaussianNB()}, "the estimators are"),
        (GaussianNB(), "the estimators are"),
        (3, "the estimators are"),
        ([GaussianNB, SVC()], "the class GaussianNB"),
        ({"a": "nb", "b": SVC()}, "'nb'"),
        ([SVC(), SVC()], "named twice"),
        ({"a": GaussianNB(), "b": Ridge()}, "no score in common"),
    ],
)
def test_what_is_no_two_estimators_is_refused(estimators, wrong):
    with pytest.raises(bk.InputError, match=wrong) as error:
        bk.compare_estimators(estimators, X, Y)
    assert str(error.value).count("\n") == 2


def test_a_list_is_named_by_class_and_by_what_differs():
    svms = [make_pipeline(StandardScaler(), SVC(C=c, kernel="linear")) for c in (0.1, 1)]
    deep = [KNeighborsClassifier(1, weights="distance"), KNeighborsClassifier(3), GaussianNB(), SVC()]
    found = bk.compare_estimators([*svms, *deep], X, Y, cv=3).evidence.learners
    assert found == (
        *("StandardScaler+SVC(C=0.1)", "StandardScaler+SVC(C=1)"),
        "KNeighborsClassifier(n_neighbors=1 weights=distance)",
        "KNeighborsClassifier(n_neighbors=3 weights=uniform)",
        *("GaussianNB", "SVC"),
    )
    assert bk.compare_estimators([*svms, GaussianNB()], X, Y, cv=3).evidence.learners[0] == "SVC(C=0.1)"


@pytest.mark.parametrize("n_jobs", [None, *slow(2)])
def test_a_failed_fit_names_estimator_and_fold(n_jobs):
    folds = list(KFold(3).split(X))  # the last two train on the first rows, of class 0; the first on class 1
    learners = {"nb": GaussianNB(), "own": Fits(fails=True)}
    with pytest.raises(bk.InputError, match="own failed: RuntimeError: no way") as error:
        bk.compare_estimators(learners, X, Y, cv=[*folds[1:], folds[0]], n_jobs=n_jobs)
    assert error.value.where.endswith("estimator own, fold 3")
    assert str(error.value).count("\n") == 2


def test_failed_fits_are_left_out_where_that_is_asked_for():
    learners = {**PAIR, "own": Fits(fails=True)}
    verdict = bk.compare_estimators(learners, X, Y, cv=KFold(3), missing="drop-learners")
    assert set(verdict.order) == {"bayes", "lda"}
    assert "K122" in codes(verdict)
    with pytest.raises(bk.InputError, match="all fits failed"):
        bk.compare_estimators({"a": Fits(fails=True), "b": Fits(fails=True)}, X[50:], Y[50:], missing="drop-learners")


def test_a_search_is_an_estimator_and_short_work_says_nothing(capsys):
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    verdict = bk.compare_estimators({"knn": search, "bayes": GaussianNB()}, X, Y, cv=4)
    np.testing.assert_array_equal(verdict.evidence.values[0].ravel(), cross_val_score(search, X, Y, cv=4))
    assert capsys.readouterr().err == ""
    assert "K139" not in codes(verdict)


# --- refit ------------------------------------------------------------------------------------------------------------


def results(scores, **columns):
    """What a search over the parameter ``a`` hands to refit."""
    scores = np.asarray(scores, dtype=float)
    splits = {f"split{i}_test_score": column for i, column in enumerate(scores.T)}
    names = [{"a": place} for place in range(len(scores))]
    return {"params": names, "mean_fit_time": -np.arange(len(scores)), **splits, **columns}


def chosen(scores, warn=None, **options):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        place = bk.refit(**options)(scores)
    assert [warn in str(each.message) for each in said] == ([] if warn is None else [True])
    return place


def test_the_preferred_candidate_is_taken_where_it_is_shown_within():
    rng = np.random.default_rng(1)
    best = rng.normal(0.9, 0.02, 10)
    other = best - rng.normal(0.01, 0.01, 10)
    loss = best - other
    # one side of the corrected t interval of ten folds: a test set is a ninth of a training set
    bound = loss.mean() + stats.t.ppf(0.95, 9) * np.sqrt(loss.var(ddof=1) * (1 / 10 + 1 / 9))
    found = results([best, other])  # the second is faster
    assert chosen(found, prefer="fit-time", within=1.001 * bound) == 1
    assert chosen(found, prefer="fit-time", within=0.999 * bound) == 0
    assert chosen(found, prefer=lambda params: params["a"], within=1.001 * bound) == 0


def test_without_a_margin_it_is_the_preferred_of_the_set_of_the_best():
    rng = np.random.default_rng(2)
    base = rng.normal(0.8, 0.02, 10)
    scores = [base + rng.normal(0, 0.01, 10), base + rng.normal(0, 0.01, 10), base - 0.3 + rng.normal(0, 0.01, 10)]
    found = results(scores, param_a=np.ma.array([2, None, 1], dtype=object), param_b__c=[3, 2, 1])
    judged = bk.judge(bk.read(dict(zip("xyz", scores, strict=True)), measure="accuracy"))
    assert set(judged.best_set) == {"x", "y"}
    assert chosen(found, prefer="param_a") == chosen(found, prefer="a") == 0  # None comes last
    assert chosen(found, prefer="c") == chosen(found, prefer="fit-time") == 1
    tied = results(scores, param_a=[1, 1, 1])
    assert chosen(tied, prefer="a") == int(np.argmax(np.mean(scores, axis=1)))


def test_where_nothing_is_shown_the_best_mean_is_taken_with_a_warning():
    rng = np.random.default_rng(3)
    scores = rng.normal(0.8, 0.05, (3, 10))
    best = int(scores.mean(axis=1).argmax())
    for options, warn in (
        ({"prefer": "fit-time", "within": 1e-6}, "within 1e-06"),
        ({"prefer": "price"}, "price"),
        ({"prefer": "a"}, "no numbers"),
        ({"prefer": lambda params: params["b"]}, "KeyError"),
        ({"prefer": "fit-time", "replications": 3}, "replication"),
        ({"prefer": "score-time"}, "score-time"),
    ):
        assert chosen(results(scores, param_a=["x", "y", "z"]), warn, **options) == best
    assert chosen(results(scores[:, :2]), "2 splits", prefer="fit-time") == int(scores[:, :2].mean(axis=1).argmax())


def test_a_margin_that_anybody_is_within_is_told():
    scores = np.random.default_rng(3).normal(0.8, 0.05, (3, 10))
    for unit in (1, -1):
        warn = "no two results differ by more than a margin of 3"
        assert chosen(results(unit * scores), warn, prefer="fit-time", within=3) == 2


def test_candidates_that_failed_are_passed_over():
    rng = np.random.default_rng(4)
    scores = 0.8 + rng.normal(0, 0.01, 10) + rng.normal(0, 0.002, (3, 10))
    scores[2, 4] = np.nan
    assert chosen(results(scores), prefer="fit-time", within=0.02) == 1
    scores[1] = np.nan
    assert chosen(results(scores), prefer="fit-time", within=0.02) == 0
    scores[0, 3] = np.nan
    assert chosen(results(scores), "every candidate failed", prefer="fit-time") in (0, 2)


def test_many_splits_must_be_told():
    rng = np.random.default_rng(5)
    scores = 0.8 + rng.normal(0, 0.01, 15) + rng.normal(0, 0.002, (2, 15))
    assert chosen(results(scores), "15 splits", prefer="fit-time", within=0.02) == 1
    assert chosen(results(scores), prefer="fit-time", within=0.02, replications=3) == 1
    assert chosen(results(scores), prefer="fit-time", within=0.02, test_fraction=0.1) == 1


def test_a_search_of_pipelines_with_candidates_that_fail():
    grid = {"svc__C": [-1, 0.001, 0.1, 1, 10]}
    rule = bk.refit(prefer="C", within=0.1)
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=StratifiedKFold(10), error_score=np.nan)
    search.set_params(refit=rule)
    with pytest.warns(FitFailedWarning, match="fits failed"), pytest.warns(UserWarning, match="non-finite"):
        clone(search).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X, Y)
    verdict = bk.judge(search, within=0.1, prior=["C=0.001", "C=0.1", "C=1", "C=10"], missing="drop-learners")
    assert f"C={search.best_params_['svc__C']:g}" == verdict.best
    again = pickle.loads(pickle.dumps(search))
    assert (again.best_index_, again.refit) == (search.best_index_, rule)
    np.testing.assert_array_equal(again.predict(X), search.predict(X))


def test_several_scorers_halving_and_random_searches():
    tree = DecisionTreeClassifier(random_state=0)
    depths = {"max_depth": [1, 2, 3, None]}
    options = {"scoring": {"right": "accuracy", "prob": "neg_log_loss"}, "cv": 10}
    rule = bk.refit(prefer="max_depth", within=0.05, measure="right")
    assert GridSearchCV(tree, depths, refit=rule, **options).fit(X, Y).best_params_ == {"max_depth": 3}
    asked = []
    halving = HalvingGridSearchCV(tree, depths, refit=asked.append, min_resources=60, factor=2, cv=5, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        halving.fit(X, Y)
    found = halving.cv_results_
    last = np.flatnonzero(found["iter"] == found["iter"].max())
    assert (asked, len(last) < len(depths["max_depth"])) == ([], True)  # scikit-learn asks no rule here: see the guide
    smallest, largest = "max_depth", lambda params: -(params["max_depth"] or 9)
    places = {bk.refit(prefer=by, within=0.12)(found) for by in (smallest, largest)}
    assert len(places) == len(last) > 1
    assert places == set(last)
    random = RandomizedSearchCV(tree, {"max_depth": stats.randint(1, 4)}, n_iter=6, cv=10, random_state=0)
    random.set_params(refit=bk.refit(prefer="max_depth", within=0.05)).fit(X, Y)  # the same depth more than once
    assert random.best_params_ == {"max_depth": 3}


def test_a_rule_shows_itself_and_wrong_ones_are_refused_at_once():
    assert repr(bk.refit(prefer="fit-time", within=0.01)) == "refit(prefer='fit-time', within=0.01, alpha=0.05)"
    for options in ({"prefer": 3}, {"within": 0}, {"within": "1%"}, {"alpha": 2}, {"alpha": 0.6}):
        with pytest.raises(bk.InputError) as error:
            bk.refit(**{"prefer": "a", **options})
        assert str(error.value).count("\n") == 2
