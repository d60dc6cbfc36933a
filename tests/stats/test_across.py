"""Other choices of data sets: the batched conclusions are those of the tests themselves, one choice at a time."""

from itertools import combinations

import numpy as np
import pytest

from bestofk.core.errors import InputError, UnknownName
from bestofk.stats import across, adjust, omnibus, pairwise
from bestofk.stats.across.conclusions import decide, without_ties
from bestofk.stats.across.features import Branch, Leaf
from bestofk.stats.across.influence import evidence_for_first, kept_without, on_all, subsets
from bestofk.stats.across.signed_ranks import near_factor, signed_rank_sides
from bestofk.stats.across.smallest import cannot_change
from bestofk.stats.pairwise.signed_rank_null import signed_rank_tails
from bestofk.stats.ranks import average_ranks

RUN = {
    "paired-t": pairwise.paired_t,
    "wilcoxon": pairwise.wilcoxon,
    "sign": pairwise.sign_test,
    "permutation-t": lambda first, second, **more: pairwise.permutation_t(first, second, rng=0, **more),
}
BRAMER = -np.array(
    [[80, 73, 85, 68, 82, 75, 73, 64, 75, 69], [85, 70, 85, 74, 71, 65, 77, 73, 75, 76]], dtype=float
)  # Bramer, Fig. 15.2, accuracies of A and B as losses


def losses(learners, datasets, seed=0, digits=None, step=0.05):
    rng = np.random.default_rng(seed)
    table = 0.3 + step * np.arange(learners)[:, None] + 0.1 * rng.normal(size=(learners, datasets))
    return table if digits is None else table.round(digits)


def one_choice(table, kept, test, adjustment):
    """Raw p values and conclusions of one choice, straight from the tests."""
    first, second = np.triu_indices(len(table), 1)
    if test == "nemenyi":
        found = omnibus.nemenyi(table[:, kept].T)
        p = found.pvalue[first, second]
        gap = np.asarray(found.mean_ranks)[first] - np.asarray(found.mean_ranks)[second]
        return p, np.where(p <= 0.05, -np.sign(gap), 0)
    p = RUN[test](table[first][:, kept], table[second][:, kept]).pvalue
    sides = [
        RUN[test](table[first][:, kept], table[second][:, kept], alternative=s).pvalue for s in ("less", "greater")
    ]
    return p, np.where(adjustment(p) <= 0.05, np.sign(sides[1] - sides[0]), 0)


@pytest.mark.parametrize("digits", [None, 2])
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("test", [*RUN, "nemenyi"])
def test_leaving_out_is_the_test_on_what_is_left(test, size, digits):
    table = losses(4, 12, digits=digits)
    found = across.leave_out(table, across.all_pairs(4, test, "holm"), size)
    for row in np.random.default_rng(1).choice(len(found.removed), 12):
        kept = np.setdiff1d(np.arange(12), found.removed[row])
        p, conclusion = one_choice(table, kept, test, adjust.holm)
        assert found.decided.pvalue[row] == pytest.approx(p, rel=1e-9)
        assert (found.decided.conclusion[row] == conclusion).all()
        assert found.decided.means[row] == pytest.approx(table[:, kept].mean(axis=1))


@pytest.mark.parametrize("adjustment", ["none", "bonferroni", "holm", "hommel", "shaffer", "benjamini-hochberg"])
@pytest.mark.parametrize("digits", [3, 1])
def test_wilcoxon_decides_exactly_where_normal_p_values_would_do_elsewhere(adjustment, digits):
    """Forty data sets with ties: p values far from a decision may be normal ones, conclusions never."""
    from bestofk.stats.adjust import ADJUST

    table = losses(5, 40, seed=4, digits=digits, step=0.02)
    found = across.leave_out(table, across.all_pairs(5, "wilcoxon", adjustment), 2)
    for row in np.random.default_rng(2).choice(len(found.removed), 25):
        kept = np.setdiff1d(np.arange(40), found.removed[row])
        _, conclusion = one_choice(table, kept, "wilcoxon", ADJUST[adjustment])
        assert (found.decided.conclusion[row] == conclusion).all()


