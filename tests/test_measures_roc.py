"""Probabilities of items: areas, curves, hulls, rates at several thresholds, and counts of groups as folds."""

import json

import numpy as np
import pytest
from bestofk.reporting.measures_areas import price_words
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.evidence.outcomes.wanted import threshold_in
from bestofk.plots.figures import figure, figures_for

STRENGTH = {"good": 2.2, "fair": 1.2, "poor": 0.4}
LADDER = "tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6"


def table(*, groups=False, items=300, seed=0, strength=STRENGTH):
    """Truth, scores of the positive class, and the lines of a file of probabilities."""
    rng = np.random.default_rng(seed)
    truth = np.arange(items) // 10 % 2  # both classes in every group
    noise = rng.normal(0, 1, items)
    scores = {
        name: np.round(1 / (1 + np.exp(-(each * (2 * truth - 1) + noise + rng.normal(0, 1, items)))), 6)
        for name, each in strength.items()
    }
    heading = ",".join(f"{name}:no,{name}:yes" for name in scores)
    lines = [("group," if groups else "") + "truth," + heading]
    for i in range(items):
        cells = ",".join(f"{1 - each[i]:.6f},{each[i]:.6f}" for each in scores.values())
        lines.append((f"f{i % 10}," if groups else "") + ("yes," if truth[i] else "no,") + cells)
    return truth, scores, "\n".join(lines) + "\n"


@pytest.fixture
def file(tmp_path):
    def made(**options):
        truth, scores, text = table(**options)
        path = tmp_path / "p.csv"
        path.write_text(text, encoding="utf-8")
        return truth, scores, str(path)

    return made


def run(*words):
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


@pytest.mark.parametrize("on", ["roc", "auc", ("ROC",)])
def test_areas_of_all_pairs_by_delong(file, on):
    truth, scores, path = file()
    verdict = bk.judge(path, on=on)
    comparison = verdict.comparison
    assert (comparison.kind, comparison.test, comparison.rows) == ("items", "delong", 300)
    for pair in verdict.comparisons:
        alone = bk.stats.roc.delong(truth, scores[pair.first], scores[pair.second])
        assert (pair.statistic, pair.pvalue) == pytest.approx((alone.statistic, alone.pvalue))
        assert pair.adjusted == pytest.approx(min(1, 3 * alone.pvalue))
    assert verdict.roc.areas == {name: pytest.approx(bk.stats.roc.auc(truth, each)) for name, each in scores.items()}
    assert (verdict.status, verdict.best, verdict.order) == ("decided", "good", ("good", "fair", "poor"))
    assert "good is best: the area under its ROC curve is shown to be larger than those of all others" not in repr(
        verdict
    )
    assert "the area under its ROC curve is shown to be larger than those of all other learners" in repr(verdict)


def test_the_other_class_may_be_positive(file):
    truth, scores, path = file()
    verdict = bk.judge(path, on="roc", positive="no")
    assert verdict.roc.positive == "no"
    assert verdict.roc.areas["good"] == pytest.approx(bk.stats.roc.auc(1 - truth, 1 - scores["good"]))
    with pytest.raises(bk.UnknownName, match="maybe"):
        bk.judge(path, on="roc", positive="maybe")


def test_curves_hull_and_costs(file):
    truth, scores, path = file(strength={"good": 1.0, "fair": 1.0, "poor": 0.1})
    roc = bk.judge(path, on="roc").roc
    assert roc.folds == 1
    alone = bk.stats.roc.curve(truth, scores["fair"])
    assert np.array_equal(roc.curves["fair"], np.stack([alone.fpr, alone.tpr], axis=-1))
    ranges = bk.stats.roc.cost_ranges(roc.curves)
    assert {each.learner for each in roc.costs.best} <= set(ranges.optimal)
    for each in roc.costs.best:  # half of the items are positive: the price is the slope
        middle = each.low * 1.01 if each.high == np.inf else (each.low + each.high) / 2
        if middle > 0:
            assert each.learner in ranges.best_for(middle)


def test_curves_are_averaged_over_groups(file):
    truth, scores, path = file(groups=True)
    roc = bk.judge(path, on="roc").roc
    folds = [np.arange(300) % 10 == f for f in range(10)]
    mean = bk.stats.roc.average_curve([truth[f] for f in folds], [scores["good"][f] for f in folds])
    assert roc.folds == 10
    assert np.allclose(roc.curves["good"], np.stack([mean.fpr, mean.tpr], axis=-1))


