"""Data that are wrong or odd: a clear error, or the handling that docs/reference/datasets.md states."""

import gzip

import numpy as np
import pandas as pd
import pytest

from bestofk.core.errors import InputError
from bestofk.design.datasets import dataset_of
from bestofk.design.encoding import encoded
from bestofk.design.learners.learner import Encoding

GOOD = "a,b,y\n1,u,0\n2,v,1\n3,u,0\n"


def refused(tmp_path, name, content, **options):
    """The error of a file, which must name the file."""
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        dataset_of(path, **options)
    assert str(path) in caught.value.where
    return caught.value


def test_a_target_with_one_class(tmp_path):
    error = refused(tmp_path, "a.csv", "a,y\n1,k\n2,k\n")
    assert (error.wrong, error.fix) == ("the target y has one class: k.", "give a target with at least two classes.")


@pytest.mark.parametrize("word", ["inf", "-inf", "Infinity", "+INF"])
def test_infinity_in_a_text_file_is_refused_as_a_number(tmp_path, word):
    error = refused(tmp_path, "a.csv", f"a,b,y\n1,2,0\n3,{word},1\n4,,0\n")
    assert "infinite in 1 row" in error.wrong
    assert "leave the cell empty" in error.fix
    assert 'drop = ["b"]' in error.fix
    (tmp_path / "a.csv").write_text(f"a,b,y\n1,2,0\n3,{word},1\n4,,0\n")
    assert len(dataset_of(tmp_path / "a.csv", drop=["b"]).features) == 1


def test_infinity_among_words_is_a_word(tmp_path):
    (tmp_path / "a.csv").write_text("bound,y\ninf,0\nsup,1\ninf,0\n")
    assert dataset_of(tmp_path / "a.csv").features[0].categories == ("inf", "sup")


def test_infinity_in_other_files(tmp_path):
    error = refused(tmp_path, "a.arff", "@attribute a real\n@attribute y {0,1}\n@data\n1,0\ninf,1\n")
    assert "'inf' is no number" in error.wrong
    assert "line 5" in error.where
    path = tmp_path / "a.parquet"
    pd.DataFrame({"a": [1.0, -np.inf], "y": [0, 1]}).to_parquet(path)
    with pytest.raises(InputError, match=r"infinite.*row 2") as caught:
        dataset_of(path)
    assert str(path) in caught.value.where


@pytest.mark.parametrize("y", ["0\n1\ninf", "0.5\n1.5\ninf"])
def test_infinity_in_the_target(tmp_path, y):
    rows = "\n".join(f"1,{value}" for value in y.split("\n"))
    assert refused(tmp_path, "a.csv", f"a,y\n{rows}\n").wrong == "the target y is infinite at row 3."


def test_a_truncated_gzip(tmp_path):
    packed = gzip.compress(GOOD.encode())
    error = refused(tmp_path, "a.csv.gz", packed[:-9])
    assert "gzip file is damaged:" in error.wrong
    assert error.fix.startswith("pack it again")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "a,a,y\n1,2,0\n3,4,1\n"),
        ("a.tsv", "a\ta\ty\n1\t2\t0\n3\t4\t1\n"),
        ("a.arff", "@attribute a real\n@attribute a real\n@attribute y {0,1}\n@data\n1,2,0\n3,4,1\n"),
    ],
)
def test_columns_of_the_same_name(tmp_path, name, text):
    assert refused(tmp_path, name, text).wrong == "column 'a' appears twice."


def test_sparse_arff(tmp_path):
    error = refused(tmp_path, "a.arff", "@attribute a real\n@attribute y {0,1}\n@data\n{0 1, 1 1}\n")
    assert (error.wrong, "line 4" in error.where, "dense" in error.fix) == ("the row is sparse.", True, True)


@pytest.mark.parametrize("kind", ["string", "date 'yyyy-MM-dd'", "relational"])
def test_arff_attributes_that_cannot_be_learnt_from(tmp_path, kind):
    text = f"@attribute t {kind}\n@attribute a real\n@attribute y {{0,1}}\n@data\nu,1,0\nv,2,1\n"
    error = refused(tmp_path, "a.arff", text)
    assert f"t holds {kind.split()[0]} values" in error.wrong
    assert 'drop = ["t"]' in error.fix
    assert len(dataset_of(tmp_path / "a.arff", drop=["t"]).features) == 1


def test_columns_without_a_value_and_with_one_value_are_kept_and_encoded(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("none,same,word,a,y\n,7,u,1,0\n,7,u,2,1\n,7,u,3,0\n,7,u,4,1\n")
    data = dataset_of(path)
    none, same, word, _ = data.features
    assert (np.isnan(none.values).all(), none.nominal) == (True, False)
    assert (set(same.values), word.categories) == ({7.0}, ("u",))
    train, test = encoded(data, Encoding(scale=True), np.array([0, 1, 2]), np.array([3]))
    assert np.isfinite(train).all()
    assert np.isfinite(test).all()
    assert (train[:, :3] == 0).all()  # they tell nothing, and so they are 0 for every row
    assert (test[:, :3] == 0).all()


def test_a_level_unseen_in_training_is_zero_in_every_column_of_its_feature(tmp_path):
    data = dataset_of((pd.DataFrame({"b": ["u", "v", "u", "w"], "a": [1.0, 2, 3, 4]}), [0, 1, 0, 1]))
    train, test = encoded(data, Encoding(scale=False), np.array([0, 1, 2]), np.array([3]))
    assert train.tolist() == [[1, 0, 1], [0, 1, 2], [1, 0, 3]]
    assert test.tolist() == [[0, 0, 4]]
