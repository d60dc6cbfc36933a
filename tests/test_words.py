"""Verdicts from random evidence: the fields follow from the tests, run anew; so do the words of a comparison."""

import re
from itertools import combinations

import numpy as np
import pytest

import bestofk as bk
from bestofk.comparing import sample_of
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE

NAMES = ("lda", "knn", "svm", "tree", "nn")
MEASURES = [("error", False), ("accuracy", True)]
DATASETS = tuple(f"d{i}" for i in range(15))


def folds(rng, k):
    shape = [(5, 2), (1, 10), (3, 4)][rng.integers(3)]
    values = 0.3 + rng.normal(0, 0.02, size=(k, 1, 1)) + rng.normal(0, 0.01, size=(k, *shape))
    if rng.random() < 0.15:
        values[1] = values[0]
    return bk.Scores, {"values": values}


def first_fold_lies(rng, k):
    """5x2 results whose first fold, which alone is in the numerator of 5x2cv-t, speaks against the mean."""
    values = 0.3 + rng.normal(0, 0.001, size=(k, 5, 2))
    values[0] += 0.05
    values[0, 0] -= 0.1
    return bk.Scores, {"values": values}


def datasets(rng, k):
    count = int(rng.integers(5, 16))
    values = 0.3 + rng.normal(0, 0.03, (k, 1, 1, 1)) + rng.normal(0, 0.03, (k, count, 1, 1))
    if rng.random() < 0.3:  # one data set carries the mean of one learner against its ranks
        values[0, 0] += 3.0
    return bk.Scores, {"values": values, "datasets": DATASETS[:count]}


def gappy(rng, k):
    kind, facts = datasets(rng, k)
    if facts["values"].shape[1] > 8:
        facts["values"][0, -3:] = np.nan
    return kind, facts


def circle(rng, k):
    """Each of three learners beats the next on two data sets of three."""
    cycle = np.array([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]])
    values = np.tile(cycle, (1, 20))[:, :, None, None] + rng.normal(0, 0.001, (3, 60, 1, 1))
    return bk.Scores, {"values": values, "datasets": tuple(f"d{i}" for i in range(60))}


def items(rng, k):
    return bk.Items, {"values": (rng.random((k, 80)) < rng.uniform(0.4, 0.9, (k, 1))).astype(float)}


def graded(rng, k):
    return bk.Items, {"values": rng.normal(rng.normal(0, 0.3, (k, 1)), 1.0, (k, 12))}


def curves(rng, k):
    return bk.Curves, {
        "values": tuple(rng.normal(rng.normal(0, 0.5), 1, (int(rng.integers(3, 7)), 4)) for _ in range(k))
    }


KINDS = [folds, folds, first_fold_lies, datasets, datasets, gappy, circle, items, graded, curves]
TESTS = {datasets: ["auto", "sign", "paired-t", "nemenyi"], circle: ["sign", "wilcoxon"], graded: ["auto", "wilcoxon"]}
METHODS = ["multitest"] * 3 + ["test-first", "anova-best", "newman-keuls-best"] + ["multi2test"] * 2


def random_case(rng):
    kind = KINDS[rng.integers(len(KINDS))]
    k = 3 if kind is circle else int(rng.integers(2, 6))
    measure, larger = MEASURES[rng.integers(2)]
    make, facts = kind(rng, k)
    costs = {"price": dict(zip(NAMES[:k], rng.integers(1, 4, k).astype(float).tolist(), strict=True))}
    evidence = make(learners=NAMES[:k], measure=measure, larger_is_better=larger, costs=costs, **facts)
    draw = rng.random()
    options = {
        "prior": [str(n) for n in rng.permutation(NAMES[:k])] if draw < 0.5 else "price" if draw < 0.65 else None,
        "adjust": str(rng.choice(["none", "bonferroni", "holm", "benjamini-hochberg"])),
        "alpha": float(rng.choice([0.05, 0.1, 0.01])),
        "test": str(rng.choice(TESTS.get(kind, ["auto"]))),
        "missing": "keep" if kind is gappy else "refuse",
    }
    if options["prior"] is not None and kind in (folds, datasets) and options["test"] != "nemenyi":
        method = str(rng.choice(METHODS))
        options["method"] = "multitest" if method == "multi2test" and kind is folds else method
    return evidence, options


def called(verdict, evidence, one, two):
    """Raw p (two-sided, first loses less, first loses more) of a pair, by the test called directly."""
    design = sample_of(evidence)
    i, j = design.learners.index(one), design.learners.index(two)
    sides = ("two-sided", "less", "greater")
    if verdict.test == "nemenyi":
        pair = verdict.comparison.pair(one, two)
        return pair.pvalue, pair.pvalue, pair.pvalue
    if verdict.test == "randomized-t":
        return tuple(randomized_t(design.curves[i], design.curves[j], alternative=s, rng=0).pvalue for s in sides)
    run = PAIRWISE[verdict.test]
    losses = design.rows if method_of(run).axes == 1 else design.losses
    first, second = losses[i], losses[j]
    if design.incomplete:
        both = ~np.isnan(first) & ~np.isnan(second)
        first, second = first[both], second[both]
    options = {"rng": 0} if method_of(run).seeded else {}
    return tuple(run(first, second, alternative=s, **options).pvalue for s in sides)


