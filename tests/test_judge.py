"""Judging: status, preferences, methods, tests that a design does not allow."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bestofk as bk
from bestofk.comparing import sample_of
from bestofk.judging import METHODS, chosen_test
from bestofk.ordering import ORDERINGS

EXAMPLE = Path(__file__).parent.parent / "examples" / "five_by_two.csv"
PRIOR = ("max", "nmc", "lgc", "tree", "nn")


def scores(values, names="abcdefgh", **more):
    values = np.asarray(values, dtype=float)
    return bk.Scores(
        learners=tuple(names[: len(values)]), values=values, measure="error", larger_is_better=False, **more
    )


def over_datasets(values, **more):
    values = np.asarray(values, dtype=float)
    names = tuple(f"d{i}" for i in range(values.shape[1]))
    return scores(values[:, :, None, None], datasets=names, **more)


def separated(k=3, shape=(5, 2), seed=0):
    return np.arange(k)[:, None, None] * 0.2 + np.random.default_rng(seed).normal(0, 0.01, (k, *shape))


def test_example_with_a_prior():
    verdict = bk.judge(bk.read(EXAMPLE), prior=PRIOR)
    assert (verdict.best, verdict.status) == ("nmc", "preferred")
    assert verdict.order == ("nmc", "lgc", "tree", "nn", "max")
    assert verdict.rivals == ("lgc", "tree", "nn")
    assert verdict.test == "5x2cv-t"


def test_the_four_statuses():
    clear = scores(separated())
    assert bk.judge(clear).status == "decided"
    alike = scores(np.random.default_rng(1).normal(0.3, 0.02, (3, 5, 2)))
    assert bk.judge(alike).status == "tied"
    assert bk.judge(alike, prior=("c", "b", "a")).status == "preferred"
    assert bk.judge(alike, prior=("c", "b", "a")).best == "c"
    nothing = bk.judge(clear, prior=("c", "b", "a"), method="anova-best")  # ANOVA rejects and cannot say who
    assert (nothing.status, nothing.best) == ("undecided", None)
    assert nothing.text().startswith("No best is found by anova-best")


def test_tests_are_chosen_by_the_design():
    rng = np.random.default_rng(0)
    for evidence, test in (
        (scores(rng.random((2, 5, 2))), "5x2cv-t"),
        (scores(rng.random((2, 1, 10))), "corrected-t"),
        (over_datasets(rng.random((3, 12))), "wilcoxon"),
        (over_datasets(rng.random((2, 12))), "paired-t"),
        (
            bk.Items(learners=("a", "b"), values=[[0, 1, 1], [1, 1, 0]], measure="m", larger_is_better=True),
            "mcnemar-mid-p",
        ),
        (bk.Items(learners=("a", "b"), values=rng.random((2, 9)), measure="m", larger_is_better=True), "permutation-t"),
        (
            bk.Curves(learners=("a", "b"), values=rng.random((2, 3, 4)), measure="m", larger_is_better=True),
            "randomized-t",
        ),
    ):
        assert chosen_test("auto", sample_of(evidence)).test == test
        assert f"Test: {test}, because" in bk.judge(evidence).text()


@pytest.mark.parametrize(
    "test", ["friedman", "wilcoxon", "sign", "permutation-t", "nemenyi", "mcnemar", "randomized-t"]
)
def test_tests_that_folds_do_not_allow_are_refused(test):
    with pytest.raises(bk.InputError, match="not valid here") as refused:
        bk.judge(scores(separated(shape=(1, 10))), test=test)
    assert "10 folds of one data set" in str(refused.value)
    assert "use corrected-t" in str(refused.value)


def test_friedman_on_folds_is_told_why_and_can_be_forced():
    ten = scores(separated(shape=(1, 10)))
    with pytest.raises(bk.InputError, match="10 folds of one data set are not 10 data sets"):
        bk.judge(ten, test="friedman")
    forced = bk.judge(ten, test="friedman", force=True)
    assert "friedman was forced, although it is not valid here" in forced.text()
    assert forced.test == "nemenyi"
    asked = bk.judge(over_datasets(np.random.default_rng(0).random((3, 12))), test="friedman")
    assert (asked.test, asked.comparison.omnibus.test) == ("nemenyi", "friedman (Iman–Davenport)")


def test_a_learner_shown_better_than_the_first_is_named():
    """One data set carries the mean of a against the ranks; the verdict must not say that the two are alike."""
    base = np.linspace(0.1, 0.3, 15)
    b = base.copy()
    b[-1] += 0.45
    verdict = bk.judge(over_datasets([base + 0.01 + np.arange(15) * 1e-4, b, base + 0.2]))
    assert (verdict.status, verdict.order[0]) == ("tied", "a")
    assert verdict.beaten_by == ("b",)
    assert verdict.rivals == ()
    assert verdict.reason("a", "b").ground == "against"
    assert verdict.text().startswith("No single best: the tests show b to be better than a")
    assert "do not separate" not in verdict.text()


def test_a_circle_of_differences_is_not_called_alike():
    rows = np.tile([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]], (1, 60))
    verdict = bk.judge(over_datasets(rows), test="sign", prior=list("abc"))
    assert verdict.beaten_by == ("a",)
    assert "K113" in verdict.text()


def test_random_splits_need_their_share_and_use_it():
    rng = np.random.default_rng(0)
    values = 0.3 + rng.normal(0, 0.02, (2, 10, 1))
    with pytest.raises(bk.InputError, match="--test-fraction"):
        bk.judge(scores(values))
    verdict = bk.judge(scores(values, test_fraction=0.5))
    direct = bk.stats.pairwise.corrected_t(values[0, :, 0], values[1, :, 0], test_fraction=0.5)
    assert verdict.test == "corrected-t"
    assert verdict.reasons[0].pvalue == pytest.approx(direct.pvalue)


def test_a_way_of_ordering_from_elsewhere_is_used(monkeypatch):
    class Entry:
        value = "elsewhere:worst_first"

        @staticmethod
        def load():
            return lambda losses, prior, *, alpha: max(losses, key=lambda name: np.mean(losses[name]))

    monkeypatch.setitem(ORDERINGS._others, "worst-first", Entry())
    verdict = bk.judge(scores(separated()), prior=list("abc"), method="worst-first")
    assert verdict.best == "c"
    assert verdict.beaten_by == ("a", "b")


def test_force_is_printed():
    verdict = bk.judge(scores(separated(shape=(1, 10))), test="wilcoxon", force=True)
    assert "wilcoxon was forced, although it is not valid here" in verdict.text()
    assert {"K101", "K111"} <= {advice.code for advice in verdict.advice}
    assert verdict.comparison.forced
    with pytest.raises(bk.InputError):  # nothing can force a test of right and wrong on graded losses
        bk.judge(scores(separated(shape=(1, 10))), test="mcnemar", force=True)


def test_other_designs_refuse_as_well():
    rng = np.random.default_rng(0)
    with pytest.raises(bk.InputError, match="not 12 data sets"):
        bk.judge(over_datasets(rng.random((2, 12))), test="corrected-t")
    graded = bk.Items(learners=("a", "b"), values=rng.random((2, 9)), measure="m", larger_is_better=True)
    with pytest.raises(bk.InputError, match="right or wrong"):
        bk.judge(graded, test="mcnemar-exact")
    with pytest.raises(bk.UnknownName, match="did you mean 'wilcoxon'"):
        bk.judge(graded, test="wilcoxn")
    with pytest.raises(bk.InputError, match="5 replications of 2 folds; got"):
        bk.judge(scores(separated(shape=(1, 10))), test="5x2cv-t")
    with pytest.raises(bk.InputError, match="cannot show a difference"):
        bk.judge(scores(separated(shape=(1, 1))))
    with pytest.raises(bk.InputError, match="random splits"):
        bk.judge(scores(separated(shape=(4, 1))))


def test_the_k_fold_t_of_one_run_is_allowed_with_advice():
    verdict = bk.judge(scores(separated(shape=(1, 10))), test="paired-t")
    assert [advice.code for advice in verdict.advice if advice.code == "K101"] == ["K101"]
    assert not verdict.comparison.forced
    with pytest.raises(bk.InputError):
        bk.judge(scores(separated(shape=(10, 10))), test="paired-t")


COSTS = {"fit_time": {"a": 3.0, "b": 1.0, "c": 2.0}, "price": {"a": 1.0, "b": 1.0, "c": 0.5}}


@pytest.mark.parametrize("prior", ["fit-time", "fit_time", "Fit Time", ["fit-time"]])
def test_a_cost_orders_the_learners(prior):
    verdict = bk.judge(scores(separated(seed=2), costs=COSTS), prior=prior)
    assert verdict.prior == ("b", "c", "a")
    assert "Preference: by fit_time, smaller first: b, c, a." in verdict.text()


def test_equal_costs_are_broken_by_name_and_said():
    verdict = bk.judge(scores(np.full((3, 5, 2), 0.1), costs=COSTS), prior="price")
    assert verdict.prior == ("c", "a", "b")
    assert verdict.ordering.prior_ties == (("a", "b"),)
    assert "K109: the cost is equal for a, b" in verdict.text()


@pytest.mark.parametrize(
    ("prior", "said"),
    [
        (["a", "b"], "does not name c"),
        (["a", "b", "c", "x"], "unknown learner 'x'"),
        (["a", "a", "b", "c"], "named twice"),
        ("fit-tim", "did you mean 'fit_time'"),
        (3, "prior is 3"),
    ],
)
def test_a_wrong_preference_gets_three_lines(prior, said):
    with pytest.raises(bk.InputError, match=said):
        bk.judge(scores(separated(), costs=COSTS), prior=prior)


def test_a_cost_that_is_not_known_for_all():
    with pytest.raises(bk.InputError, match="size is not known for b"):
        bk.judge(scores(separated(), costs={"size": {"a": 1.0, "b": float("nan"), "c": 2.0}}), prior="size")


def test_every_method_agrees_with_its_function():
    evidence = bk.read(EXAMPLE)
    losses = dict(zip(evidence.learners, evidence.losses()[:, 0], strict=True))
    flat = {name: each.ravel() for name, each in losses.items()}
    found = {method: bk.order(evidence, prior=PRIOR, method=method) for method in METHODS if method != "multi2test"}
    assert found["test-first"].best == bk.ordering.test_first(losses, PRIOR)
    assert found["anova-best"].best == bk.ordering.anova_best(flat, PRIOR)
    assert found["newman-keuls-best"].best == bk.ordering.newman_keuls_best(flat, PRIOR)
    assert found["ranges"].groups == bk.ordering.ranges(losses, "5x2cv-t").ranges
    assert sorted(METHODS) == sorted(ORDERINGS.names())


def test_multi2test_over_data_sets_with_and_without_folds():
    rng = np.random.default_rng(4)
    values = 0.3 + np.array([0.3, 0.0, 0.6])[:, None, None, None] + rng.normal(0, 0.01, (3, 12, 5, 2))
    names = tuple(f"d{i}" for i in range(12))
    verdict = bk.judge(scores(values, datasets=names), prior=("a", "b", "c"), method="multi2test")
    direct = bk.ordering.multi2test(np.moveaxis(values, 1, 0), (0, 1, 2))
    assert verdict.order == tuple("abc"[i] for i in direct.order)
    assert verdict.best == "b"
    flat = bk.judge(over_datasets(values.mean(axis=(2, 3))), prior=("a", "b", "c"), method="multi2test")
    assert flat.ordering.graph.within == "losses ranked"
    with pytest.raises(bk.InputError, match="many data sets"):
        bk.judge(scores(separated()), prior=("a", "b", "c"), method="multi2test")


def test_groups_are_not_a_verdict():
    with pytest.raises(bk.InputError, match="not which is best"):
        bk.judge(scores(separated()), method="cliques")
    with pytest.raises(bk.UnknownName, match="did you mean 'multitest'"):
        bk.judge(scores(separated()), method="multitst")
    with pytest.raises(bk.InputError, match="needs a preference"):
        bk.judge(scores(separated()), method="test-first")


def test_possible_best_is_what_all_preferences_give():
    rng = np.random.default_rng(7)
    for adjust in ("bonferroni", "none", "holm"):
        values = 0.3 + rng.normal(0, 0.04, (4, 1, 1)) + rng.normal(0, 0.02, (4, 5, 2))
        evidence = scores(values)
        best = {bk.judge(evidence, prior=prior, adjust=adjust).best for prior in itertools.permutations("abcd")}
        assert set(bk.judge(evidence, adjust=adjust).possible_best) == best


def test_a_test_without_sides_orders_by_its_two_sided_answers():
    verdict = bk.judge(scores(separated()), test="5x2cv-f", prior=("c", "b", "a"))
    assert (verdict.status, verdict.best, verdict.possible_best) == ("decided", "a", ("a",))
    assert bk.judge(scores(separated()), test="5x2cv-f").best == "a"
    with pytest.raises(bk.InputError, match="cannot be one-sided"):
        bk.judge(scores(separated()), test="5x2cv-f", prior=("a", "b", "c"), sides="one")


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("adjust", ["none", "bonferroni", "holm"])
def test_one_side_is_multitest_as_its_paper_has_it(seed, adjust):
    rng = np.random.default_rng(seed)
    evidence = scores(0.3 + rng.normal(0, 0.03, (4, 1, 1)) + rng.normal(0, 0.02, (4, 5, 2)))
    losses = dict(zip(evidence.learners, evidence.losses()[:, 0], strict=True))
    prior = tuple("abcd"[i] for i in rng.permutation(4))
    direct = bk.ordering.multitest(losses, prior, adjust=adjust)
    verdict = bk.judge(evidence, prior=prior, adjust=adjust, sides="one")
    assert verdict.order == direct.order
    assert set(verdict.ordering.edges) == set(direct.edges)
    asked = {frozenset(pair): p for pair, p in zip(direct.pairs, direct.pvalue, strict=True)}
    for pair, p in zip(verdict.comparison.pairs, verdict.comparison.pvalue, strict=True):
        assert p == pytest.approx(asked[frozenset(pair)])
    worse = {(a, b) for b, a in direct.edges}  # nothing is claimed the other way
    assert {pair for pair in itertools.permutations("abcd", 2) if verdict.comparison.shows(*pair)} == worse


def test_one_side_needs_a_preference_and_a_known_word():
    with pytest.raises(bk.InputError, match="there is no preference"):
        bk.judge(scores(separated()), sides="one")
    with pytest.raises(bk.InputError, match="sides"):
        bk.judge(scores(separated()), sides="both")


@given(k=st.integers(2, 8), seed=st.integers(0, 10_000), levels=st.integers(1, 4))
@settings(deadline=None, max_examples=40)
def test_there_is_always_an_order(k, seed, levels):
    """Few levels make ties and identical learners common; nothing escapes as an exception."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, levels, (k, 5, 2)) / 4
    prior = tuple("abcdefgh"[i] for i in rng.permutation(k))
    verdict = bk.judge(scores(values), prior=prior)
    assert sorted(verdict.order) == sorted(prior)
    edges = verdict.ordering.edges
    assert all(prior.index(tail) < prior.index(head) for tail, head in edges)
    assert edges or verdict.order == prior
    assert "nan" not in verdict.text()
    assert bk.judge(scores(values)).status in ("decided", "tied")


