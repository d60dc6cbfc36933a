"""Verdicts on curves: the four kinds of difference of Piater et al.'s Fig. 1 are told apart, and the words say so."""

import re

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.gallery import figure
from bestofk.stats.curves import clusters, feature_test, randomized_anova, randomized_t, split_plot_anova

STEPS = np.arange(1, 21)
RISE = 1.0 - np.exp(-STEPS / 6.0)
EARLY = np.exp(-(((STEPS - 4.0) / 3.0) ** 2))
TILT = np.linspace(-1.0, 1.0, len(STEPS))  # mean 0: shape without level
#: What is added to the accuracy of the first learner.
KINDS = {
    "algorithm only": 0.15 * np.ones(len(STEPS)),
    "interaction only": 0.2 * TILT,
    "both": 0.15 + 0.2 * TILT,
    "both early": 0.3 * EARLY,
}


def curves(change, seed=0, runs=12, shared=0.0):
    """Accuracy along training of two learners, with noise that goes on from step to step."""
    rng = np.random.default_rng(seed)
    walk = np.cumsum(rng.normal(0, 0.015, (2, runs, len(STEPS))), axis=-1)
    of_run = shared * rng.normal(0, 1, (runs, 1))
    values = RISE + walk + of_run
    return bk.Curves(
        learners=("new", "old"),
        measure="accuracy",
        larger_is_better=True,
        values=(values[0] + change, values[1]),
        steps=tuple(STEPS.tolist()),
    )


@pytest.mark.parametrize(
    ("kind", "level", "shape"),
    [
        ("algorithm only", True, False),
        ("interaction only", False, True),
        ("both", True, True),
        ("both early", True, True),
    ],
)
def test_the_four_kinds_of_difference_are_told_apart(kind, level, shape):
    verdict = bk.judge(curves(KINDS[kind]))
    found = verdict.comparison.curves
    assert (found.level_differs, found.shape_differs) == (level, shape)
    said = {
        (True, False): "differ in level, and no difference in shape is shown",
        (False, True): "differ in shape, and no difference in level is shown",
        (True, True): "differ in level and in shape",
    }
    assert said[level, shape] in verdict.text()


def test_no_difference_is_called_none():
    verdict = bk.judge(curves(0.0 * TILT, seed=4))
    assert "no difference in level or shape is shown" in verdict.text()
    assert "no steps in which a difference is shown" in verdict.text()
    assert verdict.status == "tied"


def test_where_they_differ_is_where_the_change_is():
    early = bk.judge(curves(KINDS["both early"])).comparison.curves.pair("new", "old")
    assert [each.better for each in early.stretches] == ["new"]
    assert 1 <= early.stretches[0].start <= 3
    assert 5 <= early.stretches[0].stop <= 12
    crossing = bk.judge(curves(KINDS["interaction only"])).comparison.curves.pair("old", "new")
    assert [each.better for each in crossing.stretches] == ["old", "new"]
    assert crossing.stretches[0].stop < crossing.stretches[1].start


@pytest.mark.parametrize("paired", [False, True])
def test_the_fields_are_those_of_the_tests_called_directly(paired):
    evidence = curves(KINDS["both"], seed=2, shared=0.1)
    first, second = evidence.losses().values()
    verdict = bk.judge(evidence, paired=paired, seed=3)
    comparison, found = verdict.comparison, verdict.comparison.curves
    options = {"paired": paired, "rng": 3}
    assert comparison.pvalue[0] == randomized_t(first, second, **options).pvalue
    assert found.anova.p_int == randomized_anova(first, second, **options).p_int
    assert found.parts.p_shape == split_plot_anova(first, second, **options).p_shape
    intervals = clusters(first, second, steps=STEPS, **options).significant(0.05)
    assert [(each.start, each.stop, each.pvalue) for each in found.pairs[0].stretches] == [
        (each.start, each.stop, each.pvalue) for each in intervals
    ]
    assert [trait.feature for trait in found.pairs[0].traits] == ["final", "area", "slope", "steps-to"]
    for trait in found.pairs[0].traits[:3]:
        result = feature_test(first, second, feature=trait.feature, steps=STEPS, **options)
        assert (trait.pvalue, trait.difference, trait.threshold) == (result.pvalue, -result.estimate, None)
    threshold = np.median(np.concatenate([first.min(axis=1), second.min(axis=1)]))  # half of all curves reach it
    result = feature_test(first, second, feature="steps-to", steps=STEPS, threshold=threshold, **options)
    steps = found.pairs[0].traits[3]
    assert (steps.pvalue, steps.difference, steps.threshold) == (result.pvalue, result.estimate, -threshold)
    assert ("paired by run" in comparison.design) == paired


def test_pairs_by_run_see_what_shuffling_all_curves_does_not():
    evidence = curves(0.04 * np.ones(len(STEPS)), seed=1, shared=0.3)
    alone, paired = bk.judge(evidence), bk.judge(evidence, paired=True)
    assert paired.comparison.pvalue[0] < 0.05 < alone.comparison.pvalue[0]


