"""Statistics of curves: every shuffling test against its own enumeration, written here without bestofk."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bestofk.core.errors import InputError
from bestofk.stats.curves import (
    clusters,
    curve_anova,
    curve_features,
    feature_test,
    modify,
    randomized_anova,
    randomized_t,
    split_plot_anova,
)
from bestofk.stats.curves.matrix_kernel import largest_mass

RNG = np.random.default_rng(7)


def walks(*sizes, points=5, seed=0, shift=0.0):
    """Curves with dependent points; every set lies ``shift`` above the one before."""
    rng = np.random.default_rng(seed)
    return [np.cumsum(rng.normal(size=(n, points)), axis=1) + i * shift for i, n in enumerate(sizes)]


def all_splits(lines, size):
    """Every way to give ``size`` lines to the first of two sets, as index lists."""
    for chosen in combinations(range(lines), size):
        yield list(chosen), [i for i in range(lines) if i not in chosen]


def all_swaps(pairs):
    """Every way to swap the two lines of some rows."""
    for swapped in product((False, True), repeat=pairs):
        first = [i + pairs * s for i, s in enumerate(swapped)]
        yield first, [i for i in range(2 * pairs) if i not in first]


def block_splits(labels_first, labels_second):
    """Every way to deal lines within blocks, by filtering all ways: as many of each block go to each set."""
    labels = [*labels_first, *labels_second]
    for first, second in all_splits(len(labels), len(labels_first)):
        if sorted(labels[i] for i in first) == sorted(labels_first):
            yield first, second


def share(values, observed):
    return np.mean(np.array(values) >= observed * (1 - 1e-9))


# --- an analysis of variance by hand ----------------------------------------------------------------------------------


def by_regression(groups, blocks=None):
    """F of algorithm and interaction from nested least-squares fits with indicator columns; error within cells."""
    y = np.concatenate([g.ravel() for g in groups])
    k = groups[0].shape[1]
    rows = [(i, j, t) for i, g in enumerate(groups) for j in range(len(g)) for t in range(k)]
    label = [0] * sum(map(len, groups)) if blocks is None else [b for each in blocks for b in each]
    starts = np.cumsum([0, *map(len, groups)])
    block = np.array([label[starts[i] + j] for i, j, _ in rows])
    algorithm, point = np.array([r[0] for r in rows]), np.array([r[2] for r in rows])

    def columns(*factors):
        keys = list(zip(*factors, strict=True))
        return np.array([[key == level for level in sorted(set(keys))] for key in keys], dtype=float)

    def rest(*designs):
        x = np.hstack(designs)
        return np.square(y - x @ np.linalg.lstsq(x, y, rcond=None)[0]).sum(), np.linalg.matrix_rank(x)

    base = columns(block, point)
    none, df_none = rest(base)
    level, df_level = rest(base, columns(algorithm))
    full, df_full = rest(base, columns(algorithm, point))
    error = full / (len(y) - df_full)
    return (none - level) / (df_level - df_none) / error, (level - full) / (df_full - df_level) / error


def split_plot_by_hand(groups):
    """F of levels from one mean per curve, and F of shapes from curves with their means taken out."""
    means = [g.mean(axis=1) for g in groups]
    level = scipy_stats.f_oneway(*means).statistic
    shapes = [g - g.mean(axis=1, keepdims=True) for g in groups]
    n, m = sum(map(len, groups)), len(groups)
    grand = np.concatenate(shapes).mean(axis=0)
    between = sum(len(s) * np.square(s.mean(axis=0) - grand).sum() for s in shapes)
    within = sum(np.square(s - s.mean(axis=0)).sum() for s in shapes)
    return level, (between / (m - 1)) / (within / (n - m))  # k − 1 cancels


def test_free_anova_is_its_enumeration():
    groups = walks(3, 4, shift=0.8)
    lines = np.concatenate(groups)
    found = [by_regression([lines[a], lines[b]]) for a, b in all_splits(7, 3)]
    result = randomized_anova(*groups)
    observed = by_regression(groups)
    assert (result.f_alg, result.f_int) == pytest.approx(observed, rel=1e-9)
    assert result.p_alg == share([f[0] for f in found], observed[0])
    assert result.p_int == share([f[1] for f in found], observed[1])
    assert result.shuffles == 35


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_paired_anova_is_its_enumeration(backend):
    if backend == "numba":
        pytest.importorskip("numba", reason="needs the extra fast")
    groups = walks(5, 5, seed=1, shift=0.5)
    lines = np.concatenate(groups)
    rows = [range(5), range(5)]
    # after a swap the rows are those of the same blocks: the table is rebuilt in the order of the rows
    found = [by_regression([lines[a], lines[sorted(b, key=lambda i: i % 5)]], rows) for a, b in all_swaps(5)]
    result = randomized_anova(*groups, paired=True, backend=backend)
    observed = by_regression(groups, rows)
    assert (result.f_alg, result.f_int) == pytest.approx(observed, rel=1e-9)
    assert result.shuffles == 32
    assert result.p_alg == share([f[0] for f in found], observed[0])
    assert result.p_int == share([f[1] for f in found], observed[1])


def test_three_algorithms_in_pairs_are_permuted_within_rows():
    groups = walks(3, 3, 3, seed=2, shift=0.4)
    lines = np.stack(groups, axis=1)  # rows × algorithms × points
    rows = [range(3)] * 3
    found = []
    for orders in product(permutations(range(3)), repeat=3):
        dealt = [np.array([lines[r, order[i]] for r, order in enumerate(orders)]) for i in range(3)]
        found.append(by_regression(dealt, rows))
    result = randomized_anova(*groups, paired=True)
    observed = by_regression(groups, rows)
    assert result.shuffles == 216
    assert result.p_alg == share([f[0] for f in found], observed[0])
    assert result.p_int == share([f[1] for f in found], observed[1])


@pytest.mark.parametrize("labels", [("aabb", "aabb"), ("aab", "abbb"), ("aaab", "bba")])
def test_blocks_of_any_shares_are_enumerated(labels):
    groups = walks(*map(len, labels), seed=3, shift=0.6)
    lines = np.concatenate(groups)
    everything = [*labels[0], *labels[1]]
    found = []
    for a, b in block_splits(*labels):
        found.append(by_regression([lines[a], lines[b]], [[everything[i] for i in a], [everything[i] for i in b]]))
    result = randomized_anova(*groups, blocks=[list(each) for each in labels])
    observed = by_regression(groups, labels)
    assert (result.f_alg, result.f_int) == pytest.approx(observed, rel=1e-9)
    assert result.shuffles == len(found)
    assert result.p_alg == share([f[0] for f in found], observed[0])
    assert result.p_int == share([f[1] for f in found], observed[1])


def test_unequal_shares_of_three_algorithms():
    labels = ("aab", "abb", "ab")
    groups = walks(3, 3, 2, seed=4, shift=0.6)
    result = randomized_anova(*groups, blocks=labels_of(labels), shuffles=400, rng=1)
    assert (result.f_alg, result.f_int) == pytest.approx(by_regression(groups, labels), rel=1e-9)
    first = result.null_alg[0]  # enumeration begins with the dealing observed
    assert result.exact
    assert first == pytest.approx(result.f_alg, rel=1e-9)


def labels_of(words):
    return [list(each) for each in words]


def test_one_list_of_blocks_serves_sets_of_equal_size():
    groups = walks(4, 4, seed=5)
    labels = ["u", "u", "v", "v"]
    one, two = randomized_anova(*groups, blocks=labels), randomized_anova(*groups, blocks=[labels, labels])
    assert one.p_alg == two.p_alg
    assert one.blocks == 2


# --- level and shape --------------------------------------------------------------------------------------------------

# pingouin 0.7.0: mixed_anova(dv="y", within="t", subject="s", between="g", correction=False) of these curves
SPLIT_PLOT = (
    [
        *([0.3, -0.74, 0.02, 0.96], [-1.95, -3.25, -3.13, -3.44], [-0.02, -0.87, 0.01, 0.79], [0.07, 1.19, 1.66, 0.8]),
        [0.37, -0.59, 0.29, 0.24],
    ],
    [[0.52, -0.17, 1.06, 0.9], [0.27, -0.08, 0.45, 0.82], [1.11, 1.54, 3.69, 3.28], [0.19, -0.63, -0.01, 1.12]],
    [
        *([-0.41, -1.25, -2.08, -1.43], [0.44, 0.99, 0.32, 0.55], [-0.18, 0.04, 0.91, 1.13], [0.38, 0.45, 0.74, 1.37]),
        [-1.76, -2.08, -2.55, -3.19],
    ],
)


@pytest.mark.parametrize(
    ("sets", "level", "shape", "df"),
    [
        (SPLIT_PLOT, 1.239433, 1.560376, ((2, 11), (6, 33))),
        (SPLIT_PLOT[:2], 1.991425, 1.122635, ((1, 7), (3, 21))),
    ],
)
def test_f_of_level_and_shape_are_those_of_a_mixed_anova(sets, level, shape, df):
    result = split_plot_anova(*sets, shuffles=20, rng=0)
    assert result.f_level == pytest.approx(level, abs=5e-7)
    assert result.f_shape == pytest.approx(shape, abs=5e-7)
    assert (result.df_level, result.df_shape) == df


def test_level_and_shape_are_their_enumeration():
    groups = walks(4, 3, seed=6, shift=0.7)
    lines = np.concatenate(groups)
    found = [split_plot_by_hand([lines[a], lines[b]]) for a, b in all_splits(7, 4)]
    result = split_plot_anova(*groups)
    observed = split_plot_by_hand(groups)
    assert (result.f_level, result.f_shape) == pytest.approx(observed, rel=1e-9)
    assert result.p_level == share([f[0] for f in found], observed[0])
    assert result.p_shape == share([f[1] for f in found], observed[1])


def test_shape_does_not_see_levels_nor_level_shapes():
    groups = walks(6, 6, seed=7)
    levels = np.random.default_rng(1).normal(size=(6, 1)) * 10
    bend = np.array([2.0, 1.0, 0.0, -1.0, -2.0])
    plain = split_plot_anova(*groups)
    raised = split_plot_anova(groups[0] + levels, groups[1] + 100)
    bent = split_plot_anova(groups[0] + bend, groups[1])
    assert raised.p_shape == plain.p_shape
    assert raised.f_shape == pytest.approx(plain.f_shape, rel=1e-9)
    assert raised.p_level < plain.p_level
    assert bent.p_level == plain.p_level
    assert bent.p_shape < plain.p_shape


def test_level_of_two_sets_is_the_square_of_the_randomized_t():
    for options in ({}, {"paired": True}):
        groups = walks(6, 6, seed=8, shift=1.0)
        t, f = randomized_t(*groups, **options), split_plot_anova(*groups, **options)
        assert f.f_level == pytest.approx(t.statistic**2, rel=1e-9)
        assert f.p_level == t.pvalue


def test_curves_of_one_shape_have_no_spread_of_shapes():
    base = np.array([3.0, 2.0, 1.5, 1.0])
    low, high = base + np.arange(4)[:, None], base[::-1] + np.arange(4)[:, None]
    assert split_plot_anova(low, low + 1).f_shape == 0.0
    assert split_plot_anova(low, low + 1).p_shape == 1.0
    told = split_plot_anova(low, high)
    assert told.f_shape == np.inf
    assert told.p_shape == 2 / 70


# --- t and features ---------------------------------------------------------------------------------------------------


def test_paired_t_is_scipys():
    first, second = walks(7, 7, seed=9, shift=0.6)
    for alternative in ("two-sided", "greater", "less"):
        ours = randomized_t(first, second, paired=True, alternative=alternative)
        theirs = scipy_stats.permutation_test(
            (first.mean(axis=1), second.mean(axis=1)),
            lambda a, b, axis: np.mean(a - b, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
            alternative=alternative,
        )
        assert ours.shuffles == 128
        assert ours.pvalue == pytest.approx(theirs.pvalue, abs=1e-12)
        assert ours.statistic == pytest.approx(
            scipy_stats.ttest_rel(first.mean(axis=1), second.mean(axis=1)).statistic, rel=1e-9
        )


@pytest.mark.parametrize("feature", ["final", "area", "slope"])
def test_features_are_scipys(feature):
    first, second = walks(5, 6, seed=10, shift=1.0)
    steps = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    by_hand = {
        "final": lambda c: c[-1],
        "area": lambda c: sum((c[i] + c[i + 1]) / 2 * (steps[i + 1] - steps[i]) for i in range(4)) / 15,
        "slope": lambda c: np.polyfit(steps, c, 1)[0],
    }[feature]
    values = [np.array([by_hand(c) for c in group]) for group in (first, second)]
    assert curve_features(first, feature, steps=steps) == pytest.approx(values[0], rel=1e-9)
    theirs = scipy_stats.permutation_test(values, _pooled_t, vectorized=True, n_resamples=np.inf, alternative="greater")
    observed, null = theirs.statistic, theirs.null_distribution
    counted = {
        "two-sided": np.abs(null) >= abs(observed) * (1 - 1e-9),
        "greater": null >= observed - 1e-9 * abs(observed),
        "less": null <= observed + 1e-9 * abs(observed),
    }
    for alternative, extreme in counted.items():
        ours = feature_test(first, second, feature=feature, steps=steps, alternative=alternative)
        assert ours.statistic == pytest.approx(observed, rel=1e-9)
        assert ours.pvalue == pytest.approx(extreme.mean(), abs=1e-12)


def _pooled_t(a, b, axis):
    return scipy_stats.ttest_ind(a, b, axis=axis).statistic


def test_steps_to_a_threshold_is_a_rank_test_with_censored_curves_last():
    rng = np.random.default_rng(11)
    first = 1.0 - np.cumsum(rng.random((5, 6)) * 0.2, axis=1)
    second = 1.0 - np.cumsum(rng.random((5, 6)) * 0.35, axis=1)
    steps = [10, 20, 40, 80, 160, 320]
    result = feature_test(first, second, feature="steps-to", threshold=0.4, steps=steps)
    assert result.censored == (int(np.isinf(result.first).sum()), int(np.isinf(result.second).sum()))
    assert result.censored[0] > 0
    # a censored curve is later than all steps: any later number gives the same rank-sum test
    for late in (321.0, 1e6):
        times = [np.where(np.isinf(side), late, side) for side in (result.first, result.second)]
        ranks = scipy_stats.rankdata(np.concatenate(times))
        observed = abs(ranks[:5].mean() - ranks[5:].mean())
        shuffled = [abs(ranks[a].mean() - ranks[b].mean()) for a, b in all_splits(10, 5)]
        assert result.pvalue == pytest.approx(share(shuffled, observed), abs=1e-12)
    restricted = [np.where(np.isinf(side), 320, side).mean() for side in (result.first, result.second)]
    assert result.estimate == pytest.approx(restricted[0] - restricted[1])


def test_a_threshold_that_nobody_reaches_tells_nothing():
    first, second = walks(4, 5, seed=12)
    result = feature_test(first, second, feature="steps-to", threshold=-1e6)
    assert (result.pvalue, result.statistic, result.censored) == (1.0, 0.0, (4, 5))


def test_blocked_t_removes_what_blocks_differ_by():
    rng = np.random.default_rng(13)
    easy_and_hard = np.repeat([0.0, 50.0], 6)[:, None]
    first = rng.normal(size=(12, 4)) + easy_and_hard
    second = rng.normal(size=(12, 4)) + easy_and_hard + 1.0
    labels = ["easy"] * 6 + ["hard"] * 6
    blocked = randomized_t(first, second, blocks=labels, rng=0)
    assert blocked.pvalue < 0.01 < randomized_t(first, second, rng=0).pvalue
    moved = randomized_t(first + 3 * easy_and_hard, second + 3 * easy_and_hard, blocks=labels, rng=0)
    assert moved.pvalue == blocked.pvalue
    assert moved.statistic == pytest.approx(blocked.statistic, rel=1e-9)


# --- clusters ---------------------------------------------------------------------------------------------------------


def clusters_by_hand(first, second, threshold, sides=(1, -1), related=False):
    """Clusters as (start, stop, sign, mass) from scipy's t at every step."""
    test = scipy_stats.ttest_rel if related else scipy_stats.ttest_ind
    t = test(first, second, axis=0).statistic
    found = []
    for sign in sides:
        start = None
        for i in range(len(t) + 1):
            inside = i < len(t) and sign * t[i] >= threshold
            if inside and start is None:
                start = i
            if not inside and start is not None:
                found.append((start + 1, i, sign, np.abs(t[start:i]).sum()))
                start = None
    return found


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("paired", [False, True])
def test_clusters_are_their_enumeration(backend, alternative, paired):
    if backend == "numba":
        pytest.importorskip("numba", reason="needs the extra fast")
    rng = np.random.default_rng(14)
    first, second = rng.normal(size=(2, 5, 12))
    first[:, 2:6] += 1.5
    second[:, 8:] += 1.0
    sides = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
    lines = np.concatenate([first, second])
    null = []
    for a, b in all_swaps(5) if paired else all_splits(10, 5):
        other = lines[sorted(b, key=lambda i: i % 5)]
        masses = [c[3] for c in clusters_by_hand(lines[a], other, 1.5, sides, paired)]
        null.append(max(masses, default=0.0))
    result = clusters(first, second, threshold=1.5, alternative=alternative, paired=paired, backend=backend)
    expected = sorted(clusters_by_hand(first, second, 1.5, sides, paired), key=lambda c: -c[3])
    assert len(expected) >= 1
    assert result.shuffles == len(null)
    assert np.sort(result.null) == pytest.approx(np.sort(null), rel=1e-9)
    for found, (start, stop, sign, mass) in zip(result.intervals, expected, strict=True):
        assert (found.start, found.stop, found.first_loses_more) == (start, stop, sign > 0)
        assert found.mass == pytest.approx(mass, rel=1e-9)
        assert found.pvalue == share(null, mass)
    assert result.pvalue == result.intervals[0].pvalue
    assert result.t == pytest.approx(
        (scipy_stats.ttest_rel if paired else scipy_stats.ttest_ind)(first, second).statistic, rel=1e-9
    )