@given(
    k=st.integers(2, 8), seed=st.integers(0, 10_000), levels=st.integers(1, 3), kind=st.sampled_from(["d", "i", "c"])
)
@settings(deadline=None, max_examples=40)
def test_there_is_always_an_order_of_other_evidence(k, seed, levels, kind):
    rng = np.random.default_rng(seed)
    names = tuple("abcdefgh"[:k])
    facts = {"learners": names, "measure": "error", "larger_is_better": False}
    if kind == "c":
        evidence = bk.Curves(values=tuple(rng.integers(0, levels, (3, 4)) / 4 for _ in names), **facts)
    elif kind == "i":
        evidence = bk.Items(values=rng.integers(0, levels, (k, 9)) / 1, **facts)
    else:
        evidence = over_datasets(rng.integers(0, levels, (k, 7)) / 4)
    prior = [names[i] for i in rng.permutation(k)]
    verdict = bk.judge(evidence, prior=prior)
    assert sorted(verdict.order) == sorted(names)
    assert verdict.ordering.edges or list(verdict.order) == prior
    assert "nan" not in verdict.text()


@pytest.mark.parametrize("k", [3, 200])
def test_identical_learners_on_data_sets_and_items(k):
    names = tuple(f"l{i}" for i in range(k))
    rng = np.random.default_rng(0)
    facts = {"learners": names, "measure": "error", "larger_is_better": False}
    table = np.tile(rng.random((1, 12, 1, 1)), (k, 1, 1, 1))
    for evidence in (
        bk.Scores(values=table, datasets=tuple(map(str, range(12))), **facts),
        bk.Items(values=np.tile(rng.integers(0, 2, (1, 30)), (k, 1)), **facts),
    ):
        assert bk.judge(evidence, prior=names[::-1]).order == names[::-1]


