"""Tables of predictions as people have them: the same items in several replications, faulty folds, decision scores."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.neighbors import KNeighborsClassifier

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting.cell.cell import run_cell
from bestofk.evidence import Curves, Items, Scores
from bestofk.evidence.items_tested import as_tested
from collecting_toys import Halves, toy_dataset, toy_learner
from measures.test_store_curves import rows, stores  # noqa: F401 - fixtures
from test_curve_logs import ADAM, SGD, chart

STRENGTH = {"good": 2.0, "fair": 1.0, "poor": 0.3}
HEAD = "learner,item,replication,fold,truth,probability"
TRUTH = np.arange(100) % 2


def folds_of(replication, folds=5, items=100):
    return np.random.default_rng(replication).permutation(items) % folds


def margins(learner, replication):
    noise = np.random.default_rng([list(STRENGTH).index(learner), replication]).normal(size=100)
    return STRENGTH[learner] * (2 * TRUTH - 1) + noise


def chances(learner, replication):
    return np.round(1 / (1 + np.exp(-margins(learner, replication))), 4)


def cells(replications=(1, 2)):
    """Lists of cells under HEAD: repeated cross-validation."""
    return [
        [name, i, r, f"f{folds_of(r)[i]}", "yes" if TRUTH[i] else "no", chances(name, r)[i]]
        for name in STRENGTH
        for r in replications
        for i in range(100)
    ]


@pytest.fixture
def file(tmp_path):
    def write(head, lines):
        path = tmp_path / "items.csv"
        path.write_text("\n".join([head, *(",".join(map(str, line)) for line in lines)]) + "\n", encoding="utf-8")
        return path

    return write


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def refused(*words, wrong, where="", fix=""):
    answer = run("judge", *words)
    assert answer.exit_code == 2, answer.output
    lines = answer.stderr.strip().splitlines()
    assert len(lines) == 3, lines
    for line, part in zip(lines, (wrong, where, fix), strict=True):
        assert part in line


# The same items in several replications


def test_areas_of_repeated_cross_validation(file):
    verdict = bk.judge(file(HEAD, cells()), on="roc")
    assert verdict.evidence.vectors.shape == (3, 1, 2, 5, 1)
    place = folds_of(2) == 3
    found = verdict.evidence
    at = found.replications.index("2"), found.folds.index("f3")
    assert found.values[1, 0, *at] == pytest.approx(bk.stats.roc.auc(TRUTH[place], chances("fair", 2)[place]))
    first, second = (found.values[k, 0] for k in (0, 2))
    alone = bk.stats.pairwise.corrected_t(first, second)
    assert verdict.comparison.pair("good", "poor").pvalue == pytest.approx(alone.pvalue)
    assert (verdict.comparison.test, verdict.comparison.sample.share) == ("corrected-t", 0.2)


def test_rates_of_repeated_cross_validation(file):
    verdict = bk.judge(file(HEAD, cells()), on="tpr,fpr")
    scores, place = verdict.evidence, folds_of(1) == 2
    at = scores.replications.index("1"), scores.folds.index("f2")
    said = chances("poor", 1)[place] > 0.5
    expected = [said[TRUTH[place] == 1].mean(), said[TRUTH[place] == 0].mean()]
    assert verdict.evidence.vectors[2, 0, *at] == pytest.approx(expected)


@pytest.mark.parametrize("wide", [False, True])
def test_one_measure_of_repeated_items_goes_fold_by_fold(file, wide):
    """By the corrected t test on errors of folds; 200 rows are not 200 independent items."""
    path = file(HEAD, cells())
    if wide:
        lines = [
            (i, r, f"f{folds_of(r)[i]}", TRUTH[i], *(int(chances(name, r)[i] > 0.5) for name in STRENGTH))
            for r in (1, 2)
            for i in range(100)
        ]
        path = file("item,replication,fold,truth," + ",".join(STRENGTH), lines)
    found = bk.read(path)
    assert isinstance(found, Items)
    assert repr(found).startswith("3 learners on 100 items in 2 replications")
    verdict = bk.judge(found)
    wrong = [(chances("good", r) > 0.5) != TRUTH for r in (1, 2)]
    errors = [[wrong[r - 1][folds_of(r) == f].mean() for f in range(5)] for r in (1, 2)]
    assert (verdict.evidence.replications, verdict.evidence.folds) == (("1", "2"), ("f0", "f1", "f2", "f3", "f4"))
    assert verdict.evidence.values[0, 0] == pytest.approx(np.array(errors))
    assert verdict.comparison.test == "corrected-t"
    assert any("the same items occur in 2 replications" in note for note in verdict.provenance.notes)


def test_outcomes_of_repeated_items_need_no_truth(file):
    lines = [(*line[:4], int((line[5] > 0.5) == (line[4] == "yes"))) for line in cells()]
    verdict = bk.judge(file("learner,item,replication,fold,correct", lines))
    assert verdict.comparison.test == "corrected-t"
    assert verdict.comparison.means["good"] == pytest.approx(
        np.mean([(chances("good", r) > 0.5) == TRUTH for r in (1, 2)])
    )


def test_answers_of_several_seeds_are_averaged_per_item(file):
    """One fixed test set asked three times: an item has one value, the share of right answers."""
    right = np.random.default_rng(0).random((2, 40, 3)) < np.array([0.8, 0.5])[:, None, None]
    lines = [(name, i, s, int(right[k, i, s])) for k, name in enumerate("ab") for i in range(40) for s in range(3)]
    verdict = bk.judge(file("model,question_id,seed,correct", lines))
    assert verdict.evidence.values == pytest.approx(right.mean(axis=2))
    assert verdict.comparison.test == "permutation-t"
    assert any("the mean of an item's outcomes" in note for note in verdict.provenance.notes)


def test_folds_in_a_row_are_replications_where_their_items_say_so(file):
    lines = [(name, i, 5 * (r - 1) + folds_of(r)[i] + 1, *rest) for name, i, r, _, *rest in cells()]
    path = file("learner,item,fold,truth,probability", lines)
    found = bk.read(path)
    assert "by their items the folds are 2 replications of 5 folds" in found.origin.notes
    named = bk.judge(file(HEAD, cells()), on="roc")
    path = file("learner,item,fold,truth,probability", lines)
    for option in ({}, {"replications": 2}):
        again = bk.judge(bk.read(path, on="roc", **option))
        assert again.comparison.pvalue == pytest.approx(named.comparison.pvalue)
    refused(
        path, "--replications", 4, wrong="replications is 4, but by the items there are 2", fix="leave replications out"
    )


def test_random_splits_need_their_share_and_take_it(file):
    lines = [line for line in cells((1, 2, 3, 4)) if line[3] in ("f0", "f1")]
    path = file("learner,item,split,truth,probability", [(a, i, r, t, p) for a, i, r, _, t, p in lines])
    for on in ((), ("--on", "roc"), ("--on", "tpr,fpr")):
        refused(path, *on, wrong="random splits", fix="--test-fraction 0.3")
        answer = run("judge", path, *on, "--test-fraction", "0.4", "--json")
        assert json.loads(answer.stdout)["comparison"]["sample"]["test_fraction"] == 0.4
    refused(
        path, "--on", "roc", "--test", "delong", "--test-fraction", "0.4", wrong="4 random splits of the same items"
    )


def test_replications_without_folds_take_the_share_that_the_advice_asks_for(file):
    lines = [(a, i, i % 3, t, p) for a, i, _, _, t, p in cells((1,))]
    path = file("learner,item,replication,truth,probability", lines)
    for on in ("roc", "tpr,fpr"):
        refused(path, "--on", on, wrong="3 replications of 1 fold", fix="--test-fraction 0.3")
        assert run("judge", path, "--on", on, "--test-fraction", "0.3").exit_code in (0, 1)
    assert bk.judge(bk.read(path, on="roc", test_fraction=0.3)).comparison.sample.test_fraction == 0.3
    refused(path, "--test-fraction", "0.3", wrong="every item occurs once", fix="--on tpr,fpr")


def test_a_share_that_contradicts_the_folds_is_refused(file):
    refused(file(HEAD, cells()), "--test-fraction", "0.3", wrong="there are 2 replications of 5 folds", fix="leave")


def test_replications_that_test_other_items_are_random_splits(file):
    lines = [(a, i, r, t, p) for a, i, r, f, t, p in cells() if f != "f0"]
    path = file("learner,item,replication,truth,probability", lines)
    refused(path, wrong="occurs in 1 of 2 replications", fix="--test-fraction 0.3")
    assert run("judge", path, "--test-fraction", "0.3").exit_code in (0, 1)


def test_rows_that_nothing_names_are_not_taken_for_other_items(file):
    lines = [(r, f"f{folds_of(r)[i]}", TRUTH[i], *(int(chances(n, r)[i] > 0.5) for n in STRENGTH)) for r in (1, 2)
             for i in range(100)]  # fmt: skip
    assert bk.judge(file("replication,fold,truth,good,fair,poor", lines)).comparison.test == "corrected-t"
    path = file("replication,truth,good,fair,poor", [(r, *rest) for r, _, *rest in lines])
    refused(path, wrong="200 rows of 2 replications may be of the same items", fix="add a column item")


def test_an_item_twice_in_a_replication_is_refused(file):
    path = file(HEAD, [*cells(), cells()[5]])
    for on in ((), ("--on", "tpr,fpr"), ("--on", "roc")):
        refused(path, *on, wrong="item 5 of replication 1 appears twice: first in line 7", where="line 602")


def test_seeds_that_learners_do_not_share_are_named(file):
    lines = [(name, i, s + 10 * k, 1) for k, name in enumerate("ab") for i in range(5) for s in range(2)]
    refused(file("learner,item,seed,correct", lines), wrong="no item is shared", fix="same item and replication")


@pytest.mark.parametrize(("column", "value", "wrong"), [
    (2, "", "the replication is empty"),
    (3, "f9", "the fold is f9, but"),
    (4, "no", "the truth is no, but yes in line 53"),
])  # fmt: skip
def test_a_faulty_cell_of_repeated_items(file, column, value, wrong):
    lines = cells()
    lines[251][column] = value
    for on in ((), ("--on", "roc")):
        refused(file(HEAD, lines), *on, wrong=wrong, where="line 253")


def test_a_missing_outcome_of_a_repeated_item_is_named(file):
    lines = cells()
    lines[250][5] = ""
    refused(file(HEAD, lines), "--on", "roc", wrong="learner fair, item 50 of replication 1 (line 252)")


def test_items_that_occur_once_stay_as_they_are(file):
    found = bk.read(file(HEAD, cells((1,))))
    assert as_tested(found) is found
    assert isinstance(as_tested(bk.read(file(HEAD, cells()))), Scores)


# Folds that are not known


@pytest.mark.parametrize("value", ["", "f9"])
def test_a_faulty_fold_does_not_turn_folds_into_one_test_set(file, value):
    """Of all learners, or of one: the refusal says the line and the value; tests of items do not use folds."""
    lines = [[a, i, f, t, p] for a, i, _, f, t, p in cells((1,))]
    everywhere = [[*line[:2], value, *line[3:]] if line[1] == 7 else line for line in lines]
    alone = [[*line[:2], value, *line[3:]] if (line[0], line[1]) == ("fair", 7) else line for line in lines]
    wrong = "the fold of item 7 is empty" if not value else f"the fold is f9, but f{folds_of(1)[7]} in line 9"
    path = file("learner,item,fold,truth,probability", everywhere if not value else alone)
    for on in ("roc", "tpr,fpr", "tpr@0.3,fpr@0.3"):
        refused(path, "--on", on, wrong=wrong, where="line 9," if not value else "line 109,", fix="remove it")
    assert bk.judge(path).comparison.test == "mcnemar-mid-p"


def test_an_empty_fold_is_filled_from_other_learners_and_said(file):
    lines = [[a, i, f, t, p] for a, i, _, f, t, p in cells((1,))]
    whole = bk.judge(file("learner,item,fold,truth,probability", lines), on="roc")
    lines[7][2] = ""
    verdict = bk.judge(file("learner,item,fold,truth,probability", lines), on="roc")
    assert sorted(verdict.comparison.pvalue) == pytest.approx(sorted(whole.comparison.pvalue))
    assert "the fold of 1 row is empty and was taken from other rows of its item" in verdict.provenance.notes


@pytest.mark.parametrize("replications", [(1,), (1, 2)])
def test_folds_of_several_data_sets_are_not_pooled(file, replications):
    lines = [(a, i % 50, f"d{i // 50}", *rest) for a, i, *rest in cells(replications)]
    path = file("learner,item,dataset,replication,fold,truth,probability", lines)
    refused(path, "--on", "roc", wrong="items of 2 data sets, d0 and d1", where="items.csv", fix="--dataset d0")
    refused(path, "--on", "tpr,fpr", wrong="2 data sets cannot carry 2", where="2 data sets", fix="--dataset")
    path = file("learner,item,dataset,replication,fold,truth,probability", [line for line in lines if line[2] == "d0"])
    assert run("judge", path, "--on", "tpr,fpr").exit_code in (0, 1)


# Advice that can be followed


def test_delong_and_folds_of_one_class_do_not_send_to_each_other(file):
    lines = [[a, i, r, i // 10, "ny"[i // 10 % 2], p] for a, i, r, _, _, p in cells()]
    path = file(HEAD, lines)
    refused(path, "--on", "roc", wrong="20 folds of 20 have items of one class only", fix="stratified folds, so that")
    assert "--test delong" not in run("judge", path, "--on", "roc").stderr
    refused(path, "--on", "roc", "--test", "delong", wrong="2 replications", fix="keep one replication")
    one = file(HEAD, [line for line in lines if line[2] == 1])
    refused(one, "--on", "roc", wrong="10 folds of 10", fix="--test delong")
    assert run("judge", one, "--on", "roc", "--test", "delong").exit_code in (0, 1)


@pytest.mark.parametrize("test", ["auto", "delong"])
def test_a_bootstrap_tested_on_the_full_set_has_no_test_of_areas(stores, test):  # noqa: F811
    path = stores(folds="bootstrap-10", learners='"naive-bayes", "tree"')
    refused(path, "--on", "roc", "--test", test, wrong="no test is valid there", fix="bootstrap-10-oob")


def test_areas_of_bootstrap_samples_are_tested_by_corrected_t(stores):  # noqa: F811
    path = stores(folds="bootstrap-10-oob", learners='"naive-bayes", "tree"')
    refused(path, "--on", "roc", "--test", "delong", wrong="10 random splits of the same items", fix="--test auto")
    assert bk.judge(path, on="roc").comparison.test == "corrected-t"


def test_one_class_is_not_sent_to_delong(file):
    lines = [(i % 5, 1, 0.4, 0.6, 0.5, 0.5) for i in range(50)]
    refused(file("fold,truth,a:0,a:1,b:0,b:1", lines), "--on", "roc", wrong="every item is of class 1", fix="both")


def test_curves_are_not_asked_for_beside_measures(file):
    path = file(HEAD, cells())
    refused(path, "--on", "roc,tpr,fpr", wrong="roc is asked for beside tpr,fpr", fix="--on roc;")
    refused(path, "--on", "auc,tpr", wrong="auc is asked for beside tpr", fix="--on roc;")


def test_outcomes_say_what_vectors_need(file):
    path = file("learner,item,correct", [(name, i, i % 2) for name in "ab" for i in range(10)])
    refused(path, "--on", "tpr,fpr", wrong="items with their true class", fix="a column truth")


def test_what_0_by_0_counts_as_is_a_share(file):
    lines = [(n, f, 8 - f % 2, 2 + f % 2, f % 3, 10 - f % 3) for n in "ab" for f in range(6)]
    path = file("learner,fold,tp,fn,fp,tn", lines)
    refused(path, "--on", "tpr,fpr", "--undefined", "7", wrong="undefined is 7", fix="from 0 to 1")


def test_a_count_beyond_all_others_ends_in_no_traceback(file):
    lines = [[n, f, 8 - f % 2, 2 + f % 2, f % 3, 10 - f % 3] for n in "ab" for f in range(6)]
    lines[2][2] = 1e300
    verdict = bk.judge(file("learner,fold,tp,fn,fp,tn", lines), on="tpr,fpr")
    assert verdict.mistake_costs is None


def test_missing_results_of_vectors_are_not_offered_to_be_kept(file):
    lines = [
        (n, d, f, 8 - (f + d) % 2, 2 + (f + d) % 2, f % 3, 10 - f % 3) for n in "ab" for d in range(7) for f in (0, 1)
    ]
    path = file("learner,dataset,fold,tp,fn,fp,tn", lines[:-1])
    refused(path, "--on", "tpr,fpr", wrong="1 result is missing", fix="--missing drop-datasets")
    assert "--missing keep" not in run("judge", path, "--on", "tpr,fpr").stderr
    refused(path, "--on", "tpr,fpr", "--missing", "keep", wrong="vectors need every result", fix="drop-datasets")
    assert run("judge", path, "--on", "tpr,fpr", "--missing", "drop-datasets").exit_code in (0, 1)


def test_recalls_of_classes_are_columns_of_a_file(file):
    """As docs/measures.md has it; no other column has to stand beside them."""
    rates = np.round(np.random.default_rng(0).uniform(0.6, 0.9, (2, 8, 3)), 3)
    lines = [(name, f, *rates[k, f]) for k, name in enumerate("ab") for f in range(8)]
    verdict = bk.judge(file("learner,fold,recall_x,recall_y,recall_z", lines), on="recalls")
    assert verdict.names == ("recall_x", "recall_y", "recall_z")
    assert verdict.evidence.vectors[:, 0, 0] == pytest.approx(rates)


# Probabilities and decision scores


@pytest.mark.parametrize("value", ["1.2", "-0.2"])
def test_no_probability_is_told_as_the_file_has_it(file, value):
    lines = cells((1,))
    lines[7][5] = value
    refused(file(HEAD, lines), "--on", "roc", wrong=f"probability is {value}, no", where="line 9, column probability",
            fix="'decision'")  # fmt: skip


def decisions(name="decision", shift=0.0):
    lines = [(a, i, f, t, margins(a, r)[i] + shift) for a, i, r, f, t, _ in cells((1,))]
    return f"learner,item,fold,truth,{name}", lines


@pytest.mark.parametrize("name", ["decision", "decision_function", "y_score"])
def test_decision_scores_have_areas(file, name):
    path = file(*decisions(name))
    verdict = bk.judge(path, on="roc")
    places = [folds_of(1) == f for f in range(5)]
    expected = np.mean([bk.stats.roc.auc(TRUTH[f], margins("fair", 1)[f]) for f in places])
    assert verdict.roc.areas["fair"] == pytest.approx(expected)
    other = bk.judge(path, on="roc", positive="no")
    assert other.roc.areas["fair"] == pytest.approx(expected)
    assert other.roc.positive == "no"


def test_a_decision_score_above_0_predicts_the_second_class(file):
    path = file(*decisions())
    found = bk.judge(path).evidence
    assert found.values[1].tolist() == ((margins("fair", 1) > 0) != TRUTH).tolist()
    assert bk.judge(path, on="tpr,fpr").comparison.means["fair"] == pytest.approx(
        np.mean([((margins("fair", 1) > 0) != TRUTH)[folds_of(1) == f].mean() for f in range(5)])
    )
    refused(path, "--on", "tpr@0.3,fpr@0.3", wrong="tpr@0.3 is at a threshold of probabilities", fix="--on roc")


def test_scores_on_one_side_of_0_rank_and_predict_nothing(file):
    path = file(*decisions(shift=100.0))
    areas = bk.judge(path, on="roc").roc.areas
    assert areas == pytest.approx(bk.judge(file(*decisions()), on="roc").roc.areas)
    path = file(*decisions(shift=100.0))
    refused(path, wrong="the decision scores of good, fair and poor are on one side of 0", fix="--on roc")
    refused(path, "--on", "tpr,fpr", wrong="decision scores of good, fair and poor on one side of 0 only", fix="roc")


def test_decision_scores_of_a_wide_table_say_the_same(file):
    long = bk.judge(file(*decisions()), on="roc")
    lines = [(i, f"f{folds_of(1)[i]}", "yes" if TRUTH[i] else "no", *(margins(n, 1)[i] for n in STRENGTH))
             for i in range(100)]  # fmt: skip
    path = file("item,fold,truth," + ",".join(f"{name}:decision" for name in STRENGTH), lines)
    wide = bk.judge(path, on="roc")
    assert wide.roc.areas == pytest.approx(long.roc.areas)
    one_sided = file("item,fold,truth," + ",".join(f"{n}:decision" for n in STRENGTH),
                     [(*line[:3], *(each + 100 for each in line[3:])) for line in lines])  # fmt: skip
    assert bk.judge(one_sided, on="roc").roc.areas == pytest.approx(long.roc.areas)
    refused(one_sided, wrong="the decision scores of good, fair and poor are on one side of 0")


def test_decision_scores_of_three_classes_are_refused(file):
    head, lines = decisions()
    three = [(*line[:3], "xyz"[line[1] % 3], line[4]) for line in lines]
    refused(
        file(head, three), "--on", "roc", wrong="is of one of two classes, and truth has 3: x, y, z", fix="every class"
    )
    wide = [(i, "xyz"[i % 3], i, -i) for i in range(9)]
    refused(
        file("item,truth,a:decision,b:decision", wide), "--on", "roc", wrong="which are of two classes, and there are 3"
    )


@pytest.mark.parametrize("on", [(), ("--on", "roc"), ("--on", "tpr,fpr")])
def test_a_score_that_may_be_anything_is_asked_about(file, on):
    refused(file(*decisions("score")), *on, wrong="may hold scores that rank items, or outcomes", fix="'decision'")


def test_exactly_one_half_is_the_first_class_and_reaches_the_threshold(file):
    """A learner's own rule (argmax) gives a tie to the first class; a threshold is reached from 0.5 on."""
    lines = [(*line[:5], 0.5 if line[1] % 5 == 0 else line[5]) for line in cells((1,))]
    path = file(HEAD, lines)
    one, two = (bk.judge(path, on=on) for on in ("tpr,fpr", "tpr@0.5,fpr@0.5"))
    scores, place = one.evidence, folds_of(1) == 2
    at = scores.folds.index("f2")
    given = np.where(np.arange(100) % 5 == 0, 0.5, chances("fair", 1))[place & (TRUTH == 1)]
    assert one.evidence.vectors[1, 0, 0, at, 0] == pytest.approx((given > 0.5).mean())
    assert two.evidence.vectors[1, 0, 0, at, 0] == pytest.approx((given >= 0.5).mean())
    assert any("exactly 0.5 the first class is predicted; a threshold" in note for note in two.provenance.notes)
    plain = bk.judge(file(HEAD, cells((1,))), on="tpr,fpr")
    assert not any("exactly 0.5" in note for note in plain.provenance.notes)