# mne 1.13.2 permutation_cluster_1samp_test(first - second, threshold=1.8, tail=0), all sign flips
MNE_FIRST = [
    [2.04, -2.56, 2.02, 1.03, 1.15, -0.22, -2.02, -0.23, -0.87, 3.32],
    [0.23, -0.35, 1.32, 0.93, 0.54, -0.39, 0.48, -0.24, 0.96, -0.2],
    [0.02, 1.55, 2.15, 1.09, 1.42, 0.54, 1.94, -0.27, -0.24, 1.0],
    [-0.89, -0.29, 2.48, 2.18, 1.69, 0.67, -2.83, 1.02, -0.96, -1.67],
    [0.28, 0.7, 1.16, 0.52, 1.63, -0.05, 1.41, 0.75, 0.19, 1.11],
]
MNE_SECOND = [
    [-0.21, -0.93, 0.58, 0.58, -0.21, -0.78, 0.23, -1.19, 1.99, 1.79],
    [-1.64, 0.06, -0.96, 0.76, -2.03, -0.91, 0.71, 2.46, -0.86, 0.8],
    [0.33, -0.61, 1.59, -1.19, 0.35, -1.05, 1.41, 1.28, 0.93, -0.42],
    [1.68, 0.75, 0.75, 1.14, 0.35, -0.64, -0.8, 0.5, 2.67, -0.16],
    [-0.6, -0.32, 0.22, 0.58, -1.25, -1.73, -0.0, 2.51, 2.06, 1.52],
]


