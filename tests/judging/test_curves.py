"""Verdicts on curves: the four kinds of difference of Piater et al.'s Fig. 1 are told apart, level and shape."""

import numpy as np
import pytest

import bestofk as bk
import makers
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
    values = RISE + walk + shared * rng.normal(0, 1, (runs, 1))
    return along_training(values[0] + change, values[1], names=("new", "old"))


def along_training(*values, names):
    facts = {"measure": "accuracy", "larger_is_better": True, "steps": tuple(STEPS.tolist())}
    return makers.curves(values, learners=names, **facts)


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
    found = bk.judge(curves(KINDS[kind])).comparison.curves
    assert (found.level_differs, found.shape_differs) == (level, shape)


def test_no_difference_is_called_none():
    verdict = bk.judge(curves(0.0 * TILT, seed=4))
    found = verdict.comparison.curves
    assert (found.level_differs, found.shape_differs) == (False, False)
    assert found.pairs[0].stretches == ()
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
    assert comparison.sample.paired == paired


def test_pairs_by_run_see_what_shuffling_all_curves_does_not():
    evidence = curves(0.04 * np.ones(len(STEPS)), seed=1, shared=0.3)
    alone, paired = bk.judge(evidence), bk.judge(evidence, paired=True)
    assert paired.comparison.pvalue[0] < 0.05 < alone.comparison.pvalue[0]


def test_with_three_learners_intervals_are_adjusted_for_the_pairs():
    two = curves(KINDS["both early"], seed=5)
    evidence = along_training(*two.values, two.values[1] + 0.01, names=("new", "old", "third"))
    losses = dict(zip(evidence.learners, evidence.losses().values(), strict=True))
    raw = clusters(losses["new"], losses["old"], steps=STEPS, rng=0).significant(0.05 / 3)
    found = bk.compare(evidence).curves.pair("new", "old").stretches
    assert [each.pvalue for each in found] == [pytest.approx(3 * each.pvalue) for each in raw]


@pytest.mark.parametrize("kind", ["algorithm only", "interaction only", "both"])
def test_both_f_of_a_strong_difference_stand_out_and_only_the_parts_tell_level_from_shape(kind):
    found = bk.compare(curves(3 * KINDS[kind], seed=3)).curves
    assert (found.level_differs, found.shape_differs) == (kind != "interaction only", kind != "algorithm only")
    if kind == "algorithm only":
        assert found.anova.p_int <= 0.05  # no sign of another shape here


def test_features_have_their_difference_and_their_p():
    traits = bk.compare(curves(KINDS["both"], seed=2)).curves.pairs[0].traits
    assert [each.feature for each in traits[3:]] == ["steps-to"]
    assert traits[3].never == (0, 12)
    assert all(each.adjusted >= each.pvalue for each in traits)


def test_the_figures_read_the_same_fields():
    verdict = bk.judge(curves(KINDS["interaction only"]))
    strip = figure("where-they-differ", verdict).info
    assert [len(each) for each in strip.strips] == [len(pair.stretches) for pair in verdict.comparison.curves.pairs]
    null = figure("null-histogram", verdict).info
    assert null.marks[0][1] == verdict.comparison.curves.anova.f_alg


def test_paired_is_for_curves_and_needs_the_same_runs():
    rng = np.random.default_rng(0)
    with pytest.raises(bk.InputError, match="no curves"):
        bk.judge(makers.folds(rng.random((2, 5, 2))), paired=True)
    with pytest.raises(bk.InputError, match="not paired"):
        bk.judge(makers.curves((rng.random((4, 3)), rng.random((3, 3)))), paired=True)


def test_json_has_the_curves_without_the_shuffled_values():
    verdict = bk.judge(curves(KINDS["both"]))
    found = verdict.to_dict()["comparison"]["curves"]
    assert found["parts"]["p_level"] == verdict.comparison.curves.parts.p_level
    assert not any(name.startswith("null") for part in ("anova", "parts") for name in found[part])
