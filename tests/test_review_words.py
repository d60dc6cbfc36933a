"""What a review found untrue, and reports that ended in an error: means, bars, beaten or overruled, steps up."""

from __future__ import annotations

import numpy as np
import pytest
from bestofk.judging.strongest_rival import strongest_rival
from bestofk.reporting.at_the_top import beaten_by, from_whom, tied_words
from bestofk.reporting.certainty import answers
from bestofk.reporting.dataset_tables import steps_table
from bestofk.reporting.dataset_words import seen_words

import bestofk as bk
from bestofk.judging.findings.detectable import size_seen
from bestofk.plots.bins import counts_in, edges_at_zero, edges_of
from bestofk.reporting.methods import methods_of
from bestofk.reporting.report import report_text


def scores(rows, learners="abcdef", **options):
    """Errors of learners (rows) on data sets (columns)."""
    values = np.array(rows)[:, :, None, None]
    names = tuple(f"d{i}" for i in range(values.shape[1]))
    given = tuple(learners[: len(values)])
    return bk.Scores(learners=given, values=values, datasets=names, measure="error", larger_is_better=False, **options)


def first_screen(verdict):
    return " ".join(each.sentence for each in answers(verdict))


# ---- means -------------------------------------------------------------------------------------------------------


def test_a_diverged_learner_rounds_nobody_else_to_0():
    rng = np.random.default_rng(0)
    rows = [1e-3 + 1e-4 * rng.random(10), 9e-3 + 1e-4 * rng.random(10), 1e10 * (1 + rng.random(10))]
    verdict = bk.judge(scores(rows, ("zeta", "alpha", "diverged")))
    assert verdict.order == ("zeta", "alpha", "diverged")
    for name, row in zip(("zeta", "alpha", "diverged"), rows, strict=True):
        assert verdict.means[name] == pytest.approx(row.mean(), rel=1e-12)


def test_what_is_left_of_a_sum_is_0_still():
    values = np.tile([0.1, 0.2, -0.3], 4)
    verdict = bk.judge(scores([values, values + 1e-3]))
    assert values.mean() != 0.0
    assert verdict.means["a"] == 0.0


# ---- bars of differences -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [[0.05, np.nextafter(0.05, 1)], [-0.3, np.nextafter(-0.3, 0)], [0.0, 5e-324]])
def test_values_equal_up_to_rounding_share_one_bar(values):
    for edges in (edges_at_zero(values, most=16), edges_of(values)):
        assert np.all(np.diff(edges) > 0)
        assert counts_in(values, edges).max() == len(values)


@pytest.mark.parametrize("scale", [1e-290, 1.0, 1e150])
def test_values_that_differ_by_little_have_bars_of_one_sign(scale):
    values = scale * (1.0 + 1e-11 * np.arange(9))
    for sign in (1.0, -1.0):
        edges = edges_at_zero(sign * values, most=16)
        assert np.all(np.diff(edges) > 0)
        assert counts_in(sign * values, edges).sum() == len(values)
        assert np.all(sign * edges >= 0)


@pytest.mark.parametrize("format", ["html", "md", "tex", "txt"])
def test_a_report_of_a_difference_that_is_constant_up_to_rounding(format):
    low = np.array([0.1, 0.11] * 6)
    other = low + 0.3 + 0.02 * np.random.default_rng(0).normal(size=12)
    assert np.ptp(low - (low + 0.05)) > 0
    assert "a is best" in report_text(bk.judge(scores([low, low + 0.05, other])), format)


# ---- a constant difference of two learners -----------------------------------------------------------------------


@pytest.mark.parametrize("format", ["html", "md", "tex", "txt", "json"])
def test_a_report_of_two_learners_with_a_constant_difference(format):
    low = np.arange(1, 11) / 32
    verdict = bk.judge(scores([low, low + 0.5]))
    assert verdict.two_learners.steps.t == -np.inf
    assert steps_table(verdict.two_learners).rows[-1] == ("7", "t", "-inf")
    assert steps_table(verdict.two_learners).rows[0] == ("1", "average", "-0.5")
    assert report_text(verdict, format)


# ---- beaten, or overruled by one-sided tests ---------------------------------------------------------------------


