"""The command ``bestofk store``: info, merge, verify and export."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.plans import keys_of_plan
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.stores.store import PlanRecord
from bestofk.testing.store import sample_cell


def _record_of(cell: CellResult, locked: str | None = None) -> PlanRecord:
    """The record of a plan that consists of the series of a cell."""
    key = cell.key
    text = {
        "learners": [{"name": key.learner, "fingerprint": key.learner_fingerprint}],
        "datasets": [{"name": key.dataset, "fingerprint": key.dataset_fingerprint}],
        "folds": key.folds,
        "seed": key.seed,
        "keep_predictions": False,
        "measures": key.measures.split(","),
    }
    assert [each.series for each in keys_of_plan(text)] == [key.series]
    return PlanRecord("p", json.dumps(text), "2026", locked)


def _two_class(
    learner: str, dataset: str, *, replications: int = 5, start: int = 0, failed: bool = False
) -> CellResult:
    shape = (replications, 2)
    rng = np.random.default_rng([*learner.encode(), *dataset.encode(), start])
    wrong = rng.binomial(50, {"max": 0.5, "lda": 0.1}.get(learner, 0.3), shape)
    confusion = np.stack([np.stack([50 - wrong, wrong], -1), np.full((*shape, 2), (3, 47))], -2).astype(np.uint32)
    failures = [["", ""] for _ in range(replications)]
    if failed:
        failures[1][0] = 'ValueError: a "quoted", word\nand a second line'
        confusion[1, 0] = 0
    marks = np.random.default_rng([*dataset.encode()]).integers(-(2**63), 2**63, (start + replications, 2))[start:]
    return CellResult(
        key=CellKey(dataset, "d" * 64, learner, learner, "5x2", 1, start, start + replications),
        classes=("no", "yes"),
        confusion=confusion,
        fit_seconds=rng.exponential(size=shape),
        predict_seconds=rng.exponential(size=shape),
        size=np.full(shape, 100.0),
        fingerprints=marks,
        failures=tuple(map(tuple, failures)),
        test_sizes=np.full(shape, 100),
        train_sizes=np.full(shape, 100),
    )


def _run(*arguments: object) -> tuple[int, str]:
    answer = CliRunner().invoke(main, ["store", *map(str, arguments)])
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    return answer.exit_code, answer.output


def test_the_command_from_one_store_to_another(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as store:
        store.write([_two_class(learner, "wine") for learner in ("lda", "max")])
        store.record_plan(PlanRecord("f" * 64, "text", "2026"))
    code, text = _run("info", tmp_path / "a.db", "--json")
    told = json.loads(text)
    assert (code, told["learners"], told["cells"], told["replications"], told["failed"]) == (
        0,
        ["lda", "max"],
        2,
        10,
        0,
    )
    assert _run("info", tmp_path / "a.db")[1].startswith("plans: 1\nlearners: 2 (lda, max)\n")
    table = tmp_path / "t.csv.gz"
    code, text = _run("export", tmp_path / "a.db", table, "--complete", "--seed", 1, "--folds", "5x2", "--json")
    assert (code, json.loads(text)["rows"]) == (0, 20)
    assert gzip.decompress(table.read_bytes()).startswith(b"learner,dataset,replication,fold,tp,fn,fp,tn,")
    code, text = _run("merge", tmp_path / "b.db", table, tmp_path / "a.db", "--json")
    added = json.loads(text)
    assert [added[str(name)]["cells"] for name in (table, tmp_path / "a.db")] == [2, 0]
    code, text = _run("verify", tmp_path / "b.db", "--json")
    assert (code, json.loads(text)) == (0, {"cells": 2, "folds": 20, "failed": 0, "problems": [], "sound": True})
    assert _run("verify", tmp_path / "b.db")[1] == "2 cells, 20 folds, 0 failed\nall sound\n"


@pytest.mark.parametrize("arguments", [("info",), ("export", "t.csv"), ("verify",)])
def test_the_command_on_no_store(arguments: tuple[str, ...], tmp_path: Path) -> None:
    verb, *rest = arguments
    code, text = _run(verb, tmp_path / "none.db", *rest, "--json")
    assert code == 2
    assert set(json.loads(text)) == {"wrong", "where", "fix"}
    code, text = _run(verb, tmp_path / "none.db", *rest)
    assert (code, len(text.splitlines())) == (2, 3)
    assert not list(tmp_path.iterdir())


def test_the_command_finds_problems_and_empty_choices(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as store:
        store.write([sample_cell()])
    unequal = replace(sample_cell("svm"), fingerprints=np.ones((3, 2), dtype=np.int64))
    with SQLiteStore(tmp_path / "a.db") as store:
        store.write([unequal])
    assert _run("verify", tmp_path / "a.db")[0] == 1
    assert _run("export", tmp_path / "a.db", tmp_path / "t.csv", "--seed", 5)[0] == 2
    assert not (tmp_path / "t.csv").exists()


def test_info_tells_how_far_plans_are_and_what_failed(tmp_path: Path) -> None:
    cell = _two_class("lda", "wine", failed=True)
    wanted = json.loads(_record_of(cell).text) | {"replications": 8, "folds_per_replication": 2, "measures": []}
    with SQLiteStore(tmp_path / "r.db") as store:
        store.write([cell])
        store.record_plan(PlanRecord("abc", json.dumps(wanted), "2026", "2025"))
    code, said = _run("info", tmp_path / "r.db")
    assert code == 0
    assert "plan abc of 2026, 5x2, locked 2025: 9 folds done, 1 failed, 6 missing" in said
    assert "lda: 1 failed fold on wine: " in said


def test_a_store_with_results_and_no_plan_says_what_to_do(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "r.db") as store:
        store.write([_two_class("lda", "wine")])
    with pytest.raises(InputError, match="results and no plan") as error:
        bk.read(tmp_path / "r.db")
    assert "merge" in error.value.fix
