"""Several plans in one store: which is whole, which is meant, and taking one out."""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import bestofk as bk
from bestofk.collecting.run.collect import collect_plan
from bestofk.core.errors import InputError
from bestofk.stores.address import open_store
from bestofk.stores.memory import MemoryStore
from bestofk.stores.plans import chosen_plan, drop_plan, plan_statuses
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.stores.store import PlanRecord, Store
from collecting_plans import collected_beside_max, plan_file
from makers import changed, command
from postgresql_server import Server, why_not


def two_plans(tmp_path, learners):
    """A store with the plan of a broken learner and that of the mended one."""
    file = plan_file(tmp_path, f'own = {{ factory = "{learners}:Fails" }}')
    given = ("collect", file, "--into", tmp_path / "r.db", "--engine", "serial", "--allow-code")
    first = command(*given)
    changed(tmp_path / f"{learners}.py", 'raise ValueError("broken")', "return super().fit(X, y)")
    del sys.modules[learners]
    second = command(*given)
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert "Mended code counts as another learner and a new plan" in first.stderr
    return tmp_path / "r.db"


def test_judge_says_which_plan_is_whole_and_drop_takes_the_other_out(tmp_path, learners):
    file = two_plans(tmp_path, learners)
    with closing(open_store(file)) as store:
        broken, mended = sorted(plan_statuses(store), key=lambda plan: plan.done)
        (nmc,) = {each.key.series for each in store.finished() if each.key.learner == "nmc"}
    asked = command("judge", file)
    assert asked.exit_code == 2
    assert f"{broken.fingerprint[:12]} of {broken.created} (6 folds done, 3 failed" in asked.stderr
    assert f"{mended.fingerprint[:12]} of {mended.created} (9 folds done, whole" in asked.stderr
    assert "bestofk store drop" in asked.stderr
    dropped = command("store", "drop", file, "--plan", broken.fingerprint[:12], "--json")
    gone = {"cells": 1, "replications": 1, "kept": 2}  # nmc and max on iris serve the other plan
    assert json.loads(dropped.stdout) == {"fingerprint": broken.fingerprint, "created": broken.created} | gone
    with closing(open_store(file)) as store:
        assert [plan.fingerprint for plan in store.plans()] == [mended.fingerprint]
        assert len(store.finished()) == 3
        assert store.finished([nmc])
    assert command("judge", file).exit_code in (0, 1)
    said = command("store", "drop", file, "--plan", mended.fingerprint).stdout
    assert said.startswith(f"dropped plan {mended.fingerprint[:12]} of ")
    assert said.endswith("and 3 cells with 3 replications\n")


def test_a_plan_is_not_dropped_beside_one_that_cannot_be_read(tmp_path):
    store = MemoryStore()
    plan = bk.Plan(["max", "nmc"], ["iris"], folds="3-fold")
    collect_plan(plan, store, engine="serial", progress=False)
    store.record_plan(PlanRecord("f" * 64, "{}", "2026-01-01"))
    with pytest.raises(InputError, match="nobody knows which cells"):
        drop_plan(store, plan.fingerprint)
    with pytest.raises(InputError, match="no plan is named"):
        drop_plan(store, "")
    assert (len(store.plans()), len(store.finished())) == (2, 2)


def test_halves_that_were_merged_are_whole_once_their_common_plan_was_collected(tmp_path):
    wanted = [plan_file(tmp_path, "nn = {}", datasets='iris", "wine')]
    wanted += [plan_file(tmp_path, "nn = {}", datasets=each, name=f"{each}.toml") for each in ("iris", "wine")]
    for half in wanted[1:]:
        command("collect", half, "--into", f"{half}.db", "--engine", "serial")
    both = tmp_path / "both.db"
    command("store", "merge", both, f"{wanted[1]}.db", f"{wanted[2]}.db")
    answer = command("collect", wanted[0], "--into", both, "--engine", "serial", "--json")
    assert (json.loads(answer.stdout)["folds"], json.loads(answer.stdout)["resumed"]) == (0, 18)
    asked = command("judge", both)
    assert asked.stderr.count("9 folds done, whole") == 2
    assert asked.stderr.count("18 folds done, whole") == 1


