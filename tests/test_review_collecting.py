"""Faults that a review of stores and collecting found, each as the user met it."""

from __future__ import annotations

import importlib
import itertools
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

import bestofk as bk
from bestofk.cli import main
from bestofk.collecting import collect_plan
from bestofk.collecting.engines import worker
from bestofk.collecting.engines.process import SETTINGS
from bestofk.collecting.run.jobs import Job, Setting
from bestofk.core.errors import InputError
from bestofk.stores.address import open_store
from bestofk.stores.exchange.recovery import verify_store
from bestofk.stores.exchange.table_import import store_from_table
from bestofk.stores.memory import MemoryStore
from bestofk.stores.plans import chosen_plan, drop_plan, plan_statuses
from bestofk.stores.store import PlanRecord, Store
from collecting_toys import Constant, toy_learner, toy_plan
from postgresql_server import running_server, why_not

NUMBERS = itertools.count()

# Learner a has counts and an error that fits them, b its error alone.
PARTLY = """\
learner,dataset,replication,fold,tp,fn,fp,tn,error,fingerprint
a,d,1,1,5,1,1,5,0.1666667,#1
a,d,1,2,5,2,1,4,,#2
b,d,1,1,,,,,0.25,#1
b,d,1,2,,,,,0.20,#2
"""


def command(*words: object) -> Result:
    answer = CliRunner().invoke(main, [str(word) for word in words])
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    return answer


def by_learner(scores: Any) -> dict[str, list[float]]:
    return {name: scores.values[place].ravel().tolist() for place, name in enumerate(scores.learners)}


def by_place(scores: Any) -> dict[tuple[str, str], list[float]]:
    return {
        (learner, dataset): scores.values[k, d].ravel().tolist()
        for k, learner in enumerate(scores.learners)
        for d, dataset in enumerate(scores.datasets)
    }


