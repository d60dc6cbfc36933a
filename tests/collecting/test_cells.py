"""A cell from the inside: folds and encodings made together are those made alone, and nothing is kept silent."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from bestofk.collecting.cell.cell import run_cell
from bestofk.collecting.engines.worker import bytes_of, checked_limits, seconds_of
from bestofk.collecting.run.collect import collect_plan
from bestofk.collecting.run.report import troubles_of
from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding import encoded, encoded_folds
from bestofk.design.folds.base import generator_for, streams_for
from bestofk.design.folds.resampling import RepeatedFolds
from bestofk.design.learners import learner_of
from bestofk.design.learners.learner import Encoding
from bestofk.stores.cell_format import pack, unpack
from bestofk.stores.memory import MemoryStore
from bestofk.stores.notes import FURTHER, MOST, Notes, few, notes_of, notes_together
from collecting_toys import Constant, Deciding, Halves, toy_dataset, toy_learner, toy_plan


@pytest.mark.parametrize("seed", [0, 1, 2**70])
def test_streams_of_many_replications_are_those_of_numpy(seed):
    data = toy_dataset()
    for replication, stream in zip(range(5, 40), streams_for(data, range(5, 40), seed), strict=True):
        alone = generator_for(data, replication, seed)
        np.testing.assert_array_equal(stream.random(4), alone.random(4))
        np.testing.assert_array_equal(stream.permutation(11), alone.permutation(11))


@pytest.mark.parametrize("folds", [2, 3, 10])
@pytest.mark.parametrize("rows", [20, 61])
def test_folds_made_together_are_those_made_alone(folds, rows):
    ways, data = RepeatedFolds(12, folds), toy_dataset(rows=rows)
    together = ways.split_many(data, range(3, 12), 7)
    for replication, made in zip(range(3, 12), together, strict=True):
        assert [f.fingerprint for f in made] == [f.fingerprint for f in ways.split(data, replication, 7)]


@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize("scale", [False, True])
def test_folds_encoded_together_have_the_same_bits_as_alone(columns, scale):
    draw = np.random.default_rng(3)
    features = [Feature(f"x{c}", draw.normal(10.0**c, 1.0, 97)) for c in range(columns)]
    data = Dataset("many", (*features, Feature("same", np.full(97, 0.1))), np.arange(97) % 2.0, ("a", "b"))
    folds = [fold for r in range(6) for fold in RepeatedFolds(6, 3).split(data, r, 1)]
    for fold, both in zip(folds, encoded_folds(data, Encoding(scale=scale), folds), strict=True):
        alone = encoded(data, Encoding(scale=scale), fold.train, fold.test)
        assert [part.tobytes() for part in both] == [part.tobytes() for part in alone]
        if scale:
            scaler = StandardScaler().fit(data_matrix(data)[fold.train])
            np.testing.assert_allclose(both[1], scaler.transform(data_matrix(data)[fold.test]), atol=1e-9)


def data_matrix(data):
    return np.column_stack([feature.values for feature in data.features])


class NominalAware(ClassifierMixin, BaseEstimator):
    """Takes codes of categories, gaps included, and is told where they are."""

    seen: list[tuple[list[int], list[set[float]]]] = []

    def __init__(self, nominal_features=None):
        self.nominal_features = nominal_features

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        codes = [set(np.unique(X[:, place][~np.isnan(X[:, place])])) for place in self.nominal_features]
        self.seen.append((list(self.nominal_features), codes, bool(np.isnan(X).any())))
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


def mixed():
    colours = ["red", "green", None, "blue"] * 10
    frame = {"size": np.arange(40.0), "colour": colours, "weight": np.ones(40), "class": ["no", "yes"] * 20}
    return dataset_of(pd.DataFrame(frame), name="mixed")


@pytest.mark.parametrize(
    ("encoding", "given", "told"),
    [
        (Encoding(one_of_n=False, impute=False), None, [1]),
        (Encoding(), None, []),
        (Encoding(one_of_n=False, impute=False), [2], [2]),
    ],
)
def test_an_estimator_is_told_which_columns_are_nominal(encoding, given, told):
    NominalAware.seen = []
    learner = learner_of(NominalAware(given), encoding=encoding)
    assert run_cell(mixed(), learner, Halves(1), 1, 0, 1).failed == 0
    assert [places for places, _, _ in NominalAware.seen] == [told, told]
    if told == [1]:
        assert all(codes == [{0.0, 1.0, 2.0}] and gaps for _, codes, gaps in NominalAware.seen)


@pytest.mark.parametrize("nested", [False, True])
def test_class_weights_name_classes_as_the_data_do(nested):
    estimator = LogisticRegression(class_weight={"yes": 5.0, "no": 1.0})
    learner = learner_of(make_pipeline(StandardScaler(), estimator) if nested else estimator)
    data = dataset_of((np.arange(40.0)[:, None], ["no", "yes"] * 20), name="d")
    result = run_cell(data, learner, Halves(2), 1, 0, 2)
    assert result.failed == 0, result.failures
    assert result.confusion[..., 1].sum() > 0.9 * result.confusion.sum(), "weighted five times, yes is answered"


def test_answers_may_be_the_names_of_classes():
    result = run_cell(toy_dataset(), toy_learner("named", lambda: Constant("b")), Halves(1), 1, 0, 1)
    assert result.failed == 0
    assert result.confusion[..., 1].sum() == 60


def test_an_answer_out_of_range_fails_its_fold_alone():
    class Sometimes(Constant):
        def fit(self, X, y):
            self.answer_ = 7 if X[0, 0] > 0.5 else 1
            return self

        def predict(self, X):
            return np.full(len(X), self.answer_)

    result = run_cell(toy_dataset(), toy_learner("sometimes", Sometimes), Halves(10), 1, 0, 10)
    assert 0 < result.failed < 20
    failed = np.array([[bool(text) for text in line] for line in result.failures])
    assert all("data: 7" in text for line in result.failures for text in line if text)
    assert (result.confusion.sum(axis=(2, 3)) == np.where(failed, 0, 30)).all()
    assert (np.isnan(result.fit_seconds) == failed).all()


class Loud(Constant):
    def fit(self, X, y):
        warnings.warn("did not converge\nmore", UserWarning, stacklevel=1)
        warnings.warn("old name", DeprecationWarning, stacklevel=1)
        return self


def test_warnings_are_counted_and_not_shown(recwarn):
    plan = toy_plan(3, toy_learner("loud", Loud), toy_learner("quiet", Constant), datasets=1)
    report = collect_plan(plan, MemoryStore(), engine="serial", progress=False)
    assert [str(each) for each in report.troubles.warnings] == [
        "loud: 6 warnings on toy0: UserWarning: did not converge"
    ]
    assert "did not converge" in repr(report)
    assert not recwarn.list


def test_a_measure_that_cannot_be_taken_says_why():
    plan = toy_plan(2, toy_learner("a", Constant), toy_learner("b", Deciding), datasets=1, measures=("log_loss",))
    store = MemoryStore()
    report = collect_plan(plan, store, engine="serial", progress=False)
    assert {str(each) for each in report.troubles.unscored} == {
        f"{name}: 4 folds without log_loss on toy0: the learner gives no probabilities." for name in "ab"
    }
    assert report.failures == 0


def test_failing_learners_are_named_with_their_reason():
    class Broken(Constant):
        def fit(self, X, y):
            raise ValueError("no use")

    plan = toy_plan(2, toy_learner("broken", Broken), toy_learner("fine", Constant))
    report = collect_plan(plan, MemoryStore(), engine="serial", progress=False)
    assert [str(each) for each in report.troubles.failures] == [
        "broken: 8 failed folds on toy0, toy1: ValueError: no use"
    ]


def test_notes_survive_the_store_and_tell_mixed_versions():
    cell = run_cell(toy_dataset(), toy_learner("a", Loud), Halves(1), 1, 0, 1)
    again = unpack(cell.key, pack(cell), where="here")
    assert notes_of(again).to_dict() == notes_of(cell).to_dict()
    assert notes_of(again).versions["scikit-learn"]
    other = type(cell)(**{**vars(cell), "notes": Notes({"scikit-learn": "0.1"})})
    (mixed,) = troubles_of([cell, other]).mixed
    assert mixed.startswith("scikit-learn 0.1 and ")


def test_few_notes_are_kept_and_all_are_counted():
    many = {f"text {number}": 2 for number in range(MOST + 5)}
    assert few(many)[FURTHER] == 10
    assert sum(notes_together([Notes(warnings=few(many))] * 3).warnings.values()) == 6 * (MOST + 5)


def test_objects_that_are_called_are_told_by_what_they_hold():
    def settings(kind):
        columns = make_column_transformer((OneHotEncoder(), make_column_selector(dtype_include=kind)))
        return learner_of(make_pipeline(columns, LogisticRegression())).fingerprint

    assert settings(object) == settings(object)
    assert settings(object) != settings(float)
    with pytest.raises(InputError, match="cannot be named"):
        learner_of(make_pipeline(make_column_transformer((OneHotEncoder(), lambda X: [])), LogisticRegression()))


@pytest.mark.parametrize(
    ("text", "value"), [("500MB", 5e8), ("1GB", 1e9), ("2 GiB", 2**31), ("1.5k", 1500), (1e8, 1e8), ("70000000", 7e7)]
)
def test_sizes_as_people_write_them(text, value):
    assert bytes_of(text, name="cell_memory", where="here") == value


@pytest.mark.parametrize(("text", "value"), [("10m", 600), ("90s", 90), ("2h", 7200), ("1.5", 1.5), (3, 3)])
def test_times_as_people_write_them(text, value):
    assert seconds_of(text, name="cell_timeout", where="here") == value


@pytest.mark.parametrize(
    "limits", [(None, "1KB"), (None, 1), (None, "much"), ("10 parsecs", None), ("-3s", None), (0, None), ("", None)]
)
def test_limits_that_cannot_be_held_are_refused_in_three_lines(limits):
    with pytest.raises(InputError) as error:
        checked_limits(*limits)
    assert len(str(error.value).splitlines()) == 3


def test_a_learner_beyond_its_memory_is_a_failed_row_and_the_next_one_runs():
    class Hungry(Constant):
        def fit(self, X, y):
            self.taken_ = [np.ones(2**24) for _ in range(8)]
            return self

    plan = toy_plan(2, toy_learner("hungry", Hungry), toy_learner("fine", Constant), datasets=1)
    report = collect_plan(plan, MemoryStore(), engine="serial", progress=False, cell_memory="100MB", cell_timeout="2m")
    (failed,) = report.troubles.failures
    assert (failed.learner, failed.count) == ("hungry", 4)
    assert "cell_memory is 100,000,000 bytes" in failed.reason


def test_learners_of_scikit_learn_do_not_pay_for_global_seeds():
    from bestofk.sharing.plain_fold import Estimators

    made = Estimators(learner_of(LogisticRegression()), toy_dataset())
    assert not made.draws_globally
    assert Estimators(toy_learner("own", Constant), toy_dataset()).draws_globally
    assert isinstance(made.fresh(3).random_state, int)


@pytest.mark.parametrize(("labels", "weights"), [((1.0, 2.0), {1.0: 20.0}), ((1, 2), {1.0: 20.0}), ((1, 2), {1: 20.0})])
def test_class_weights_by_number_weigh_the_class_they_name(labels, weights):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat(labels, 100))
    X = rng.normal(size=(200, 2)) + 0.3 * (y == labels[1])[:, None]
    learner = learner_of(LogisticRegression(class_weight=weights))
    first, second = run_cell(dataset_of((X, y)), learner, RepeatedFolds(5, 2), 0, 0, 5).confusion.sum(axis=(0, 1, 2))
    assert first > 900  # of 1,000 rows: nearly all are called the class that weighs twenty times as much
    assert first + second == 1000


def test_class_weights_of_no_class_are_a_failed_row():
    dataset = dataset_of((np.random.default_rng(0).normal(size=(20, 2)), ["yes", "no"] * 10))
    learner = learner_of(LogisticRegression(class_weight={"maybe": 2.0}))
    reasons = run_cell(dataset, learner, RepeatedFolds(5, 2), 0, 0, 1).failures
    assert all("maybe" in reason for line in reasons for reason in line)


@pytest.mark.parametrize(
    ("amount", "read"), [("9999999TB", bytes_of), ("999999999999h", seconds_of), (True, seconds_of)]
)
def test_amounts_without_end_are_refused(amount, read):
    with pytest.raises(InputError, match="limit is"):
        read(amount, name="limit", where="here")
