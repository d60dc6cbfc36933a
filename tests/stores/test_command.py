"""The command ``bestofk store``: info, merge, verify and export."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.stores.store import PlanRecord
from bestofk.testing.store import sample_cell
from makers_stores import record_of, run_store, two_class_cell


def test_the_command_from_one_store_to_another(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as store:
        store.write([two_class_cell(learner, "wine") for learner in ("lda", "max")])
        store.record_plan(PlanRecord.of_text("text", "2026-01-01T00:00:00+00:00"))
    code, text = run_store("info", tmp_path / "a.db", "--json")
    told = json.loads(text)
    assert (code, told["learners"], told["cells"], told["replications"], told["failed"]) == (
        0,
        ["lda", "max"],
        2,
        10,
        0,
    )
    assert run_store("info", tmp_path / "a.db")[1].startswith("plans: 1\nlearners: 2 (lda, max)\n")
    table = tmp_path / "t.csv.gz"
    code, text = run_store("export", tmp_path / "a.db", table, "--complete", "--seed", 1, "--folds", "5x2", "--json")
    assert (code, json.loads(text)["rows"]) == (0, 20)
    assert gzip.decompress(table.read_bytes()).startswith(b"learner,dataset,replication,fold,tp,fn,fp,tn,")
    code, text = run_store("merge", tmp_path / "b.db", table, tmp_path / "a.db", "--json")
    added = json.loads(text)
    assert [added[str(name)]["cells"] for name in (table, tmp_path / "a.db")] == [2, 0]
    code, text = run_store("verify", tmp_path / "b.db", "--json")
    assert (code, json.loads(text)) == (0, {"cells": 2, "folds": 20, "failed": 0, "problems": [], "sound": True})
    assert run_store("verify", tmp_path / "b.db")[1] == "2 cells, 20 folds, 0 failed\nall sound\n"


@pytest.mark.parametrize("arguments", [("info",), ("export", "t.csv"), ("verify",)])
def test_the_command_on_no_store(arguments: tuple[str, ...], tmp_path: Path) -> None:
    verb, *rest = arguments
    code, text = run_store(verb, tmp_path / "none.db", *rest, "--json")
    assert code == 2
    assert set(json.loads(text)) == {"wrong", "where", "fix"}
    code, text = run_store(verb, tmp_path / "none.db", *rest)
    assert (code, len(text.splitlines())) == (2, 3)
    assert not list(tmp_path.iterdir())


def test_the_command_finds_problems_and_empty_choices(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as store:
        store.write([sample_cell()])
    unequal = replace(sample_cell("svm"), fingerprints=np.ones((3, 2), dtype=np.int64))
    with SQLiteStore(tmp_path / "a.db") as store:
        store.write([unequal])
    assert run_store("verify", tmp_path / "a.db")[0] == 1
    assert run_store("export", tmp_path / "a.db", tmp_path / "t.csv", "--seed", 5)[0] == 2
    assert not (tmp_path / "t.csv").exists()


def test_info_tells_how_far_plans_are_and_what_failed(tmp_path: Path) -> None:
    cell = two_class_cell("lda", "wine", failed=True)
    wanted = json.loads(record_of(cell).text) | {"replications": 8, "folds_per_replication": 2, "measures": []}
    with SQLiteStore(tmp_path / "r.db") as store:
        store.write([cell])
        store.record_plan(PlanRecord.of_text(json.dumps(wanted), "2026", "2025"))
    code, said = run_store("info", tmp_path / "r.db")
    assert code == 0
    assert " of 2026, 5x2, locked 2025: 9 folds done, 1 failed, 6 missing" in said
    assert "lda: 1 failed fold on wine: " in said


def test_a_store_with_results_and_no_plan_says_what_to_do(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "r.db") as store:
        store.write([two_class_cell("lda", "wine")])
    with pytest.raises(InputError, match="results and no plan") as error:
        bk.read(tmp_path / "r.db")
    assert "merge" in error.value.fix


#: What a field of a store may hold that another program wrote; SQLite keeps any type anywhere.
ODD_FIELDS = {
    "start is a word": "UPDATE cells SET start = 'a'",
    "stop before start": "UPDATE cells SET stop = -1",
    "stop beyond all": "UPDATE cells SET stop = 1 << 62",
    "failed is a word": "UPDATE cells SET failed = 'a'",
    "results are a number": "UPDATE cells SET blob = 1.5",
    "seed is a word": "UPDATE series SET seed = 'nan'",
    "learner is bytes": "UPDATE series SET learner = x'00ff'",
    "measures are a number": "UPDATE series SET measures = 1.5",
    "a row far away": "UPDATE cells SET rowid = 1 << 62 WHERE rowid = 1",
    "a series far away": "UPDATE series SET number = 1 << 62 WHERE number = 1",
    "the time is bytes": "UPDATE plans SET created = x'00ff'",
    "the lock is no time": "UPDATE plans SET locked = 'x'",
    "the store is of no time": "UPDATE meta SET value = 'x' WHERE name = 'created'",
    "another name": "INSERT INTO meta VALUES ('more', 'x')",
    "another id of a series": "UPDATE series SET id = replace(id, substr(id, 1, 1), 'x') WHERE number = 1",
    "the text is a number": "UPDATE plans SET text = 1",
    "no column": "ALTER TABLE cells RENAME COLUMN blob TO other",
    "no table": "DROP TABLE series",
}


@pytest.mark.parametrize("odd", ODD_FIELDS)
def test_a_store_with_odd_fields_is_told_of(odd: str, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    cells = [two_class_cell(name, "wine") for name in ("lda", "max")]
    with SQLiteStore(path) as store:
        store.write(cells)
        store.record_plan(record_of(cells[0]))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(ODD_FIELDS[odd])
    whole = odd == "a row far away"  # which nothing depends on
    assert run_store("verify", path, "--json")[0] == (0 if whole else 1)
    assert run_store("info", path, "--json")[0] in (0, 2)
    assert run_store("merge", tmp_path / "b.db", path, "--rescue")[0] == 0
    assert run_store("verify", tmp_path / "b.db")[0] == 0