def test_a_plan_is_dropped_while_another_begins_in_memory() -> None:
    store = MemoryStore()
    check_that_nothing_is_lost(store, store)


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
@pytest.mark.xdist_group("postgresql")
def test_a_plan_is_dropped_while_another_begins_in_postgresql(server: Server) -> None:
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


def test_plans_that_cannot_be_read_are_not_called_empty() -> None:
    store = MemoryStore()
    collect_plan(small_plan("max", "nmc"), store, engine="serial", progress=False)
    store.record_plan(PlanRecord("b" * 64, "{}", "2999-01-02"))
    with pytest.raises(InputError, match="store has 2 plans") as told:
        chosen_plan(store, None)
    assert "bbbbbbbbbbbb of 2999-01-02" in told.value.fix
    assert "(6 folds done, whole, the newest)" in told.value.fix
    assert "none can be dropped" in told.value.fix
    with pytest.raises(InputError, match="nobody knows which cells"):
        drop_plan(store, small_plan("max", "nmc").fingerprint)
    assert "0 folds done" not in " ".join(map(str, plan_statuses(store)))
    store.forget_plan("b" * 64)
    store.record_plan(PlanRecord.of_text(store.plans()[0].text + " ", "2000-01-01"))
    with pytest.raises(InputError) as told:
        chosen_plan(store, None)
    assert "bestofk store drop" in told.value.fix
    assert told.value.fix.count("the newest") == 1
    store.record_plan(PlanRecord.of_text(store.plans()[0].text + " ", store.plans()[-1].created))
    with pytest.raises(InputError) as told:
        chosen_plan(store, None)
    assert "the newest" not in told.value.fix  # two of the same moment
    store.record_plan(PlanRecord.of_text("[" * 100_000, "2000-01-01"))
    assert len(plan_statuses(store)) == 4


def test_series_with_predictions_are_told_from_those_without(tmp_path):
    for more in ({}, {"keep_predictions": True}, {"measures": ["log_loss"], "keep_predictions": True}):
        store = collected_beside_max(tmp_path, "nmc", folds="2x2", **more)
    lines = [line for line in command("store", "info", store).stdout.splitlines() if "  mine on d" in line]
    ends = {line.split("seed 1")[1].split(":")[0] for line in lines}
    assert ends == {"", ", with predictions", ", with log_loss and predictions"}


@pytest.mark.parametrize("spoilt", [b"nmd", b"n\xffc"])
def test_a_plan_that_was_changed_is_found_and_what_is_sound_is_rescued(tmp_path, spoilt):
    file = tmp_path / "r.db"
    with SQLiteStore(file) as store:
        collect_plan(small_plan("max", "nmc"), store, engine="serial", progress=False)
        collect_plan(small_plan("max", "lda"), store, engine="serial", progress=False)
        damaged, sound = small_plan("max", "nmc").fingerprint, small_plan("max", "lda").fingerprint
    with closing(sqlite3.connect(file)) as connection, connection:
        text = small_plan("max", "nmc").to_text().encode().replace(b"nmc", spoilt)
        connection.execute("UPDATE plans SET text = CAST(? AS TEXT) WHERE fingerprint = ?", (text, damaged))
    told = command("store", "verify", file)
    assert (told.exit_code, damaged[:12] in told.stdout) == (1, True)
    for words in (["judge", file, "--plan", damaged], ["store", "merge", tmp_path / "new.db", file]):
        refused = command(*words)
        assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 3)
        assert "damaged" in refused.stderr
    assert command("judge", file, "--plan", sound).exit_code == 0
    assert command("store", "merge", tmp_path / "new.db", file, "--rescue").exit_code == 0
    with SQLiteStore(tmp_path / "new.db") as new:
        assert [plan.fingerprint for plan in new.plans()] == [sound]
        assert len(new.finished()) == 3
    assert command("store", "verify", tmp_path / "new.db").exit_code == 0
