"""Tables written by stores and read back: plain ones and complete ones."""

from __future__ import annotations

import csv
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.stores.exchange.merge import merge_stores
from bestofk.stores.exchange.table_export import export_store
from bestofk.stores.exchange.table_import import store_from_table
from bestofk.stores.memory import MemoryStore
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.testing.store import same_cell, sample_cell
from makers_stores import run_store, store_of, two_class_cell


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz", ".parquet"])
def test_an_exported_table_is_judged(suffix: str, tmp_path: Path) -> None:
    store = MemoryStore()
    store.write([two_class_cell(learner, "wine") for learner in ("lda", "max", "tree")])
    path = tmp_path / f"exported{suffix}"
    done = export_store(store, path)
    assert (done.rows, done.left_out) == (30, ())
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    evidence = bk.read(path)
    assert (evidence.measure, evidence.values.shape) == ("error", (3, 1, 5, 2))
    cell = next(store.read([two_class_cell("tree", "wine").key.series]))
    wrong = cell.confusion[..., 0, 1] + cell.confusion[..., 1, 0]
    assert np.allclose(evidence.values[evidence.learners.index("tree"), 0], wrong / 100)
    counts = np.asarray(evidence.counts)[evidence.learners.index("tree"), 0]
    expected = np.stack([cell.confusion[..., i, j] for i, j in ((1, 1), (1, 0), (0, 1), (0, 0))], -1)
    assert np.array_equal(counts, expected)  # tp, fn, fp, tn
    assert evidence.costs["fit_time"]["tree"] == pytest.approx(cell.fit_seconds.mean())
    assert bk.judge(evidence, prior=["max", "tree", "lda"]).best


def test_more_classes_and_failures_in_a_table(tmp_path: Path) -> None:
    store = MemoryStore()
    cells = [sample_cell(name, stop=5, failed=name == "knn") for name in ("lda", "knn")]
    store.write([replace(cell, scores={}, key=replace(cell.key, measures="")) for cell in cells])
    done = export_store(store, tmp_path / "e.csv")
    assert done.left_out == ("predictions", "probabilities")
    evidence = bk.read(tmp_path / "e.csv")
    assert evidence.measure == "error"
    ((place, reason),) = evidence.failures.items()
    assert place == ("knn", "wine", "5", "2")
    assert reason.startswith("ValueError")
    matrix = cells[0].confusion[2, 1]
    found = evidence.values[evidence.learners.index("lda"), 0, 2, 1]
    assert found == pytest.approx(1 - np.trace(matrix) / matrix.sum())


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_complete_table_gives_the_same_cells(suffix: str, tmp_path: Path) -> None:
    cells = [
        *(two_class_cell("lda", "wine", start=at, failed=True) for at in (0, 5)),
        replace(sample_cell("knn", failed=True), predictions={(0, 0): np.array([0, 2, 1], dtype=np.uint8)}),
        replace(sample_cell("ridge", "d"), classes=(), confusion=None, predictions=None, probabilities=None),
    ]
    store = MemoryStore()
    store.write(cells)
    export_store(store, tmp_path / f"e{suffix}", complete=True)
    back = {cell.key: cell for cell in store_from_table(tmp_path / f"e{suffix}").read()}
    assert len(back) == 4
    for cell in cells:
        assert same_cell(replace(back[cell.key], confusion=cell.confusion), cell)
        assert np.array_equal(back[cell.key].confusion, cell.confusion) or cell.confusion is None
    merged = merge_stores(store_of(back.values()), store)
    assert (merged.cells, merged.known) == (0, 16)


def test_a_plain_table_comes_back_as_imported(tmp_path: Path) -> None:
    store = store_of(
        [
            two_class_cell("lda", "wine", failed=True),
            two_class_cell("lda", "wine", start=7),
            two_class_cell("knn", "iris"),
        ]
    )
    export_store(store, tmp_path / "e.csv")
    back = store_of(store_from_table(tmp_path / "e.csv").read())
    kept = sorted((each.key.learner, each.key.start, each.key.stop, each.failed) for each in back.finished())
    assert kept == [("knn", 0, 5, 0), ("lda", 0, 5, 1), ("lda", 7, 12, 0)]
    assert {each.key.dataset_fingerprint for each in back.finished()} == {"imported"}
    export_store(back, tmp_path / "again.csv")
    first, second = ((tmp_path / name).read_text().splitlines() for name in ("e.csv", "again.csv"))
    assert sorted(first) == sorted(second)


