"""Found by users and a review of several measures: what was said wrongly, or could not be asked for."""

import json

import numpy as np
import pandas as pd
import pytest
from bestofk.reporting.measures_phrases import worse_words
from bestofk.reporting.measures_words import measures_level_words
from click.testing import CliRunner
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.measures.catalogue import is_recall_of_class
from bestofk.measures.count_columns import contradicting, counted_ratio
from bestofk.stats.multivariate.flips import smallest_share


def counts(rates, folds=10, rows=200, seed=0):
    """Counts of {learner: (tpr, fpr)}, as many negatives as positives."""
    rng, made = np.random.default_rng(seed), []
    for name, (tpr, fpr) in rates.items():
        tp, fp = rng.binomial(rows, tpr, folds), rng.binomial(rows, fpr, folds)
        cells = {"tp": tp, "fn": rows - tp, "fp": fp, "tn": rows - fp}
        made.append(pd.DataFrame({"learner": name, "fold": range(folds), **cells}))
    return pd.concat(made, ignore_index=True)


TWO = {"a": (0.95, 0.05), "b": (0.8, 0.06)}


def error_of(table):
    return (table.fn + table.fp) / (table.tp + table.fn + table.fp + table.tn)


# Columns beside counts


@pytest.mark.parametrize(("digits", "percent"), [(2, 1), (1, 100), (0, 100), (6, 1), (6, 100)])
@pytest.mark.parametrize("cut", [False, True])
def test_columns_may_be_in_per_cent_and_rounded_or_cut(digits, percent, cut):
    table = counts({"a": (0.998, 0.004), "b": (0.99, 0.005)}, rows=1000)  # errors below 1.5 per cent too
    exact = percent * error_of(table)
    table["error"] = np.floor(exact * 10**digits) / 10**digits if cut else exact.round(digits)
    assert bk.judge(table, on="tpr,fpr").order
    assert bk.read(table, measure="error").measure == "error"
    table.loc[4, "error"] += 3 * 10.0**-digits
    with pytest.raises(InputError, match="the column error is"):
        bk.read(table, measure="error")


def test_a_contradiction_is_said_in_the_units_of_the_column():
    table = counts(TWO)
    table["accuracy"] = 100 * (1 - error_of(table))
    table.loc[0, "accuracy"] = 50.0
    with pytest.raises(InputError, match=r"the column accuracy is 50, and the counts give 9\d"):
        bk.read(table, measure="accuracy")
    wrong, scale = contradicting(np.array([9.0, 12.0, 0.5]), np.array([0.09, 0.12, 0.005]))
    assert scale == 100.0
    assert not wrong.any()


def test_the_other_name_of_the_error_counts_too():
    table = counts(TWO)
    table["error_rate"] = 0.9
    for options in ({"on": "tpr,fpr"}, {"measure": "error_rate"}):
        with pytest.raises(InputError, match=r"the column error_rate is 0\.9"):
            bk.read(table, **options)


def test_a_scorers_negative_error_is_left_alone():
    table = counts(TWO)
    table["fit_time"] = table["score_time"] = 1.0
    table["test_error"] = -error_of(table)
    assert bk.judge(table, on="tpr,fpr").order


def test_what_was_said_of_0_by_0_does_not_contradict_a_column():
    table = counts(TWO)
    table.loc[3, ["tp", "fn"]] = 0
    table["recall"] = table.tp / (table.tp + table.fn).clip(lower=1)
    verdict = bk.judge(table, on="precision,recall", undefined=1)
    assert verdict.evidence.column("recall")[0, 0, 0, 3] == 1.0


def test_large_counts_do_not_overflow():
    assert counted_ratio("mcc", np.array([[10**6, 0, 0, 10**6]])) == pytest.approx([1.0])


def test_missing_folds_hide_no_other_test_sets():
    three = {"a": (0.9, 0.1), "b": (0.9, 0.1), "c": (0.9, 0.1)}
    table = counts(three).astype(dict.fromkeys(("tp", "fn", "fp", "tn"), float))
    table.loc[table.learner == "c", ["tp", "fn"]] *= 2
    table.loc[table.learner == "a", ["tp", "fn", "fp", "tn"]] = np.nan
    with pytest.raises(InputError, match="different numbers of rows") as error:
        bk.judge(table, on="confusion", missing="drop-learners")
    assert "positives of b 200, c 400" in error.value.where


# Words


