"""Encoding: what scikit-learn's own transformers give, learnt on the training rows alone."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding import Encoder, encoded, raw_rows
from bestofk.design.learners.learner import Encoding


def mixed(rows=60, seed=0, gaps=0.15):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.normal(5, 3, rows),
            "kind": rng.choice(list("uvw"), rows).astype(object),
            "b": rng.integers(0, 9, rows).astype(float),
            "place": rng.choice([f"p{i}" for i in range(12)], rows).astype(object),
            "same": np.full(rows, 0.1),
        }
    )
    gone = rng.random(frame.shape) < gaps
    gone[:, 4] = False
    frame = frame.mask(gone)
    frame["class"] = np.arange(rows) % 2
    return frame


def reference(frame, scale):
    """Scikit-learn's way; its columns are those of each transformer in turn."""
    numbers, kinds = ["a", "b", "same"], ["kind", "place"]
    nominal = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    )
    columns = ColumnTransformer([("numbers", SimpleImputer(strategy="median"), numbers), ("kinds", nominal, kinds)])
    return make_pipeline(columns, StandardScaler()) if scale else make_pipeline(columns, "passthrough")


def order_of(encoder_width, kinds):
    """Where our columns (data set's order) stand among scikit-learn's (numbers first)."""
    first, second = kinds
    assert encoder_width == 3 + first + second
    return [0, *range(3, 3 + first), 1, *range(3 + first, 3 + first + second), 2]


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_equals_scikit_learn(seed, scale):
    frame = mixed(seed=seed)
    dataset = dataset_of(frame)
    rows = np.random.default_rng(seed).permutation(60)
    train, test = np.sort(rows[:25]), np.sort(rows[25:])
    ours = encoded(dataset, Encoding(scale=scale), train, test)
    theirs = reference(frame, scale).fit(frame.iloc[train])
    seen = [frame[name].iloc[train].nunique() for name in ("kind", "place")]
    for mine, part in zip(ours, (train, test), strict=True):
        expected = theirs.transform(frame.iloc[part])[:, order_of(mine.shape[1], seen)]
        np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-12)


def toy():
    features = (
        Feature("colour", np.array([0.0, 1.0, 1.0, 2.0, np.nan]), ("blue", "green", "red")),
        Feature("size", np.array([1.0, np.nan, 3.0, 10.0, np.nan])),
    )
    return Dataset("toy", features, np.array([0.0, 1.0, 0.0, 1.0, 0.0]), ("no", "yes"))


def test_learnt_on_the_training_rows_alone():
    encoder = Encoder.fit(toy(), np.array([0, 1, 2]), Encoding())
    assert encoder.transform(np.arange(5)).tolist() == [
        [1, 0, 1],
        [0, 1, 2],
        [0, 1, 3],
        [0, 0, 10],  # red was not seen: zeros only
        [0, 1, 2],  # the most frequent colour, the median size
    ]


def test_gaps_are_left_to_a_learner_that_takes_them():
    matrix = Encoder.fit(toy(), np.array([0, 1, 2]), Encoding(impute=False)).transform(np.array([1, 4]))
    assert np.array_equal(matrix, [[0, 1, np.nan], [0, 0, np.nan]], equal_nan=True)
    scaled = Encoder.fit(toy(), np.array([0, 2]), Encoding(impute=False, scale=True)).transform(np.array([0, 1, 2]))
    assert np.array_equal(scaled[:, 2], [-1, np.nan, 1], equal_nan=True)


def test_codes_where_one_of_n_is_not_wanted():
    matrix = Encoder.fit(toy(), np.array([0, 1, 2]), Encoding(one_of_n=False)).transform(np.arange(5))
    assert matrix[:, 0].tolist() == [0, 1, 1, 2, 1]
    plain = Encoder.fit(toy(), np.array([0, 1, 2]), Encoding(one_of_n=False, impute=False)).transform(np.arange(5))
    assert np.isnan(plain[4]).all()


