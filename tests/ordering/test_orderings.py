"""Orders: the graph, MultiTest, cliques, the best of a Newman–Keuls test."""

import itertools

import numpy as np
import pytest

from bestofk import ordering, stats
from bestofk.core.errors import InputError

# Errors whose differences are certain to any test: a constant gap on every fold.
FOLDS = np.array([[0.20, 0.22], [0.21, 0.19], [0.23, 0.20], [0.20, 0.21], [0.22, 0.20]])


def learners(**levels):
    rng = np.random.default_rng(0)
    return {name: FOLDS + level + 1e-3 * rng.normal(size=(5, 2)) for name, level in levels.items()}


def test_data_override_the_prior_and_the_prior_decides_the_rest():
    losses = learners(simple=0.3, middle=0.0, complex=0.0)
    result = ordering.multitest(losses, ["simple", "middle", "complex"])
    assert result.order == ("middle", "complex", "simple")
    assert set(result.edges) == {("simple", "middle"), ("simple", "complex")}
    turned = ordering.multitest(losses, ["simple", "complex", "middle"])
    assert turned.order == ("complex", "middle", "simple")


def test_identical_learners_keep_the_prior():
    for names in itertools.permutations("abcd"):
        result = ordering.multitest(dict.fromkeys("abcd", FOLDS), names)
        assert result.order == names
        assert result.edges == ()


@pytest.mark.parametrize(
    "test", ["5x2cv-t", "paired-t", "corrected-t", "calibrated-t", "wilcoxon", "sign", "permutation-t"]
)
def test_every_one_sided_test_can_order(test):
    options = {"rng": 0} if test == "permutation-t" else {}
    losses = learners(worse=0.4, better=0.0)
    if test not in ("5x2cv-t", "corrected-t", "calibrated-t"):
        losses = {name: values.ravel() for name, values in losses.items()}
    result = ordering.multitest(losses, test=test, **options)
    assert result.order == ("better", "worse")


def test_mcnemar_orders_items():
    right = np.zeros(60)
    wrong = np.r_[np.ones(20), np.zeros(40)]
    result = ordering.multitest({"cheap": wrong, "dear": right}, test="mcnemar", method="exact")
    assert result.order == ("dear", "cheap")


def test_array_input_speaks_of_positions():
    table = np.stack(list(learners(a=0.3, b=0.0, c=0.1).values()))
    result = ordering.multitest(table, prior=[2, 0, 1])
    assert result.order == (1, 2, 0)
    assert result.pairs == ((2, 0), (2, 1), (0, 1))


def test_many_learners_always_get_an_order():
    rng = np.random.default_rng(1)
    for k in (2, 3, 30, 200):
        result = ordering.multitest(rng.random((k, 5, 2)), adjust="none")
        assert sorted(result.order) == list(range(k))


def brute_force_cliques(accepts):
    k = len(accepts)
    sets = [
        set(group)
        for size in range(1, k + 1)
        for group in itertools.combinations(range(k), size)
        if all(accepts[i][j] for i in group for j in group if i != j)
    ]
    return sorted(tuple(sorted(s)) for s in sets if not any(s < other for other in sets))


def test_cliques_are_all_maximal_sets():
    rng = np.random.default_rng(2)
    for _ in range(50):
        half = np.triu(rng.random((6, 6)) < 0.5, 1)
        accepts = half | half.T
        assert list(ordering.cliques(accepts)) == brute_force_cliques(accepts)


def test_test_first_asks_the_simpler_ones_only():
    losses = learners(simple=0.3, best=0.0, complex=0.0005)
    assert ordering.test_first(losses) == "best"  # complex is as good, but not simpler
    assert ordering.test_first(losses, ["simple", "complex", "best"]) is None  # complex is simpler and not beaten
    assert ordering.test_first(dict.fromkeys("ab", FOLDS)) == "a"  # equal means: the preferred one, nobody is simpler
    assert ordering.test_first(losses, ["simple", "complex", "best"], level=0.9999) == "best"


def test_anova_best():
    assert ordering.anova_best(dict.fromkeys("ab", FOLDS.ravel()), ["b", "a"]) == "b"
    assert ordering.anova_best({name: v.ravel() for name, v in learners(a=0.3, b=0.0).items()}) is None


def test_newman_keuls_best_of_a_table_is_that_of_its_underlines():
    rng = np.random.default_rng(3)
    losses = rng.normal(size=(300, 5, 8)) + rng.random((300, 5, 1)) * 2
    prior = (3, 0, 4, 1, 2)
    batch = ordering.newman_keuls_best(losses, prior)
    seen = set()
    for i, table in enumerate(losses):
        result = stats.omnibus.newman_keuls(table)
        expected = ordering.newman_keuls_best_from(result.order, result.ranges, prior)
        assert ordering.newman_keuls_best(table, prior) == expected
        assert batch[i] == (-1 if expected is None else expected)
        seen.add(expected)
    assert None in seen
    assert len(seen) >= 4


def test_batches_of_the_other_orders():
    rng = np.random.default_rng(4)
    losses = rng.random((40, 4, 5, 2)) + np.array([0.0, 0.05, 0.1, 0.3])[:, None, None]
    prior = [3, 1, 0, 2]
    first = ordering.test_first(losses, prior, alpha=0.5)
    anova = ordering.anova_best(losses.reshape(40, 4, 10), prior)
    for i, table in enumerate(losses):
        assert first[i] == (-1 if (one := ordering.test_first(table, prior, alpha=0.5)) is None else one)
        assert anova[i] == (-1 if (one := ordering.anova_best(table.reshape(4, 10), prior)) is None else one)
    assert -1 in first
    assert set(anova) == {-1, 3}


