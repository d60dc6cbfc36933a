"""The invariants of the statistics, on data that hypothesis chooses."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bestofk import ordering, stats
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE

# Errors as folds give them: counts over 50 items, so ties and equal folds are frequent.
errors = st.integers(0, 50).map(lambda wrong: wrong / 50)
seeds = st.integers(0, 2**32 - 1)
SHAPES = {"values": (7,), "runs": (5,), "5x2": (5, 2), "RxF": (3, 4)}
TESTS = [name for name in PAIRWISE if not name.startswith("mcnemar")]


def folds(*shape):
    return arrays(float, shape, elements=errors)


def run(name, first, second, **options):
    if method_of(PAIRWISE[name]).seeded:
        options["rng"] = 0
    return PAIRWISE[name](first, second, **options)


@pytest.mark.parametrize("name", TESTS)
@given(data=st.data())
def test_scale_difficulty_and_swap(name, data):
    design = method_of(PAIRWISE[name]).design
    first, second, difficulty = (data.draw(folds(*SHAPES[design])) for _ in range(3))
    difficulty = difficulty.max() if design == "runs" else difficulty  # runs are not paired
    plain = run(name, first, second)
    factor = data.draw(st.sampled_from([0.001, 0.3, 100.0]))
    scaled = run(name, factor * first, factor * second)
    harder = run(name, first + difficulty, second + difficulty)
    swapped = run(name, second, first)
    assert scaled.pvalue == pytest.approx(plain.pvalue, rel=1e-6)
    assert harder.pvalue == pytest.approx(plain.pvalue, rel=1e-6)
    assert swapped.pvalue == pytest.approx(plain.pvalue, rel=1e-9)
    assert swapped.estimate == pytest.approx(-plain.estimate)
    if name not in ("wilcoxon", "sign", "5x2cv-f"):  # their statistics count one side, or square
        assert swapped.statistic == pytest.approx(-plain.statistic)


@pytest.mark.parametrize("name", [n for n in TESTS if n != "5x2cv-f"])
@given(data=st.data())
def test_sides_mirror(name, data):
    shape = SHAPES[method_of(PAIRWISE[name]).design]
    first, second = data.draw(folds(*shape)), data.draw(folds(*shape))
    greater = run(name, first, second, alternative="greater").pvalue
    less = run(name, first, second, alternative="less").pvalue
    both = run(name, first, second).pvalue
    assert run(name, second, first, alternative="less").pvalue == pytest.approx(greater, rel=1e-9)
    assert both == pytest.approx(min(1.0, 2 * min(greater, less)), rel=1e-9)


@given(first=folds(5, 2), second=folds(5, 2))
def test_five_by_two_f_does_not_care_which_fold_is_first(first, second):
    turned = first.copy(), second.copy()
    for values in turned:
        values[0] = values[0][::-1]
    f = stats.pairwise.five_by_two_f
    assert f(*turned).statistic == pytest.approx(f(first, second).statistic, rel=1e-9)


def test_five_by_two_t_does_care_which_fold_is_first():
    rng = np.random.default_rng(0)
    first, second = rng.random((5, 2)), rng.random((5, 2))
    turned_first, turned_second = first.copy(), second.copy()
    turned_first[0], turned_second[0] = first[0][::-1], second[0][::-1]
    t = stats.pairwise.five_by_two_t
    assert t(turned_first, turned_second).pvalue != pytest.approx(t(first, second).pvalue, rel=1e-3)


@given(seed=seeds)
def test_hotelling_of_one_measure_is_t_squared(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(8, 1)), rng.normal(size=(8, 1))
    one = stats.multivariate.hotelling(first, second)
    t = stats.pairwise.paired_t(first[:, 0], second[:, 0])
    assert one.statistic == pytest.approx(t.statistic**2, rel=1e-9)
    assert one.pvalue == pytest.approx(t.pvalue, rel=1e-9)


@given(seed=seeds, measures=st.integers(1, 4))
def test_manova_of_two_learners_is_two_sample_hotelling(seed, measures):
    values = np.random.default_rng(seed).normal(size=(2, 9, measures))
    manova = stats.multivariate.manova(values)
    hotelling = stats.multivariate.hotelling(*values, unpaired=True)
    assert manova.pvalue == pytest.approx(hotelling.pvalue, rel=1e-9)
    assert manova.statistic == pytest.approx(1 / (1 + hotelling.statistic / 16), rel=1e-9)


@given(seed=seeds)
def test_rates_and_their_complements_give_the_same_hotelling(seed):
    rng = np.random.default_rng(seed)
    tp, tn = rng.integers(1, 40, size=(2, 2, 10))
    fn, fp = 40 - tp, 40 - tn
    vectors = [
        stats.multivariate.measures(tp, fn, fp, tn, names=n) for n in (("tpr", "fpr"), ("sensitivity", "specificity"))
    ]
    one, two = (stats.multivariate.hotelling(*v) for v in vectors)
    assert one.statistic == pytest.approx(two.statistic, rel=1e-8)
    # p and n are fixed here, so the four counts carry no more than the two rates.
    counts = stats.multivariate.measures(tp, fn, fp, tn, names=("tp", "fp", "fn", "tn"))
    four = stats.multivariate.hotelling(*counts)
    assert four.rank <= 2
    if one.rank == 2:
        assert four.statistic == pytest.approx(one.statistic, rel=1e-8)
        assert four.df == one.df


def edges_of(losses, adjust):
    return set(ordering.multitest(losses, test="paired-t", adjust=adjust, alpha=0.2).edges)


@given(losses=folds(5, 6))
def test_multitest_edges(losses):
    named = dict(zip("abcde", losses, strict=True))
    bonferroni, holm, none = (edges_of(named, adjust) for adjust in ("bonferroni", "holm", "none"))
    assert all(tail < head for tail, head in none)  # from preferred to less preferred only
    assert bonferroni <= holm <= none


@st.composite
def graphs(draw):
    k = draw(st.integers(2, 7))
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    return k, [pair for pair in pairs if draw(st.booleans())]


@given(graph=graphs())
def test_order_is_the_first_topological_order(graph):
    k, edges = graph
    order = ordering.from_edges(edges, prior=range(k)).order
    place = {node: i for i, node in enumerate(order)}
    assert sorted(order) == list(range(k))
    assert all(place[head] < place[tail] for tail, head in edges)
    for i, node in enumerate(order):  # nothing more preferred could have stood here
        left = set(order[i:])
        free = [n for n in left if not any(t == n and h in left for t, h in edges)]
        assert node == min(free)
    if not edges:
        assert order == tuple(range(k))


@given(losses=arrays(float, (3, 4, 5, 2), elements=errors))
def test_batched_multitest_is_single_multitest(losses):
    batch = ordering.multitest(losses, prior=[2, 0, 3, 1], alpha=0.3, adjust="holm")
    for i, one in enumerate(losses):
        single = ordering.multitest(one, prior=[2, 0, 3, 1], alpha=0.3, adjust="holm")
        assert tuple(batch.order[i]) == single.order
        assert batch.best[i] == single.best


def curve_sets(seed, sizes=(4, 5, 3), points=6):
    rng = np.random.default_rng(seed)
    return [np.cumsum(rng.normal(size=(n, points)), axis=1) + i for i, n in enumerate(sizes)]


@given(seed=seeds)
def test_curve_anova_does_not_see_labels_training_or_scale(seed):
    sets = curve_sets(seed)
    plain = stats.curves.curve_anova(*sets)
    turned = stats.curves.curve_anova(*sets[::-1])
    bent = stats.curves.curve_anova(*(group + np.exp(np.arange(6.0)) for group in sets))
    scaled = stats.curves.curve_anova(*(7.5 * group for group in sets))
    for other in (turned, bent, scaled):
        assert other.f_alg == pytest.approx(plain.f_alg, rel=1e-9)
        assert other.f_int == pytest.approx(plain.f_int, rel=1e-9)


@given(seed=seeds)
def test_randomized_anova_is_seeded_and_backend_free(seed):
    sets = curve_sets(seed, sizes=(8, 9), points=5)
    options = {"shuffles": 60, "rng": seed, "exact": False}
    one = stats.curves.randomized_anova(*sets, backend="numpy", **options)
    again = stats.curves.randomized_anova(*sets, backend="numpy", **options)
    assert (one.null_alg == again.null_alg).all()
    assert one.p_alg == again.p_alg
    assert one.f_alg == pytest.approx(stats.curves.curve_anova(*sets).f_alg, rel=1e-12)


p_values = arrays(float, st.sampled_from([1, 3, 6, 10]), elements=st.floats(0, 1))


@given(p=p_values)
def test_adjustments_in_order_of_power(p):
    adjust = stats.adjust
    hommel, hochberg, holm, bonferroni = adjust.hommel(p), adjust.hochberg(p), adjust.holm(p), adjust.bonferroni(p)
    tolerance = 1e-12
    assert (hommel <= hochberg + tolerance).all()
    assert (hochberg <= holm + tolerance).all()
    assert (holm <= bonferroni + tolerance).all()
    static, dynamic, exhaustive = adjust.shaffer(p), adjust.shaffer(p, "dynamic"), adjust.bergmann_hommel(p)
    assert (static <= holm + tolerance).all()
    assert (dynamic <= static + tolerance).all()
    assert (exhaustive <= static + tolerance).all()
    assert (adjust.holland(p) <= holm + tolerance).all()
    assert (adjust.benjamini_hochberg(p) <= adjust.benjamini_yekutieli(p) + tolerance).all()


@pytest.mark.parametrize("name", ["newman_keuls", "tukey", "duncan"])
@given(losses=folds(6, 4), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_ranges(name, losses, alpha):
    test = getattr(stats.omnibus, name)
    result = test(losses, alpha=alpha)
    means = losses.mean(axis=1)
    assert (np.diff(means[list(result.order)]) >= -1e-12).all()
    spans = []
    for group in result.ranges:
        start = result.order.index(group[0])
        assert len(group) >= 2
        assert result.order[start : start + len(group)] == group  # contiguous
        spans.append((start, start + len(group)))
    for a in spans:
        assert not any(b != a and b[0] <= a[0] and a[1] <= b[1] for b in spans)  # none contains another
    for group in result.ranges:  # nothing inside an accepted range is declared different
        assert all(result.pvalue[i, j] > alpha for i in group for j in group)
    together = {(i, j) for group in result.ranges for i in group for j in group}
    for i in range(6):
        for j in range(6):
            assert (result.pvalue[i, j] <= alpha) == (i != j and (i, j) not in together)
    batch = test(losses[None], alpha=alpha)
    assert (batch.ranges[0] == (result.pvalue > alpha)).all()
    assert tuple(batch.order[0]) == result.order


@given(losses=folds(6, 5))
@pytest.mark.slow
def test_newman_keuls_stands_between_duncan_and_tukey(losses):
    duncan, newman, tukey = (
        getattr(stats.omnibus, name)(losses).pvalue for name in ("duncan", "newman_keuls", "tukey")
    )
    assert (duncan <= newman + 1e-9).all()
    assert (newman <= tukey + 1e-9).all()


@given(correct=arrays(int, (12, 4), elements=st.integers(0, 1)))
def test_looney_is_a_function_of_cochran(correct):
    q, f = stats.omnibus.cochran_q(correct).statistic, stats.omnibus.looney(correct).statistic
    left = 12 * 3 - q
    assume(left > 1e-9)
    assert f == pytest.approx(11 * q / left, rel=1e-9, abs=1e-12)


@given(correct=arrays(int, (12, 2), elements=st.integers(0, 1)))
def test_cochran_of_two_is_uncorrected_mcnemar(correct):
    q = stats.omnibus.cochran_q(correct)
    m = stats.pairwise.mcnemar_losses(1 - correct[:, 0], 1 - correct[:, 1], method="chi2")
    assert q.statistic == pytest.approx(m.statistic, rel=1e-12, abs=1e-15)
    assert q.pvalue == pytest.approx(m.pvalue, rel=1e-9)


@given(losses=folds(2, 7))
def test_repeated_anova_of_two_is_paired_t_squared(losses):
    f, t = stats.omnibus.repeated_anova(losses), stats.pairwise.paired_t(*losses)
    assert f.pvalue == pytest.approx(t.pvalue, rel=1e-7, abs=1e-12)
    assert f.epsilon_greenhouse_geisser == 1.0


@given(losses=folds(7, 3))
def test_friedman_and_iman_davenport(losses):
    result = stats.omnibus.friedman(losses)
    assert result.mean_ranks.sum() == pytest.approx(6.0)
    assert 0 <= result.statistic <= 14 + 1e-9
    if result.statistic < 13.9:
        assert result.f_statistic == pytest.approx(6 * result.statistic / (14 - result.statistic), rel=1e-9)


@given(seed=seeds, ties=st.booleans())
def test_area_hull_and_delong_agree(seed, ties):
    rng = np.random.default_rng(seed)
    truth = np.array([0, 1] * 8)
    first, second = rng.random((2, 16))
    if ties:
        first, second = first.round(1), second.round(1)
    result = stats.roc.delong(truth, first, second)
    assert result.auc_first == pytest.approx(stats.roc.auc(truth, first))
    line = stats.roc.curve(truth, first)
    assert np.trapezoid(line.tpr, line.fpr) == pytest.approx(result.auc_first)
    hull = stats.roc.convex_hull(np.column_stack([line.fpr, line.tpr]))
    assert np.trapezoid(hull.vertices[:, 1], hull.vertices[:, 0]) >= result.auc_first - 1e-12
    slopes = np.diff(hull.vertices[:, 1]) / np.maximum(np.diff(hull.vertices[:, 0]), 1e-300)
    assert (np.diff(slopes) < 0).all()  # strict corners
    back = stats.roc.delong(truth, second, first)
    assert back.statistic == pytest.approx(-result.statistic)
    assert stats.roc.delong(truth, first, first).pvalue == 1.0


@given(first=folds(9), second=folds(9), rope=st.sampled_from([0.0, 0.02, 0.5]))
def test_bayesian_probabilities(first, second, rope):
    options = {"rope": rope, "samples": 400, "rng": 1}
    for name in ("signed_rank", "sign"):
        probabilities = getattr(stats.bayes, name)(first, second, **options).probabilities
        assert probabilities.sum() == pytest.approx(1.0)
        assert (probabilities >= 0).all()
    forth = stats.bayes.correlated_t(first, second, rope=rope, correlation=0.1).probabilities
    back = stats.bayes.correlated_t(second, first, rope=rope, correlation=0.1).probabilities
    assert forth == pytest.approx(back[::-1], abs=1e-12)
    assert forth.sum() == pytest.approx(1.0)
