"""Data sets: every door gives the same data, and every fault its three lines."""

import gzip

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_diabetes, load_iris

from bestofk.core.errors import InputError, UnknownName
from bestofk.design.datasets import dataset_of
from bestofk.design.datasets.shelf import DATASETS
from bestofk.design.encoding import raw_rows
from bestofk.testing import check_dataset

ROWS = {
    "size": [1.5, 2.0, None, 4.0, 5.0, 6.5],
    "colour": ["red", "blue", "red", None, "green, dark", "blue"],
    "count": [3, 1, 2, 3, 1, 2],
    "class": ["yes", "no", "yes", "no", "no", "yes"],
}


CSV = """size,colour,count,class
1.5,red,3,yes
2.0,blue,1,no
?,red,2,yes
4.0,,3,no
5.0,"green, dark",1,no
6.5,blue,2,yes
"""


ARFF = """% made for this test
@RELATION toy
@attribute size NUMERIC
@Attribute 'colour' {red, blue, 'green, dark'}
@attribute count integer
@attribute class {no,yes}

@DATA
1.5,red,3,yes
2.0,blue,1,no
% a comment among the rows
?,red,2,yes
4.0,?,3,no
5.0,'green, dark',1,no
6.5, blue ,2,yes
"""


def write(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def sources(folder):
    frame = pd.DataFrame(ROWS)
    packed = folder / "packed.csv.gz"
    packed.write_bytes(gzip.compress(CSV.encode()))
    parquet, sheet = folder / "toy.parquet", folder / "toy.xlsx"
    frame.to_parquet(parquet)
    frame.to_excel(sheet, index=False)
    features = {name: ROWS[name] for name in ("size", "colour", "count")}
    return {
        "csv": write(folder, "toy.csv", CSV),
        "tsv": write(folder, "toy.tsv", "\n".join(_tabbed(line) for line in CSV.splitlines())),
        "csv with a mark of UTF-8": write(folder, "mark.csv", "\ufeff" + CSV),
        "packed": packed,
        "arff": write(folder, "toy.arff", ARFF),
        "parquet": parquet,
        "xlsx": sheet,
        "pandas": frame,
        "pandas, categories": frame.astype({"colour": "category", "class": "category"}),
        "polars": pl.DataFrame(ROWS),
        "polars, lazy": pl.LazyFrame(ROWS),
        "arrow": pa.table(ROWS),
        "frame and series": (pd.DataFrame(features), frame["class"]),
        "frame and list": (pl.DataFrame(features), ROWS["class"]),
    }


def _tabbed(line):
    return line.replace('"green, dark"', "green; dark").replace(",", "\t").replace(";", ",")


@pytest.fixture
def doors(tmp_path):
    return sources(tmp_path)


DOORS = [
    *("csv", "tsv", "csv with a mark of UTF-8", "packed", "arff", "parquet", "xlsx", "pandas", "pandas, categories"),
    *("polars", "polars, lazy", "arrow", "frame and series", "frame and list"),
]


@pytest.mark.parametrize("door", DOORS)
def test_every_door_gives_the_same_data(doors, door):
    dataset = dataset_of(doors[door], name="toy")
    assert [feature.name for feature in dataset.features] == ["size", "colour", "count"]
    assert dataset.classes == ("no", "yes")
    assert dataset.y.tolist() == [1, 0, 1, 0, 0, 1]
    size, colour, count = dataset.features
    assert np.array_equal(size.values, [1.5, 2.0, np.nan, 4.0, 5.0, 6.5], equal_nan=True)
    assert colour.categories == ("blue", "green, dark", "red")
    assert np.array_equal(colour.values, [2, 0, 2, np.nan, 1, 0], equal_nan=True)
    assert not count.nominal
    assert dataset.fingerprint == dataset_of(doors["csv"], name="another").fingerprint
    assert dataset.task == "classification"


@pytest.mark.parametrize("door", ["csv", "xlsx", "pandas", "polars", "arrow"])
def test_raw_rows_are_what_the_user_gave_without_the_target(doors, door):
    raw = raw_rows(dataset_of(doors[door]), np.array([4, 0]))
    names = raw.column_names if door == "arrow" else list(raw.columns)
    assert names == ["size", "colour", "count"]
    colours = raw["colour"].to_pylist() if door == "arrow" else list(raw["colour"])
    assert colours == ["green, dark", "red"]


@pytest.mark.parametrize("name", DATASETS.names())
def test_registered(name):
    check_dataset(DATASETS[name])
    assert dataset_of(name).name == name


def test_the_checks_find_a_data_set_that_changes():
    with pytest.raises(AssertionError, match="loaded again"):
        check_dataset(lambda: dataset_of((np.random.default_rng().random((9, 2)), [0, 1, 2] * 3)))


def test_bundled_data_are_scikit_learns():
    iris = dataset_of("iris")
    X, y = load_iris(return_X_y=True)
    assert np.array_equal(np.column_stack([feature.values for feature in iris.features]), X)
    assert np.array_equal(iris.y, y)
    assert iris.classes == ("setosa", "versicolor", "virginica")
    diabetes = dataset_of("diabetes")
    assert diabetes.task == "regression"
    assert np.array_equal(diabetes.y, load_diabetes().target)


def test_a_bunch_of_scikit_learn():
    dataset = dataset_of(load_iris(), name="flowers")
    assert (dataset.rows, dataset.classes) == (150, ("0", "1", "2"))
    assert dataset.features[0].name == "sepal length (cm)"


def test_whole_numbers_are_numbers_unless_called_nominal(doors):
    assert not dataset_of(doors["csv"]).features[2].nominal
    count = dataset_of(doors["csv"], nominal=["count"]).features[2]
    assert count.categories == ("1", "2", "3")
    assert dataset_of(doors["pandas"].astype({"count": "category"})).features[2].categories == ("1", "2", "3")


def test_categories_of_whole_numbers_are_sorted_by_size():
    dataset = dataset_of(([[1.0]] * 12, [*range(12)]))
    assert dataset.classes == tuple(str(number) for number in range(12))
    assert dataset.y.tolist() == list(range(12))


@pytest.mark.parametrize(
    ("y", "task", "expected"),
    [
        ([0.5, 1.5, 2.0], None, "regression"),
        ([1.0, 2.0, 1.0], None, "classification"),
        ([1, 2, 1], None, "classification"),
        ([1, 2, 1], "regression", "regression"),
        ([True, False, True], None, "classification"),
        (["a", "b", "a"], None, "classification"),
        ([0.5, 1.5, 0.5], "classification", "classification"),
    ],
)
def test_what_is_to_be_learnt(y, task, expected):
    assert dataset_of(([[1], [2], [3]], y), task=task).task == expected
    assert dataset_of(([[1], [2], [3]], np.array(y)), task=task).task == expected


def test_groups_from_a_column_or_beside_it(doors):
    by_name = dataset_of(doors["csv"], groups="count")
    assert [feature.name for feature in by_name.features] == ["size", "colour"]
    assert by_name.groups.tolist() == [2, 0, 1, 2, 0, 1]
    beside = dataset_of(doors["csv"], groups=["p", "q", "p", "q", "p", "q"])
    assert beside.groups.tolist() == [0, 1, 0, 1, 0, 1]
    assert len({by_name.fingerprint, beside.fingerprint, dataset_of(doors["csv"]).fingerprint}) == 3
    series = dataset_of(doors["csv"], groups=pd.Series(list("pqpqpq")))
    assert series.groups.tolist() == beside.groups.tolist()


def test_dropped_columns_are_gone_from_raw_rows_too(doors):
    for door in ("pandas", "polars", "arrow"):
        dataset = dataset_of(doors[door], drop=["size"])
        assert raw_rows(dataset, np.arange(2)).shape[1] == 2
    matrix = dataset_of((np.arange(12.0).reshape(4, 3), [0, 1, 0, 1]), drop="x1")
    assert raw_rows(matrix, np.array([0])).tolist() == [[0.0, 2.0]]


def test_constant_columns_and_empty_ones_are_kept():
    frame = pd.DataFrame({"same": [1.0] * 4, "none": [np.nan] * 4, "void": [None] * 4, "y": [0, 1, 0, 1]})
    assert [feature.name for feature in dataset_of(frame).features] == ["same", "none", "void"]


def test_later_changes_of_the_users_own_objects_do_not_matter():
    X, frame = np.array([[1.0], [2.0]]), pd.DataFrame({"x": [1.0, 2.0], "y": [0, 1]})
    one, two, three = dataset_of((X, [0, 1])), dataset_of(frame), dataset_of((frame, [0, 1]))
    X[0, 0], frame.loc[0, "x"] = 9.0, 9.0
    assert one.features[0].values[0] == two.features[0].values[0] == 1.0
    assert raw_rows(three, np.array([0])).iloc[0, 0] == 1.0
    assert raw_rows(one, np.array([0]))[0, 0] == raw_rows(two, np.array([0])).iloc[0, 0] == 1.0


def test_usual_names_of_the_target(tmp_path):
    assert dataset_of(write(tmp_path, "a.csv", "Label,b\nu,1\nv,2\n")).target == "Label"
    assert dataset_of(write(tmp_path, "b.csv", "a;b\nu;1\nv;2\n"), target="a").target == "a"


def test_text_with_digits_and_underscores_is_no_number(tmp_path):
    dataset = dataset_of(write(tmp_path, "a.csv", "a,y\n1_000,0\n2,1\n"))
    assert dataset.features[0].categories == ("2", "1_000")


def test_identifiers_are_refused_unless_called_nominal(tmp_path):
    path = write(tmp_path, "a.csv", "id,y\n" + "".join(f"p{i},{i % 2}\n" for i in range(40)))
    with pytest.raises(InputError, match="identifier") as caught:
        dataset_of(path)
    assert 'drop = ["id"]' in caught.value.fix
    assert len(dataset_of(path, nominal=["id"]).features[0].categories) == 40
    few = write(tmp_path, "b.csv", "kind,y\n" + "".join(f"k{i % 15},{i % 2}\n" for i in range(16)))
    assert len(dataset_of(few).features[0].categories) == 15


HEAD = "@attribute x real\n@attribute y {a,b}\n@data\n"


FILES = {
    "no target": ("a.csv", "a,b\n1,2\n3,4\n", {}, "not said", 'target = "b"'),
    "two targets": ("a.csv", "y,class\n1,2\n3,4\n", {}, "y and class", "name it"),
    "absent target": ("a.csv", "a,colour\n1,2\n3,4\n", {"target": "color"}, "unknown target column", "'colour'"),
    "absent group": ("a.csv", "a,b,y\n1,2,0\n3,4,1\n", {"groups": "c"}, "unknown column in groups", "known: a, b, y"),
    "absent nominal": ("a.csv", "alpha,y\n1,0\n3,1\n", {"nominal": ["alfa"]}, "column in nominal", "'alpha'"),
    "one class": ("a.csv", "a,y\n1,k\n3,k\n", {}, "one class: k", "two classes"),
    "one value": ("a.csv", "a,y\n1,0.5\n3,0.5\n", {}, "0.5 in every row", "differs"),
    "missing target": (
        "a.csv",
        "a,y\n1,0\n2,1\n3,?\n",
        {},
        "missing in 1 row, the first at row 3",
        "leave those rows",
    ),
    "missing number": ("a.csv", "a,y\n1,0.5\n2,\n3,1\n", {}, "the first at row 2", "leave those rows"),
    "repeated name": ("a.csv", "a,a,y\n1,2,0\n3,4,1\n", {}, "column 'a' appears twice", "rename one"),
    "nameless": ("a.csv", ",a,y\n1,2,0\n3,4,1\n", {}, "column 1 has no name", "take the column out"),
    "no header": ("a.csv", "1,2,0\n3,4,1\n", {}, "line 1 holds numbers", "header"),
    "ragged": ("a.csv", "a,y\n1,0\n2,1,3\n", {}, "the row has 3 values for 2 columns", "one value per column"),
    "open quote": ("a.csv", 'a,y\n"1,0\n2,1\n', {}, "the quotes do not match", "close every quote"),
    "empty": ("a.csv", "\n\n", {}, "empty", "header"),
    "no rows": ("a.csv", "a,y\n", {}, "no rows", "add"),
    "only the target": ("a.csv", "y\n0\n1\n", {}, "0 features", "at least one feature"),
    "dropped target": (
        "a.csv",
        "a,y\n1,0\n2,1\n",
        {"target": "y", "drop": ["y"]},
        "among the columns to drop",
        "target",
    ),
    "many whole numbers": ("a.csv", "a,y\n" + "".join(f"1,{i}\n" for i in range(40)), {}, "40 different", "regression"),
    "text to regress": ("a.csv", "a,y\n1,u\n2,v\n", {"task": "regression"}, "holds text", "task"),
    "unknown task": ("a.csv", "a,y\n1,u\n2,v\n", {"task": "regresion"}, "unknown task", "'regression'"),
    "unknown ending": ("a.sas7bdat", "x", {}, "not known", ".csv"),
    "not Parquet": ("a.parquet", "x", {}, "cannot be read", "write it again"),
    "not XLSX": ("a.xlsx", "x", {}, "no XLSX file", "save it"),
    "short groups": ("a.csv", "a,y\n1,0\n2,1\n", {"groups": [1]}, "1 values for 2 rows", "per row"),
    "missing group": ("a.csv", "a,g,y\n1,,0\n2,k,1\n", {"groups": "g"}, "row 1 has no group", "every row"),
    "arff, sparse": ("a.arff", "@attribute y {a,b}\n@data\n{0 a}\n", {}, "sparse", "dense"),
    "arff, text": ("a.arff", "@attribute t string\n@attribute y {a,b}\n@data\nu,a\nv,b\n", {}, "string values", "drop"),
    "arff, undeclared": (
        "a.arff",
        HEAD + "1,a\n2,c\n",
        {},
        "'c' is not",
        "a, b",
    ),
    "arff, no number": (
        "a.arff",
        HEAD + "1,a\nu,b\n",
        {},
        "'u' is no number",
        "?",
    ),
    "arff, short row": ("a.arff", HEAD + "1\n", {}, "1 values", "per attribute"),
    "arff, weight": ("a.arff", HEAD + "1,a,{2}\n", {}, "3 values and there are 2", "no weight"),
    "arff, no rows": ("a.arff", "@attribute x real\n@data\n", {}, "no rows", "@data"),
    "arff, brace": ("a.arff", "@attribute y {a,b\n@data\na\n", {}, "closing brace", "{"),
    "arff, other words": ("a.arff", "hello\n", {}, "'hello' is not understood", "mend"),
}


@pytest.mark.parametrize(("name", "text", "options", "wrong", "fix"), FILES.values(), ids=FILES)
def test_faults_in_files(tmp_path, name, text, options, wrong, fix):
    path = write(tmp_path, name, text)
    source = str(path) if name == "a.csv" else path
    with pytest.raises(InputError) as caught:
        dataset_of(source, **options)
    assert wrong in caught.value.wrong
    assert fix in caught.value.fix
    assert str(path) in caught.value.where


ARRAYS = {
    "unequal lengths": (([[1], [2]], [0, 1, 0]), "2 rows and y has 3", "one value of y"),
    "ragged": (([[1], [2, 3]], [0, 1]), "unequal lengths", "equal length"),
    "flat": (([1, 2], [0, 1]), "shape (2,)", "reshape"),
    "y of two columns": (([[1], [2]], [[0, 1], [1, 0]]), "y has the shape (2, 2)", "one target"),
    "y a number": (([[1], [2]], 3), "y is 3", "one target"),
    "infinite": (([[1.0], [np.inf]], [0, 1]), "infinite in 1 row, the first at row 2", "leave the cell empty"),
    "infinite target": (([[1.0], [2.0]], [0.5, np.inf]), "infinite at row 2", "correct"),
    "NaN in y": (([[1.0], [2.0], [3.0]], [0, 1, np.nan]), "missing in 1 row, the first at row 3", "leave those rows"),
    "None in y": (([[1.0], [2.0], [3.0]], ["a", None, "b"]), "the first at row 2", "leave those rows"),
    "NA in y": ((pd.DataFrame({"a": [1, 2, 3]}), pd.Series([1, 0, None], dtype="Int64")), "at row 3", "leave those"),
    "one class": ((np.ones((4, 1)), ["k"] * 4), "one class: k", "two classes"),
    "masked": ((np.ma.masked_array([[1.0]], [[True]]), [1]), "masked", "filled"),
    "complex": ((np.array([[1j], [2j]]), [0, 1]), "complex", "numbers"),
    "no rows": ((np.zeros((0, 2)), []), "0 targets", "at least one"),
    "dates": (pd.DataFrame({"d": pd.to_datetime(["2020-01-01", "2020-01-02"]), "y": [0, 1]}), "dates", 'drop = ["d"]'),
    "lists": (pl.DataFrame({"d": [[1], [2]], "y": [0, 1]}), "List", 'drop = ["d"]'),
    "repeated name": (pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["a", "a", "y"]), "'a' appears twice", "rename one"),
    "empty frame": (pd.DataFrame({"a": [], "y": []}), "no rows", "one row"),
    "no data": (object(), "is no data set", "data frame"),
}


