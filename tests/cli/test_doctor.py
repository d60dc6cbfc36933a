"""What is installed, and whether it works."""

import json
import platform
import sqlite3
import sys

import numpy
import pytest

import bestofk
from bestofk.core.extras import EXTRA_OF
from makers import command
from terminal import at_terminal


def parts(answer):
    return {part["name"]: part for part in json.loads(answer.output)["parts"]}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Put a package of some name and code before all others."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(name, code):
        for loaded in [module for module in sys.modules if module.split(".")[0] == name]:
            monkeypatch.delitem(sys.modules, loaded)
        (tmp_path / f"{name}.py").write_text(code)

    return make


def test_versions_are_those_that_packages_say_of_themselves():
    answer = command("doctor", "--json")
    found = json.loads(answer.output)
    assert answer.exit_code == 0
    assert found["works"]
    assert (found["bestofk"], found["python"]) == (bestofk.__version__, platform.python_version())
    assert parts(answer)["core"]["packages"]["numpy"] == numpy.__version__
    assert parts(answer)["sqlite"]["said"].split()[-1] == sqlite3.sqlite_version
    assert set(EXTRA_OF.values()) <= set(parts(answer))


def test_the_answer_fits_a_screen():
    lines = at_terminal("doctor").splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("code", "state", "ends"),
    [
        ("raise ImportError('built for another numpy')", "faulty", 1),
        ("import no_such_package_at_all", "faulty", 1),
        ("raise ModuleNotFoundError(name='openpyxl')", "missing", 0),
    ],
)
def test_a_package_that_is_there_and_does_not_import_is_a_fault(package, code, state, ends):
    package("openpyxl", code)
    answer = command("doctor", "--json")
    tables = parts(answer)["tables"]
    assert (answer.exit_code, tables["state"]) == (ends, state)
    assert "openpyxl" not in tables["packages"]
    assert ("bestofk[tables]" in tables["said"]) == (state == "missing")


def test_the_folder_of_data_and_the_loops_are_those_of_the_environment(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text("a,class\n1,x\n2,y\n")
    monkeypatch.setenv("BESTOFK_DATA", str(tmp_path))
    monkeypatch.setenv("BESTOFK_KERNELS", "numpy")
    found = parts(command("doctor", "--json"))
    assert "1 data set" in found["data"]["said"]
    assert found["kernels"]["said"].startswith("numpy")
    monkeypatch.setenv("BESTOFK_DATA", str(tmp_path / "gone"))
    answer = command("doctor", "--json")
    assert (answer.exit_code, parts(answer)["data"]["state"]) == (1, "faulty")


def test_an_install_older_than_the_source_is_said(monkeypatch):
    monkeypatch.setattr("bestofk.cli.doctor.__version__", "99.0")
    answer = command("doctor", "--json")
    assert (answer.exit_code, parts(answer)["install"]["state"]) == (1, "faulty")
