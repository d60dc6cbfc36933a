"""C4.5 against Weka's J48, against itself without numba, and by scikit-learn's checks."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from bestofk.c45 import C45Classifier, classifier
from bestofk.c45.cases import Training, entering_the_average, features_of
from bestofk.c45.pruning import added_errors, held_out_rows
from bestofk.collecting.cell.fold_runner import fitted_numbers
from bestofk.core.errors import InputError, UnknownName
from bestofk.core.extras import available
from bestofk.design.datasets import dataset_of
from bestofk.design.encoding import encoded
from bestofk.design.learners.shelf import c45
from bestofk.sharing.plain_fold import Estimators
from bestofk.testing import check_learner
from golden.c45 import sheets_of_sets as tables
from golden.c45.small_sets import SETS
from makers import slow

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "c45" / "values.json").read_text())["cases"]
DATA = tables.folder()
#: J48's options as parameters.
OPTIONS = {
    "": {},
    "-U": {"pruning": "none"},
    "-S": {"subtree_raising": False},
    "-R -N 3": {"pruning": "reduced-error", "held_out": 3},
    "-C 0.1": {"confidence": 0.1},
    "-M 5": {"min_instances": 5},
}
PLACES = sorted({(case["set"], case["part"]) for case in GOLDEN})


@pytest.fixture
def without_numba(monkeypatch):
    monkeypatch.setattr(classifier, "compiled_wanted", lambda: False)


def sheets(name, part):
    """Rows to learn from, and rows to predict where there are any."""
    if name not in SETS and DATA is None:
        pytest.skip("no data folder: set BESTOFK_DATA to compare with J48 on real data.")
    sheet = SETS[name] if name in SETS else tables.read(name, DATA)
    return tables.halves(sheet) if part == "half" else (sheet, None)


def compare_with_j48(name, part):
    train, test = sheets(name, part)
    cases = [case for case in GOLDEN if (case["set"], case["part"]) == (name, part)]
    assert len(cases) == len(OPTIONS)
    for case in cases:
        tree = C45Classifier(**OPTIONS[case["options"]]).fit(train.frame(), train.target())
        assert tree.export_text().strip("\n") == case["tree"], case["options"]
        assert (tree.n_leaves, tree.n_nodes) == (case["leaves"], case["size"])
        if test is not None:
            compare_predictions(tree, test, case)


def compare_predictions(tree, test, case):
    predicted = "".join(chr(ord("A") + int(label[1:])) for label in tree.predict(test.frame()))
    assert predicted == case["predictions"], case["options"]
    shares = np.zeros(len(test.y))  # of the last class, which may be absent from the training half
    if tree.classes_[-1] == f"c{test.classes - 1:02d}":
        shares = tree.predict_proba(test.frame())[:, -1]
    assert (shares * np.arange(1, len(shares) + 1)).sum() == pytest.approx(case["sum"], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("name", "part"), PLACES, ids=["-".join(place) for place in PLACES])
def test_the_tree_is_that_of_j48(name, part):
    compare_with_j48(name, part)


@pytest.mark.parametrize("name", [*SETS, "vote", "hepatitis", "glass", "horse"])
def test_the_plain_tree_is_that_of_j48(name, without_numba):
    compare_with_j48(name, "half")


@pytest.mark.skipif(not available("numba"), reason="numba is not installed")
@pytest.mark.parametrize("seed", [*range(3), *slow(*range(3, 12))])
@pytest.mark.parametrize("params", [*OPTIONS.values(), {"criterion": "gain"}, {"penalty": False, "collapse": False}])
def test_both_backends_learn_the_same(seed, params, monkeypatch):
    frame, y, weights = random_table(seed)
    compiled = C45Classifier(random_state=0, **params).fit(frame, y, sample_weight=weights)
    first, shares = compiled.predict(frame), compiled.predict_proba(frame)
    monkeypatch.setattr(classifier, "compiled_wanted", lambda: False)
    other = clone(compiled).fit(frame, y, sample_weight=weights)
    assert other.export_text() == compiled.export_text()
    np.testing.assert_allclose(other.tree_.counts, compiled.tree_.counts, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(other.predict(frame), first)
    np.testing.assert_allclose(other.predict_proba(frame), shares, rtol=1e-12, atol=1e-12)


def random_table(seed):
    """Numbers, levels and gaps; every other table has weights, every third no gaps."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(20, 150))
    number, other = rng.normal(size=rows).round(1), rng.integers(0, 20, rows) / 2
    colour, shape = rng.integers(0, 5, rows), rng.integers(0, 3, rows)
    y = (number > 0.3).astype(int) + (colour == 2) + (shape * other > 6) + (rng.random(rows) < 0.15)
    frame = pd.DataFrame({"number": number, "other": other})
    frame["colour"] = pd.Categorical.from_codes(colour, list("abcdef"))
    frame["shape"] = np.array(["round", "square", "flat"], dtype=object)[shape]
    if seed % 3:
        frame = frame.mask(rng.random(frame.shape) < 0.15)
    return frame, y, rng.integers(0, 4, rows) / 2 if seed % 2 else None


