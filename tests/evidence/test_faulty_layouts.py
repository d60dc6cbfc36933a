"""Tables that cannot be read as results: what is wrong, where it stands and what to do."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Curves, Runs, Scores
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.table_kind import evidence_from_table
from bestofk.tables.frames import table_from_columns
from bestofk.tables.table import Text
from makers_tables import (
    read,
    scored,
)

TWO = {"learner": ["a", "b"], "fold": [1, 1]}


FAULTS = {
    "duplicate row": ({"learner": ["a", "b", "a"], "fold": [1, 1, 1], "error": [1, 2, 3]}, {}, "appears twice: first"),
    "no column that tells folds apart": ({"learner": ["a", "a", "b"], "error": [1, 2, 3]}, {}, "tells them apart"),
    "empty learner": ({"learner": ["a", ""], "fold": [1, 1], "error": [1, 2]}, {}, "the learner is empty"),
    "empty fold": ({"learner": ["a", "b"], "fold": [1, None], "error": [1, 2]}, {}, "the fold is empty"),
    "word": ({**TWO, "error": ["0.1", "oops"]}, {}, "error is 'oops', not a number"),
    "word in an unknown measure": ({**TWO, "taste": ["0.1", "oops"]}, {}, "taste is 'oops', not a number"),
    "percent": ({**TWO, "acc": ["50%", "40"]}, {}, "acc is '50%', not a number"),
    "decimal comma": ({**TWO, "acc": ["0,5", "0.4"]}, {}, "acc is '0,5', not a number"),
    "commas of thousands": ({**TWO, "acc": ["1,500", "2,400"]}, {}, "acc is '1,500', not a number"),
    "mean and spread": ({**TWO, "taste": ["85.1±0.5", "80 ± 1"]}, {}, "taste is '85.1±0.5'"),
    "mean and spread, wide": ({"dataset": ["u", "v"], "a": ["8 (1)", "7 (2)"], "b": [1, 2]}, {}, "a is '8 (1)'"),
    "infinity": ({**TWO, "error": [np.inf, 1.0]}, {}, "error is inf"),
    "no scores": (TWO, {}, "no column holds scores"),
    "only words": ({**TWO, "remark": ["x", "y"]}, {}, "no column holds scores"),
    "no scores, wide": ({"dataset": ["u", "v"], "remark": ["x", "y"]}, {}, "no column holds scores"),
    "empty column, wide": ({"a": [1, 2], "b": [None, None]}, {"measure": "acc"}, "column 'b' has no scores"),
    "unknown measure": ({**TWO, "error": [1, 2]}, {"measure": "eror"}, "unknown measure 'eror'"),
    "unknown direction": ({**TWO, "taste": [1, 2]}, {}, "direction of the measure 'taste' is not known"),
    "direction contradicted": ({**TWO, "acc": [1, 2]}, {"larger_is_better": False}, "acc: larger is better"),
    "two learners' columns": ({**TWO, "model": ["c", "d"], "error": [1, 2]}, {}, "'learner' and 'model' both name"),
    "training rows": (
        {"learner": ["a", "a", "b", "b"], "split": ["train", "test"] * 2, "error": [1, 2, 3, 4]},
        {},
        "split has the parts train, test",
    ),
    "two folds": ({**TWO, "split": [1, 2], "error": [1, 2]}, {}, "'fold' and 'split' both name the fold"),
    "items and steps": ({"learner": ["a", "b"], "item": [1, 1], "step": [1, 1], "acc": [1, 2]}, {}, "read two ways"),
    "measures without learner": ({"fold": [1, 2], "acc": [1, 2], "f1": [1, 2]}, {}, "no column names the learner"),
    "percent in a wide table": ({"a": ["50%", "1%"], "b": [1, 2]}, {"measure": "acc"}, "'b' has none"),
    "summaries of a search": ({"cp": [0, 1], "Accuracy": [1, 2], "Kappa": [1, 2]}, {}, "names the learner"),
    "output of one learner": ({"fit_time": [1, 2], "test_score": [1, 2]}, {}, "no column names the learner"),
    "unknown learner": ({**TWO, "error": [1, 2]}, {"learners": ["a", "c"]}, "unknown learner 'c'"),
    "unknown column": ({"a": [1, 2], "b": [1, 2]}, {"learners": ["a", "c"]}, "unknown column 'c'"),
    "rows contradicted": ({"fold": [1, 2], "a": [1, 2], "b": [1, 2]}, {"rows": "items"}, "rows is 'items', but"),
    "rows unknown": ({"a": [1, 2], "b": [1, 2]}, {"rows": "people"}, "unknown rows 'people'"),
    "nothing shared": ({"learner": ["a", "b"], "fold": [1, 2], "error": [1, 2]}, {}, "no two learners share a result"),
    "0/0": ({**TWO, "tp": [0, 1], "fn": [1, 1], "fp": [0, 1], "tn": [1, 1]}, {"measure": "precision"}, "is 0/0"),
    "negative count": ({**TWO, "tp": [-1, 1], "fn": [1, 1], "fp": [0, 1], "tn": [1, 1]}, {}, "tp is negative"),
    "truth missing": ({"truth": ["a", None], "x": ["a", "b"], "y": ["a", "a"]}, {}, "the truth is empty"),
    "truth alone": ({"truth": ["a", "b"]}, {}, "no column holds predictions"),
    "no predictions": ({"truth": ["a", "b"], "x": ["a", "b"], "y": ["long", "text"]}, {}, "no class of truth"),
    "measure of predictions": ({"truth": ["a"], "x": ["a"], "y": ["a"]}, {"measure": "auc"}, "unknown measure of pred"),
    "classes unequal": (
        {"truth": ["a"], "x:a": [0.5], "x:b": [0.5], "y:a": [1.0]},
        {},
        "learner y has probabilities of a, learner x of a, b",
    ),
    "predictions without item": ({**TWO, "truth": ["a", "b"], "pred": ["a", "b"]}, {}, "no column that names the item"),
    "two outcomes": (
        {"learner": ["a", "b"], "item": [1, 1], "truth": ["x", "x"], "pred": ["x", "y"], "grade": [1, 2]},
        {},
        "the outcome may be read two ways",
    ),
    "truth differs": (
        {"learner": ["a", "b"], "item": [1, 1], "truth": ["x", "y"], "pred": ["x", "y"]},
        {},
        "the truth is y, but x in row 1",
    ),
    "no shared item": ({"learner": ["a", "b"], "item": [1, 2], "acc": [1, 1]}, {}, "no item is shared"),
    "item twice": (
        {"item": [1, 1], "a": [1, 0], "b": [1, 1]},
        {"measure": "acc"},
        "item 1 appears twice: first in row 1",
    ),
    "step twice": ({"learner": ["a", "a", "b"], "epoch": [1, 1, 1], "loss": [1, 2, 3]}, {}, "learner a appears twice"),
    "empty step": ({"learner": ["a", "b"], "epoch": [1, None], "loss": [1, 2]}, {}, "the step is empty"),
    "same setting twice": (
        {"param_C": [1, 1], "split0_test_score": [1, 2], "split1_test_score": [1, 2]},
        {},
        "learner 'C=1' is named twice",
    ),
    "split of one scorer": (
        {"param_C": [1, 2], "split0_test_f1": [1, 0], "split0_test_auc": [1, 1], "split1_test_auc": [1, 0]},
        {"measure": "auc"},
        "split1_test_f1",
    ),
    "no rows": ({"learner": [], "error": []}, {}, "there are no rows"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_get_three_lines(fault):
    columns, options, message = FAULTS[fault]
    with pytest.raises(InputError) as error:
        read(columns, **options)
    assert message in error.value.wrong
    assert error.value.where.strip()
    assert error.value.fix.strip()


NAMES = [
    *("learner", "model", "dataset", "task", "rep", "fold", "item", "id", "truth", "pred", "epoch", "group", "failure"),
    *("fingerprint", "unnamed", "unnamed 2", "acc", "error", "taste", "fit_time", "score_time", "test_score", "a", "b"),
    *("a:x", "a:y", "tp", "fn", "fp", "tn", "split0_test_score", "split1_test_score", "param_C", "Key_Scheme"),
    *("metric", "value", "Key_Dataset", "Key_Fold", "Percent_correct", "train_score"),
]


CELLS = st.sampled_from([None, "", "x", "y", "1", "2", 1, 2, 0.5, -1.0, "50%"])


@given(st.data(), st.integers(1, 6), st.sampled_from([None, "acc", "error", "taste"]), st.sampled_from([None, True]))
def test_any_table_is_evidence_or_three_lines(data, size, measure, larger):
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=7, unique=True))
    columns = {name: data.draw(st.lists(CELLS, min_size=size, max_size=size)) for name in names}
    try:
        found = read(columns, measure=measure, larger_is_better=larger)
    except InputError:
        return
    if len(found.learners) == 1:  # it is shown, and refused by who compares
        with pytest.raises(InputError):
            bk.compare(found)
    assert found.measure not in found.costs
    assert all(set(costs) == set(found.learners) for costs in found.costs.values())


@pytest.mark.parametrize("measure", ["accuracy", "test_f1_macro", "error", "Balanced Accuracy", "percent_correct"])
@pytest.mark.parametrize("value", [-0.1, 101.0])
def test_rates_outside_their_bounds_are_refused(measure, value):
    columns = {"learner": ["a", "b"], "fold": [1, 1], measure: [50.0, value]}
    with pytest.raises(InputError, match=rf"is {value:g}\.") as error:
        read(columns)
    assert error.value.where == f"here, row 2, column {measure}"


@pytest.mark.parametrize("measure", ["mae", "rmse", "log_loss", "perplexity", "latency", "fit_time"])
def test_what_cannot_be_below_0_is_refused_there(measure):
    columns = {"learner": ["a", "b"], "fold": [1, 1], measure: [5.0, -0.5]}
    with pytest.raises(InputError, match=r"is -0\.5\.") as error:
        read(columns)
    assert error.value.where == f"here, row 2, column {measure}"
    assert " neg_" in error.value.fix


def test_a_loss_that_its_name_negates_is_refused_above_0():
    with pytest.raises(InputError, match=r"is 0\.5\.") as error:
        read({"learner": ["a", "b"], "fold": [1, 1], "neg_mean_absolute_error": [-5.0, 0.5]})
    assert "neg_ before a loss" in error.value.fix


@pytest.mark.parametrize("measure", ["r2", "loss", "nll", "taste"])
def test_other_measures_have_no_bounds(measure):
    columns = {"learner": ["a", "b"], "fold": [1, 1], measure: [-5.0, 500.0]}
    assert read(columns, larger_is_better=True if measure == "taste" else None).values.ravel().tolist() == [-5, 500]


def test_percent_beside_shares_is_refused_wherever_it_stands():
    for columns, place in (
        ({**TWO, "accuracy": [0.87, 91]}, "dict of columns"),
        ({"fold": [1, 2], "a": [0.9, 0.87], "b": [0, 91]}, "dict of columns, fold 2"),
    ):
        with pytest.raises(InputError, match=r"accuracy of a is 0\.87 and of b 91\b.*percent") as error:
            bk.read(columns, measure="accuracy")
        assert error.value.where == place
    for allowed in ([0.0, 91], [0.5, 1.0], [2, 91]):
        assert bk.read({**TWO, "accuracy": allowed}).values.ravel().tolist() == allowed
    items = {"learner": ["a", "b"], "item": [1, 1], "correct": [0.5, 2]}
    curves = {"learner": ["a", "a", "b", "b"], "epoch": [1, 2, 1, 2], "val_acc": [0.5, 0.5, 50, 50]}
    for columns in (items, curves):
        with pytest.raises(InputError, match="shares and percent"):
            bk.read(columns)


def folds_of(numbers):
    """Three learners, whose folds have these numbers."""
    rows = [(name, fold) for name, folds in zip("abc", numbers, strict=True) for fold in folds]
    error = 0.3 + 0.01 * np.arange(len(rows))
    return {"learner": [name for name, _ in rows], "fold": [fold for _, fold in rows], "error": error}


@pytest.mark.parametrize("start", [0, 2, 11])
@pytest.mark.parametrize("word", ["", "fold-"])
def test_folds_that_are_numbered_from_another_number_on_are_named_with_their_learner(start, word):
    usual, other = [f"{word}{i}" for i in range(1, 11)], [f"{word}{i}" for i in range(start, start + 10)]
    with pytest.raises(InputError, match=rf"folds of b are numbered {start} to {start + 9}, those of a 1 to 10") as e:
        bk.read(folds_of([usual, other, usual]))
    assert "column fold" in e.value.where
    with pytest.raises(InputError, match=rf"folds of b are numbered {start} to {start + 9}, those of a 1 to 10"):
        bk.read(folds_of([usual, other, []]))


def test_a_fold_that_is_missing_is_no_other_numbering():
    usual = list(range(1, 11))
    assert bk.read(folds_of([usual, usual[:-1], usual])).missing() == ("learner b, fold 10",)
    assert len(bk.read(folds_of([usual, [0, *usual[:-2], 10], usual])).missing()) == 3


def predicted(truth, *said):
    return {"item": range(len(truth)), "truth": truth, **dict(zip("abc", said, strict=False))}


CATS = ["cat", "dog", "cat", "dog", "dog"]


@pytest.mark.parametrize("odd", ["Cat", "CAT"])
def test_a_class_that_is_spelled_two_ways_is_refused(odd):
    said = [odd if word == "cat" else word for word in CATS]
    long = {"learner": ["a"] * 5 + ["b"] * 5, "item": [*range(5)] * 2, "truth": CATS * 2, "prediction": CATS + said}
    for columns, where in (
        (predicted(CATS, CATS, said), "row 1, column b"),
        (predicted(said, CATS, CATS), "row 1, column a"),
        (predicted([*CATS[:2], odd, *CATS[3:]], CATS, CATS), "row 3, column truth"),
        (long, "row 6, column prediction"),
    ):
        with pytest.raises(InputError, match=rf"'(cat|{odd})' differs from '(cat|{odd})'") as error:
            bk.read(columns)
        assert error.value.where == f"dict of columns, {where}"


def test_blanks_around_a_class_make_no_other_and_letters_may_be_classes():
    assert bk.read(predicted(CATS, [f" {word} " for word in CATS], CATS)).values.tolist() == [[0.0] * 5] * 2
    letters = ["a", "A", "b", "B", "a"]
    found = bk.read(predicted(letters, letters, ["A", "a", "b", "B", "a"]))
    assert found.values.tolist() == [[0.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0]]


def test_a_learner_or_data_set_that_is_spelled_two_ways_is_refused():
    names = ["knn", "knn", "KNN", "KNN", "lda", "lda", "lda", "lda"]
    places = [1, 2, 3, 4] * 2
    for key in ("fold", "dataset", "item"):
        with pytest.raises(InputError, match="'knn' and 'KNN'") as error:
            bk.read({"learner": names, key: places, "error": [0.1] * 8})
        assert error.value.where == "dict of columns, row 3, column learner"
    with pytest.raises(InputError, match="'knn' and 'KNN'"):
        bk.read({"learner": names * 2, "run": places * 2, "epoch": [1] * 8 + [2] * 8, "error": [0.1] * 16})
    with pytest.raises(InputError, match="'iris' and 'Iris'"):
        bk.read({"learner": list("aabb"), "dataset": ["iris", "wine", "Iris", "wine"], "error": [0.1] * 4})
    both = {"learner": ["knn"] * 3 + ["KNN"] * 3, "fold": [1, 2, 3] * 2, "error": [0.1] * 6}
    assert bk.read(both).learners == ("knn", "KNN")  # on the same folds: two of them


def errors(a, b, key="fold"):
    return {
        "learner": ["a"] * len(a) + ["b"] * len(b),
        key: [*range(len(a)), *range(len(b))],
        "error": [*a, *b],
    }


SHARES = [0.11, 0.13, 0.09, 0.12, 0.1]
PERCENT = [8.4, 9.1, 8.8, 10.2, 9.5]


@pytest.mark.parametrize("key", ["fold", "dataset", "item"])
def test_errors_of_one_learner_in_percent_and_of_another_in_shares_are_refused(key):
    with pytest.raises(InputError, match=r"error of a is 0\.11 and of b 8\.4\b") as error:
        bk.read(errors(SHARES, PERCENT, key))
    assert error.value.where.startswith("dict of columns, ")
    wide = {"fold": range(5), "a": PERCENT, "b": SHARES}
    with pytest.raises(InputError, match=r"error of b is 0\.11 and of a 8\.4\b"):
        bk.read(wide, measure="error")
    with pytest.raises(InputError, match=r"error of b is 0\.11 and of a 8\.4\b"):
        bk.read({"a": PERCENT, "b": SHARES}, measure="error")
    curves = {"learner": ["a"] * 4 + ["b"] * 4, "run": [1, 1, 2, 2] * 2, "epoch": [1, 2] * 4}
    with pytest.raises(InputError, match=r"error of a is 0\.4 and of b 38\b"):
        bk.read({**curves, "error": [0.4, 0.2, 0.3, 0.2, 38, 22, 35, 21]})


def test_errors_of_one_learner_in_both_are_refused():
    with pytest.raises(InputError, match=r"error of a is 0\.13 \(fold 1\) and 8\.8 \(fold 2\)"):
        bk.read(errors([*SHARES[:2], *PERCENT[2:]], PERCENT))
    with pytest.raises(InputError, match=r"error of b is 0\.13 \(data set 1\) and 10\.2 \(data set 3\)"):
        bk.read(errors([9.0, 12.1, 9.3, 9.9, 10.0], [*PERCENT[:1], 0.13, *PERCENT[2:]], "dataset"))


def test_small_percentages_of_errors_are_let_pass():
    """MNIST: half a percent beside two; data sets of very different difficulty; a fold with hardly an error."""
    for a, b, key in (
        ([0.5, 0.6, 0.7], [2.0, 3.1, 2.2], "fold"),
        ([0.02, 24.0, 30.0], [0.03, 25.0, 29.0], "dataset"),
        ([0.2, 1.3, 2.4, 3.1], [1.1, 0.9, 1.8, 2.6], "fold"),
        ([0.0, 12.0, 9.0], [10.0, 11.0, 8.0], "fold"),
    ):
        assert bk.read(errors(a, b, key)).values.ravel().tolist() == [*a, *b]


def test_a_scorer_may_have_turned_an_error_round():
    found = read(scored(error=[-0.1, -0.2, -0.3, -0.4]), larger_is_better=True)
    assert found.values.max() == -0.1


WIDE = {"dataset": ["u", "v"], "svm": [0.1, 0.2], "knn": [0.2, 0.3]}


@pytest.mark.parametrize("name", ["n_instances", "N samples", "rows", "n_features", "Classes", "size", "train_size"])
def test_facts_about_data_sets_are_no_learners(name):
    found = read({**WIDE, "fold": [1, 1], name: [100, 100]}, measure="error")
    assert found.learners == ("svm", "knn")
    assert any(repr(name) in note for note in found.origin.notes)
    assert read({**WIDE, "fold": [1, 1], name: [0.1, 0.1]}, learners=["svm", name], measure="error").learners[1] == name


@pytest.mark.parametrize("name", ["Mean", "average", "avg", "median", "SD", "best", "rank", "svm_std"])
def test_summaries_are_no_learners(name):
    with pytest.raises(InputError, match=f"column {name} looks like") as error:
        read({**WIDE, name: [0.2, 0.3]}, measure="error")
    assert error.value.fix.endswith("learners=['svm', 'knn'] (--learners svm,knn).")
    with pytest.raises(InputError) as error:
        read({"svm": [0.1, 0.2], name: [0.2, 0.3]}, measure="error")
    assert error.value.fix.endswith(f"(--learners svm,{name}).")
    assert read({**WIDE, name: [0.2, 0.3]}, learners=["svm", name], measure="error").learners == ("svm", name)


def test_a_column_of_another_size_is_refused_unless_it_is_named():
    columns = {**WIDE, "n_obs": [900, 1500]}
    for measure in ("accuracy", "mae"):
        with pytest.raises(InputError, match=r"n_obs.*1200.*svm 0\.15") as error:
            read(columns, measure=measure)
    assert "--learners svm,knn" in error.value.fix
    assert len(read(columns, measure="mae", learners=["svm", "knn", "n_obs"]).learners) == 3
    small = {**WIDE, "tree": [0.001, 0.001]}
    with pytest.raises(InputError, match=r"tree.*median 0\.001"):
        read(small, measure="mae")
    assert read({**WIDE, "tree": [0.0, 0.0]}, measure="mae").learners == ("svm", "knn", "tree")
    assert read({**WIDE, "tree": [7.4, 7.5]}, measure="mae").learners == ("svm", "knn", "tree")


@pytest.mark.parametrize("word", ["mean", "Average", "AVG", "std.", "sd", "median", "sum", "Total", "Average rank"])
@pytest.mark.parametrize("role", ["dataset", "fold", "replication", "item"])
def test_rows_that_sum_up_the_others_are_refused(role, word):
    columns = {role: ["1", "2", word], "svm": [0.1, 0.2, 0.15], "knn": [0.2, 0.3, 0.25]}
    with pytest.raises(InputError, match="looks like a summary") as error:
        read(columns, measure="error")
    assert repr(word) in error.value.wrong
    assert error.value.where == f"here, row 3, column {role}"
    long = {"learner": ["a", "b"] * 2, role: ["1", "1", word, word], "error": [0.1, 0.2, 0.3, 0.4]}
    with pytest.raises(InputError, match="looks like a summary"):
        read(long)


def test_learners_may_be_called_like_summaries_where_a_column_names_them():
    assert read({"learner": ["max", "mean"], "fold": [1, 1], "error": [0.1, 0.2]}).learners == ("max", "mean")


def test_a_learner_with_control_characters_is_named_with_its_row():
    table = table_from_columns({"fold": [1, 1], "error": [0.1, 0.2]}, "here")
    named = replace(table, columns={"learner": Text(np.array([0, 1], np.int32), ("a", "b\x1b[0m")), **table.columns})
    with pytest.raises(InputError, match=r"the learner is 'b\\x1b\[0m'") as error:
        evidence_from_table(named, Request(None, None, None, None))
    assert error.value.where == "here, row 2, column learner"


def test_unknown_measures_may_be_data_sets():
    with pytest.raises(InputError, match="2 measures: u, v") as error:
        read({"learner": ["a", "b"], "u": [0.1, 0.2], "v": [0.2, 0.3]})
    assert "--measure u" in error.value.fix
    assert "data sets" in error.value.fix
    with pytest.raises(InputError, match="there are 2 measures") as error:
        read({"learner": ["a", "b"], "acc": [0.1, 0.2], "wine": [0.2, 0.3]})
    assert "data sets" not in error.value.fix


@pytest.mark.parametrize("name", ["n_train", "train_size", "epoch", "iteration"])
@pytest.mark.parametrize("beside", ["fold", "seed"])
def test_one_single_step_beside_folds_is_a_cost(name, beside):
    columns = {"model": ["a", "a", "b", "b"], beside: [1, 2, 1, 2], name: [90] * 4, "accuracy": [0.1, 0.2, 0.3, 0.4]}
    found = read(columns)
    assert type(found) is {"fold": Scores, "seed": Runs}[beside]
    assert found.costs == {name: {"a": 90.0, "b": 90.0}}
    assert read(columns | {name: [90, None, 90, 90]}).costs == found.costs
    del columns[beside]
    columns = {key: values[::2] for key, values in columns.items()}
    assert isinstance(read(columns), Curves)


@pytest.mark.parametrize("column", ["split", "subset", "phase", "part of the data"])
@pytest.mark.parametrize("test", ["test", "Validation"])
@pytest.mark.parametrize("unit", ["dataset", "item"])
def test_results_on_training_data_are_refused_with_the_filter_that_leaves_them_out(column, test, unit):
    rows = [
        (model, f"u{unit}", part, (unit + (part == "train")) % 2)
        for model in "ab"
        for unit in range(8)
        for part in ("train", test)
    ]
    frame = pd.DataFrame(rows, columns=["model", unit, column, "accuracy"])
    with pytest.raises(InputError) as error:
        bk.read(frame)
    assert error.value.fix.endswith(f"--filter {column}={test}.")
    assert bk.read(frame, filter=f"{column}={test}").means() == {"a": 0.5, "b": 0.5}


def test_columns_of_other_words_and_groups_that_are_asked_for_are_no_training_rows():
    rows = [(model, unit, part, unit % 2) for model in "ab" for unit, part in enumerate(["train", "bus", "test"])]
    frame = pd.DataFrame(rows, columns=["model", "item", "kind", "correct"])
    assert bk.read(frame, group="kind").group_names == ("train", "bus", "test")
    assert len(bk.read(frame).items) == 3  # a bus is no part of data
