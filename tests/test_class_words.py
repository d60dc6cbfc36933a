"""Classes that are numbers or true and false, in every spelling and every layout: one class, one name."""

import numpy as np
import pandas as pd
import pytest

import bestofk as bk

SPELLINGS = {
    "words": ("no", "yes"),
    "whole": ("0", "1"),
    "point": ("0.0", "1.0"),
    "two": ("1.0", "2.0"),
    "pandas": ("False", "True"),
    "json": ("false", "true"),
}


def rows(seed=0, folds=6, size=20):
    rng = np.random.default_rng(seed)
    truth = np.tile([0, 1], folds * size // 2)
    made = []
    for name, spread in (("a", 1.2), ("b", 2.5)):
        score = 2 * truth - 1 + rng.normal(0, spread, truth.size)
        chance = (1 / (1 + np.exp(-score))).round(3)
        keys = {"learner": name, "item": np.arange(truth.size), "fold": np.arange(truth.size) // size}
        made.append(pd.DataFrame({**keys, "code": truth, "said": (chance > 0.5).astype(int), "p": chance, "s": score}))
    return pd.concat(made, ignore_index=True)


def table(layout, spelling):
    words, found = np.array(SPELLINGS[spelling]), rows()
    given = found[["learner", "fold", "item"]].assign(truth=words[found.code])
    if layout == "predictions":
        return given.assign(prediction=words[found.said])
    if layout == "probability":
        return given.assign(probability=found.p)
    if layout == "decision":
        return given.assign(decision=found.s)
    if layout == "columns":
        return given.assign(**{words[0]: (1 - found.p).round(3), words[1]: found.p})
    wide = given[given.learner == "a"].drop(columns="learner").reset_index(drop=True)
    for name in "ab":
        own = found[found.learner == name].reset_index(drop=True)
        if layout == "wide predictions":
            wide[name] = words[own.said]
        else:
            wide[f"{name}:{words[0]}"], wide[f"{name}:{words[1]}"] = (1 - own.p).round(3), own.p
    return wide


LAYOUTS = ("predictions", "probability", "decision", "columns", "wide predictions", "wide probabilities")


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_rates_do_not_depend_on_how_classes_are_written(layout, spelling, tmp_path):
    found = rows()
    said = (found.s > 0).astype(int) if layout == "decision" else found.said
    tpr = (said[found.code == 1]).groupby(found.learner).mean()
    error = (said != found.code).groupby(found.learner).mean()
    path = tmp_path / "items.csv"
    table(layout, spelling).to_csv(path, index=False)
    for source in (path, table(layout, spelling)):
        for options in ({}, {"positive": SPELLINGS[spelling][1]}):
            verdict = bk.judge(source, on="tpr,kappa", **options)
            for name in "ab":
                assert verdict.comparison.means[name]["tpr"] == pytest.approx(tpr[name])
                assert verdict.comparison.error_means[name] == pytest.approx(error[name])
        assert dict(bk.judge(source).comparison.means) == pytest.approx(dict(error))
    if layout not in ("predictions", "wide predictions"):
        plain = bk.judge(table(layout, "words"), on="roc")
        assert dict(bk.judge(path, on="roc").roc.areas) == pytest.approx(dict(plain.roc.areas))


def test_the_truth_decides_how_classes_are_written(tmp_path):
    """A learner that predicts numbers only, of classes that are not all numbers, is right where it is."""
    frame = pd.DataFrame({"truth": ["1.0", "2.0", "other", "1.0"] * 5, "fold": np.repeat(range(5), 4)})
    frame["a"], frame["b"] = ["1.0", "2.0", "2.0", "1.0"] * 5, ["1.0", "2.0", "other", "2.0"] * 5
    frame["c"] = ["1.0", "2.0", "2.0", "2.0"] * 5
    frame.to_csv(tmp_path / "items.csv", index=False)
    for source in (tmp_path / "items.csv", frame):
        assert dict(bk.judge(source).comparison.means) == {"a": 0.25, "b": 0.25, "c": 0.5}
        assert bk.judge(source, on="recalls").names == ("recall of 1", "recall of 2", "recall of other")


def test_true_and_false_are_said_back(tmp_path):
    notes = bk.read(table("predictions", "pandas")).origin.notes
    assert "true and false were read as the classes 1 and 0" in notes
    frame = table("predictions", "pandas").replace({"truth": {"True": "maybe"}, "prediction": {"True": "maybe"}})
    read = bk.read(frame)
    assert set(read.truth) == {"False", "maybe"}
    assert not any("true and false" in note for note in read.origin.notes)


def test_absent_predictions_of_numbers_are_missing():
    frame = table("predictions", "point")
    frame.loc[0, "prediction"] = "NA"
    assert bk.read(frame).missing() == ("learner a, item 0 (row 1)",)
