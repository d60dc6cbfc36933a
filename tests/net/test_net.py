import json

import pytest

from .cases import CASES
from .facts import changes, error_facts, facts
from .keep import written
from .running import KEPT, answer, collect, places

SHOWN = 20


@pytest.fixture(scope="session")
def where(tmp_path_factory):
    """The files that the cases name; the store is collected when a case first needs it."""
    return places(tmp_path_factory.mktemp("net"))


@pytest.fixture(scope="session")
def sqlite(where):
    collect(where)
    return where


@pytest.fixture(scope="session")
def postgresql(where, server):
    elsewhere = {**where, "store": server.database("net")}
    collect(elsewhere)
    return elsewhere


def unchanged(name, where):
    kept = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    found = list(changes(kept, json.loads(written(answer(CASES[name], where)))))
    more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    if found:
        again = f"on purpose? python -m tests.net.keep {name}"
        pytest.fail("\n".join([CASES[name], *found[:SHOWN], *more, again]), pytrace=False)


STORED = [name for name, command in CASES.items() if "{store}" in command]


@pytest.mark.parametrize("name", [name for name in CASES if name not in STORED])
def test_files(name, where):
    unchanged(name, where)


@pytest.mark.parametrize("name", STORED)
def test_sqlite(name, sqlite):
    unchanged(name, sqlite)


@pytest.mark.parametrize("name", STORED)
def test_postgresql_answers_as_sqlite(name, postgresql):
    unchanged(name, postgresql)


def test_every_case_is_kept_and_nothing_else():
    assert {path.stem for path in KEPT.glob("*.json")} == set(CASES)


def test_facts_are_no_sentences():
    document = {"a": "four words are kept", "b": "but five words are not", "c": None, "d": 1 / 3, "sha256": "0"}
    assert facts(document) == {"a": "four words are kept", "d": 0.333333333333}
    assert facts([0.5] * 100) == {"shape": [100], "first": [0.5] * 5, "sum": 50.0}
    assert error_facts("'b' of '/tmp/x.csv' doesn't have 3 of -1.5, /x/2") == {
        "names": ["b", "x.csv"],
        "numbers": [3.0, -1.5],
    }


def test_changes_name_their_paths():
    kept, found = {"p": [0.1, {"q": "x"}], "gone": 1}, {"p": [0.1 + 1e-12, {"q": "y"}], "new": True}
    assert list(changes(kept, found)) == ['p[1].q: "x" → "y"', "gone: 1 → nothing", "new: nothing → true"]
    assert list(changes([1.0], [1.001])) == ["[0]: 1.0 → 1.001"]
