"""What a verdict may claim: how often it is wrong of equal learners, what it is about, and when it is silent."""

import json
from itertools import combinations, permutations

import numpy as np
import pytest

import bestofk as bk
import makers
from bestofk.core.phrases import p_words
from bestofk.reporting.first_screen import finding, first_table
from bestofk.reporting.tables import comparison_table
from bestofk.reporting.words import headline, sureness
from makers import EXAMPLES, codes, command, items, over_datasets, table

ALPHA = 0.05


def grouped(rng, groups=10, each=50):
    """Two models that are right equally often, one of which does better on some groups and worse on others."""
    chance = 0.6 + np.array([[0.0], [1.0]]) * rng.normal(0, 0.25, groups)
    return (rng.random((2, groups * each)) < np.repeat(chance, each, axis=1)).astype(float)


def names_of_groups(groups=10, each=50):
    return tuple(np.repeat([f"g{i}" for i in range(groups)], each))


def most(runs, errors=3):
    """The share of mistakes that a test of level alpha hardly exceeds, so many standard errors above it."""
    return ALPHA + errors * np.sqrt(ALPHA * (1 - ALPHA) / runs)


@pytest.mark.slow
def test_a_preference_does_not_make_equal_learners_different_more_often():
    runs, rng = 2_000, np.random.default_rng(20)
    wrong = 0
    for _ in range(runs):  # compared and ordered; the advice of a whole verdict would take most of the time
        comparison, ordering = makers.ordered(over_datasets(rng.normal(0.3, 0.02, (2, 12))), prior=("b", "a"))
        wrong += comparison.pair("a", "b").significant
        assert bool(ordering.edges) == comparison.shows("a", "b")
    assert wrong / runs <= most(runs)


@pytest.mark.parametrize("prior", list(permutations("abc")))
def test_multi2test_decides_nothing_by_ranks_that_repeat_the_preference(prior):
    for seed in range(3):
        verdict = bk.judge(table(3, 30, seed=seed, spread=0.02, shape=(5, 2)), prior=prior, method="multi2test")
        assert verdict.status == "preferred"
        worse = {row["learner"] for row in verdict.rows() if row["against first"] == "worse"}
        assert worse == {name for name in verdict.order[1:] if verdict.comparison.shows(verdict.order[0], name)}


def test_multi2test_is_never_decided():
    verdict = bk.judge(table(3, 12, gap=0.2, spread=0.01), prior=("c", "b", "a"), method="multi2test")
    assert (verdict.status, verdict.best, verdict.rivals) == ("preferred", "a", ())
    assert repr(verdict).startswith("Take a, by Multi²Test, on data sets like these; every other learner is shown")
    assert finding(verdict, "a") == "chosen"


@pytest.mark.slow
def test_items_in_groups_are_tested_by_groups():
    """One model happens to do better on some groups: no evidence of a better model, unless items go one by one."""
    runs, rng, names = 400, np.random.default_rng(4), names_of_groups()
    found = {"sampled": 0, "fixed": 0}
    for _ in range(runs):
        evidence = items(grouped(rng), groups=names)
        for groups in found:
            found[groups] += bk.judge(evidence, groups=groups).status == "decided"
    assert found["sampled"] / runs <= most(runs, errors=2)
    assert found["fixed"] / runs > 0.3


def test_means_of_groups_are_those_of_the_items():
    rng = np.random.default_rng(5)
    groups = tuple(np.repeat(list("uvwxyz"), [1, 2, 3, 4, 5, 6]))
    values = (rng.random((2, 21)) < 0.6).astype(float)
    by_groups, by_items = (bk.compare(items(values, groups=groups), groups=how) for how in ("sampled", "fixed"))
    assert by_groups.difference == pytest.approx(by_items.difference)
    assert by_groups.means == by_items.means
    assert (by_groups.sample.groups, by_groups.sample.units, by_items.sample.units) == (6, 6, 21)
    sums = np.array([[row[np.array(groups) == name].sum() for name in "uvwxyz"] for row in -values])
    assert by_groups.pvalue[0] == pytest.approx(bk.stats.pairwise.permutation_t(*sums).pvalue)


