"""Features of data sets: where the first of the order wins, said only if chance does not."""

import re
from importlib import import_module

import numpy as np
import pytest

import bestofk as bk
from bestofk.design.datasets.sources import dataset_of
from bestofk.judging.findings.where_it_wins import FEATURES, dataset_features, where_it_wins
from makers import command, curves, folds, items, over_datasets, table, wide_file, with_gap


def test_features_of_data_sets_are_what_they_say():
    found = dataset_features(dataset_of("iris"))
    assert tuple(found) == FEATURES
    assert (found["rows"], found["columns"], found["classes"], found["skew"]) == (150, 4, 3, 0)
    assert found["dimensionality"] == pytest.approx(4 / 150)
    # scikit-learn 1.9.1: leave-one-out error of KNeighborsClassifier(1) on standardised iris is 8/150; ties shared.
    assert found["noise"] == pytest.approx(8 / 150, abs=0.01)
    titanic = dataset_features(dataset_of("titanic"))
    assert titanic["nominal"] == 1.0
    assert titanic["noise"] < 0.4  # many equal rows: they share their vote


def test_where_it_wins_is_said_when_it_is_there():
    rng = np.random.default_rng(3)
    rows, other = rng.integers(100, 9000, 24).astype(float), rng.normal(size=24)
    values = 0.3 + 0.01 * rng.normal(size=(2, 24))
    values[1] += np.where(rows < 4000, 0.05, -0.05)
    features = {f"d{i}": {"rows": rows[i], "other": other[i]} for i in range(24)}
    found = where_it_wins(over_datasets(values), features)
    assert {each.feature for each in found.findings} == {"rows"}
    assert all(each.correlation < 0 for each in found.findings)
    assert len(found.rules) == 2
    assert "rows <= " in found.rules[0]
    assert f"a better on {int((rows < 4000).sum())}" in found.rules[0]
    for line in repr(found).splitlines():
        assert {"a", "b"} <= set(re.findall(r"\b[ab]\b", line)), line
    nothing = where_it_wins(over_datasets(values), {name: {"other": row["other"]} for name, row in features.items()})
    assert (nothing.findings, nothing.rules) == ((), ())


def test_features_of_a_file_change_no_order(tmp_path):
    rng = np.random.default_rng(0)
    values = 0.3 + 0.001 * rng.normal(size=(2, 24))
    values[1] += 0.02 * (np.arange(24.0) - 11.5) / 11.5
    evidence = over_datasets(values)
    path = tmp_path / "features.csv"
    path.write_text("dataset,rows\n" + "".join(f"d{i},{i}\n" for i in range(24)))
    verdict = bk.judge(evidence, features=path)
    assert [each.feature for each in verdict.where_it_wins.findings][:1] == ["rows"]
    assert verdict.order == bk.judge(evidence).order
    noise = bk.judge(evidence, features={f"d{i}": {"noise": float(x)} for i, x in enumerate(rng.normal(size=24))})
    assert noise.where_it_wins.findings == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("dataset\nd0\n", "no features"),
        ("dataset,rows\nd0,many\n", "'many'"),
        ("dataset,rows\nd0\n", "1 value for 2 columns"),
        ("", "is empty"),
        ("dataset;rows\nd0;1\n", "no features"),
        ("dataset,rows,rows\nd0,1,2\n", "appears twice"),
        ("dataset,rows\nd0,1\n d0 ,2\n", "two data sets 'd0'"),
        ("dataset,rows\nd0,1\n", "no features of d1, d2, d3"),
        ("dataset,rows\0\nd0,1\n", "NUL byte"),
    ],
)
def test_faulty_feature_files_are_refused(tmp_path, text, wrong):
    path = tmp_path / "features.csv"
    path.write_text(text)
    with pytest.raises(bk.InputError, match=wrong):
        bk.judge(table(2, 8), features=path)
    with pytest.raises(bk.InputError, match="there is no such file"):
        bk.judge(table(2, 8), features=tmp_path / "none.csv")


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_feature_files_in_another_encoding_get_three_lines(tmp_path, encoding):
    path = tmp_path / "features.csv"
    path.write_bytes("dataset,größe\nd0,1\n".encode(encoding))
    with pytest.raises(bk.InputError, match=r"UTF-16|not UTF-8"):
        bk.judge(table(2, 8), features=path)


