"""Several measures at once: what words, figures, advice and errors said wrongly once."""

import numpy as np
import pytest
from bestofk.reporting.certainty import level_words
from bestofk.reporting.measures_page import measures_recipe
from bestofk.reporting.measures_words import cost_lines, measures_level_words, over_lines

import bestofk as bk
from bestofk.plots.figures.roc_hull import RocHullInfo
from bestofk.plots.gallery import figure
from test_measures_command import TWO_CLASS, run, three_lines, written
from test_measures_verdict import columns, counts_of, over

THREE = {"a": (0.9, 0.1), "b": (0.85, 0.14), "c": (0.8, 0.2)}


def codes(verdict):
    return {each.code: each for each in verdict.advice}


# Words


def test_the_combination_is_the_discriminant_in_units_of_spread():
    """Golden by hand: weights of the first discriminant times the standard deviations within learners."""
    verdict = bk.judge(counts_of(THREE), on="tpr,fpr")
    rows = verdict.evidence.rows()
    centred = rows - rows.mean(axis=1, keepdims=True)
    within = np.einsum("kri,krj->ij", centred, centred)
    between = 10 * np.cov(rows.mean(axis=1).T) * 2
    values, vectors = np.linalg.eig(np.linalg.solve(within, between))
    first = vectors[:, np.argmax(values.real)].real * np.sqrt(np.diag(within))
    found = np.array(list(verdict.comparison.manova.weights.values()))
    assert np.abs(found) == pytest.approx(np.abs(first / np.linalg.norm(first)))
    assert np.linalg.norm(found) == pytest.approx(1)
    said = " ".join(over_lines(verdict))
    assert "on one line" not in said
    assert "each measure in standard deviations within learners" in said


def test_the_weights_of_a_pair_are_in_units_of_its_differences():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0, 1, (2, 10, 2)) * [1.0, 1000.0]
    pair = bk.judge(columns(first, second), on="tpr,fpr").comparisons[0]
    spread = (first - second).std(axis=0, ddof=1)
    raw = np.array(list(pair.direction.values())) * spread
    assert list(pair.weights.values()) == pytest.approx(list(raw / np.linalg.norm(raw)))


def test_more_errors_are_said_once():
    rng = np.random.default_rng(0)
    error = np.stack([rng.normal(0.1, 0.01, 10), rng.normal(0.3, 0.01, 10)])
    both = np.stack([1 - error, rng.normal(5, 1, (2, 10))], axis=-1)
    scores = columns(both[0], both[1], ("accuracy", "fit_time"), (True, False))
    said = repr(bk.judge(scores, on="accuracy,fit_time"))
    assert said.count("b makes more errors than a") == 1


@pytest.mark.parametrize("adjust", ["benjamini-hochberg", "finner", "holm", "none"])
def test_the_level_is_that_of_the_adjustment(adjust):
    verdict = bk.judge(counts_of(THREE), on="tpr,fpr", adjust=adjust)
    assert measures_level_words(verdict).startswith(level_words(3, adjust, 0.05))
    assert ("chance of any false finding" in measures_level_words(verdict)) == (adjust == "holm")


def test_costs_outside_the_ranges_belong_to_the_trivial_classifiers():
    verdict = bk.judge(counts_of({"a": (0.9, 0.2), "b": (0.7, 0.1)}), on="tpr,fpr")
    (said,) = cost_lines(verdict)
    low, high = verdict.costs.best[0].low, verdict.costs.best[-1].high
    assert f"below {low:.2g} saying always positive and above {high:.2g} saying never positive costs less" in said


def test_a_perfect_learner_is_best_at_any_price_and_on_the_hull():
    scores = counts_of({"perfect": (1.0, 0.0), "good": (0.9, 0.1)})
    counts = scores.counts.copy()
    counts[0, ...] = (100, 0, 0, 100)
    values = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    perfect = bk.Scores(learners=scores.learners, values=values, counts=counts, measure="error",
                        larger_is_better=False)  # fmt: skip
    (said,) = cost_lines(bk.judge(perfect, on="tpr,fpr"))
    assert "perfect at any price; for no costs: good." in said
    assert "inf" not in said
    assert RocHullInfo.from_points({"perfect": (0.0, 1.0), "good": (0.1, 0.9)}).on_hull == ("perfect",)
    assert RocHullInfo.from_points({"never": (0.0, 0.0), "good": (0.1, 0.9)}).on_hull == ("good",)


def test_costs_use_the_ratio_of_the_classes():
    """By hand: a slope (alarm·N)/(miss·P) is the price times 300/100."""
    scores = counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03)}, positives=100, negatives=300)
    costs = bk.judge(scores, on="tpr,fpr").costs
    (fpr, tpr), (fpr2, tpr2) = costs.rates["sharp"], costs.rates["calm"]
    slope = (tpr - tpr2) / (fpr - fpr2)
    assert [each.learner for each in costs.best] == ["sharp", "calm"]
    assert costs.best[0].high == pytest.approx(slope * 100 / 300)
    assert costs.positives == 0.25


# Figures