@pytest.mark.parametrize("number", [6, 16])
def test_up_to_16_groups_all_signs_are_counted(number):
    rng = np.random.default_rng(number)
    groups = rng.permutation(np.arange(5 * number) % number)
    values = (rng.random((2, 5 * number)) < np.array([[0.8], [0.55]])).astype(float)
    sums = np.bincount(groups, weights=values[0] - values[1])
    signs = 1 - 2 * ((np.arange(2**number)[:, None] >> np.arange(number)) & 1)
    exact = np.mean(np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9)
    comparison = bk.compare(items(values, groups=tuple(map(str, groups))))
    assert comparison.pvalue[0] == pytest.approx(exact, rel=1e-12)


def test_a_group_per_item_is_no_grouping_and_one_group_no_sample():
    values = (np.random.default_rng(6).random((3, 40)) < 0.6).astype(float)
    plain = bk.compare(items(values)).to_dict()
    assert bk.compare(items(values, groups=tuple(map(str, range(40))))).to_dict() == plain
    alone = items(values, groups=("all",) * 40)
    with pytest.raises(bk.InputError, match="one group, all"):
        bk.compare(alone)
    assert bk.compare(alone, groups="fixed").pvalue.tolist() == bk.compare(items(values)).pvalue.tolist()


def test_few_groups_decide_nothing_unless_they_are_all_that_matters():
    values = np.zeros((2, 40))
    values[0, ::2] = 1.0
    evidence = items(values, groups=tuple(np.repeat(list("uvwx"), 10)))
    verdict = bk.judge(evidence, prior=("b", "a"))
    assert (verdict.status, verdict.best) == ("undecided", None)
    assert "K102" in codes(verdict)
    fixed = bk.judge(evidence, prior=("b", "a"), groups="fixed")
    assert (fixed.status, fixed.best) == ("decided", "a")
    assert "K106" in codes(fixed)
    with pytest.raises(bk.InputError, match="groups"):
        bk.judge(evidence, groups="random")


def test_a_tie_has_no_best_and_a_preference_names_one():
    alike = over_datasets(np.random.default_rng(8).normal(0.3, 0.02, (3, 12)))
    for prior, status, best in ((None, "tied", None), (("c", "b", "a"), "preferred", "c")):
        verdict = bk.judge(alike, prior=prior)
        assert (verdict.status, verdict.best) == (status, best)


def test_a_method_names_nobody_who_is_shown_to_be_worse():
    sets, steps = np.random.default_rng(10).normal(0, 0.2, 12), np.array([[0.04], [0.0], [0.02], [0.03]])
    noise = np.random.default_rng(11).normal(0, 0.002, (4, 12))
    scores = over_datasets(0.5 + sets + steps + noise)
    verdict = bk.judge(scores, method="anova-best", prior=["a", "b", "c", "d"])
    assert verdict.ordering.best == "a"  # which pairs show to be the worst
    assert (verdict.status, verdict.best, verdict.best_set) == ("undecided", None, ("b",))


def test_who_was_not_compared_with_all_others_is_not_chosen():
    """One is better than the control, the other worse: by the preference that names the best last, too."""
    for prior in (None, ("c", "b", "a")):
        verdict = bk.judge(table(3, 12, gap=0.2, spread=0.01), prior=prior, control="b")
        assert (verdict.status, verdict.best, verdict.best_set) == ("tied", None, ("a",))
        assert repr(verdict).startswith(
            "1 of 2 is better than b, on data sets like these.\nShown better than b: a; worse: c"
        )


