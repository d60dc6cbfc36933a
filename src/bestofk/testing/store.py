"""What every store must do: subclass ``StoreCase`` in your own tests and say how a store is made."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import fields, replace
from typing import Any

import numpy as np

from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.cells import part
from bestofk.stores.store import PlanRecord, Store
from bestofk.testing.stats import refuses

_SEED = 2**70 + 1  # longer than the integers of any database


def sample_cell(
    learner: str = "lda", dataset: str = "wine", start: int = 0, stop: int = 3, *, folds: int = 2, failed: bool = False
) -> CellResult:
    """A cell with something of everything, the same for the same arguments; one of its folds failed where asked."""
    rng = np.random.default_rng([start, stop, folds, *learner.encode()])
    shape = (stop - start, folds)
    failures = [[""] * folds for _ in range(stop - start)]
    scores = {"auc": rng.random(shape), "log-loss é": rng.random(shape)}
    if failed:
        failures[-1][-1] = "ValueError: no “class” here\n\tline 2"
        scores["auc"][-1, -1] = np.nan
    marks = np.random.default_rng([*dataset.encode()]).integers(-(2**63), 2**63, (1_000, folds))
    return CellResult(
        key=CellKey(dataset, "d" * 64, learner, f"{len(learner):064x}", "3x2", _SEED, start, stop, "auc,log-loss é"),
        classes=("no", "yes", "don't know"),
        confusion=rng.integers(0, 2_000, (*shape, 3, 3)).astype(np.uint32),
        fit_seconds=rng.exponential(size=shape),
        predict_seconds=np.full(shape, 0.25),
        size=rng.integers(0, 10**12, shape).astype(np.float64),
        fingerprints=marks[start:stop],
        failures=tuple(map(tuple, failures)),
        scores=scores,
        test_sizes=np.full(shape, 75),
        train_sizes=rng.integers(0, 2**40, shape),
        predictions={(0, 0): np.array([0, 1, 2, 1]), (0, 1): np.array(["a", "bé"])},
        probabilities={(0, 0): rng.random((4, 3))},
    )


def same_cell(first: CellResult, second: CellResult) -> bool:
    """Whether two cells are equal to the last bit, types included."""
    return all(_same(getattr(first, each.name), getattr(second, each.name)) for each in fields(CellResult))


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        alike = first.dtype == second.dtype and first.shape == second.shape
        return alike and first.tobytes() == second.tobytes()
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_same(first[name], second[name]) for name in first)
    return type(first) is type(second) and bool(first == second)


class StoreCase:
    """The conformance suite: methods that pytest collects once your subclass says how a store is made.

    ``make_store`` returns a new, empty store each time. ``reopen`` closes a store and opens what it left, where a store
    outlives its process; the others leave it alone.
    """

    def make_store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError("say how your store is made: def make_store(self)")

    def reopen(self, store: Store) -> Store | None:
        """Close the store and open it again; None where it lives in memory."""
        return None

    def test_new_store_is_empty(self) -> None:
        """Nothing is in it, and asking is no fault."""
        with closing(self.make_store()) as store:
            assert (store.plans(), store.finished(), list(store.read())) == ([], [], [])
            assert (store.finished([]), list(store.read(["0" * 32]))) == ([], [])
            store.write([])
            store.remove([])
            assert store.url, "a store says where it is"

    def test_cells_come_back_to_the_last_bit(self) -> None:
        """All kinds of arrays, failures and names."""
        cells = [
            sample_cell(),
            sample_cell("knn", failed=True),
            sample_cell("svm; DROP TABLE cells --", "wine “quoted” 'n\\ü %s"),
            _regression(sample_cell("ridge", "diabetes")),
        ]
        with closing(self.make_store()) as store:
            store.write(cells)
            _assert_same(list(store.read()), sorted(cells, key=lambda cell: cell.key.series))

    def test_failed_folds_are_counted(self) -> None:
        """``finished`` says how many folds failed, without reading results."""
        with closing(self.make_store()) as store:
            store.write([sample_cell("lda"), sample_cell("knn", failed=True)])
            assert {each.key.learner: each.failed for each in store.finished()} == {"lda": 0, "knn": 1}

    def test_the_same_id_replaces(self) -> None:
        """Written again, in another call or in the same one: there once, with the last contents."""
        with closing(self.make_store()) as store:
            first, second = sample_cell(failed=True), sample_cell()
            assert first.key.id == second.key.id
            store.write([first])
            store.write([second])
            assert [each.failed for each in store.finished()] == [0], "replaced by the later one"
            _assert_same(list(store.read()), [second])
            store.write([second, first])
            _assert_same(list(store.read()), [first])

    def test_every_replication_is_there_once(self) -> None:
        """Cells cut at other places: what is there stays, of the new ones only the rest is added."""
        with closing(self.make_store()) as store:
            first, second = sample_cell(start=2, stop=5), sample_cell(stop=9, failed=True)
            store.write([first])
            store.write([second, sample_cell("knn", start=2, stop=5)])
            wanted = [part(second, 0, 2), first, part(second, 5, 9)]
            _assert_same(list(store.read([first.key.series])), wanted)
            assert [each.failed for each in store.finished([first.key.series])] == [0, 0, 1]
            store.write([sample_cell(start=3, stop=8), part(second, 7, 9)])
            assert len(store.finished([first.key.series])) == 3, "nothing of it was new"
            store.write([sample_cell(start=8, stop=11), sample_cell(start=9, stop=12), sample_cell(start=2, stop=5)])
            ends = [(each.key.start, each.key.stop) for each in store.finished([first.key.series])]
            assert ends == [(0, 2), (2, 5), (5, 9), (9, 11), (11, 12)], "also within one call"

    def test_reading_is_sorted_and_chosen(self) -> None:
        """By series, then by replications as numbers; of the series asked for."""
        cells = [sample_cell(name, start=at, stop=at + 2) for at in (10, 2, 0) for name in ("b", "a", "c")]
        with closing(self.make_store()) as store:
            store.write(cells)
            found = [(cell.key.series, cell.key.start) for cell in store.read()]
            assert found == sorted((cell.key.series, cell.key.start) for cell in cells)
            assert [(each.key.series, each.key.start) for each in store.finished()] == found
            wanted = sorted({cells[0].key.series, cells[2].key.series})
            assert {cell.key.series for cell in store.read([*wanted, "f" * 32])} == set(wanted)
            assert len(store.finished(wanted)) == 6
            assert len(store.finished(wanted * 40_000)) == 6, "any number of series may be asked for"

    def test_removed_cells_are_gone(self) -> None:
        """The named ones only; removing twice is no fault, a word that is no id is one."""
        with closing(self.make_store()) as store:
            cells = [sample_cell(start=at, stop=at + 1) for at in range(3)]
            store.write(cells)
            store.remove([cells[1].key.id])
            store.remove([cells[1].key.id, "0" * 32 + ":0:1"])
            assert [each.key for each in store.finished()] == [cells[0].key, cells[2].key]
            refuses(lambda: store.remove(["lda"]), what="an id that is none")

    def test_a_bad_cell_leaves_nothing(self) -> None:
        """One cell that does not fit, and none of the call is kept."""
        with closing(self.make_store()) as store:
            good = sample_cell("knn")
            for bad in _bad_cells():
                refuses(lambda bad=bad: store.write([good, bad]), what="a cell that does not fit")  # type: ignore[misc]
            assert store.finished() == []
            store.write([good])
            assert len(store.finished()) == 1, "the store works on"

    def test_plans_are_kept_once(self) -> None:
        """The first record stays; only a lock that was not there is added, and none is ever moved."""
        with closing(self.make_store()) as store:
            late = PlanRecord("b" * 64, '{"folds": "5x2"}', "2026-02-01T00:00:00+00:00")
            early = PlanRecord("a" * 64, "é", "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:01+00:00")
            for plan in (late, early, replace(late, created="2027", text="another")):
                store.record_plan(plan)
            assert store.plans() == [early, late]
            store.record_plan(replace(late, locked="2026-03-01T00:00:00+00:00"))
            store.record_plan(replace(late, locked="2026-04-01T00:00:00+00:00"))
            assert store.plans()[1] == replace(late, locked="2026-03-01T00:00:00+00:00")

    def test_a_plan_can_be_forgotten(self) -> None:
        """It alone: other plans and all cells stay, also where the plan is not there."""
        with closing(self.make_store()) as store:
            first, second = (PlanRecord(letter * 64, "{}", "2026-01-01T00:00:00+00:00") for letter in "ab")
            store.record_plan(first)
            store.record_plan(second)
            store.write([sample_cell()])
            store.forget_plan(first.fingerprint)
            store.forget_plan("c" * 64)
            assert (store.plans(), len(store.finished())) == ([second], 1)

    def test_alone_with_the_store(self) -> None:
        """Everything can be done while nobody else records a plan; afterwards, also after a fault, all goes on."""
        with closing(self.make_store()) as store:
            first, second = (PlanRecord(letter * 64, "{}", "2026-01-01T00:00:00+00:00") for letter in "ab")
            store.write([sample_cell()])
            with store.alone():
                store.record_plan(first)
                store.remove([each.key.id for each in store.finished()])
                assert (store.plans(), store.finished()) == ([first], [])
            refuses(lambda: self._alone_with_a_fault(store), what="a fault while alone")
            store.record_plan(second)
            store.write([sample_cell()])
            assert (store.plans(), len(store.finished())) == ([first, second], 1)

    @staticmethod
    def _alone_with_a_fault(store: Store) -> None:
        with store.alone():
            store.remove(["lda"])

    def test_writing_while_reading(self) -> None:
        """What is being read does not change under the reader."""
        with closing(self.make_store()) as store:
            cells = [sample_cell(start=at, stop=at + 1) for at in range(150)]
            store.write(cells)
            reading = iter(store.read())
            found = [next(reading)]
            store.write([sample_cell(start=200, stop=201)])
            store.remove([cells[149].key.id])
            _assert_same([*found, *reading], cells)
            assert len(store.finished()) == 150

    def test_it_outlives_its_closing(self) -> None:
        """Closed and opened again, everything is there; a closed store says so."""
        store = self.make_store()
        cells = [sample_cell(), sample_cell("knn", failed=True)]
        store.write(cells)
        store.record_plan(PlanRecord("a" * 64, "text", "2026"))
        again = self.reopen(store)
        if again is None:
            store.close()
        refuses(store.finished, what="a closed store")
        refuses(lambda: store.write(cells), what="a closed store")
        refuses(lambda: list(store.read()), what="a closed store")
        store.close()  # twice is no fault
        if again is not None:
            try:
                _assert_same(list(again.read()), sorted(cells, key=lambda cell: cell.key.series))
                assert len(again.plans()) == 1
            finally:
                again.close()


def _assert_same(found: Sequence[CellResult], wanted: Sequence[CellResult]) -> None:
    assert [cell.key for cell in found] == [cell.key for cell in wanted], "the cells, in their order"
    for first, second in zip(found, wanted, strict=True):
        assert same_cell(first, second), f"{second.key} came back changed"


def _regression(cell: CellResult) -> CellResult:
    return replace(
        cell, classes=(), confusion=None, predictions=None, probabilities=None, test_sizes=None, train_sizes=None
    )


def _bad_cells() -> list[CellResult]:
    cell = sample_cell()
    return [
        replace(cell, key=replace(cell.key, stop=9)),
        replace(cell, key=replace(cell.key, start=3)),
        replace(cell, key=replace(cell.key, dataset="a\0b")),
        replace(cell, fit_seconds=cell.fit_seconds[:, :1]),
        replace(cell, confusion=np.asarray(cell.confusion)[..., :2]),
        replace(cell, confusion=-np.asarray(cell.confusion, dtype=np.int64) - 1),  # type: ignore[arg-type]
        replace(cell, scores={"auc": cell.scores["auc"][:1]}),
        replace(cell, failures=cell.failures[:1]),
        replace(cell, predictions={(0, 0): np.array([{}, None])}),
        replace(cell, predictions={(9, 0): np.array([1])}),
    ]