def test_paired_clusters_are_those_of_mne():
    (found,) = clusters(MNE_FIRST, MNE_SECOND, threshold=1.8, paired=True).intervals
    assert (found.start, found.stop, found.first_loses_more) == (3, 6, True)
    assert found.mass == pytest.approx(16.05521920175702, rel=1e-9)
    assert found.pvalue == 0.0625


def test_clusters_of_equal_curves_are_none():
    curves = RNG.random((5, 6))
    result = clusters(curves, curves)
    assert result.intervals == ()
    assert (result.pvalue, result.statistic) == (1.0, 0.0)


def test_a_certain_difference_has_infinite_mass():
    first, second = np.zeros((4, 3)), np.zeros((4, 3))
    first[:, 1] = 1.0
    result = clusters(first, second)
    assert result.statistic == np.inf
    assert [(each.start, each.stop) for each in result.significant()] == [(2, 2)]
    assert result.pvalue == 2 / 70


def test_intervals_are_given_in_steps():
    rng = np.random.default_rng(15)
    first, second = rng.normal(size=(2, 10, 8))
    first[:, 4:] += 3
    (found,) = clusters(first, second, steps=[1, 2, 4, 8, 16, 32, 64, 128], rng=0).significant()
    assert (found.start, found.stop, found.first_loses_more) == (16, 128, True)


