"""Whatever the numbers: order, groups, words, tables and figures say the same."""

import numpy as np
import pytest
from bestofk.reporting.measures_tables import acceptance_table, finding
from hypothesis import given, settings
from hypothesis import strategies as st

import bestofk as bk
from bestofk.plots.figures.acceptance import AcceptanceInfo

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
@settings(max_examples=60, deadline=None)
def test_everything_agrees(scores, on, adjust, preferred):
    prior = list(reversed(scores.learners)) if preferred else None
    verdict = bk.judge(scores, on=on, adjust=adjust, prior=prior)
    dominated = dict(verdict.ordering.dominated_by)
    assert sorted(verdict.order) == sorted(scores.learners)
    for name, by in dominated.items():  # dominance is never against the order, nor mutual
        for other in by:
            assert verdict.order.index(other) < verdict.order.index(name)
            assert name not in dominated.get(other, ())
            assert f"{other} dominates" == finding(verdict.comparison.pair(name, other))
    assert verdict.front == tuple(name for name in verdict.order if name not in dominated)
    assert set(verdict.ordering.plain_front) <= set(verdict.front)
    assert (verdict.status == "tied") == (verdict.best is None)
    _agree_on_pairs(verdict)
    said = repr(verdict)
    assert "nan" not in said
    for pair in verdict.comparisons:
        assert 0 <= pair.pvalue <= pair.adjusted <= 1
        assert pair.significant == (pair.adjusted <= 0.05)
    assert verdict.to_dict()["order"] == list(verdict.order)


def _agree_on_pairs(verdict):
    drawn, table = AcceptanceInfo.of(verdict), acceptance_table(verdict)
    for i, one in enumerate(verdict.order):
        for j, two in enumerate(verdict.order):
            if i != j:
                alike = not verdict.comparison.pair(one, two).significant
                assert alike == drawn.tables[0][1][i, j] == (table.rows[i][j + 1] == "1")
                assert alike == any({one, two} <= set(group) for group in verdict.cliques)


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_units_and_order_of_measures_change_nothing(seed):
    rng = np.random.default_rng(seed)
    values = rng.random((3, 1, 1, 8, 2))

    def judged(columns, names):
        others = {names[1]: columns[..., 1]}
        scores = bk.Scores(
            learners=("a", "b", "c"), values=columns[..., 0], measure=names[0], larger_is_better=True, others=others
        )
        return bk.judge(scores, on=names)

    plain = judged(values, ("accuracy", "auc"))
    scaled = judged(values * 37.0, ("accuracy", "auc"))
    turned = judged(values[..., ::-1], ("auc", "accuracy"))
    for one, two, three in zip(plain.comparisons, scaled.comparisons, turned.comparisons, strict=True):
        assert one.statistic == pytest.approx(two.statistic)
        assert one.statistic == pytest.approx(three.statistic)
        assert one.relation == two.relation == three.relation
