"""Judging: status, best, order, who stands beside or above the first, provenance; for every kind of evidence."""

import hashlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestofk as bk
import makers
from makers import EXAMPLES, folds, over_datasets, separated, slow, table

EXAMPLE = EXAMPLES / "five_by_two.csv"
PRIOR = ("max", "nmc", "lgc", "tree", "nn")


@pytest.mark.parametrize(("asked", "test"), [("auto", "corrected-t"), ("5x2cv-t", "5x2cv-t")])
def test_example_with_a_prior(asked, test):
    verdict = bk.judge(bk.read(EXAMPLE), prior=PRIOR, test=asked)
    assert (verdict.best, verdict.status) == ("nmc", "preferred")
    assert verdict.order == ("nmc", "lgc", "tree", "nn", "max")
    assert verdict.rivals == ("lgc", "tree", "nn")
    assert verdict.best_set == ("nmc", "lgc", "tree", "nn")
    assert verdict.rank_intervals == {"nmc": (1, 4), "lgc": (1, 4), "tree": (1, 4), "nn": (1, 4), "max": (5, 5)}
    assert verdict.overtaken == (("max", ("nmc", "lgc", "tree", "nn")),)
    assert verdict.test == test


def test_the_four_statuses():
    clear = folds(separated())
    assert (bk.judge(clear).status, bk.judge(clear).best) == ("decided", "a")
    alike = folds(np.random.default_rng(1).normal(0.3, 0.02, (3, 5, 2)))
    assert (bk.judge(alike).status, bk.judge(alike).best) == ("tied", None)
    preferred = bk.judge(alike, prior=("c", "b", "a"))
    assert (preferred.status, preferred.best) == ("preferred", "c")
    nothing = bk.judge(clear, prior=("c", "b", "a"), method="anova-best")  # ANOVA rejects and cannot say who
    assert (nothing.status, nothing.best, nothing.decidable) == ("undecided", None, True)


@pytest.mark.parametrize("prior", [None, ("c", "b", "a")])
@pytest.mark.parametrize(("datasets", "test"), [(2, "auto"), (3, "auto"), (4, "wilcoxon"), (5, "sign")])
def test_nobody_is_best_where_nothing_could_have_been_shown(prior, datasets, test):
    verdict = bk.judge(table(3, datasets, gap=0.3, spread=0.01), prior=prior, test=test)
    assert (verdict.status, verdict.best, verdict.decidable) == ("undecided", None, False)
    assert verdict.order == ("a", "b", "c")  # by mean: a preference names nothing then
    more = bk.judge(table(3, 6, gap=0.3, spread=0.01), prior=prior, test=test)
    assert (more.status, more.best, more.decidable) == ("decided", "a", True)


def test_the_best_is_who_is_shown_to_be_better_than_all_others():
    """The first fold, which alone is above in 5x2cv-t, speaks against the mean; the two must not be called alike."""
    values = np.full((3, 5, 2), 0.5) + np.array([0.2, 0.0, 0.4])[:, None, None]
    values[0, 0] = [0.3, 0.301]
    values[2] += 0.001 * np.random.default_rng(0).normal(size=(5, 2))
    verdict = bk.judge(folds(values), test="5x2cv-t")
    assert (verdict.status, verdict.best, verdict.order[0]) == ("decided", "a", "a")
    assert verdict.means["b"] < verdict.means["a"]
    assert (verdict.beaten_by, verdict.rivals, verdict.best_set) == ((), (), ("a",))
    assert verdict.against("a", "b") == "worse"


def test_the_first_by_mean_rank_is_not_beaten_by_one_data_set():
    """One data set carries the mean of a against the ranks, by which Wilcoxon's test goes."""
    base = np.linspace(0.1, 0.3, 15)
    b = base.copy()
    b[-1] += 0.45
    verdict = bk.judge(over_datasets([base + 0.01 + np.arange(15) * 1e-4, b, base + 0.2]))
    assert verdict.means["a"] < verdict.means["b"]
    assert (verdict.status, verdict.best, verdict.order) == ("decided", "b", ("b", "a", "c"))
    assert (verdict.beaten_by, verdict.rivals, verdict.best_set) == ((), (), ("b",))


def test_a_circle_of_differences_is_not_called_alike():
    """a is better than b on two data sets of three, b than c, and c than a."""
    rows = np.tile([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]], (1, 60))
    verdict = bk.judge(over_datasets(rows), test="sign", prior=list("abc"))
    assert (verdict.order[0], verdict.beaten_by) == ("a", ("c",))
    assert (verdict.status, verdict.best_set) == ("preferred", ("a", "b", "c"))
    assert set(verdict.rank_intervals.values()) == {(1, 3)}
    assert "K113" in makers.codes(verdict)


