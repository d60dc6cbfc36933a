"""How rows were divided: folds, replications of folds or random splits, by indices or as it is said."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence.curves import Curves
from bestofk.evidence.divisions import division_of
from bestofk.evidence.reading import read_evidence
from makers_tables import grid, output, read, scored, written


def drawn(number, size, rows=100, seed=0):
    rng = np.random.default_rng(seed)
    tests = [rng.permutation(rows)[:size] for _ in range(number)]
    return tests, [np.setdiff1d(np.arange(rows), each) for each in tests]


def folds(replications, number, rows=100, seed=0):
    rng = np.random.default_rng(seed)
    tests = [part for _ in range(replications) for part in np.array_split(rng.permutation(rows), number)]
    return tests, [np.setdiff1d(np.arange(rows), each) for each in tests]


@pytest.mark.parametrize("known", ["both", "test only"])
@pytest.mark.parametrize(("replications", "number"), [(1, 10), (3, 7), (5, 2), (1, 100)])
def test_sets_that_cover_all_rows_are_folds(replications, number, known):
    test, train = folds(replications, number)
    found = division_of(test, train if known == "both" else None, "here")
    assert (found.replications, found.folds, found.test_fraction) == (replications, number, None)


def test_sets_that_overlap_are_random_splits():
    found = division_of(*drawn(10, 30), "here")
    assert (found.replications, found.folds, found.test_fraction) == (10, 1, pytest.approx(0.3))


def test_mixtures_are_refused():
    test, train = (first + second for first, second in zip(folds(2, 5), drawn(3, 20), strict=True))
    with pytest.raises(InputError, match=r"mixture: 5, 5.*3 sets"):
        division_of(test, train, "here")
    test, train = (first + second for first, second in zip(folds(1, 5), folds(1, 2), strict=True))
    with pytest.raises(InputError, match="mixture: 5, 2 folds"):
        division_of(test, train, "here")


def test_splits_of_different_sizes_are_refused():
    test, train = (first + second for first, second in zip(drawn(3, 20), drawn(3, 30), strict=True))
    with pytest.raises(InputError, match=r"between 20 %.*30 %"):
        division_of(test, train, "here")


def test_training_sets_that_grow_are_told_by_their_mean_share():
    tested = [np.arange(10 * i, 10 * i + 10) for i in (1, 2, 3)]
    found = division_of(tested, [np.arange(10 * i) for i in (1, 2, 3)], "here")
    assert (found.replications, found.folds, found.divided) == (1, 3, "growing")
    mean = (1 + 1 / 2 + 1 / 3) / 3  # test rows per training row
    assert found.test_fraction == pytest.approx(mean / (1 + mean))


def outputs_of(cv, *, return_indices, rows=50):
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import cross_validate
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)
    learners = {"bayes": GaussianNB(), "none": DummyClassifier()}
    chosen = np.arange(0, 150, 150 // rows)
    return {
        name: cross_validate(each, X[chosen], y[chosen], cv=cv, return_indices=return_indices)
        for name, each in learners.items()
    }


def test_indices_tell_repeated_folds():
    model_selection = pytest.importorskip("sklearn.model_selection")
    cv = model_selection.RepeatedKFold(n_splits=10, n_repeats=3, random_state=1)
    outputs = outputs_of(cv, return_indices=True)
    found = read_evidence(outputs)
    assert "3 replications of 10" in repr(found)
    np.testing.assert_array_equal(found.values[0, 0].ravel(), outputs["bayes"]["test_score"])
    assert found.origin.assumed == ()
    assert found.fingerprints.shape == (1, 3, 10)
    blind = read_evidence(outputs_of(cv, return_indices=False))
    assert "1 replication of 30" in repr(blind)
    assert blind.origin.assumed == ("one-replication",)
    assert any("replications= or test_fraction=" in note for note in blind.origin.said)
    told = read_evidence(outputs_of(cv, return_indices=False), replications=3)
    assert (repr(told), told.origin.assumed) == (repr(found), ())
    assert not any("replications=" in note for note in told.origin.said)
    assert any("3 replications of 10" in note for note in told.origin.notes)
    np.testing.assert_array_equal(told.values, found.values)
    with pytest.raises(InputError, match="are 3 replications"):
        read_evidence(outputs, replications=3)
    with pytest.raises(InputError, match=r"3 replications.*10 folds"):
        read_evidence(outputs, test_fraction=0.1)


def test_a_large_number_that_contradicts_the_source_is_told_in_full():
    curves = Curves(learners=("a", "b"), values=([[0.5, 0.4]], [[0.6, 0.5]]), measure="error", larger_is_better=False)
    with pytest.raises(InputError, match="1234567"):
        read_evidence(curves, replications=1234567)
    with pytest.raises(InputError, match=r"0\.25"):
        read_evidence(curves, test_fraction=0.25)


def test_indices_tell_random_splits():
    model_selection = pytest.importorskip("sklearn.model_selection")
    cv = model_selection.ShuffleSplit(n_splits=10, test_size=0.5, random_state=1)
    outputs = outputs_of(cv, return_indices=True)
    found = read_evidence(outputs)
    assert "10 random splits" in repr(found)
    assert "50 % test data" in repr(found)
    assert (found.values.shape, found.test_fraction) == ((2, 1, 10, 1), 0.5)
    assert (read_evidence(found).test_fraction, read_evidence(found, learners=["bayes", "none"]).test_fraction) == (
        0.5,
        0.5,
    )
    told = read_evidence(outputs_of(cv, return_indices=False), test_fraction=0.5)
    assert (repr(told), told.origin.assumed) == (repr(found), ())
    with pytest.raises(InputError, match=r"test_fraction.*0\.3.*0\.5"):
        read_evidence(outputs, test_fraction=0.3)
    with pytest.raises(InputError, match="are 10 random splits"):
        read_evidence(outputs, replications=2)
    for each in outputs.values():
        del each["indices"]["train"]
    with pytest.raises(InputError, match="no training indices tell"):
        read_evidence(outputs)
    assert read_evidence(outputs, test_fraction=0.5).test_fraction == 0.5


def test_indices_of_one_replication_are_not_contradicted():
    outputs = {name: output([0.8, 0.9], indices=[[0, 1], [2, 3]]) for name in "ab"}
    with pytest.raises(InputError, match=r"replications is 2.*1 replication"):
        read_evidence(outputs, replications=2)
    assert read_evidence(outputs, replications=1).values.shape == (2, 1, 1, 2)


def test_scores_without_indices_are_assumed_to_be_one_replication():
    flat = {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.3, 0.4, 0.5]}
    assert read_evidence(flat, measure="error").origin.assumed == ("one-replication",)
    assert read_evidence(flat, measure="error", replications=1).origin.assumed == ()
    assert read_evidence(flat, measure="error", replications=2).values[0, 0].tolist() == [[0.1, 0.2], [0.3, 0.4]]
    assert read_evidence(flat, measure="error", test_fraction=0.2).values.shape == (2, 1, 4, 1)
    for shape in ((2, 2), (1, 4)):
        arrays = {name: np.reshape(each, shape) for name, each in flat.items()}
        assert read_evidence(arrays, measure="error").origin.assumed == ()
    scores_alone = {name: {"test_score": each} for name, each in flat.items()}
    assert read_evidence(scores_alone, larger_is_better=True).origin.assumed == ("one-replication",)


def test_seeds_are_random_splits_where_the_share_is_told(tmp_path):
    rows = "".join(f"{model},{seed},.5\n" for model in "ab" for seed in range(4))
    path = written(tmp_path, "a.csv", f"model,seed,accuracy\n{rows}")
    found = read_evidence(path, test_fraction=0.25)
    assert "4 random splits" in repr(found)
    assert "25 % test data" in repr(found)
    assert found.replications == ("0", "1", "2", "3")


def test_rows_without_a_name_are_folds_where_something_is_said_of_folds(tmp_path):
    path = written(tmp_path, "a.csv", "a,b\n.1,.2\n.2,.3\n.3,.4\n.4,.5\n")
    assert read_evidence(path, measure="error", rows="datasets").values.shape == (2, 4, 1, 1)
    assert read_evidence(path, measure="error", test_fraction=0.5).values.shape == (2, 1, 4, 1)
    assert read_evidence(path, measure="error", replications=2).values.shape == (2, 1, 2, 2)
    assert read_evidence(path, measure="error", replications=2).origin.assumed == ()


def test_everything_moves_with_the_folds():
    keys = {"learner": ["a"] * 4 + ["b"] * 4, "fold": [1, 2, 3, 4] * 2, "fingerprint": list("pqrs") * 2}
    counts = {name: np.arange(1, 9) for name in ("tp", "fn", "fp", "tn")}
    columns = {**keys, **counts, "auc": np.arange(8) / 10, "f1": np.arange(8) / 8}
    found = read_evidence(columns, measure="auc", replications=2)
    assert found.values[1, 0].tolist() == [[0.4, 0.5], [0.6, 0.7]]
    assert found.fingerprints[0].tolist() == [["p", "q"], ["r", "s"]]
    assert found.others["f1"][0, 0].tolist() == [[0, 0.125], [0.25, 0.375]]
    assert found.counts[0, 0, :, :, 0].tolist() == [[1, 2], [3, 4]]


def test_written_test_indices_say_how_rows_were_divided():
    halves = ["[0, 1]", "[2, 3]", "[0, 2]", "[1, 3]"]
    columns = {"model": ["a"] * 4 + ["b"] * 4, "split": [0, 1, 2, 3] * 2, "test_score": np.arange(8) / 10}
    found = read({**columns, "test_indices": halves * 2})
    assert found.values.shape == (2, 1, 2, 2)
    assert found.origin.assumed == ()
    overlapping = {**columns, "test_indices": ["[0, 1]", "[1, 2]", "[0, 2]", "[1, 3]"] * 2}
    with pytest.raises(InputError, match="no training indices"):
        read(overlapping)
    train = ["[2, 3]", "[0, 3]", "[1, 3]", "[0, 2]"] * 2
    random = read({**overlapping, "train_indices": train})
    assert (random.values.shape, random.test_fraction) == ((2, 1, 4, 1), 0.5)
    assert random.replications == ("0", "1", "2", "3")
    cut = read({**columns, "test_indices": ["[0 1 ... 9]", "[2 3 ... 8]", "[0 2 ... 7]", "[1 3 ... 6]"] * 2})
    assert cut.origin.assumed == ("one-replication",)


def test_folds_that_the_table_names_are_not_assumed():
    assert read(grid()).origin.assumed == ()
    assert read(scored(score=[0.1] * 4)).origin.assumed == ("one-replication",)
    assert read(scored(score=[0.1] * 4) | {"repeat": [1] * 4}).origin.assumed == ()


def folds_in_a_row(column, number):
    values = np.random.default_rng(3).normal([[0.9], [0.8]], 0.01, (2, number))
    return {"model": ["a"] * number + ["b"] * number, column: [*range(number)] * 2, "accuracy": values.ravel()}


@pytest.mark.parametrize(
    ("column", "number", "assumed"),
    [("fold", 10, False), ("fold", 5, False), ("split", 10, True), ("cv_split", 5, True), ("fold", 15, True)],
)
def test_folds_that_may_be_random_splits_are_the_first_caution(column, number, assumed):
    source = folds_in_a_row(column, number)
    verdict = bk.judge(bk.read(source))
    assert verdict.status == "decided"
    assert ("K114" in {each.code for each in verdict.advice}) is assumed
    assert ("(K114)" in verdict.text()) is assumed
    for told in ({"replications": 1}, {"test_fraction": 0.3}):
        assert "K114" not in {each.code for each in bk.judge(bk.read(source, **told)).advice}


def test_folds_of_few_data_sets_may_be_random_splits_as_well():
    one = folds_in_a_row("split", 6)
    both = {name: [*values, *values] for name, values in one.items()} | {"dataset": ["iris"] * 12 + ["wine"] * 12}
    assert "K114" in {each.code for each in bk.judge(bk.read(both)).advice}


@pytest.mark.parametrize("name", ["iteration", "iter"])
def test_an_iteration_is_a_fold_where_that_is_said(name):
    source = folds_in_a_row(name, 5)
    with pytest.raises(InputError, match="one curve each") as error:
        bk.judge(bk.read(source))
    assert "--rows folds" in error.value.fix
    found = bk.read(source, rows="folds")
    assert (len(found.folds), found.origin.assumed) == (5, ("one-replication",))
    assert len(bk.read(source, rows="runs").runs[0]) == 5


def test_an_iteration_beside_folds_repeats_them_where_that_is_said():
    source = folds_in_a_row("fold", 6)
    source = {**source, "fold": [1, 2] * 6, "iteration": [1, 1, 2, 2, 3, 3] * 2}
    with pytest.raises(InputError, match="two ways") as error:
        bk.read(source)
    assert "--rows folds" in error.value.fix
    assert bk.read(source, rows="folds").values.shape[2:] == (3, 2)