@pytest.mark.parametrize("k", [2, 3, 20, 200])
def test_identical_learners_keep_the_preference(k):
    names = tuple(f"l{i}" for i in range(k))
    same = np.tile(np.random.default_rng(0).random((1, 5, 2)), (k, 1, 1))
    evidence = bk.Scores(learners=names, values=same, measure="error", larger_is_better=False)
    verdict = bk.judge(evidence, prior=names[::-1])
    assert verdict.order == names[::-1]
    assert verdict.status == "preferred"
    assert len(verdict.reasons) == k * (k - 1) // 2


def test_provenance_and_json():
    import hashlib
    import json

    verdict = bk.judge(bk.read(EXAMPLE), prior=PRIOR, seed=5)
    assert verdict.provenance.sha256 == hashlib.sha256(EXAMPLE.read_bytes()).hexdigest()
    assert verdict.provenance.seed == 5
    assert verdict.provenance.settings["prior"] == list(PRIOR)
    assert verdict.provenance.versions["numpy"] == np.__version__
    data = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert data["best"] == "nmc"
    assert data["comparison"]["test"] == "5x2cv-t"
    assert len(data["reasons"]) == 10


def test_a_seed_makes_shuffling_tests_repeatable():
    rng = np.random.default_rng(0)
    evidence = bk.Items(learners=("a", "b"), values=rng.random((2, 40)), measure="m", larger_is_better=True)
    one, two = (bk.judge(evidence, seed=3) for _ in range(2))
    assert one.text() == two.text()
    assert one.reasons[0].pvalue == two.reasons[0].pvalue