def written(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


# ---- tables back into stores ----


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of data sets with two classes and with more."""
    store = tmp_path_factory.mktemp("mixed") / "r.db"
    plan = bk.Plan(["max", "nmc", "nn"], ["breast-cancer", "iris", "wine"], folds="3-fold")
    bk.collect(plan, store, engine="serial", progress=False)
    return store


def test_a_table_of_two_classes_and_more_is_one_plan(mixed: Path, tmp_path: Path) -> None:
    table, back, again = tmp_path / "r.csv", tmp_path / "back.db", tmp_path / "again.csv"
    command("store", "export", mixed, table)
    assert "1 plan added" in command("store", "merge", back, table).stdout
    old, new = bk.read(mixed), bk.read(back)
    assert by_place(new) == by_place(old)
    assert bk.judge(new).best == bk.judge(old).best
    command("store", "export", back, again)
    assert sorted(again.read_text().splitlines()) == sorted(table.read_text().splitlines())


def test_measures_of_counts_are_refused_where_some_data_sets_have_none(mixed: Path, tmp_path: Path) -> None:
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", mixed, table)
    command("store", "merge", back, table)
    with pytest.raises(InputError, match=r"kappa is made of counts, and the results of \w+ on (iris|wine)") as told:
        bk.read(back, measure="kappa")
    assert told.value.fix == "choose among: error."
    for words in (["--on", "tpr,fpr"], ["--on", "error,kappa"]):
        answer = command("judge", back, *words)
        assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 3), answer.stderr


def test_a_data_set_that_failed_as_a_whole_does_not_make_a_second_plan(mixed: Path, tmp_path: Path) -> None:
    table, back = tmp_path / "r.csv", tmp_path / "back.db"
    command("store", "export", mixed, table)
    frame = pd.read_csv(table)
    frame = frame[frame["dataset"] != "wine"]
    frame.loc[frame["dataset"] == "iris", "error"] = np.nan
    frame.to_csv(table, index=False)
    assert "1 plan added" in command("store", "merge", back, table).stdout
    scores = bk.read(back)
    assert np.isnan(scores.values[:, 1]).all()
    assert not np.isnan(scores.values[:, 0]).any()
    assert set(scores.failures.values()) == {"the table has no result for this fold"}  # type: ignore[attr-defined]


def test_an_error_without_counts_is_kept(tmp_path: Path) -> None:
    table, back = written(tmp_path, PARTLY), tmp_path / "t.db"
    assert "1 plan added" in command("store", "merge", back, table).stdout
    scores = bk.read(back)
    assert by_learner(scores) == {"a": [0.1666667, 0.25], "b": [0.25, 0.20]}
    assert scores.failures == {}  # type: ignore[attr-defined]
    command("store", "export", back, tmp_path / "again.csv")
    assert np.isnan(pd.read_csv(tmp_path / "again.csv").query("learner == 'b'")["tp"]).all()


def test_an_error_without_counts_within_one_cell_is_kept(tmp_path: Path) -> None:
    table = written(tmp_path, PARTLY.replace("a,d,1,2,5,2,1,4,,", "a,d,1,2,,,,,0.5,"))
    store = store_from_table(table)
    assert verify_store(store).sound
    assert [cell.scores["error"].tolist() for cell in store.read() if cell.key.learner == "a"] == [[[0.1666667, 0.5]]]
    command("store", "merge", tmp_path / "t.db", table)
    command("store", "export", tmp_path / "t.db", tmp_path / "again.csv")
    again = pd.read_csv(tmp_path / "again.csv").query("learner == 'a'")
    assert again["tp"].tolist()[0] == 5
    assert np.isnan(again["tp"].tolist()[1])


@pytest.mark.parametrize("table", ["plain", "complete"])
def test_an_error_that_contradicts_its_counts_is_refused(table: str, mixed: Path, tmp_path: Path) -> None:
    if table == "plain":
        file, told = written(tmp_path, PARTLY.replace("0.1666667", "0.40")), ("a on d is 0.4,", "give 0.1666666667.")
        place = "column error, replication 1, fold 1"
    else:
        file = tmp_path / "c.csv"
        command("store", "export", mixed, file, "--complete")
        frame = pd.read_csv(file, dtype={"fingerprint": str})
        row = frame.index[(frame["learner"] == "nn") & (frame["dataset"] == "breast-cancer") & (frame["fold"] == 2)][0]
        told = ("nn on breast-cancer is 0.75,", f"give {frame.loc[row, 'error']:.10g}.")
        frame.loc[row, "error"], place = 0.75, "column error, replication 1, fold 2"
        frame.to_csv(file, index=False)
    answer = command("store", "merge", tmp_path / "t.db", file)
    assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 3)
    for words in (*told, place):
        assert words in answer.stderr
    assert not (tmp_path / "t.db").exists()


def test_rounding_is_no_contradiction(tmp_path: Path) -> None:
    for text, fits in (("0.1666667", True), ("0.16667", False)):
        table = written(tmp_path, PARTLY.replace("0.1666667", text))
        assert (command("store", "merge", tmp_path / f"{fits}.db", table).exit_code == 0) == fits


# ---- Ctrl-C ----

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


@pytest.fixture
def own_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Writes a module of the user's own and returns its name."""
    made: list[str] = []

    def write(text: str) -> str:
        made.append(f"review{next(NUMBERS)}")
        (tmp_path / f"{made[-1]}.py").write_text(text)
        importlib.invalidate_caches()
        return made[-1]

    monkeypatch.syspath_prepend(str(tmp_path))
    yield write
    for name in made:
        sys.modules.pop(name, None)


def plan_of(folder: Path, *learners: str, folds: str = "5-fold", datasets: str = 'datasets = ["iris"]') -> Path:
    text = "\n".join([f'folds = "{folds}"', *([] if "\n" in datasets else [datasets]), "[learners]", *learners])
    return written(folder, text + "\n" + (datasets if "\n" in datasets else ""), "plan.toml")


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


# ---- the plan that ran ----


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


# ---- learners that never load ----


class NeverMade(Constant):
    """Hangs while it is made."""

    def __init__(self, answer: int = 0) -> None:
        time.sleep(60.0)
        super().__init__(answer)


class DeadWhenMade(Constant):
    """Ends its process while it is made."""

    def __init__(self, answer: int = 0) -> None:
        os._exit(1)


@pytest.fixture
def run_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., tuple[str, Setting]]]:
    """The token and the setting of a run with one learner, whose children have a second to load it."""
    monkeypatch.setattr(worker, "READY", 1.0)

    def begin(learner: Any, **changes: Any) -> tuple[str, Setting]:
        plan = toy_plan(4, toy_learner("own", learner), datasets=1)
        setting = Setting(plan.learners, plan.datasets, plan.folds, plan.seed, (), False, **changes)
        SETTINGS["review"] = setting
        return "review", setting

    yield begin
    SETTINGS.pop("review", None)
    worker.end_children("review")


