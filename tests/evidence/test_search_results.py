"""Fitted searches of scikit-learn: names, folds, measures and halving."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    LeaveOneOut,
    RandomizedSearchCV,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import bestofk as bk
from bestofk.evidence import evidence
from makers import ROOT, codes

rng = np.random.default_rng(0)
ROWS = rng.permutation(150)
X, Y = (each[ROWS] for each in load_iris(return_X_y=True))
BAYES = {"var_smoothing": [1e-9, 0.1]}


def fitted(estimator=None, grid=BAYES, *, rows=150, groups=None, **options):
    search = GridSearchCV(GaussianNB() if estimator is None else estimator, grid, **options)
    return search.fit(X[:rows], Y[:rows], groups=groups)


def test_names_have_what_differs_and_no_more():
    search = fitted(SVC(), {"C": [1, 10], "kernel": ["rbf"], "gamma": ["scale"]}, cv=3)
    assert bk.read(search).learners == bk.read(search.cv_results_).learners == ("C=1", "C=10")
    pipe = Pipeline([("scale", StandardScaler()), ("clf", SVC())])
    parts = {"clf": [SVC(C=0.1), SVC(C=1.0), LogisticRegression()], "scale": [StandardScaler(), "passthrough"]}
    names = bk.read(fitted(pipe, parts, cv=3)).learners
    assert names[:2] == ("clf=SVC(C=0.1) scale=StandardScaler", "clf=SVC(C=0.1) scale=passthrough")
    assert names[-1] == "clf=LogisticRegression scale=passthrough"
    nested = {"scale__with_mean": [True, False], "clf__C": [1.0]}
    assert bk.read(fitted(pipe, nested, cv=3)).learners == ("with_mean=True", "with_mean=False")
    one = {"svm": fitted(SVC(), {"C": [1]}, cv=3), "nb": fitted(cv=3)}
    assert bk.read(one).learners == ("svm", "nb: var_smoothing=1e-09", "nb: var_smoothing=0.1")


@pytest.mark.parametrize(
    ("cv", "shape", "share", "divided"),
    [
        (None, (1, 5), None, ""),
        (4, (1, 4), None, ""),
        (RepeatedStratifiedKFold(n_splits=5, n_repeats=3), (3, 5), None, ""),
        (ShuffleSplit(4, test_size=0.25), (4, 1), 0.25, ""),
        (TimeSeriesSplit(3), (1, 3), 0.61111 / 1.61111, "growing"),  # the mean of 1, 1/2 and 1/3
        (GroupKFold(5), (1, 5), None, ""),
        (list(KFold(3).split(X)) + list(KFold(3, shuffle=True, random_state=1).split(X)), (2, 3), None, ""),
    ],
)
def test_a_search_says_how_it_divided_the_rows(cv, shape, share, divided):
    search = fitted(cv=cv, groups=np.arange(150) % 10 if isinstance(cv, GroupKFold) else None)
    found = bk.read(search)
    assert found.values.shape[2:] == shape
    splits = [search.cv_results_[f"split{i}_test_score"] for i in range(np.prod(shape))]
    np.testing.assert_array_equal(found.values.reshape(2, -1), np.transpose(splits))
    assert (found.divided, found.test_fraction) == (divided, share if share is None else pytest.approx(share, abs=1e-4))
    assert "K114" not in codes(bk.judge(search))


def test_leave_one_out_is_one_replication():
    found = bk.read(fitted(cv=LeaveOneOut(), rows=20))
    assert found.values.shape[2:] == (1, 20)
    assert found.origin.assumed == ("searched",)


def test_what_a_search_cannot_say_is_assumed_and_what_a_person_says_counts():
    folds = KFold(3).split(X)  # used up by the search
    for cv in (folds, ShuffleSplit(4, test_size=30), TimeSeriesSplit(3, gap=2)):
        assert "one-replication" in bk.read(fitted(cv=cv)).origin.assumed
    assert bk.read(fitted(cv=ShuffleSplit(4, test_size=30)), test_fraction=0.2).test_fraction == 0.2
    assert bk.read(fitted(cv=6), replications=3).values.shape[2:] == (3, 2)


def test_searches_on_folds_of_their_own_are_not_put_together():
    drawn = {name: fitted(cv=KFold(3, shuffle=True)) for name in "ab"}
    with pytest.raises(bk.InputError, match="without a seed") as error:
        bk.read(drawn)
    assert str(error.value).count("\n") == 2
    seeded = {name: fitted(cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)) for name in "ab"}
    found = bk.read(seeded)
    np.testing.assert_array_equal(found.values[:2], found.values[2:])
    assert found.values.shape == (4, 1, 2, 3)
    mixed = {"a": fitted(cv=6), "b": seeded["b"]}  # as many splits, of another kind
    assert bk.read(mixed).values.shape == (4, 1, 1, 6)
    assert "one-replication" in bk.read(mixed).origin.assumed


def test_the_scorer_names_the_measure_and_negated_losses_are_turned_back():
    search = fitted(cv=4, scoring="neg_log_loss")
    found = bk.read(search)
    assert (found.measure, found.larger_is_better) == ("log_loss", False)
    np.testing.assert_allclose(list(found.means().values()), -search.cv_results_["mean_test_score"])
    both = fitted(cv=4, scoring=["f1_macro", "neg_log_loss"], refit=False)
    by_name = bk.read(both, measure="neg_log_loss")
    np.testing.assert_allclose(by_name.values, found.values)
    assert by_name.costs["f1_macro"].keys() == set(by_name.learners)
    other = bk.read(both, measure="f1_macro")
    np.testing.assert_allclose(other.others["log_loss"], found.values)
    assert min(other.costs["log_loss"].values()) > 0
    for name, larger in (("log_loss", False), ("neg_log_loss", True)):
        measures = bk.read(both, on=["f1_macro", name]).measures
        assert [each.larger_is_better for each in measures] == [True, larger]


def test_the_best_of_a_search_is_said_to_look_too_good():
    search = fitted(cv=10)
    for source in (search, search.cv_results_, {"a": search, "b": search}):
        assert "K139" in codes(bk.judge(source))


def test_a_random_search_may_draw_a_setting_again():
    search = RandomizedSearchCV(GaussianNB(), {"var_smoothing": [0.1, 0.2]}, n_iter=2, cv=3, random_state=0).fit(X, Y)
    columns = {name: column for name, column in search.cv_results_.items() if name != "params"}
    twice = {name: np.ma.concatenate([column, column]) for name, column in columns.items()}
    found = bk.read(twice)
    assert found.learners == bk.read(search).learners
    twice["split0_test_score"] = twice["split0_test_score"] + [0, 0, 0, -0.1]
    with pytest.raises(bk.InputError, match="named twice"):
        bk.read(twice)


def test_of_a_halving_search_the_last_iteration_counts():
    tree, options = DecisionTreeClassifier(random_state=0), {"cv": 5, "min_resources": 30, "random_state": 0}
    search = HalvingGridSearchCV(tree, {"max_depth": [1, 2, 3, 4, 5, 6]}, factor=2, **options).fit(X, Y)
    results = search.cv_results_
    last = np.flatnonzero(results["iter"] == results["iter"].max())
    for source in (search, results):
        found = bk.read(source)
        np.testing.assert_allclose(list(found.means().values()), results["mean_test_score"][last])
        assert found.learners == tuple(f"max_depth={results['params'][at]['max_depth']}" for at in last)
        assert any("halving" in note for note in found.origin.notes)
    with pytest.raises(bk.InputError, match="folds of its own"):
        bk.read({"a": search, "b": search})
    alone = {name: column[[*range(6), *last[:1]]] for name, column in results.items() if name != "params"}
    alone["iter"][-1] = 9
    with pytest.raises(bk.InputError, match="one setting was left"):
        bk.read(alone)


def test_what_is_assumed_of_a_search_is_said_in_words(tmp_path):
    found = bk.read(ROOT / "tests/peers/sklearn_grid_search.csv")
    shown = " ".join(repr(found.summary()).split())
    assert "Assumed the settings were searched by these results; the folds are one replication" in shown
    assert not any(code in shown for code in found.origin.assumed if "-" in code)
    left_out = found.convert(tmp_path / "a.csv").left_out
    assert "the assumption that the settings were searched by these results" in left_out


def test_every_assumption_has_words():
    known = {each for name, each in vars(evidence).items() if name.isupper() and isinstance(each, str)}
    assert known <= set(evidence.ASSUMED)