def check_comparison(verdict, found):
    """Raw p, the side that the test speaks for, and the adjusted decision."""
    comparison = verdict.comparison
    raw = np.array([p for p, _, _ in found.values()])
    np.testing.assert_allclose(comparison.pvalue, raw, rtol=1e-12)
    if verdict.test != "nemenyi":
        np.testing.assert_allclose(comparison.adjusted, ADJUST[comparison.adjust](raw), rtol=1e-9)
        for (one, two), (_, less, greater) in found.items():
            better = one if less < greater else two if greater < less else None
            assert comparison.pair(one, two).better == better
    for one, two in comparison.pairs:
        pair = comparison.pair(one, two)
        assert pair.significant == (pair.adjusted <= verdict.alpha and pair.better is not None)


def shown(verdict, better, worse):
    pair = verdict.comparison.pair(better, worse)
    return pair.significant and pair.better == better


def check_status(verdict):
    """Who stands beside or above the first, the status that follows, and the best that it allows."""
    first, *others = verdict.order
    beaten_by = {name for name in others if shown(verdict, name, first)}
    apart = {name for name in others if shown(verdict, first, name)}
    assert set(verdict.beaten_by) == beaten_by
    assert set(verdict.rivals) == set(others) - apart - beaten_by
    alone = apart == set(others) and verdict.ordering.method != "multi2test"
    open_case = "tied" if verdict.prior is None else "preferred"
    silent = verdict.ordering.best is None or not verdict.comparison.decidable
    assert verdict.status == ("undecided" if silent else "decided" if alone else open_case)
    assert verdict.best == (first if verdict.status in ("decided", "preferred") else None)
    assert ("K102" in {advice.code for advice in verdict.advice}) == (not verdict.comparison.decidable)
    if not verdict.comparison.decidable:  # nothing can be significant, so nothing is
        assert not any(verdict.comparison.pair(*names).significant for names in verdict.comparison.pairs)


def check_order(verdict, evidence):
    """By mean without a preference; with one, MultiTest's edges are what the comparison shows against it."""
    assert sorted(verdict.order) == sorted(evidence.learners)
    means, sign = verdict.comparison.means, -1 if evidence.larger_is_better else 1
    if not sample_of(evidence).incomplete:
        assert means == evidence.means()
    if verdict.prior is None:
        assert [sign * means[name] for name in verdict.order] == sorted(sign * mean for mean in means.values())
        return
    edges, place = set(verdict.ordering.edges), verdict.order.index
    assert all(place(head) < place(tail) for tail, head in edges)
    if verdict.ordering.method == "multitest":
        assert edges == {pair for pair in combinations(verdict.prior, 2) if shown(verdict, *pair[::-1])}
        assert verdict.order[0] in verdict.possible_best
        assert tuple(name for name, _ in verdict.overtaken) == verdict.prior[: verdict.prior.index(verdict.order[0])]


def check_reason(reason, verdict):
    """What a reason claims is what the comparison says; ranks speak only where it is silent."""
    better, worse = reason.better, reason.worse
    assert reason.pvalue == verdict.comparison.pair(better, worse).adjusted
    assert (reason.ground == "significant") == shown(verdict, better, worse)
    assert (reason.ground == "against") == shown(verdict, worse, better)
    if reason.ground == "ranked":
        assert verdict.ordering.method == "multi2test"
        assert (worse, better) in verdict.ordering.edges
    if reason.ground in ("mean", "found"):
        assert verdict.ordering.graph is None
    if reason.ground in ("ranked", "graph"):
        assert verdict.prior.index(better) > verdict.prior.index(worse)
    if reason.ground == "preferred":
        assert verdict.prior.index(better) < verdict.prior.index(worse)


@pytest.mark.parametrize("seed", range(300))
def test_the_fields_follow_from_the_tests(seed):
    evidence, options = random_case(np.random.default_rng(seed))
    verdict = bk.judge(evidence, **options)
    check_comparison(verdict, {pair: called(verdict, evidence, *pair) for pair in verdict.comparison.pairs})
    check_status(verdict)
    check_order(verdict, evidence)
    assert [(each.better, each.worse) for each in verdict.reasons] == list(combinations(verdict.order, 2))
    for reason in verdict.reasons:
        check_reason(reason, verdict)


@pytest.mark.parametrize("seed", range(60))
def test_the_words_of_a_comparison_agree_with_its_fields(seed):
    rng = np.random.default_rng(seed)
    evidence, options = random_case(rng)
    comparison = bk.compare(evidence, test=options["test"], alpha=options["alpha"], missing=options["missing"])
    text = comparison.text()
    rows = text.split("\n\n")[-1].splitlines()[1:]
    differ = int((comparison.adjusted <= comparison.alpha).sum())
    assert text.startswith(f"{differ} of {len(rows)} pair")
    assert sum("not separated" not in row for row in rows) == differ
    if comparison.interval_from:
        assert f"its {100 - 100 * options['alpha']:g} % interval by {comparison.interval_from}" in text
    for row, names in zip(rows, comparison.pairs, strict=True):
        pair = comparison.pair(*names)
        cells = re.split(r"\s{2,}", row.strip())
        assert cells[:3] == [*names, f"{pair.difference:.4g}"]
        assert cells[-1] == (f"{pair.better} better" if pair.significant else "not separated")
        assert cells[-2] == f"{pair.adjusted:.4g}"
