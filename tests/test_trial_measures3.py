"""Found by trying several measures on many small tables: what is refused, what is said, and what it is said of."""

import numpy as np
import pandas as pd
import pytest
from bestofk.reporting.level_words import level_words
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.plots.figures.error_histograms import ErrorHistogramsInfo
from bestofk.plots.figures.measure_contours import MeasureContoursInfo
from bestofk.plots.gallery import figure


def table_of_items(learners=("a", "b", "c"), folds=6, rows=30, seed=0):
    """A long table of probabilities of two classes; the first learner is better than the others."""
    rng = np.random.default_rng(seed)
    parts = []
    for place, name in enumerate(learners):
        truth = np.tile([0, 1], folds * rows // 2)
        given = 1 / (1 + np.exp(-(2.5 / (1 + place) * (2 * truth - 1) + rng.normal(size=truth.size))))
        keys = {"learner": name, "item": range(truth.size), "fold": np.arange(truth.size) // rows}
        parts.append(pd.DataFrame({**keys, "truth": np.array(["no", "yes"])[truth], "probability": given}))
    return pd.concat(parts, ignore_index=True)


TWO_CUTS = "tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6"


def advice(verdict):
    return {each.code: each for each in verdict.advice}


def test_few_folds_cannot_show_differences_at_several_thresholds():
    verdict = bk.judge(table_of_items(folds=6), on=TWO_CUTS)
    assert verdict.comparison.test == "threshold-test"
    smallest = 3 * 2.0**-5  # 3 pairs, 6 folds
    assert min(pair.adjusted for pair in verdict.comparisons) >= smallest > verdict.alpha
    found = advice(verdict)["K135"]
    assert (
        f"6 folds cannot show any difference between 3 learners: signs dealt anew give p = {smallest:.2g}" in found.seen
    )
    assert found.do.startswith("collect at least 7 folds, or compare fewer learners, or judge at one threshold")
    assert "K135" not in advice(bk.judge(table_of_items(folds=7), on=TWO_CUTS))
    assert "K135" not in advice(bk.judge(table_of_items(("a", "b"), folds=6), on=TWO_CUTS))


def counts(learners=("a", "b"), folds=8, seed=0, positives=(40, 40), negatives=60):
    rng = np.random.default_rng(seed)
    rows = []
    for place, name in enumerate(learners):
        for fold in range(folds):
            tp = rng.binomial(positives[place], 0.9 - 0.2 * place)
            fp = rng.binomial(negatives, 0.1)
            rows.append((name, fold, tp, positives[place] - tp, fp, negatives - fp))
    return pd.DataFrame(rows, columns=["learner", "fold", "tp", "fn", "fp", "tn"])


def error_of(table):
    return (table.fn + table.fp) / (table.tp + table.fn + table.fp + table.tn)


@pytest.mark.parametrize("name", ["error", "accuracy", "error_rate", "Test Error"])
@pytest.mark.parametrize("percent", [1, 100])
def test_a_column_that_contradicts_counts_is_refused_with_its_line(name, percent, tmp_path):
    table = counts()
    true = 1 - error_of(table) if name == "accuracy" else error_of(table)
    table[name] = (percent * true).round(2 if percent == 1 else 0)
    table.to_csv(tmp_path / "fits.csv", index=False)
    assert bk.judge(tmp_path / "fits.csv", on="tpr,fpr").order
    table.loc[3, name] += percent * 0.05
    table.to_csv(tmp_path / "results.csv", index=False)
    read = {"on": "tpr,fpr"}, {"measure": name}
    for options in read if name != "error_rate" else read[1:]:
        with pytest.raises(InputError, match=f"the column {name} is .*, and the counts give") as error:
            bk.read(tmp_path / "results.csv", **options)
        assert "line 5" in error.value.where
        assert "leave the counts out" in error.value.fix


def test_scores_with_counts_of_other_errors_are_refused():
    table = counts()
    told = table[["tp", "fn", "fp", "tn"]].to_numpy(float).reshape(2, 1, 1, 8, 4)
    values = error_of(table).to_numpy().reshape(2, 1, 1, 8)
    own = {"learners": ("a", "b"), "measure": "error", "larger_is_better": False, "counts": told}
    assert bk.judge(bk.Scores(values=values, **own), on="tpr,fpr").order
    with pytest.raises(InputError, match=r"the column error is .*, and the counts give") as error:
        bk.judge(bk.Scores(values=values + 0.1, **own), on="tpr,fpr")
    assert "learner a, fold" in error.value.where


def test_counts_are_exact_where_a_column_beside_them_is_rounded():
    table = counts()
    exact = table.tp / (table.tp + table.fn)
    table["tpr"] = (100 * exact).round()
    verdict = bk.judge(table, on="tpr,fpr")
    assert verdict.comparison.means["a"]["tpr"] == pytest.approx(exact[table.learner == "a"].mean(), rel=1e-12)


def test_a_mean_over_classes_beside_counts_is_left_alone():
    table = counts()
    table["f1"] = 0.5  # of both classes, say
    table["error"] = error_of(table)
    assert bk.judge(table, on="tpr,fpr").order


def test_counts_of_different_test_sets_are_not_compared_as_counts():
    table = counts(positives=(40, 80))
    with pytest.raises(InputError, match=r"tp, fn, fp and tn are counts, and .* different numbers of rows") as error:
        bk.judge(table, on="confusion")
    assert "fold 0: positives of a 40, b 80" in error.value.where
    assert "--on tpr,fpr" in error.value.fix
    with pytest.raises(InputError, match="fp is a count"):
        bk.judge(table, on="tpr,fp")
    assert bk.judge(table, on="tpr,fpr").order
    assert bk.judge(counts(), on="confusion").order


@pytest.mark.parametrize("on", ["tpr@0.30,tpr@0.3", "kappa@0.50,kappa@0.5", "recall@0.3,tpr@0.300"])
def test_a_threshold_is_one_number_however_it_is_written(on):
    with pytest.raises(InputError, match="are one measure"):
        bk.judge(table_of_items(), on=on)
    assert bk.judge(table_of_items(), on="tpr@0.3,tpr@0.4").order


def three_classes(seed=0, folds=8, rows=30):
    rng = np.random.default_rng(seed)
    truth = np.tile(list("xyz"), folds * rows // 3)
    parts = []
    for name, right in (("a", 0.9), ("b", 0.6)):
        said = np.where(rng.random(truth.size) < right, truth, rng.choice(list("xyz"), truth.size))
        keys = {"learner": name, "item": range(truth.size), "fold": np.arange(truth.size) // rows}
        parts.append(pd.DataFrame({**keys, "truth": truth, "prediction": said}))
    return pd.concat(parts, ignore_index=True)


def test_balanced_accuracy_and_macro_recall_are_one_measure():
    with pytest.raises(InputError, match="balanced_accuracy and recall_macro are one measure"):
        bk.judge(three_classes(), on="balanced_accuracy,recall_macro")


def test_recalls_of_every_class_against_the_rest_are_two():
    verdict = bk.judge(three_classes(), on="recalls", positive="each")
    assert verdict.names == ("recall of x", "recall of y", "recall of z")
    assert [each.positive for each in verdict.by_class] == ["x", "y", "z"]
    assert {each.names for each in verdict.by_class} == {("tpr", "specificity")}
    assert verdict.by_class[1].comparison.means["a"]["tpr"] == verdict.comparison.means["a"]["recall of y"]
    assert verdict.provenance.settings["on"] == ["recalls"]
    named = bk.judge(three_classes(), on="tpr,specificity", positive="each")
    assert [each.comparison.pairs[0].pvalue for each in verdict.by_class] == [
        each.comparison.pairs[0].pvalue for each in named.by_class
    ]


@pytest.mark.parametrize("truth", ["n", "y"])
def test_items_of_one_class_have_no_curve(truth):
    table = pd.DataFrame({"truth": [truth] * 3, "a:n": [0.6, 0.7, 0.1], "b:n": [0.3, 0.2, 0.5]})
    table["a:y"], table["b:y"] = 1 - table["a:n"], 1 - table["b:n"]
    with pytest.raises(InputError, match=r"every item is (not )?of class y, and a ROC curve needs both"):
        bk.judge(table, on="roc")


@pytest.mark.parametrize("option", [{"undefined": 0}, {"task": "retrieval"}])
def test_what_areas_have_no_use_for_is_refused(option):
    with pytest.raises(InputError, match="areas under ROC curves have no use for it"):
        bk.judge(table_of_items(), on="roc", **option)


def test_one_test_set_with_probabilities_is_sent_to_curves():
    table = table_of_items().drop(columns="fold")
    with pytest.raises(InputError, match="one test set") as error:
        bk.judge(table, on="tpr,fpr")
    assert "(--on roc); or leave" in error.value.fix
    predicted = table.assign(prediction=np.where(table.probability > 0.5, "yes", "no")).drop(columns="probability")
    with pytest.raises(InputError, match="one test set") as error:
        bk.judge(predicted, on="tpr,fpr")
    assert "(--on roc, which needs probabilities)" in error.value.fix


def test_a_wrong_seed_is_called_seed():
    for options in ({"on": "tpr,fpr"}, {}):
        with pytest.raises(InputError, match="seed is -1") as error:
            bk.judge(counts(), seed=-1, **options)
        assert error.value.where == "judge, argument seed"


def test_areas_that_differ_everywhere_speak_of_items():
    rows = [("n", 0.1, 0.9)] * 3 + [("y", 0.9, 0.1)] * 3
    table = pd.DataFrame([(t, 1 - p, p, 1 - q, q) for t, p, q in rows], columns=["truth", "a:n", "a:y", "b:n", "b:y"])
    said = str(bk.judge(table, on="roc"))
    assert "of few items that may be chance" in said
    assert "folds" not in said


def test_levels_are_said_in_three_digits():
    verdict = bk.judge(three_classes(), on="tpr,fpr", positive="each")
    assert verdict.by_class[0].alpha == pytest.approx(0.05 / 3)
    assert level_words(1, "none", 0.05 / 3).endswith("held at 1.67 %.")


def test_contours_show_measures_that_vary():
    table = three_classes()
    table.loc[table.truth == "x", "prediction"] = "x"
    assert MeasureContoursInfo.of(bk.judge(table, on="recalls")).measures == ("recall of y", "recall of z")


def test_one_pair_is_adjusted_for_nothing():
    two, three = counts(), counts(("a", "b", "c"), positives=(40, 40, 40))
    assert "adjusted" not in figure("difference-contours", bk.judge(two, on="tpr,fpr")).alt
    assert "adjusted for all pairs" in figure("difference-contours", bk.judge(three, on="tpr,fpr")).alt
    for name in ("pairs", "differences"):
        assert "adjusted" not in figure(name, bk.judge(two)).alt
        assert "adjusted" in figure(name, bk.judge(three)).alt
        assert "adjusted" not in figure(name, bk.judge(three, adjust="none")).alt


def test_measures_may_be_named_one_by_one(tmp_path):
    counts().to_csv(tmp_path / "c.csv", index=False)
    runs = [["--on", "tpr", "--on", "fpr"], ["--on", "tpr,fpr"]]
    said = [CliRunner().invoke(main, ["judge", str(tmp_path / "c.csv"), *each, "--json"]).output for each in runs]
    assert said[0] == said[1]
    assert '"tpr"' in said[0]


def many_sets(number=7, **options):
    """Items of several data sets, with five folds or six, under names of their own for folds and classes."""
    parts = []
    for d in range(number):
        table = table_of_items(folds=5 + d % 2, seed=d, **options).assign(dataset=f"set{d}")
        table["fold"] += 10 * (d % 2)
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def as_counts(table, threshold=0.5):
    """The same folds as a table of counts, made by pandas."""
    said = table.probability >= threshold
    true = table.truth == "yes"
    cells = {"tp": true & said, "fn": true & ~said, "fp": ~true & said, "tn": ~true & ~said}
    return table.assign(**cells).groupby(["learner", "dataset", "fold"], as_index=False)[list(cells)].sum()


def assert_same_verdict(one, two, names=None):
    assert one.order == two.order
    assert one.comparison.kind == two.comparison.kind == "datasets"
    for first, second in zip(one.comparisons, two.comparisons, strict=True):
        assert (first.first, first.second) == (second.first, second.second)
        assert first.pvalue == second.pvalue
        assert [t.pvalue for t in first.tests] == [t.pvalue for t in second.tests]
        assert first.error.pvalue == second.error.pvalue
        assert [t.first_mean for t in first.tests] == pytest.approx([t.first_mean for t in second.tests], rel=1e-12)


def test_items_of_many_data_sets_are_judged_as_their_counts(tmp_path):
    table = many_sets()
    table.sort_values(["item", "learner"]).to_csv(tmp_path / "items.csv", index=False)
    expected = bk.judge(as_counts(table), on="tpr,fpr")
    assert expected.comparison.rows == 7
    for source in (table, tmp_path / "items.csv"):
        assert_same_verdict(bk.judge(source, on="tpr,fpr"), expected)
    low = bk.judge(table, on="tpr@0.3,fpr@0.3")
    assert_same_verdict(low, bk.judge(as_counts(table, 0.3), on="tpr,fpr"))
    one = bk.judge(table, on="tpr,fpr", positive="no")
    assert one.positive == "no"
    assert one.comparison.means["a"]["fpr"] == pytest.approx(1 - expected.comparison.means["a"]["tpr"])


def test_one_table_wide_with_many_data_sets():
    table = many_sets()
    wide = table.pivot(index=["dataset", "fold", "item", "truth"], columns="learner", values="probability")
    said = (wide > 0.5).map(lambda yes: "yes" if yes else "no").reset_index()
    assert_same_verdict(bk.judge(said, on="tpr,fpr"), bk.judge(as_counts(table), on="tpr,fpr"))


def test_data_sets_may_have_classes_of_their_own():
    table = many_sets()
    own = table.assign(truth=table.truth + "_" + table.dataset.where(table.dataset != "set1", "same"))
    verdict = bk.judge(own, on="tpr,fpr")
    assert_same_verdict(verdict, bk.judge(table, on="tpr,fpr"))
    assert verdict.positive is None
    with pytest.raises(InputError, match="the data sets have different classes"):
        bk.judge(own, on="recalls")
    with pytest.raises(InputError, match="unknown class 'yes'") as error:
        bk.judge(own, on="tpr,fpr", positive="yes")
    assert error.value.where.endswith("data set set0")


def test_what_is_missing_of_a_data_set_is_named():
    table = many_sets()
    gone = table[(table.learner != "b") | (table.dataset != "set2")]
    with pytest.raises(InputError, match="missing") as error:
        bk.judge(gone, on="tpr,fpr")
    assert "learner b, data set set2, fold 0" in str(error.value)
    assert bk.judge(gone, on="tpr,fpr", missing="drop-datasets").comparison.rows == 6
    assert bk.judge(gone, on="tpr,fpr", missing="drop-learners").order == ("a", "c")


def test_curves_of_many_data_sets_and_items_read_together_are_refused():
    table = many_sets()
    with pytest.raises(
        InputError, match="items of 7 data sets, set0, set1 and set2 …, and ROC curves are of one"
    ) as error:
        bk.judge(table, on="roc")
    assert "--dataset set0" in error.value.fix
    items = bk.read(table)
    with pytest.raises(InputError, match="these items of 7 data sets were read already") as error:
        bk.judge(items, on="tpr,fpr")
    assert "bk.read(source, on=" in error.value.fix
    assert bk.judge(bk.read(table, on="tpr,fpr")).comparison.rows == 7
    assert bk.judge(bk.read(table, on="tpr,fpr", dataset="set3")).comparison.kind == "folds"


def test_random_splits_of_several_data_sets_are_not_pooled():
    rounds = [many_sets().drop(columns="fold").assign(replication=r) for r in range(3)]
    table = pd.concat(rounds, ignore_index=True)
    with pytest.raises(InputError, match="there are random splits of 7 data sets, set0, set1 and set2 …") as error:
        bk.judge(bk.read(table, test_fraction=0.3))
    assert "--dataset set0" in error.value.fix
    assert bk.judge(bk.read(table, test_fraction=0.3, dataset="set0")).order
    assert bk.judge(bk.read(table, test_fraction=0.3, on="tpr,fpr")).comparison.rows == 7
    assert bk.judge(bk.read(table)).comparison.kind == "items"  # without a share of test data they are seeds


def test_differences_that_are_rounding_are_none():
    values = np.array([0.1, 0.2, 0.3, 0.7])
    info = ErrorHistogramsInfo("a", "b", values + 0.1 - 0.1, values[[1, 0, 2, 3]], "error")
    assert "mean +0, 1 below and 1 above 0" in info.alt