def test_prices_in_words():
    assert price_words(0.0, np.inf) == "at any price"
    assert price_words(0.5, 2.0) == "from 0.5 to 2"


@pytest.mark.parametrize("suffix", ["html", "md", "tex", "json", "txt"])
def test_reports_have_a_section_on_curves(file, tmp_path, suffix):
    _, _, path = file(groups=True)
    for on in ("roc", "tpr,fpr"):
        out = tmp_path / f"v.{suffix}"
        assert run("report", path, "--on", on, "-o", str(out)).exit_code in (0, 1)
        text = out.read_text(encoding="utf-8")
        if suffix == "json":
            assert json.loads(text)["roc"]["folds"] == 10
        else:
            assert "ROC curves" in text
            assert "at which each learner is best" in text


def test_the_command_and_its_figures(file):
    _, _, path = file()
    answer = run("judge", path, "--on", "roc")
    assert answer.exit_code == 0
    assert "poor has a smaller area under its ROC curve than good" in answer.stdout
    assert "On the convex hull" in answer.stdout
    verdict = bk.judge(path, on="roc")
    assert {each.name for each in figures_for(verdict)} == {"acceptance", "roc"}
    drawn = figure("roc", verdict).info
    assert drawn.areas == tuple(verdict.roc.areas[name] for name in verdict.order)
    assert "DeLong" in verdict.text() or "delong" in verdict.text()
    assert "<table" in verdict._repr_html_()


def test_the_recipe_makes_it_again(file):
    from bestofk.reporting.measures_page import measures_recipe

    _, _, path = file()
    found = {}
    exec(measures_recipe(bk.judge(path, on="roc")).code.replace("print(verdict)", ""), found)
    assert found["verdict"].best == "good"


# Groups as folds, and thresholds


def test_counts_are_made_of_every_group(file):
    truth, scores, path = file(groups=True)
    verdict = bk.judge(path, on="tpr,fpr")
    said, fold = scores["fair"] > 0.5, np.arange(300) % 10 == 3
    found = verdict.evidence.rows()[1, 3]
    assert found == pytest.approx([said[fold & (truth == 1)].mean(), said[fold & (truth == 0)].mean()])
    assert verdict.positive == "yes"
    assert verdict.comparison.test_fraction == 0.1
    assert verdict.roc is not None


def test_one_test_set_has_no_vectors(file):
    _, _, path = file()
    answer = run("judge", path, "--on", "tpr,fpr")
    assert answer.exit_code == 2
    assert "need folds, and there is one test set of 300 items" in answer.stderr
    assert "--on roc" in answer.stderr


def test_thresholds_are_tested_together(file):
    truth, scores, path = file(groups=True)
    verdict = bk.judge(path, on=LADDER)
    assert verdict.comparison.test == "threshold-test"
    folds = [np.arange(300) % 10 == f for f in range(10)]
    labels = [truth[f] for f in folds]
    for pair in verdict.comparisons:
        sides = [[scores[name][f] for f in folds] for name in (pair.first, pair.second)]
        alone = bk.stats.multivariate.threshold_test(labels, *sides, [0.3, 0.6], test_fraction=0.1)
        assert (pair.statistic, pair.pvalue) == pytest.approx((alone.statistic, alone.pvalue))
    single = bk.stats.pairwise.corrected_t(
        *([(scores[n][f & (truth == 1)] >= 0.3).mean() for f in folds] for n in ("good", "fair")), test_fraction=0.1
    )
    assert verdict.comparison.pair("good", "fair").in_measure("tpr@0.3").pvalue == pytest.approx(single.pvalue)
    assert "misses more positives than good at the threshold 0.3" in repr(bk.judge(path, on=LADDER, adjust="none"))


def test_the_order_of_thresholds_does_not_matter(file):
    _, _, path = file(groups=True)
    turned = ",".join(reversed(LADDER.split(",")))
    one, two = (bk.judge(path, on=on).comparisons[0].pvalue for on in (LADDER, turned))
    assert one == pytest.approx(two)