def test_evidence_of_the_wrong_kind_is_refused():
    for call in (
        lambda: bk.judge(None),
        lambda: bk.judge(scores(separated()), adjust=["holm"]),
        lambda: bk.judge(scores(separated()), alpha=2),
        lambda: bk.order(3),
        lambda: bk.read(None),
    ):
        with pytest.raises(bk.InputError):
            call()


def test_a_wrong_seed_is_refused_whether_the_test_draws_or_not():
    rng = np.random.default_rng(0)
    evidence = bk.Scores(learners=("a", "b"), measure="error", larger_is_better=False, values=rng.random((2, 5, 2)))
    with pytest.raises(bk.InputError, match="-1"):
        bk.judge(evidence, seed=-1)


def test_the_p_values_of_a_verdict_are_those_of_the_comparison():
    rng = np.random.default_rng(1)
    values = 0.3 + 0.02 * np.arange(4)[:, None, None, None] + rng.normal(0, 0.03, (4, 12, 5, 2))
    evidence = scores(values, datasets=tuple(f"d{i}" for i in range(12)))
    for options in ({}, {"prior": list("dcba")}, {"prior": list("dcba"), "method": "multi2test", "test": "nemenyi"}):
        verdict = bk.judge(evidence, **options)
        first, *others = verdict.order
        for name, row in zip(others, verdict.rows()[1:], strict=True):
            assert row["p against first"] == verdict.comparison.adjusted_pvalue(first, name)