def test_columns_that_are_empty_in_training_tell_nothing():
    features = (Feature("gone", np.array([np.nan, np.nan, 3.0])), Feature("k", np.array([np.nan, np.nan, 0.0]), ("x",)))
    dataset = Dataset("toy", features, np.array([0.0, 1.0, 0.0]), ("a", "b"))
    matrix = Encoder.fit(dataset, np.array([0, 1]), Encoding(scale=True)).transform(np.arange(3))
    assert matrix.tolist() == [[0], [0], [3]]
    native = Encoder.fit(dataset, np.array([0, 1]), Encoding(scale=True, impute=False)).transform(np.arange(3))
    assert np.array_equal(native, [[np.nan], [np.nan], [3.0]], equal_nan=True)


def test_constant_columns_become_zero_when_scaled():
    dataset = dataset_of((np.column_stack([np.full(9, 0.1), np.arange(9.0)]), np.arange(9) % 2))
    matrix = Encoder.fit(dataset, np.arange(9), Encoding(scale=True)).transform(np.arange(9))
    assert np.abs(matrix[:, 0]).max() < 1e-12
    assert matrix[:, 1].std() == pytest.approx(1.0)


def test_the_data_set_is_never_changed():
    dataset = dataset_of(mixed())
    before = dataset.fingerprint, [feature.values.copy() for feature in dataset.features]
    for encoding in (Encoding(scale=True), Encoding(), Encoding(one_of_n=False)):
        encoded(dataset, encoding, np.arange(30), np.arange(30, 60))[0][:] = 7.0
    for feature, values in zip(dataset.features, before[1], strict=True):
        assert np.array_equal(feature.values, values, equal_nan=True)
    again = Encoder.fit(dataset, np.arange(30), Encoding()).transform(np.arange(30))
    assert not (again == 7.0).all()


def test_raw_rows_of_files_keep_categories(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("n,kind,y\n1,u,0\n2,,1\n", encoding="utf-8")
    frame, _ = encoded(dataset_of(path), Encoding(none=True), np.array([0, 1]), np.array([0]))
    assert list(frame.columns) == ["n", "kind"]
    assert frame["kind"].tolist()[0] == "u"
    assert pd.isna(frame["kind"].tolist()[1])
    path.write_text("n,y\n1,0\n,1\n", encoding="utf-8")
    assert np.array_equal(raw_rows(dataset_of(path), np.array([1, 0])), [[np.nan], [1.0]], equal_nan=True)


@given(st.integers(0, 10_000), st.integers(2, 40), st.booleans(), st.booleans(), st.booleans())
def test_shape_and_sums_hold_for_any_data(seed, rows, one_of_n, impute, scale):
    rng = np.random.default_rng(seed)
    codes = np.where(rng.random((rows, 3)) < 0.2, np.nan, rng.integers(0, 4, (rows, 3)))
    features = tuple(Feature(f"k{i}", codes[:, i], tuple("pqrs")) for i in range(3))
    features += (Feature("x", np.where(rng.random(rows) < 0.2, np.nan, rng.normal(size=rows))),)
    dataset = Dataset("toy", features, np.arange(rows) % 2 * 1.0, ("a", "b"))
    train = rng.integers(rows, size=rows)
    encoder = Encoder.fit(dataset, train, Encoding(one_of_n=one_of_n, impute=impute))
    matrix = encoder.transform(np.arange(rows))
    if one_of_n:
        seen = [np.unique(codes[train, i][~np.isnan(codes[train, i])]).size for i in range(3)]
        assert matrix.shape == (rows, sum(seen) + 1)
        assert set(np.unique(matrix[:, :-1])) <= {0.0, 1.0}
        assert (matrix[:, :-1].sum(axis=1) <= 3).all()
    if impute:
        filled = [~np.isnan(codes[train, i]).all() for i in range(3)]
        assert np.isfinite(matrix[:, -1]).all()
        assert not one_of_n or (matrix[np.unique(train), :-1].sum(axis=1) == sum(filled)).all()
    if scale and impute and one_of_n:
        scaled = Encoder.fit(dataset, train, Encoding(scale=True)).transform(train)
        assert np.abs(scaled.mean(axis=0)).max() < 1e-9