# --- what holds for all -----------------------------------------------------------------------------------------------

TWO_SETS = {
    "randomized_t": randomized_t,
    "final": feature_test,
    "slope": lambda *a, **o: feature_test(*a, feature="slope", **o),
    "clusters": clusters,
    "anova": randomized_anova,
    "split plot": split_plot_anova,
}
OPTIONS = {"free": {}, "paired": {"paired": True}, "blocks": {"blocks": ["u"] * 6 + ["v"] * 6}}


def pvalues(result):
    return [
        getattr(result, name) for name in ("p_alg", "p_int", "p_level", "p_shape", "pvalue") if hasattr(result, name)
    ]


@pytest.mark.parametrize("how", OPTIONS)
@pytest.mark.parametrize("name", TWO_SETS)
def test_same_seed_same_p_and_batches_are_single_tests(name, how):
    rng = np.random.default_rng(16)
    first, second = rng.normal(size=(2, 3, 12, 4))
    second[..., 1:3] += 0.7
    options = {**OPTIONS[how], "shuffles": 300, "rng": 5, "exact": False}
    batch = TWO_SETS[name](first, second, **options)
    again = TWO_SETS[name](first, second, **options)
    assert np.array_equal(pvalues(batch), pvalues(again))
    for i in range(3):
        assert pvalues(TWO_SETS[name](first[i], second[i], **options)) == [p[i] for p in pvalues(batch)]
    assert not np.array_equal(pvalues(batch), pvalues(TWO_SETS[name](first, second, **{**options, "rng": 6})))


