"""What a first-time user ran into: folds without a valid test, plans that cannot run, failures nobody is told of."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GroupKFold, PredefinedSplit, TimeSeriesSplit

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting import collect_plan, run_cell
from bestofk.collecting.run.report import FailedFolds
from bestofk.core.errors import InputError
from bestofk.design.plan.check import check_plan
from bestofk.stores.address import open_store
from bestofk.stores.memory import MemoryStore
from bestofk.stores.store import PlanRecord
from collecting_toys import NB, Halves, toy_learner, toy_plan


class Column(ClassifierMixin, BaseEstimator):
    """Answers with a column of the data."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, self.column].astype(int)


class Failing(Column):
    """Fails wherever it is trained on few rows."""

    def __init__(self, column=0, least=1000):
        super().__init__(column)
        self.least = least

    def fit(self, X, y):
        if len(X) < self.least:
            raise ValueError("too few rows for me")
        return super().fit(X, y)


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def collected(tmp_path, folds, dataset=None, learners=("max", "nmc"), **more):
    dataset = noisy() if dataset is None else dataset
    plan = bk.Plan(learners if isinstance(learners, dict) else list(learners), {"mine": dataset}, folds=folds, **more)
    return bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)


def noisy(rows=40):
    draw = np.random.default_rng(3)
    X = draw.normal(size=(rows, 3))
    return X, (X[:, 0] + draw.normal(size=rows) > 0).astype(int)


def answers():
    """Truth, an answer that is always right, and one that is wrong on 2, 5, 2 and 4 of 8 rows of the test blocks."""
    y = np.arange(40) % 2
    other = y.copy()
    for block, wrong in enumerate((2, 5, 2, 4)):
        rows = slice(8 + 8 * block, 8 + 8 * block + wrong)
        other[rows] = 1 - other[rows]
    return np.column_stack([y, other]).astype(float), y


TWO = {"right": Column(0), "other": Column(1)}


# Bootstraps that test on the full set


def test_a_bootstrap_of_the_full_set_has_means_and_no_verdict(tmp_path):
    evidence = collected(tmp_path, "bootstrap-5")
    answer = command("judge", tmp_path / "r.db")
    assert answer.exit_code == 2
    assert len(answer.stderr.strip().splitlines()) == 3
    assert "tested on the full set" in answer.stderr
    assert "bootstrap-10-oob" in answer.stderr
    assert "--test-fraction" not in answer.output
    for learner, mean in evidence.means().items():
        assert f"{learner} {mean:.4g}" in answer.stderr.splitlines()[0]


@pytest.mark.parametrize("more", [(), ("--test", "corrected-t"), ("--test", "paired-t", "--force")])
def test_a_share_of_test_data_makes_no_random_splits_of_a_bootstrap(tmp_path, more):
    collected(tmp_path, "bootstrap-5")
    answer = command("judge", tmp_path / "r.db", "--test-fraction", "0.3", *more)
    assert answer.exit_code == 2
    assert "test_fraction is 0.3, but every bootstrap sample was tested on the full set" in answer.stderr
    assert command("judge", tmp_path / "r.db", *more).exit_code == 2


def test_several_measures_of_such_a_bootstrap_have_no_verdict_either(tmp_path):
    collected(tmp_path, "bootstrap-8")
    answer = command("judge", tmp_path / "r.db", "--on", "accuracy,f1")
    assert answer.exit_code == 2
    assert "tested on the full set" in answer.stderr


def test_over_data_sets_the_reader_is_told_that_such_errors_are_too_low(tmp_path):
    plan = bk.Plan(["max", "nmc"], ["iris", "wine"], folds="bootstrap-2", seed=1)
    evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert any("errors are too low" in note for note in evidence.origin.notes)


# Growing and unequal training sets


