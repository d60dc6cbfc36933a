"""One call for one test or for thirty thousand: the same lines, the same numbers."""

import numpy as np
import pytest

from bestofk import ordering, stats
from bestofk.stats import studentized_range

RUNS = 30_000


def test_thirty_thousand_runs_of_five_by_two():
    losses = np.random.default_rng(0).random((RUNS, 2, 5, 2))
    batch = stats.pairwise.five_by_two_t(losses[:, 0], losses[:, 1], alternative="greater")
    assert batch.pvalue.shape == (RUNS,)
    for i in (0, 17, RUNS - 1):
        assert batch.pvalue[i] == stats.pairwise.five_by_two_t(*losses[i], alternative="greater").pvalue


def test_thirty_thousand_runs_of_newman_keuls_and_multitest():
    losses = np.random.default_rng(1).normal(size=(RUNS, 5, 10)) + np.linspace(0, 1, 5)[:, None]
    ranges = stats.omnibus.newman_keuls(losses)
    assert ranges.order.shape == (RUNS, 5)
    assert ranges.ranges.shape == (RUNS, 5, 5)
    for i in (0, 17, RUNS - 1):
        single = stats.omnibus.newman_keuls(losses[i])
        assert ranges.pvalue[i] == pytest.approx(single.pvalue, rel=1e-9)  # table against integral
    order = ordering.multitest(losses.reshape(RUNS, 5, 5, 2))
    assert order.order.shape == (RUNS, 5)


def test_studentized_range_table_and_integral_agree():
    q = np.linspace(0.0, 70.0, 400)
    for k, df in ((2, 2.0), (5, 45.0), (30, np.inf)):
        table = studentized_range.sf(q, k, df)
        single = [studentized_range.sf(value, k, df) for value in q]
        assert table == pytest.approx(single, rel=1e-9, abs=1e-200)
        assert (np.diff(table) <= 0).all()
        assert studentized_range.sf(studentized_range.critical(0.01, k, df), k, df) == pytest.approx(0.01, rel=1e-12)
    assert studentized_range.sf(np.inf, 3, 5) == 0.0
    assert studentized_range.sf(-1.0, 3, 5) == 1.0
    # Two normals: the range is √2·|z|.
    assert studentized_range.sf(2.0, 2, np.inf) == pytest.approx(0.15729920705028513, rel=1e-12)


def test_batches_broadcast():
    losses = np.random.default_rng(2).random((4, 5, 2))
    table = stats.pairwise.five_by_two_t(losses[:, None], losses[None])
    assert table.pvalue.shape == (4, 4)
    assert (np.diag(table.pvalue) == 1.0).all()
    assert table.pvalue == pytest.approx(table.pvalue.T)


@pytest.mark.parametrize("zeros", ["drop", "pratt", "split"])
@pytest.mark.parametrize("method", ["exact", "normal"])
def test_wilcoxon_batch_with_ties_and_zeros(zeros, method):
    first, second = np.random.default_rng(3).integers(0, 6, size=(2, 50, 9))
    batch = stats.pairwise.wilcoxon(first, second, zeros=zeros, method=method)
    for i in range(50):
        single = stats.pairwise.wilcoxon(first[i], second[i], zeros=zeros, method=method)
        assert batch.pvalue[i] == single.pvalue


def test_multivariate_batches_mix_full_and_lower_rank():
    rng = np.random.default_rng(4)
    first, second = rng.random((2, 6, 10, 3))
    first[2, :, 2] = first[2, :, 0] + first[2, :, 1]
    second[2, :, 2] = second[2, :, 0] + second[2, :, 1]  # the third measure adds nothing
    first[4], second[4] = 0.5, 0.5
    batch = stats.multivariate.hotelling(first, second)
    assert batch.rank.tolist() == [3, 3, 2, 3, 0, 3]
    for i in range(6):
        single = stats.multivariate.hotelling(first[i], second[i])
        assert batch.pvalue[i] == pytest.approx(single.pvalue, rel=1e-12)
        assert batch.posthoc.pvalue[i] == pytest.approx(single.posthoc.pvalue)
    without = stats.multivariate.hotelling(first[2][:, :2], second[2][:, :2])
    assert batch.statistic[2] == pytest.approx(without.statistic, rel=1e-8)
    values = np.stack([first, second, rng.random((6, 10, 3))], axis=1)
    values[2, 2, :, 2] = values[2, 2, :, 0] + values[2, 2, :, 1]
    together = stats.multivariate.manova(values)
    for i in range(6):
        assert together.pvalue[i] == pytest.approx(stats.multivariate.manova(values[i]).pvalue, rel=1e-12)
    assert together.pvalue[2] == pytest.approx(stats.multivariate.manova(values[2][:, :, :2]).pvalue, rel=1e-7)


def test_curves_in_batches():
    sets = [np.random.default_rng(i).normal(size=(3, n, 4)) for i, n in enumerate((5, 6))]
    batch = stats.curves.randomized_anova(*sets, shuffles=50, rng=3, exact=False)
    assert batch.null_alg.shape == (3, 50)
    for i in range(3):
        single = stats.curves.randomized_anova(*(group[i] for group in sets), shuffles=50, rng=3, exact=False)
        assert single.p_alg == batch.p_alg[i]
        assert single.null_int == pytest.approx(batch.null_int[i], rel=1e-12)


def test_compiled_and_matrix_form_give_the_same_f():
    pytest.importorskip("numba", reason="needs the extra fast")
    rng = np.random.default_rng(5)
    for sizes in ((20, 20), (7, 12, 9)):
        sets = [np.cumsum(rng.normal(size=(n, 20)), axis=1) for n in sizes]
        options = {"shuffles": 5000, "rng": 8, "exact": False}
        matrix = stats.curves.randomized_anova(*sets, backend="numpy", **options)
        fused = stats.curves.randomized_anova(*sets, backend="numba", **options)
        assert fused.null_alg == pytest.approx(matrix.null_alg, rel=1e-12, abs=1e-12)
        assert fused.null_int == pytest.approx(matrix.null_int, rel=1e-12, abs=1e-12)
        assert fused.p_alg == matrix.p_alg


def test_random_shuffles_approach_the_exact_p():
    rng = np.random.default_rng(6)
    sets = [rng.normal(size=(6, 5)), rng.normal(size=(5, 5)) + 0.5]
    exact = stats.curves.randomized_anova(*sets)
    assert exact.exact
    assert exact.shuffles == 462
    sampled = stats.curves.randomized_anova(*sets, shuffles=40_000, rng=1, exact=False)
    assert abs(sampled.p_alg - exact.p_alg) < 4 * np.sqrt(exact.p_alg / 40_000)
    assert abs(sampled.p_int - exact.p_int) < 4 * np.sqrt(exact.p_int / 40_000)


def test_critical_value_is_the_950th_of_1000():
    rng = np.random.default_rng(7)
    result = stats.curves.randomized_anova(rng.normal(size=(20, 5)), rng.normal(size=(20, 5)), rng=0)
    assert result.critical_alg == np.sort(result.null_alg)[949]
    assert result.plain_p_alg == (result.null_alg >= result.f_alg).sum() / 1000
    assert result.p_alg == (1000 * result.plain_p_alg + 1) / 1001