@pytest.mark.parametrize(("source", "wrong", "fix"), ARRAYS.values(), ids=ARRAYS)
def test_faults_in_arrays_and_frames(source, wrong, fix):
    with pytest.raises(InputError) as caught:
        dataset_of(source, name="toy")
    assert wrong in caught.value.wrong
    assert fix in caught.value.fix
    assert "toy" in caught.value.where


def test_sparse_matrices_are_refused():
    from scipy.sparse import csr_array

    with pytest.raises(InputError, match="sparse"):
        dataset_of((csr_array(np.eye(3)), [0, 1, 0]))


def test_missing_file_with_a_near_one(tmp_path):
    write(tmp_path, "wines.csv", CSV)
    with pytest.raises(InputError) as caught:
        dataset_of(tmp_path / "wine.csv")
    assert "no such file" in caught.value.wrong
    assert "wines.csv" in caught.value.fix
    with pytest.raises(InputError, match="folder"):
        dataset_of(tmp_path)


def test_text_that_is_no_utf8(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("a,y\nä,1\nb,2\n".encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8"):
        dataset_of(path)
    path.write_bytes(b"\x1f\x8b broken")
    with pytest.raises(InputError, match="gzip file is damaged"):
        dataset_of(path)


def test_unknown_name_with_a_near_one():
    with pytest.raises(UnknownName) as caught:
        dataset_of("breast-cancr")
    assert "'breast-cancer'" in caught.value.fix


def test_columns_of_a_finished_data_set_are_settled():
    iris = dataset_of("iris", name="flowers")
    assert dataset_of(iris, name="again").fingerprint == iris.fingerprint
    assert (iris.name, dataset_of(iris, ordered=True).ordered) == ("flowers", True)
    with pytest.raises(InputError, match="settled"):
        dataset_of("iris", target="sepal length (cm)")


def test_arff_with_quotes_and_dropped_text(tmp_path):
    text = (
        "@relation 'a b'\n@attribute \"the name\" real\n@attribute 'it\\'s' {'a,b',\"c d\", '?'}\n@attribute t string\n"
        "@attribute class {0,1}\n@data\n1.5,'a,b','free, text',0\n-2e3,\"c d\",x,1\n?,'?',y,1\n"
    )
    dataset = dataset_of(write(tmp_path, "a.arff", text), drop=["t"])
    assert [feature.name for feature in dataset.features] == ["the name", "it's"]
    assert dataset.features[1].categories == ("?", "a,b", "c d")
    assert dataset.features[0].values[1] == -2000.0


def test_a_typing_error_among_numbers_is_no_category(tmp_path):
    path = tmp_path / "typed.csv"
    path.write_text("a,b,y\n0.5,1,x\n1O,2,z\n2.5,3,x\n3,4,z\n1,1,x\n2,2,z\n")
    with pytest.raises(InputError, match=r"holds '1O'.*line 3.*5.*6 values"):
        dataset_of(str(path))
    assert dataset_of(str(path), nominal=["a"]).features[0].nominal
    path.write_text("a;b;y\n0,5;1;x\n1,5;2;z\n2,5;3;x\n")
    with pytest.raises(InputError, match="decimal point"):
        dataset_of(str(path))


def test_few_numbers_among_words_are_categories(tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("a,y\n1,x\n2,z\nmany,x\nfew,z\n1,x\nnone,z\n")
    assert dataset_of(str(path)).features[0].nominal


def test_columns_that_pandas_numbers_have_their_number_for_a_name():
    frame = pd.DataFrame(np.arange(12.0).reshape(4, 3)).assign(y=list("abab"))
    dataset = dataset_of(frame, target="y")
    assert [each.name for each in dataset.features] == ["0", "1", "2"]
    levels = pd.DataFrame(np.ones((2, 2)), columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))
    with pytest.raises(InputError, match="2 levels of names"):
        dataset_of(levels, target="a")


def test_the_index_of_a_pandas_frame_is_no_input(tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "class": list("abab")})
    frame.to_parquet(tmp_path / "plain.parquet")
    frame.iloc[[3, 1, 0, 2]].to_parquet(tmp_path / "unnamed.parquet")
    named = frame.set_index(pd.Index(["p", "p", "q", "q"], name="patient"))
    named.to_parquet(tmp_path / "named.parquet")
    for name in ("plain", "unnamed", "named"):
        assert [each.name for each in dataset_of(tmp_path / f"{name}.parquet").features] == ["x"]
    grouped = dataset_of(tmp_path / "named.parquet", groups="patient")
    assert grouped.groups.tolist() == [0, 0, 1, 1]
    assert len(grouped.features) == 1
    wanted = dataset_of(tmp_path / "named.parquet", nominal=["patient"])
    assert [each.name for each in wanted.features] == ["x", "patient"]
    assert len(dataset_of(tmp_path / "named.parquet", drop=["patient"]).features) == 1


def test_a_question_mark_in_a_csv_is_a_missing_value(tmp_path):
    (tmp_path / "d.csv").write_text("x,k,class\n1,?,a\n?,u,b\n3,v,a\n")
    x, k = dataset_of(tmp_path / "d.csv").features
    assert np.isnan(x.values).tolist() == [False, True, False]
    assert np.isnan(k.values).tolist() == [True, False, False]
    assert k.categories == ("u", "v")