def test_the_scope_is_what_the_claim_is_about():
    rng = np.random.default_rng(9)
    clear = np.array([0.1, 0.4])[:, None]
    for evidence, scope in (
        (items((rng.random((2, 200)) < 1 - clear).astype(float)), "models"),
        (over_datasets(clear + rng.normal(0, 0.01, (2, 12))), "data sets"),
        (makers.folds(clear[:, :, None] + rng.normal(0, 0.01, (2, 5, 2))), "learner"),
        (makers.curves(clear[:, :, None] + rng.normal(0, 0.01, (2, 6, 4))), "runs"),
    ):
        verdict = bk.judge(evidence)
        assert (verdict.status, verdict.best, verdict.scope) == ("decided", "a", scope)


def test_the_command_takes_groups_and_sides(tmp_path):
    path = tmp_path / "items.csv"
    rows = [f"{i},{'uvwx'[i // 10]},{i % 2},0" for i in range(40)]
    path.write_text("item,group,a,b\n" + "\n".join(rows) + "\n")
    ask = ["judge", path, "--larger-is-better", "--prior", "b,a", "--json"]
    assert json.loads(command(*ask).stdout)["status"] == "undecided"
    said = json.loads(command(*ask, "--groups", "fixed", "--sides", "one").stdout)
    assert (said["status"], said["comparison"]["sides"]) == ("decided", "one")
    refused = command(*ask, "--test", "mcnemar-exact")
    assert refused.exit_code == 2
    assert "--groups fixed" in refused.stdout


def test_a_test_that_takes_folds_for_independent_has_no_level():
    errors = 0.2 + np.array([[0.0], [0.05]]) + np.random.default_rng(0).normal(0, 0.01, (2, 10))
    scores = bk.Scores(learners=("a", "b"), values=errors[:, None], measure="error", larger_is_better=False)
    assert sureness(bk.judge(scores)) == "about 95 %"
    assert sureness(bk.judge(scores, test="paired-t")) == ""
    forced = bk.judge(scores, test="wilcoxon", force=True)
    assert forced.status == "decided"
    assert sureness(forced) == ""
    assert headline(forced).endswith("on data like this.")


def test_a_t_test_of_a_few_data_sets_holds_its_level_about():
    few = bk.judge(table(3, 4, gap=0.1, spread=0.005))
    assert (few.test, sureness(few)) == ("paired-t", "about 95 %")
    assert sureness(bk.judge(table(3, 12, gap=0.1))) == "95 %"


def test_what_a_one_sided_test_does_not_ask_about_is_not_called_insignificant():
    """a is best: whether it is worse is all that is asked of the most preferred one."""
    verdict = bk.judge(table(gap=0.1), prior=["a", "b", "c"], sides="one")
    assert {verdict.against("a", name) for name in "bc"} == {"not tested"}
    assert [row[-1] for row in comparison_table(verdict.comparison).rows] == ["not tested"] * 3
    turned = bk.judge(table(gap=0.1), prior=["c", "b", "a"], sides="one")
    assert {turned.against("a", name) for name in "bc"} == {"worse"}
    assert "not tested" not in {bk.judge(table()).against(*pair) for pair in combinations("abc", 2)}


def test_k116_doubts_the_best_of_the_winner_test_where_a_data_set_undoes_it():
    found = 0
    for seed in range(100):
        values = 0.3 + np.array([[0.0], [0.015], [0.02], [0.02]]) + np.random.default_rng(seed).normal(0, 0.02, (4, 14))
        evidence = over_datasets(values)
        verdict = bk.judge(evidence)
        first = [verdict.best in pair for pair in verdict.comparison.pairs]
        if verdict.status == "decided" and not verdict.comparison.significant[first].all():
            rest = [bk.judge(evidence.without(datasets=[name])).best for name in evidence.datasets]
            if any(best != verdict.best for best in rest):
                found += 1
                assert "K116" in codes(verdict)
    assert found > 2


def test_the_p_beside_a_finding_of_several_measures_is_that_of_what_is_said():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")
    pair = verdict.comparison.pair("lda", "qda")
    (part,) = pair.shown_in("qda")
    (row,) = (row for row in first_table(verdict).rows if "lda" in row)
    assert row[-1].endswith(p_words(part.adjusted))