@pytest.mark.parametrize("how", OPTIONS)
@pytest.mark.parametrize("name", ["clusters", "anova", "split plot"])
def test_backends_agree(name, how):
    pytest.importorskip("numba", reason="needs the extra fast")
    first, second = walks(12, 12, seed=17, points=15, shift=0.3)
    options = {**OPTIONS[how], "shuffles": 3000, "rng": 5, "exact": False}
    one, two = (TWO_SETS[name](first, second, backend=backend, **options) for backend in ("numpy", "numba"))
    assert pvalues(one) == pvalues(two)
    nulls = [n for n in ("null", "null_alg", "null_int", "null_level", "null_shape") if hasattr(one, n)]
    for null in nulls:
        assert getattr(one, null) == pytest.approx(getattr(two, null), rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("how", ["paired", "blocks"])
@pytest.mark.parametrize("name", TWO_SETS)
def test_random_dealings_approach_all(name, how):
    first, second = walks(6, 6, seed=18, shift=0.5)
    options = {"paired": True} if how == "paired" else {"blocks": ["u", "u", "u", "v", "v", "v"]}
    exact = pvalues(TWO_SETS[name](first, second, exact=True, **options))
    sampled = pvalues(TWO_SETS[name](first, second, exact=False, shuffles=20_000, rng=3, **options))
    for one, other in zip(exact, sampled, strict=True):
        assert abs(one - other) <= 4 * np.sqrt(one * (1 - one) / 20_000) + 1e-4


def test_pairing_sees_what_folds_hide():
    rng = np.random.default_rng(19)
    folds = rng.normal(size=(8, 1)) * 10
    first, second = (folds + rng.normal(size=(8, 6)) + shift for shift in (0.0, 1.5))
    for name, test in TWO_SETS.items():
        if name == "slope":
            continue
        hidden, seen = test(first, second, rng=0), test(first, second, paired=True, rng=0)
        at = "p_level" if name == "split plot" else "pvalue"
        assert getattr(seen, at) <= 0.05 < getattr(hidden, at), name


def test_wrong_input_of_every_kind():
    first, second = walks(4, 4)
    short = walks(4, 3)
    wrong = {
        "paired of unequal numbers": lambda: randomized_t(*short, paired=True),
        "both": lambda: randomized_t(first, second, paired=True, blocks=[1, 1, 2, 2]),
        "paired text": lambda: clusters(first, second, paired="yes"),
        "blocks text": lambda: clusters(first, second, blocks="aabb"),
        "too few labels": lambda: randomized_anova(first, second, blocks=[[1, 2], [1, 2, 3, 4]]),
        "one list for unequal sets": lambda: randomized_anova(*short, blocks=[1, 1, 2, 2]),
        "blocks apart": lambda: randomized_anova(first, second, blocks=[[1] * 4, [2] * 4]),
        "nothing left": lambda: randomized_t(first[:2], second[:1], blocks=[[1, 2], [1]]),
        "feature": lambda: feature_test(first, second, feature="middle"),
        "no threshold": lambda: feature_test(first, second, feature="steps-to"),
        "threshold for nothing": lambda: feature_test(first, second, feature="final", threshold=1),
        "threshold nan": lambda: feature_test(first, second, feature="steps-to", threshold=np.nan),
        "steps": lambda: feature_test(first, second, steps=[1, 2]),
        "steps that fall": lambda: clusters(first, second, steps=[5, 4, 3, 2, 1]),
        "threshold of clusters": lambda: clusters(first, second, threshold=0),
        "alternative": lambda: clusters(first, second, alternative="more"),
        "backend": lambda: split_plot_anova(first, second, backend="cuda"),
        "exact": lambda: split_plot_anova(first, second, exact="yes"),
        "rng": lambda: split_plot_anova(first, second, rng="seed"),
        "one set": lambda: split_plot_anova(first),
        "nan": lambda: clusters(first, np.full((4, 5), np.nan)),
        "one point": lambda: curve_features([1.0], "final"),
        "curves text": lambda: curve_features("abc", "final"),
        "unequal points": lambda: feature_test(first, second[:, :3]),
    }
    for name, call in wrong.items():
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value).count("\n") == 2, name