def test_thresholds_without_their_twin_go_to_hotelling(file):
    _, _, path = file(groups=True)
    assert bk.judge(path, on="tpr@0.3,fpr@0.6").comparison.test == "hotelling-corrected"
    assert bk.judge(path, on=LADDER, test="hotelling-corrected").comparison.test == "hotelling-corrected"
    with pytest.raises(bk.InputError, match="threshold-test is not valid"):
        bk.judge(path, on="tpr,fpr", test="threshold-test")


@pytest.mark.parametrize("name", ["tpr@2", "tpr@", "tpr@x", "taste@0.3", "tpr"])
def test_names_that_are_no_threshold(name):
    assert threshold_in(name) is None


def test_results_without_probabilities_have_no_curves(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("truth,a,b\n" + "yes,yes,no\nno,no,no\n" * 10, encoding="utf-8")
    with pytest.raises(bk.InputError, match="need probabilities of every item"):
        bk.judge(str(path), on="roc")
    from test_measures_command import TWO_CLASS

    for on in ("roc", "tpr@0.3,fpr@0.3"):
        with pytest.raises(bk.InputError, match="need probabilities of every item"):
            bk.judge(TWO_CLASS, on=on)


def test_several_classes_need_a_positive_one(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("group,truth,a,b\n" + "".join(f"f{i % 5},{'xyz'[i % 3]},{'xyz'[i % 2]},x\n" for i in range(60)))
    with pytest.raises(bk.InputError, match="3 classes, and none is said to be positive"):
        bk.judge(str(path), on="tpr,fpr")
    verdict = bk.judge(str(path), on="tpr,fpr", positive="z")
    assert verdict.comparison.means["b"] == {"tpr": 0.0, "fpr": 0.0}


def three_classes(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["group,truth,a,b"]
    for i in range(300):
        truth = "xyz"[i // 10 % 3]
        lines.append(f"f{i % 10},{truth}," + ",".join(truth if rng.random() < q else "xyz"[i % 3] for q in (0.9, 0.5)))
    path = tmp_path / "three.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path), [line.split(",") for line in lines[1:]]


def test_every_class_of_items(tmp_path):
    path, rows = three_classes(tmp_path)
    verdict = bk.judge(path, on="tpr,fpr", positive="each")
    assert [each.positive for each in verdict.by_class] == ["x", "y", "z"]
    first = [row for row in rows if row[0] == "f4"]
    of_y = [row for row in first if row[1] == "y"]
    expected = sum(row[3] == "y" for row in of_y) / len(of_y)
    assert verdict.evidence.column("recall of y")[1, 0, 0, 4] == pytest.approx(expected)
    wrong = sum(row[1] != row[3] for row in first) / len(first)
    assert verdict.evidence.error[1, 0, 0, 4] == pytest.approx(wrong)  # of all classes
    assert verdict.by_class[0].comparison.error_means == pytest.approx(verdict.comparison.error_means)
    assert verdict.by_class[0].comparison.means["b"]["tpr"] == pytest.approx(
        verdict.comparison.means["b"]["recall of x"]
    )


@pytest.mark.parametrize("suffix", ["html", "md", "txt"])
def test_reports_have_a_section_per_class(tmp_path, suffix):
    path, _ = three_classes(tmp_path)
    out = tmp_path / f"v.{suffix}"
    assert run("report", path, "--on", "tpr,fpr", "--positive", "each", "-o", str(out)).exit_code in (0, 1)
    for name in "xyz":
        assert f"Class {name} against the rest" in out.read_text(encoding="utf-8")


def test_each_class_needs_measures_of_one_class(tmp_path):
    path, _ = three_classes(tmp_path)
    with pytest.raises(bk.InputError, match="curves are of one class"):
        bk.judge(path, on="roc", positive="each")
    with pytest.raises(bk.InputError, match="no classes by name"):
        bk.judge(counts_file(tmp_path), on="tpr,fpr", positive="each")


def counts_file(tmp_path):
    path = tmp_path / "counts.csv"
    rows = "".join(f"{n},{f},{8 - f % 2},{2 + f % 2},{f % 3},{10 - f % 3}\n" for n in "ab" for f in range(6))
    path.write_text("learner,fold,tp,fn,fp,tn\n" + rows)
    return str(path)


def test_one_class_is_said_to_be_one(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("group,truth,a,b\n" + "".join(f"f{i % 5},x,x,x\n" for i in range(20)))
    with pytest.raises(bk.InputError, match="there is one class, x, and none"):
        bk.judge(str(path), on="tpr,fpr")