def test_a_learner_gives_a_tie_to_the_first_class():
    """What docs/measures.md says of stores: the rule of scikit-learn, here of two neighbours that do not agree."""
    cell = run_cell(
        toy_dataset(classes=2),
        toy_learner("knn", lambda: KNeighborsClassifier(2)),
        Halves(1),
        seed=1,
        start=0,
        stop=1,
        keep_predictions=True,
    )
    tied = cell.probabilities[0, 0][:, 1] == 0.5
    assert tied.sum() > 5
    assert set(np.asarray(cell.predictions[0, 0])[tied]) == {0}


# Words of curves


def test_failures_of_data_sets_that_were_left_out_are_not_counted():
    curves = Curves(
        learners=("a", "b"),
        values=(np.full((2, 3), 0.1), np.array([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3]])),
        steps=(1.0, 2.0, 3.0),
        runs=(("u/1.1", "v/1.1"),) * 2,
        datasets=(("u", "v"),) * 2,
        measure="error",
        larger_is_better=False,
        failures={("b", "v/1.1", 2.0): "no reason"},
    )
    assert repr(curves).endswith("; 1 of 12 folds failed")
    assert "failed" not in repr(curves.without(datasets=["v"]))
    assert repr(curves.without(datasets=["u"])).endswith("; 1 of 6 folds failed")


def test_several_charts_say_how_they_were_read(tmp_path):
    paths = [chart(tmp_path / "adam.csv", ADAM, axis="epoch"), chart(tmp_path / "sgd.csv", SGD, axis="epoch")]
    for source in (paths, {"adam": paths[0], "sgd": paths[1]}, {"adam": paths[:1], "sgd": paths[1:]}, tmp_path):
        notes = bk.read(source).origin.notes
        assert "columns 'run - val/acc' were read as one run each; __MIN and __MAX were not used" in notes
        assert "'epoch' was read as the step" in notes