def test_ranges_try_larger_groups_first():
    losses = {name: values.ravel() for name, values in learners(a=0.0, b=0.0004, c=0.3, d=0.3003).items()}
    result = ordering.ranges(losses)
    assert set(result.order[:2]) == {"a", "b"}
    assert result.ranges == (result.order[:2], result.order[2:])
    assert ordering.ranges(dict.fromkeys("abc", FOLDS.ravel())).ranges == (("a", "b", "c"),)


@pytest.mark.parametrize("across", ["nemenyi", "bergmann-hommel", "sign", "wilcoxon"])
def test_multi2test_overrides_the_prior_where_ranks_say_so(across):
    rng = np.random.default_rng(5)
    table = 0.2 + 0.01 * rng.random((15, 3)) + np.array([0.1, 0.0, 0.0])
    table[::2, 2] += 0.02
    table[1::2, 1] += 0.02
    result = ordering.multi2test(table, prior=[0, 1, 2], across=across)
    assert result.order == (1, 2, 0)
    assert set(result.edges) == {(0, 1), (0, 2)}
    turned = ordering.multi2test(table, prior=[0, 2, 1], across=across)
    assert turned.order == (2, 1, 0)
    assert (result.ranks.sum(axis=1) == 6).all()


def test_multi2test_ranks_by_multitest_on_each_data_set():
    losses = np.stack([np.stack(list(learners(a=0.3, b=0.0, c=0.0).values()))] * 6)
    result = ordering.multi2test(losses)
    assert (result.ranks == [3, 1, 2]).all()  # b and c are equal: the prior decides, on every data set
    costs = np.tile([1.0, 3.0, 2.0], (6, 1))
    assert (ordering.multi2test(losses, prior=costs).ranks == [3, 2, 1]).all()
    named = ordering.multi2test({"a": losses[:, 0], "b": losses[:, 1], "c": losses[:, 2]}, ["c", "b", "a"])
    assert named.learners == ("a", "b", "c")
    assert named.order == ("c", "b", "a")


WRONG = {
    "prior that is short": lambda: ordering.multi2test(np.ones((3, 2)), prior=[0]),
    "costs of the wrong shape": lambda: ordering.multi2test(np.ones((3, 2)), prior=np.ones((2, 2))),
    "one data set": lambda: ordering.multi2test(np.ones((1, 2))),
    "unknown test across": lambda: ordering.multi2test(np.ones((3, 2)), across="friedman"),
    "unequal tables": lambda: ordering.multi2test({"a": [1, 2], "b": [1, 2, 3]}),
    "level of a test": lambda: ordering.test_first(np.ones((2, 5, 2)), level=2),
    "alpha of anova": lambda: ordering.anova_best(np.ones((2, 5)), alpha=0),
    "alpha of ranges": lambda: ordering.ranges(np.ones((2, 5)), alpha=0),
}


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_calls_are_refused(fault):
    with pytest.raises(InputError):
        WRONG[fault]()


def test_random_splits_are_ordered_with_their_test_fraction():
    rng = np.random.default_rng(6)
    losses = rng.random((3, 10)) + np.array([0.0, 3.0, 6.0])[:, None]
    result = ordering.multitest(losses, prior=[2, 1, 0], test="corrected-t", test_fraction=0.3)
    assert result.order == (0, 1, 2)
    one = stats.pairwise.corrected_t(losses[2], losses[1], test_fraction=0.3, alternative="greater")
    assert result.pvalue[0] == pytest.approx(one.pvalue)


class Frame:
    """What a data frame looks like from outside: pandas and polars both have these."""

    def __init__(self, columns):
        self._columns = columns
        self.columns = list(columns)

    def __getitem__(self, name):
        values = self._columns[name]
        return type("Series", (), {"to_numpy": lambda self: np.asarray(values)})()

    def to_numpy(self):
        return np.column_stack(list(self._columns.values()))


def test_a_data_frame_has_learners_as_columns():
    rng = np.random.default_rng(7)
    columns = {name: rng.random(8) + level for name, level in (("a", 0.0), ("b", 0.5), ("c", 0.4))}
    frame = Frame(columns)
    for test in (stats.omnibus.anova, stats.omnibus.friedman, stats.omnibus.tukey, stats.omnibus.repeated_anova):
        assert test(frame).names == ("a", "b", "c")
        assert np.all(test(frame).pvalue == test(columns).pvalue)
    assert ordering.multitest(frame, test="paired-t").order == ordering.multitest(columns, test="paired-t").order
    assert ordering.multi2test(frame).learners == ("a", "b", "c")


def test_a_dict_and_an_array_mean_the_same():
    """Batches in front, in both; keys stay what they are."""
    rng = np.random.default_rng(8)
    table = rng.random((3, 2, 10))  # three contests of two learners
    array = ordering.newman_keuls_best(table)
    assert ordering.newman_keuls_best({"a": table[:, 0], "b": table[:, 1]}).tolist() == array.tolist()
    assert set(ordering.multitest({1: FOLDS, 2: FOLDS + 0.1}, prior=[2, 1]).order) == {1, 2}