def test_with_three_learners_intervals_are_adjusted_for_the_pairs():
    two = curves(KINDS["both early"], seed=5)
    third = two.values[1] + 0.01
    evidence = bk.Curves(
        learners=("new", "old", "third"),
        measure="accuracy",
        larger_is_better=True,
        values=(*two.values, third),
        steps=two.steps,
    )
    verdict = bk.judge(evidence)
    losses = dict(zip(evidence.learners, evidence.losses().values(), strict=True))
    raw = clusters(losses["new"], losses["old"], steps=STEPS, rng=0).significant(0.05 / 3)
    assert [each.pvalue for each in verdict.comparison.curves.pair("new", "old").stretches] == [
        pytest.approx(3 * each.pvalue) for each in raw
    ]


@pytest.mark.parametrize("seed", range(12))
def test_the_words_on_curves_agree_with_the_fields(seed):
    rng = np.random.default_rng(seed)
    verdict = bk.judge(curves(rng.normal(0, 0.15) + rng.normal(0, 0.2) * TILT, seed=seed), alpha=0.05)
    text, found = verdict.text(), verdict.comparison.curves
    line = next(line for line in text.splitlines() if line.startswith("Along training"))
    assert float(re.search(r"level p = (\S+),", line)[1]) == pytest.approx(found.parts.p_level, rel=0.01)
    assert ("differ in level" in line) == (found.parts.p_level <= 0.05)
    assert ("in shape," in line or "and in shape " in line) == (found.parts.p_shape <= 0.05)
    said = re.findall(r"(\w+) is better (?:from step (\S+) to|at step) (\S+) \(p", text)
    assert [(who, float(stop)) for who, _, stop in said] == [
        (each.better, each.stop) for each in found.pairs[0].stretches
    ]
    assert "which take points of one curve for independent" in text


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("algorithm only", "F_int is no sign of another shape here"),
        ("interaction only", "F_alg is no sign of another level here"),
        ("both", None),
    ],
)
def test_what_the_paper_s_p_do_not_say_is_said(kind, said):
    """Both F of a strong difference stand out; only the parts tell level from shape."""
    verdict = bk.judge(curves(3 * KINDS[kind], seed=3))
    anova, found = verdict.comparison.curves.anova, verdict.comparison.curves
    small = {"algorithm only": anova.p_int, "interaction only": anova.p_alg, "both": 1.0}[kind]
    assert (found.level_differs, found.shape_differs) == (kind != "interaction only", kind != "algorithm only")
    assert ("is no sign of another" in verdict.text()) == (said is not None and small <= 0.05)
    if kind == "algorithm only":
        assert small <= 0.05
        assert said in verdict.text()


def test_how_paired_curves_were_dealt_is_said():
    evidence = curves(KINDS["both"], seed=2)
    assert "each by shuffled curves, whatever" in bk.judge(evidence).text()
    assert "each by curves shuffled within each run, whatever" in bk.judge(evidence, paired=True).text()


def test_features_have_their_difference_and_their_p():
    verdict = bk.judge(curves(KINDS["both"], seed=2))
    traits = verdict.comparison.curves.pairs[0].traits
    told = ", ".join(f"{each.feature} {each.difference:.3g} (p = {each.adjusted:.3g})" for each in traits[:3])
    reached = f"steps to reach {traits[3].threshold:.3g}, as half of all curves do, {traits[3].difference:.3g} (p = "
    never = f"; {traits[3].never[0]} and {traits[3].never[1]} curves never do and count at the last step"
    assert f". new minus old: {told}, {reached}{traits[3].adjusted:.3g}{never})." in verdict.text()
    assert traits[3].never == (0, 12)


def test_the_figures_read_the_same_fields():
    verdict = bk.judge(curves(KINDS["interaction only"]))
    strip = figure("where-they-differ", verdict).info
    assert [len(each) for each in strip.strips] == [len(pair.stretches) for pair in verdict.comparison.curves.pairs]
    null = figure("null-histogram", verdict).info
    assert null.marks[0][1] == verdict.comparison.curves.anova.f_alg


def test_paired_is_for_curves_and_needs_the_same_runs():
    rng = np.random.default_rng(0)
    scores = bk.Scores(learners=("a", "b"), measure="error", larger_is_better=False, values=rng.random((2, 5, 2)))
    with pytest.raises(bk.InputError, match="no curves"):
        bk.judge(scores, paired=True)
    uneven = bk.Curves(
        learners=("a", "b"),
        measure="error",
        larger_is_better=False,
        values=(rng.random((4, 3)), rng.random((3, 3))),
        steps=(1, 2, 3),
    )
    with pytest.raises(bk.InputError, match="not paired"):
        bk.judge(uneven, paired=True)


def test_json_has_the_curves_without_the_shuffled_values():
    verdict = bk.judge(curves(KINDS["both"]))
    found = verdict.to_dict()["comparison"]["curves"]
    assert found["parts"]["p_level"] == verdict.comparison.curves.parts.p_level
    assert not any(name.startswith("null") for part in ("anova", "parts") for name in found[part])