@pytest.mark.parametrize("n", [31, 60, 100])
def test_normal_signed_ranks_are_as_near_as_is_said(n):
    """Where a p value is not counted out, it is within its factor of the exact one."""
    rng = np.random.default_rng(n)
    for levels in (16, 40, 400):
        d = rng.integers(1, levels + 1, size=(40, n)) * np.where(
            rng.random((40, n)) < rng.uniform(0.5, 0.9, (40, 1)), 1, -1.0
        )
        less, greater = signed_rank_sides(d, np.zeros((40, 1)), lambda p: np.zeros(p.shape, dtype=bool))
        normal = np.minimum(1.0, 2.0 * np.minimum(less, greater))
        exact = np.minimum(1.0, 2.0 * np.minimum(*signed_rank_tails(average_ranks(np.abs(d)), _positive(d))))
        factor = near_factor(normal)
        far = exact < 1e-6  # beyond every level in use
        assert (far | ((normal <= exact * factor) & (normal >= exact / factor))).all()


def _positive(d):
    return np.where(d > 0, average_ranks(np.abs(d)), 0.0).sum(axis=-1)


def test_permutation_signs_are_those_of_the_test_for_all_data_sets():
    table = losses(3, 30)
    found = on_all(table, across.all_pairs(3, "permutation-t", "none", seed=3))
    first, second = np.triu_indices(3, 1)
    expected = pairwise.permutation_t(table[first], table[second], rng=3).pvalue
    near = expected < 0.3  # pairs beyond every level are counted on fewer patterns
    assert near.any()
    counted = near & (expected > 51 / 10_001)
    assert found.pvalue[0][counted] == pytest.approx(expected[counted], abs=1e-12)
    assert found.pvalue[0][near] == pytest.approx(expected[near], rel=0.3)  # small ones by a formula


def test_bramers_two_data_sets():
    """Section 15.3: only data sets 5 and 6, left out together, turn no difference into B better at 5 %."""
    question = across.all_pairs(2, "paired-t")
    assert on_all(BRAMER, question).conclusion[0, 0] == 0
    assert not across.leave_out(BRAMER, question, 1).decided.conclusion.any()
    two = across.leave_out(BRAMER, question, 2)
    rows = np.flatnonzero(two.decided.conclusion[:, 0])
    assert two.removed[rows].tolist() == [[4, 5]]
    assert two.decided.conclusion[rows[0], 0] == -1
    assert two.decided.pvalue[rows[0], 0] == pytest.approx(0.0467, abs=5e-5)  # t = 2.41 with 7 df (Fig. 15.6)
    (smallest,) = across.smallest_sets(BRAMER, question)
    assert (smallest.removed, smallest.exact, smallest.ties) == ((4, 5), True, 1)


def fewest(table, question, column, upto):
    """The smallest size of a set that changes a conclusion, by going through all; 0 where there is none."""
    before = on_all(table, question).conclusion[0, column]
    for size in range(1, upto + 1):
        if (across.leave_out(table, question, size).decided.conclusion[:, column] != before).any():
            return size
    return 0


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("test", ["paired-t", "sign", "wilcoxon"])
def test_the_smallest_set_is_the_smallest(test, seed):
    table = losses(3, 9, seed=seed, digits=2 if seed % 2 else None, step=0.08)
    question = across.all_pairs(3, test, alpha=0.2)
    found = across.smallest_sets(table, question, most=4)
    for column, each in enumerate(found):
        assert each.exact
        assert len(each.removed) == fewest(table, question, column, 4)
        if each.removed:
            kept = kept_without(np.array([each.removed]), 9)
            after = across.decide(table, kept, question).conclusion[0, column]
            assert after != on_all(table, question).conclusion[0, column]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("test", ["paired-t", "sign", "wilcoxon", "nemenyi"])
def test_the_greedy_answer_keeps_its_bounds(test, seed):
    table = losses(3, 10, seed=seed, step=0.08)
    question = across.all_pairs(3, test, alpha=0.2)
    for column, each in enumerate(across.smallest_sets(table, question, most=4, most_sets=10)):
        true = fewest(table, question, column, 4)
        assert each.at_least <= (true or 5)
        assert not each.removed or len(each.removed) >= true > 0
        if each.exact:
            assert len(each.removed) == true


