"""Judging against a control: only its K − 1 pairs are asked, adjusted for and spoken of."""

from itertools import permutations

import numpy as np
import pytest

import bestofk as bk
from bestofk import stats
from bestofk.core.phrases import p_words
from bestofk.reporting.choices import choices_of
from bestofk.reporting.first_screen import first_table
from bestofk.reporting.report import report_text
from bestofk.stats.adjust import ADJUST
from makers import folds, over_datasets, slow

NAMES = ("a", "b", "c", "d", "e")


def judged(rng, prior, adjust):
    """A verdict on learners that are well apart in some draws and close together in others."""
    k = int(rng.integers(3, 6))
    spread = rng.choice([0.0, 0.02, 0.1])
    values = 0.3 + rng.normal(0, spread, (k, 1)) + rng.normal(0, 0.02, (k, 12))
    names = NAMES[:k]
    control = str(rng.choice(names))
    preference = [str(name) for name in rng.permutation(names)] if prior else None
    verdict = bk.judge(over_datasets(values), control=control, prior=preference, adjust=adjust, test="paired-t")
    return dict(zip(names, values, strict=True)), control, preference, verdict


def worse_of(losses, control, adjust):
    """Pairs (a, b) of which a is shown to be worse, by the test called for each pair with the control alone.

    Nothing is shown of two others. A control with the best mean that is
    better than each other at alpha, without adjustment, is the winner, and nobody is preferred to it.
    """
    others = [name for name in losses if name != control]
    raw = np.array([stats.pairwise.paired_t(losses[control], losses[name]).pvalue for name in others])
    adjusted = np.asarray(ADJUST[adjust](raw))
    gap = {name: float(np.mean(losses[name] - losses[control])) for name in others}
    side = {name: np.sign(gap[name]) * (p <= 0.05) for name, p in zip(others, adjusted, strict=True)} | {control: 0}
    wins = (raw <= 0.05).all() and min(gap.values()) > 0
    shown = {(a, b) for a in losses for b in losses if side[a] > side[b] and control in (a, b)}
    return shown | ({(name, control) for name in others} if wins else set())


def graph_order(preference, edges):
    """MultiTest by hand: take out the most preferred learner that is worse than nobody left, and again."""
    left, order = list(preference), []
    while left:
        best = next(name for name in left if not any((name, other) in edges for other in left))
        order.append(best)
        left.remove(best)
    return tuple(order)


@pytest.mark.parametrize("adjust", ["none", "bonferroni", "holm"])
@pytest.mark.parametrize("seed", [*range(8), *slow(*range(8, 40))])
def test_the_order_with_a_control_is_multitest_on_its_pairs_alone(seed, adjust):
    losses, control, preference, verdict = judged(np.random.default_rng(seed), True, adjust)
    worse = worse_of(losses, control, adjust)
    assert set(verdict.ordering.edges) == {(a, b) for a, b in worse if preference.index(a) < preference.index(b)}
    assert verdict.order == graph_order(preference, worse)
    assert len(verdict.comparison.pairs) == len(preference) - 1


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
@pytest.mark.parametrize("seed", [*range(6), *slow(*range(6, 20))])
def test_the_set_of_the_best_is_what_every_preference_finds(seed, adjust):
    losses, control, preference, verdict = judged(np.random.default_rng(seed), True, adjust)
    worse = worse_of(losses, control, adjust)
    found = {graph_order(each, worse)[0] for each in permutations(preference)}
    assert set(verdict.best_set) == found
    assert (verdict.status == "decided") == (found == {control} and verdict.best == control)


@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize("seed", [*range(15), *slow(*range(15, 60))])
def test_nothing_is_said_of_two_others(seed, prior):
    _, control, _, verdict = judged(np.random.default_rng(seed), prior, "holm")
    for reason in verdict.reasons:
        asked = control in (reason.better, reason.worse)
        assert (reason.pvalue is not None) == asked
        if not asked:
            assert reason.ground not in ("significant", "winner", "against")
            assert verdict.against(reason.better, reason.worse) == "not compared"
    k, shows = len(verdict.order), verdict.comparison.shows
    better = {name for name in verdict.order if name != control and shows(name, control)}
    worse = {name for name in verdict.order if name != control and shows(control, name)}
    if verdict.status == "decided":
        assert verdict.best == control
    else:
        assert set(verdict.best_set) == set(verdict.order) - worse - ({control} if better else set())
        for name, interval in verdict.rank_intervals.items():
            low, high = (
                (1 + len(better), k - len(worse)) if name == control else (1 + (name in worse), k - (name in better))
            )
            assert interval == (low, high)


