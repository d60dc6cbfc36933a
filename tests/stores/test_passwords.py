"""A password planted in the address of a store is seen in no output, error or report of any command."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import bestofk as bk
from bestofk.core import passwords
from bestofk.core.passwords import without_passwords
from bestofk.stores.address import open_store
from collecting_plans import plan_of
from makers import EXAMPLES, command
from postgresql_server import PASSWORD, QUOTED, Server, why_not
from terminal import at_terminal

SECRET = "Pl4nted"
WRONG = (
    f"mysql://ann:{SECRET}@host/results",
    f"postgresql://ann:{SECRET}@127.0.0.1:1/results",
    f"postgresql://ann:{SECRET}@127.0.0.1:1/results?no_such_option=1",
    f"postgresql://127.0.0.1:1/results?user=ann&password={SECRET}&sslpassword={SECRET}",
    f"host=127.0.0.1 port=1 user=ann password={SECRET} dbname=results",
    f"sslmode=disable host=127.0.0.1 password={SECRET}",
    f"postgresql://ann:{SECRET}@.host/results",
    f"host=127.0.0.1 password = '{SECRET} {SECRET}'",
    f"postgresql://ann:my {SECRET}@127.0.0.1:1/results",
    f"postgresql://127.0.0.1:1/results?user=ann&password=it's{SECRET}",
    f"postgresql://127.0.0.1:1/results?password=my {SECRET}",
    f"postgresql://127.0.0.1:1/results?password=ab#{SECRET}",
    f"host=127.0.0.1 password=ab\\ {SECRET}",
    f"host=127.0.0.1 password='a''{SECRET}'",
)
COMMANDS = (
    "judge {}", "judge {} --json", "judge examples/demsar.csv {}", "judge examples/demsar.csv --measure {}",
    "judge examples/demsar.csv --prior {}", "compare {}", "order {}", "rank {}", "report {} -o {folder}/v.html",
    "report {} -o {folder}/v.json", "power {}", "store info {}", "store verify {}", "store export {} {folder}/t.csv",
    "store merge {} {folder}/b.db", "store merge {folder}/c.db {}", "store drop {} --plan abc", "plan check {}",
    "collect {} --into {folder}/d.db", "collect examples/plan.toml --into {}", "explain {}", "data show {}",
    "replicate {}", "calibrate {}", "list {}", "{}",
)  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_no_error_of_any_command_shows_it(line: str, tmp_path: Path) -> None:
    for address in WRONG:
        words = [word.format(address, folder=tmp_path).replace("examples", str(EXAMPLES)) for word in line.split()]
        answer = command(*words)
        assert answer.exit_code == 2, words
        assert SECRET not in answer.stdout + answer.stderr, words


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_no_output_of_any_command_shows_it(server: Server, tmp_path: Path) -> None:
    url = server.database("passwords")
    plan, out = plan_of(tmp_path, "max = {}", "nmc = {}", folds="5x2"), tmp_path / "out"
    out.mkdir()
    lines = [
        ["collect", plan, "--into", url],
        ["collect", plan, "--into", url, "--json"],
        *(["judge", url, *more] for more in ([], ["--json"], ["--full"], ["-q"])),
        *([verb, url, *more] for verb in ("compare", "order", "rank", "power") for more in ([], ["--json"])),
        *(["report", url, "-o", out / f"v.{suffix}"] for suffix in ("html", "json", "md", "tex", "txt")),
        *(["store", verb, url, *more] for verb in ("info", "verify") for more in ([], ["--json"])),
        ["store", "export", url, out / "t.csv"],
        ["store", "export", url, out / "c.csv", "--complete", "--json"],
        ["store", "merge", out / "other.db", url],
        ["store", "merge", url, out / "other.db", "--json"],
        ["store", "merge", url, out / "t.csv"],
        ["store", "drop", url, "--plan", "0000"],
        ["judge", url, out / "t.csv"],
    ]
    for words in lines:
        answer = command(*words)
        refused = "drop" in words or words == ["judge", url, out / "t.csv"]
        assert answer.exit_code == (2 if refused else 0), (words, answer.stderr)
        assert QUOTED not in answer.stdout + answer.stderr, words
    assert QUOTED not in at_terminal("judge", url)
    for path in out.iterdir():
        assert QUOTED.encode() not in path.read_bytes(), path


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_a_password_that_is_a_common_word_changes_no_answer(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    monkeypatch.setattr(passwords, "_remembered", set())  # errors of other tests have the word
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE ROLE error LOGIN SUPERUSER PASSWORD 'error'")
    server.database("error")
    url = server.at("error", user="error", password="error")
    shown = url.replace(":error@", "@")
    collected = command("collect", plan_of(tmp_path, "max = {}", "nmc = {}", folds="5x2"), "--into", url)
    assert collected.stderr.splitlines()[-1] == f"Next     bestofk judge {shown}"
    for words in (["judge", url], ["judge", url, "--json"], ["store", "info", url], ["compare", url]):
        answer = command(*words)
        assert answer.exit_code == 0, words
        assert "***" not in answer.stdout + answer.stderr, words
    assert "learner\terror\t" in command("judge", url).stdout


def test_names_that_are_addresses_of_pages_stay_whole(tmp_path: Path) -> None:
    names = ("http://localhost:8000/llama@main", "http://localhost:8001/qwen@main")
    rows = "".join(f"{i},{i / 10},{i / 9}\n" for i in range(1, 9))
    (tmp_path / "urls.csv").write_text(f"dataset,{','.join(names)}\n{rows}")
    answer = json.loads(command("judge", tmp_path / "urls.csv", "--larger-is-better", "--json").stdout)
    assert set(answer["rank_intervals"]) == set(names)


def test_python_shows_it_neither() -> None:
    for address in WRONG:
        with warnings.catch_warnings(record=True), pytest.raises(bk.InputError) as error:
            bk.judge(address)
        assert SECRET not in repr(error.value) + str(error.value) + str(error.value.to_dict())


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://ann:a@b:c@host:1/db", "postgresql://ann@host:1/db"),
        ("postgres://host/db?user=ann&password=x", "postgres://host/db?user=ann&password=***"),
        ("postgresql:///db", "postgresql:///db"),
        ("postgresql://ann@host/db", "postgresql://ann@host/db"),
        ('{"a": "http://host:80/x", "b": "c@d"}', '{"a": "http://host:80/x", "b": "c@d"}'),
        ('{"a": "password=x"}', '{"a": "password=***"}'),
    ],
)
def test_what_is_shown_of_an_address(address: str, shown: str) -> None:
    assert without_passwords(address) == shown


@pytest.mark.parametrize("way", ["PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE"])
def test_a_password_may_stand_outside_the_url(way: str, server: Server, tmp_path: Path, monkeypatch: Any) -> None:
    url = server.database("outside").replace(f":{QUOTED}@", "@")
    with pytest.raises(bk.InputError, match="password"):
        open_store(url)
    place = tmp_path / "kept"
    if way == "PGPASSFILE":
        place.write_text(f"127.0.0.1:{server.port}:outside:{server.user}:{PASSWORD}\n")
    elif way == "PGSERVICEFILE":
        about = f"host=127.0.0.1\nport={server.port}\ndbname=outside\nuser={server.user}\npassword={PASSWORD}\n"
        place.write_text(f"[results]\n{about}")
        url = "postgresql://?service=results"
    monkeypatch.setenv(way, PASSWORD if way == "PGPASSWORD" else str(place))
    if place.exists():
        place.chmod(0o600)
    with open_store(url) as store:
        assert store.finished() == []
