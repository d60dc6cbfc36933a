"""Classes that are numbers or true and false, in every spelling and every layout: one class, one name."""

from time import process_time

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from makers import EXAMPLES, command, slow

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


@pytest.mark.parametrize(
    ("layout", "spelling"),
    [
        *((layout, "words") for layout in LAYOUTS),
        *(("predictions", each) for each in SPELLINGS if each != "words"),
        *slow(*((layout, each) for layout in LAYOUTS[1:] for each in SPELLINGS if each != "words")),
    ],
)
def test_rates_do_not_depend_on_how_classes_are_written(layout, spelling, tmp_path):
    found = rows()
    said = (found.s > 0).astype(int) if layout == "decision" else found.said
    tpr = (said[found.code == 1]).groupby(found.learner).mean()
    error = (said != found.code).groupby(found.learner).mean()
    path = tmp_path / "items.csv"
    table(layout, spelling).to_csv(path, index=False)
    for source, options in ((path, {}), (table(layout, spelling), {"positive": SPELLINGS[spelling][1]})):
        verdict = bk.judge(source, on="tpr,kappa", **options)
        for name in "ab":
            assert verdict.comparison.means_of("tpr")[name] == pytest.approx(tpr[name])
            assert verdict.comparison.means_of("error")[name] == pytest.approx(error[name])
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
        assert bk.judge(source, on="recalls").names == ("recall of 1.0", "recall of 2.0", "recall of other")


@pytest.mark.parametrize("classes", [("1.1", "1.10", "beta"), ("007", "7", "x"), ("250.0", "250.00", "V27")])
def test_classes_that_only_look_like_numbers_stay_apart(classes, tmp_path):
    rng = np.random.default_rng(0)
    truth = rng.choice(classes, 60)
    said = {name: np.where(rng.random(60) < p, truth, rng.choice(classes, 60)) for name, p in (("a", 0.8), ("b", 0.6))}
    frame = pd.DataFrame({"item": range(60), "truth": truth, **said})
    frame.to_csv(tmp_path / "items.csv", index=False)
    for source in (tmp_path / "items.csv", frame):
        found = bk.read(source)
        assert set(found.truth) == set(classes)
        assert list(found.values.mean(axis=1)) == pytest.approx([np.mean(said[name] != truth) for name in "ab"])


def test_answers_in_words_match_as_they_are_written(tmp_path):
    frame = pd.DataFrame({"item": range(4), "truth": ["42", "yes", "no", "7"]})
    frame["a"], frame["b"] = ["42.0", "yes", "no", "007"], ["42", "yes", "no", "x"]
    frame.to_csv(tmp_path / "answers.csv", index=False)
    assert bk.read(tmp_path / "answers.csv", measure="accuracy").values.tolist() == [[0, 1, 1, 0], [1, 1, 1, 0]]


@pytest.mark.parametrize("classes", [("None", "NA"), ("null", "none")])
def test_words_of_absence_may_be_classes(classes):
    frame = pd.DataFrame({"item": range(6), "truth": classes * 3, "a": classes * 3, "b": [classes[0]] * 6})
    assert list(bk.read(frame).values.mean(axis=1)) == [0.0, 0.5]


def test_many_different_answers_are_read_at_once():
    """Each word is looked up once: in a second, not in minutes."""
    answers = [f"answer {i}" for i in range(20_000)]
    frame = pd.DataFrame({"item": range(20_000), "truth": answers, "a": answers, "b": answers[::-1]})
    start = process_time()
    assert bk.read(frame, measure="accuracy").values[0].mean() == 1.0
    assert process_time() - start < 8


def test_two_columns_of_one_class_are_refused():
    frame = table("wide probabilities", "whole")
    frame["a:1.0"] = frame["a:1"]
    with pytest.raises(bk.InputError, match=r"a:1.*a:1\.0.*class, 1"):
        bk.judge(frame, on="roc")


def test_true_and_false_are_said_back(tmp_path):
    notes = bk.read(table("predictions", "pandas")).origin.notes
    assert any("classes 1 and 0" in note for note in notes)
    frame = table("predictions", "pandas").replace({"truth": {"True": "maybe"}, "prediction": {"True": "maybe"}})
    read = bk.read(frame)
    assert set(read.truth) == {"False", "maybe"}
    assert not any("true and false" in note for note in read.origin.notes)


def test_absent_predictions_of_numbers_are_missing():
    frame = table("predictions", "point")
    frame.loc[0, "prediction"] = "NA"
    assert bk.read(frame).missing() == ("learner a, item 0 (row 1)",)


@pytest.mark.parametrize(
    ("on", "more", "expected"),
    [
        ("tpr,fpr", [], ["Positive yes"]),
        ("tpr,fpr", ["--positive", "no"], ["Positive no"]),
        ("precision,recall", [], ["Positive yes"]),
        ("recalls", [], []),
        ("kappa,mcc", [], []),
    ],
)
def test_the_answer_says_which_class_is_positive_where_a_measure_is_of_it(tmp_path, on, more, expected):
    path = tmp_path / "r.csv"
    table("predictions", "words").to_csv(path, index=False)
    answer = command("judge", path, "--on", on, *more)
    assert answer.exit_code == 0
    assert [line for line in answer.stdout.splitlines() if line.startswith("Positive")] == expected
    page = command("judge", path, "--on", on, *more, "--full").stdout
    assert [line for line in page.splitlines() if line.startswith("Positive class")] == [
        line.replace("Positive", "Positive class:") + "." for line in expected
    ]


def test_an_area_says_its_positive_class_and_counts_without_names_say_none(tmp_path):
    path = tmp_path / "r.csv"
    table("probability", "words").to_csv(path, index=False)
    assert "\nPositive yes" in command("judge", path, "--on", "roc").stdout
    assert "Positive" not in command("judge", EXAMPLES / "counts.csv", "--on", "tpr,fpr").stdout
