"""Verdicts on curves: the four kinds of difference of Piater et al.'s Fig. 1 are told apart, level and shape."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

import bestofk as bk
import makers
from bestofk.plots.gallery import figure
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import curve_features, randomized_anova, randomized_t, split_plot_anova
from bestofk.stats.pairwise import permutation_t
from bestofk.stats.pairwise.welch import welch_t
from makers import by_holm, welch_by_hand

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


def differs(found):
    return bool(found.parts.p_level <= 0.05), bool(found.parts.p_shape <= 0.05)


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
    assert differs(found) == (level, shape)


def test_no_difference_is_called_none():
    verdict = bk.judge(curves(0.0 * TILT, seed=4))
    found = verdict.comparison.curves
    assert differs(found) == (False, False)
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


def paired_by_scipy(first, second):
    return np.mean(first) - np.mean(second), scipy.stats.ttest_rel(first, second).pvalue


def family(evidence, level, test):
    """Of every pair: features with difference, p and adjusted p; of steps their side and adjusted p; that of its level.

    ``level`` has the p of the means; ``test`` gives difference and p of two lists of numbers. The level has half of the
    weight of a pair, four features and the steps together share the other half.
    """

    def tested(*numbers):
        gap, p = test(*numbers)
        return gap, 1.0 if any(np.ptp(each) == 0 for each in numbers) else p

    losses = dict(zip(evidence.learners, evidence.losses().values(), strict=True))
    reached = np.median(np.concatenate([each.min(axis=1) for each in losses.values()]))  # by half of all curves
    found, raw = {}, []
    for (one, two), p in zip(combinations(evidence.learners, 2), level, strict=True):
        traits = {}
        for name in ("final", "area", "slope", "steps-to"):
            more = {"threshold": reached} if name == "steps-to" else {}
            numbers = [curve_features(losses[each], name, steps=STEPS, **more) for each in (one, two)]
            traits[name] = tested(*(np.where(np.isinf(each), STEPS[-1], each) for each in numbers))
        steps = [tested(losses[one][:, s], losses[two][:, s]) for s in range(len(STEPS))]
        found[one, two] = traits, np.sign([gap for gap, _ in steps])
        raw += [p, *(each for _, each in (*traits.values(), *steps))]
    weights = [0.5, *[0.1] * 4, *[0.1 / len(STEPS)] * len(STEPS)] * len(found)
    adjusted = np.reshape(by_holm(*raw, weights=weights), (len(found), -1))
    return {
        names: (
            {name: (*pair, a) for (name, pair), a in zip(traits.items(), own[1:5], strict=True)},
            side,
            own[5:],
            own[0],
        )
        for (names, (traits, side)), own in zip(found.items(), adjusted, strict=True)
    }


def check_along_training(comparison, evidence, expected):
    """The level, traits, and stretches: steps in a row at which the same learner is shown to be better."""
    sign = -1 if evidence.larger_is_better else 1
    for pair in comparison.curves.pairs:
        traits, side, adjusted, of_level = expected[pair.first, pair.second]
        assert comparison.adjusted_pvalue(pair.first, pair.second) == pytest.approx(of_level)
        assert [trait.feature for trait in pair.traits] == list(traits)
        for trait in pair.traits:
            gap, p, holm = traits[trait.feature]
            gap = gap if trait.feature == "steps-to" else sign * gap
            assert (trait.difference, trait.pvalue, trait.adjusted) == pytest.approx((gap, p, holm))
        shown = np.where(adjusted <= 0.05, side, 0.0)
        at = dict.fromkeys(STEPS, 0.0)
        for stretch in pair.stretches:
            inside = (stretch.start <= STEPS) & (stretch.stop >= STEPS)
            assert stretch.pvalue == pytest.approx(adjusted[inside].min())
            at |= dict.fromkeys(STEPS[inside], 1.0 if stretch.better == pair.second else -1.0)
        assert list(at.values()) == shown.tolist()


@pytest.mark.parametrize("paired", [False, True])
def test_the_fields_are_those_of_the_tests_called_directly(paired):
    evidence = curves(KINDS["both"], seed=2, shared=0.1)
    first, second = evidence.losses().values()
    verdict = bk.judge(evidence, paired=paired, seed=3)
    comparison, found = verdict.comparison, verdict.comparison.curves
    means = first.mean(axis=1), second.mean(axis=1)
    level = permutation_t(*means) if paired else welch_t(*means)
    assert (comparison.test, comparison.pvalue[0]) == (level.test, pytest.approx(level.pvalue))
    options = {"paired": paired, "rng": 3}
    assert found.anova.p_int == randomized_anova(first, second, **options).p_int
    assert found.parts.p_shape == split_plot_anova(first, second, **options).p_shape
    check_along_training(
        comparison, evidence, family(evidence, [level.pvalue], paired_by_scipy if paired else welch_by_hand)
    )
    assert comparison.sample.paired == paired
    shuffled = bk.judge(evidence, paired=paired, seed=3, test="randomized-t")
    assert shuffled.comparison.pvalue[0] == randomized_t(first, second, **options).pvalue


def test_pairs_by_run_see_what_shuffling_all_curves_does_not():
    evidence = curves(0.04 * np.ones(len(STEPS)), seed=1, shared=0.3)
    alone, paired = bk.judge(evidence), bk.judge(evidence, paired=True)
    assert paired.comparison.pvalue[0] < 0.05 < alone.comparison.pvalue[0]


def test_with_three_learners_the_family_is_that_of_all_pairs():
    two = curves(KINDS["both early"], seed=5)
    evidence = along_training(*two.values, two.values[1] + 0.01, names=("new", "old", "third"))
    comparison = bk.compare(evidence)
    check_along_training(comparison, evidence, family(evidence, comparison.pvalue, welch_by_hand))
    outside = (comparison.low > 0) | (comparison.high < 0)
    assert outside.tolist() == comparison.significant.tolist() == (comparison.pvalue <= comparison.levels).tolist()


def crossing(seed=0):
    """Better on the whole, and worse at the end."""
    return curves(np.where(STEPS <= 15, 0.3, -0.3), seed=seed)


def headline(verdict):
    return " ".join(repr(verdict).split("\n\n")[0].split())


def test_a_winner_that_ends_worse_is_tied():
    verdict = bk.judge(crossing())
    final = verdict.comparison.curves.pairs[0].traits[0]
    pair = verdict.comparison.pair("new", "old")
    assert (pair.better, pair.relation, pair.pvalue <= 0.05) == ("new", "trade-off", True)
    assert final.difference < 0
    assert final.adjusted <= 0.05
    assert (verdict.status, verdict.best, set(verdict.best_set)) == ("tied", None, {"new", "old"})
    assert set(verdict.rank_intervals.values()) == {(1, 2)}
    preferred = bk.judge(crossing(), prior=["new", "old"])
    assert (preferred.status, preferred.best) == ("preferred", "new")
    steady = bk.judge(curves(KINDS["algorithm only"]))
    assert (steady.status, steady.best, steady.best_set) == ("decided", "new", ("new",))


def nearly_ends_worse(seed, *, runs=5, sets=1, still=False, **more):
    """Three learners; the first is better by far on the whole, the second a little at the end."""
    rng = np.random.default_rng(seed)
    rows = [0.1 + 0.2 * np.exp(-STEPS / 1.5), 0.08 + 0.7 * np.exp(-STEPS / 4.0), 0.12 + 0.4 * np.exp(-STEPS / 3.0)]
    number = runs * sets
    hard = np.repeat(rng.normal(0, 0.005, sets), runs)[:, None]
    noise = 0.01 * rng.normal(size=(3, number, 1)) + 0.003 * rng.normal(size=(3, number, len(STEPS)))
    values = [row + hard + each for row, each in zip(rows, noise, strict=True)]
    if still:
        values[1][:, -1] = 0.08
    if sets > 1:
        more["datasets"] = (tuple(f"d{i // runs}" for i in range(number)),) * 3
    return makers.curves(values, **more)


@pytest.mark.parametrize(
    ("design", "options"),
    [
        ({}, {}),
        ({}, {"paired": True}),
        ({"still": True}, {}),
        ({"sets": 3}, {}),
        ({"sets": 12, "runs": 2}, {}),
        ({"runs": 10, "folds": 10}, {}),
    ],
    ids=["runs", "paired", "one value at the end", "these data sets", "data sets", "folds"],
)
def test_last_steps_never_decide_for_another_learner_than_whole_curves_do(design, options):
    ends = set()
    for seed in range(3):
        evidence = nearly_ends_worse(seed, **design)
        whole, final = bk.judge(evidence, **options), bk.judge(evidence, curve="final", **options)
        ends.add(final.best)
        assert final.best is None or whole.best in (None, final.best)
        ahead = final.comparison.wins("b", "a")
        assert (whole.comparison.pair("a", "b").relation == "trade-off") == ahead
        assert (whole.status == "decided") != ahead
        pvalue = final.comparison.winner_pvalue("b", "a")
        assert whole.ahead_at_end == (("b", pvalue) if ahead else None)
        assert ("alone b is better" in headline(whole)) == ahead
    assert "b" in ends  # the rule had something to hold back


QUANTITIES = {
    "final": lambda values: values[:, -1],
    "best": lambda values: values.max(axis=1),
    "mean": lambda values: values.mean(axis=1),
    "area": lambda values: ((values[:, 1:] + values[:, :-1]) / 2).mean(axis=1),  # steps are one apart
}


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_the_quantity_of_a_curve_is_compared_and_named(quantity):
    evidence = crossing()
    verdict = bk.judge(evidence, curve=quantity)
    numbers = [QUANTITIES[quantity](each) for each in evidence.values]
    assert verdict.means == pytest.approx(dict(zip(("new", "old"), map(np.mean, numbers), strict=True)))
    assert verdict.comparison.pvalue[0] == pytest.approx(welch_t(*(-each for each in numbers)).pvalue)
    assert verdict.comparison.kind == "runs"
    assert verdict.comparison.curves is None
    said = {"final": "at step 20", "best": "best step of 1–20", "mean": "averaged over steps 1–20", "area": "area"}
    assert said[quantity] in verdict.comparison.quantity
    assert headline(verdict).lower().startswith(verdict.comparison.quantity)
    assert verdict.best == {"final": "old", "best": "new", "mean": "new", "area": "new"}[quantity]


def test_whole_curves_are_the_default_and_say_so():
    verdict, whole = bk.judge(crossing()), bk.judge(crossing(), curve="whole")
    assert verdict.comparison.quantity == whole.comparison.quantity == "averaged over steps 1–20"
    assert headline(verdict).lower().startswith(verdict.comparison.quantity)
    assert verdict.comparison.pvalue.tolist() == whole.comparison.pvalue.tolist()
    assert verdict.comparison.kind == "curves"


def test_a_quantity_is_refused_without_curves(tmp_path):
    rng = np.random.default_rng(0)
    runs = bk.Runs(learners=("a", "b"), values=(rng.random(5), rng.random(5)), **makers.ERROR)
    for evidence in (makers.folds(rng.random((2, 5, 2))), makers.table(), makers.items(rng.random((2, 9))), runs):
        with pytest.raises(bk.InputError, match="no curves"):
            bk.judge(evidence, curve="final")
    with pytest.raises(bk.InputError, match="curve"):
        bk.judge(crossing(), curve="last")
    lines = makers.three_lines(makers.command("judge", makers.EXAMPLES / "five_by_two.csv", "--curve", "final"))
    assert "no curves" in lines[0]


@pytest.mark.parametrize("kind", ["algorithm only", "interaction only", "both"])
def test_both_f_of_a_strong_difference_stand_out_and_only_the_parts_tell_level_from_shape(kind):
    found = bk.compare(curves(3 * KINDS[kind], seed=3)).curves
    assert differs(found) == (kind != "interaction only", kind != "algorithm only")
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
    with pytest.raises(bk.InputError, match="no runs"):
        bk.judge(makers.folds(rng.random((2, 5, 2))), paired=True)
    with pytest.raises(bk.InputError, match="not paired"):
        bk.judge(makers.curves((rng.random((4, 3)), rng.random((3, 3)))), paired=True)


def test_json_has_the_curves_without_the_shuffled_values():
    verdict = bk.judge(curves(KINDS["both"]))
    found = verdict.to_dict()["comparison"]["curves"]
    assert found["parts"]["p_level"] == verdict.comparison.curves.parts.p_level
    assert not any(name.startswith("null") for part in ("anova", "parts") for name in found[part])


def nearly_apart(*others):
    """Two learners whose levels differ at 0.05, and not at half of it; and others."""
    rng = np.random.default_rng(15)
    first = rng.normal(0.3, 0.02, (8, 4))
    second = rng.normal(0.322, 0.02, (8, 4)) + rng.normal(0, 0.02, (8, 1))
    return bk.judge(makers.curves((first, second, *(second + each for each in others))))


def test_of_two_learners_the_winner_is_who_is_shown_with_features_and_steps():
    verdict = nearly_apart()
    pair = verdict.comparison.pair("a", "b")
    assert pair.pvalue <= 0.05 < verdict.comparison.winner_pvalue("a", "b") == pair.adjusted
    assert pair.low < 0 < pair.high
    assert (verdict.status, verdict.best_set) == ("tied", ("a", "b"))


def test_the_winner_test_adjusts_for_no_other_pair():
    comparison = nearly_apart(0.0, 1.0, 2.0).comparison
    alone = nearly_apart().comparison.winner_pvalue("a", "b")
    assert comparison.winner_pvalue("a", "b") == alone < comparison.pair("a", "b").adjusted
    assert comparison.wins("a", "d")
    assert not comparison.wins("a", "b")


@pytest.mark.parametrize("adjust", ["bonferroni", "hochberg", "shaffer"])
def test_levels_of_another_adjustment_have_half_of_alpha(adjust):
    evidence = makers.curves(np.random.default_rng(2).normal(0.3, 0.02, (3, 9, 4)))
    comparison = bk.compare(evidence, adjust=adjust)
    assert comparison.adjusted == pytest.approx(np.minimum(1.0, 2.0 * ADJUST[adjust](comparison.pvalue)))
    assert comparison.alpha_share == 0.5


def test_a_test_is_chosen_that_can_reject_at_the_share_of_the_pairs():
    rng = np.random.default_rng(0)
    six = makers.curves(rng.normal(0.3, 0.02, (2, 6, 4)))  # 2/2⁶ is below 0.05 and above half of it
    assert bk.compare(six, paired=True).test == "paired-t"
    assert bk.compare(six, paired=True, adjust="none").test == "permutation-t"


def test_a_test_of_all_pairs_is_not_adjusted_again():
    rng = np.random.default_rng(0)
    names = tuple(f"d{i}" for i in range(12) for _ in range(2))
    evidence = makers.curves(rng.normal(0.3, 0.02, (3, 24, 4)), datasets=(names,) * 3)
    comparison = bk.compare(evidence, test="nemenyi")
    assert comparison.adjusted == pytest.approx(np.minimum(1.0, 2.0 * comparison.pvalue))  # features and steps beside


def test_a_feature_in_which_all_runs_of_a_learner_are_equal_shows_nothing():
    """All runs of one learner never get there, those of the other at once: equal learners came to that too often."""
    rng = np.random.default_rng(3)
    slow, quick = rng.normal(0.5, 0.001, (2, 5, len(STEPS))) - np.array([0.0, 0.2])[:, None, None]
    (pair,) = bk.compare(along_training(slow, quick, names=("slow", "quick"))).curves.pairs
    (steps,) = (each for each in pair.traits if each.feature == "steps-to")
    assert steps.pvalue == 1.0
    assert next(each for each in pair.traits if each.feature == "final").adjusted < 0.01