def test_paired_t_is_exact_for_many_data_sets_without_trying_them_all():
    table = losses(2, 60, seed=5, step=0.02)
    question = across.all_pairs(2, "paired-t")
    (found,) = across.smallest_sets(table, question, most_sets=0)
    assert found.exact
    assert found.removed
    assert len(found.removed) == fewest(table, question, 0, 3)  # 34,220 sets of three


@pytest.mark.parametrize("test", ["paired-t", "sign"])
def test_a_bound_never_rules_out_what_happens(test):
    for seed in range(60):
        table = losses(2, 8, seed=seed, step=0.1)
        question = across.all_pairs(2, test, alpha=0.1)
        everything = on_all(table, question)
        for size in (1, 2, 3):
            if cannot_change(table, question, everything, 0, size):
                after = across.leave_out(table, question, size).decided.conclusion
                assert (after == everything.conclusion).all()


def test_influence_points_to_the_outlier_and_its_sign_to_whom_it_helps():
    table = np.array([[1.0, 1.1, 0.9, 1.0, 5.0], [2.0, 2.1, 1.9, 2.05, 2.0]])
    question = across.all_pairs(2, "paired-t")
    found = across.influences(on_all(table, question), across.leave_out(table, question, 1))[0]
    assert found.argmin() == 4
    assert (found[:4] > 0).all()


def test_evidence_is_the_normal_score_of_p():
    from scipy import special

    found = on_all(BRAMER, across.all_pairs(2, "paired-t"))
    assert evidence_for_first(found)[0, 0] == pytest.approx(special.ndtri(found.pvalue[0, 0] / 2))  # B is ahead


def test_resampling_is_seeded_and_certain_where_nothing_varies():
    clear = np.array([[0.1] * 10, [0.5] * 10]) + 0.01 * np.arange(10)
    question = across.all_pairs(2, "wilcoxon")
    drawn = across.resampled(clear, question, resamples=50, rng=0)
    assert (drawn.conclusion == 1).all()
    again = across.resampled(BRAMER, across.all_pairs(2, "paired-t"), resamples=50, rng=3)
    assert (again.pvalue == across.resampled(BRAMER, across.all_pairs(2, "paired-t"), resamples=50, rng=3).pvalue).all()


def test_subsets_come_in_order_and_whole():
    assert [tuple(row) for row in subsets(6, 3)] == list(combinations(range(6), 3))
    assert (subsets(6, 3, 5, 4) == subsets(6, 3)[5:9]).all()


def test_associations_find_what_is_there_and_hold_their_level():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(30, 6))
    found = across.associations(features, features[:, 2] + 0.5 * rng.normal(size=30), shuffles=999, rng=1)
    assert found.adjusted[2].max() <= 0.05
    assert (found.adjusted >= found.pvalue).all()
    assert np.delete(found.adjusted, 2, axis=0).min() > 0.05
    wrong = [
        across.associations(rng.normal(size=(12, 5)), rng.normal(size=12), shuffles=199, rng=i).adjusted.min() <= 0.05
        for i in range(200)
    ]
    assert np.mean(wrong) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_correlations_are_spearman_s():
    from scipy import stats

    rng = np.random.default_rng(2)
    features, d = rng.integers(0, 6, (15, 3)).astype(float), rng.normal(size=15)
    found = across.associations(features, d, shuffles=99, rng=0).correlation[:, 0]
    assert found == pytest.approx([stats.spearmanr(features[:, i], d).statistic for i in range(3)])


def test_the_tree_divides_where_the_difference_turns_and_not_elsewhere():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(40, 4))
    turns = np.where(features[:, 1] > 0.3, 1.0, -1.0) + 0.3 * rng.normal(size=40)
    tree = across.grown_tree(features, turns, rng=0)
    assert isinstance(tree, Branch)
    assert tree.feature == 1
    below = np.sort(features[:, 1])
    assert below[below <= 0.3].max() <= tree.threshold <= below[below > 0.3].min()
    grown = [
        isinstance(across.grown_tree(features, rng.normal(size=40), shuffles=199, rng=i), Branch) for i in range(100)
    ]
    assert np.mean(grown) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)