def test_a_long_table_is_read_in_the_time_of_its_rows(tmp_path: Path) -> None:
    rows = [f"{learner},wine,{r},{f},0.1,#{r}" for learner in "ab" for r in range(1, 6001) for f in (1, 2)]
    (tmp_path / "e.csv").write_text("\n".join(["learner,dataset,replication,fold,error,fingerprint", *rows]))
    started = time.process_time()
    cells = store_from_table(tmp_path / "e.csv").finished()
    assert (
        time.process_time() - started < 5.0
    )  # a search through all replications in every row takes several times that
    assert [(each.key.start, each.key.stop) for each in cells] == [(0, 6000)] * 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text.replace("fingerprint", "mark"), "no column fingerprint"),
        (lambda text: text.replace("wine,2,1", "wine,2,2"), "there twice|is missing"),
        (lambda text: text.replace("wine,2,1", "wine,two,1"), "replication is 'two'"),
        (lambda text: text.replace("\nlda,wine,2,1", "\nother,wine,2,1"), "is missing"),
    ],
)
def test_tables_that_are_not_whole(change, says: str, tmp_path: Path) -> None:
    export_store(store_of([two_class_cell("lda", "wine")]), tmp_path / "e.csv")
    text = (tmp_path / "e.csv").read_text()
    assert change(text) != text
    (tmp_path / "e.csv").write_text(change(text))
    with pytest.raises(InputError, match=says):
        list(store_from_table(tmp_path / "e.csv").read())