@pytest.mark.parametrize("run", [worker.run_within_limits, worker.run_apart])
def test_a_learner_that_never_loads_is_waited_for_twice(run: Any, run_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    started, begin = [], worker._Child.__init__
    monkeypatch.setattr(worker._Child, "__init__", lambda *given: (started.append(given), begin(*given))[1])
    token, setting = run_of(NeverMade, timeout=1.0 if run is worker.run_within_limits else None)
    cell = run(token, setting, Job(0, 0, 0, 1))
    assert {*cell.failures[0]} == {"TimeoutError: the learner was not loaded within 1 s, and no fold of it was tried."}
    assert len(started) == 2
    assert run(token, setting, Job(0, 0, 1, 4)).failed == 6
    assert len(started) == 2  # known by now
    worker.end_children(token)
    assert token not in worker._NEVER_LOADED


@pytest.mark.parametrize("run", [worker.run_within_limits, worker.run_apart])
def test_a_learner_that_kills_its_process_while_it_loads_says_so(
    run: Any, run_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "READY", 60.0)
    token, setting = run_of(DeadWhenMade, timeout=60.0 if run is worker.run_within_limits else None)
    cell = run(token, setting, Job(0, 0, 0, 1))
    assert "the process died while it loaded the learner" in cell.failures[0][0]


# ---- a plan dropped while a colleague begins another ----


def test_a_plan_is_dropped_while_another_begins_in_memory() -> None:
    store = MemoryStore()
    check_that_nothing_is_lost(store, store)


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
@pytest.mark.xdist_group("postgresql")
def test_a_plan_is_dropped_while_another_begins_in_postgresql() -> None:
    with running_server() as server:
        url = server.database("dropping")
        with closing(open_store(url)) as ours, closing(open_store(url)) as theirs:
            check_that_nothing_is_lost(ours, theirs)


def test_a_plan_is_not_dropped_from_a_file_while_another_begins(tmp_path: Path) -> None:
    with closing(open_store(str(tmp_path / "r.db"))) as ours, closing(open_store(str(tmp_path / "r.db"))) as theirs:
        plan = small_plan("max", "nmc")
        with ours.alone(), pytest.raises(InputError, match="another run is writing"):
            collect_plan(plan, theirs, engine="serial", progress=False)


def small_plan(*learners: str) -> bk.Plan:
    return bk.Plan(list(learners), ["iris"], folds="3-fold")


def check_that_nothing_is_lost(ours: Store, theirs: Store) -> None:
    """A colleague begins a plan with the same cells just when those in use have been looked up."""
    dropped, begun = small_plan("max", "nmc"), small_plan("max", "nmc", "nn")
    collect_plan(dropped, ours, engine="serial", progress=False)
    finished = ours.finished
    heard: list[str] = []
    colleague = threading.Thread(target=lambda: heard.append(_collected_by_colleague(begun, theirs)))

    def interrupted(series: Any = None) -> Any:
        ours.finished = finished  # type: ignore[method-assign]
        colleague.start()
        colleague.join(1.0)  # long enough to run all of it where nobody keeps it waiting
        return finished(series)

    ours.finished = interrupted  # type: ignore[method-assign]
    drop_plan(ours, dropped.fingerprint)
    colleague.join()
    assert heard == ["9 folds in 3 cells"]
    (standing,) = plan_statuses(ours)
    assert (standing.fingerprint, standing.done, standing.missing) == (begun.fingerprint, 9, 0)


def _collected_by_colleague(plan: bk.Plan, store: Store) -> str:
    report = collect_plan(plan, store, engine="serial", progress=False)
    return f"{report.folds} folds in {report.cells} cells"


# ---- words ----


def test_only_a_plain_table_is_called_one(mixed: Path, tmp_path: Path) -> None:
    plain, whole, store = tmp_path / "r.csv", tmp_path / "c.csv", tmp_path / "m.db"
    command("store", "export", mixed, plain)
    assert "r.csv is a plain table" in command("store", "merge", store, plain).stderr
    command("store", "export", store, whole, "--complete")
    for number, source in enumerate((store, whole)):
        merged = command("store", "merge", tmp_path / f"{number}.db", source)
        assert "9 cells with 27 folds added" in merged.stdout
        assert merged.stderr == ""
    told = json.loads(command("store", "merge", tmp_path / "j.db", whole, "--json").stdout)
    assert told[str(whole)]["imported"] is False


def test_a_single_row_of_numbers_has_any_error(tmp_path: Path) -> None:
    rows = "\n".join(f"{number},{number % 7},{1.5 * number + number % 3}" for number in range(30))
    written(tmp_path, f"a,b,y\n{rows}\n", "reg.csv")
    numbers = f'\n[datasets]\nreg = {{ file = "{tmp_path}/reg.csv", target = "y" }}'
    plan = plan_of(tmp_path, "mean = {}", "ridge = {}", folds="30-fold", datasets=numbers)
    answer = command("plan", "check", plan)
    assert answer.exit_code == 0, answer.stderr
    assert "0 or 1" not in answer.stderr
    assert "tests on a single row of reg in a fold: its error is that of one row, and r2 is undefined;" in answer.stderr


def test_a_learner_that_prints_while_it_is_made_does_not_spoil_a_check(own_code: Any, tmp_path: Path) -> None:
    text = "from sklearn.naive_bayes import GaussianNB\nclass Loud(GaussianNB):\n    def __init__(self, priors=None):\n"
    name = own_code(text + "        print('hello')\n        super().__init__(priors=priors)\n")
    plan = plan_of(tmp_path, "max = {}", f'loud = {{ factory = "{name}:Loud" }}')
    answer = command("plan", "check", plan, "--allow-code", "--json")
    assert json.loads(answer.stdout)["notes"] == []
    assert "hello" in answer.stderr


def test_plans_that_cannot_be_read_are_not_called_empty() -> None:
    store = MemoryStore()
    collect_plan(small_plan("max", "nmc"), store, engine="serial", progress=False)
    store.record_plan(PlanRecord("b" * 64, "{}", "2999-01-02"))
    with pytest.raises(InputError, match="the store has 2 plans") as told:
        chosen_plan(store, None)
    assert "bbbbbbbbbbbb of 2999-01-02 (it cannot be read)" in told.value.fix
    assert "(6 folds done, whole, the newest)" in told.value.fix
    assert "none can be dropped" in told.value.fix
    with pytest.raises(InputError, match="cannot be read, and nobody knows which cells it uses"):
        drop_plan(store, small_plan("max", "nmc").fingerprint)
    assert "0 folds done" not in " ".join(map(str, plan_statuses(store)))
    store.forget_plan("b" * 64)
    store.record_plan(PlanRecord("a" * 64, store.plans()[0].text, "2000-01-01"))
    with pytest.raises(InputError) as told:
        chosen_plan(store, None)
    assert "bestofk store drop" in told.value.fix
    assert told.value.fix.count("the newest") == 1
    store.record_plan(PlanRecord("c" * 64, store.plans()[0].text, store.plans()[-1].created))
    with pytest.raises(InputError) as told:
        chosen_plan(store, None)
    assert "the newest" not in told.value.fix  # two of the same moment


# ---- the table of speed ----


def test_every_row_of_the_speed_table_is_there_once_and_says_where_nothing_is_demanded() -> None:
    text = (Path(__file__).parent.parent / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
    works = [(row[0].casefold(), row[1]) for row in rows]
    assert len(works) == len(set(works))
    loops = [row for row in rows if row[1] == "the bare loop of fit and predict"]
    assert len(loops) == 5
    assert all(row[-1].startswith("no demand: ") for row in loops)
    assert "bestofk's" not in text
