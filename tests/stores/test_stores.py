"""Stores: packing, SQLite and memory, crashes, mistakes, merging, tables and the command."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bestofk as bk
from bestofk.cli.store import store as command
from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores import cell_format
from bestofk.stores.cell_format import pack, unpack
from bestofk.stores.cells import part
from bestofk.stores.exchange.merge import merge_stores
from bestofk.stores.exchange.recovery import verify_store
from bestofk.stores.exchange.table_export import export_store
from bestofk.stores.exchange.table_import import store_from_table
from bestofk.stores.memory import MemoryStore
from bestofk.stores.packed_store import Packed
from bestofk.stores.plans import keys_of_plan
from bestofk.stores.sqlite import schema as sqlite_schema
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.stores.store import PlanRecord, Store, is_store, open_store
from bestofk.testing import StoreCase
from bestofk.testing.stats import refuses
from bestofk.testing.store import same_cell, sample_cell
from store_crashes import survive_kills


class TestMemory(StoreCase):
    def make_store(self) -> Store:
        return open_store("memory:")


class TestSQLite(StoreCase):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "results ü?#%.db"

    def make_store(self) -> Store:
        return open_store(self.path)

    def reopen(self, store: Store) -> Store:
        store.close()
        assert sorted(each.name for each in self.path.parent.iterdir()) == [self.path.name], "nothing is left behind"
        return open_store(self.path, create=False)


# Packing


def _shapes(dtype: object, elements: object, *more: int) -> st.SearchStrategy:
    return hnp.arrays(dtype, (2, 3, *more), elements=elements)


_COUNTS = st.sampled_from([0, 1, 200, 70_000]).flatmap(lambda high: st.integers(0, high))
_FLOATS = st.floats(allow_nan=True, width=64)


@given(
    confusion=st.none() | _shapes(np.uint32, _COUNTS, 2, 2),
    seconds=_shapes(np.float64, _FLOATS),
    size=_shapes(np.float64, st.sampled_from([0.0, -0.0, np.nan])),
    marks=_shapes(np.int64, st.integers(-(2**63), 2**63 - 1)),
    sizes=st.none() | _shapes(np.int64, st.integers(-300, 300)),
    score=st.dictionaries(st.text(max_size=5), _shapes(np.float64, _FLOATS), max_size=2),
    texts=st.lists(st.text(max_size=400), min_size=6, max_size=6),
    kept=st.none()
    | st.dictionaries(
        st.tuples(st.integers(0, 1), st.integers(0, 2)),
        hnp.arrays(st.sampled_from(["<i8", ">i4", "<f8", "?", "<U3", "<f4"]), hnp.array_shapes(min_side=0, max_dims=2)),
    ),
)
@settings(max_examples=150, deadline=None)
def test_packing_gives_back_every_bit(confusion, seconds, size, marks, sizes, score, texts, kept) -> None:
    cell = CellResult(
        key=CellKey("wine", "d", "lda", "l", "2x3", 1, 4, 6),
        classes=() if confusion is None else ("no", "yes"),
        confusion=confusion,
        fit_seconds=seconds,
        predict_seconds=seconds[::-1],
        size=size,
        fingerprints=marks,
        failures=(tuple(texts[:3]), tuple(texts[3:])),
        scores=score,
        test_sizes=sizes,
        predictions=kept,
    )
    assert same_cell(unpack(cell.key, pack(cell), where="here"), cell)


def test_packed_cells_are_small() -> None:
    cell = _two_class("lda", "wine", replications=500)
    plain = cell.confusion.nbytes + cell.fit_seconds.nbytes * 3 + cell.fingerprints.nbytes + cell.test_sizes.nbytes
    folds = cell.fit_seconds.size
    assert len(pack(cell)) < 30 * folds < plain  # 4 counts, two times, the fingerprint; what repeats is free


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_damaged_bytes_are_refused(data) -> None:
    cell = sample_cell(failed=True)
    blob = bytearray(pack(cell))
    match data.draw(st.sampled_from(["flip", "cut", "more"])):
        case "flip":
            blob[data.draw(st.integers(0, len(blob) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        case "cut":
            del blob[data.draw(st.integers(0, len(blob) - 1)) :]
        case "more":
            blob += data.draw(st.binary(min_size=1, max_size=9))
    refuses(lambda: unpack(cell.key, bytes(blob), where="here"), what="damaged bytes")


def test_bytes_of_another_cell_are_refused() -> None:
    blob = pack(sample_cell("lda"))
    with pytest.raises(InputError, match="learner knn on data set wine"):
        unpack(sample_cell("knn").key, blob, where="results.db")


def test_cells_of_a_newer_format_say_so() -> None:
    cell = sample_cell()
    blob = bytearray(pack(cell))
    blob[3] = cell_format.VERSION + 1
    with pytest.raises(InputError, match="newer bestofk"):
        unpack(cell.key, bytes(blob), where="results.db")


#: A cell as version 1 wrote it: it must stay readable for ever.
VERSION_1 = bytes.fromhex(
    "626b63014e5b2722eb00000078018591614b03310c86ff8ae473e17a9bc83cfcea5ff0cb7948e952af58da925c9973eebf9b761e2803a5"
    "10d2f679dfa4e9096c30ccc8308c101328384a3e293044e6584f47b029bac23e45b97d28b72d6e408dbddad425309903a8fe6e522338bf"
    "bc308a64cf1574bb3556fc379a09f7defe8d3b1f02a85d7566ff81abd9c5f8dad2f9f88a94c9c7a595f7ad7c8dd72cdb44c89d29f63fd7"
    "ef466502dce94e57bc197f965e8cb7ebabb693646f98973acb1f9a3a4e677c28520e8613f06c320a7319c882efd2ab289e4c28f8489468"
    "b8792e5ae37d15e6606cfb9d5e3687d9db59583d9dcf5f039582462800020001002c010000000000000000000000000000c03f00000000"
    "0000f87f000000000000e03f00000000004893400000000000000000fbffffffffffffff0000000000000040000000000000e83f000000"
    "000000f87f010001"
)


def test_the_first_format_stays_readable() -> None:
    wanted = _golden_cell()
    assert same_cell(unpack(wanted.key, VERSION_1, where="here"), wanted)


def _golden_cell() -> CellResult:
    return CellResult(
        key=CellKey("wine", "d", "lda", "l", "1x2", 7, 3, 4, "auc"),
        classes=("no", "yes"),
        confusion=np.array([[[[40, 2], [1, 300]], [[0, 0], [0, 0]]]], dtype=np.uint32),
        fit_seconds=np.array([[0.125, np.nan]]),
        predict_seconds=np.array([[0.5, 0.5]]),
        size=np.array([[1234.0, 0.0]]),
        fingerprints=np.array([[-5, 2**62]]),
        failures=(("", "ValueError: é"),),
        scores={"auc": np.array([[0.75, np.nan]])},
        predictions={(0, 0): np.array([1, 0, 1])},
    )


# Opening


def test_names_of_stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.db", "b.sqlite", "no-suffix", tmp_path / "c.db", "~/d.db", ":memory:"):
        monkeypatch.setenv("HOME", str(tmp_path))
        open_store(name).close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.db", "b.sqlite", "c.db", "d.db", "no-suffix"]
    assert is_store("a.db")
    assert not is_store("none.db")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "the store is ''"),
        (None, "the store is None"),
        ("postgresq://host/db", "did you mean 'postgresql'"),
        ("missing/results.db", "folder missing does not exist"),
        (".", "is a folder"),
    ],
)
def test_names_that_are_none(name: object, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=says):
        open_store(name)  # type: ignore[arg-type]


def test_a_missing_store_is_not_made_for_reading(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no store"):
        open_store(tmp_path / "results.db", create=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"learner,fold,error\nlda,1,0.2\n", b"SQLite format 3\0" + b"\1" * 500])
def test_a_file_that_is_no_store(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"not a store|damaged|does not answer"):
        open_store(path)
    assert path.read_bytes() == content


def test_the_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="not a store"):
        open_store(path)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    path.touch()
    with pytest.raises(InputError, match="not a store"):
        open_store(path, create=False)
    with SQLiteStore(path) as store:
        store.write([sample_cell()])
    assert is_store(path)


def test_a_newer_store_says_so(tmp_path: Path) -> None:
    path = _filled(tmp_path / "results.db")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(InputError, match=r"newer bestofk \(format 99"):
        open_store(path)


def test_a_store_is_safe_against_power_loss(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "results.db") as store:
        store.write([sample_cell()])
        asked = {
            name: store._alive().execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        }
    assert asked == {"journal_mode": "wal", "synchronous": 2}  # 2 is FULL


# Several processes


def test_a_second_writer_is_refused_at_once_and_readers_are_not(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    first, second = open_store(path), open_store(path)
    first.write([sample_cell()])
    with pytest.raises(InputError, match=f"another run is writing to the store .process {os.getpid()} on"):
        second.write([sample_cell("knn")])
    with pytest.raises(InputError, match="another run"):
        second.record_plan(PlanRecord("a", "b", "c"))
    third = open_store(path)
    with pytest.raises(InputError, match="another run"):
        third.remove([])
    third.close()
    first.write([sample_cell("tree")])  # the refusals did not cost the first its right
    assert len(second.finished()) == len(list(second.read())) == 2
    first.close()
    second.write([sample_cell("knn")])
    assert len(second.finished()) == 3
    second.close()


def test_a_second_writer_of_another_process(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    code = "import sys; from bestofk.cli.store import store; store()"
    other = _filled(tmp_path / "other.db", "knn")
    with SQLiteStore(path) as store:
        store.write([sample_cell()])
        merge = [sys.executable, "-c", code, "merge", str(path), str(other)]
        refused = subprocess.run(merge, capture_output=True, text=True)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert [line.split(":")[0] for line in refused.stderr.splitlines()[1:]] == ["  where", "  to do"]
        reading = subprocess.run([sys.executable, "-c", code, "info", str(path)], capture_output=True, text=True)
        assert reading.returncode == 0, reading.stderr
    assert subprocess.run(merge, capture_output=True).returncode == 0


_FORKING = """
import os, sys
from bestofk.core.errors import InputError
from bestofk.stores.store import open_store
from bestofk.testing.store import sample_cell
store = open_store(sys.argv[1])
store.write([sample_cell()])
child = os.fork()
if child == 0:
    try:
        store.write([sample_cell("knn")])
    except InputError as error:
        print(error, flush=True)
    store.close()
    sys.exit(0)
