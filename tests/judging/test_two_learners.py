"""Beside the verdict's own test over data sets: other tests, ranks, Bayesian tests; and when they are found."""

import json

import numpy as np
import pytest
from scipy import stats as scipy_stats

import bestofk as bk
from bestofk.ordering import cliques
from bestofk.plots.gallery import figure
from bestofk.reporting.methods_paragraph import methods_of
from bestofk.reporting.sections.datasets import other_tests_section
from makers import bramer, folds, over_datasets, slow, table, with_folds


def test_findings_are_found_once_and_only_when_read():
    verdict = bk.judge(table(3, 8))
    assert "sensitivity" not in vars(verdict)
    assert verdict.sensitivity is verdict.sensitivity
    assert "sensitivity" in vars(verdict)


def test_findings_go_to_json():
    verdict = bk.judge(table(3, 8))
    data = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))["findings"]
    assert data["sensitivity"]["pairs"][0]["flips_one"] == verdict.sensitivity.pairs[0].flips_one
    assert data["mean_ranks"]["learners"] == list(verdict.mean_ranks.learners)
    assert data["two_learners"] is None


def test_folds_of_one_data_set_have_no_findings_over_data_sets():
    verdict = bk.judge(folds(0.3 + 0.01 * np.random.default_rng(0).normal(size=(3, 5, 2))))
    names = ("sensitivity", "two_learners", "mean_ranks", "bayes", "counted_wins", "where_it_wins")
    assert [getattr(verdict, name) for name in names] == [None] * len(names)
    assert verdict.sensitivity_work == 0
    assert verdict.detectable is not None


def test_the_seven_steps_are_bramer_s():
    """Section 15.2, steps 1 to 7 of Figure 15.2 as printed."""
    steps = list(bk.judge(bramer()).two_learners.steps.to_dict().values())
    assert [round(value, 2) for value in steps] == [0.7, 4.9, 432.1, 48.01, 6.93, 2.19, 0.32]


def test_a_constant_difference_has_an_infinite_t():
    low = np.arange(1, 11) / 32
    steps = bk.judge(over_datasets([low, low + 0.5])).two_learners.steps
    assert next(iter(steps.to_dict().values())) == -0.5
    assert steps.t == -np.inf


@pytest.mark.parametrize("larger", [True, False])
def test_side_by_side_tests_are_scipy_s(larger):
    evidence = table(
        2, 14, seed=3, gap=0.02, digits=3, measure="accuracy" if larger else "error", larger_is_better=larger
    )
    verdict = bk.judge(evidence)
    two = verdict.two_learners
    first, second = (evidence.values[evidence.learners.index(n), :, 0, 0] for n in (two.first, two.second))
    found = {each.test: each.pvalue for each in two.tests}
    assert (two.first, two.second) == verdict.order
    assert found["paired-t"] == pytest.approx(scipy_stats.ttest_rel(first, second).pvalue, rel=1e-9)
    wins = int((first > second).sum()), int((first != second).sum())
    assert found["sign"] == pytest.approx(scipy_stats.binomtest(*wins).pvalue, rel=1e-9)
    interval = scipy_stats.ttest_rel(first, second).confidence_interval(0.95)
    assert (two.low, two.high) == pytest.approx((interval.low, interval.high))


def test_the_verdict_s_own_test_is_asked_whether_tests_agree():
    two = bk.judge(table(2, 12, seed=3, gap=0.03), test="permutation-t").two_learners
    assert [each.test for each in two.tests] == ["permutation-t", "paired-t", "wilcoxon", "sign"]


def test_the_interval_has_the_verdict_s_level():
    """Bramer, Figure 15.7 at 1 %: the interval is that of 99 %, here by SciPy."""
    verdict = bk.judge(bramer("bramer_15_7.csv"), alpha=0.01)
    two, names = verdict.two_learners, verdict.evidence.learners
    first, second = (verdict.evidence.values[names.index(n), :, 0, 0] for n in (two.first, two.second))
    interval = scipy_stats.ttest_rel(first, second).confidence_interval(0.99)
    assert (two.low, two.high, two.level) == pytest.approx((interval.low, interval.high, 0.99))


