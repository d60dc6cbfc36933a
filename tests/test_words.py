"""The words never contradict the numbers: verdicts from random evidence, each sentence checked against the fields, and
the fields against the tests run anew."""

import re

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


@pytest.mark.parametrize("seed", range(300))
def test_the_words_never_contradict_the_numbers(seed):
    rng = np.random.default_rng(seed)
    evidence, options = random_case(rng)
    verdict = bk.judge(evidence, **options)
    found = {pair: called(verdict, evidence, *pair) for pair in verdict.comparison.pairs}
    check_comparison(verdict, found)
    check_headline(verdict)
    check_order(verdict, evidence)
    check_reasons(verdict, evidence, found)
    check_table(verdict)
    check_possible_best(verdict)
    check_grounds(verdict)


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
        assert pair.significant == (pair.adjusted <= verdict.alpha)


def shown(verdict, better, worse):
    pair = verdict.comparison.pair(better, worse)
    return pair.significant and pair.better == better


def order_shows(verdict, better, worse):
    """Whether the tests of the order itself show it: an edge, or the two-sided ranks of multi2test."""
    graph = verdict.ordering.graph
    if (worse, better) in verdict.ordering.edges:
        return True
    if verdict.ordering.method != "multi2test" or (better, worse) not in graph.pairs:
        return False
    ranks = dict(zip(graph.learners, graph.mean_ranks, strict=True))
    return graph.pvalue[graph.pairs.index((better, worse))] <= verdict.alpha and ranks[better] < ranks[worse]


def names_in(text, verdict):
    return set(re.findall(r"\w+", text)) & set(verdict.order)


def check_headline(verdict):
    headline, first = verdict.text().splitlines()[0], verdict.order[0]
    starts = {
        "decided": f"{first} is best",
        "preferred": f"{first} is the choice",
        "tied": "No single best",
        "undecided": "No best is found",
    }
    assert headline.startswith(starts[verdict.status])
    edges = {head for tail, head in verdict.ordering.edges if tail == first}
    assert not edges
    apart = {n for n in verdict.order[1:] if shown(verdict, first, n) or order_shows(verdict, first, n)}
    beaten_by = {n for n in verdict.order[1:] if shown(verdict, n, first)} - apart
    assert set(verdict.beaten_by) == beaten_by
    assert set(verdict.rivals) == set(verdict.order[1:]) - apart - beaten_by
    if verdict.status != "undecided":
        assert (verdict.status == "decided") == (not verdict.rivals and not beaten_by)
        said = headline.split(" from ", 1)[1].split(",")[0:1] if verdict.rivals else []
        assert bool(re.search("do(es)? not separate", headline)) == bool(verdict.rivals)
        assert ("tests show" in headline) == bool(beaten_by)
        assert not said or verdict.rivals[0] in said[0]
        part = headline.split("do not separate")[-1].split(" and no ")[0].split(" and it ")[0] if verdict.rivals else ""
        assert set(verdict.rivals) <= names_in(part, verdict)
    assert headline.rstrip(".").endswith(", ".join(verdict.order))


def check_order(verdict, evidence):
    assert sorted(verdict.order) == sorted(evidence.learners)
    means, sign = verdict.comparison.means, -1 if evidence.larger_is_better else 1
    if not sample_of(evidence).incomplete:
        assert means == evidence.means()
    if verdict.prior is None:
        assert [sign * means[name] for name in verdict.order] == sorted(sign * mean for mean in means.values())
        assert verdict.status in ("decided", "tied")
        return
    if verdict.ordering.prior_from:
        costs = [evidence.costs["price"][name] for name in verdict.prior]
        assert costs == sorted(costs)
        assert bool(verdict.ordering.prior_ties) == (len(set(costs)) < len(costs)) == ("K109" in verdict.text())
    edges = set(verdict.ordering.edges)
    place = verdict.order.index
    assert all(place(head) < place(tail) for tail, head in edges)
    if verdict.ordering.graph is None:
        assert verdict.overtaken == ()
        return
    assert tuple(name for name, _ in verdict.overtaken) == verdict.prior[: verdict.prior.index(verdict.best)]
    for name, by in verdict.overtaken:
        assert by
        assert all((name, other) in edges for other in by)
        start = f"- {name} is preferred to {verdict.best} but overruled:"
        line = next(line for line in verdict.text().splitlines() if line.startswith(start))
        assert names_in(line.split("overruled:")[1], verdict) == set(by)


def check_reasons(verdict, evidence, found):
    lines = verdict.text().splitlines()
    assert len(verdict.reasons) == len(verdict.comparison.pairs)
    for reason in verdict.reasons:
        i, j = verdict.order.index(reason.better), verdict.order.index(reason.worse)
        assert i < j
        check_ground(reason, verdict, found)
        if j == i + 1:
            start = f"- {reason.better} above {reason.worse}:"
            check_sentence(next(line for line in lines if line.startswith(start)), reason, verdict, evidence)
    turned = any(shown(verdict, reason.worse, reason.better) for reason in verdict.reasons)
    assert ("K113:" in verdict.text()) <= turned
    assert any(reason.ground == "against" for reason in verdict.reasons) <= ("K113:" in verdict.text())


