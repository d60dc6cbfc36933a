"""Orders by every method from evidence: each agrees with its function; sides, controls, groups, Multi²Test."""

import itertools

import numpy as np
import pytest

import bestofk as bk
import makers
from bestofk.ordering import ORDERINGS, ranges
from makers import EXAMPLES, folds, over_datasets, separated, table, uneven_rows

EXAMPLE = EXAMPLES / "five_by_two.csv"
PRIOR = ("max", "nmc", "lgc", "tree", "nn")


@pytest.mark.parametrize("test", ["5x2cv-t", "corrected-t"])
def test_every_method_agrees_with_its_function(test):
    evidence = bk.read(EXAMPLE)
    losses = dict(zip(evidence.learners, evidence.losses()[:, 0], strict=True))
    flat = {name: each.ravel() for name, each in losses.items()}
    methods = set(ORDERINGS) - {"multi2test"}
    found = {method: bk.order(evidence, prior=PRIOR, method=method, test=test) for method in methods}
    assert found["test-first"].best == bk.ordering.test_first(losses, PRIOR, test=test)
    assert found["anova-best"].best == bk.ordering.anova_best(flat, PRIOR)
    assert found["newman-keuls-best"].best == bk.ordering.newman_keuls_best(flat, PRIOR)
    assert found["ranges"].groups == bk.ordering.ranges(losses, test).ranges


@pytest.mark.parametrize("method", ["test-first", "anova-best", "newman-keuls-best", "ranges"])
def test_a_method_of_full_tables_is_refused_of_runs_that_are_not_paired(method):
    runs = bk.read({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]}, rows="runs", measure="error")
    with pytest.raises(bk.InputError, match="needs a full table"):
        bk.order(runs, prior=("a", "b"), method=method)


def test_a_way_of_ordering_from_elsewhere_is_used(monkeypatch):
    class Entry:
        value = "elsewhere:worst_first"

        @staticmethod
        def load():
            return lambda losses, prior, *, alpha: max(losses, key=lambda name: np.mean(losses[name]))

    monkeypatch.setitem(ORDERINGS._others, "worst-first", Entry())
    verdict = bk.judge(folds(separated()), prior=list("abc"), method="worst-first")
    assert verdict.ordering.best == "c"
    assert verdict.ordering.order[0] == "c"
    assert (verdict.best, verdict.status) == (None, "undecided")  # the pairs show it to be the worst
    assert "worst-first finds c, and another is shown to be better" in repr(verdict)


def test_multi2test_says_that_it_takes_no_runs():
    with pytest.raises(bk.InputError, match=r"these are runs\.[^?]*use multitest\."):
        bk.judge(makers.task_runs(tasks=12), prior=("a", "b", "c"), method="multi2test")


def test_multi2test_over_data_sets_with_and_without_folds():
    rng = np.random.default_rng(4)
    values = 0.3 + np.array([0.3, 0.0, 0.6])[:, None, None, None] + rng.normal(0, 0.01, (3, 12, 5, 2))
    verdict = bk.judge(over_datasets(values), prior=("a", "b", "c"), method="multi2test")
    direct = bk.ordering.multi2test(np.moveaxis(values, 1, 0), (0, 1, 2))
    assert verdict.order == tuple("abc"[i] for i in direct.order)
    assert verdict.best == "b"
    flat = bk.order(over_datasets(values.mean(axis=(2, 3))), prior=("a", "b", "c"), method="multi2test")
    assert flat.ranks.within == "losses ranked"
    with pytest.raises(bk.InputError, match="many data sets"):
        bk.judge(folds(separated()), prior=("a", "b", "c"), method="multi2test")


