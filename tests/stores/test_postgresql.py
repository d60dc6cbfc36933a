"""The PostgreSQL store on a real server of its own."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

import bestofk as bk
from bestofk.collecting.run.collect import collect_plan
from bestofk.core.errors import InputError
from bestofk.stores.address import open_store
from bestofk.stores.exchange.merge import merge_stores
from bestofk.stores.exchange.recovery import verify_store
from bestofk.stores.memory import MemoryStore
from bestofk.stores.postgresql import Away
from bestofk.stores.store import Finished, PlanRecord, Store
from bestofk.testing import StoreCase
from bestofk.testing.store import same_cell, sample_cell
from collecting_plans import plan_of
from postgresql_server import PASSWORD, QUOTED, Server, running_server, why_not
from store_crashes import survive_kills

pytestmark = [
    pytest.mark.skipif(why_not() is not None, reason=str(why_not())),
    pytest.mark.xdist_group("postgresql"),
]
_NUMBERS = itertools.count()


@pytest.fixture
def url(server: Server) -> str:
    return server.database(f"results-{next(_NUMBERS)}")


class TestPostgreSQL(StoreCase):
    @pytest.fixture(autouse=True)
    def _database(self, url: str) -> None:
        self.url = url

    def make_store(self) -> Store:
        return open_store(self.url)

    def reopen(self, store: Store) -> Store:
        store.close()
        return open_store(self.url, create=False)


def _asked(url: str, *statements: str) -> Any:
    import psycopg

    with closing(psycopg.connect(url, autocommit=True)) as connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else None


@pytest.mark.parametrize("rounds", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_kills_lose_nothing(url: str, rounds: int) -> None:
    survive_kills(url, rounds=rounds, seed=5)


def test_many_may_start_and_write_at_once(url: str) -> None:
    cells = [sample_cell(f"learner {number}") for number in range(12)]

    def person(number: int) -> None:
        with closing(open_store(url)) as store:
            store.record_plan(PlanRecord.of_text("plan", "2026-01-01T00:00:00+00:00"))
            for chosen in (cells, cells[::-1], cells[number::2]):  # the same rows in different orders
                store.write(chosen)

    with ThreadPoolExecutor(6) as people:
        list(people.map(person, range(6)))
    with closing(open_store(url, create=False)) as store:
        assert len(store.plans()) == 1
        found = {cell.key: cell for cell in store.read()}
        assert len(store.finished()) == len(found) == 12
        assert all(same_cell(found[cell.key], cell) for cell in cells)
        assert verify_store(store).sound


def test_changed_ids_and_times_are_not_sound(url: str) -> None:
    with closing(open_store(url)) as store:
        store.write([sample_cell()])
        store.record_plan(PlanRecord.of_text("plan", "2026-01-01T00:00:00+00:00"))
        _asked(
            url,
            "ALTER TABLE bestofk_cells DROP CONSTRAINT bestofk_cells_series_fkey",
            *(f"UPDATE bestofk_{each} = 'another'" for each in ("series SET id", "cells SET series")),
            "UPDATE bestofk_plans SET locked = 'x'",
            "INSERT INTO bestofk_meta VALUES ('more', 'x')",
        )
        problems = verify_store(store).problems
    assert len(problems) == 3
    for found in ("its id is another, and should be", "it was locked at x", "says more of itself"):
        assert any(found in each for each in problems), found


def test_a_lost_connection_is_made_again(url: str) -> None:
    with closing(open_store(url)) as store:
        store.write([sample_cell()])
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        assert _asked(url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}") == [(True,)]
        store.write([sample_cell("knn")])
        assert len(store.finished()) == 2


def test_merging_from_and_into_a_server(url: str) -> None:
    memory = MemoryStore()
    memory.write([sample_cell(), sample_cell("knn")])
    with closing(open_store(url)) as store:
        assert merge_stores(memory, store).cells == 2
        assert merge_stores(store, memory).cells == 0


def test_commits_wait_for_the_disk_even_where_the_server_does_not(server: Server, url: str) -> None:
    name = url.rsplit("/", 1)[1]
    _asked(server.url, f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    assert _asked(url, "SHOW synchronous_commit") == [("off",)]
    with closing(open_store(url)) as store:
        assert store._connection.execute("SHOW synchronous_commit").fetchone() == ("on",)  # type: ignore[attr-defined]


def _told(url: str, **options: bool) -> InputError:
    with pytest.raises(InputError) as error:
        open_store(url, **options)
    assert PASSWORD not in str(error.value)
    assert QUOTED not in str(error.value)
    assert len(str(error.value).splitlines()) == 3
    return error.value


def test_no_store_in_the_database(url: str) -> None:
    assert "there is no store" in _told(url, create=False).wrong
    assert _asked(url, "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'bestofk%'") == [(0,)]


def test_a_newer_store_says_so(url: str) -> None:
    open_store(url).close()
    _asked(url, "UPDATE bestofk_meta SET value = '99' WHERE name = 'version'")
    assert "newer bestofk (format 99" in _told(url).wrong


def test_tables_of_somebody_else(url: str) -> None:
    _asked(url, "CREATE TABLE bestofk_meta (name text, value text)")
    assert "no store of bestofk" in _told(url).wrong


def test_wrong_password_database_port_and_url(server: Server) -> None:
    wrong = _told(server.at("postgres", password="hush%2Fhush"))
    assert "password authentication failed" in wrong.wrong
    assert "PGPASSWORD" in wrong.fix
    assert "hush" not in str(wrong)
    assert "createdb" in _told(server.at("no-such-database")).fix
    assert "server runs" in _told(server.at("postgres").replace(f":{server.port}/", ":1/")).fix
    assert "not understood" in _told(server.at("postgres") + "?no_such_option=1").wrong
    assert "not understood" in _told(server.at("postgres", password="hush%zz")).wrong


def test_missing_rights(server: Server, url: str) -> None:
    name = url.rsplit("/", 1)[1]
    _asked(
        url,
        "DROP ROLE IF EXISTS guest",
        f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
    )
    guest = server.at(name, user="guest")
    assert "may not" in _told(guest).wrong
    with closing(open_store(url)) as store:
        store.write([sample_cell()])
    assert "GRANT" in _told(guest).fix
    _asked(url, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
    with closing(open_store(guest)) as store:
        assert len(list(store.read())) == 1
        with pytest.raises(InputError, match="may not") as error:
            store.write([sample_cell("knn")])
        assert PASSWORD not in str(error.value)
        assert len(store.finished()) == 1
    _asked(url, "DROP OWNED BY guest", "DROP ROLE guest")


def test_the_command_on_a_server(url: str) -> None:
    code = "from bestofk.cli import main; main()"
    with closing(open_store(url)) as store:
        store.write([sample_cell()])
    answer = subprocess.run([sys.executable, "-c", code, "store", "info", url], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    assert "learners: 1 (lda)" in answer.stdout
    assert QUOTED not in answer.stdout


@pytest.mark.slow
def test_a_server_that_restarts_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with running_server() as server, closing(open_store(server.url)) as store:
        store.write([sample_cell("lda")])
        server.stop()
        later = Timer(2.5, server.start)
        later.start()
        with pytest.warns(Away, match="Trying again"):
            store.write([sample_cell("knn")])
        later.join()
        assert {each.key.learner for each in store.finished()} == {"lda", "knn"}
        monkeypatch.setattr(store, "_patience", 1.0)
        server.stop()
        with pytest.raises(InputError, match="server") as error:
            store.write([sample_cell("svm")])
        assert "same command again" in error.value.fix
        server.start()
        assert len(store.finished()) == 2


@pytest.mark.slow
def test_two_runs_of_one_plan_share_the_work(url: str, tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "nmc = {}", "lda = {}", folds="40x2", datasets='datasets = ["iris", "wine"]')
    words = [sys.executable, "-m", "bestofk", "collect", str(plan), "--into", url, "--engine", "serial", "--json"]
    runs = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [run.communicate(timeout=300) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], answers
    folds = [json.loads(answer)["folds"] for answer, _ in answers]
    assert sum(folds) == 2 * 2 * 40 * 2


def test_a_run_takes_over_from_one_that_died(url: str) -> None:
    plan = bk.Plan(["max", "nmc"], ["iris"], folds="3x2")
    series = [each.key.series for each in finished_cells(plan)]
    with closing(open_store(url)) as mine, closing(open_store(url)) as other:
        assert all(other.claim(each) for each in series)
        assert not any(mine.claim(each) for each in series)
        Timer(1.5, other.close).start()
        assert collect_plan(plan, mine, engine="serial", progress=False).folds == 12
        assert mine.claim(series[0])


def finished_cells(plan: bk.Plan) -> list[Finished]:
    store = MemoryStore()
    collect_plan(plan, store, engine="serial", progress=False)
    return store.finished()


def test_claims_outlive_a_lost_connection(url: str) -> None:
    series = [each.key.series for each in finished_cells(bk.Plan(["max", "nmc"], ["iris"], folds="2-fold"))]
    with closing(open_store(url)) as mine, closing(open_store(url)) as other:
        assert all(mine.claim(each) for each in (*series, series[0]))
        _asked(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks "
               "WHERE locktype = 'advisory')")  # fmt: skip
        mine.finished()
        assert not any(other.claim(each) for each in series)
        mine.release(series[0])
        assert [other.claim(each) for each in series] == [True, False]