@pytest.mark.skipif(not available("numba"), reason="numba is not installed")
def test_too_little_room_is_made_larger(monkeypatch):
    from bestofk.c45.compiled import tree as compiled_tree

    frame, y, _ = random_table(1)
    expected = C45Classifier(confidence=0.5).fit(frame, y).export_text()
    made, new_store, tight = [], compiled_tree.new_store, {1: 3, 2: 400}

    def smaller(training, order, keep, times):
        """Too few nodes, then too short a deck, then as it should be."""
        made.append(times)
        store = new_store(training, order, keep, times)
        if times not in tight:
            return store
        deck = len(training.y)
        cut = store.nodes._replace(leaf=store.nodes.leaf[: tight[times]])
        short = store.deck._replace(
            **{name: np.array(getattr(store.deck, name)[:deck]) for name in store.deck._fields[:4]}
        )
        return store._replace(nodes=cut, deck=short)

    monkeypatch.setattr(compiled_tree, "new_store", smaller)
    assert C45Classifier(confidence=0.5).fit(frame, y).export_text() == expected
    assert made == [1, 2, 4]


def failing(estimator):
    """Which checks cannot hold."""
    if estimator.pruning != "reduced-error":
        return {}
    why = "rows are held out, so that one of weight 2 is not two rows, of which one may be held out."
    return {"check_sample_weight_equivalence_on_dense_data": why}