@pytest.mark.parametrize("folds", ["forward-4", TimeSeriesSplit(4)], ids=["forward", "TimeSeriesSplit"])
def test_growing_training_sets_are_corrected_by_the_mean_of_their_own_sizes(tmp_path, folds):
    """By hand: d = .25, .625, .25, .5 has mean .40625 and variance .105469/3; n_test/n_train are 1, 1/2, 1/3, 1/4.

    t = .40625 / sqrt((1/4 + .520833) · .0351563) = 2.4678, and 2·P(T₃ > 2.4678) = .0902.
    """
    evidence = collected(tmp_path, folds, answers(), TWO)
    np.testing.assert_allclose(evidence.values[:, 0, 0], [[0, 0, 0, 0], [0.25, 0.625, 0.25, 0.5]])
    verdict = bk.judge(evidence)
    pair = verdict.comparison.pair("right", "other")
    assert verdict.test == "corrected-t"
    assert abs(pair.statistic) == pytest.approx(2.4678, abs=1e-4)
    assert pair.pvalue == pytest.approx(0.0902, abs=1e-4)
    said = " ".join(verdict.text().split())
    assert "because training sets grow from fold to fold" in said
    assert "test rows per training row over the folds, 0.521" in said
    assert "4 folds with growing training sets" in said
    assert "random split" not in said


def test_growing_folds_are_no_values_for_the_plain_t_test(tmp_path):
    evidence = collected(tmp_path, "forward-4", answers(), TWO)
    with pytest.raises(InputError, match="4 folds with growing training sets, of one data set share"):
        bk.judge(evidence, test="paired-t")


def test_folds_of_unequal_sizes_are_corrected_by_the_mean_of_their_own_sizes(tmp_path):
    """Test sets of 20, 10 and 10 of 40 rows: n_test/n_train are 1, 1/3 and 1/3, in the mean 5/9 instead of 1/2."""
    evidence = collected(tmp_path, PredefinedSplit(np.repeat([0, 1, 2], [20, 10, 10])), answers(), TWO)
    assert evidence.test_fraction / (1 - evidence.test_fraction) == pytest.approx(5 / 9)
    assert "3 folds of other sizes than in k-fold" in repr(evidence)
    verdict = bk.judge(evidence)
    differences = evidence.values[1].ravel() - evidence.values[0].ravel()
    error = np.sqrt((1 / 3 + 5 / 9) * differences.var(ddof=1))
    assert abs(verdict.comparison.pair("right", "other").statistic) == pytest.approx(differences.mean() / error)
    assert "folds of other sizes than in k-fold share training data" in " ".join(verdict.text().split())


def test_a_window_that_slides_does_not_grow(tmp_path):
    """Eight rows train and eight test in every fold: n_test/n_train is 1, not the 1/3 of 4-fold."""
    evidence = collected(tmp_path, TimeSeriesSplit(4, max_train_size=8), answers(), TWO)
    assert (evidence.divided, evidence.test_fraction) == ("uneven", pytest.approx(0.5))
    assert "grow" not in bk.judge(evidence).text()


