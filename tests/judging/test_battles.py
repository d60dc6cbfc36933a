"""Verdicts on battles: the same words, family and sets as of all other evidence."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError

EXAMPLE = Path(__file__).parents[2] / "examples" / "battles.csv"


def battles(k=4, number=800, seed=0, gap=0.5, **named):
    rng = np.random.default_rng(seed)
    first = rng.integers(k, size=number)
    second = (first + rng.integers(1, k, size=number)) % k
    vote = gap * (second - first) + rng.logistic(size=number)
    score = np.where(np.abs(vote) < 0.4, 0.5, (vote > 0) * 1.0)
    names = tuple(f"m{i}" for i in range(k))
    return bk.Battles(learners=names, first=first, second=second, score=score, **named)


def test_the_strongest_is_best_on_prompts_and_votes_like_these():
    verdict = bk.judge(battles())
    assert (verdict.status, verdict.best, verdict.scope, verdict.test) == ("decided", "m0", "battles", "bradley-terry")
    assert verdict.order == ("m0", "m1", "m2", "m3")
    assert np.mean(list(verdict.means.values())) == pytest.approx(1000)


def test_intervals_agree_with_decisions_and_ranks_with_pairs():
    verdict = bk.judge(EXAMPLE)
    pairs = [verdict.comparison.pair(*names) for names in verdict.comparison.pairs]
    assert {pair.significant for pair in pairs} == {True, False}
    assert all((pair.low > 0 or pair.high < 0) == pair.significant for pair in pairs)
    assert all(pair.low <= pair.difference <= pair.high for pair in pairs)
    shown = verdict.comparison.shown
    for i, name in enumerate(verdict.comparison.learners):
        assert verdict.rank_intervals[name] == (1 + shown[:, i].sum(), len(shown) - shown[i].sum())


def test_prices_choose_among_the_best_and_a_margin_is_in_points():
    verdict = bk.judge(EXAMPLE, prior="price")
    assert (verdict.status, verdict.best) == ("preferred", "birch")
    near = bk.judge(EXAMPLE, prior="price", within=70)
    assert (near.status, near.best) == ("within", "birch")
    assert bk.judge(EXAMPLE, prior="price", within=20).status == "undecided"
    with pytest.raises(InputError, match="differences"):
        bk.judge(EXAMPLE, within="2%")


def test_models_that_only_lost_are_named_and_may_be_left_out():
    known = battles(3)
    lost = bk.Battles(
        learners=(*known.learners, "poor", "lone"),
        first=[*known.first, 3, 3],
        second=[*known.second, 0, 1],
        score=[*known.score, 0, 0],
    )
    with pytest.raises(InputError) as told:
        bk.judge(lost)
    assert "poor" in told.value.wrong
    assert "lone" in told.value.wrong
    verdict = bk.judge(lost, missing="drop-learners")
    assert verdict.comparison.left_out.learners == ("poor", "lone")
    assert verdict.means == pytest.approx(bk.judge(known).means)
    assert "K110" in [each.code for each in verdict.advice]


def test_a_model_with_few_battles_is_not_tested():
    known = battles(2, number=200)
    new = bk.Battles(
        learners=(*known.learners, "new"),
        first=[*known.first, 2, 2],
        second=[*known.second, 0, 0],
        score=[*known.score, 0.5, 0.5],
    )
    verdict = bk.judge(new)
    assert verdict.status == "undecided"
    assert verdict.against("m0", "new") == "not tested"
    assert verdict.against("m1", "new") == "not tested"
    assert new.rarely_met == ("new",)
    assert "new has too few battles" in repr(verdict)


def test_ties_alone_show_nothing():
    tied = bk.Battles(learners=("a", "b", "c"), first=[0, 1, 2] * 9, second=[1, 2, 0] * 9, score=[0.5] * 27)
    verdict = bk.judge(tied)
    assert (verdict.status, set(verdict.best_set)) == ("tied", {"a", "b", "c"})
    assert not verdict.comparison.significant.any()


def test_few_prompts_are_no_sample_of_prompts():
    verdict = bk.judge(battles(2, prompts=np.arange(800) % 5))
    assert (verdict.status, [each.code for each in verdict.advice]) == ("undecided", ["K102"])


@pytest.mark.parametrize("option", [{"groups": "fixed"}, {"paired": True}, {"test": "wilcoxon"}, {"curve": "final"}])
def test_settings_of_other_evidence_are_refused(option):
    with pytest.raises(InputError):
        bk.judge(battles(), **option)
    with pytest.raises(InputError, match="battles"):
        bk.judge(bk.read({"a": [0.1, 0.2, 0.4], "b": [0.3, 0.2, 0.5]}, measure="error"), test="bradley-terry")


def test_every_page_is_written(tmp_path):
    verdict = bk.judge(EXAMPLE, prior="price")
    for suffix in ("html", "md", "txt", "json"):
        path = verdict.report(tmp_path / f"page.{suffix}")
        assert "atlas" in path.read_text(encoding="utf-8")
    data = json.loads((tmp_path / "page.json").read_text(encoding="utf-8"))
    assert data["comparison"]["sample"]["kind"] == data["scope"] == "battles"


def test_many_battles_of_many_models_take_seconds():
    evidence = battles(100, 300_000, gap=0.02)
    start = time.process_time()
    assert bk.judge(evidence).order[0] in evidence.learners[:5]
    assert time.process_time() - start < 6


def test_a_pair_is_compared_by_all_battles():
    known = battles(4, number=400)
    whole = bk.compare(known)
    pair = bk.compare(bk.read(known, learners=["m1", "m2"]))
    assert pair.learners == ("m1", "m2")
    assert pair.pvalue == pytest.approx(whole.pvalue[whole.pairs.index(("m1", "m2"))])
    never = bk.Battles(learners=("a", "b", "c"), first=[0, 1] * 60, second=[2] * 120, score=[1, 0, 0, 1, 1, 1] * 20)
    gate = bk.gate("a", "b", results=never, margin=200)
    assert gate.checks[0].worse_by == pytest.approx(bk.read(never).means()["b"] - bk.read(never).means()["a"])
    assert gate.checks[0].units == 120