@pytest.mark.parametrize("prior", [True, False])
@pytest.mark.parametrize("seed", range(15))
def test_the_first_screen_sets_everyone_beside_the_control(seed, prior):
    _, control, _, verdict = judged(np.random.default_rng(seed), prior, "holm")
    table = first_table(verdict)
    place = next(i for i, column in enumerate(table.columns) if column.startswith("difference from"))
    assert table.columns[place].startswith(f"difference from {control}")
    for row, mark in zip(table.rows, table.marks, strict=True):
        name = row[1]
        assert (row[place] == "") == (name == control)
        assert mark.at is not None
        assert (mark.low is None) == (name == control)
        if name == control:
            assert row[-1].startswith("control")
            assert mark.at == table.axis.zero
            continue
        finding = verdict.against(control, name)
        assert (finding in row[-1]) or (finding == "not significant" and row[-1].endswith("best mean"))
        assert finding == "not significant" or p_words(verdict.reason(control, name).pvalue) in row[-1]
    text = " ".join(repr(verdict).split())
    assert "best is among" not in text
    assert "not compared" not in text


def test_the_control_has_a_row_among_many_learners():
    rng = np.random.default_rng(0)
    rows = np.linspace(0.1, 0.5, 12)[:, None] + 0.01 * rng.normal(size=(12, 15))
    verdict = bk.judge(over_datasets(rows, learners=tuple("abcdefghijkl")), control="l")
    assert [row[1] for row in first_table(verdict).rows][-2:] == ["l", "and 5 more"]


@pytest.mark.parametrize("control", ["a", "b"])
def test_of_two_learners_the_control_may_win_or_lose(control):
    rng = np.random.default_rng(0)
    verdict = bk.judge(over_datasets(np.array([0.1, 0.3])[:, None] + 0.01 * rng.normal(size=(2, 12))), control=control)
    assert (verdict.status, verdict.best) == ("decided", "a")
    findings = {row[1]: row[-1] for row in first_table(verdict).rows}
    assert findings[control].startswith("control")
    assert ("best" in findings["a"], "worse" in findings["b"]) == (True, control == "a")
    assert not any("preferred" in each for each in findings.values())


def test_a_page_with_a_control_offers_no_other_choice():
    rng = np.random.default_rng(0)
    verdict = bk.judge(over_datasets(np.array([0.1, 0.1, 0.3])[:, None] + 0.01 * rng.normal(size=(3, 12))), control="c")
    assert set(verdict.best_set) == {"a", "b"}
    assert choices_of(verdict) is None
    assert "best is among" not in report_text(verdict, "html")


def test_a_control_between_two_others_does_not_decide_between_them():
    noise = np.random.default_rng(1).normal(0, 0.01, (3, 12))
    verdict = bk.judge(over_datasets(np.array([0.1, 0.3, 0.5])[:, None] + noise), control="b")
    assert (verdict.status, verdict.best, verdict.order) == ("tied", None, ("a", "b", "c"))
    assert verdict.best_set == ("a",)
    assert verdict.reason("a", "c").pvalue is None


def test_the_strongest_rival_was_compared_with_the_first():
    rng = np.random.default_rng(0)
    rows = np.array([0.1, 0.1001, 0.4])[:, None] + 0.001 * rng.normal(size=(3, 12))
    verdict = bk.judge(over_datasets(rows), control="c")
    first, second, _ = verdict.order
    assert verdict.against(first, second) == "not compared"
    assert verdict.closest == (first, "c")


def test_the_family_is_smaller():
    losses, control, _, verdict = judged(np.random.default_rng(3), False, "bonferroni")
    whole = bk.compare(verdict.evidence, test="paired-t")
    assert verdict.comparison.pairs == tuple((control, name) for name in losses if name != control)
    for one, two in verdict.comparison.pairs:
        pair = verdict.comparison.pair(one, two)
        assert pair.pvalue == whole.pair(one, two).pvalue
        assert pair.adjusted == pytest.approx(min(1, pair.pvalue * (len(losses) - 1)))
    one, two = (name for name in list(losses)[:3] if name != control)
    with pytest.raises(bk.InputError, match="were not compared"):
        verdict.comparison.pair(one, two)


@pytest.mark.parametrize("adjust", ["shaffer", "bergmann-hommel"])
def test_adjustments_of_all_pairs_are_refused(adjust):
    with pytest.raises(bk.InputError, match="all pairs"):
        bk.compare(folds(np.random.default_rng(0).random((3, 5, 2))), control="a", adjust=adjust)


def test_an_unknown_control_is_refused_with_a_suggestion():
    evidence = folds(np.ones((2, 5, 2)), learners=("lda", "knn"))
    with pytest.raises(bk.UnknownName, match="did you mean 'lda'"):
        bk.compare(evidence, control="ldaa")


@pytest.mark.parametrize("method", ["multi2test", "test-first", "anova-best", "newman-keuls-best", "cliques", "ranges"])
def test_methods_that_compare_all_pairs_refuse_a_control(method):
    evidence = folds(np.random.default_rng(0).random((3, 5, 2)))
    with pytest.raises(bk.InputError, match="there is a control"):
        bk.order(evidence, control="a", method=method, prior=["a", "b", "c"])
