"""Parts by name beside whatever other packages, and older installs of this one, say in their metadata."""

import json
import math
import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from bestofk.cli.options import shelf_of
from bestofk.core.errors import BestOfKError, UnknownName
from bestofk.core.names import nearest
from bestofk.core.shelf import SHELVES, Shelf
from bestofk.stats.pairwise import PAIRWISE
from makers import ROOT

JUDGED = """
import json, bestofk as bk
from bestofk.advice import ADVICE
from bestofk.stats.adjust import ADJUST

folds = {name: [0.1 * i + 0.01 * (j * j % 7) for j in range(10)] for i, name in enumerate("abc")}
verdict = bk.judge(bk.read(folds, measure="error"), **OPTIONS)
print(json.dumps({
    "text": repr(verdict), "html": verdict._repr_html_(), "codes": [advice.code for advice in verdict.advice],
    "pvalue": verdict.comparison.pvalue.tolist(), "adjusted": verdict.comparison.adjusted.tolist(),
    "adjust": ADJUST.names(), "advice": ADVICE.names(),
}))
"""


def installed(folder, name, entry_points):
    """Metadata of a package as pip leaves them, in a folder of their own."""
    metadata = folder / f"{name}-0.0.1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.0.1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(entry_points, encoding="utf-8")
    return folder


def run(folder, *arguments):
    path = os.pathsep.join((str(folder), str(ROOT / "src")))
    answer = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def judged(folder, **options):
    return run(folder, "-c", JUDGED.replace("OPTIONS", repr(options)))


def test_every_shelf_is_listed_and_open_to_other_packages():
    made = re.compile(r"^[A-Z]+: Shelf\[.*\] = Shelf\(\s*\"(\w+)\"", re.M)
    found = {kind for path in (ROOT / "src").rglob("*.py") for kind in made.findall(path.read_text("utf-8"))}
    assert found == set(SHELVES)


@pytest.mark.parametrize("kind", SHELVES)
def test_every_kind_is_listed_by_its_own_name(kind):
    assert shelf_of(kind).kind == kind
    assert shelf_of(kind).names()


@pytest.mark.parametrize(
    "old",
    [
        "",
        "[bestofk.words]\nverdict = bestofk.gone:verdict_text\n"
        "[bestofk.adjust]\nbonferroni = bestofk.stats.adjust.gone:bonferroni\nsidak = bestofk.stats.adjust.gone:sidak\n"
        "[bestofk.advice]\nK101 = bestofk.advice.gone:advise\nK999 = bestofk.advice.gone:advise\n",
    ],
    ids=["nothing-registered", "removed-modules"],
)
def test_source_newer_than_its_install_loses_nothing(tmp_path, old):
    found = judged(installed(tmp_path, "bestofk", old), test="paired-t", adjust="bonferroni")
    assert "a" in found["text"]
    assert "<table" in found["html"]
    assert "K101" in found["codes"]
    assert "bonferroni" in found["adjust"]
    assert not {"sidak", "K999"} & {*found["adjust"], *found["advice"]}


TOYS = '''
import numpy as np
from bestofk.advice import Advice
from bestofk.stats.method import adjustment, method
from bestofk.stats.pairwise import paired_t


@method("values", one_sided=True)
def toy_t(first, second, *, alternative="two-sided"):
    return paired_t(first, second, alternative=alternative)


@adjustment("family")
def twice(p):
    return np.minimum(2 * np.asarray(p), 1.0)


def advise(case):
    """Always there."""
    return Advice("T900", "a toy was used", "put it away")
'''
ENTRIES = """
[bestofk.pairwise]
toy-t = toys:toy_t
[bestofk.adjust]
twice = toys:twice
[bestofk.advice]
T900 = toys:advise
"""


def test_parts_of_another_package_are_found_and_listed(tmp_path):
    folder = installed(tmp_path, "toys", ENTRIES)
    (folder / "toys.py").write_text(TOYS, encoding="utf-8")
    found = judged(folder, test="toy-t", adjust="twice", force=True)
    plain = judged(folder, test="paired-t", adjust="none", force=True)
    assert found["pvalue"] == plain["pvalue"]
    assert found["adjusted"] == pytest.approx([min(1.0, 2 * p) for p in plain["pvalue"]])
    assert "T900" in found["codes"]
    listed = run(folder, "-m", "bestofk", "list", "--json")
    assert "toy-t" in listed["pairwise"]
    assert "twice" in listed["adjust"]
    assert "T900" in listed["advice"]