os.waitpid(child, 0)
store.write([sample_cell("svm")])
store.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_does_not_write_with_its_parents_store(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    answer = subprocess.run([sys.executable, "-W", "ignore", "-c", _FORKING, path], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.startswith("the store was opened by another process.")
    with SQLiteStore(path) as store:
        assert {each.key.learner for each in store.finished()} == {"lda", "svm"}
        assert verify_store(store).sound


def test_several_may_make_the_same_store_at_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as threads:
        for turn in range(10):
            names = [tmp_path / f"{turn}.db"] * 8
            for store in threads.map(open_store, names):
                assert store.finished() == []
                store.close()


def test_a_store_whose_making_was_cut_short_is_made(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE meta (name TEXT)")
    connection.close()  # before the commit
    assert path.stat().st_size > 0
    assert _filled(path) == path


def test_a_program_that_holds_the_file_is_waited_for_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_schema, "PATIENCE", 0.01)
    path = _filled(tmp_path / "results.db")
    browser = sqlite3.connect(path, isolation_level=None)
    with SQLiteStore(path) as store:
        browser.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="held by another program"):
            store.write([sample_cell("knn")])
        browser.execute("ROLLBACK")
        browser.close()
        store.write([sample_cell("knn")])
        assert len(store.finished()) == 2


def test_stores_may_be_used_from_threads(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with SQLiteStore(tmp_path / "results.db") as store:
        cells = [sample_cell(f"learner {number}") for number in range(40)]
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda cell: store.write([cell]), cells))
        assert len(store.finished()) == 40