def test_the_p_of_a_figure_is_said_to_be_that_of_all_measures():
    three = bk.judge(TWO_CLASS, on="tpr,fpr,precision")
    info = figure("difference-contours", three).info
    assert info.pvalue == three.telling_pair.adjusted
    assert "hotelling-corrected that all of tpr, fpr, precision are 0, adjusted for all pairs" in info.alt
    assert "(all measures)" in figure("difference-contours", three).svg()
    two = figure("difference-contours", bk.judge(TWO_CLASS, on="tpr,fpr")).info
    assert "hotelling-corrected that both are 0" in two.alt


def test_figures_over_data_sets_say_data_sets():
    verdict = bk.judge(over(), on=("fpr", "fnr"))
    difference, contours = (figure(name, verdict).info for name in ("difference-contours", "contours"))
    assert "of 12 data sets" in difference.alt
    assert "hotelling-over-datasets" in difference.alt
    assert contours.title == "fpr and fnr of every data set"
    assert contours.alt.startswith("Data sets of 3 learners")
    assert "fold" not in difference.alt + contours.alt + contours.title


def test_the_telling_pair_is_hidden_from_the_error_even_where_another_has_a_smaller_p():
    verdict = bk.judge(counts_of({"low": (0.95, 0.15), "high": (0.85, 0.05), "poor": (0.4, 0.6)}), on="tpr,fpr")
    smallest = min(verdict.comparisons, key=lambda pair: pair.pvalue)
    assert smallest.error.significant
    assert {verdict.telling_pair.first, verdict.telling_pair.second} == {"low", "high"}


# Advice


def test_the_measure_that_decides_is_not_advised_away():
    rows = np.random.default_rng(0).random((8, 2))
    verdict = bk.judge(columns(rows, rows * [1, 0] + [0.0, 0.1] + rows * [0, 1]), on="tpr,fpr")
    assert verdict.comparisons[0].statistic == np.inf
    assert "K134" not in codes(verdict)


def uneven(rates, positives):
    return counts_of(rates, folds=len(positives), positives=np.asarray(positives))


def test_counts_of_uneven_folds_are_not_called_rates():
    positives = [60, 100, 140, 80, 120, 100, 90, 110]
    said = codes(bk.judge(uneven(THREE, positives), on="confusion"))["K134"].seen
    assert "the test is that of (tpr, fpr)" not in said
    assert "the test is that of (tpr, fpr)" in codes(bk.judge(counts_of(THREE), on="confusion"))["K134"].seen


def test_one_measure_varies_in_the_singular():
    rng = np.random.default_rng(0)
    first, second = rng.random((2, 8, 2))
    first[:, 1] = second[:, 1] = 0.5
    assert "of 2 measures 1 varies independently" in codes(bk.judge(columns(first, second), on="tpr,fpr"))["K134"].seen


def test_the_manova_of_counts_does_not_take_sizes_of_folds_for_noise():
    scores = uneven(THREE, [20, 100, 180, 60, 140, 100, 40, 160, 30, 170])
    counts, rates = (bk.judge(scores, on=on).comparison.manova for on in ("confusion", "tpr,fpr"))
    assert counts.rank == 2
    assert counts.pvalue == pytest.approx(rates.pvalue)


def test_too_few_data_sets_to_show_anything():
    few = codes(bk.judge(over(5), on=("fpr", "fnr")))["K135"]
    assert "5 data sets cannot show any difference between 3 learners" in few.seen
    assert f"p = {3 * 2**-4:.2g} at best" in few.seen
    assert "at least 7 data sets" in few.do
    single = codes(bk.judge(over(7), on=("fpr", "fnr")))["K135"]
    assert single.seen.startswith("7 data sets can show that learners differ, but in no single measure")
    assert f"p = {3 * 2 * 2**-6:.2g} at best, adjusted for 3 pairs and 2 measures" in single.seen
    assert "at least 8 data sets" in single.do
    assert "K135" not in codes(bk.judge(over(8), on=("fpr", "fnr")))
    assert "K135" not in codes(bk.judge(over(6), on=("fpr", "fnr"), adjust="none"))


def test_rare_positives_are_seen_on_data_sets_with_different_numbers_of_folds():
    rng = np.random.default_rng(0)
    tp = rng.integers(5, 10, (2, 6, 1, 4)).astype(float)
    counts = np.stack([tp, 10 - tp, tp, 190 - tp], axis=-1)
    planned = np.ones((6, 1, 4), dtype=bool)
    planned[0, 0, 3] = False
    counts[:, ~planned] = np.nan
    error = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    scores = bk.Scores(learners=("a", "b"), datasets=tuple("uvwxyz"), values=error, counts=counts, planned=planned,
                       measure="error", larger_is_better=False)  # fmt: skip
    assert "5 % of the rows are positive" in codes(bk.judge(scores, on="tpr,fpr"))["K131"].seen


# Errors


def test_another_fault_is_not_called_too_few_folds():
    huge = np.random.default_rng(0).random((2, 8, 2)) * 1e300
    with pytest.raises(bk.InputError) as error:
        bk.judge(columns(*huge, names=("x", "y")), on=("x", "y:smaller"))
    assert "cannot carry" not in error.value.wrong