def test_a_group_that_does_not_exist_is_named_once(tmp_path):
    installed(tmp_path, "toys", "[bestofk.adjusts]\ntwice = toys:twice\n[bestofk.adjust]\n")
    installed(tmp_path, "bestofk", "[bestofk.words]\nverdict = bestofk.gone:verdict_text\n")
    path = os.pathsep.join((str(tmp_path), str(ROOT / "src")))
    answer = subprocess.run(
        [sys.executable, "-m", "bestofk", "list"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    )  # fmt: skip
    told = "'twice' of toys is not used: there is no group bestofk.adjusts; did you mean bestofk.adjust?"
    assert answer.stderr.count(told) == 1
    assert "bestofk.words" not in answer.stderr


def test_a_part_with_the_name_of_an_own_one_is_refused(tmp_path):
    installed(tmp_path, "toys", "[bestofk.adjust]\nholm = toys:holm\n")
    path = os.pathsep.join((str(tmp_path), str(ROOT / "src")))
    answer = subprocess.run(
        [sys.executable, "-m", "bestofk", "list", "adjust"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert answer.returncode != 0
    assert "own and toys:holm" in answer.stderr


def test_a_shelf_suggests_near_names():
    with pytest.raises(UnknownName, match="did you mean '5x2cv-t'"):
        PAIRWISE["5x2cv_t"]
    assert nearest("zzz", ["holm"]) is None
    for odd in (None, 3, ["wilcoxon"]):
        assert odd not in PAIRWISE
        with pytest.raises(UnknownName, match="unknown pairwise name"):
            PAIRWISE[odd]


def test_a_shelf_is_filled_at_the_first_use():
    filled = []
    shelf = Shelf("roundings", lambda: filled.append("now") or {"b": round, "a": int})
    assert filled == []
    assert (shelf["a"], shelf.names(), len(shelf), list(shelf.values())) == (int, ("b", "a"), 2, [round, int])
    assert filled == ["now"]


def test_own_names_need_no_look_at_installed_packages(monkeypatch):
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: pytest.fail("looked"))
    shelf = Shelf("roundings", {"a": int})
    assert "a" in shelf
    assert shelf["a"] is int


def entries(*found):
    return {"bestofk.toys": tuple(EntryPoint(name, value, "bestofk.toys") for name, value in found)}


def test_a_part_of_another_package_is_found_and_a_clash_is_named(monkeypatch):
    found = entries(("mine", "math:floor"), ("mine", "math:floor"), ("also", "math:ceil"))
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: found)
    shelf = Shelf("toys", {"own": int})
    assert (shelf["mine"], shelf.names()) == (math.floor, ("own", "also", "mine"))
    clashing = entries(("mine", "a:b"), ("mine", "c:d"))
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: clashing)
    with pytest.raises(BestOfKError, match=r"toys.*'mine'.*a:b and c:d"):
        Shelf("toys", {}).names()
    with pytest.raises(BestOfKError, match=r"toys.*'mine'.*own and a:b"):
        Shelf("toys", {"mine": int}).names()


def test_a_broken_part_is_an_error_by_its_name_and_passed_over_among_all(monkeypatch):
    found = entries(("gone", "no_such_module:part"), ("lost", "math:no_such_name"), ("mine", "math:floor"))
    monkeypatch.setattr("bestofk.core.shelf._plug_ins", lambda: found)
    shelf = Shelf("toys", {"own": int})
    assert shelf.names() == ("own", "gone", "lost", "mine")
    for name, value in (("gone", "no_such_module:part"), ("lost", "math:no_such_name")):
        with pytest.raises(BestOfKError) as raised:
            shelf[name]
        assert repr(name) in raised.value.wrong
        assert value in raised.value.where
    with pytest.warns(UserWarning, match="cannot be loaded") as told:
        found = list(shelf.values()), dict(shelf.items())
    assert found == ([int, math.floor], {"own": int, "mine": math.floor})
    assert ["gone" in str(each.message) for each in told] == [True, False]


READ = """
import json, warnings, bestofk as bk
from bestofk.evidence.measure_vectors.known import of_all_classes
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    found = [bk.read({"learner": ["a", "b"], "fold": [1, 1], "error": [0.1, 0.2]}) for _ in range(2)]
    of_all_classes()
print(json.dumps({"learners": found[1].learners, "told": [str(each.message) for each in told]}))
"""


def test_a_package_that_cannot_be_imported_stops_no_other(tmp_path):
    installed(tmp_path, "toys", "[bestofk.layouts]\nbench = toys:BENCH\n[bestofk.measures]\ntaste = toys:TASTE\n")
    (tmp_path / "toys.py").write_text("import no_such_module\n", encoding="utf-8")
    found = run(tmp_path, "-c", READ)
    assert found["learners"] == ["a", "b"]
    assert len(found["told"]) == 2
    for name, told in zip(("bench", "taste"), found["told"], strict=True):
        assert f"{name!r} of toys" in told