@pytest.mark.parametrize("folds", ["3-fold", "2x7", "7-fold-stratified", GroupKFold(4)])
def test_folds_as_equal_as_rounding_lets_them_be_stay_k_fold(tmp_path, folds):
    X, y = noisy()
    rows = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    grouped = isinstance(folds, GroupKFold)
    dataset = {"data": rows.assign(g=np.arange(40) // 5), "target": "y", "groups": "g"} if grouped else (X, y)
    evidence = collected(tmp_path, folds, dataset)
    assert (evidence.test_fraction, evidence.divided) == (None, "")


def test_halves_of_groups_of_unequal_sizes_keep_the_test_of_their_design(tmp_path):
    X, y = noisy()
    rows = pd.DataFrame(X, columns=list("abc")).assign(y=y, g=np.repeat([0, 1, 2, 3], [25, 5, 5, 5]))
    evidence = collected(tmp_path, "5x2", {"data": rows, "target": "y", "groups": "g"})
    assert evidence.divided == "uneven"
    assert bk.judge(evidence).test == "5x2cv-t"


# Plans that cannot run


def impossible():
    X, y = noisy(60)
    rows = pd.DataFrame(X, columns=list("abc")).assign(y=y, one="p", rare=["k"] * 3 + ["m"] * 57)
    return {
        "61-fold": ("61-fold", {"data": rows[["a", "b", "y"]], "target": "y"}),
        "rare class": ("5-fold-stratified", {"data": rows[["a", "b", "rare"]], "target": "rare"}),
        "one group": ("5x2", {"data": rows[["a", "b", "y", "one"]], "target": "y", "groups": "one"}),
        "order of time": ("5x2", {"data": rows[["a", "b", "y"]], "target": "y", "ordered": True}),
    }


@pytest.mark.parametrize("case", impossible())
def test_collect_refuses_what_plan_check_refuses_and_writes_nothing(tmp_path, case):
    folds, entry = impossible()[case]
    plan = bk.Plan(["max", "nmc"], {"fine": "iris", "mine": entry}, folds=folds)
    with pytest.raises(InputError) as told:
        check_plan(plan)
    with pytest.raises(InputError) as raised:
        bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert str(raised.value) == str(told.value)
    assert list(tmp_path.iterdir()) == []


def test_the_command_refuses_it_in_three_lines(tmp_path):
    X, y = noisy(60)
    pd.DataFrame(X, columns=list("abc")).assign(y=y).to_csv(tmp_path / "mine.csv", index=False)
    file = tmp_path / "plan.toml"
    file.write_text("folds = '61-fold'\nlearners = ['max', 'nmc']\n[datasets]\nm = { file = 'mine.csv' }\n")
    answer = command("collect", file, "--into", tmp_path / "r.db", "--engine", "serial")
    assert answer.exit_code == 2
    assert answer.stderr == command("plan", "check", file).stderr
    assert len(answer.stderr.strip().splitlines()) == 3
    assert not (tmp_path / "r.db").exists()


def test_on_is_for_measures_and_says_what_names_the_engine(tmp_path):
    with pytest.raises(InputError) as raised:
        bk.collect(bk.Plan(["max", "nmc"], ["iris"]), tmp_path / "r.db", on="serial")
    assert "engine='serial'" in raised.value.fix
    answer = command("collect", tmp_path / "plan.toml", "--into", tmp_path / "r.db", "--on", "serial")
    assert (answer.exit_code, len(answer.stderr.strip().splitlines())) == (2, 3)
    assert "--engine serial" in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_has_other_plans_is_left_as_it_was(tmp_path):
    collected(tmp_path, "3-fold")
    before = (tmp_path / "r.db").read_bytes()
    with pytest.raises(InputError, match="41-fold needs at least 41 rows"):
        collected(tmp_path, "41-fold")
    assert (tmp_path / "r.db").read_bytes() == before
    assert len(open_store(tmp_path / "r.db", create=False).plans()) == 1


class Torn(Halves):
    """Halves that cannot be made of one data set."""

    def split(self, dataset, replication, seed):
        if dataset.name == "toy1":
            raise InputError("cannot be divided.", "data set toy1", "use other folds.")
        return super().split(dataset, replication, seed)


def test_a_store_that_had_begun_is_completed_with_failed_rows():
    plan, store = toy_plan(2, folds=Torn(2)), MemoryStore()
    store.record_plan(PlanRecord(plan.fingerprint, plan.to_text(), "2026-01-01T00:00:00+00:00"))
    store.write([run_cell(plan.datasets[1], plan.learners[0], plan.folds, 1, 0, 1)])
    report = collect_plan(plan, store, engine="serial", progress=False)
    assert (report.folds, report.failed_in_store) == (14, 8)
    with pytest.raises(InputError, match="cannot be divided"):
        collect_plan(plan, MemoryStore(), engine="serial", progress=False)


def test_folds_of_ones_own_that_break_are_failed_rows():
    class Broken(Halves):
        def split(self, dataset, replication, seed):
            raise ZeroDivisionError("no folds")

    report = collect_plan(toy_plan(1, folds=Broken(1), datasets=1), MemoryStore(), engine="serial", progress=False)
    assert (report.folds, report.failures) == (4, 4)


def test_a_learner_that_cannot_be_trained_is_failed_rows_and_no_refusal():
    bad = toy_learner("bad", lambda: Failing(least=10**6))
    report = collect_plan(toy_plan(1, bad, NB, datasets=1), MemoryStore(), engine="serial", progress=False)
    assert (report.folds, report.failures) == (4, 2)


# Failures are told


def test_python_is_warned_of_failed_folds_and_the_evidence_tells_them(tmp_path):
    learners = {"right": Column(0), "bad": Failing(1, least=20)}
    with pytest.warns(FailedFolds) as heard:
        evidence = collected(tmp_path, "forward-4", answers(), learners)
    assert len(heard) == 1
    said = str(heard[0].message)
    assert said.startswith("2 of 8 folds failed. bad: 2 failed folds on mine: ValueError: too few rows for me.")
    assert f"bestofk store info {tmp_path / 'r.db'}" in said
    assert heard[0].filename == __file__
    assert repr(evidence).endswith("; 2 of 8 folds failed")
    assert len(evidence.failures) == 2


def test_python_hears_nothing_when_all_went_well(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evidence = collected(tmp_path, "3-fold")
    assert "failed" not in repr(evidence)


def test_all_folds_failing_is_told_too(tmp_path):
    with pytest.warns(FailedFolds, match="^6 of 6 folds failed"):
        evidence = collected(tmp_path, "3-fold", answers(), {"one": Failing(0), "two": Failing(1)})
    assert repr(evidence).endswith("; 6 of 6 folds failed")


def test_failed_points_of_learning_curves_keep_their_reason(tmp_path):
    learners = {"right": Column(0), "bad": Failing(1, least=6)}
    with pytest.warns(FailedFolds):
        evidence = collected(tmp_path, "learning-curve-3-fold-3", answers(), learners)
    gone = int(np.isnan(evidence.values[1]).sum())
    assert gone == len(evidence.failures) > 0
    assert repr(evidence).endswith(f"; {gone} of 18 folds failed")
    answer = command("judge", tmp_path / "r.db")
    assert answer.exit_code == 2
    assert "learner bad, run 1.1, step" in answer.stderr
    assert "(failed: ValueError: too few rows for me)" in answer.stderr
    assert "--retry-failed" in answer.stderr


def test_failed_points_of_curves_on_several_data_sets_keep_their_reason(tmp_path):
    X, y = answers()
    sets = {"one": (X, y), "two": (X[::-1], y[::-1])}
    plan = bk.Plan({"right": Column(0), "bad": Failing(1, least=6)}, sets, folds="learning-curve-3-fold-3")
    with pytest.warns(FailedFolds):
        evidence = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    missing = evidence.missing()
    assert missing
    assert all("failed: ValueError: too few rows for me" in each for each in missing)


# Words


def test_measures_are_offered_that_the_task_allows(tmp_path):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(30, 2))
    collected(tmp_path, "3-fold", (X, X[:, 0] + 0.25), ["mean", "ridge"], measures=["mse"])
    answer = command("judge", tmp_path / "r.db", "--measure", "error")
    assert answer.exit_code == 2
    assert "error is for classification, and these are results of regression." in answer.stderr
    assert "to do: choose among: mse" in answer.stderr
    assert "add measures" in command("judge", tmp_path / "r.db", "--measure", "mae").stderr


def test_only_a_table_that_loses_the_preference_says_so(tmp_path):
    collected(tmp_path, "3-fold", prior=["nmc", "max"])
    lost = "no place for the plan's preference"
    assert lost in command("store", "export", tmp_path / "r.db", tmp_path / "a.csv").stderr
    assert lost not in command("store", "export", tmp_path / "r.db", tmp_path / "b.csv", "--complete").stderr


@pytest.mark.parametrize(("folds", "said"), [("forward-4", True), ("bootstrap-3", True), ("3-fold", False)])
def test_a_table_that_loses_how_rows_were_divided_says_so(tmp_path, folds, said):
    collected(tmp_path, folds)
    told = command("store", "export", tmp_path / "r.db", tmp_path / "a.csv").stderr
    assert (f"no place for how {folds} divides rows; judge the store itself" in told) is said


@pytest.mark.parametrize(("ordered", "said"), [("false", True), ("true", False)])
def test_check_says_that_forward_folds_take_the_order_of_rows_for_time(tmp_path, ordered, said):
    X, y = noisy()
    pd.DataFrame(X, columns=list("abc")).assign(y=y).to_csv(tmp_path / "mine.csv", index=False)
    file = tmp_path / "plan.toml"
    entry = f"m = {{ file = 'mine.csv', ordered = {ordered} }}"
    file.write_text(f"folds = 'forward-4'\nlearners = ['max', 'nmc']\n[datasets]\n{entry}\n")
    answer = command("plan", "check", file)
    assert answer.exit_code == 0
    assert ("forward-4 takes the order of the rows of m for time" in answer.stderr) is said
    assert len(json.loads(command("plan", "check", file, "--json").stdout)["notes"]) == said


@pytest.mark.parametrize(
    ("folds", "wrong", "fix"),
    [
        (10, "unknown folds 10.", "did you mean '10-fold'?"),
        ([(np.arange(500), np.arange(500))], "unknown folds [(array([", "split and get_n_splits"),
        (None, "unknown folds None.", "5x2"),
    ],
)
def test_folds_that_are_none_are_shown_in_short(folds, wrong, fix):
    with pytest.raises(InputError) as raised:
        bk.Plan(["max", "nmc"], ["iris"], folds=folds)
    assert raised.value.wrong.startswith(wrong)
    assert len(raised.value.wrong) < 70
    assert fix in raised.value.fix


def test_one_of_a_kind_is_not_many(tmp_path):
    with pytest.raises(InputError, match="the plan has 0 learners"):
        bk.Plan([], ["iris"])
    with pytest.raises(InputError, match="the plan has 1 learner\\."):
        bk.Plan(["max"], ["iris"])
    with pytest.raises(InputError, match="asks for 1 fold\\."):
        bk.Plan(["max", "nmc"], ["iris"], folds="1-fold")
    plan = bk.Plan({"right": Column(0), "bad": Failing(1)}, {"mine": answers()}, folds="holdout-0.5")
    store = tmp_path / "r.db"
    with pytest.warns(FailedFolds, match="1 of 2 folds failed. bad: 1 failed fold on mine"):
        bk.collect(plan, store, engine="serial", progress=False)
    told = command("store", "info", store).stdout
    assert "1 fold done, 1 failed" in told
    assert "1 replication, 0 failed folds" in told
    assert "no plan begins with 'zzz'" in command("judge", store, "--plan", "zzz").stderr


@pytest.mark.parametrize("spoil", [lambda y: np.arange(40.0) // 1, lambda y: np.full(40, 1.5)])
def test_a_target_without_a_name_is_not_called_class(spoil):
    X, y = noisy()
    with pytest.raises(InputError, match=r"^y (holds|is)"):
        bk.Plan(["mean", "ridge"], {"mine": (X, spoil(y))})


def test_numbers_are_not_called_a_class():
    X, _ = noisy()
    with pytest.raises(InputError) as raised:
        bk.Plan(["max", "nmc"], {"mine": (X, X[:, 0])})
    assert "target class" not in str(raised.value)


def test_commands_to_go_on_have_the_arguments_of_whoever_called(tmp_path, capsys, monkeypatch):
    """Called with arguments of its own, the program's have nothing to do with it."""
    monkeypatch.setattr("sys.argv", ["pytest", "--its-own"])
    (tmp_path / "failing_here.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Faulty(GaussianNB):\n    def fit(self, X, y):\n        raise ValueError('no use')\n"
    )
    file, store = tmp_path / "plan.toml", tmp_path / "r.db"
    file.write_text("datasets = ['iris']\n[learners]\nmax = {}\nbad = { factory = 'failing_here:Faulty' }\n")
    given = ["collect", str(file), "--into", str(store), "--engine", "serial", "--no-sharing", "--allow-code"]
    with pytest.raises(SystemExit) as ended:
        main(given)
    told = capsys.readouterr().err.splitlines()[-1]
    assert ended.value.code == 1
    words = told.removeprefix("To run what failed again: bestofk ").split()
    assert words[:2] == given[:2]
    assert sorted(words) == sorted([*given, "--retry-failed"])


def test_the_docs_name_the_options_of_python():
    import inspect

    text = (Path(__file__).parent.parent / "docs" / "collecting.md").read_text(encoding="utf-8")
    for name in list(inspect.signature(bk.collect).parameters)[2:]:
        assert f"`{name}" in text, name
    for word in ("keep_predictions", "kfold-5", "holdout-0.3x20-stratified", "ordered = true", "dataset ="):
        assert word in text, word
