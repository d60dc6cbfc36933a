"""Counts of true and false positives and negatives: what contradicts them, what they make, 0/0, other test sets."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.measures.count_columns import contradicting, counted_ratio, measures
from makers_measures import (
    MOVED,
    THREE,
    TWO,
    chance_frame,
    counts_by_fold,
    counts_csv,
    counts_frame,
    counts_of,
    error_of,
    named_counts_csv,
    pairs_of,
    rates_frame,
    run,
    three_counts_csv,
    three_lines,
)


def test_precision_of_a_learner_that_never_says_positive():
    scores = counts_of(MOVED)
    counts = scores.counts.copy()
    counts[1, 0, 0, 3] = (0, 100, 0, 100)
    values = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    silent = bk.Scores(learners=scores.learners, values=values, counts=counts, measure="error", larger_is_better=False)
    with pytest.raises(bk.InputError, match=r"precision.*0/0.*1 fold") as error:
        bk.judge(silent, on=("precision", "recall"))
    assert "learner high, fold 4" in error.value.where
    verdict = bk.judge(silent, on=("precision", "recall"), undefined=0)
    assert verdict.evidence.column("precision")[1, 0, 0, 3] == 0.0
    assert pairs_of(bk.judge(silent, on=("tpr", "fpr")))  # rates of rows need no prediction


def test_an_empty_fold_follows_undefined(tmp_path):
    rows = [f"{name},{fold},{8 - fold % 2},{2 + fold % 2},1,9" for name in "ab" for fold in range(1, 7)]
    rows[8] = "b,3,0,0,0,0"
    path = counts_csv(tmp_path, rows)
    answer = run("judge", path, "--on", "tpr,fpr")
    three_lines(answer, wrong="tpr is 0/0 in 1 fold", where="learner b, fold 3", fix="--undefined 0")
    assert "judge on tpr,fpr" not in answer.stderr
    assert run("judge", path, "--on", "tpr,fpr", "--undefined", "0").exit_code in (0, 1)


@pytest.mark.parametrize("value", ["x", float("nan"), float("inf"), True, [0]])
def test_undefined_is_a_number(value):
    with pytest.raises(bk.InputError, match="undefined is"):
        bk.judge(counts_of(THREE), on="tpr,fpr", undefined=value)


def test_a_column_that_contradicts_the_counts(tmp_path):
    path = tmp_path / "r.csv"
    lines = [f"{n},{f},{7 + f % 2},{3 - f % 2},{1 + (f + (n == 'b')) % 3},{9 - (f + (n == 'b')) % 3}" for n in "ab"
             for f in range(6)]  # fmt: skip
    right = [f"{line},{int(line.split(',')[2]) / 10:.2f}" for line in lines]
    path.write_text("learner,fold,tp,fn,fp,tn,tpr\n" + "\n".join(right) + "\n")
    assert run("judge", str(path), "--on", "tpr,fpr").exit_code == 0
    wrong = [*right[:3], right[3].rsplit(",", 1)[0] + ",0.5", *right[4:]]
    path.write_text("learner,fold,tp,fn,fp,tn,tpr\n" + "\n".join(wrong) + "\n")
    answer = run("judge", str(path), "--on", "tpr,fpr")
    three_lines(answer, wrong="the column tpr is 0.5, and the counts give 0.8", where="learner a, fold 3", fix="right")


@pytest.fixture
def file(tmp_path):
    def made(changes=None):
        return named_counts_csv(tmp_path / "r.csv", counts_by_fold() | (changes or {}))

    return made


@pytest.mark.parametrize("on", ["tpr,fpr", "confusion", "precision,recall", "recalls"])
def test_a_negative_count_is_refused_whatever_is_asked(file, on):
    answer = run("judge", file({("c", 3): [-1, 41, 3, 57]}), "--on", on)
    assert answer.exit_code == 2
    what, where, fix = answer.stderr.splitlines()
    assert (what, fix) == ("tp is -1.", "  to do: give counts from 0 up.")
    assert where.endswith("learner c, fold 3")


def test_other_test_rows_are_told(file):
    path = file({("c", 3): [30, 5, 3, 57], ("c", 5): [30, 5, 3, 57]})
    (note,) = bk.judge(path, on="tpr,fpr").provenance.notes
    assert "in 2 folds" in note
    assert "(fold 3: 35 to 40 positives)" in note
    assert not bk.judge(file(), on="tpr,fpr").provenance.notes


def test_what_was_ruled_to_count_is_told(file):
    path = file({("c", 3): [0, 40, 0, 60]})
    assert "precision is 0/0 in 1 fold" in run("judge", path, "--on", "precision,recall").stderr
    verdict = bk.judge(path, on="precision,recall", undefined=0)
    assert any("precision is 0/0 in 1 result" in note for note in verdict.provenance.notes)
    assert verdict.evidence.rows()[2, 2].tolist() == [0.0, 0.0]


def test_turned_rates_alone_are_known_from_counts(tmp_path):
    path = three_counts_csv(tmp_path)
    verdict, plain = bk.judge(path, on="tnr,fnr"), bk.judge(path, on="tpr,fpr")
    assert verdict.comparison.means_of("tnr")["b"] == pytest.approx(1 - plain.comparison.means_of("fpr")["b"])
    assert verdict.comparison.means_of("fnr")["b"] == pytest.approx(1 - plain.comparison.means_of("tpr")["b"])
    assert pairs_of(verdict)[0].pvalue == pytest.approx(pairs_of(plain)[0].pvalue)


def test_measures_of_counts_against_scikit_learn():
    from sklearn.metrics import balanced_accuracy_score, matthews_corrcoef

    counts = {"tp": 17, "fn": 3, "fp": 5, "tn": 40}
    truth, said = [1] * 20 + [0] * 45, [1] * 17 + [0] * 3 + [1] * 5 + [0] * 40
    found = measures(**{name: [n] for name, n in counts.items()}, names=("balanced_accuracy", "mcc", "kappa"))[0]
    expected = [f(truth, said) for f in (balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score)]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("on", ["mcc,balanced_accuracy", "matthews_corrcoef,tpr", "ppv,recall", "kappa,fpr"])
def test_advised_measures_are_known_from_counts(tmp_path, on):
    assert bk.judge(three_counts_csv(tmp_path), on=on).names == tuple(on.split(","))


def test_the_measure_of_skewed_classes_is_known_alone(tmp_path):
    assert bk.judge(bk.read(three_counts_csv(tmp_path), measure="mcc")).order[0] == "a"


def test_fractional_counts_are_refused(tmp_path):
    path = counts_csv(tmp_path, [f"{name},{fold},8,2,{fold + 0.5},20" for name in "ab" for fold in range(1, 6)])
    answer = run("judge", path, "--on", "tpr,fpr")
    assert answer.exit_code == 2
    assert answer.stderr.startswith("fp is 1.5.")
    assert "learner a, fold 1" in answer.stderr


def test_counts_hold_no_times(tmp_path):
    for on in ("accuracy,fit-seconds", "fit-seconds,predict-seconds"):
        answer = run("judge", three_counts_csv(tmp_path), "--on", on)
        assert "unknown measure 'fit-seconds'" in answer.stderr


@pytest.mark.parametrize("name", ["error", "accuracy", "error_rate", "Test Error"])
@pytest.mark.parametrize("percent", [1, 100])
def test_a_column_that_contradicts_counts_is_refused_with_its_line(name, percent, tmp_path):
    table = counts_frame()
    true = 1 - error_of(table) if name == "accuracy" else error_of(table)
    table[name] = (percent * true).round(2 if percent == 1 else 0)
    table.to_csv(tmp_path / "fits.csv", index=False)
    assert bk.judge(tmp_path / "fits.csv", on="tpr,fpr").order
    table.loc[3, name] += percent * 0.05
    table.to_csv(tmp_path / "results.csv", index=False)
    read = {"on": "tpr,fpr"}, {"measure": name}
    for options in read if name != "error_rate" else read[1:]:
        with pytest.raises(InputError, match=rf"the column {name} is .*, and the counts give") as error:
            bk.read(tmp_path / "results.csv", **options)
        assert "line 5" in error.value.where
        assert "leave the counts out" in error.value.fix


def test_scores_with_counts_of_other_errors_are_refused():
    table = counts_frame()
    told = table[["tp", "fn", "fp", "tn"]].to_numpy(float).reshape(2, 1, 1, 8, 4)
    values = error_of(table).to_numpy().reshape(2, 1, 1, 8)
    own = {"learners": ("a", "b"), "measure": "error", "larger_is_better": False, "counts": told}
    assert bk.judge(bk.Scores(values=values, **own), on="tpr,fpr").order
    with pytest.raises(InputError, match=r"the column error is .*, and the counts give") as error:
        bk.judge(bk.Scores(values=values + 0.1, **own), on="tpr,fpr")
    assert "learner a, fold" in error.value.where


def test_counts_are_exact_where_a_column_beside_them_is_rounded():
    table = counts_frame()
    exact = table.tp / (table.tp + table.fn)
    table["tpr"] = (100 * exact).round()
    verdict = bk.judge(table, on="tpr,fpr")
    assert verdict.comparison.means_of("tpr")["a"] == pytest.approx(exact[table.learner == "a"].mean(), rel=1e-12)


def test_a_mean_over_classes_beside_counts_is_left_alone():
    table = counts_frame()
    table["f1"] = 0.5  # of both classes, say
    table["error"] = error_of(table)
    assert bk.judge(table, on="tpr,fpr").order


def test_counts_of_different_test_sets_are_not_compared_as_counts():
    table = counts_frame(positives=(40, 80))
    with pytest.raises(InputError, match="different numbers of rows") as error:
        bk.judge(table, on="confusion")
    assert "fold 0: 40 to 80 positives" in error.value.where
    assert "--on tpr,fpr" in error.value.fix
    with pytest.raises(InputError, match="counts are asked for"):
        bk.judge(table, on="tpr,fp")
    assert bk.judge(table, on="tpr,fpr").order
    assert bk.judge(counts_frame(), on="confusion").order


@pytest.mark.parametrize(("digits", "percent"), [(2, 1), (1, 100), (0, 100), (6, 1), (6, 100)])
@pytest.mark.parametrize("cut", [False, True])
def test_columns_may_be_in_per_cent_and_rounded_or_cut(digits, percent, cut):
    table = rates_frame({"a": (0.998, 0.004), "b": (0.99, 0.005)}, rows=1000)  # errors below 1.5 per cent too
    exact = percent * error_of(table)
    table["error"] = np.floor(exact * 10**digits) / 10**digits if cut else exact.round(digits)
    assert bk.judge(table, on="tpr,fpr").order
    assert bk.read(table, measure="error").measure == "error"
    table.loc[4, "error"] += 3 * 10.0**-digits
    with pytest.raises(InputError, match="the column error is"):
        bk.read(table, measure="error")


def test_a_contradiction_is_said_in_the_units_of_the_column():
    table = rates_frame(TWO)
    table["accuracy"] = 100 * (1 - error_of(table))
    table.loc[0, "accuracy"] = 50.0
    with pytest.raises(InputError, match=r"the column accuracy is 50, and the counts give 9\d"):
        bk.read(table, measure="accuracy")
    wrong, scale = contradicting(np.array([9.0, 12.0, 0.5]), np.array([0.09, 0.12, 0.005]))
    assert scale == 100.0
    assert not wrong.any()


def test_the_other_name_of_the_error_counts_too():
    table = rates_frame(TWO)
    table["error_rate"] = 0.9
    for options in ({"on": "tpr,fpr"}, {"measure": "error_rate"}):
        with pytest.raises(InputError, match=r"column error_rate is 0\.9"):
            bk.read(table, **options)


def test_a_scorers_negative_error_is_left_alone():
    table = rates_frame(TWO)
    table["fit_time"] = table["score_time"] = 1.0
    table["test_error"] = -error_of(table)
    assert bk.judge(table, on="tpr,fpr").order


def test_what_was_said_of_0_by_0_does_not_contradict_a_column():
    table = rates_frame(TWO)
    table.loc[3, ["tp", "fn"]] = 0
    table["recall"] = table.tp / (table.tp + table.fn).clip(lower=1)
    verdict = bk.judge(table, on="precision,recall", undefined=1)
    assert verdict.evidence.column("recall")[0, 0, 0, 3] == 1.0


def test_large_counts_do_not_overflow():
    assert counted_ratio("mcc", np.array([[10**6, 0, 0, 10**6]])) == pytest.approx([1.0])


def test_missing_folds_hide_no_other_test_sets():
    three = {"a": (0.9, 0.1), "b": (0.9, 0.1), "c": (0.9, 0.1)}
    table = rates_frame(three).astype(dict.fromkeys(("tp", "fn", "fp", "tn"), float))
    table.loc[table.learner == "c", ["tp", "fn"]] *= 2
    table.loc[table.learner == "a", ["tp", "fn", "fp", "tn"]] = np.nan
    with pytest.raises(InputError, match="different numbers of rows") as error:
        bk.judge(table, on="confusion", missing="drop-learners")
    assert "200 to 400 positives" in error.value.where


def test_what_0_by_0_counts_as_decides_who_is_better():
    table = rates_frame({"a": (0.95, 0.05), "b": (0.8, 0.06)})
    table.loc[table.learner == "b", ["tp", "fp"]] = 0
    table.loc[table.learner == "b", ["fn", "tn"]] = 200
    for undefined, better in ((0, "a"), (1, "b")):
        verdict = bk.judge(table, on="precision,recall", undefined=undefined)
        assert dict(verdict.evidence.filled) == {"precision": float(undefined)}
        assert verdict.comparison.pair("a", "b").part("precision").better == better
        assert any(f"counts as {undefined} " in note for note in verdict.provenance.notes)


def test_counts_that_are_not_there_are_said_to_be_missing():
    frame = rates_frame(TWO)
    rates = frame[["learner", "fold"]].assign(tpr=0.5, fpr=np.arange(20) / 20)
    with pytest.raises(InputError, match="tp, fn, fp and tn are missing"):
        bk.judge(rates, on="confusion")
    with pytest.raises(InputError, match="tpr needs the counts tp, fn, fp and tn, and tn is missing"):
        bk.judge(frame.drop(columns="tn"), on="tpr,fpr")


def test_counts_and_measures_are_no_costs():
    with pytest.raises(InputError, match="tn is a count"):
        bk.judge(rates_frame(TWO), on="tpr,fpr", prior="tn")
    with pytest.raises(InputError, match="unknown cost column") as error:
        bk.judge(rates_frame(TWO), on="tpr,fpr", prior="nosuch")
    assert "tn" not in error.value.fix
    frame = rates_frame(TWO).assign(f1=0.5)
    with pytest.raises(InputError, match="f1 is a measure"):
        bk.judge(bk.read(frame, measure="error"), prior="f1")


@pytest.mark.parametrize("form", ["%.3g", "%.2g", "half"])
def test_errors_may_have_been_written_with_few_digits(form):
    small, large = (
        rates_frame({"a": (0.999, 0.001)}, rows=10_000),
        rates_frame({"b": (0.88, 0.12)}, rows=10_000, seed=1),
    )
    table = pd.concat([small, large], ignore_index=True)
    exact = error_of(table)
    table["error"] = exact.astype(np.float16).astype(float) if form == "half" else [float(form % e) for e in exact]
    assert bk.read(table, measure="error").measure == "error"
    table.loc[2, "error"] *= 1.5
    with pytest.raises(InputError, match="the column error is"):
        bk.read(table, measure="error")


def test_predictions_are_counted_for_confusion():
    table = chance_frame().drop(columns="probability")
    verdict = bk.judge(table, on="confusion")
    right = table[(table.truth == "y") & (table.prediction == "y")].groupby("learner").size() / 8
    assert verdict.comparison.means_of("tp") == pytest.approx(dict(right))


def test_a_fold_without_predicted_positives(tmp_path):
    rows = [f"{name},{fold},{8 - fold % 2},{2 + fold % 2},1,{9}" for name in "ab" for fold in range(1, 7)]
    rows[8] = "b,3,0,10,0,10"
    path = counts_csv(tmp_path, rows)
    where = "learner b, fold 3"
    three_lines(
        run("judge", path, "--on", "precision,recall"),
        wrong="precision is 0/0 in 1 fold",
        where=where,
        fix="--undefined 0",
    )
    assert run("judge", path, "--on", "precision,recall", "--undefined", "0").exit_code in (0, 1)
    assert run("judge", path, "--on", "tpr,fpr").exit_code in (0, 1)


def test_constant_measures_and_constant_differences(tmp_path):
    rows = [f"a,{fold},10,0,{fold % 3},{10 - fold % 3}" for fold in range(1, 9)]
    rows += [f"b,{fold},10,0,{fold % 2},{10 - fold % 2}" for fold in range(1, 9)]
    found = json.loads(run("judge", counts_csv(tmp_path, rows), "--on", "tpr,fpr", "--json").stdout)
    assert found["comparison"]["pairs"][0]["vector"]["rank"] == 1
    rows = [
        f"{name},{fold},{9 - less},{1 + less},{fold % 3},{10 - fold % 3}"
        for name, less in (("a", 0), ("b", 2))
        for fold in range(8)
    ]
    found = json.loads(run("judge", counts_csv(tmp_path, rows), "--on", "tpr,fpr", "--json").stdout)
    pair = found["comparison"]["pairs"][0]
    assert (pair["statistic"], pair["pvalue"], pair["relation"]) == ("Infinity", 0.5**7, "differ")
    assert found["status"] == "tied"  # different in tpr; equal in fpr, and equality is never shown


def test_as_many_measures_as_folds(tmp_path):
    rows = ["a,1,8,2,1,9", "a,2,7,3,3,7", "a,3,9,1,2,8", "b,1,6,4,2,8", "b,2,8,2,1,9", "b,3,5,5,3,7"]
    path = counts_csv(tmp_path, rows)
    answer = run("judge", path, "--on", "tpr,fpr,f1")
    three_lines(answer, wrong="3 folds cannot carry 3 measures", where="tpr,fpr,f1", fix="fewer measures")
    path = counts_csv(tmp_path, [*rows, "a,4,8,2,2,8", "b,4,7,3,1,9"])
    found = json.loads(run("judge", path, "--on", "confusion", "--json").stdout)  # rank 2 of 4: four folds carry it
    assert found["comparison"]["pairs"][0]["vector"]["rank"] == 2
    assert found["comparison"]["pairs"][0]["vector"]["df"] == [2.0, 2.0]
