"""Curves of several data sets: data sets are blocks, within which curves are shuffled, and the verdict says so."""

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence import Curves
from bestofk.stats.curves import curve_features, randomized_anova, randomized_t, split_plot_anova
from makers import by_holm, curves, welch_by_hand

STEPS = (1, 2, 4, 8)
LEVELS = {"easy": 0.1, "fair": 0.4, "hard": 0.8}


def rows(gap=0.03, runs=(3, 4, 3), seed=0):
    """Long table: error of two learners on three data sets of very different difficulty."""
    rng = np.random.default_rng(seed)
    for (dataset, level), number in zip(LEVELS.items(), runs, strict=True):
        for learner, extra in (("new", 0.0), ("old", gap)):
            for run in range(1, number + 1):
                values = level + extra + 0.1 / np.array(STEPS) + rng.normal(0, 0.01, len(STEPS))
                for step, value in zip(STEPS, values, strict=True):
                    yield f"{learner},{dataset},{run},{step},{value:.5f}"


def table(tmp_path, lines, head="learner,dataset,run,step,error"):
    path = tmp_path / "curves.csv"
    path.write_text("\n".join([head, *lines]) + "\n")
    return path


def test_a_column_of_data_sets_makes_blocks(tmp_path):
    found = bk.read(table(tmp_path, rows()))
    assert isinstance(found, bk.Curves)
    assert "10 curves each" in repr(found)
    assert found.datasets[0] == ("easy",) * 3 + ("fair",) * 4 + ("hard",) * 3
    assert found.runs[0][:4] == ("easy/1", "easy/2", "easy/3", "fair/1")


def test_one_data_set_needs_no_blocks(tmp_path):
    only = [line for line in rows() if ",easy," in line]
    found = bk.read(table(tmp_path, only))
    assert (found.datasets, found.runs[0]) == ((), ("1", "2", "3"))
    assert not bk.judge(found).comparison.sample.blocks


def test_the_tests_are_those_within_blocks(tmp_path):
    evidence = bk.read(table(tmp_path, rows()))
    verdict = bk.judge(evidence, seed=3)
    comparison, found = verdict.comparison, verdict.comparison.curves
    pair = tuple(evidence.losses().values())
    assert (comparison.test, verdict.scope) == ("stratified-t", "these data sets")
    gap, p = welch_by_hand(*(each.mean(axis=1) for each in pair), blocks=evidence.datasets)
    assert (comparison.difference[0], comparison.pvalue[0]) == pytest.approx((gap, p))
    options = {"blocks": evidence.datasets, "rng": 3}
    assert found.anova.p_int == randomized_anova(*pair, **options).p_int
    assert found.parts.p_level == split_plot_anova(*pair, **options).p_level
    assert found.datasets == 3
    # losses of different data sets have no common threshold
    assert [each.feature for each in found.pairs[0].traits] == ["final", "area", "slope"]
    for trait in found.pairs[0].traits:
        numbers = [curve_features(each, trait.feature, steps=np.array(STEPS)) for each in pair]
        gap, p = welch_by_hand(*numbers, blocks=evidence.datasets)
        assert (trait.difference, trait.pvalue) == pytest.approx((gap, p))
    at_steps = [welch_by_hand(*(each[:, s] for each in pair), blocks=evidence.datasets)[1] for s in range(len(STEPS))]
    traits = [each.pvalue for each in found.pairs[0].traits]
    weights = [0.5, *[0.125] * 3, *[0.125 / 4] * 4]
    adjusted = by_holm(p_level := comparison.pvalue[0], *traits, *at_steps, weights=weights)
    assert p_level < 0.001
    assert comparison.adjusted[0] == pytest.approx(adjusted[0])
    assert [each.adjusted for each in found.pairs[0].traits] == pytest.approx(adjusted[1:4])
    stretches = found.pairs[0].stretches
    assert {each.better for each in stretches} == {"new"}
    assert min(each.pvalue for each in stretches) == pytest.approx(min(adjusted[4:]))
    seen = {step for each in stretches for step in STEPS if each.start <= step <= each.stop}
    assert seen == {step for step, p in zip(STEPS, adjusted[4:], strict=True) if p <= 0.05}