def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    survive_kills(str(tmp_path / "results.db"), rounds=20, seed=4)


# Disks


def _filled(path: Path, *learners: str) -> Path:
    with SQLiteStore(path) as store:
        store.write([sample_cell(name) for name in learners or ("lda",)])
    return path


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "results.db") as store:
        store.write([sample_cell()])
        pages = store._alive().execute("PRAGMA page_count").fetchone()[0]
        store._alive().execute(f"PRAGMA max_page_count = {pages + 2}")
        many = [sample_cell(f"learner {number}", stop=400) for number in range(9)]
        with pytest.raises(InputError, match="no space left") as told:
            store.write(many)
        assert "same command again" in told.value.fix
        assert [each.key.learner for each in store.finished()] == ["lda"]
        store._alive().execute("PRAGMA max_page_count = 1000000")
        store.write(many)
        assert len(store.finished()) == 10
        assert verify_store(store).sound


_LIMITED = """
import resource, signal, sys
from bestofk.core.errors import InputError
from bestofk.stores.store import open_store
from bestofk.testing.store import sample_cell
store = open_store(sys.argv[1])
store.write([sample_cell()])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
try:
    for number in range(10**4):
        store.write([sample_cell(f"learner {number}", stop=200)])
        print(number, flush=True)
except InputError as error:
    print(error, file=sys.stderr)
"""


