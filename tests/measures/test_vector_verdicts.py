"""Several measures at once: status, order, the set of the best, preference, costs of mistakes; fields agree."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestofk as bk
from bestofk.ordering.methods import groups_alike
from bestofk.plots.figures.acceptance import AcceptanceInfo
from bestofk.plots.figures.roc_hull import RocHullInfo
from makers_measures import EXAMPLES, MOVED, by_holm, counts_of, over, pairs_of, scores_of


def test_the_error_is_silent_and_the_vector_loud():
    verdict = bk.judge(counts_of(MOVED), on=("tpr", "fpr"))
    (pair,) = pairs_of(verdict)
    assert pair.significant
    assert pair.vector.error.pvalue > 0.2
    assert pair.relation == "trade-off"
    assert verdict.status == "tied"
    assert verdict.best is None
    assert set(verdict.best_set) == {"low", "high"}
    assert {part.measure: part.better for part in pair.parts if part.significant} == {"tpr": "low", "fpr": "high"}
    assert verdict.against("low", "high") == verdict.against("high", "low") == "trade-off"


def test_one_learner_dominates_all_others():
    verdict = bk.judge(counts_of({"bad": (0.7, 0.3), "good": (0.95, 0.03), "worse": (0.5, 0.5)}), on=("tpr", "fpr"))
    assert (verdict.status, verdict.best, verdict.best_set, verdict.rivals) == ("decided", "good", ("good",), ())
    assert verdict.order == ("good", "bad", "worse")
    assert verdict.rank_intervals == {"good": (1, 1), "bad": (2, 2), "worse": (3, 3)}
    assert all(verdict.comparison.shows(name, "worse") for name in ("bad", "good"))


def test_costs_of_mistakes():
    """By hand: a false alarm that costs c misses makes the cost fn·P + c·fp·N, with as many positives as negatives."""
    verdict = bk.judge(counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03), "poor": (0.7, 0.3)}), on="tpr,fpr")
    rates = verdict.mistake_costs.rates
    assert verdict.mistake_costs.never == ("poor",)
    for each in verdict.mistake_costs.best:
        price = each.low * 1.01 if each.high == np.inf else (each.low + each.high) / 2
        costs = {name: (1 - tpr) + price * fpr for name, (fpr, tpr) in rates.items()}
        assert min(costs, key=costs.get) == each.learner
    assert [each.learner for each in verdict.mistake_costs.best] == ["sharp", "calm"]
    assert bk.judge(over(), on=("fpr", "fnr")).mistake_costs is None


def test_dominance_alone_overrides_the_prior():
    rates = {"cheap": (0.7, 0.3), "sharp": (0.97, 0.15), "calm": (0.85, 0.03)}
    verdict = bk.judge(counts_of(rates), on=("tpr", "fpr"), prior=["cheap", "calm", "sharp"])
    assert verdict.ordering.edges == (("cheap", "calm"), ("cheap", "sharp"))
    assert verdict.order == ("calm", "sharp", "cheap")
    assert (verdict.status, verdict.best, verdict.rivals) == ("preferred", "calm", ("sharp",))
    other = bk.judge(counts_of(rates), on=("tpr", "fpr"), prior=["sharp", "cheap", "calm"])
    assert other.best == "sharp"


def test_orders_per_measure_follow_its_direction():
    verdict = bk.judge(counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03), "mid": (0.9, 0.1)}), on=("tpr", "fpr"))
    orders = {each.measure: each.order for each in verdict.measure_orders.orders}
    assert orders["tpr"] == ("sharp", "mid", "calm")
    assert orders["fpr"] == ("calm", "mid", "sharp")
    assert orders["error"][0] == min(verdict.comparison.means_of("error"), key=verdict.comparison.means_of("error").get)


def test_no_pair_of_a_group_differs_in_its_measure():
    """The ends of an order may be alike, and a pair between them not: spreads differ."""
    verdict = bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")
    found = {each.measure: each.groups for each in verdict.measure_orders.orders}
    assert len(found["fpr"]) == 2
    for measure, groups in found.items():
        part = {
            frozenset(pair): verdict.comparison.pair(*pair).part(measure).significant
            for pair in verdict.comparison.pairs
        }
        inside = {frozenset(pair) for group in groups for pair in combinations(group, 2)}
        assert inside == {pair for pair, differs in part.items() if not differs}


def test_groups_of_alike_learners_are_of_the_vectors_and_not_of_the_error():
    verdict = bk.judge(counts_of({**MOVED, "low too": (0.95, 0.15)}), on=("tpr", "fpr"))
    assert {frozenset(group) for group in groups_alike(verdict.comparison, verdict.order)} == {
        frozenset({"low", "low too"}),
        frozenset({"high"}),
    }
    assert not any(pair.vector.error.significant for pair in pairs_of(verdict))


def test_missing_results_are_named():
    scores = counts_of({**MOVED, "mid": (0.9, 0.1)})
    counts = scores.counts.copy()
    counts[2, 0, 0, 4] = np.nan
    gap = bk.Scores(
        learners=scores.learners, values=scores.values, counts=counts, measure="error", larger_is_better=False
    )
    with pytest.raises(bk.InputError, match="learner mid, fold 5"):
        bk.judge(gap, on="tpr,fpr")
    verdict = bk.judge(gap, on="tpr,fpr", missing="drop-learners")
    assert set(verdict.order) == {"low", "high"}
    assert verdict.comparison.left_out.learners == ("mid",)


@pytest.mark.parametrize(
    "more",
    [
        {"method": "anova-best"},
        {"method": "multi2test"},
        {"paired": True},
        {"missing": "keep"},
        {"rope": 0.1},
        {"force": True},
    ],
)
def test_settings_of_one_measure_are_refused(more):
    with pytest.raises(bk.InputError, match=next(iter(more.values())) if "method" in more else next(iter(more))):
        bk.judge(counts_of(MOVED), on="tpr,fpr", **more)


@pytest.mark.parametrize("more", [{"positive": "x"}, {"undefined": 0.0}, {"task": "retrieval"}])
def test_settings_of_several_measures_are_refused_for_one(more):
    with pytest.raises(bk.InputError, match=r"on is not given|\(on\)"):
        bk.judge(counts_of(MOVED), **more)


def test_compare_and_order_take_several_measures_as_judge_does():
    rates = {"cheap": (0.7, 0.3), "sharp": (0.97, 0.15), "calm": (0.85, 0.03)}
    prior = ["cheap", "calm", "sharp"]
    vectors = bk.read(counts_of(rates), on="tpr,fpr")
    verdict = bk.judge(vectors, prior=prior)
    assert bk.compare(vectors).to_dict() == verdict.comparison.to_dict()
    assert bk.order(vectors, prior=prior).to_dict() == verdict.ordering.to_dict()


def test_a_control_is_compared_with_everybody_in_every_measure():
    rates = {"good": (0.95, 0.03), "mid": (0.85, 0.15), "bad": (0.6, 0.4)}
    verdict, plain = (bk.judge(counts_of(rates), on="tpr,fpr", **more) for more in ({"control": "mid"}, {}))
    assert [set(names) - {"mid"} for names in verdict.comparison.pairs] == [{"good"}, {"bad"}]
    for pair in pairs_of(verdict):
        alone = plain.comparison.pair(pair.first, pair.second)
        assert (pair.statistic, pair.pvalue) == (alone.statistic, alone.pvalue)
        assert [part.pvalue for part in pair.parts] == [part.pvalue for part in alone.parts]
    found = pairs_of(verdict)
    assert [pair.adjusted for pair in found] == pytest.approx(by_holm([pair.pvalue for pair in found]))
    assert (verdict.status, verdict.order) == ("tied", ("good", "mid", "bad"))
    assert (verdict.best_set, verdict.reason("good", "bad").pvalue) == (("good",), None)  # the two were not compared


def test_the_telling_pair_is_hidden_from_the_error():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on=("tpr", "fpr"))
    pair = verdict.comparison.pair(*verdict.telling)
    assert pair.significant
    assert not pair.vector.error.significant


def test_costs_use_the_ratio_of_the_classes():
    """By hand: a slope (alarm·N)/(miss·P) is the price times 300/100."""
    scores = counts_of({"sharp": (0.97, 0.2), "calm": (0.8, 0.03)}, positives=100, negatives=300)
    costs = bk.judge(scores, on="tpr,fpr").mistake_costs
    (fpr, tpr), (fpr2, tpr2) = costs.rates["sharp"], costs.rates["calm"]
    slope = (tpr - tpr2) / (fpr - fpr2)
    assert [each.learner for each in costs.best] == ["sharp", "calm"]
    assert costs.best[0].high == pytest.approx(slope * 100 / 300)
    assert costs.positives == 0.25


def test_a_perfect_learner_is_best_at_any_price_and_on_the_hull():
    scores = counts_of({"perfect": (1.0, 0.0), "good": (0.9, 0.1)})
    counts = scores.counts.copy()
    counts[0, ...] = (100, 0, 0, 100)
    values = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    perfect = bk.Scores(learners=scores.learners, values=values, counts=counts, measure="error",
                        larger_is_better=False)  # fmt: skip
    costs = bk.judge(perfect, on="tpr,fpr").mistake_costs
    assert [(each.learner, each.low, each.high) for each in costs.best] == [("perfect", 0.0, np.inf)]
    assert costs.never == ("good",)
    assert RocHullInfo.from_points({"perfect": (0.0, 1.0), "good": (0.1, 0.9)}).on_hull == ("perfect",)
    assert RocHullInfo.from_points({"never": (0.0, 0.0), "good": (0.1, 0.9)}).on_hull == ("good",)


def test_the_telling_pair_is_hidden_from_the_error_even_where_another_has_a_smaller_p():
    verdict = bk.judge(counts_of({"low": (0.95, 0.15), "high": (0.85, 0.05), "poor": (0.4, 0.6)}), on="tpr,fpr")
    smallest = min(pairs_of(verdict), key=lambda pair: pair.pvalue)
    assert smallest.vector.error.significant
    assert set(verdict.telling) == {"low", "high"}


NAMES = ("a", "b", "c", "d", "e")


@st.composite
def evidence(draw):
    k, folds = draw(st.integers(2, 5)), draw(st.integers(4, 9))
    size = draw(st.sampled_from([3, 20]))  # small ones tie and are often constant
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    base = rng.random((k, 1, 1, 1, 2)) if draw(st.booleans()) else np.full((k, 1, 1, 1, 2), 0.5)
    tp, fp = np.moveaxis(rng.binomial(size, np.broadcast_to(base, (k, 1, 1, folds, 2))), -1, 0)
    counts = np.stack([tp, size - tp, fp, size - fp], axis=-1).astype(float)
    values = (counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1)
    return bk.Scores(learners=NAMES[:k], values=values, counts=counts, measure="error", larger_is_better=False)


@given(evidence(), st.sampled_from(["tpr,fpr", "confusion"]), st.sampled_from(["bonferroni", "none"]), st.booleans())
def test_everything_agrees(scores, on, adjust, preferred):
    prior = list(reversed(scores.learners)) if preferred else None
    verdict = bk.judge(scores, on=on, adjust=adjust, prior=prior)
    assert sorted(verdict.order) == sorted(scores.learners)
    shown = [(pair.shown, *({pair.first, pair.second} - {pair.shown})) for pair in pairs_of(verdict) if pair.shown]
    for better, worse in shown:  # what is shown is never against the order
        assert verdict.order.index(better) < verdict.order.index(worse)
        assert verdict.against(better, worse) == "worse"
        assert all(part.better == better for part in verdict.comparison.pair(better, worse).parts)
    assert verdict.best_set == tuple(name for name in verdict.order if name not in {worse for _, worse in shown})
    assert set(verdict.measure_orders.plain_front) <= set(verdict.best_set)
    assert (verdict.status == "tied") == (verdict.best is None)
    _agree_on_pairs(verdict)
    assert "nan" not in repr(verdict)
    for pair in pairs_of(verdict):
        assert 0 <= pair.pvalue <= pair.adjusted <= 1
        assert pair.significant == (pair.adjusted <= 0.05)
    assert verdict.to_dict()["order"] == list(verdict.order)


def _agree_on_pairs(verdict):
    drawn = AcceptanceInfo.of(verdict)
    for i, one in enumerate(verdict.order):
        for j, two in enumerate(verdict.order):
            if i != j:
                alike = not verdict.comparison.pair(one, two).significant
                assert alike == drawn.tables[0][1][i, j]
                assert alike == any(
                    {one, two} <= set(group) for group in groups_alike(verdict.comparison, verdict.order)
                )


def test_all_measures_together_may_be_silent_where_one_speaks():
    rng = np.random.default_rng(1)
    values = rng.normal(0.7, 0.02, (2, 1, 1, 6, 4))
    values[0, ..., 1] += 0.08
    verdict = bk.judge(scores_of(values, ("tpr", "precision", "kappa", "mcc")), on="tpr,precision,kappa,mcc")
    pair = pairs_of(verdict)[0]
    assert not pair.significant
    assert pair.part("precision").significant
    assert (pair.relation, verdict.against("a", "b")) == ("not significant", "not significant")


@pytest.mark.parametrize("folds", [3, 5])
def test_a_difference_that_is_the_same_on_few_folds_shows_nothing(folds):
    rows = [
        {"learner": name, "fold": fold, "tp": 32 - fold - less, "fn": 8 + fold + less, "fp": 6 + less, "tn": 34 - less}
        for name, less in (("a", 0), ("b", 1))
        for fold in range(folds)
    ]
    (pair,) = pairs_of(bk.judge(rows, on="tpr,fpr"))
    assert (pair.pvalue, pair.significant) == (1.0, False)