@pytest.mark.parametrize(
    ("kind", "level", "shape"), [("a", True, False), ("b", False, True), ("c", True, True), ("d", True, True)]
)
def test_the_four_differences_of_the_papers_figure_are_told_apart(kind, level, shape):
    """Fig. 1: algorithm only, interaction only, both, both early; curves rise from 0 to 1 with dependent noise."""
    rng = np.random.default_rng(21)
    rise = 1.0 - np.exp(-np.arange(20) / 5.0)
    first, second = rise + 0.03 * np.cumsum(rng.normal(size=(2, 12, 20)), axis=-1) / np.sqrt(np.arange(1, 21))
    changed = modify(first, kind, 8.0)
    found = split_plot_anova(changed, second, rng=1)
    assert (found.p_level <= 0.05, found.p_shape <= 0.05) == (level, shape)
    where = clusters(changed, second, rng=1).significant()
    assert where
    if kind == "a":
        assert (where[0].start, where[-1].stop) == (1, 20)
    if kind == "b":
        assert [each.first_loses_more for each in where] == [True, False]  # higher early, lower late
    if kind == "c":
        assert where[-1].stop == 20
    if kind == "d":
        assert 1 < where[0].start <= where[-1].stop < 20  # gone at the end


def test_the_conventional_anova_stays_what_it_was():
    groups = walks(5, 4, 6, seed=20, shift=0.3)
    conventional, randomized = curve_anova(*groups), randomized_anova(*groups, shuffles=10, rng=0)
    assert (conventional.f_alg, conventional.f_int) == pytest.approx(by_regression(groups), rel=1e-9)
    assert (randomized.f_alg, randomized.p_conventional_alg) == (conventional.f_alg, conventional.p_alg)


def test_certain_steps_of_both_signs_side_by_side_have_a_mass():
    t = np.array([[np.inf, -np.inf, 3.0, 0.0], [3.0, 3.0, -np.inf, 5.0]])
    assert largest_mass(t, 2.0, 2).tolist() == [np.inf, np.inf]
    assert largest_mass(t, 2.0, 1).tolist() == [np.inf, 6.0]