def test_writes_that_the_system_refuses_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    answer = subprocess.run([sys.executable, "-c", _LIMITED, path], capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr
    assert len(answer.stderr.splitlines()) == 3
    assert "same command again" in answer.stderr
    with SQLiteStore(path) as store:
        assert len(store.finished()) == 1 + len(answer.stdout.split()) > 1
        assert verify_store(store).sound
        store.write([sample_cell("later")])


_AS_NOBODY = """
import os, socket, sys
import bestofk.stores.sqlite
from bestofk.stores.store import open_store
from bestofk.testing.store import sample_cell
os.setgid(65534); os.setuid(65534)  # after all imports: somebody else may not reach the interpreter's files
store = open_store(sys.argv[1])
print(len(list(store.read())), flush=True)
store.write([sample_cell("knn")])
"""


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody without rights"
)
@pytest.mark.parametrize("writable", ["nothing", "the folder", "the file"])
def test_a_read_only_store_is_read_and_not_written(writable: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="bestofk-"))
    try:
        path = _filled(folder / "results.db")
        path.chmod(0o666 if writable == "the file" else 0o444)
        folder.chmod(0o777 if writable == "the folder" else 0o555)
        answer = subprocess.run([sys.executable, "-c", _AS_NOBODY, path], capture_output=True, text=True, cwd="/")
        assert answer.stdout == "1\n", answer.stderr
        assert "InputError: the store cannot be" in answer.stderr
        folder.chmod(0o755)
        with SQLiteStore(path) as store:
            assert verify_store(store).cells == 1
    finally:
        shutil.rmtree(folder)


def test_a_damaged_file_is_told_and_the_rest_is_saved(tmp_path: Path) -> None:
    path = _filled(tmp_path / "results.db", *(f"learner {number}" for number in range(20)))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE cells SET blob = zeroblob(500) WHERE rowid = 3")
    connection.execute("UPDATE cells SET failed = 7 WHERE rowid = 4")
    connection.commit()
    connection.close()
    with SQLiteStore(path) as store:
        answer = verify_store(store)
        refuses(lambda: list(store.read()), what="a damaged cell")
    assert (answer.cells, len(answer.problems)) == (19, 2)
    assert any("learner 2" in each and "damaged" in each for each in answer.problems)