def test_without_rivals_the_strongest_is_the_other_of_the_best_mean():
    rng = np.random.default_rng(0)
    middle, spread = np.array([0.10, 0.30, 0.28]), np.array([0.01, 0.08, 0.08])
    rows = middle[:, None] + spread[:, None] * rng.normal(size=(3, 14))
    verdict = bk.judge(over_datasets(rows, learners=("best", "bad", "good")), prior=("bad", "good", "best"))
    assert (verdict.status, verdict.order) == ("decided", ("best", "bad", "good"))
    assert verdict.means["good"] < verdict.means["bad"]
    assert verdict.closest == ("best", "good")


@given(k=st.integers(2, 8), seed=st.integers(0, 10_000), levels=st.integers(1, 4))
def test_there_is_always_an_order(k, seed, levels):
    """Few levels make ties and identical learners common; nothing escapes as an exception."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, levels, (k, 5, 2)) / 4
    prior = tuple("abcdefgh"[i] for i in rng.permutation(k))
    verdict = bk.judge(folds(values), prior=prior)
    assert sorted(verdict.order) == sorted(prior)
    edges = verdict.ordering.edges
    assert all(prior.index(tail) < prior.index(head) for tail, head in edges)
    assert edges or verdict.order == prior
    assert "nan" not in repr(verdict)
    assert bk.judge(folds(values)).status in ("decided", "tied")


@given(
    k=st.integers(2, 8), seed=st.integers(0, 10_000), levels=st.integers(1, 3), kind=st.sampled_from(["d", "i", "c"])
)
def test_there_is_always_an_order_of_other_evidence(k, seed, levels, kind):
    rng = np.random.default_rng(seed)
    if kind == "c":
        evidence = makers.curves(rng.integers(0, levels, (k, 3, 4)) / 4)
    elif kind == "i":
        evidence = makers.items(rng.integers(0, levels, (k, 9)) / 1)
    else:
        evidence = over_datasets(rng.integers(0, levels, (k, 7)) / 4)
    prior = [evidence.learners[i] for i in rng.permutation(k)]
    verdict = bk.judge(evidence, prior=prior)
    assert sorted(verdict.order) == sorted(prior)
    assert verdict.status == "undecided" or verdict.ordering.edges or list(verdict.order) == prior
    assert "nan" not in repr(verdict)


@pytest.mark.parametrize("k", [3, 60, *slow(200)])
def test_identical_learners_keep_the_preference(k):
    names = tuple(f"l{i}" for i in range(k))
    rng = np.random.default_rng(0)
    for evidence in (
        folds(np.tile(rng.random((1, 5, 2)), (k, 1, 1)), learners=names),
        over_datasets(np.tile(rng.random((1, 12)), (k, 1)), learners=names),
        makers.items(np.tile(rng.integers(0, 2, (1, 30)), (k, 1)), learners=names),
    ):
        verdict = bk.judge(evidence, prior=names[::-1])
        assert verdict.ordering.order == names[::-1]
        assert verdict.order == (names[::-1] if verdict.decidable else tuple(sorted(names)))
        assert verdict.status == ("preferred" if verdict.decidable else "undecided")
        assert len(verdict.reasons) == k * (k - 1) // 2


def test_provenance_and_json():
    verdict = bk.judge(bk.read(EXAMPLE), prior=PRIOR, seed=5)
    assert verdict.provenance.sha256 == hashlib.sha256(EXAMPLE.read_bytes()).hexdigest()
    assert verdict.provenance.seed == 5
    assert verdict.provenance.settings == {"prior": list(PRIOR), "seed": 5}
    assert verdict.provenance.versions["numpy"] == np.__version__
    data = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert data["best"] == "nmc"
    assert data["comparison"]["choice"]["test"] == "corrected-t"
    assert data["findings"]["detectable"]["test"] == "corrected-t"
    assert len(data["reasons"]) == 10
    assert not {"evidence", "features"} & data.keys()


def test_a_seed_makes_shuffling_tests_repeatable():
    evidence = makers.items(np.random.default_rng(0).random((2, 40)))
    one, two = (bk.judge(evidence, seed=3) for _ in range(2))
    assert one.to_dict() == two.to_dict()


def test_evidence_of_the_wrong_kind_is_refused():
    for call in (
        lambda: bk.judge(None),
        lambda: bk.judge(folds(separated()), adjust=["holm"]),
        lambda: bk.judge(folds(separated()), alpha=2),
        lambda: bk.order(3),
        lambda: bk.read(None),
    ):
        with pytest.raises(bk.InputError):
            call()


def test_a_wrong_seed_is_refused_whether_the_test_draws_or_not():
    with pytest.raises(bk.InputError, match="-1"):
        bk.judge(folds(separated()), seed=-1)


def test_a_place_by_mean_rank_is_not_said_to_be_by_mean():
    ranked, listed = bk.judge(makers.table(3, 12)), bk.judge(makers.table(3, 12), test="paired-t")
    assert ranked.comparison.mean_ranks is not None
    assert listed.comparison.mean_ranks is None
    assert {each.ground for each in ranked.reasons} == {"mean rank"}
    assert {each.ground for each in listed.reasons} == {"mean"}