def test_iman_and_davenport_s_p_is_that_of_their_f():
    ranks = bk.judge(table(4, 11, seed=2, gap=0.03)).mean_ranks
    n, k = 11, 4
    f = (n - 1) * ranks.chi_square / (n * (k - 1) - ranks.chi_square)
    assert ranks.f_statistic == pytest.approx(f)
    assert ranks.f_pvalue == pytest.approx(scipy_stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


@pytest.mark.parametrize("seed", [*range(10), *slow(*range(10, 40))])
def test_groups_pairs_and_figures_agree(seed):
    rng = np.random.default_rng(seed)
    gap, digits = float(rng.choice([0.0, 0.02, 0.06])), int(rng.choice([2, 3]))
    options = {
        "test": str(rng.choice(["auto", "paired-t", "sign", "nemenyi"])),
        "adjust": str(rng.choice(["none", "bonferroni", "holm", "shaffer", "hommel"])),
        "alpha": float(rng.choice([0.05, 0.2])),
    }
    if options["test"] == "nemenyi":
        options["adjust"] = None
    verdict = bk.judge(
        table(int(rng.integers(3, 7)), int(rng.integers(6, 16)), seed=seed, gap=gap, digits=digits), **options
    )
    comparison, ranks = verdict.comparison, verdict.mean_ranks
    alike = [[a == b or not comparison.differs(a, b) for b in ranks.learners] for a in ranks.learners]
    groups = {frozenset(group) for group in cliques(alike, ranks.learners) if len(group) > 1}
    diagram, heat = figure("critical-difference", verdict).info, figure("pairs", verdict).info
    assert {frozenset(group) for group in diagram.groups} == groups == set(map(frozenset, ranks.groups))
    assert diagram.learners == ranks.learners
    assert diagram.places == pytest.approx(ranks.ranks)
    shown = [pair for pair in comparison.pairs if comparison.shows(*pair) or comparison.shows(*pair[::-1])]
    assert np.nansum(np.tril(heat.adjusted, -1) <= verdict.alpha) >= len(shown)
    assert not any(set(pair) <= group for pair in shown for group in groups)


def test_a_rope_is_taken():
    evidence = table(2, 12, gap=0.001, spread=0.002, digits=6)
    wide, narrow = (bk.judge(evidence, rope=rope) for rope in (0.05, 0.0))
    assert (wide.bayes.rope, wide.bayes.rope_known) == (0.05, True)
    assert wide.bayes.next_dataset == (0.0, 1.0, 0.0)
    assert narrow.bayes.next_dataset[1] == pytest.approx(1 / 13)  # the prior's one in the rope, no tie
    assert wide.order == narrow.order
    with pytest.raises(bk.InputError, match="rope") as caught:
        bk.judge(evidence, rope=-1)
    assert str(caught.value).count("argument rope") == 1


def test_folds_are_modelled():
    bayes = bk.judge(with_folds()).bayes
    assert bayes.next_dataset_by_folds[0] > 0.95
    assert bayes.converged
    assert bayes.rhat <= 1.01
    assert bayes.correlation == 0.5
    assert bayes.rope == 0.01


def test_simplex_and_verdict_have_the_same_chances():
    verdict = bk.judge(table(2, 10, seed=4, gap=0.01, digits=3))
    simplex = figure("simplex", verdict).info
    assert simplex.chances == verdict.bayes.next_dataset
    near = type(simplex).from_samples("a", "b", simplex.samples, 0.01).chances
    # A share of eleven counts has a standard deviation of at most √(¼/12); 5,000 samples: five standard errors.
    assert near == pytest.approx(simplex.chances, abs=5 * np.sqrt(0.25 / 12 / 5_000))


def test_chains_that_do_not_agree_are_reported(monkeypatch):
    monkeypatch.setattr("bestofk.judging.findings.two_learners.SAMPLES", (80,))
    verdict = bk.judge(with_folds())
    assert verdict.bayes.rhat > 1.01
    assert verdict.bayes.converged is False
    assert any("R-hat" in block.caption for block in other_tests_section(verdict).blocks)


def test_a_rope_gives_chances_on_folds():
    values = np.random.default_rng(5).normal([[0.30], [0.28]], 0.02, (2, 10))[:, None, :]
    evidence, rope = folds(values), 0.01
    verdict = bk.judge(evidence, rope=rope)
    first, second = verdict.closest
    mine, its = (values[evidence.learners.index(name)].ravel() for name in (first, second))
    loss = mine - its  # of an error
    posterior = scipy_stats.t(9, loss.mean(), np.sqrt((1 / 10 + (1 / 10) / (9 / 10)) * loss.var(ddof=1)))
    expected = (posterior.cdf(-rope), posterior.cdf(rope) - posterior.cdf(-rope), posterior.sf(rope))
    assert verdict.bayes_folds.mean_difference == pytest.approx(expected)
    assert other_tests_section(verdict) is not None
    assert bk.judge(evidence).bayes_folds is None
    assert bk.judge(table(2, 12), rope=rope).bayes_folds is None


@pytest.mark.parametrize(
    ("measure", "values", "rope", "said"),
    [
        ("error", [0.3, 0.2], 1, "more than 1"),
        ("error", [30.0, 20.0], 100, "more than 100"),
        ("rmse", [3.0, 2.0], 0.1, "ratios"),
        ("return", [-3.0, 2.0], 0.1, "ranks"),
    ],
)
def test_a_rope_without_a_meaning_is_refused(measure, values, rope, said):
    rows = np.array(values)[:, None] + np.random.default_rng(1).uniform(0, 0.1, (2, 12))
    frame = {"dataset": [f"d{i}" for i in range(12)], "a": rows[0], "b": rows[1]}
    evidence = bk.read(frame, measure=measure)
    with pytest.raises(bk.InputError, match=said) as caught:
        bk.judge(evidence, rope=rope)
    assert "argument rope" in caught.value.where
    bk.judge(evidence, rope=0)


def test_nemenyi_speaks_where_it_is_the_test_and_nowhere_else():
    evidence = table(4, 14, gap=0.03)
    for test, speaks in (("wilcoxon", False), ("nemenyi", True)):
        verdict = bk.judge(evidence, test=test)
        found = verdict.mean_ranks
        assert (found.nemenyi is not None) == (found.critical_difference is not None) == speaks
        assert ("nemenyi" in str(methods_of(verdict)).lower()) == speaks
    assert found.nemenyi[0][1] == pytest.approx(verdict.comparison.pair(*found.learners[:2]).pvalue)
