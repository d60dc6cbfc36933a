"""The folds of a cell: seeds, failed rows and their reasons, measures, and the size of a model."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import confusion_matrix, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from bestofk.collecting.cell.cell import SharedFolds, run_cell
from bestofk.collecting.cell.failures import LONGEST, reason_of
from bestofk.collecting.cell.fold_runner import fitted_numbers, fold_seed
from bestofk.collecting.cell.tally import joined
from bestofk.core.errors import InputError
from bestofk.design.folds.base import Fold
from bestofk.design.learners.learner import Encoding
from collecting_toys import (
    LOGISTIC,
    NB,
    TREE,
    Constant,
    Deciding,
    Exiting,
    GlobalDraw,
    Halves,
    Raising,
    python_listening,
    rows_and_report,
    rows_of,
    toy_dataset,
    toy_learner,
    toy_plan,
    toy_regression,
)

# loky says that a worker stopped, which here is what we want to happen
pytestmark = pytest.mark.filterwarnings("ignore:A worker stopped while some jobs:UserWarning")


def test_confusion_is_that_of_scikit_learn_on_the_same_folds():
    dataset, folds = toy_dataset(), Halves(3)
    result = run_cell(dataset, LOGISTIC, folds, 1, 0, 3)
    X, y = np.column_stack([each.values for each in dataset.features]), dataset.y.astype(int)
    for r in range(3):
        for f, fold in enumerate(folds.split(dataset, r, 1)):
            predicted = LOGISTIC.make().fit(X[fold.train], y[fold.train]).predict(X[fold.test])
            assert (result.confusion[r, f] == confusion_matrix(y[fold.test], predicted, labels=[0, 1, 2])).all()
            assert result.fingerprints[r, f] == fold.fingerprint
    assert (result.test_sizes == 30).all()
    assert (result.train_sizes == 30).all()
    assert (result.fit_seconds > 0).all()
    assert (result.predict_seconds > 0).all()
    assert result.failed == 0


def test_replications_do_not_depend_on_the_cell_they_are_in():
    whole = run_cell(toy_dataset(), TREE, Halves(4), 1, 0, 4)
    parts = [run_cell(toy_dataset(), TREE, Halves(4), 1, *part) for part in ((0, 1), (1, 4))]
    assert rows_of([whole]) == rows_of(parts) == rows_of([joined(parts)])
    assert joined(parts).key == whole.key


def test_another_seed_gives_other_folds_and_other_draws():
    assert fold_seed(1, "d", "l", 0, 0) != fold_seed(2, "d", "l", 0, 0)
    assert len({fold_seed(1, d, k, r, f) for d in "ab" for k in "ab" for r in range(9) for f in range(9)}) == 324
    first, second = (run_cell(toy_dataset(), NB, Halves(1), seed, 0, 1) for seed in (1, 2))
    assert (first.fingerprints != second.fingerprints).all()


def test_learners_that_draw_are_seeded_also_inside_a_pipeline():
    forest = toy_learner("forest", lambda: make_pipeline(StandardScaler(), RandomForestClassifier(3)))
    first, second = (run_cell(toy_dataset(), forest, Halves(2), 1, 0, 2) for _ in range(2))
    assert rows_of([first]) == rows_of([second])


def test_a_seed_of_the_users_own_is_kept():
    seeds = set()

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y):
            seeds.add(self.random_state)
            return super().fit(X, y)

    run_cell(toy_dataset(), toy_learner("spy", lambda: Spy(random_state=5)), Halves(2), 1, 0, 2)
    assert seeds == {5}


def test_a_learner_that_draws_from_the_global_generator_repeats_itself_and_leaves_it_alone():
    np.random.seed(7)  # noqa: NPY002
    first = run_cell(toy_dataset(), toy_learner("draw", GlobalDraw), Halves(2), 1, 0, 2)
    after = np.random.random()  # noqa: NPY002
    np.random.seed(7)  # noqa: NPY002
    assert after == np.random.random()  # noqa: NPY002
    assert rows_of([first]) == rows_of([run_cell(toy_dataset(), toy_learner("draw", GlobalDraw), Halves(2), 1, 0, 2)])
    assert (first.confusion[0, 0] != first.confusion[1, 0]).any()


def test_a_fold_that_raises_is_a_row_with_a_reason_and_the_others_go_on():
    result = run_cell(toy_dataset(), toy_learner("raising", Raising), Halves(6), 1, 0, 6)
    reasons = {re.sub(r":\d+ ", ":N ", reason) for line in result.failures for reason in line}
    assert reasons == {"", "collecting_toys.py:N in fit\nRuntimeError: cannot learn file.csv of <thing>"}
    failed = np.array([[bool(reason) for reason in line] for line in result.failures])
    assert 0 < failed.sum() == result.failed < failed.size
    assert (result.confusion.sum((2, 3)) == np.where(failed, 0, 30)).all()
    assert (np.isnan(result.fit_seconds) == failed).all()
    assert (result.fingerprints != 0).all()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Constant(7), "never seen in the data: 7; learners see the 3 classes as 0 to 2"),
        (lambda: Constant("spam"), "never seen in the data: 'spam'"),
        (lambda: Constant(0.5), "never seen in the data: 0.5"),
        (lambda: Constant(-1), "never seen in the data: -1"),
        (lambda: Constant(float("nan")), "never seen in the data: nan"),
        (lambda: KNeighborsClassifier(1000), "ValueError: Expected n_neighbors <= n_samples_fit"),
        (lambda: object(), "AttributeError: 'object' object has no attribute 'fit'"),
        (lambda: 1 / 0, "ZeroDivisionError: division by zero"),
    ],
)
def test_wrong_answers_fail_with_a_clear_reason(make, said):
    result = run_cell(toy_dataset(), toy_learner("wrong", make), Halves(1), 1, 0, 1)
    assert result.failed == 2
    assert said in result.failures[0][0].splitlines()[-1]


@pytest.mark.parametrize("answer", [True, 1.0, np.uint8(1)])
def test_whole_numbers_of_any_type_are_taken_for_classes(answer):
    result = run_cell(toy_dataset(classes=2), toy_learner("one", lambda: Constant(answer)), Halves(1), 1, 0, 1)
    assert result.failed == 0
    assert (result.confusion[..., 1].sum(-1) == 30).all()


def test_too_few_predictions_fail():
    class Short(Constant):
        def predict(self, X):
            return np.zeros(3, dtype=int)

    result = run_cell(toy_dataset(), toy_learner("short", Short), Halves(1), 1, 0, 1)
    assert "shape (3,); expected (30,)" in result.failures[0][0]


@pytest.mark.parametrize("raised", [SystemExit(3), GeneratorExit(), BaseException("odd")])
def test_whatever_a_learner_raises_is_a_failed_row(raised):
    class Odd(Constant):
        def fit(self, X, y):
            raise raised

    result = run_cell(toy_dataset(), toy_learner("odd", Odd), Halves(1), 1, 0, 1)
    assert result.failed == 2
    assert type(raised).__name__ in result.failures[0][0].splitlines()[-1]


def test_only_ctrl_c_goes_through_a_learner():
    class Stopped(Constant):
        def fit(self, X, y):
            raise KeyboardInterrupt

    with python_listening(), pytest.raises(KeyboardInterrupt):
        run_cell(toy_dataset(), toy_learner("stopped", Stopped), Halves(1), 1, 0, 1)


@pytest.mark.parametrize(
    "options", [{"engine": "serial"}, {"engine": "local:1"}, {"engine": "serial", "cell_timeout": 30}]
)
def test_a_learner_that_exits_fails_and_the_run_goes_on(options):
    leaving = toy_learner("leaving", lambda: sys.exit(1))
    found, report = rows_and_report(toy_plan(2, toy_learner("exiting", Exiting), leaving, NB, datasets=1), **options)
    assert (report.folds, report.failures) == (12, 8)
    assert "SystemExit: nothing to do" in found["toy0", "exiting", 0, 0][3]
    assert "SystemExit: 1" in found["toy0", "leaving", 0, 0][3]
    assert found["toy0", "nb", 1, 1][3] == ""


def test_folds_that_cannot_be_made_are_failed_rows():
    class Impossible(Halves):
        spec = "impossible"

        def split(self, dataset, replication, seed):
            if replication == 1:
                raise InputError("class a has 1 member.", "data set toy", "use fewer folds.")
            return super().split(dataset, replication, seed)[: 1 if replication == 2 else 2]

    result = run_cell(toy_dataset(), NB, Impossible(3), 1, 0, 3)
    assert result.failures[0] == ("", "")
    for reason in result.failures[1]:
        assert reason.splitlines()[-1] == "InputError: class a has 1 member. (data set toy) use fewer folds."
    assert "1 folds instead of 2" in result.failures[2][0]
    assert (result.fingerprints[1:] == 0).all()


def test_folds_are_made_once_for_all_learners_and_forgotten_when_there_are_too_many():
    calls = []

    class Counted(Halves):
        spec = "counted"

        def split(self, dataset, replication, seed):
            calls.append(replication)
            return super().split(dataset, replication, seed)

    shared, dataset, counted = SharedFolds(most=3 * 120), toy_dataset("counted", seed=9), Counted(9)
    for _ in range(2):
        for replication in range(3):
            made = shared.split(counted, dataset, replication, 1)
            expected = Halves(9).split(dataset, replication, 1)
            assert [print_ for _, print_ in made] == [fold.fingerprint for fold in expected]
    assert calls == [0, 1, 2]
    shared.split(counted, dataset, 3, 1)
    shared.split(counted, dataset, 2, 1)
    shared.split(counted, dataset, 0, 1)
    assert calls == [0, 1, 2, 3, 0]
    assert shared.rows == 3 * 120


def test_folds_of_the_same_name_are_never_shared():
    class Mirrored(Halves):
        def split(self, dataset, replication, seed):
            return super().split(dataset, replication, seed)[::-1]

    assert Halves(3).spec == Mirrored(3).spec
    shared, dataset = SharedFolds(), toy_dataset("mirrored")
    marks = [[mark for _, mark in shared.split(way, dataset, 0, 1)] for way in (Halves(3), Mirrored(3), Halves(3))]
    assert marks[0] == marks[1][::-1] == marks[2]
    for number in range(50):  # objects that are gone leave their numbers to others
        made = shared.split((Halves, Mirrored)[number % 2](3), dataset, 0, 1)
        assert [mark for _, mark in made] == marks[number % 2]


def test_a_learner_without_probabilities_keeps_its_counts():
    measures = ("auc", "log_loss")
    plain = run_cell(toy_dataset(classes=2), toy_learner("plain", Constant), Halves(2), 1, 0, 2, measures)
    assert plain.failed == 0
    assert (plain.confusion.sum((2, 3)) == 30).all()
    assert all(np.isnan(plain.scores[name]).all() for name in measures)
    three = run_cell(toy_dataset(), toy_learner("deciding", Deciding), Halves(1), 1, 0, 1, measures)
    assert three.failed == 0
    assert all(np.isnan(three.scores[name]).all() for name in measures)


def test_auc_of_two_classes_is_taken_from_the_decision_function():
    dataset = toy_dataset(classes=2)
    result = run_cell(dataset, toy_learner("deciding", Deciding), Halves(2), 1, 0, 2, ("auc", "brier"), True)
    for r, f in np.ndindex(2, 2):
        test = Halves(2).split(dataset, r, 1)[f].test
        values = np.round(30 * dataset.features[0].values[test])
        assert result.scores["auc"][r, f] == pytest.approx(roc_auc_score(dataset.y[test], values), abs=1e-12)
    assert np.isnan(result.scores["brier"]).all()
    assert result.failed == 0
    assert not result.probabilities
    assert len(result.predictions) == 4


def test_a_measure_that_the_rows_do_not_allow_is_missing_and_the_others_are_there():
    class Sorted(Halves):
        def split(self, dataset, replication, seed):
            first, second = np.flatnonzero(dataset.y == 0), np.flatnonzero(dataset.y)
            return [Fold(np.arange(dataset.rows), first), Fold(np.arange(dataset.rows), second)]

    result = run_cell(toy_dataset(classes=2), NB, Sorted(1), 1, 0, 1, ("auc", "log_loss"))
    assert result.failed == 0
    assert (result.confusion.sum((2, 3)) == 30).all()
    assert np.isnan(result.scores["auc"]).all()
    assert (result.scores["log_loss"] > 0).all()


def test_predictions_and_probabilities_are_kept_on_demand():
    dataset = toy_dataset()
    result = run_cell(dataset, NB, Halves(2), 1, 0, 2, keep_predictions=True)
    fold = Halves(2).split(dataset, 1, 1)[0]
    counts = confusion_matrix(dataset.y[fold.test].astype(int), result.predictions[1, 0], labels=[0, 1, 2])
    assert (counts == result.confusion[1, 0]).all()
    assert (result.probabilities[1, 0].argmax(1) == result.predictions[1, 0]).all()
    assert result.predictions[1, 0].dtype == np.uint8
    plain = run_cell(dataset, NB, Halves(2), 1, 0, 2)
    assert plain.predictions is None
    assert plain.key.series != result.key.series


def test_regression_has_scores_only():
    line = toy_learner("line", LinearRegression)
    result = run_cell(toy_regression(), line, Halves(2), 1, 0, 2)
    assert result.confusion is None
    assert result.scores["mse"] == pytest.approx(np.zeros((2, 2)), abs=1e-20)
    nan = run_cell(toy_regression(), toy_learner("nan", lambda: Constant(float("nan"))), Halves(1), 1, 0, 1)
    assert "20 of 20 predictions" in nan.failures[0][0]
    assert np.isnan(nan.scores["mse"]).all()


def test_raw_data_reach_a_learner_that_prepares_them_itself():
    seen = []

    class Spy(Constant):
        def fit(self, X, y):
            seen.append(X)
            return self

    dataset = toy_dataset()
    raw = np.arange(60.0)[:, None]
    learner = replace(toy_learner("raw", Spy), encoding=Encoding(none=True))
    assert run_cell(replace(dataset, raw=raw), learner, Halves(1), 1, 0, 1).failed == 0
    assert (seen[0][:, 0] == Halves(1).split(dataset, 0, 1)[0].train).all()


def test_reasons_are_short_and_without_paths_or_addresses():
    reason = reason_of(ValueError("x" * 5000 + " /usr/lib/python3/thing.py at 0xdeadbeef"))
    assert len(reason) < LONGEST + 50
    assert reason.endswith("thing.py")
    assert reason_of(KeyError()) == "KeyError"


def test_size_counts_the_numbers_that_were_learnt():
    X, y = load_iris(return_X_y=True)
    for estimator, numbers in ((LinearRegression(), 4 + 1), (KNeighborsClassifier(), 150 * 4 + 150)):
        fresh = tuple(vars(estimator))
        assert numbers <= fitted_numbers(estimator.fit(X, y), fresh) <= numbers + 10
    tree = DecisionTreeClassifier(random_state=0)
    shallow, deep = (clone(tree).set_params(max_depth=depth).fit(X, y) for depth in (1, 4))
    nodes = shallow.tree_.node_count
    assert fitted_numbers(shallow, vars(tree)) - nodes * 4 - nodes * 3 <= 10
    assert fitted_numbers(shallow, vars(tree)) < fitted_numbers(deep, vars(tree))
    forest = RandomForestClassifier(3, max_depth=1, random_state=0)
    parts = sum(fitted_numbers(each, vars(tree)) for each in forest.fit(X, y).estimators_)
    assert parts <= fitted_numbers(forest, vars(RandomForestClassifier())) <= parts + 60


def test_size_of_a_pipeline_is_that_of_its_steps():
    X, y = load_iris(return_X_y=True)
    alone = fitted_numbers(LinearRegression().fit(X, y), vars(LinearRegression()))
    pipeline = make_pipeline(StandardScaler(), LinearRegression())
    fresh = tuple(vars(pipeline))
    assert fitted_numbers(pipeline.fit(X, y), fresh) > alone + 8
