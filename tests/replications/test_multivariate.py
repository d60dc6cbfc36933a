"""The multivariate paper again: Fig. 1 and Fig. 4 as examples and by simulation, and the experiment in short."""

import csv
import os
import re
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.replications.multivariate import datasets, decisions, replicate
from bestofk.replications.multivariate.datasets import paper_sets
from bestofk.replications.multivariate.decisions import (
    clique_lines,
    cliques_of,
    decisions_of,
    disagreements,
    patterns,
    rank_counts,
    rejection_counts,
    vectors,
    weight_lines,
)
from bestofk.replications.multivariate.published import ACCEPTED, DATASETS, LEARNERS, ORDERS, RANKS
from bestofk.stats.multivariate import hotelling

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def counts_in(name):
    with (EXAMPLES / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    learners = dict.fromkeys(row["learner"] for row in rows)
    return {
        learner: np.array([[int(r[c]) for c in ("tp", "fn", "fp", "tn")] for r in rows if r["learner"] == learner])
        for learner in learners
    }


def pvalue(name, measures):
    one, two = (vectors(counts.astype(float), measures) for counts in counts_in(name).values())
    return hotelling(one, two).pvalue


def test_figure_1_error_is_silent_and_the_vectors_are_loud():
    assert pvalue("threshold_moved.csv", ("error",)) > 0.05
    assert pvalue("threshold_moved.csv", ("tpr", "fpr")) < 1e-5
    assert pvalue("threshold_moved.csv", ("precision", "recall")) < 1e-5


def test_figure_4_more_negatives_move_tf_and_skew_moves_pr():
    assert pvalue("more_negatives.csv", ("tpr", "fpr")) < 0.05 < pvalue("more_negatives.csv", ("precision", "recall"))
    assert pvalue("skewed_classes.csv", ("precision", "recall")) < 0.05 < pvalue("skewed_classes.csv", ("tpr", "fpr"))


@pytest.mark.parametrize(
    ("script", "files"),
    [
        ("make_threshold_moved.py", ("threshold_moved.csv",)),
        ("make_skew.py", ("more_negatives.csv", "skewed_classes.csv")),
    ],
)
def test_the_scripts_make_the_files(script, files, tmp_path):
    runpy.run_path(str(shutil.copy(EXAMPLES / script, tmp_path)))
    for name in files:
        assert (tmp_path / name).read_text(encoding="utf-8") == (EXAMPLES / name).read_text(encoding="utf-8")


def test_figure_1_in_many_draws_and_not_in_one_lucky_one():
    near, far = decisions.figure_one(np.random.default_rng(0), 400, (2.5, 3.0))
    assert far.accepted["UniErr"] > 0.9
    assert max(far.accepted["MultiTF"], far.accepted["MultiPR"]) == 0.0
    assert near.accepted["UniErr"] < 0.2  # between the ends the error does change, whatever the caption says


def test_expected_error_of_figure_1():
    draws = decisions.moved_threshold(np.random.default_rng(0), 2_000, (2.0, 2.5, 3.0))
    errors = (draws[..., 1] + draws[..., 2]).mean(axis=(1, 2)) / 20
    assert errors == pytest.approx([decisions.expected_error(t) for t in (2.0, 2.5, 3.0)], abs=0.003)


def test_figure_4_in_many_draws():
    rng = np.random.default_rng(0)
    same, more = decisions.figure_four(rng, 400, (0.0, 1.0), skew=False)
    assert min(same.accepted.values()) > 0.9
    assert more.accepted["MultiPR"] > 0.9
    assert more.accepted["MultiTF"] < 0.1
    (skewed,) = decisions.figure_four(rng, 400, (0.5,), skew=True)
    assert skewed.accepted["MultiTF"] > 0.9
    assert skewed.accepted["MultiPR"] < 0.1


def test_changes_of_figure_4_keep_what_the_paper_says_they_keep():
    counts = decisions.drawn_counts(np.random.default_rng(0), 5)
    more, skewed = decisions.more_negatives(counts, 0.7), decisions.skewed(counts, 0.3)
    assert vectors(more, ("precision", "recall")) == pytest.approx(vectors(counts, ("precision", "recall")))
    assert (vectors(more, ("fpr",)) < vectors(counts, ("fpr",))).all()
    assert vectors(skewed, ("tpr", "fpr")) == pytest.approx(vectors(counts, ("tpr", "fpr")))
    assert (vectors(skewed, ("precision",)) < vectors(counts, ("precision",))).all()


def test_published_pairs_make_the_published_cliques():
    """The text under Tables 2 and 3; UniErr on spect as ruled: seven accepted pairs make three maximal cliques."""

    def found(name, test):
        return cliques_of(ACCEPTED[name][test])

    def sets(*texts):
        return {frozenset(text.split()) for text in texts}

    assert found("breast", "UniErr") == sets("knn lda qda svm")
    assert found("breast", "MultiTF") == sets("knn lda svm")
    assert found("spect", "UniErr") == sets("c45 qda svm", "c45 knn svm", "c45 knn lda")
    assert found("spect", "MultiTF") == sets("c45 qda svm", "lda knn")
    assert found("spect", "MultiPR") == sets("qda svm", "lda knn")
    assert all(sorted(order.split()) == sorted(LEARNERS) for orders in ORDERS.values() for order in orders.values())
    assert (len(DATASETS), sum(RANKS.values())) == (36, 2740)


def test_cliques_and_weights_of_the_examples_stand_beside_the_printed_ones():
    counts = decisions.drawn_counts(np.random.default_rng(0), 5)
    five = dict(zip(LEARNERS, counts, strict=True))
    lines = {line.what: line for line in clique_lines(decisions_of("breast", five))}
    assert lines["breast: cliques by UniErr"].asked == "{knn, lda, qda, svm}"
    assert lines["breast: cliques by UniErr"].met is False  # equal learners: no pair is told apart
    two, other = weight_lines({"pima": five})
    assert (two.what, two.asked) == ("pima, c45 and qda: w of (tpr, fpr)", "(0.499, −25.898), fpr weighs more")
    weights = hotelling(*(vectors(five[name], ("tpr", "fpr")) for name in ("c45", "qda"))).direction
    assert two.ours == f"({weights[0]:.3f}, {weights[1]:.3f})".replace("-", "−")
    assert two.met is bool(abs(weights[1]) > abs(weights[0]))
    assert (other.asked, other.met) == ("(2.014, −4.374) (told, not asked for)", None)


def test_folds_of_unequal_size_do_not_raise_the_rank():
    """The paper's reason for rank 4: p or n not divisible by k. On common folds both learners have the same p and n."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(5, 15, size=(10, 2))
    right = rng.binomial(np.stack([sizes, sizes]), 0.7).astype(float)
    tp, tn = right[..., 0], right[..., 1]
    counts = np.stack([tp, sizes[:, 0] - tp, sizes[:, 1] - tn, tn], axis=-1)
    assert rank_counts(decisions_of("uneven", {"lda": counts[0], "svm": counts[1]})) == {2: 1}


def test_a_fold_without_predicted_positives_takes_multipr_away_and_nothing_else():
    counts = decisions.drawn_counts(np.random.default_rng(0), 2)
    counts[1, 3] = [0, 100, 0, 100]
    (pair,) = decisions_of("made up", {"lda": counts[0], "max": counts[1]})
    assert set(pair.pvalues) == {"UniErr", "MultiTF"}
    assert pair.rejects("MultiPR") is None
    assert rejection_counts([pair])["MultiPR"] == (0, 0)
    assert not patterns([pair])
    assert (disagreements([pair], "MultiTF", "UniErr"), disagreements([pair], "UniErr", "MultiPR")) == (
        int(pair.rejects("MultiTF") and not pair.rejects("UniErr")),
        0,
    )
    assert rank_counts([pair]) == {2: 1}


def test_the_experiment_in_short_and_that_it_goes_on(tmp_path, monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    into = tmp_path / "kept.json"
    made = replicate.replicate(runs=20, datasets=["monks"], into=into)
    assert "1 data set: UniErr" in made.headline
    rejected = {test: int(found) for test, found in re.findall(r"(\w+) rejects (\d+)", made.headline)}
    more, less = map(int, re.search(r"In (\d+) pairs.* in (\d+) the reverse", made.headline).groups())
    assert rejected["MultiTF"] - rejected["UniErr"] == more - less
    assert {each.what.split(",")[0] for each in made.agreement if "Fig. 1" in each.what} == {"Fig. 1"}
    assert any("35 data sets" in note for note in made.left_out)
    monkeypatch.setattr(datasets, "counts_of", None)  # nothing is run again
    again = replicate.replicate(runs=20, datasets=["monks"], into=into)
    assert again.to_dict() == made.to_dict()
    for suffix in ("md", "html", "json"):
        assert made.report(tmp_path / f"report.{suffix}").stat().st_size > 1_000


def test_a_file_of_something_else_is_refused(tmp_path):
    for i, text in enumerate(("[]", "no json", '{"cells": 3}', '{"other": {}}')):
        path = tmp_path / f"other{i}.json"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=f"other{i}.json is no file"):
            datasets.Kept(path)
        assert path.read_text(encoding="utf-8") == text


def test_an_unknown_data_set_is_refused_with_the_near_name():
    with pytest.raises(KeyError, match=r"unknown data set of the paper 'brest'(.|\n)*did you mean 'breast'"):
        paper_sets(None, ["brest"])


def test_a_file_that_could_not_be_written_is_refused_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "counts_of", None)
    with pytest.raises(InputError, match="is a folder"):
        replicate.replicate(runs=2, datasets=["monks"], into=tmp_path)
    with pytest.raises(InputError, match="is not there"):
        replicate.replicate(runs=2, datasets=["monks"], into=tmp_path / "nowhere" / "kept.json")


def test_what_is_kept_belongs_to_the_versions_that_made_it(tmp_path, monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    monks = paper_sets(None, ["monks"]).sets["monks"]
    kept = datasets.Kept(tmp_path / "kept.json")
    kept.put(monks, "lda", 1, np.ones((10, 4)))
    assert datasets.Kept(kept.path).get(monks, "lda", 1) is not None
    monkeypatch.setattr(datasets, "version", lambda package: "0.0")
    assert datasets.Kept(kept.path).get(monks, "lda", 1) is None
    monkeypatch.undo()
    monkeypatch.setattr(datasets, "__version__", "0.0")
    assert datasets.Kept(kept.path).get(monks, "lda", 1) is None


def test_without_any_data_set_it_is_refused(monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    with pytest.raises(InputError, match=r"none of the data sets can be had(.|\n)*--data DIR"):
        replicate.replicate(runs=2, datasets=["ads"])


def test_without_a_folder_the_breast_set_of_scikit_learn_stands_in(monkeypatch):
    monkeypatch.delenv("BESTOFK_DATA", raising=False)
    told = []
    made = replicate.replicate(runs=2, datasets=["breast"], progress=lambda done, total, what: told.append(what))
    assert "1 data set: UniErr" in made.headline
    assert not any("breast" in line.what for line in made.agreement)  # it is not the set of Table 2
    assert any("scikit-learn's breast-cancer" in line for line in made.left_out)
    assert told[:2] == ["c45 on breast-cancer", "lda on breast-cancer"]
    assert told[-1] == "done"


def test_what_the_folder_has_and_lacks():
    folder = Path(os.environ.get("BESTOFK_DATA") or ROOT.parent / "shared" / "data")
    if not (folder / "index.json").exists():
        pytest.skip("no folder of data: set BESTOFK_DATA")
    found = paper_sets(folder, ["ads", "breast", "donors"])
    assert list(found.sets) == ["breast", "donors"]
    assert "ads" in found.left_out[0]
    assert any("donors_part" in line for line in found.left_out)
    breast = found.sets["breast"]
    assert breast.classes[found.positive["breast"]] == "2"  # benign, as Fig. 2 has it: lda has the higher fpr
    counts = datasets.oriented({"lda": datasets.counts_of(breast, "lda", 1)}, found.positive["breast"])["lda"]
    assert counts.sum() == len(breast.y) == 699
    assert counts[:, :2].sum() == 458
    other = datasets.oriented({"lda": datasets.counts_of(breast, "lda", 1)}, 1)["lda"]
    assert vectors(other, ("tpr",)) == pytest.approx(1 - vectors(counts, ("fpr",)))
