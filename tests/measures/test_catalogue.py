"""The catalogue of measures: every question about a measure has its answer in one entry."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import brier_score_loss, log_loss

import bestofk as bk
from bestofk.measures.catalogue import (
    COUNTED,
    ENTRIES,
    MEASURES,
    is_bounded,
    is_larger_better,
    known_measure,
    same_values,
)


def test_every_name_is_of_one_entry():
    entries = {id(each): each for each in ENTRIES.values()}.values()
    names = [name for each in entries for name in (each.name, *each.synonyms)]
    assert len(names) == len(set(names))
    assert set(MEASURES.names()) <= {each.name for each in entries if each.needs is not None}


def test_complements_are_turned_round_and_of_the_same_scale():
    for each in ENTRIES.values():
        if each.complement:
            other = ENTRIES[each.complement]
            assert (other.larger_is_better, other.scale) == (not each.larger_is_better, each.scale)


def test_measures_of_counts_say_when_they_are_undefined():
    assert all(each.undefined is not None and each.empty for each in COUNTED.values())


def test_names_of_one_measure_are_known_as_such():
    assert same_values("tpr") == same_values("Recall") == same_values("false_negative_rate")
    assert same_values("specificity") == same_values("fpr") != same_values("tpr")
    assert same_values("f1_score") == same_values("f1") != same_values("f1_macro")
    assert not same_values("tastiness")


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("epoch_loss", "loss"),
        ("val_acc", "accuracy"),
        ("test_f1_macro", "f1_macro"),
        ("eval_pr_auc", "average_precision"),
    ],
)
def test_what_stands_before_a_name_does_not_matter(name, known):
    assert known_measure(name).name == known


def test_losses_of_epochs_have_a_direction():
    assert is_larger_better("epoch_loss") is False
    assert is_larger_better("epoch_accuracy") is True
    assert not is_bounded("epoch_loss")


def long_table() -> tuple[pd.DataFrame, np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 50)
    chances = {
        name: 1 / (1 + np.exp(-(pull * (2 * y - 1) + rng.normal(size=50)))) for name, pull in (("a", 2), ("b", 1))
    }
    rows = [
        {"learner": name, "item": i, "truth": int(y[i]), "probability": p[i]}
        for name, p in chances.items()
        for i in range(50)
    ]
    return pd.DataFrame(rows), y, chances


@pytest.mark.parametrize(("measure", "peer"), [("log_loss", log_loss), ("brier_score", brier_score_loss)])
def test_losses_of_probabilities_are_computed(measure, peer):
    table, y, chances = long_table()
    found = bk.read(table, measure=measure)
    assert found.larger_is_better is False
    assert found.values.mean(axis=1) == pytest.approx([peer(y, chances[name]) for name in found.learners])
    columns = {f"{name}:{label}": p if label else 1 - p for name, p in chances.items() for label in (0, 1)}
    wide = pd.DataFrame({"item": range(50), "truth": y, **columns})
    np.testing.assert_allclose(bk.read(wide, measure=measure).values, found.values)
    assert bk.judge(found).order == ("a", "b")


def test_losses_of_probabilities_need_them():
    table, y, _ = long_table()
    for other in (
        table.rename(columns={"probability": "decision"}),
        table.assign(prediction=table.pop("probability") > 0.5),
        pd.DataFrame({"item": range(50), "truth": y, "a": y, "b": y}),
    ):
        with pytest.raises(bk.InputError, match="log_loss needs probabilities"):
            bk.read(other, measure="log_loss")