def test_one_more_fold_than_measures_is_enough():
    rng = np.random.default_rng(0)
    names = ("tpr", "fpr", "auc")
    with pytest.raises(bk.InputError, match="cannot carry") as error:
        bk.judge(columns(*rng.random((2, 3, 3)), names, (True, False, True)), on=names)
    assert "at least 4 folds" in error.value.fix
    with pytest.raises(bk.InputError, match="one fold") as error:
        bk.judge(columns(*rng.random((2, 1, 3)), names, (True, False, True)), on=names)
    assert "at least 4 folds" in error.value.fix


def test_an_empty_fold_follows_undefined(tmp_path):
    rows = [f"{name},{fold},{8 - fold % 2},{2 + fold % 2},1,9" for name in "ab" for fold in range(1, 7)]
    rows[8] = "b,3,0,0,0,0"
    path = written(tmp_path, rows)
    answer = run("judge", path, "--on", "tpr,fpr")
    three_lines(answer, wrong="tpr is 0/0 in 1 fold", where="learner b, fold 3", fix="--undefined 0")
    assert "judge on tpr,fpr" not in answer.stderr
    assert run("judge", path, "--on", "tpr,fpr", "--undefined", "0").exit_code in (0, 1)


@pytest.mark.parametrize("value", ["x", float("nan"), float("inf"), True, [0]])
def test_undefined_is_a_number(value):
    with pytest.raises(bk.InputError, match="undefined is"):
        bk.judge(counts_of(THREE), on="tpr,fpr", undefined=value)


def test_a_direction_is_asked_for_beside_the_name(tmp_path):
    path = tmp_path / "z.csv"
    path.write_text("learner,fold,zing,zong\n" + "".join(f"{n},{f},{f},{2 * f % 3}\n" for n in "ab" for f in range(5)))
    three_lines(run("judge", str(path), "--on", "zing,zong"), wrong="'zing'", where="argument on", fix="zing:larger")


def test_unknown_measures_of_a_verdict():
    verdict = bk.judge(counts_of(THREE), on="tpr,fpr")
    with pytest.raises(bk.UnknownName, match="nope"):
        verdict.by_measure("nope")
    with pytest.raises(bk.UnknownName, match="fbr") as error:
        verdict.comparisons[0].in_measure("fbr")
    assert "did you mean 'fpr'" in error.value.fix


def test_recalls_and_one_of_them_is_twice_the_same():
    with pytest.raises(bk.InputError, match="'tpr' is named twice"):
        bk.judge(counts_of(THREE), on="recalls,tpr")


def test_a_column_that_contradicts_the_counts(tmp_path):
    path = tmp_path / "r.csv"
    lines = [f"{n},{f},{7 + f % 2},{3 - f % 2},{1 + (f + (n == 'b')) % 3},{9 - (f + (n == 'b')) % 3}" for n in "ab"
             for f in range(6)]  # fmt: skip
    right = [f"{line},{int(line.split(',')[2]) / 10:.2f}" for line in lines]
    path.write_text("learner,fold,tp,fn,fp,tn,tpr\n" + "\n".join(right) + "\n")
    assert run("judge", str(path), "--on", "tpr,fpr").exit_code == 1
    wrong = [*right[:3], right[3].rsplit(",", 1)[0] + ",0.5", *right[4:]]
    path.write_text("learner,fold,tp,fn,fp,tn,tpr\n" + "\n".join(wrong) + "\n")
    answer = run("judge", str(path), "--on", "tpr,fpr")
    three_lines(answer, wrong="the column tpr is 0.5, and the counts give 0.8", where="learner a, fold 3", fix="right")


def test_names_with_commas_make_the_verdict_again(tmp_path):
    path = tmp_path / "c.csv"
    lines = "".join(f"{n},{f},0.{f + 1 + (n == 'a')},{(f * 3 + (n == 'a')) % 5}\n" for n in "ab" for f in range(6))
    path.write_text('learner,fold,accuracy,"cost, in euro"\n' + lines)
    verdict = bk.judge(str(path), on='accuracy,"cost, in euro:smaller"')
    assert verdict.provenance.settings["on"] == ["accuracy", "cost, in euro:smaller"]
    recipe = measures_recipe(verdict)
    assert '"cost, in euro:smaller"' in recipe.command
    found = {}
    exec(recipe.code.replace("print(verdict)", ""), found)
    assert found["verdict"].to_dict()["comparison"] == verdict.to_dict()["comparison"]


def test_replications_share_the_fraction_of_their_folds():
    rng = np.random.default_rng(0)
    values = rng.random((2, 1, 3, 5))
    scores = bk.Scores(learners=("a", "b"), values=values, measure="tpr", larger_is_better=True,
                       others={"fpr": rng.random((2, 1, 3, 5))})  # fmt: skip
    comparison = bk.judge(scores, on="tpr,fpr").comparison
    assert (comparison.rows, comparison.test_fraction) == (15, 0.2)