@pytest.mark.parametrize("wrong", ["9" * 5_000, "9" * 400, "9" * 30, "999999999", "x", "[" * 40_000])
def test_no_cell_of_a_complete_table_is_taken_for_a_bug(wrong: str, tmp_path: Path) -> None:
    assert run_store("export", _collected(tmp_path), tmp_path / "e.csv", "--complete")[0] == 0
    with (tmp_path / "e.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    for column in range(len(head)):
        with (tmp_path / "e.csv").open("w", newline="") as file:
            csv.writer(file).writerows([head, [*rows[0][:column], wrong, *rows[0][column + 1 :]], *rows[1:]])
        with suppress(InputError):
            store_from_table(tmp_path / "e.csv")


def test_exports_that_cannot_be(tmp_path: Path) -> None:
    cell = two_class_cell("lda", "wine")
    store = store_of([cell, replace(cell, key=replace(cell.key, seed=2))])
    with pytest.raises(InputError, match=r"results.*seed 1.*2"):
        export_store(store, tmp_path / "e.csv")
    assert export_store(store, tmp_path / "e.csv", series=[cell.key.series]).rows == 10
    with pytest.raises(InputError, match="kind of table"):
        export_store(store, tmp_path / "e.doc", series=[cell.key.series])
    with pytest.raises(InputError, match="cannot be written"):
        export_store(store, tmp_path / "none" / "e.csv", series=[cell.key.series])
    with pytest.raises(InputError, match="no results"):
        export_store(MemoryStore(), tmp_path / "f.csv")
    assert [each.name for each in tmp_path.iterdir()] == ["e.csv"]


def _collected(tmp_path: Path, **changes: object) -> Path:
    plan = {"folds": "5x2", "seed": 1, "prior": ["nn", "nmc"], **changes}
    path = tmp_path / "collected.db"
    bk.collect(bk.Plan(["nmc", "nn"], ["iris"], **plan), path, engine="serial", progress=False)  # type: ignore[arg-type]
    return path


def test_a_complete_table_brings_its_plan_and_preference_along(tmp_path: Path) -> None:
    path = _collected(tmp_path)
    code, said = run_store("export", path, tmp_path / "e.csv", "--complete")
    assert code == 0
    assert "--prior" not in said  # nothing is lost
    assert run_store("merge", tmp_path / "new.db", tmp_path / "e.csv")[0] == 0
    old, new = bk.read(path), bk.read(tmp_path / "new.db")
    assert new.prior == ("nn", "nmc")
    assert np.array_equal(old.values, new.values)


def test_a_complete_table_keeps_predictions_and_probabilities(tmp_path: Path) -> None:
    path = _collected(tmp_path, keep_predictions=True)
    code, said = run_store("export", path, tmp_path / "e.csv", "--complete")
    assert (code, "left out" in said) == (0, False)
    assert run_store("merge", tmp_path / "new.db", tmp_path / "e.csv")[0] == 0
    with SQLiteStore(path) as old, SQLiteStore(tmp_path / "new.db") as new:
        kept = {cell.key: cell for cell in old.read()}
        for cell in new.read():
            assert cell.predictions
            assert cell.predictions.keys() == kept[cell.key].predictions.keys()
            for name in ("predictions", "probabilities"):
                theirs = getattr(kept[cell.key], name) or {}
                for at, values in (getattr(cell, name) or {}).items():
                    assert np.array_equal(values, theirs[at])
                    assert values.dtype == theirs[at].dtype
    damaged = (tmp_path / "e.csv").read_text().replace("[0, 0,", "[0, x,", 1)
    (tmp_path / "e.csv").write_text(damaged)
    code, said = run_store("merge", tmp_path / "other.db", tmp_path / "e.csv")
    assert (code, "predictions of a fold" in said) == (2, True)


def test_one_plan_of_several_is_exported(tmp_path: Path) -> None:
    path = _collected(tmp_path)
    _collected(tmp_path, seed=2)
    assert run_store("export", path, tmp_path / "e.csv")[0] == 2
    with SQLiteStore(path) as store:
        first, second = (plan.fingerprint for plan in store.plans())
    for plan in (first, second):
        assert run_store("export", path, tmp_path / f"{plan[:4]}.csv", "--plan", plan[:12])[0] == 0
    values = [bk.read(tmp_path / f"{plan[:4]}.csv").values for plan in (first, second)]
    assert values[0].shape == values[1].shape
    assert not np.array_equal(*values)
    code, said = run_store("export", path, tmp_path / "x.csv", "--plan", "nothing")
    assert (code, "no plan begins with 'nothing'" in said) == (2, True)


@pytest.mark.parametrize("folds", ["5x2", "learning-curve-5x2-3"])
def test_a_plain_table_that_was_merged_is_judged(folds: str, tmp_path: Path) -> None:
    path = _collected(tmp_path, folds=folds, prior=None)
    assert run_store("export", path, tmp_path / "e.csv")[0] == 0
    assert run_store("merge", tmp_path / "new.db", tmp_path / "e.csv")[0] == 0
    found = [bk.read(each) for each in (path, tmp_path / "e.csv", tmp_path / "new.db")]
    assert len({isinstance(each, bk.Curves) for each in found}) == 1
    verdicts = [bk.judge(each) for each in found]
    assert len({(verdict.status, verdict.best) for verdict in verdicts}) == 1
    header = (tmp_path / "e.csv").read_text().splitlines()[0].split(",")
    assert "sizes" in header
    assert ("train_size" in header) == folds.startswith("learning-curve")


def test_reasons_of_several_lines_take_one_line_of_a_table(tmp_path: Path) -> None:
    cell = two_class_cell("lda", "wine", failed=True)
    reason = "C:\\new\\learner.py:3 in fit\nValueError: no\\n"
    failures = tuple(tuple(reason if text else "" for text in line) for line in cell.failures)
    store = store_of([replace(cell, failures=failures)])
    export_store(store, tmp_path / "e.csv", complete=True)
    assert len((tmp_path / "e.csv").read_text().splitlines()) == 11
    (back,) = store_from_table(tmp_path / "e.csv").read()
    assert back.failures == failures