def scores_of(values, names):
    others = {name: values[..., i] for i, name in enumerate(names) if i}
    own = {"measure": names[0], "larger_is_better": True, "learners": ("a", "b")}
    return bk.Scores(values=values[..., 0], others=others, **own)


def test_all_measures_together_may_be_silent_where_one_speaks():
    rng = np.random.default_rng(1)
    values = rng.normal(0.7, 0.02, (2, 1, 1, 6, 4))
    values[0, ..., 1] += 0.08
    verdict = bk.judge(scores_of(values, ("tpr", "precision", "kappa", "mcc")), on="tpr,precision,kappa,mcc")
    pair = verdict.comparisons[0]
    assert not pair.significant
    assert pair.names_a_measure
    assert "all measures together do not tell the two apart" in str(verdict)
    assert "b is wrong more often than a where it says positive" in str(verdict)


def test_signs_of_data_sets_name_no_combination():
    rng = np.random.default_rng(0)
    rows = [
        {"learner": name, "dataset": f"d{d}", "accuracy": 0.7 + 0.02 * k + rng.normal(0, 0.001), "size": 10 + 5 * k}
        for d in range(8)
        for k, name in enumerate("abcd")
    ]
    verdict = bk.judge(pd.DataFrame(rows), on="accuracy,size")
    assert "differ, though no single measure is shown to" in str(verdict)
    assert "combination of them" not in str(verdict)
    advice = {each.code: each for each in verdict.advice}["K135"]
    assert "8 data sets can show that learners differ, but in no single measure" in advice.seen
    assert f"p = {6 * 2 * 2**-7:.2g} at best, adjusted for 6 pairs and 2 measures" in advice.seen


@pytest.mark.parametrize("name", ["recall_macro", "recall_weighted", "recall_std", "recall_sem"])
def test_means_and_spreads_of_recalls_are_no_classes(name):
    assert not is_recall_of_class(name)
    assert worse_words(name, "b") == f"is worse in {name} than b"
    if name in ("recall_std", "recall_sem"):
        frame = pd.DataFrame({"learner": list("aabb"), "fold": [1, 2] * 2, "accuracy": 0.5, name: 0.1})
        with pytest.raises(InputError, match="the direction of the measure"):
            bk.read(frame, on=["accuracy", name])


def test_a_ratio_that_was_filled_in_is_no_fact():
    table = counts({"a": (0.95, 0.05), "b": (0.8, 0.06)})
    table.loc[table.learner == "b", ["tp", "fp"]] = 0
    table.loc[table.learner == "b", ["fn", "tn"]] = 200
    for undefined, worse in ((0, "b"), (1, "a")):
        verdict = bk.judge(table, on="precision,recall", undefined=undefined)
        assert dict(verdict.comparison.filled) == {"precision": float(undefined)}
        assert f"{worse} is worse in precision than" in str(verdict)
        assert f"0/0 counted as {undefined}," in str(verdict)
        assert "is wrong more often" not in str(verdict)


def test_ends_of_groups_are_named_alone():
    said = str(bk.judge("examples/two_class.csv", on="tpr,fpr"))
    assert "By fpr, best first: tree qda knn nb lda; two ends not told apart: tree … lda." in said


def test_a_store_has_the_fingerprint_of_its_plan(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('learners = ["max", "nmc"]\ndatasets = ["iris"]\nfolds = "5x2"\nseed = 1\n')
    run = CliRunner()
    assert run.invoke(main, ["collect", str(plan), "--into", str(tmp_path / "r.db")]).exit_code == 0
    text = tmp_path / "v.md"
    run.invoke(main, ["report", str(tmp_path / "r.db"), "-o", str(text)])
    assert "Fingerprint of the plan" in text.read_text()
    assert "SHA-256" not in text.read_text()


# Asking


def test_seconds_of_cross_validate_are_a_measure():
    X, y = load_iris(return_X_y=True)
    scoring = ["accuracy", "recall_macro"]
    found = {
        name: cross_validate(model, X, y, cv=10, scoring=scoring)
        for name, model in {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}.items()
    }
    for on in ("accuracy,fit-seconds", "accuracy,fit-seconds:smaller", "accuracy,fit_time"):
        verdict = bk.judge(found, on=on)
        assert [each.larger_is_better for each in verdict.measures] == [True, False]
        assert verdict.comparison.means["nb"]["fit_time"] == pytest.approx(found["nb"]["fit_time"].mean())


def test_columns_may_have_an_at_sign():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"learner": ["a"] * 8 + ["b"] * 8, "fold": [*range(8)] * 2})
    frame["recall@5"], frame["ndcg@10"], frame["tpr@0.3"] = rng.random((3, 16))
    assert bk.judge(frame, on="recall@5,ndcg@10").names == ("recall@5", "ndcg@10")
    assert bk.judge(frame, on="recall@5,tpr@0.3").names == ("recall@5", "tpr@0.3")
    with pytest.raises(InputError, match=r"ROC curves and thresholds need probabilities .* the measures recall@5"):
        bk.judge(frame, on="tpr@0.4,fpr@0.4")