def test_multi2test_never_chooses_a_learner_that_is_shown_to_be_worse():
    """Ranks that tie leave the preference; the comparison overrules it all the same."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        values = 0.3 + rng.normal(0, 0.03, (3, 1)) + rng.normal(0, 0.02, (3, 12))
        comparison, found = makers.ordered(over_datasets(values), prior=list("cba"), method="multi2test")
        assert not any(comparison.shows(name, found.order[0]) for name in found.order[1:])


def test_multi2test_allows_for_the_overlap_of_random_splits():
    """Within each data set the test takes n₂/n₁ = 3/7, as the verdict of that data set by itself does."""
    evidence = table(3, 12, gap=0.03, spread=0.02, shape=(10, 1), test_fraction=0.3)
    graph = bk.judge(evidence, prior=list("cba"), method="multi2test").ordering.ranks
    for i, name in enumerate(evidence.datasets):
        alone = bk.judge(evidence.without(datasets=set(evidence.datasets) - {name}), prior=list("cba"), sides="one")
        ranks = dict(zip(graph.learners, graph.ranks[i], strict=True))
        assert alone.test == graph.within == "repeated-cv-t"
        assert alone.order == tuple(sorted(ranks, key=ranks.__getitem__))


def test_multi2test_asks_for_the_share_of_test_data():
    with pytest.raises(bk.InputError, match="random splits"):
        bk.judge(table(3, 12, shape=(10, 1)), prior=list("cba"), method="multi2test")


def test_groups_are_not_a_verdict():
    with pytest.raises(bk.InputError, match="not which is best"):
        bk.judge(folds(separated()), method="cliques")
    with pytest.raises(bk.UnknownName, match="did you mean 'multitest'"):
        bk.judge(folds(separated()), method="multitst")
    with pytest.raises(bk.InputError, match="needs a preference"):
        bk.judge(folds(separated()), method="test-first")


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "paired-t"])
def test_ranges_are_those_of_their_test_and_nothing_is_adjusted(test):
    values = uneven_rows(5, 14, gap=0.008)
    found = bk.order(over_datasets(values), method="ranges", test=test)
    assert found.groups == ranges(dict(zip("abcde", values, strict=True)), test).ranges
    assert found.groups_by.startswith(f"{test} at 0.05")
    assert found.groups_by.endswith("not adjusted")


def test_cliques_are_adjusted_as_asked():
    evidence = over_datasets(uneven_rows(5, 14, gap=0.008))
    found = bk.order(evidence, method="cliques", adjust="holm")
    assert found.groups_by.endswith("adjust holm")
    comparison = bk.compare(evidence, adjust="holm")
    together = {frozenset(pair) for group in found.groups for pair in itertools.combinations(group, 2)}
    assert together == {frozenset(pair) for pair in comparison.pairs if not comparison.differs(*pair)}


def test_a_test_without_sides_orders_by_its_two_sided_answers():
    verdict = bk.judge(folds(separated()), test="5x2cv-f", prior=("c", "b", "a"))
    assert (verdict.status, verdict.best, verdict.best_set) == ("decided", "a", ("a",))
    assert bk.judge(folds(separated()), test="5x2cv-f").best == "a"
    with pytest.raises(bk.InputError, match="cannot be one-sided"):
        bk.judge(folds(separated()), test="5x2cv-f", prior=("a", "b", "c"), sides="one")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("adjust", ["none", "bonferroni", "holm"])
@pytest.mark.parametrize("test", ["5x2cv-t", "corrected-t"])
def test_one_side_is_multitest_as_its_paper_has_it(seed, adjust, test):
    rng = np.random.default_rng(seed)
    evidence = folds(0.3 + rng.normal(0, 0.03, (4, 1, 1)) + rng.normal(0, 0.02, (4, 5, 2)))
    losses = dict(zip(evidence.learners, evidence.losses()[:, 0], strict=True))
    prior = tuple("abcd"[i] for i in rng.permutation(4))
    direct = bk.ordering.multitest(losses, prior, adjust=adjust, test=test)
    verdict = bk.judge(evidence, prior=prior, adjust=adjust, sides="one", test=test)
    assert verdict.order == direct.order
    assert set(verdict.ordering.edges) == set(direct.edges)
    asked = {frozenset(pair): p for pair, p in zip(direct.pairs, direct.pvalue, strict=True)}
    for pair, p in zip(verdict.comparison.pairs, verdict.comparison.pvalue, strict=True):
        assert p == pytest.approx(asked[frozenset(pair)])
    worse = {(a, b) for b, a in direct.edges}  # nothing is claimed the other way
    assert {pair for pair in itertools.permutations("abcd", 2) if verdict.comparison.shows(*pair)} == worse


def test_one_side_needs_a_preference_and_a_known_word():
    with pytest.raises(bk.InputError, match="there is no preference"):
        bk.judge(folds(separated()), sides="one")
    with pytest.raises(bk.InputError, match="sides"):
        bk.judge(folds(separated()), sides="both")