@parametrize_with_checks(
    [C45Classifier(), C45Classifier(pruning="reduced-error", random_state=0)], expected_failed_checks=failing
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_added_errors_are_the_binomial_limit():
    deviate = stats.norm.isf(0.25)
    for weight in (1.0, 2.0, 6.0, 16.0, 150.0):
        # no error in n rows: the share p with (1 - p)^n = confidence
        assert added_errors(weight, 0.0, 0.25, deviate) == pytest.approx(weight * (1 - 0.25 ** (1 / weight)), rel=1e-12)
    # Wilson's limit of the share (e + 1/2) / n, from its defining equation
    weight, errors = 40.0, 7.0
    limit = (errors + added_errors(weight, errors, 0.25, deviate)) / weight
    assert limit - (errors + 0.5) / weight == pytest.approx(
        deviate * math.sqrt(limit * (1 - limit) / weight), rel=1e-12
    )


def test_the_penalty_is_what_makes_pima_small():
    """REPLICATION: pima's even rows, unpruned, 41 nodes with the penalty and 109 without."""
    train, _ = sheets("pima", "half")
    X, y = train.matrix(), train.y
    assert C45Classifier(pruning="none").fit(X, y).n_nodes == 41
    assert C45Classifier(pruning="none", penalty=False).fit(X, y).n_nodes == 109


def test_columns_are_nominal_as_said():
    codes = np.array([[0.0, 7.0], [1.5, 7.0], [3.0, 8.0], [0.0, 8.0], [1.5, 7.0], [3.0, 8.0]] * 3)
    y = np.array([0, 1, 0, 0, 1, 0] * 3)
    for chosen in ([0], [-2], np.array([True, False]), ["a"]):
        X = pd.DataFrame(codes, columns=["a", "b"]) if isinstance(chosen[0], str) else codes
        tree = C45Classifier(nominal_features=chosen).fit(X, y)
        assert tree.tree_.width[0] == 3
        assert "= 1.5: 1 (6.0)" in tree.export_text()
    assert C45Classifier(nominal_features=None).fit(codes, y).tree_.width[0] == 2
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y", "z"] * 6), "t": ["p", "q", None] * 6, "b": [True, False] * 9})
    for kind in (frame, frame.astype({"t": object}), frame.to_numpy(dtype=object)):
        assert (C45Classifier().fit(kind, y)._columns.features.levels > 0).all()


def test_other_data_frames():
    polars = pytest.importorskip("polars")
    colours = polars.Enum(["red", "green", "blue"])
    frame = polars.DataFrame(
        {"c": polars.Series(["red", "green"] * 8, dtype=colours), "n": [1.0, 2.0, None, 4.0] * 4, "t": ["x", "y"] * 8}
    )
    tree = C45Classifier().fit(frame, [0, 1] * 8)
    assert tree.export_text() == "c = red: 0 (8.0)\nc = green: 1 (8.0)\nc = blue: 0 (0.0)\n"
    assert list(tree.feature_names_in_) == ["c", "n", "t"]
    assert tree.predict(frame).tolist() == [0, 1] * 8


def test_levels_unseen_in_training():
    frame = pd.DataFrame({"c": ["red"] * 6 + ["blue"] * 3})
    tree = C45Classifier().fit(frame, [0] * 6 + [1] * 3)
    # neither green nor missing was seen: both go down all branches by weight
    asked = pd.DataFrame({"c": ["green", None, "blue"]})
    np.testing.assert_allclose(tree.predict_proba(asked), [[2 / 3, 1 / 3], [2 / 3, 1 / 3], [0, 1]])
    declared = frame.astype({"c": pd.CategoricalDtype(["blue", "green", "red"])})
    tree = C45Classifier().fit(declared, [0] * 6 + [1] * 3)
    assert (tree.n_leaves, tree.n_leaves_, tree.n_nodes, tree.depth) == (3, 3, 4, 1)
    np.testing.assert_allclose(tree.predict_proba(asked), [[2 / 3, 1 / 3], [2 / 3, 1 / 3], [0, 1]])


def test_columns_that_tell_nothing():
    frame = pd.DataFrame({"gone": [None] * 8, "nan": [np.nan] * 8, "same": ["x"] * 8, "n": [0.0] * 4 + [1.0] * 4})
    tree = C45Classifier(nominal_features=["gone", "same"]).fit(frame, [0] * 4 + [1] * 4)
    assert tree.export_text() == "n <= 0: 0 (4.0)\nn > 0: 1 (4.0)\n"
    frame.loc[:, "n"] = np.nan
    assert C45Classifier(nominal_features=["gone", "same"]).fit(frame, [0] * 4 + [1] * 4).n_nodes == 1


def test_equal_features_and_thresholds_go_to_the_first():
    line = np.arange(36.0)
    # two cuts, after 12 rows and after 24, save the same: the lower is taken; so is the first of two equal columns
    tree = C45Classifier(pruning="none").fit(np.column_stack([line, line]), np.repeat([0, 1, 0], 12))
    assert (tree.tree_.feature[0], tree.tree_.threshold[0]) == (0, 11.0)


def test_a_threshold_is_a_value_of_the_whole_training_set():
    x = np.array([[1.0, 0], [2.0, 0], [6.0, 0], [7.0, 0], [3.5, 1], [3.6, 1], [3.7, 1], [3.9, 1]])
    tree = C45Classifier(pruning="none").fit(x, [0, 0, 1, 1, 2, 2, 2, 2])
    # midway between 2 and 6 is 4; 3.9, from rows that went the other way, is the largest value below
    assert 3.9 in tree.tree_.threshold.tolist()


def test_weights_are_copies_of_rows():
    frame, y, _ = random_table(5)
    times = np.random.default_rng(0).integers(0, 4, len(y))
    weighed = C45Classifier().fit(frame, y, sample_weight=times)
    copied = C45Classifier().fit(frame.loc[np.repeat(frame.index, times)], np.repeat(y, times))
    assert weighed.export_text() == copied.export_text()


def test_rows_held_out():
    y = np.array([0, 1] * 30, dtype=np.int32)
    assert held_out_rows(0.2, y, 0).sum() == 12
    assert (held_out_rows(0.2, y, 0) == held_out_rows(0.2, y, 0)).all()
    assert (held_out_rows(0.2, y, 0) != held_out_rows(0.2, y, 1)).any()
    last = held_out_rows(3, y, None)
    assert last.sum() == 20
    assert y[last].sum() == 10  # stratified


def test_many_levels_do_not_enter_the_average():
    features = features_of(np.array([0, 40, 3], dtype=np.int32))
    assert entering_the_average(features, 100.0).tolist() == [True, False, True]
    assert entering_the_average(features_of(np.array([40, 50], dtype=np.int32)), 100.0).all()
    assert Training._fields[-1] == "averaged"


@pytest.mark.parametrize(
    ("params", "word"),
    [
        ({"criterion": "gini"}, "criterion"),
        ({"pruning": "pessimist"}, "did you mean 'pessimistic'"),
        ({"confidence": 0.6}, "confidence is 0.6"),
        ({"confidence": True}, "confidence is True"),
        ({"min_instances": 0}, "min_instances is 0"),
        ({"held_out": 1}, "held_out is 1"),
        ({"held_out": 1.5}, "held_out is 1.5"),
        ({"nominal_features": "all"}, "'all'"),
        ({"nominal_features": [5]}, "indices from 0 to 1"),
        ({"nominal_features": ["colour"]}, "'colour'"),
        ({"nominal_features": [True]}, "a mask of 2"),
    ],
)
def test_wrong_settings(params, word):
    with pytest.raises((InputError, UnknownName), match=word):
        C45Classifier(**params).fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])