def test_counts_that_are_not_there_are_said_to_be_missing():
    frame = counts(TWO)
    rates = frame[["learner", "fold"]].assign(tpr=0.5, fpr=np.arange(20) / 20)
    with pytest.raises(InputError, match="tp, fn, fp and tn are counts, and there are none"):
        bk.judge(rates, on="confusion")
    with pytest.raises(InputError, match="tpr needs the counts tp, fn, fp and tn, and tn is missing"):
        bk.judge(frame.drop(columns="tn"), on="tpr,fpr")


@pytest.mark.parametrize(
    ("on", "fix"),
    [
        ("tpr fpr", "--on tpr,fpr"),
        ("tpr;fpr", "--on tpr,fpr"),
        ("tpr@0.3", "--on tpr@0.3,fpr@0.3"),
        ("", "two or more"),
    ],
)
def test_one_name_is_answered_with_what_was_meant(on, fix):
    with pytest.raises(InputError, match="on names") as error:
        bk.judge(counts(TWO), on=on)
    assert fix in error.value.fix


def test_an_empty_on_is_not_passed_over(tmp_path):
    counts(TWO).to_csv(tmp_path / "c.csv", index=False)
    assert CliRunner().invoke(main, ["judge", str(tmp_path / "c.csv"), "--on", ""]).exit_code == 2


@pytest.mark.parametrize("options", [{"larger_is_better": False}, {"align": "common"}])
def test_options_without_a_use_are_refused(options):
    with pytest.raises(InputError, match=next(iter(options))):
        bk.read(counts(TWO), on="tpr,fpr", **options)
    frame = counts(TWO).assign(taste=np.linspace(0, 1, 20))
    assert bk.read(frame, on="tpr,taste", larger_is_better=True).measures[1].larger_is_better


def test_counts_and_measures_are_no_costs():
    with pytest.raises(InputError, match="tn is a count of rows, and no cost"):
        bk.judge(counts(TWO), on="tpr,fpr", prior="tn")
    with pytest.raises(InputError, match="unknown cost column") as error:
        bk.judge(counts(TWO), on="tpr,fpr", prior="nosuch")
    assert "tn" not in error.value.fix
    frame = counts(TWO).assign(f1=0.5)
    with pytest.raises(InputError, match="f1 is a measure of which larger is better, and no cost"):
        bk.judge(bk.read(frame, measure="error"), prior="f1")


