"""One set of results has one verdict: in every format, order of rows, process, environment and version."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("openpyxl")
pytest.importorskip("pyarrow")

from determinism import LEARNERS, OPTIONS, answers, differences, write_all
from release.test_versions import ALLOWED, environment

FORMATS = ("csv", "json", "arff", "parquet", "xlsx")
SOURCE = [str(Path(__file__).parents[1] / "src"), str(Path(__file__).parent)]
ENVIRONMENTS = {
    "hash seed 0": {"PYTHONHASHSEED": "0"},
    "hash seed 4242": {"PYTHONHASHSEED": "4242"},
    "locale C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "locale C.UTF-8": {"LC_ALL": "C.UTF-8"},
    "time zone": {"TZ": "Pacific/Kiritimati"},
    "one thread": {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
    "two threads": {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "2"},
    "without compiled loops": {"BESTOFK_KERNELS": "numpy"},
}
#: The oldest numpy, SciPy and scikit-learn that are allowed.
OLDEST = [each.replace(">=", "==") + ".*" for each in ALLOWED if each.startswith(("numpy", "scipy", "scikit-learn"))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("results")
    write_all(path)
    return path


@pytest.fixture(scope="module")
def expected(folder):
    return answers(folder, "csv")


def elsewhere(folder, *endings, python=sys.executable, **more):
    """The answers of another process."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    program = [str(python), str(Path(__file__).with_name("determinism.py")), str(folder), *endings]
    told = {**clean, "PYTHONPATH": os.pathsep.join(SOURCE), **more}
    return json.loads(subprocess.run(program, env=told, capture_output=True, text=True, check=True).stdout)


def test_formats_and_orders_of_rows_have_one_answer(tmp_path, few_draws, folder):
    """The quick form: items in groups and runs."""
    write_all(tmp_path, shuffled=1)
    for name in ("items", "runs"):
        paths = [where / f"{name}.{ending}" for where in (folder, tmp_path) for ending in FORMATS]
        (tmp_path / name).mkdir()
        for number, path in enumerate(paths):
            (tmp_path / name / str(number)).mkdir()
            shutil.copy(path, tmp_path / name / str(number))
        found = {text for each in (tmp_path / name).iterdir() for text in answers(each).values()}
        assert len(found) == 1


@pytest.mark.slow
def test_every_format_has_the_answer_of_csv(folder, expected):
    found = answers(folder)
    assert len(found) == len(OPTIONS) * len(FORMATS)
    assert {name for name, text in found.items() if text != expected[f"{Path(name).stem}.csv"]} == set()


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2])
def test_the_order_of_rows_says_nothing(tmp_path, expected, number):
    write_all(tmp_path, shuffled=number)
    assert answers(tmp_path, "csv") == expected


@pytest.mark.slow
def test_of_names_in_another_order_pairs_and_order_are_the_same(tmp_path, expected):
    """What is drawn (of items, p values too), and what is listed by data set, follows the order in which names come."""
    write_all(tmp_path, shuffled=3, names_too=True)
    for name, text in answers(tmp_path, "csv").items():
        one, two = json.loads(expected[name]), json.loads(text)
        assert (one["status"], one["order"]) == (two["status"], two["order"])
        assert sorted(one["best_set"]) == sorted(two["best_set"])
        if name != "items.csv":
            assert differences(pairs_of(one), pairs_of(two)) == []


def pairs_of(document):
    """The p values and the sizes of differences of all pairs, by the names of both."""
    rows = {
        " ".join(sorted((pair["first"], pair["second"]), key=LEARNERS.index)): [
            pair["pvalue"],
            pair["adjusted"],
            None if pair["difference"] is None else abs(pair["difference"]),
        ]
        for pair in document["comparison"]["pairs"]
    }
    return dict(sorted(rows.items()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_every_environment_has_the_same_answer(name, folder, expected):
    assert elsewhere(folder, "csv", **ENVIRONMENTS[name]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("version", ["", "3.12", "3.13", "3.14"])
def test_every_version_has_the_same_numbers(version, folder, expected, tmp_path):
    """Another Python, or with this one the oldest numpy, SciPy and scikit-learn: the same to 1e-12."""
    python = shutil.which(f"python{version}") if version else sys.executable
    if python is None or subprocess.run([python, "--version"], capture_output=True).returncode:
        pytest.skip(f"no Python {version} on PATH that starts")
    found = elsewhere(
        folder, "csv", python=environment(tmp_path / "other", *([] if version else OLDEST), python=python)
    )
    same = {name for name in expected if found[name] == expected[name]}
    print(f"Python {version or 'with the oldest packages'}: {len(same)} of {len(expected)} to the byte")
    told = {name: differences(json.loads(expected[name]), json.loads(found[name])) for name in expected}
    assert {name: places[:5] for name, places in told.items() if places} == {}