def check_ground(reason, verdict, found):
    """What a reason claims must be what the comparison, or the tests of the order, say."""
    better, worse = reason.better, reason.worse
    edge = order_shows(verdict, better, worse)
    ranked = edge and verdict.ordering.method == "multi2test"
    assert (reason.ground == "ranked") == ranked
    assert (reason.ground == "significant") == (not ranked and (edge or shown(verdict, better, worse)))
    assert (reason.ground == "against") == (not edge and shown(verdict, worse, better))
    if reason.ground in ("mean", "found"):
        assert verdict.ordering.graph is None
        assert (
            not verdict.comparison.pair(better, worse).significant
            or verdict.comparison.pair(better, worse).better is None
        )
    if reason.ground == "preferred":
        assert verdict.prior.index(better) < verdict.prior.index(worse)
    if reason.ground == "graph":
        assert verdict.prior.index(better) > verdict.prior.index(worse)
    if reason.question == "two-sided" and verdict.ordering.method != "multi2test":
        assert reason.pvalue == verdict.comparison.pair(better, worse).adjusted
    if reason.question == "one-sided" and verdict.comparison.adjust == "none":
        assert verdict.ordering.method == "multitest"
        pair = (better, worse) if (better, worse) in found else (worse, better)
        _, less, greater = found[pair]
        preferred_first = verdict.prior.index(pair[0]) < verdict.prior.index(pair[1])
        assert reason.pvalue == pytest.approx(greater if preferred_first else less)


def check_sentence(line, reason, verdict, evidence):
    claims = {
        "significant": "significantly better",
        "preferred": "preferred, and not shown to be worse",
        "found": "named best by",
        "mean": "not shown to be better",
        "graph": "between these two nothing is shown",
        "against": f"although the tests show {reason.worse} to be better",
    }
    if verdict.ordering.method == "multi2test":  # what its ranks say never borrows the words of the test of pairs
        claims |= {
            "ranked": "ranked above by Multi²Test",
            "significant": f"significantly better by {verdict.test}, not separated by Multi²Test",
            "preferred": "preferred, and not ranked below by Multi²Test",
            "graph": f"Multi²Test ranks others above {reason.worse}, and does not separate these two",
            "against": f"although {verdict.test} shows {reason.worse} to be better",
        }
    assert claims[reason.ground] in line
    if reason.ground != "significant":
        assert "significantly" not in line
    assert f"{reason.question} p = {reason.pvalue:.3g}" in line
    assert f"{verdict.means[reason.better]:.4g} against {verdict.means[reason.worse]:.4g}" in line
    ahead = verdict.means[reason.better] - verdict.means[reason.worse]
    mean_agrees = ahead > 0 if evidence.larger_is_better else ahead < 0
    if reason.ground in ("significant", "ranked"):
        assert ("is not the better one" in line) != mean_agrees
    if reason.ground == "mean":
        assert ("better mean" in line) == mean_agrees


def check_table(verdict):
    rows = [re.split(r"\s{2,}", line.strip()) for line in verdict.text().split("\n\n")[-1].splitlines()[1:]]
    assert [row[1] for row in rows] == list(verdict.order)
    for row, name in zip(rows[1:], verdict.order[1:], strict=True):
        assert float(row[2]) == pytest.approx(verdict.means[name], abs=1e-4, rel=1e-3)
        said = {"not separated": verdict.rivals, "better": verdict.beaten_by}
        finding = next((finding for finding, who in said.items() if name in who), "worse")
        if verdict.ordering.method == "multi2test" and finding != "not separated":  # it is said who found it
            own = order_shows(verdict, verdict.order[0], name)
            finding = "ranked below" if own else f"{finding} by {verdict.test}"
        assert row[-1] == finding
        assert (float(row[-3]) <= verdict.alpha * 1.01) == (finding != "not separated")


def check_possible_best(verdict):
    if verdict.possible_best is None:
        assert "preference:" not in verdict.text().split("\n\n")[1] or "Preference:" in verdict.text()
        return
    if verdict.prior is not None:
        assert verdict.best in verdict.possible_best
    one = len(verdict.possible_best) == 1
    assert one == ("comes first under every preference" in verdict.text())
    if not one:
        line = next(line for line in verdict.text().splitlines() if line.startswith("First under some preference"))
        assert names_in(line, verdict) == set(verdict.possible_best)


def check_grounds(verdict):
    text, comparison = verdict.text(), verdict.comparison
    assert re.search(rf"^Test: {re.escape(verdict.test)}, because ", text, re.M)
    assert f"Alpha {verdict.alpha:g} for" in text
    adjusted = "not adjusted" if comparison.adjust == "none" else f"adjusted by {comparison.adjust}"
    assert (f", {adjusted}." in text) == (len(comparison.pairs) > 1)
    if comparison.omnibus is None:
        assert "Over all learners" not in text
    else:
        line = next(line for line in text.splitlines() if line.startswith("Over all learners"))
        assert float(re.search(r"p = (\S+):", line)[1]) == pytest.approx(comparison.omnibus.pvalue, rel=0.01)
        assert ("no difference found" in line) == (comparison.omnibus.pvalue > verdict.alpha)
        assert ("Pairs are shown all the same" in line) == (comparison.omnibus.pvalue > verdict.alpha)
    codes = [advice.code for advice in verdict.advice]
    assert re.findall(r"^(K\d{3}):", text, re.M) == codes
    if "K102" in codes:  # nothing can be significant, so nothing is
        assert not any(reason.ground in ("significant", "ranked", "against") for reason in verdict.reasons)
    if "K104" in codes:
        assert comparison.omnibus.accepts
        assert (comparison.adjusted <= verdict.alpha).any()


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
