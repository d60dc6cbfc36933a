"""What is said in several places is said alike, and nothing is said that did not happen."""

import json
from importlib.resources import files
from typing import get_args

import numpy as np
import pytest
from bestofk.reporting.certainty import answers
from bestofk.reporting.measures_methods import measures_methods_of
from bestofk.reporting.measures_words import measures_words
from bestofk.reporting.order_words import CORRECTED_TITLE, order_sentence

import bestofk as bk
from bestofk.judging.verdict import Ground
from bestofk.plots.sorted_by import PREFERENCE_CORRECTED

SPLITS = "5 replications of 1 fold look like random splits, whose share of test data is not known."


def scores(learners=3, datasets=1, shape=(5, 2), seed=0, gap=0.1, **more):
    random = np.random.default_rng(seed).normal(0, 0.01, (learners, datasets, *shape))
    values = random + 0.2 + gap * np.arange(learners)[:, None, None, None]
    facts = {"measure": "error", "larger_is_better": False, "datasets": tuple(f"d{i}" for i in range(datasets))}
    return bk.Scores(learners=tuple("abcde"[:learners]), values=values, **facts, **more)


def counts(tmp_path, learners="ab", folds=10):
    random = np.random.default_rng(1)
    rows = [
        (name, f, 25 + 5 * k + random.integers(4), 10, 5, 55) for k, name in enumerate(learners) for f in range(folds)
    ]
    path = tmp_path / "counts.csv"
    lines = [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["learner,fold,tp,fn,fp,tn", *lines]) + "\n", encoding="utf-8")
    return path


# ---- refusals -------------------------------------------------------------------------------------------------------


def test_splits_of_unknown_share_are_refused_in_the_same_words():
    with pytest.raises(bk.InputError) as plain:
        bk.judge(scores(shape=(5, 1)))
    with pytest.raises(bk.InputError) as ranked:
        bk.judge(scores(datasets=6, shape=(5, 1)), method="multi2test", prior=("a", "b", "c"))
    beside = scores(shape=(5, 1), others={"auc": np.random.default_rng(2).random((3, 1, 5, 1))})
    with pytest.raises(bk.InputError) as several:
        bk.judge(beside, on=("error", "auc"))
    found = [each.value for each in (plain, ranked, several)]
    assert [each.wrong for each in found] == [SPLITS] * 3
    assert len({each.fix.split(", or ")[0] for each in found}) == 1
    assert [each.fix.split(", or ")[1] for each in found] == [
        "collect whole folds.",
        "use multitest over data sets.",
        "give whole folds (a column fold).",
    ]


def test_missing_results_are_refused_in_the_same_words_and_vectors_are_not_kept():
    values = scores(datasets=4).values.copy()
    values[1, 2, 0, 0] = np.nan
    facts = {"learners": tuple("abc"), "measure": "error", "larger_is_better": False, "datasets": tuple("stuv")}
    evidence = bk.Scores(values=values, others={"auc": 1 - values}, **facts)
    with pytest.raises(bk.InputError) as one:
        bk.judge(evidence)
    with pytest.raises(bk.InputError) as several:
        bk.judge(evidence, on=("error", "auc:larger"))
    keep = "--missing keep tests each pair on the data sets it has (Skillings–Mack over all); or "
    assert keep in one.value.fix
    assert several.value.fix == one.value.fix.replace(keep, "")
    assert several.value.wrong == one.value.wrong


# ---- words ----------------------------------------------------------------------------------------------------------


def test_a_corrected_preference_has_one_name():
    assert f"Order: {PREFERENCE_CORRECTED}" == CORRECTED_TITLE
    assert order_sentence(["b", "a"], ["a", "b"]) == f"Order, {PREFERENCE_CORRECTED}: b, a."


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "none"])
def test_one_pair_is_not_said_to_be_adjusted(adjust):
    verdict = bk.judge(scores(2), adjust=adjust)
    assert verdict.status == "decided"
    assert "Alpha 0.05 for the pair." in verdict.text()
    assert "adjusted" not in answers(verdict)[2].sentence
    assert "Alpha 0.05 for the pair with the control a." in bk.judge(scores(2), adjust=adjust, control="a").text()
    several = bk.judge(scores(3), adjust=adjust)
    said = "not adjusted" if adjust == "none" else f"adjusted by {adjust}"
    assert f"Alpha 0.05 for all pairs, {said}." in several.text()
    assert (", adjusted)" in answers(several)[2].sentence) == (adjust != "none")


def test_one_pair_of_several_measures_is_not_either(tmp_path):
    pair, three = (bk.judge(counts(tmp_path, names), on="tpr,fpr") for names in ("ab", "abc"))
    assert any("Alpha 0.05 for the pair; single measures by" in line for line in measures_words(pair))
    assert "The pair was tested in tpr and fpr together" in measures_methods_of(pair).paragraph
    assert "adjusted for 1 pair" not in measures_methods_of(pair).paragraph
    assert any("Alpha 0.05 for all pairs, adjusted by bonferroni;" in line for line in measures_words(three))
    assert "with p values adjusted for 3 pairs by bonferroni" in measures_methods_of(three).paragraph


# ---- the ground of a place ------------------------------------------------------------------------------------------


def test_the_schema_knows_the_ground():
    schema = json.loads(files("bestofk.reporting").joinpath("verdict-1.schema.json").read_text(encoding="utf-8"))
    assert schema["$defs"]["reason"]["properties"]["ground"]["enum"] == list(get_args(Ground))