def test_wrong_data():
    with pytest.raises(InputError, match="sample weights are zero"):
        C45Classifier().fit([[1.0], [2.0]], [0, 1], sample_weight=[0, 0])
    with pytest.raises(InputError, match=r"X has 2.*y has 3"):
        C45Classifier().fit([[1.0], [2.0]], np.array([0, 1, 1]))
    letters, days = ["a", "b"] * 2, pd.to_datetime(["2020-01-01"] * 4)
    with pytest.raises(InputError, match="column 'p' occurs 2"):
        C45Classifier().fit(pd.DataFrame([["a", "b"]] * 4, columns=["p", "p"]), [0, 1] * 2)
    with pytest.raises(InputError, match="feature 1 holds"):
        C45Classifier().fit(pd.DataFrame({"a": letters, "d": days}), [0, 1] * 2)
    with pytest.raises(InputError, match="feature 1 holds infinity"):
        C45Classifier().fit(pd.DataFrame({"a": letters, "n": [1.0, np.inf, 2.0, 3.0]}), [0, 1] * 2)
    tree = C45Classifier().fit([["x", 1.0], ["y", 2.0]] * 3, [0, 1] * 3)
    with pytest.raises(InputError, match="column 1"):
        tree.predict([["x", "many"]])


def test_the_learner_of_a_plan():
    check_learner(c45())
    assert c45(confidence=0.1).settings["params"]["confidence"] == 0.1
    frame, y, _ = random_table(4)
    dataset = dataset_of(frame.assign(label=np.where(y > 1, "many", "few")), target="label")
    rows = np.arange(len(y))
    train, test = encoded(dataset, c45().encoding, rows[::2], rows[1::2])
    tree = Estimators(c45(), dataset).fresh(0).fit(train, dataset.y[::2].astype(int))
    assert tree.nominal_features == [place for place, each in enumerate(dataset.features) if each.nominal]
    assert tree._columns.levels[0] is None
    assert len(tree._columns.levels[3]) == 3
    assert tree.predict(test).shape == (len(rows[1::2]),)


@pytest.mark.parametrize("asked", [[[None, 1.0]], [[np.nan, 1.0]], [[7.0, 1.0]]])
def test_nothing_or_a_number_where_text_was_learnt_is_missing(asked):
    tree = C45Classifier().fit([["a", 1.0], ["b", 1.0]] * 6, [0, 1] * 6)
    np.testing.assert_allclose(tree.predict_proba(asked), [[0.5, 0.5]])


def test_weights_that_allow_no_split_are_warned_of():
    rows, y = [[0.0], [1.0]] * 10, [0, 1] * 10
    with pytest.warns(UserWarning, match="tree is one leaf"):
        assert C45Classifier().fit(rows, y, sample_weight=np.full(20, 1 / 20)).n_leaves == 1


def test_wrong_settings_are_found_before_training():
    with pytest.raises(ValueError, match="confidence is 7"):
        C45Classifier(confidence=7)._validate_params()


def test_its_size_is_that_of_the_tree():
    # iris, whole: four numeric tests (a feature and a threshold each) and five leaves
    X, y = load_iris(return_X_y=True)
    tree = C45Classifier().fit(X, y)
    assert (tree.n_leaves, tree.n_parameters, fitted_numbers(tree)) == (5, 13, 13)
    # one nominal test (a feature) and three leaves
    nominal = C45Classifier(nominal_features=[0]).fit([[0], [1], [2], [0]] * 5, [0, 1, 1, 0] * 5)
    assert (nominal.n_leaves, nominal.n_parameters) == (3, 4)
