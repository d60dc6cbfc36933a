"""Tables that hold several measures: filtered frames, folds of other names, stores beside files, plans."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.evidence.columns import roles_of_name
from bestofk.stores.address import open_store
from bestofk.stores.exchange.table_export import export_store
from bestofk.stores.exchange.table_import import store_from_table
from bestofk.stores.memory import MemoryStore
from makers_measures import EXAMPLES, run, saved, three_counts_csv


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


def test_data_sets_with_folds_of_other_names(tmp_path):
    rng = np.random.default_rng(2)
    lines = ["learner,dataset,fold,tp,fn,fp,tn"]
    for name in "ab":
        for fold in range(1, 11):
            tp, fp = rng.integers(5, 10), rng.integers(1, 5)
            lines.append(f"{name},{'d1' if fold % 2 else 'd2'},{fold},{tp},{10 - tp},{fp},{10 - fp}")
    path = saved(tmp_path, "\n".join(lines) + "\n")
    found = bk.read(path, dataset="d1")
    assert found.folds == ("1", "3", "5", "7", "9")
    assert found.counts.shape == (2, 1, 1, 5, 4)
    assert bk.judge(bk.read(path, dataset="d1", on="tpr,fpr")).comparison.sample.units == 5


def test_folds_of_replications_with_other_names(tmp_path):
    rows = [f"{n},{r},{f},0.{f}\n" for n in "ab" for r, f in ((1, 1), (1, 2), (2, 3), (2, 4))]
    path = saved(tmp_path, "learner,replication,fold,error\n" + "".join(rows))
    with pytest.raises(bk.InputError, match="replication 1 has 2 folds of 4"):
        bk.judge(path)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A store with one data set of two classes and one of three."""
    rng = np.random.default_rng(0)
    codes = {name: np.arange(60) % number for name, number in (("two", 2), ("three", 3))}
    data = {
        name: (np.column_stack([each + rng.normal(size=60), rng.normal(size=60)]), np.array(list("abc"))[each])
        for name, each in codes.items()
    }
    store = str(tmp_path_factory.mktemp("mixed") / "mixed.db")
    bk.collect(bk.Plan(["nmc", "max"], data, folds="5-fold", seed=1), into=store, engine="serial", progress=False)
    return store


def test_counts_of_two_classes_survive_a_data_set_of_three(mixed, tmp_path):
    store = open_store(mixed, create=False)
    path = tmp_path / "out.csv"
    made = export_store(store, path)
    assert {"tp", "fn", "fp", "tn", "error"} <= set(made.columns)
    one = bk.judge(bk.read(str(path), dataset="two", on="tpr,fpr"), missing="refuse")
    there = bk.judge(bk.read(mixed, dataset="two", on="tpr,fpr"))
    assert one.comparison.means == there.comparison.means
    assert bk.read(str(path)).means() == pytest.approx(bk.read(mixed).means())
    back = MemoryStore()
    back.write(list(store_from_table(path).read()))
    cells = {(cell.key.dataset, cell.key.learner): cell for cell in back.read()}
    for cell in store.read():
        again = cells[cell.key.dataset, cell.key.learner]
        assert not any(any(line) for line in again.failures)
        np.testing.assert_array_equal(again.confusion, cell.confusion)
    store.close()


def test_a_store_is_judged_by_itself(mixed, tmp_path):
    answer = run("judge", mixed, three_counts_csv(tmp_path))
    assert answer.exit_code == 2
    assert "beside 1 other file." in answer.stderr
    assert "judge a store" in answer.stderr


def test_a_plan_is_collected_first(tmp_path):
    path = saved(tmp_path, 'seed = 1\nfolds = "10-fold"\n', "p.toml")
    answer = run("judge", path)
    assert answer.exit_code == 2
    assert answer.stderr.startswith("it is a plan")
    assert f"bestofk collect {path} --into" in answer.stderr


def test_a_store_has_the_fingerprint_of_its_plan(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text('learners = ["max", "nmc"]\ndatasets = ["iris"]\nfolds = "5x2"\nseed = 1\n')
    run = CliRunner()
    assert (
        run.invoke(main, ["collect", str(plan), "--into", str(tmp_path / "r.db"), "--engine", "serial"]).exit_code == 0
    )
    text = tmp_path / "v.md"
    run.invoke(main, ["report", str(tmp_path / "r.db"), "-o", str(text)])
    assert "Fingerprint of the plan" in text.read_text()
    assert "SHA-256" not in text.read_text()