def test_curves_may_be_shuffled_within_blocks(tmp_path):
    evidence = bk.read(table(tmp_path, rows()))
    verdict = bk.judge(evidence, seed=3, test="randomized-t")
    direct = randomized_t(*evidence.losses().values(), blocks=evidence.datasets, rng=3)
    assert verdict.comparison.pvalue[0] == direct.pvalue
    assert verdict.scope == "these data sets"


def test_within_data_sets_a_difference_shows_that_drowns_among_them(tmp_path):
    evidence = bk.read(table(tmp_path, rows()))
    among = bk.Curves(
        learners=evidence.learners,
        values=evidence.values,
        steps=evidence.steps,
        measure="error",
        larger_is_better=False,
    )
    within, drowned = bk.judge(evidence), bk.judge(among)
    assert within.comparison.pvalue[0] < 0.01 < 0.5 < drowned.comparison.pvalue[0]
    assert within.best == "new"
    assert within.comparison.sample.blocks == evidence.datasets
    assert not drowned.comparison.sample.blocks


def test_pairs_of_runs_are_refused_over_data_sets(tmp_path):
    with pytest.raises(InputError, match="runs on 3 data sets"):
        bk.judge(table(tmp_path, rows()), paired=True)


def test_unequal_shares_and_three_learners(tmp_path):
    lines = [*rows(), *(line.replace("old,", "third,") for line in rows(0.06, (3, 5, 3), 5) if line.startswith("old"))]
    evidence = bk.read(table(tmp_path, lines))
    verdict = bk.judge(evidence, prior=["old", "third", "new"])
    assert verdict.best == "new"
    losses, blocks = list(evidence.losses().values()), evidence.datasets
    for i, (first, second) in enumerate(((0, 1), (0, 2), (1, 2))):
        means = [losses[place].mean(axis=1) for place in (first, second)]
        assert verdict.comparison.pvalue[i] == pytest.approx(
            welch_by_hand(*means, blocks=(blocks[first], blocks[second]))[1]
        )
    assert verdict.comparison.omnibus.test == "randomized-anova"
    assert verdict.comparison.omnibus.pvalue == randomized_anova(*losses, blocks=blocks, rng=0).p_alg
    # each data set counts once in the means, however many curves it has
    by_hand = np.mean([evidence.values[2][np.array(blocks[2]) == name].mean() for name in LEVELS])
    assert evidence.means()["third"] == pytest.approx(by_hand)
    assert evidence.without(learners=["old"]).datasets == (blocks[0], blocks[2])


def test_learners_that_meet_on_no_data_set_are_refused(tmp_path):
    lines = [line for line in rows() if ("new,easy" in line) or ("old,hard" in line)]
    with pytest.raises(InputError, match="no data set has curves of all learners"):
        bk.judge(bk.read(table(tmp_path, lines)))


@pytest.mark.parametrize(("names", "test"), [("pqr", "paired-t"), ("pqrstuv", "wilcoxon")])
def test_one_curve_per_data_set_makes_data_sets_the_units(tmp_path, names, test):
    """Nothing tells how much the curves of one data set differ; the data sets do."""
    rng = np.random.default_rng(0)
    lines = [
        f"{learner},{dataset},1,{step},{level + extra + rng.normal(0, 0.01):.4f}"
        for level, dataset in zip(np.linspace(0.1, 0.6, len(names)), names, strict=True)
        for learner, extra in (("new", 0.0), ("old", 0.05))
        for step in STEPS
    ]
    evidence = bk.read(table(tmp_path, lines))
    verdict = bk.judge(evidence)
    assert (verdict.comparison.test, verdict.scope) == (test, "data sets")
    assert "1 curve of p" in verdict.comparison.choice.reason
    means = [each.mean(axis=1) for each in evidence.values]
    if test == "paired-t":
        assert verdict.status == "undecided"  # two degrees of freedom
        assert "K102" in [each.code for each in verdict.advice]
    else:
        assert verdict.comparison.pvalue[0] == scipy.stats.wilcoxon(*means).pvalue
        assert verdict.best == "new"
        final = verdict.comparison.curves.pairs[0].traits[0]
        assert final.pvalue == pytest.approx(scipy.stats.ttest_rel(*(each[:, -1] for each in evidence.values)).pvalue)
    with pytest.raises(InputError, match="new has 1 curve of p"):
        bk.judge(evidence, test="stratified-t")
    assert bk.judge(evidence, test="randomized-t").order == ("new", "old")