def test_every_data_set_is_in_one_leaf():
    features = np.arange(24.0)[:, None]
    tree = across.grown_tree(features, np.repeat([1.0, -1.0, 2.0], 8) + 0.01 * np.arange(24) % 0.05, rng=0)

    def leaves(node):
        return [node] if isinstance(node, Leaf) else [*leaves(node.yes), *leaves(node.no)]

    assert sorted(i for leaf in leaves(tree) for i in leaf.members) == list(range(24))


@pytest.mark.parametrize(
    "call",
    [
        lambda: across.all_pairs(3, "5x2cv-t"),
        lambda: across.all_pairs(3, "wilcoxon", "bonferoni"),
        lambda: across.all_pairs(3, alpha=2),
        lambda: across.leave_out(BRAMER, across.all_pairs(2), 9),
        lambda: across.leave_out(BRAMER, across.all_pairs(2), 0),
        lambda: across.leave_out([[1.0, 2.0, np.nan], [1.0, 2.0, 3.0]], across.all_pairs(2), 1),
        lambda: across.smallest_sets([1.0, 2.0], across.all_pairs(2)),
        lambda: across.associations([[1, 2], [3, 4]], [1, 2]),
        lambda: across.associations([[1.0], [np.nan], [2.0], [3.0]], [1, 2, 3, 4]),
        lambda: across.grown_tree([[1], [2]], [1, 2, 3]),
    ],
)
def test_bad_input_gets_three_lines(call):
    with pytest.raises((InputError, UnknownName)) as caught:
        call()
    assert all(caught.value.to_dict()[part] for part in ("wrong", "where", "fix"))


def test_the_bound_of_the_sign_test_takes_for_a_tie_what_the_test_does():
    """Six wins are significant, five are not, and four more in the thirteenth digit are ties."""
    table = np.full((2, 10), 0.3)
    table[0] += np.array([1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 1e-13, 1e-13, 1e-13, 1e-13])
    question = across.all_pairs(2, "sign")
    everything = on_all(table, question)
    without = across.leave_out(table, question, 1).decided.conclusion[:, 0]
    assert everything.conclusion[0, 0] == -1
    assert (without == 0).sum() == 6
    assert not cannot_change(table, question, everything, 0, 1)


def test_a_bound_is_given_up_where_rounding_depends_on_the_data_sets():
    """One value of 1e9 makes all other differences rounding; without it they are real."""
    table = np.full((2, 9), 1e-4)
    table[0] += 1e-5 * np.arange(1.0, 10.0)
    table[:, 8] = 1e9
    question = across.all_pairs(2, "sign")
    everything = on_all(table, question)
    assert everything.conclusion[0, 0] == 0
    assert (across.leave_out(table, question, 1).decided.conclusion[:, 0] != 0).sum() == 1
    assert not cannot_change(table, question, everything, 0, 1)


@pytest.mark.parametrize("datasets", [4, 12, 30, 63])
@pytest.mark.parametrize("adjustment", ["none", "holm"])
def test_leaving_out_without_ties_is_the_general_way(datasets, adjustment):
    """One count of positive averages serves all choices; the general way ranks every choice anew."""
    table = losses(4, datasets, seed=datasets)
    ask = across.all_pairs(4, "wilcoxon", adjustment)
    assert without_ties(table, ask)
    for size in (1, 2):
        found = across.leave_out(table, ask, size)
        expected = decide(table, kept_without(found.removed, datasets), ask)
        for name in expected.__dataclass_fields__:
            np.testing.assert_allclose(getattr(found.decided, name), getattr(expected, name), rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("changed", [{(1, 3): "same"}, {(1, 3): "tie"}])
def test_ties_and_zeros_are_left_to_the_general_way(changed):
    table = losses(2, 12)
    place = next(iter(changed))
    gap = 0.0 if changed[place] == "same" else table[1, 0] - table[0, 0]
    table[place] = table[0, 3] + gap
    assert not without_ties(table, across.all_pairs(2, "wilcoxon"))
