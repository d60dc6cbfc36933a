"""Verdicts over data sets: what users found wrong once, each mended for good."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from bestofk.advice.k120_preference_decides import advise as preference_decides

import bestofk as bk
from bestofk.advice import Case
from bestofk.advice.seeing import seeing
from bestofk.comparing import sample_of
from bestofk.judging.findings.counted_wins import counted_wins
from bestofk.judging.findings.where_it_wins import where_it_wins
from bestofk.judging.judge import ordering_from
from bestofk.reporting.methods import methods_of

ROOT = Path(__file__).parent.parent
BENAVOLI = "Benavoli et al. 2017"


def table(datasets=12, k=2, gap=0.0, spread=0.05, shape=(1, 1), kind=bk.Scores, **more):
    rng = np.random.default_rng(0)
    values = 0.3 + gap * np.arange(k)[:, None, None, None] + rng.normal(0, spread, (k, datasets, *shape))
    names = tuple(f"d{i}" for i in range(datasets))
    facts = {"measure": "error", "larger_is_better": False, **more}
    return kind(learners=tuple("abcdefgh"[:k]), datasets=names, values=values, **facts)


def advised(code, evidence, **options):
    return next((each.seen for each in bk.judge(evidence, **options).advice if each.code == code), "")


def test_k119_tells_the_power_for_the_rope_that_was_given():
    evidence = table()
    used, comparison, _ = ordering_from(evidence)
    power = seeing(sample_of(used), comparison).power(0.04, 0)
    assert f"a difference of 0.04 would have been seen with power {power:.2g}," in advised("K119", evidence, rope=0.04)
    assert "a difference of 0.01 would" in advised("K119", evidence)


def test_k119_is_silent_where_all_that_matters_would_have_been_seen():
    assert not advised("K119", table(), rope=0.2)


def test_k119_keeps_its_own_size_where_the_rope_is_nothing():
    assert advised("K119", table(), rope=0.0) == advised("K119", table())


def test_k119_takes_the_rope_of_a_measure_without_scale():
    bramer = bk.read(str(ROOT / "examples" / "bramer_15_2.csv"), larger_is_better=True)
    assert "a difference of 2 would have been seen" in advised("K119", bramer, rope=2.0)


def test_k118_measures_by_the_rope_that_was_given():
    evidence = table(30, gap=0.004, spread=0.004)
    assert "within ±0.01" in advised("K118", evidence)
    assert not advised("K118", evidence, rope=0.001)
    assert "within ±0.05" in advised("K118", table(30, gap=0.04, spread=0.004), rope=0.05)


def test_where_it_wins_names_both_learners():
    evidence = table(40, spread=0.001)
    rows = np.arange(40.0)
    values = evidence.values.copy()
    values[0, :, 0, 0] = 0.3 - 0.001 * rows
    values[1, :, 0, 0] = 0.3
    found = where_it_wins(replace(evidence, values=values), {f"d{i}": {"rows": rows[i]} for i in range(40)})
    assert found.findings
    for line in repr(found).splitlines():
        assert {"a", "b"} <= set(re.findall(r"\b[ab]\b", line)), line


@pytest.mark.parametrize(("rope", "measure"), [(None, "error"), (0.02, "error"), (2.0, "seconds")])
def test_a_rope_is_cited(rope, measure):
    methods = methods_of(bk.judge(table(measure=measure), rope=rope))
    assert f"taken for none ({BENAVOLI})" in methods.paragraph
    assert BENAVOLI in {paper.short for paper in methods.references}


@pytest.mark.parametrize(
    ("evidence", "rope"),
    [(table(), 0.0), (table(measure="seconds"), None), (table(1, 3, 0.1, shape=(5, 2)), 0.02)],
    ids=["rope 0", "scale not known", "no Bayesian test"],
)
def test_without_a_rope_it_is_not_cited(evidence, rope):
    methods = methods_of(bk.judge(evidence, rope=rope))
    assert BENAVOLI not in methods.paragraph
    assert BENAVOLI not in {paper.short for paper in methods.references}


def test_one_pair_is_spoken_of_as_one():
    verdict = bk.judge(table())
    methods = methods_of(verdict)
    assert "The pair of learners was tested by paired-t (Student 1908); level 0.05." in methods.paragraph
    assert "Dunn 1961" not in {paper.short for paper in methods.references}  # nothing was adjusted
    assert "The pair with the control b was tested" in methods_of(bk.judge(table(), control="b")).paragraph
    assert "Alpha 0.05 for the pair." in verdict.text()
    assert verdict.comparison.text().startswith("0 of 1 pair differs significantly.")
    assert bk.compare(table(gap=0.5)).text().startswith("1 of 1 pair differs significantly.")


def test_several_pairs_are_still_spoken_of_as_several():
    verdict = bk.judge(table(k=3, gap=0.2), adjust="holm")
    assert "The 3 pairs of learners were tested by" in methods_of(verdict).paragraph
    assert "Alpha 0.05 for all pairs, adjusted by holm." in verdict.text()
    assert verdict.comparison.text().startswith("3 of 3 pairs differ significantly.")


def test_one_of_several_pairs_differs():
    values = table(12, 3, spread=0.001).values.copy()
    values[0] = 0.3 + 0.2 * np.arange(12)[:, None, None]
    values[1] = values[0] + 0.01 + 0.001 * np.arange(12)[:, None, None]
    values[2] = values[0, ::-1]
    found = bk.compare(replace(table(12, 3), values=values))
    assert found.text().startswith("1 of 3 pairs differs significantly.")


ONE_AS_MANY = re.compile(
    r"(?<![\d.,])1 (?:more )?(?:pairs|data sets|folds|replications|learners|results|neighbours|items)\b"
)


@pytest.mark.parametrize(
    ("evidence", "options"),
    [
        (table(), {}),
        (table(gap=0.002), {"prior": ["b", "a"]}),
        (table(12, 4, shape=(1, 10)), {"prior": list("abcd")}),
        (table(1, 2, shape=(1, 10)), {}),
        (table(1, 2, shape=(1, 10)), {"test": "paired-t"}),
        (table(9, 5, shape=(5, 2)), {"control": "b"}),
        (table(12, 5, gap=0.05, costs={"price": dict(zip("abcde", range(1, 6), strict=True))}), {}),
    ],
)
def test_nothing_is_one_and_many_at_once(evidence, options):
    verdict = bk.judge(evidence, **options)
    said = "\n".join(
        [verdict.text(), methods_of(verdict).paragraph, repr(verdict.detectable), repr(verdict.comparison)]
    )
    assert not ONE_AS_MANY.search(said), ONE_AS_MANY.search(said)


def test_one_replication_is_not_several():
    """The corrected t test on one run of ten folds is planned in replications: of those there is one."""
    found = repr(bk.judge(table(1, 2, shape=(1, 10))).detectable)
    assert found.startswith("With 1 replication of 10 folds, corrected-t at 0.05 sees")


def test_a_missing_result_is_one():
    values = table(12, 3).values.copy()
    values[0, 3] = np.nan
    assert "1 of 12 data sets lacks a result" in advised("K110", replace(table(12, 3), values=values), missing="keep")


LAST_DIGIT = 0.3 * (1.0 + 4e-16)


def same_means(learners, first):
    """Two learners with the same mean but for the last digit."""
    values = np.full((2, 12, 1, 1), 0.3)
    values[0, :6], values[0, 6:] = 0.2, 0.4
    values[first] = values[first] + (LAST_DIGIT - 0.3)
    facts = {"measure": "error", "larger_is_better": False, "datasets": tuple(f"d{i}" for i in range(12))}
    return bk.Scores(learners=learners, values=values, **facts)


@pytest.mark.parametrize("larger", [False, True])
@pytest.mark.parametrize("first", [0, 1])
def test_a_last_digit_orders_nobody(larger, first):
    evidence = replace(same_means(("b", "a"), first), larger_is_better=larger, measure="seconds")
    verdict = bk.judge(evidence)
    assert verdict.means["a"] != verdict.means["b"]  # the last digit is there
    assert verdict.order == ("a", "b")
    assert "better mean" not in verdict.text()
    assert bk.order(evidence).order == ("a", "b")


def test_a_last_digit_puts_nobody_first_on_other_data_sets():
    """The first place on all data sets is the one of the verdict, whose equal means go by name."""
    for first in (0, 1):
        verdict = bk.judge(same_means(("b", "a"), first), test="sign")
        assert verdict.sensitivity.best.conclusion == verdict.order[0] == "a"


def test_more_than_rounding_orders():
    evidence = same_means(("b", "a"), 1)
    values = evidence.values.copy()
    values[1] += 3e-12
    assert bk.judge(replace(evidence, values=values)).order == ("b", "a")


def test_k120_takes_no_last_digit_for_a_better_mean():
    evidence = same_means(("a", "b"), 0)
    assert evidence.means()["a"] > evidence.means()["b"]
    used, comparison, ordering = ordering_from(evidence, prior=["a", "b"])
    assert preference_decides(Case(used, comparison, ordering)) is None


def test_counted_wins_refuse_folds_that_were_tested_on_training_rows():
    evidence = table(shape=(1, 10), k=3, gap=0.05, divided="trained-on")
    with pytest.raises(bk.InputError, match="tested on the full set"):
        counted_wins(evidence)
    verdict = bk.judge(evidence)  # the means of the data sets can be compared all the same
    assert verdict.counted_wins is None
    assert verdict.bayes.hierarchical is None
    with pytest.raises(bk.InputError, match="tested on the full set"):
        bk.judge(evidence, prior=list("abc"), method="multi2test")


def test_counted_wins_know_how_folds_were_divided(monkeypatch):
    seen = []
    from bestofk.judging import counted_wins as room

    known = room.chosen_test
    monkeypatch.setattr(room, "chosen_test", lambda test, design: (seen.append(design), known(test, design))[1])
    counted_wins(table(shape=(1, 5), divided="growing", test_fraction=0.2))
    assert {(design.divided, design.test_fraction) for design in seen} == {("growing", 0.2)}


def test_multi2test_allows_for_the_overlap_of_random_splits():
    """Within each data set the corrected t test takes n₂/n₁ = 3/7, as the verdict of that data set by itself does."""
    evidence = table(12, 3, gap=0.03, spread=0.02, shape=(10, 1), test_fraction=0.3)
    graph = bk.judge(evidence, prior=list("cba"), method="multi2test").ordering.graph
    for i, name in enumerate(evidence.datasets):
        alone = bk.judge(evidence.without(datasets=set(evidence.datasets) - {name}), prior=list("cba"))
        ranks = dict(zip(graph.learners, graph.ranks[i], strict=True))
        assert alone.test == "corrected-t"
        assert alone.order == tuple(sorted(ranks, key=ranks.__getitem__))


def test_multi2test_asks_for_the_share_of_test_data():
    with pytest.raises(bk.InputError, match="10 replications of 1 fold look like random splits"):
        bk.judge(table(12, 3, shape=(10, 1)), prior=list("cba"), method="multi2test")


def with_ties(datasets, digits=3):
    evidence = table(datasets, 3, gap=0.01, spread=0.05)
    return replace(evidence, values=evidence.values.round(digits))


def test_data_sets_are_left_out_once_for_advice_and_verdict(monkeypatch):
    from bestofk.advice import over_datasets

    sizes = []
    known = over_datasets.leave_out
    monkeypatch.setattr(over_datasets, "leave_out", lambda *all_of: (sizes.append(all_of[-1]), known(*all_of))[1])
    verdict = bk.judge(with_ties(20), test="wilcoxon")
    assert verdict.sensitivity is not None
    assert sizes == [1, 2]
    again = bk.judge(with_ties(20), test="wilcoxon")  # another comparison, its own answers
    assert sizes == [1, 2, 1, 2]
    assert again.sensitivity.to_dict() == verdict.sensitivity.to_dict()


@pytest.mark.parametrize("digits", [2, 3])
def test_tails_are_the_same_counted_out_or_by_integrals(monkeypatch, digits):
    from bestofk.stats.across import signed_ranks

    rng = np.random.default_rng(digits)
    difference = (rng.normal(0.1, 0.5, (40, 180)) * 10**digits).round() / 10**digits
    difference = np.concatenate([difference, difference[:10], -difference[:5]])  # equal patterns, equal sums
    ways = []
    for longest in (0, 1_000):
        monkeypatch.setattr(signed_ranks, "COUNTED_UP_TO", longest)
        monkeypatch.setattr(signed_ranks, "LINES", 0.0)
        ways.append(signed_ranks.signed_rank_sides(difference, np.full((55, 1), 1e-9), lambda p: p <= 1))
    assert not np.array_equal(*ways)  # two ways indeed
    np.testing.assert_allclose(*ways, rtol=1e-11)


def test_no_tail_is_found_exactly_on_a_greedy_path(monkeypatch):
    """Paths rank the data sets by the normal form, however small p is: nothing is decided on them."""
    from bestofk.stats.across import all_pairs, signed_ranks
    from bestofk.stats.across.smallest import evidence_paths

    exactly = []
    known = signed_ranks._find_exactly
    monkeypatch.setattr(signed_ranks, "_find_exactly", lambda *all_of: (exactly.append(len(all_of[4])), known(*all_of)))
    rng = np.random.default_rng(0)
    losses = rng.normal(0, 0.05, (2, 120)).round(3)
    losses[1] += 0.055  # p is about 1e-9
    assert evidence_paths(losses, all_pairs(2, "wilcoxon"), 0, 2).shape == (2, 2)
    assert sum(exactly) == 0


def test_other_goods_are_spoken_of_on_the_folds_of_one_data_set_too():
    evidence = table(1, 3, gap=0.05, spread=0.01, shape=(10, 10))
    times = np.array([5.0, 0.5, 6.0])[:, None, None, None] * np.exp(0.01 * evidence.values)
    verdict = bk.judge(replace(evidence, others={"fit_time": times}))
    assert verdict.other_goods.front == ("a", "b")
    assert "Worth having by error and fit_time: a and b; c is dominated by a and b." in verdict.text()


def test_one_pair_that_is_too_much_work_is_one():
    verdict = bk.judge(table(800, 2, spread=0.05), test="sign")
    assert verdict.not_looked_at.startswith("1 pair on 800 data sets, one left out at a time or drawn anew, is 640,000")


def test_means_that_cancel_to_nothing_make_nobody_better():
    scores = {"zed": [0.1, 0.2, -0.3] * 2, "abe": [0.0] * 6}
    evidence = bk.read(pd.DataFrame({"dataset": list("pqrstu"), **scores}), larger_is_better=True)
    verdict = bk.judge(evidence, prior=["abe", "zed"])
    assert np.mean(scores["zed"]) != 0.0  # what rounding leaves of it
    assert verdict.comparison.means == {"zed": 0.0, "abe": 0.0}
    assert "K120" not in [each.code for each in verdict.advice]
    assert bk.judge(evidence).order == ("abe", "zed")