def test_one_curve_of_one_learner_is_refused_and_can_be_shuffled():
    rng = np.random.default_rng(0)
    evidence = curves((rng.random((5, 4)), 2 + rng.random((1, 4))))
    for test in ("auto", "welch-t", "welch-permutation"):
        with pytest.raises(InputError, match="b has 1 curve"):
            bk.judge(evidence, test=test)
    verdict = bk.judge(evidence, test="randomized-t")
    assert verdict.comparison.pvalue[0] == pytest.approx(randomized_t(*evidence.losses().values(), rng=0).pvalue)
    assert {each.pvalue for each in verdict.comparison.curves.pairs[0].traits} == {1.0}  # they are t tests


def test_wide_tables_have_blocks_too(tmp_path):
    rng = np.random.default_rng(1)
    lines = [
        f"{dataset},{run},{step},{level + rng.normal(0, 0.01):.4f},{level + 0.05 + rng.normal(0, 0.01):.4f}"
        for dataset, level in LEVELS.items()
        for run in (1, 2, 3)
        for step in STEPS
    ]
    found = bk.read(table(tmp_path, lines, "dataset,run,step,new,old"), measure="error")
    assert found.datasets[1] == ("easy",) * 3 + ("fair",) * 3 + ("hard",) * 3
    assert bk.judge(found).best == "new"


def test_too_few_curves_are_told(tmp_path):
    lines = [line for line in rows(0.3, (2, 2, 2)) if ",easy," in line]
    verdict = bk.judge(bk.read(table(tmp_path, lines)))
    assert verdict.status == "undecided"
    assert "K102" in [each.code for each in verdict.advice]


def test_means_are_over_the_data_sets_that_all_learners_have(tmp_path):
    """The better learner has a hard data set more: its mean over its own sets would be the worse one."""
    lines = [line for line in rows() if not line.startswith("old,hard")]
    evidence = bk.read(table(tmp_path, lines))
    assert evidence.lacking_datasets() == (("old", "hard"),)
    assert evidence.shared_datasets() == ("easy", "fair")
    by_set = [evidence.values[0][np.array(evidence.datasets[0]) == name].mean() for name in ("easy", "fair")]
    assert evidence.means()["new"] == pytest.approx(np.mean(by_set))
    assert bk.judge(evidence).order == ("new", "old")
    told = "old has no curve of hard: means are over the data sets that all learners have, easy, fair"
    assert told in evidence.origin.notes


def test_learners_without_a_common_data_set_are_refused(tmp_path):
    lines = [line.replace("old", "odd") if line.startswith("old,hard") else line for line in rows()]
    lines = [line for line in lines if not line.startswith("new,hard")] + [
        line.replace("new", "odd") for line in lines if line.startswith("new,hard")
    ]
    lines = list(dict.fromkeys(line.rsplit(",", 1)[0] for line in lines))
    evidence = bk.read(table(tmp_path, [f"{line},0.{i % 7}{i}" for i, line in enumerate(lines)]))
    with pytest.raises(InputError, match=r"learner new.*hard"):
        evidence.means()


def test_missing_points_of_curves_have_a_to_do_that_works(tmp_path):
    lines = [line.rsplit(",", 1)[0] + "," if line.startswith("new,easy,2,4,") else line for line in rows()]
    path = table(tmp_path, lines)
    with pytest.raises(InputError, match=r"learner new.*easy/2, step 4") as error:
        bk.judge(path)
    assert "bestofk collect" not in error.value.fix
    assert "--align" not in error.value.fix
    assert bk.judge(path, missing="drop-runs").order == ("new", "old")


def test_learners_with_one_curve_each_are_named_with_their_file(tmp_path):
    lines = [line for line in rows() if ",easy,1," in line]
    path = table(tmp_path, lines)
    with pytest.raises(InputError, match="learners new, old") as error:
        bk.judge(path)
    assert error.value.where == str(path)


def test_pairs_along_training_are_a_table_and_a_figure_of_the_report(tmp_path):
    text = bk.judge(table(tmp_path, rows())).report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert '<table id="stretches">' in text
    assert 'id="figure-null-histogram"' in text


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
    assert "1 of 12 points" in repr(curves)
    assert "failed" not in repr(curves.without(datasets=["v"]))
    assert "1 of 6 points" in repr(curves.without(datasets=["u"]))
