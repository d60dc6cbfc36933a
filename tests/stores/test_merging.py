"""Merging stores: what both have is kept once, locks and contradictions are respected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellResult
from bestofk.stores.cell_format import pack
from bestofk.stores.cells import part
from bestofk.stores.exchange.merge import merge_stores
from bestofk.stores.exchange.recovery import verify_store
from bestofk.stores.memory import MemoryStore
from bestofk.stores.packed_store import Packed
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.stores.store import PlanRecord
from bestofk.testing.store import same_cell, sample_cell
from makers_stores import record_of, store_of


def test_merging_keeps_what_both_have_once(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as target, SQLiteStore(tmp_path / "b.db") as source:
        target.write([sample_cell("lda"), sample_cell("knn", failed=True)])
        target.record_plan(PlanRecord.of_text("p", "2026"))
        later = replace(sample_cell("lda"), fit_seconds=np.full((3, 2), 9.0))
        source.write([later, sample_cell("knn"), sample_cell("svm")])
        source.record_plan(PlanRecord.of_text("q", "2027"))
        done = merge_stores(source, target)
        assert (done.cells, done.folds, done.known, done.replaced, done.plans) == (2, 12, 3, 1, 1)
        assert {each.key.learner: each.failed for each in target.finished()} == {"lda": 0, "knn": 0, "svm": 0}
        assert same_cell(next(target.read([later.key.series])), sample_cell("lda")), "times of the target stay"
        again = merge_stores(source, target)
        assert (again.cells, again.known, again.plans) == (0, 9, 0)


def test_merging_knows_replications_however_they_are_cut() -> None:
    whole = sample_cell(stop=9)
    source, target = MemoryStore(), MemoryStore()
    source.write([whole])
    target.write([part(whole, 2, 4), part(whole, 6, 7)])
    done = merge_stores(source, target)
    assert (done.cells, done.known) == (3, 3)
    assert [(each.key.start, each.key.stop) for each in target.finished()] == [(0, 2), (2, 4), (4, 6), (6, 7), (7, 9)]
    assert verify_store(target).problems == ()
    back = np.concatenate([cell.confusion for cell in target.read()])
    assert np.array_equal(back, whole.confusion)
    assert next(target.read()).predictions.keys() == whole.predictions.keys()


@pytest.mark.parametrize(
    ("there", "kept"),
    [
        ([], "2026-01"),
        ([sample_cell("svm")], "2026-01"),  # of another plan
        ([sample_cell(stop=1)], None),
    ],
)
def test_merging_brings_a_lock_only_before_any_result(there: list[CellResult], kept: str | None) -> None:
    source, target = MemoryStore(), MemoryStore()
    target.write(there)
    target.record_plan(record_of(sample_cell()))
    source.write([part(sample_cell(stop=4), 1, 4)])
    source.record_plan(record_of(sample_cell(), locked="2026-01"))
    for _ in range(2):
        merge_stores(source, target)
        assert [plan.locked for plan in target.plans()] == [kept]


def test_a_lock_of_a_plan_that_cannot_be_read_comes_into_an_empty_store_only() -> None:
    for there, kept in (([], "2026-01"), ([sample_cell("svm")], None)):
        source, target = MemoryStore(), MemoryStore()
        target.write(there)
        source.record_plan(PlanRecord.of_text("no JSON", "2026", "2026-01"))
        merge_stores(source, target)
        assert [plan.locked for plan in target.plans()] == [kept]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"confusion": np.zeros((3, 2, 3, 3), dtype=np.uint32)}, "the confusion matrices"),
        ({"fingerprints": np.zeros((3, 2), dtype=np.int64)}, "the folds"),
        ({"scores": {"auc": np.zeros((3, 2)), "log-loss é": sample_cell().scores["log-loss é"]}}, "the measure auc"),
        ({"classes": ("a", "b", "c")}, "the classes"),
        ({"failures": (("", "x"), ("", ""), ("", ""))}, "the failures"),
    ],
)
def test_contradictions_are_named_and_nothing_is_written(change: dict, named: str) -> None:
    source, target = MemoryStore(), MemoryStore()
    target.write([sample_cell()])
    source.write([replace(sample_cell(), **change), sample_cell("svm")])
    with pytest.raises(InputError, match=f"{named} of learner lda"):
        merge_stores(source, target)
    assert len(target.finished()) == 1
    kept = merge_stores(source, target, keep_target=True)
    assert (kept.cells, len(kept.contradictions)) == (1, 1)
    assert same_cell(next(target.read([sample_cell().key.series])), sample_cell())


def test_unequal_folds_and_overlaps_are_problems() -> None:
    store = MemoryStore()
    store.write([sample_cell("lda"), sample_cell("knn")])
    assert verify_store(store).sound
    store.write([replace(sample_cell("svm"), fingerprints=np.ones((3, 2), dtype=np.int64))])
    (problem,) = verify_store(store).problems
    assert "folds of replication 1" in problem
    store.remove([sample_cell("svm").key.id])
    twice = part(sample_cell("lda"), 1, 3)
    store._cells[twice.key.id] = Packed(twice.key, twice.failed, pack(twice))  # as writers did that did not look
    (problem,) = verify_store(store).problems
    assert "replication 2" in problem


def test_results_without_a_lock_are_refused_by_a_locked_store() -> None:
    source, target = store_of([sample_cell(stop=4)]), store_of([])
    target.record_plan(record_of(sample_cell(), locked="2026-01"))
    for plan in (None, record_of(sample_cell())):
        if plan is not None:
            source.record_plan(plan)
        with pytest.raises(InputError, match="under no lock") as error:
            merge_stores(source, target)
        assert "merge both" in error.value.fix
        assert target.finished() == []
    source.record_plan(record_of(sample_cell(), locked="2026-01"))
    assert merge_stores(source, target).cells == 1
