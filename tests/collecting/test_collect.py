"""The verb collect: what it refuses before anything is written, what stops it, and what learners print."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting.cell.cell import run_cell
from bestofk.collecting.run.collect import collect_plan
from bestofk.core.errors import InputError
from bestofk.design.plan.plan import check_plan
from bestofk.stores.address import open_store
from bestofk.stores.memory import MemoryStore
from bestofk.stores.plans import plan_statuses
from bestofk.stores.store import PlanRecord
from collecting_plans import Failing, X, Y, collected, collected_beside_max, noisy, plan_file, plan_of
from collecting_toys import NB, Halves, toy_learner, toy_plan
from makers import command, slow


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


def test_a_store_that_has_other_plans_is_left_as_it_was(tmp_path):
    collected(tmp_path, "3-fold")
    before = (tmp_path / "r.db").read_bytes()
    with pytest.raises(InputError, match=r"41-fold.*least 41"):
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


def test_the_docs_name_the_options_of_python():
    import inspect

    docs = Path(__file__).parents[2] / "docs"
    text = "".join((docs / page).read_text(encoding="utf-8") for page in ("howto/collecting.md", "reference/plan.md"))
    for name in list(inspect.signature(bk.collect).parameters)[2:]:
        assert f"`{name}" in text, name
    for word in ("keep_predictions", "kfold-5", "holdout-0.3x20-stratified", "ordered = true", "dataset ="):
        assert word in text, word


def test_no_scheduler_leaves_no_store(tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    from bestofk.collecting.engines import dask

    monkeypatch.setattr(dask, "WAIT", 0.2)
    answer = command("collect", plan_file(tmp_path), "--into", tmp_path / "r.db", "--engine", "tcp://127.0.0.1:9")
    assert answer.exit_code == 2
    assert "scheduler answers at tcp://127.0.0.1:9" in answer.stderr
    assert not (tmp_path / "r.db").exists()


@pytest.mark.parametrize("engine", ["serial", *slow("local:1")])
def test_what_learners_print_does_not_spoil_the_answer(tmp_path, learners, engine, capfd):
    file = plan_file(tmp_path, f'loud = {{ factory = "{learners}:Talks" }}')
    given = ["collect", str(file), "--into", str(tmp_path / "r.db"), "--engine", engine, "--allow-code", "--json"]
    with pytest.raises(SystemExit):
        main(given)
    said, heard = capfd.readouterr()
    assert json.loads(said)["folds"] == 9
    assert heard.count("fitting aloud") == heard.count("from below") == 3


OWN = """
import signal
from sklearn.naive_bayes import GaussianNB
class Own(GaussianNB):
    fits = 0
    def fit(self, X, y):
        Own.fits += 1
        try:
            if Own.fits == 2:
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            {answer}
        return super().fit(X, y)
"""


@pytest.mark.parametrize(
    "answer", ['raise KeyboardInterrupt("tidied up") from None', 'raise RuntimeError("training was stopped")', "pass"]
)
def test_ctrl_c_ends_the_run_whatever_the_learner_makes_of_it(answer: str, own_code: Any, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "max = {}", f'own = {{ factory = "{own_code(OWN.format(answer=answer))}:Own" }}')
    store = tmp_path / "r.db"
    stopped = command("collect", plan, "--into", store, "--engine", "serial", "--allow-code")
    assert stopped.exit_code == 130
    with closing(open_store(str(store), create=False)) as opened:
        (standing,) = plan_statuses(opened)
    assert (standing.done, standing.failed, standing.missing) == (5, 0, 5)
    assert command("collect", plan, "--into", store, "--engine", "serial", "--allow-code").exit_code == 0


def test_a_module_edited_during_the_run_does_not_lose_the_results(own_code: Any, tmp_path: Path) -> None:
    text = "from sklearn.naive_bayes import GaussianNB\nclass Own(GaussianNB):\n    def fit(self, X, y):\n"
    noted = "        with open(__file__, 'a') as file:\n            file.write('# a note')\n"
    name = own_code(text + noted + "        return super().fit(X, y)\n")
    plan = plan_of(tmp_path, "max = {}", f'own = {{ factory = "{name}:Own" }}')
    scores = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False, allow_code=True)
    assert not np.isnan(scores.values).any()  # type: ignore[union-attr]
    assert (tmp_path / f"{name}.py").read_text().endswith("# a note" * 5)


def test_a_plan_file_that_is_locked_is_collected_with_its_lock(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "max = {}", "nmc = {}")
    assert command("plan", "lock", plan).exit_code == 0
    scores = bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)
    assert any("was locked at" in note for note in scores.origin.notes)
    plan.write_text(plan.read_text().replace("5-fold", "4-fold"))
    with pytest.raises(InputError, match="was locked at"):
        bk.collect(plan, tmp_path / "r.db", engine="serial", progress=False)


def test_stratified_folds_of_groups_are_refused(tmp_path):
    data = {"data": (X, Y > 1), "groups": np.arange(60) // 6}
    with pytest.raises(InputError, match="groups"):
        collected_beside_max(tmp_path, "nmc", data=data, folds="2x2-stratified")
