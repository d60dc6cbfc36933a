"""The words never contradict the numbers: verdicts from random evidence, each sentence checked against the fields, and
the fields against the tests run anew."""

import re

import numpy as np
import pytest

import bestofk as bk
from bestofk import registry
from bestofk.comparing import design_of
from bestofk.stats.curves import randomized_t
from bestofk.stats.method import method_of

NAMES = ("lda", "knn", "svm", "tree", "nn")
MEASURES = [("error", False), ("accuracy", True)]


def random_folds(rng, k):
    shape = [(5, 2), (1, 10), (3, 4)][rng.integers(3)]
    return 0.3 + rng.normal(0, 0.02, size=(k, 1, 1)) + rng.normal(0, 0.01, size=(k, *shape))


def random_evidence(rng):
    k = int(rng.integers(2, 6))
    measure, larger = MEASURES[rng.integers(2)]
    facts = {"learners": NAMES[:k], "measure": measure, "larger_is_better": larger}
    costs = {"price": dict(zip(NAMES[:k], rng.integers(1, 4, k).astype(float).tolist(), strict=True))}
    kind = rng.choice(["folds", "folds", "datasets", "items", "graded", "curves"])
    if kind == "folds":
        values = random_folds(rng, k)
        if rng.random() < 0.15:
            values[1] = values[0]
        return bk.Scores(values=values, costs=costs, **facts)
    if kind == "datasets":
        names = tuple(f"d{i}" for i in range(int(rng.integers(5, 16))))
        values = 0.3 + rng.normal(0, 0.03, (k, 1, 1, 1)) + rng.normal(0, 0.03, (k, len(names), 1, 1))
        return bk.Scores(values=values, datasets=names, costs=costs, **facts)
    if kind == "items":
        values = (rng.random((k, 80)) < rng.uniform(0.4, 0.9, (k, 1))).astype(float)
        return bk.Items(values=values, costs=costs, **facts)
    if kind == "graded":
        return bk.Items(values=rng.normal(rng.normal(0, 0.3, (k, 1)), 1.0, (k, 12)), costs=costs, **facts)
    values = tuple(rng.normal(rng.normal(0, 0.5), 1, (int(rng.integers(3, 7)), 4)) for _ in range(k))
    return bk.Curves(values=values, costs=costs, **facts)


def called(verdict, evidence, one, two, alternative):
    """Raw p of a pair by the test called directly."""
    design = design_of(evidence)
    i, j = design.learners.index(one), design.learners.index(two)
    if verdict.test == "randomized-t":
        return randomized_t(design.curves[i], design.curves[j], alternative=alternative, rng=0).pvalue
    run = registry("pairwise").load(verdict.test)
    losses = design.rows if method_of(run).axes == 1 else design.losses
    options = {"rng": 0} if method_of(run).seeded else {}
    return run(losses[i], losses[j], alternative=alternative, **options).pvalue


@pytest.mark.parametrize("seed", range(200))
def test_the_words_never_contradict_the_numbers(seed):
    rng = np.random.default_rng(seed)
    evidence = random_evidence(rng)
    draw = rng.random()
    prior = [str(n) for n in rng.permutation(evidence.learners)] if draw < 0.5 else "price" if draw < 0.7 else None
    adjust = str(rng.choice(["none", "bonferroni", "holm", "benjamini-hochberg"]))
    verdict = bk.judge(evidence, prior=prior, adjust=adjust)
    check_headline(verdict)
    check_order(verdict, evidence)
    check_table(verdict)
    check_possible_best(verdict)
    check_sentences_of_grounds(verdict)
    lines = verdict.text().splitlines()
    for reason in verdict.reasons:
        check_reason(reason, verdict, evidence, lines)


def check_headline(verdict):
    headline = verdict.text().splitlines()[0]
    assert (verdict.status == "decided") == (not verdict.rivals) == headline.startswith(f"{verdict.best} is best")
    assert (verdict.status == "preferred") == headline.startswith(f"{verdict.best} is the choice")
    assert (verdict.status == "tied") == headline.startswith("No single best")
    between = headline.split("separate", 1)[-1].split(", and")[0] if verdict.rivals else ""
    assert set(re.findall(r"\w+", between)) & set(verdict.order) - {verdict.best} == set(verdict.rivals)
    assert headline.rstrip(".").endswith(", ".join(verdict.order))
    grounds = {name: verdict.reason(verdict.order[0], name).ground for name in verdict.order[1:]}
    assert set(verdict.rivals) == {name for name, ground in grounds.items() if ground != "significant"}