def overruled_pair():
    """Wilcoxon on 5 data sets: two-sided p is 1/16 at least, one-sided 1/32."""
    rows = [[0.1, 0.2, 0.3, 0.15, 0.25], [0.11, 0.22, 0.33, 0.19, 0.30]]
    return bk.judge(scores(rows), test="wilcoxon")


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "hochberg", "hommel"])
def test_the_words_of_a_tie_are_true_of_its_fields(adjust):
    rng = np.random.default_rng(0)
    kinds = set()
    for trial in range(60):
        k, d = int(rng.integers(3, 6)), int(rng.integers(6, 14))
        spread = rng.choice([0.01, 0.02, 0.03])
        verdict = bk.judge(
            scores(0.3 + spread * rng.normal(size=(k, 1)) + 0.02 * rng.normal(size=(k, d))), adjust=adjust
        )
        if verdict.status != "tied":
            continue
        said = tied_words(verdict)
        unbeaten = [name for name in verdict.order if not beaten_by(name, verdict)]
        assert ("beaten by nobody" not in said) or unbeaten == [verdict.order[0]], trial
        assert ("whatever the preference" not in said) or verdict.possible_best == (verdict.order[0],), trial
        overruled = from_whom(verdict.rivals, verdict).split("nor from ")[-1]
        if "one-sided tests would overrule" in overruled:
            named = overruled.split(", which")[0].replace(" and ", ", ").split(", ")
            assert not set(named) & set(verdict.possible_best or ()), trial
        kinds.add("whatever" if "whatever" in said else "share" if "share" in said else "other")
    assert "share" in kinds


# ---- with a control ----------------------------------------------------------------------------------------------


def with_control(control, means=(0.3, 0.301, 0.302, 0.303)):
    rng = np.random.default_rng(1)
    return bk.judge(scores(np.array(means)[:, None] + 0.02 * rng.normal(size=(4, 10))), control=control)


def test_learners_that_were_never_compared_do_not_share_the_top():
    verdict = with_control("d", means=(0.3, 0.3, 0.3, 0.31))
    assert verdict.status == "tied"
    first, *others = (name for name in verdict.order if name != "d")
    assert verdict.order[0] == first
    assert verdict.not_compared == tuple(others)
    assert answers(verdict)[0].sentence == (
        f"Nobody alone: {first} and d share the top; {others[0]} and {others[1]} were, like {first}, compared with d "
        "only."
    )


def test_a_control_that_stands_first_says_that_the_others_were_compared_with_it_only():
    verdict = with_control("a", means=(0.28, 0.3, 0.3, 0.3))
    assert verdict.status == "tied"
    assert verdict.order[0] == "a"
    level = [name for name in verdict.order[1:] if name in verdict.rivals]
    assert len(level) > 1
    assert answers(verdict)[0].sentence.endswith("were compared with a only.")


# ---- adjustments that step up ------------------------------------------------------------------------------------

BASE = np.linspace(0.1, 0.2, 6)
NOTHING = [
    BASE,
    BASE + 0.01 * np.array([1, -1, 1, -1, 1, -1.5]),
    BASE + 0.012 * np.array([-1, 1.1, 1, -1.2, 1, -1]),
]
APART = [BASE, BASE + 0.05 + 0.001 * np.arange(6), BASE + 0.1 + 0.003 * np.arange(6)]
#: Of three pairs by Wilcoxon on six data sets each has p ≥ 1/32; these show three such pairs together at 0.05 …
SHOWN_TOGETHER = ["benjamini-hochberg", "hochberg", "hommel", "li"]
#: … and these show none: about 3/32, by Benjamini and Yekutieli (1 + 1/2 + 1/3)/32.
NEVER_SHOWN = ["bonferroni", "holm", "shaffer", "bergmann-hommel", "holland", "finner", "benjamini-yekutieli"]


