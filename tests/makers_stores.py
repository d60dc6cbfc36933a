"""Small cells, plans and stores, and the command ``bestofk store``, for the tests of stores."""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
from click.testing import CliRunner

from bestofk.cli import main
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.memory import MemoryStore
from bestofk.stores.plans import keys_of_plan
from bestofk.stores.store import PlanRecord


def record_of(cell: CellResult, locked: str | None = None) -> PlanRecord:
    """The record of a plan that consists of the series of a cell."""
    key = cell.key
    text = {
        "learners": [{"name": key.learner, "fingerprint": key.learner_fingerprint}],
        "datasets": [{"name": key.dataset, "fingerprint": key.dataset_fingerprint}],
        "folds": key.folds,
        "seed": key.seed,
        "keep_predictions": False,
        "prior": None,
        "replications": key.stop,
        "folds_per_replication": cell.fit_seconds.shape[1],
        "measures": key.measures.split(","),
    }
    assert [each.series for each in keys_of_plan(text)] == [key.series]
    return PlanRecord.of_text(json.dumps(text), "2026-01-01T00:00:00+00:00", locked)


def two_class_cell(
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


def run_store(*arguments: object) -> tuple[int, str]:
    answer = CliRunner().invoke(main, ["store", *map(str, arguments)])
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    return answer.exit_code, answer.output


def store_of(cells: Iterable[CellResult]) -> MemoryStore:
    store = MemoryStore()
    store.write(list(cells))
    return store