def check_order(verdict, evidence):
    assert sorted(verdict.order) == sorted(evidence.learners)
    assert verdict.best == verdict.order[0]
    means = evidence.means()
    assert verdict.means == {name: means[name] for name in verdict.order}
    if verdict.prior is None:
        sign = -1 if evidence.larger_is_better else 1
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
    assert tuple(name for name, _ in verdict.overtaken) == verdict.prior[: verdict.prior.index(verdict.best)]
    for name, by in verdict.overtaken:
        assert by
        assert all((name, other) in edges for other in by)
        line = next(
            x for x in verdict.text().splitlines() if x.startswith(f"- {name} is preferred to {verdict.best} but")
        )
        assert set(re.findall(r"\w+", line.split("overruled:")[1])) & set(verdict.order) == set(by)


def check_reason(reason, verdict, evidence, lines):
    i, j = verdict.order.index(reason.better), verdict.order.index(reason.worse)
    assert i < j
    if j == i + 1:
        line = next(x for x in lines if x.startswith(f"- {reason.better} above {reason.worse}:"))
        assert ("significantly better" in line) == (reason.ground == "significant")
        assert f"{reason.question} p = {reason.pvalue:.3g}" in line
        assert f"{verdict.means[reason.better]:.4g} against {verdict.means[reason.worse]:.4g}" in line
        ahead = verdict.means[reason.better] - verdict.means[reason.worse]
        mean_agrees = ahead > 0 if evidence.larger_is_better else ahead < 0
        if reason.ground == "significant":
            assert ("is not the better one" in line) != mean_agrees
        if reason.ground == "mean":
            assert ("better mean" in line) == mean_agrees
    less, greater, both = (
        called(verdict, evidence, reason.better, reason.worse, side) for side in ("less", "greater", "two-sided")
    )
    raw = verdict.comparison.adjust == "none"
    if reason.ground == "significant":
        assert reason.pvalue <= verdict.alpha
        assert less < greater
    if reason.question == "two-sided":
        assert reason.pvalue >= both - 1e-12
        assert not raw or reason.pvalue == pytest.approx(both)
    if reason.ground == "preferred":
        assert verdict.prior.index(reason.better) < verdict.prior.index(reason.worse)
        assert reason.pvalue > verdict.alpha
        assert not raw or reason.pvalue == pytest.approx(greater)
    if verdict.ordering.graph is not None and verdict.comparison.shows(reason.worse, reason.better):
        assert "K113" in verdict.text()
        assert verdict.comparison.adjust in ("holm", "benjamini-hochberg")
    if reason.ground == "graph":
        assert verdict.prior.index(reason.better) > verdict.prior.index(reason.worse)
        assert not raw or reason.pvalue == pytest.approx(less)
    if reason.ground == "mean":
        assert reason.pvalue > verdict.alpha or less >= greater


def check_table(verdict):
    rows = [line.split() for line in verdict.text().split("\n\n")[-1].splitlines()[1:]]
    assert [row[1] for row in rows] == list(verdict.order)
    for row, name in zip(rows, verdict.order, strict=True):
        assert row[2] == f"{verdict.means[name]:.4f}"
        if name != verdict.order[0]:
            assert row[3:] == [
                f"{verdict.reason(verdict.order[0], name).pvalue:.3g}",
                verdict.reason(verdict.order[0], name).question,
                "no" if name in verdict.rivals else "yes",
            ]


def check_possible_best(verdict):
    possible = set(verdict.possible_best)
    if verdict.prior is not None:
        assert verdict.best in possible
    assert (len(possible) == 1) == ("under every preference" in verdict.text() or "Any preference" in verdict.text())


def check_sentences_of_grounds(verdict):
    text, comparison = verdict.text(), verdict.comparison
    assert f"Test: {verdict.test}, because {comparison.why_test}" in text
    assert f"Alpha {verdict.alpha:g}" in text
    if comparison.omnibus is not None:
        assert f"p = {comparison.omnibus.pvalue:.3g}" in text
        found = "no difference found" if comparison.omnibus.pvalue > verdict.alpha else "some learner differs"
        assert found in text
    else:
        assert "Over all learners" not in text
    for advice in verdict.advice:
        assert repr(advice) in text
    assert len(re.findall(r"^K\d{3}:", text, re.M)) == len(verdict.advice)


@pytest.mark.parametrize("seed", range(40))
def test_the_words_of_a_comparison_agree_with_its_fields(seed):
    rng = np.random.default_rng(seed)
    comparison = bk.compare(random_evidence(rng))
    text = comparison.text()
    rows = text.split("\n\n")[-1].splitlines()[1:]
    differ = int((comparison.adjusted <= comparison.alpha).sum())
    assert text.startswith(f"{differ} of {len(rows)} pairs differ")
    assert sum("not separated" not in row for row in rows) == differ
    for row, names in zip(rows, comparison.pairs, strict=True):
        pair = comparison.pair(*names)
        cells = re.split(r"\s{2,}", row.strip())
        assert cells[:3] == [*names, f"{pair.difference:.4g}"]
        assert cells[-1] == (f"{pair.better} better" if pair.significant else "not separated")
        assert cells[-2] == f"{pair.adjusted:.4g}"
