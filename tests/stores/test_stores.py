"""Stores: names, SQLite and memory, crashes, damage and rescue."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from bestofk.core.errors import InputError
from bestofk.stores.address import is_store, open_store
from bestofk.stores.exchange.recovery import verify_store
from bestofk.stores.sqlite import schema as sqlite_schema
from bestofk.stores.sqlite.store import SQLiteStore
from bestofk.stores.store import PlanRecord, Store
from bestofk.testing import StoreCase
from bestofk.testing.stats import refuses
from bestofk.testing.store import same_cell, sample_cell
from collecting_plans import collected_beside_max, plan_file
from makers import command as bestofk
from makers import three_lines
from makers_stores import run_store
from store_crashes import survive_kills
from store_damage import damaged, full


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
    code = "import sys; from bestofk.cli import main; main()"
    other = _filled(tmp_path / "other.db", "knn")
    with SQLiteStore(path) as store:
        store.write([sample_cell()])
        merge = [sys.executable, "-c", code, "store", "merge", str(path), str(other)]
        refused = subprocess.run(merge, capture_output=True, text=True)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert [line.split(":")[0] for line in refused.stderr.splitlines()[1:]] == ["  where", "  to do"]
        reading = subprocess.run(
            [sys.executable, "-c", code, "store", "info", str(path)], capture_output=True, text=True
        )
        assert reading.returncode == 0, reading.stderr
    assert subprocess.run(merge, capture_output=True).returncode == 0


_FORKING = """
import os, sys
from bestofk.core.errors import InputError
from bestofk.stores.address import open_store
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
    assert "opened by another process." in answer.stdout
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


@pytest.mark.parametrize("rounds", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_kills_lose_nothing(tmp_path: Path, rounds: int) -> None:
    survive_kills(str(tmp_path / "results.db"), rounds=rounds, seed=4)


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
from bestofk.stores.address import open_store
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
import numpy.random  # imported late by numpy itself
import bestofk.stores.sqlite.store
from bestofk.stores.address import open_store
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
        assert "InputError: the store" in answer.stderr
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


@pytest.mark.parametrize("rounds", [10, pytest.param(300, marks=pytest.mark.slow)])
def test_changed_bytes_are_told_or_harmless(rounds: int) -> None:
    figures = damaged(rounds, seed=rounds)
    assert figures["told when read"] > 0, figures


@pytest.mark.slow
def test_full_disks_lose_nothing() -> None:
    assert full(5)["cells acknowledged"] > 0


def test_a_schema_that_is_no_text_is_damage(tmp_path: Path) -> None:
    path = _filled(tmp_path / "results.db")
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE cells", b"CREATE \xe4ABLE cells"))
    with pytest.raises(sqlite_schema.Damaged, match="malformed"):
        SQLiteStore(path)


def test_a_damaged_page_is_a_problem_and_a_damaged_start_no_store(tmp_path: Path) -> None:
    path = _filled(tmp_path / "results.db", *(f"learner {number}" for number in range(60)))
    whole = path.read_bytes()
    for page, code in ((0, 2), (len(whole) // 16_384 - 1, 1)):
        content = bytearray(whole)
        content[page * 16_384 : (page + 1) * 16_384] = b"\xff" * 16_384
        path.write_bytes(content)
        assert run_store("verify", path)[0] == code
        assert run_store("export", path, tmp_path / "t.csv")[0] == 2
        assert not (tmp_path / "t.csv").exists()


def test_a_damaged_store_is_rescued_page_by_page(tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    cells = {cell.key: cell for cell in (sample_cell(f"learner {number}", stop=100) for number in range(30))}
    with SQLiteStore(path) as store:
        store.write(list(cells.values()))
        store.record_plan(PlanRecord.of_text("plan", "2026"))
    content = bytearray(path.read_bytes())
    page = content.index(b"bkc") // 16_384  # a page of the first cells
    content[page * 16_384 : (page + 1) * 16_384] = b"\xff" * 16_384
    path.write_bytes(content)
    assert run_store("merge", tmp_path / "new.db", path)[0] == 2
    code, _ = run_store("merge", tmp_path / "new.db", path, "--rescue")
    assert code == 0
    with SQLiteStore(tmp_path / "new.db") as store:
        kept = list(store.read())
        assert 20 <= len(kept) < 30
        assert all(same_cell(cell, cells[cell.key]) for cell in kept)
        assert len(store.plans()) == 1
        assert verify_store(store).sound


@pytest.mark.parametrize("share", [0.5, pytest.param(0.9, marks=pytest.mark.slow)])
def test_a_store_that_was_cut_off_is_rescued(share: float, tmp_path: Path) -> None:
    path = tmp_path / "results.db"
    cells = {cell.key: cell for cell in (sample_cell(f"learner {number}", stop=100) for number in range(30))}
    with SQLiteStore(path) as store:
        store.write(list(cells.values()))
    os.truncate(path, int(share * path.stat().st_size))
    before = path.read_bytes()
    assert run_store("merge", tmp_path / "new.db", path, "--rescue")[0] == 0
    assert path.read_bytes() == before
    with SQLiteStore(tmp_path / "new.db") as store:
        kept = list(store.read())
    assert 30 * (share - 0.3) < len(kept) < 30
    assert all(same_cell(cell, cells[cell.key]) for cell in kept)


def test_a_damaged_file_is_not_sound(tmp_path):
    file = tmp_path / "r.db"
    bestofk("collect", plan_file(tmp_path), "--into", file, "--engine", "serial")
    whole = file.read_bytes()
    assert len(whole) > 4096
    file.write_bytes(whole[: len(whole) // 2])
    for more in ("-wal", "-shm"):
        Path(f"{file}{more}").unlink(missing_ok=True)
    answer = bestofk("store", "verify", file)
    assert answer.exit_code == 1
    assert "damaged" in answer.stdout
    assert json.loads(bestofk("store", "verify", file, "--json").stdout)["sound"] is False
    assert bestofk("store", "verify", tmp_path / "none.db").exit_code == 2


def test_a_store_of_a_newer_format_is_not_rescued_either(tmp_path):
    store = collected_beside_max(tmp_path, "nmc", folds="2x2")
    with closing(sqlite3.connect(store)) as opened:
        opened.execute("PRAGMA user_version = 9")
    plain = three_lines(bestofk("store", "merge", tmp_path / "new.db", store))
    rescued = three_lines(bestofk("store", "merge", tmp_path / "new.db", store, "--rescue"))
    assert plain == rescued
    assert "newer bestofk (format 9" in plain[0]
    assert not (tmp_path / "new.db").exists()