def test_a_damaged_page_is_a_problem_and_a_damaged_start_no_store(tmp_path: Path) -> None:
    path = _filled(tmp_path / "results.db", *(f"learner {number}" for number in range(60)))
    whole = path.read_bytes()
    for page, code in ((0, 2), (len(whole) // 16_384 - 1, 1)):
        content = bytearray(whole)
        content[page * 16_384 : (page + 1) * 16_384] = b"\xff" * 16_384
        path.write_bytes(content)
        assert _run("verify", path)[0] == code
        assert _run("export", path, tmp_path / "t.csv")[0] == 2
        assert not (tmp_path / "t.csv").exists()


def test_a_damaged_store_is_rescued_page_by_page(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    cells = {cell.key: cell for cell in (sample_cell(f"learner {number}", stop=100) for number in range(30))}
    with SQLiteStore(path) as store:
        store.write(list(cells.values()))
        store.record_plan(PlanRecord("p", "plan", "2026"))
    content = bytearray(path.read_bytes())
    page = content.index(b"bkc") // 16_384  # a page of the first cells
    content[page * 16_384 : (page + 1) * 16_384] = b"\xff" * 16_384
    path.write_bytes(content)
    assert _run("merge", tmp_path / "new.db", path)[0] == 2
    code, _ = _run("merge", tmp_path / "new.db", path, "--rescue")
    assert code == 0
    with SQLiteStore(tmp_path / "new.db") as store:
        kept = list(store.read())
        assert 20 <= len(kept) < 30
        assert all(same_cell(cell, cells[cell.key]) for cell in kept)
        assert len(store.plans()) == 1
        assert verify_store(store).sound


# Merging and verifying


def test_merging_keeps_what_both_have_once(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "a.db") as target, SQLiteStore(tmp_path / "b.db") as source:
        target.write([sample_cell("lda"), sample_cell("knn", failed=True)])
        target.record_plan(PlanRecord("p", "plan", "2026"))
        later = replace(sample_cell("lda"), fit_seconds=np.full((3, 2), 9.0))
        source.write([later, sample_cell("knn"), sample_cell("svm")])
        source.record_plan(PlanRecord("q", "plan", "2027"))
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
    target.record_plan(_record_of(sample_cell()))
    source.write([part(sample_cell(stop=4), 1, 4)])
    source.record_plan(_record_of(sample_cell(), locked="2026-01"))
    for _ in range(2):
        merge_stores(source, target)
        assert [plan.locked for plan in target.plans()] == [kept]


def test_a_lock_of_a_plan_that_cannot_be_read_comes_into_an_empty_store_only() -> None:
    for there, kept in (([], "2026-01"), ([sample_cell("svm")], None)):
        source, target = MemoryStore(), MemoryStore()
        target.write(there)
        source.record_plan(PlanRecord("p", "no JSON", "2026", "2026-01"))
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
    with pytest.raises(InputError, match=f"{named} of learner lda on data set wine"):
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
    assert "the folds of replication 1 are not those of" in problem
    store.remove([sample_cell("svm").key.id])
    twice = part(sample_cell("lda"), 1, 3)
    store._cells[twice.key.id] = Packed(twice.key, twice.failed, pack(twice))  # as writers did that did not look
    (problem,) = verify_store(store).problems
    assert "replication 2 is in two cells" in problem


# Tables


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


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".csv.gz", ".parquet"])
def test_an_exported_table_is_judged(suffix: str, tmp_path: Path) -> None:
    store = MemoryStore()
    store.write([_two_class(learner, "wine") for learner in ("lda", "max", "tree")])
    path = tmp_path / f"exported{suffix}"
    done = export_store(store, path)
    assert (done.rows, done.left_out) == (30, ())
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    evidence = bk.read(path)
    assert (evidence.measure, evidence.values.shape) == ("error", (3, 1, 5, 2))
    cell = next(store.read([_two_class("tree", "wine").key.series]))
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
        *(_two_class("lda", "wine", start=at, failed=True) for at in (0, 5)),
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
    merged = merge_stores(_of(back.values()), store)
    assert (merged.cells, merged.known) == (0, 16)


def _of(cells: object) -> MemoryStore:
    store = MemoryStore()
    store.write(list(cells))  # type: ignore[call-overload]
    return store


def test_a_plain_table_comes_back_as_imported(tmp_path: Path) -> None:
    store = _of([_two_class("lda", "wine", failed=True), _two_class("lda", "wine", start=7), _two_class("knn", "iris")])
    export_store(store, tmp_path / "e.csv")
    back = _of(store_from_table(tmp_path / "e.csv").read())
    kept = sorted((each.key.learner, each.key.start, each.key.stop, each.failed) for each in back.finished())
    assert kept == [("knn", 0, 5, 0), ("lda", 0, 5, 1), ("lda", 7, 12, 0)]
    assert {each.key.dataset_fingerprint for each in back.finished()} == {"imported"}
    export_store(back, tmp_path / "again.csv")
    first, second = ((tmp_path / name).read_text().splitlines() for name in ("e.csv", "again.csv"))
    assert sorted(first) == sorted(second)


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
    export_store(_of([_two_class("lda", "wine")]), tmp_path / "e.csv")
    text = (tmp_path / "e.csv").read_text()
    assert change(text) != text
    (tmp_path / "e.csv").write_text(change(text))
    with pytest.raises(InputError, match=says):
        list(store_from_table(tmp_path / "e.csv").read())


def test_exports_that_cannot_be(tmp_path: Path) -> None:
    cell = _two_class("lda", "wine")
    store = _of([cell, replace(cell, key=replace(cell.key, seed=2))])
    with pytest.raises(InputError, match="results of two kinds: seed 1 and 2"):
        export_store(store, tmp_path / "e.csv")
    assert export_store(store, tmp_path / "e.csv", series=[cell.key.series]).rows == 10
    with pytest.raises(InputError, match="kind of table"):
        export_store(store, tmp_path / "e.doc", series=[cell.key.series])
    with pytest.raises(InputError, match="cannot be written"):
        export_store(store, tmp_path / "none" / "e.csv", series=[cell.key.series])
    with pytest.raises(InputError, match="no results"):
        export_store(MemoryStore(), tmp_path / "f.csv")
    assert [each.name for each in tmp_path.iterdir()] == ["e.csv"]


# The command


def _run(*arguments: object) -> tuple[int, str]:
    answer = CliRunner().invoke(command, [str(each) for each in arguments])
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


# Nothing is lost on the way: plans, preferences, reasons, sizes, locks


def _collected(tmp_path: Path, **changes: object) -> Path:
    plan = {"folds": "5x2", "seed": 1, "prior": ["nn", "nmc"], **changes}
    path = tmp_path / "collected.db"
    bk.collect(bk.Plan(["nmc", "nn"], ["iris"], **plan), path, engine="serial", progress=False)  # type: ignore[arg-type]
    return path


def test_a_complete_table_brings_its_plan_and_preference_along(tmp_path: Path) -> None:
    path = _collected(tmp_path)
    code, said = _run("export", path, tmp_path / "e.csv", "--complete")
    assert code == 0
    assert "--prior" not in said  # nothing is lost
    assert _run("merge", tmp_path / "new.db", tmp_path / "e.csv")[0] == 0
    old, new = bk.read(path), bk.read(tmp_path / "new.db")
    assert new.prior == ("nn", "nmc")
    assert np.array_equal(old.values, new.values)


def test_a_complete_table_keeps_predictions_and_probabilities(tmp_path: Path) -> None:
    path = _collected(tmp_path, keep_predictions=True)
    code, said = _run("export", path, tmp_path / "e.csv", "--complete")
    assert (code, "left out" in said) == (0, False)
    assert _run("merge", tmp_path / "new.db", tmp_path / "e.csv")[0] == 0
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
    code, said = _run("merge", tmp_path / "other.db", tmp_path / "e.csv")
    assert (code, "predictions of a fold are damaged" in said) == (2, True)


def test_one_plan_of_several_is_exported(tmp_path: Path) -> None:
    path = _collected(tmp_path)
    _collected(tmp_path, seed=2)
    assert _run("export", path, tmp_path / "e.csv")[0] == 2
    with SQLiteStore(path) as store:
        first, second = (plan.fingerprint for plan in store.plans())
    for plan in (first, second):
        assert _run("export", path, tmp_path / f"{plan[:4]}.csv", "--plan", plan[:12])[0] == 0
    values = [bk.read(tmp_path / f"{plan[:4]}.csv").values for plan in (first, second)]
    assert values[0].shape == values[1].shape
    assert not np.array_equal(*values)
    code, said = _run("export", path, tmp_path / "x.csv", "--plan", "nothing")
    assert (code, "no plan begins with 'nothing'" in said) == (2, True)


@pytest.mark.parametrize("folds", ["5x2", "learning-curve-5x2-3"])
def test_a_plain_table_that_was_merged_is_judged(folds: str, tmp_path: Path) -> None:
    path = _collected(tmp_path, folds=folds, prior=None)
    assert _run("export", path, tmp_path / "e.csv")[0] == 0
    assert _run("merge", tmp_path / "new.db", tmp_path / "e.csv")[0] == 0
    found = [bk.read(each) for each in (path, tmp_path / "e.csv", tmp_path / "new.db")]
    assert len({isinstance(each, bk.Curves) for each in found}) == 1
    verdicts = [bk.judge(each) for each in found]
    assert len({(verdict.status, verdict.best) for verdict in verdicts}) == 1
    header = (tmp_path / "e.csv").read_text().splitlines()[0].split(",")
    assert "sizes" in header
    assert ("train_size" in header) == folds.startswith("learning-curve")


def test_reasons_of_several_lines_take_one_line_of_a_table(tmp_path: Path) -> None:
    cell = _two_class("lda", "wine", failed=True)
    reason = "C:\\new\\learner.py:3 in fit\nValueError: no\\n"
    failures = tuple(tuple(reason if text else "" for text in line) for line in cell.failures)
    store = _of([replace(cell, failures=failures)])
    export_store(store, tmp_path / "e.csv", complete=True)
    assert len((tmp_path / "e.csv").read_text().splitlines()) == 11
    (back,) = store_from_table(tmp_path / "e.csv").read()
    assert back.failures == failures


def test_results_without_a_lock_are_refused_by_a_locked_store() -> None:
    source, target = _of([sample_cell(stop=4)]), _of([])
    target.record_plan(_record_of(sample_cell(), locked="2026-01"))
    for plan in (None, _record_of(sample_cell())):
        if plan is not None:
            source.record_plan(plan)
        with pytest.raises(InputError, match="under no lock") as error:
            merge_stores(source, target)
        assert "merge both into a new store" in error.value.fix
        assert target.finished() == []
    source.record_plan(_record_of(sample_cell(), locked="2026-01"))
    assert merge_stores(source, target).cells == 1


@pytest.mark.parametrize("share", [0.9, 0.5])
def test_a_store_that_was_cut_off_is_rescued(share: float, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    cells = {cell.key: cell for cell in (sample_cell(f"learner {number}", stop=100) for number in range(30))}
    with SQLiteStore(path) as store:
        store.write(list(cells.values()))
    os.truncate(path, int(share * path.stat().st_size))
    before = path.read_bytes()
    assert _run("merge", tmp_path / "new.db", path, "--rescue")[0] == 0
    assert path.read_bytes() == before
    with SQLiteStore(tmp_path / "new.db") as store:
        kept = list(store.read())
    assert 30 * (share - 0.3) < len(kept) < 30
    assert all(same_cell(cell, cells[cell.key]) for cell in kept)


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