@pytest.mark.parametrize("adjust", SHOWN_TOGETHER)
def test_what_pairs_show_together_is_not_called_impossible(adjust, monkeypatch):
    monkeypatch.setattr("bestofk.reporting.page.figures_of", lambda verdict: ())
    clear = bk.judge(scores(APART), test="wilcoxon", adjust=adjust)
    assert clear.status == "decided"
    assert "K102" not in {each.code for each in clear.advice}
    verdict = bk.judge(scores(NOTHING), test="wilcoxon", adjust=adjust)
    codes = {each.code: each.seen for each in verdict.advice}
    assert "K102" not in codes
    assert codes["K119"].endswith("no difference of a pair by itself, however large, could have been seen")
    assert seen_words(verdict.detectable).endswith(
        "6 data sets by wilcoxon at 0.0167 see no difference of a pair by itself, however large; it could be shown "
        "only beside other pairs as clear."
    )
    assert verdict.detectable.beside_others
    assert size_seen(verdict.detectable.pairs[0], beside_others=True) == "none by itself"
    for text in (str(verdict), report_text(verdict, "md")):
        assert "no difference, however large" not in text
        assert "none, however large" not in text
        assert "could show none" not in text


@pytest.mark.parametrize("adjust", NEVER_SHOWN)
def test_what_no_family_can_show_is_called_impossible_still(adjust):
    clear = bk.judge(scores(APART), test="wilcoxon", adjust=adjust)
    assert not any(clear.comparison.adjusted <= clear.alpha)
    verdict = bk.judge(scores(NOTHING), test="wilcoxon", adjust=adjust)
    assert {"K102", "K119"} <= {each.code for each in verdict.advice}
    assert not verdict.detectable.beside_others
    assert seen_words(verdict.detectable).endswith("can show no difference, however large.")


def test_five_data_sets_show_nothing_by_any_adjustment():
    rows = [row[:5] for row in APART]
    for adjust in SHOWN_TOGETHER:
        verdict = bk.judge(scores(rows), test="wilcoxon", adjust=adjust)
        assert "K102" in {each.code for each in verdict.advice}, adjust
        assert not verdict.detectable.beside_others, adjust


def test_curves_that_show_pairs_together_say_so():
    rng = np.random.default_rng(0)
    curves = tuple(rng.normal(0.3, 0.02, (4, 1)) + rng.normal(0, 0.001, (4, 5)) for _ in "abc")  # p ≥ 2/70
    data = bk.Curves(learners=tuple("abc"), values=curves, measure="error", larger_is_better=False)
    for adjust, together in (("holm", False), ("hochberg", True)):
        verdict = bk.judge(data, adjust=adjust)
        assert verdict.test == "randomized-t"
        assert verdict.detectable.beside_others == together
        assert ("K102" in {each.code for each in verdict.advice}) != together


def test_too_few_items_in_disagreement_is_not_too_few_results():
    wrong = np.zeros((2, 80))
    wrong[0, :2] = wrong[1, 2:4] = 1.0
    verdict = bk.judge(bk.Items(learners=("a", "b"), values=wrong, measure="error", larger_is_better=False))
    k119 = next(each.seen for each in verdict.advice if each.code == "K119")
    assert k119.endswith("they disagree on too few items for any difference to be seen at 0.05")


# ---- the strongest rival -----------------------------------------------------------------------------------------


def test_without_rivals_the_strongest_is_the_other_of_the_best_mean():
    rng = np.random.default_rng(0)
    middle, spread = np.array([0.10, 0.30, 0.28]), np.array([0.01, 0.08, 0.08])
    rows = middle[:, None] + spread[:, None] * rng.normal(size=(3, 14))
    verdict = bk.judge(scores(rows, ("best", "bad", "good")), prior=("bad", "good", "best"))
    assert (verdict.status, verdict.order) == ("decided", ("best", "bad", "good"))
    assert verdict.means["good"] < verdict.means["bad"]
    assert verdict.closest == ("best", "good")
    assert "best and its strongest rival, good, were" in methods_of(verdict).paragraph


def test_the_strongest_rival_was_compared_with_the_first():
    rng = np.random.default_rng(0)
    rows = np.array([0.1, 0.1001, 0.4])[:, None] + 0.001 * rng.normal(size=(3, 12))
    verdict = bk.judge(scores(rows), control="c")
    first, second, _ = verdict.order
    assert verdict.not_compared == (second,)
    assert verdict.closest == (first, "c")
    assert strongest_rival(verdict.order, (second,), verdict.comparison) == "c"
