"""What a trial of several measures found: classes that are numbers, thresholds, odd predictions, filtered frames."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.evidence.columns import roles_of_name

pd = pytest.importorskip("pandas")
EXAMPLES = Path(__file__).parent.parent / "examples"


def long_table(classes, good=1.2, seed=0):
    """Two learners' probabilities of the second class as scikit-learn sorts them; ``sure`` is the better one."""
    rng = np.random.default_rng(seed)
    truth = np.tile([0, 1], 40)
    parts = []
    for name, shift in (("sure", 2 * good), ("vague", good / 2)):
        scores = 1 / (1 + np.exp(-(shift * (truth - 0.5) + rng.normal(size=80))))
        parts.append(
            pd.DataFrame(
                {"learner": name, "item": range(80), "truth": np.array(classes)[truth], "probability": scores.round(6)}
            )
        )
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("classes", [(9, 10), (2, 10), (99, 100), (-2, -1), (-1, 1), ("a", "b")])
def test_the_second_class_is_that_of_scikit_learn(classes):
    from sklearn.metrics import roc_auc_score

    table = long_table(classes)
    verdict = bk.judge(table, on="roc")
    for name in ("sure", "vague"):
        part = table[table.learner == name]
        area = roc_auc_score(part.truth == classes[1], part.probability)
        assert area > 0.5
        assert verdict.roc.areas[name] == pytest.approx(area)
    assert verdict.order[0] == "sure"


def test_a_threshold_is_reached_by_the_other_class_too():
    table = pd.DataFrame(
        {
            "learner": np.repeat(["a", "b"], 40),
            "item": np.tile(np.arange(40), 2),
            "fold": np.tile(np.arange(40) // 10, 2),
            "truth": np.tile(["n", "p"], 40),
            "probability": np.r_[np.full(40, 0.8), np.tile([0.1, 0.9, 0.7, 0.3], 10)],
        }
    )
    verdict = bk.judge(table, on="tpr@0.2,fpr@0.2", positive="n")
    assert dict(verdict.comparison.means["a"]) == pytest.approx({"tpr@0.2": 1.0, "fpr@0.2": 1.0})


def test_a_predicted_class_that_is_not_counted_is_refused():
    table = long_table(("neg", "pos"))
    table["fold"] = table.item // 20
    table["prediction"] = np.where(table.probability >= 0.5, "pos", "neg")
    table.loc[(table.learner == "vague") & (table.item == 4), "prediction"] = "unsure"
    for on in ("tpr,fpr", "accuracy,precision"):
        with pytest.raises(InputError, match="vague predicts unsure, and the classes are neg and pos"):
            bk.judge(table, on=on)
    assert bk.judge(table, on="roc").order  # curves have no use for predictions


@pytest.mark.parametrize("how", ["filtered", "sorted", "shuffled", "put together"])
def test_frames_may_have_been_worked_on(how):
    frame = pd.read_csv(EXAMPLES / "two_class.csv")
    names = sorted(frame.learner.unique())[:2]
    pair = frame[frame.learner.isin(names)]
    worked = {
        "filtered": pair,
        "sorted": pair.sort_values(list(pair.columns[-1:])),
        "shuffled": pair.sample(frac=1, random_state=0),
        "put together": pd.concat([pair[pair.learner == name].reset_index(drop=True) for name in names]),
    }[how]
    plain = bk.judge(pair.reset_index(drop=True), on="tpr,fpr")
    assert bk.judge(worked, on="tpr,fpr").comparison.means == plain.comparison.means


def test_an_unnamed_column_that_may_say_something_is_still_asked_about():
    frame = pd.DataFrame({"learner": list("aabb"), "error": [0.1, 0.2, 0.3, 0.4]}, index=[7, 3, 3, 7])
    with pytest.raises(InputError, match="has no name"):
        bk.read(frame)


def test_items_are_known_by_their_role():
    assert "item" in roles_of_name("item")


def test_the_error_beside_one_class_against_the_rest_is_said_to_be_of_all_classes():
    rng = np.random.default_rng(1)
    truth = rng.choice(list("xyz"), 60)
    parts = []
    for name in "ab":
        said = np.where(rng.random(60) < 0.7, truth, rng.choice(list("xyz"), 60))
        parts.append(pd.DataFrame({"learner": name, "item": range(60), "fold": np.arange(60) // 12, "truth": truth}))
        parts[-1]["prediction"] = said
    table = pd.concat(parts, ignore_index=True)
    wrong = (table.prediction != table.truth).groupby(table.learner).mean()
    verdict = bk.judge(table, on="accuracy,tpr", positive="y")
    assert verdict.comparison.error_of == "of all classes"
    assert dict(verdict.comparison.error_means) == pytest.approx(dict(wrong))
    assert "mean error of all classes" in str(verdict)
    assert bk.judge(table, on="error,tpr", positive="y").comparison.error_of == ""
    assert bk.judge(table, on="accuracy,kappa").comparison.error_of == ""