def test_blanks_around_names_of_features_mean_nothing(tmp_path):
    path = tmp_path / "features.csv"
    path.write_text("\ndataset , rows\n" + "".join(f" d{i} ,{i}\n\n" for i in range(9)))
    assert bk.judge(table(2, 9), features=path).where_it_wins.features == ("rows",)


def features(number):
    return {f"d{i}": {"rows": float(i)} for i in range(number)}


def test_features_that_are_no_numbers_are_refused():
    for wrong in ("many", None, float("nan")):
        with pytest.raises(bk.InputError, match="d0"):
            bk.judge(table(2, 8), features=features(8) | {"d0": {"rows": wrong}})
    with pytest.raises(bk.InputError, match="dict of numbers"):
        bk.judge(table(2, 8), features=features(8) | {"d0": 3.0})


def test_features_must_fit():
    evidence = table(2, 10)
    features = {name: {"rows": float(i)} for i, name in enumerate(evidence.datasets)}
    for wrong in ({}, {**features, "d3": {"columns": 1.0}}):
        with pytest.raises(bk.InputError):
            where_it_wins(evidence, wrong)
    with pytest.raises(bk.UnknownName):
        where_it_wins(table(3, 10), features, first="a", second="z")


def test_the_command_ends_with_2_where_features_are_missing(tmp_path):
    path = tmp_path / "features.csv"
    path.write_text("dataset,rows\n" + "".join(f"d{i + 1},{i}\n" for i in range(8)))
    results = wide_file(tmp_path, np.random.default_rng(0).normal(size=(2, 9)))
    found = command("judge", results, "--smaller-is-better", "--features", path)
    assert found.exit_code == 2
    assert "no features of d9" in found.stderr


def test_features_are_used_over_enough_complete_data_sets_only():
    few = bk.judge(table(2, 7), features=features(7))
    kept = bk.judge(with_gap(table(2, 10), (0, 3)), features=features(10), missing="keep")
    for verdict in (few, kept):
        assert not verdict.features_are_used
        assert verdict.where_it_wins is None
    assert bk.judge(table(2, 8), features=features(8)).features_are_used


def test_features_are_refused_where_there_are_no_data_sets():
    alone = folds(0.3 + 0.01 * np.random.default_rng(0).normal(size=(3, 5, 2)))
    for evidence in (alone, items(np.eye(3)[:, [0, 1, 2] * 5]), curves(np.random.default_rng(0).random((2, 5, 3)))):
        with pytest.raises(bk.InputError, match="features"):
            bk.judge(evidence, features=features(1))


def test_results_are_no_features_of_data_sets(tmp_path):
    path = wide_file(tmp_path, table(2, 12).values[:, :, 0, 0])
    with pytest.raises(bk.InputError, match="b are learners"):
        bk.judge(bk.read(path, measure="error"), features=path)


def test_a_feature_that_never_varies_is_named():
    given = {name: {**row, "classes": 2.0} for name, row in features(12).items()}
    assert bk.judge(table(2, 12), features=given).where_it_wins.constant == ("classes",)


def test_correlations_and_tree_share_the_level(monkeypatch):
    asked = {}
    room = import_module("bestofk.judging.findings.where_it_wins")
    grown = room.grown_tree

    def noted(*args, alpha, **more):
        asked["tree"] = alpha
        return grown(*args, alpha=alpha, **more)

    monkeypatch.setattr(room, "grown_tree", noted)
    evidence = table(2, 12, gap=0.03, spread=0.06)
    found = where_it_wins(evidence, features(12), shuffles=199)
    smallest = float(np.min(found.associations.adjusted))
    assert asked["tree"] == 0.025
    assert where_it_wins(evidence, features(12), alpha=min(0.99, smallest * 1.5), shuffles=199).findings == ()