def test_names_may_come_in_an_array():
    rng = np.random.default_rng(0)
    truth = np.tile(list("xyz"), 40)
    said = [np.where(rng.random(120) < p, truth, rng.choice(list("xyz"), 120)) for p in (0.9, 0.6)]
    keys = {"item": range(120), "fold": np.arange(120) // 15, "truth": truth}
    frame = pd.concat([pd.DataFrame({"learner": n, **keys, "prediction": s}) for n, s in zip("ab", said, strict=True)])
    frame = frame.reset_index(drop=True)
    for on in (np.array(["tpr", "fpr"]), pd.Index(["tpr", "fpr"]), {"tpr": 1, "fpr": 2}.keys(), iter(["tpr", "fpr"])):
        assert [each.positive for each in bk.judge(frame, on=on, positive="each").by_class] == list("xyz")
    both = bk.judge(frame, on="recalls,tpr", positive="each")
    assert both.by_class[0].names == ("tpr", "specificity")


def test_each_of_two_classes_is_the_same_twice():
    rng = np.random.default_rng(0)
    truth = np.tile(["n", "y"], 40)
    keys = {"item": range(80), "fold": np.arange(80) // 10, "truth": truth}
    said = [np.where(rng.random(80) < p, truth, "y") for p in (0.9, 0.6)]
    frame = pd.concat([pd.DataFrame({"learner": n, **keys, "prediction": s}) for n, s in zip("ab", said, strict=True)])
    frame = frame.reset_index(drop=True)
    with pytest.raises(InputError, match="of two classes the rates of n are those of y turned round"):
        bk.judge(frame, on="tpr,fpr", positive="each")
    by_class = bk.judge(frame, on="precision,recall", positive="each", undefined=0).by_class
    assert [each.positive for each in by_class] == ["n", "y"]


# Items


def probabilities(turned=False):
    rng = np.random.default_rng(0)
    truth = np.tile([0, 1], 40)
    parts = []
    for name, spread in (("a", 0.2), ("b", 0.5)):
        chance = np.clip(0.25 + 0.5 * truth + rng.normal(0, spread, 80), 0, 1)
        words = np.array(["n", "y"])
        keys = {"learner": name, "item": range(80), "fold": np.arange(80) // 10, "truth": words[truth]}
        given = 1 - chance if turned and name == "a" else chance
        parts.append(pd.DataFrame({**keys, "prediction": words[(chance > 0.5).astype(int)], "probability": given}))
    return pd.concat(parts, ignore_index=True)


def test_probabilities_of_the_other_class_are_noticed():
    note = "most predictions of a are of the class that their probabilities speak against"
    assert any(note in each for each in bk.judge(probabilities(turned=True), on="roc").provenance.notes)
    assert not any("speak against" in each for each in bk.judge(probabilities(), on="roc").provenance.notes)


def test_delong_on_folds_says_that_they_were_put_together():
    pooled = bk.judge(probabilities(), on="roc", test="delong").provenance.notes
    assert any("the items of 8 folds were put together" in note for note in pooled)
    assert not any("--on uses" in note for note in pooled)
    assert any("--on uses" in note for note in bk.judge(probabilities(), on="roc").provenance.notes)


def test_a_slip_in_a_prediction_is_named():
    table = probabilities().drop(columns="probability")
    table.loc[7, "prediction"] = "yy"
    with pytest.raises(InputError, match="a predicts yy for item 7, and every item is of n and y"):
        bk.judge(table, on="tpr,fpr")
    assert bk.judge(table, on="accuracy,kappa").order


def test_missing_scores_are_named_with_their_line(tmp_path):
    table = probabilities()
    table.loc[5, "probability"] = np.nan
    table.to_csv(tmp_path / "items.csv", index=False)
    with pytest.raises(InputError, match=r"learner a, item 5 \(line 7\)"):
        bk.judge(tmp_path / "items.csv", on="roc")
    with pytest.raises(InputError, match="vectors need every result") as error:
        bk.judge(tmp_path / "items.csv", on="roc", missing="keep")
    assert "drop-items" in error.value.fix
    assert bk.judge(tmp_path / "items.csv", on="roc", missing="drop-items").order


# Signs


def over_sets(learners, datasets, rates):
    """(tpr, fpr) of every learner on every data set, by their numbers."""
    cells = [(k, d, *rates(k, d)) for k in range(learners) for d in range(datasets)]
    rows = [{"learner": f"l{k}", "dataset": f"d{d}", "tpr": tpr, "fpr": fpr} for k, d, tpr, fpr in cells]
    return pd.DataFrame(rows)


def test_the_smallest_share_of_signs():
    assert smallest_share(17) == 2.0**-16
    assert smallest_share(18) == 1 / 10_001
    many = over_sets(36, 20, lambda k, d: (0.5 + 0.01 * k + 0.001 * d, 0.4 - 0.001 * k + 0.002 * d))
    advice = {each.code: each for each in bk.judge(many, on="tpr,fpr").advice}["K135"]
    assert f"p = {630 / 10_001:.2g} at best, adjusted for 630 pairs" in advice.seen
    assert advice.do == "compare fewer learners"


def test_advice_on_signs_is_never_empty():
    rows = [
        {"learner": name, "dataset": f"d{d}", "tpr": 0.5 + 0.1 * k + 0.01 * d, "fpr": 0.2 + 0.003 * d * k}
        for k, name in enumerate("ab")
        for d in range(4)
    ]
    advice = {each.code: each for each in bk.judge(pd.DataFrame(rows), on="tpr,fpr", alpha=1e-6).advice}["K135"]
    assert advice.do == "choose a larger alpha than 1e-06"
    three = pd.DataFrame([*rows, *({**row, "learner": "c", "tpr": row["tpr"] + 0.2} for row in rows[:4])])
    plain = {each.code: each for each in bk.judge(three, on="tpr,fpr", adjust="none").advice}["K135"]
    assert "fewer learners" not in plain.do


def test_json_has_what_was_filled(tmp_path):
    counts(TWO).to_csv(tmp_path / "c.csv", index=False)
    answer = CliRunner().invoke(main, ["judge", str(tmp_path / "c.csv"), "--on", "tpr,fpr", "--json"])
    assert json.loads(answer.output)["comparison"]["filled"] == {}
    never = counts(TWO)
    never.loc[3, ["tp", "fp"]] = 0
    never.to_csv(tmp_path / "n.csv", index=False)
    options = ["--on", "precision,recall", "--undefined", "0", "--json"]
    answer = CliRunner().invoke(main, ["judge", str(tmp_path / "n.csv"), *options])
    assert json.loads(answer.output)["comparison"]["filled"] == {"precision": 0.0}


def test_measures_of_all_classes_are_among_the_known_ones():
    table = probabilities().drop(columns="probability")
    with pytest.raises(InputError, match="unknown measure 'kapa'") as error:
        bk.judge(table, on="accuracy,kapa")
    assert "did you mean 'kappa'" in error.value.fix
    assert "precision_macro" in error.value.fix


def test_wilcoxon_shows_single_measures_on_many_data_sets():
    """Its exact p of 20 data sets is far below what 10,000 drawn signs give."""
    many = over_sets(24, 20, lambda k, d: (0.2 + 0.02 * k + 0.0001 * d, 0.4 - 0.01 * k + 0.002 * d))
    verdict = bk.judge(many, on="tpr,fpr")
    assert all(test.significant for pair in verdict.comparisons for test in pair.tests)
    assert "K135" not in {each.code for each in verdict.advice}


@pytest.mark.parametrize("form", ["%.3g", "%.2g", "half"])
def test_errors_may_have_been_written_with_few_digits(form):
    small, large = counts({"a": (0.999, 0.001)}, rows=10_000), counts({"b": (0.88, 0.12)}, rows=10_000, seed=1)
    table = pd.concat([small, large], ignore_index=True)
    exact = error_of(table)
    table["error"] = exact.astype(np.float16).astype(float) if form == "half" else [float(form % e) for e in exact]
    assert bk.read(table, measure="error").measure == "error"
    table.loc[2, "error"] *= 1.5
    with pytest.raises(InputError, match="the column error is"):
        bk.read(table, measure="error")


def test_a_direction_is_taken_where_a_measure_needs_it():
    frame = counts(TWO).assign(taste=np.linspace(0, 1, 20), zest=np.linspace(1, 0, 20), accuracy=np.nan)
    frame["accuracy"] = 1 - error_of(frame)
    for on in ("taste,accuracy", "accuracy,taste", "taste,zest:smaller"):
        found = bk.read(frame, on=on, larger_is_better=True).measures
        assert next(each for each in found if each.name == "taste").larger_is_better
    assert bk.read(frame, on="tpr,accuracy", larger_is_better=True).names == ("tpr", "accuracy")
    with pytest.raises(InputError, match="of fpr smaller is better"):
        bk.read(frame, on="tpr,fpr", larger_is_better=True)


def test_the_level_of_an_error_is_said_where_there_is_one():
    frame = pd.DataFrame({"learner": ["a"] * 8 + ["b"] * 8, "fold": [*range(8)] * 2})
    frame["auc"], frame["ndcg"] = np.random.default_rng(0).random((2, 16))
    assert "and the error" not in measures_level_words(bk.judge(frame, on="auc,ndcg"))
    assert "and the error" in measures_level_words(bk.judge(counts(TWO), on="tpr,fpr"))


def test_names_of_several_words_are_not_cut():
    with pytest.raises(InputError, match="on names one measure, cost in euro") as error:
        bk.judge(counts(TWO), on="cost in euro")
    assert "commas" not in error.value.fix


def test_predictions_are_counted_for_confusion():
    table = probabilities().drop(columns="probability")
    verdict = bk.judge(table, on="confusion")
    right = table[(table.truth == "y") & (table.prediction == "y")].groupby("learner").size() / 8
    assert {name: each["tp"] for name, each in verdict.comparison.means.items()} == pytest.approx(dict(right))
