"""What is read, written as a long table and read again is the same: the examples, and every input of the net."""

from zlib import crc32

import pytest

import bestofk as bk
from bestofk import verbs
from bestofk.cli import main
from bestofk.cli.options import evidence_from, names_of
from bestofk.reporting.formats.json_document import document_of
from bestofk.settings import Judging, options_of
from makers import slow
from makers_tables import differences

from .cases import CASES
from .facts import changes, facts
from .running import places

#: Cases of files that can be read; what judge cannot do is nothing of the reading.
READABLE = [
    name
    for name, command in CASES.items()
    if command.split()[0] in ("judge", "compare", "order")
    and "{store}" not in command
    and not name.startswith(("error_", "on_"))
]
#: The first case of every file; the others judge the same evidence by other tests.
FIRST = list({CASES[name].split()[1]: name for name in reversed(READABLE)}.values())


@pytest.fixture(scope="module")
def where(tmp_path_factory):
    return places(tmp_path_factory.mktemp("long"))


def asked(command, where):
    """The evidence of a command, and what it is judged with."""
    verb, *words = (word.format(**where) for word in command.split())
    params = main.get_command(None, verb).make_context(verb, words, obj=[]).params
    prior = names_of(params.pop("prior", None))
    evidence = evidence_from(params.pop("files"), params, prior)
    settings = {name: value for name, value in params.items() if name in options_of(Judging) and name != "method"}
    return evidence, {**settings, **({} if prior is None else {"prior": prior})}


def judged(evidence, settings):
    """The facts of the verdict, but for how the evidence was read."""
    document = facts(document_of(verbs.judge(evidence, **settings)))
    document["provenance"].pop("reading", None)
    return document


def through_a_table(evidence, path):
    """The evidence read again, and whether of the costs of folds only their means are left."""
    answer = evidence.convert(path)
    again = bk.read(path, **answer.options)
    only_means = any("mean over folds" in lost for lost in answer.left_out)
    assert differences(evidence, again, ("measured_costs",) if only_means else ()) == []
    return again, only_means


@pytest.mark.parametrize("name", READABLE)
def test_a_long_table_is_the_same_evidence(name, where, tmp_path):
    through_a_table(asked(CASES[name], where)[0], tmp_path / "long.csv")


@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("name", [*FIRST, *slow(*(name for name in READABLE if name not in FIRST))])
def test_a_long_table_gives_the_same_verdict(name, where, tmp_path):
    evidence, settings = asked(CASES[name], where)
    again, only_means = through_a_table(evidence, tmp_path / "long.csv")
    documents = [judged(each, settings) for each in (evidence, again)]
    if only_means:  # costs of folds are then equal in the table, as prices are
        documents = [{**each, "findings": None, "advice": None} for each in documents]
    assert list(changes(*documents)) == []


@pytest.mark.parametrize("ending", [".tsv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet"])
@pytest.mark.parametrize("name", ["tasks", "datasets_folds", "items_drop", "probabilities", "curves_small"])
def test_every_format_holds_the_same(name, ending, where, tmp_path):
    pytest.importorskip("pyarrow")
    evidence, _ = asked(CASES[name], where)
    path = tmp_path / f"long{ending}"
    answer = evidence.convert(path)
    assert differences(evidence, bk.read(path, **answer.options)) == []


def rows(names, made):
    return [dict(zip(names.split(), row, strict=True)) for row in made]


def luck(*place):
    """A number between 0 and 1 that looks drawn."""
    return crc32(repr(place).encode()) % 997 / 997


LEARNERS = ('x,"y"', "NA", "1.10", "1.1")
SOURCES = {
    "weights": rows(
        "learner item group weight accuracy",
        [(k, i, i % 3, 1 + i % 2, luck(k, i) > 0.4) for k in LEARNERS for i in range(9)],
    ),
    "items that start again": rows(
        "learner task item correct", [(k, t, i, luck(k, t, i) > 0.4) for k in LEARNERS for t in "uv" for i in range(5)]
    ),
    "items of replications": rows(
        "learner replication fold item truth prediction",
        [
            (k, r, (i + r) % 3, i, "yn"[i % 2], "yn"[luck(k, r, i) > 0.5])
            for k in LEARNERS
            for r in (1, 2)
            for i in range(12)
        ],
    ),
    "decisions": rows(
        "learner item truth decision", [(k, i, "yn"[i % 2], luck(k, i) - 0.5) for k in LEARNERS for i in range(12)]
    ),
    "failures": rows(
        "learner dataset fold error failure",
        [
            (k, d, f, None if (k, f) == ("NA", 2) else luck(k, d, f), "out, of time" if (k, f) == ("NA", 2) else "")
            for k in LEARNERS
            for d in "uv"
            for f in range(3 + (d == "v"))
        ],
    ),
    "failed runs": rows(
        "learner task seed accuracy failure",
        [
            (k, t, s, None if (k, s) == ("NA", 2) else luck(k, t, s), "out" if (k, s) == ("NA", 2) else "")
            for k in LEARNERS
            for t in "uv"
            for s in range(4)
        ],
    ),
    "curves of folds": rows(
        "learner dataset replication fold step accuracy",
        [
            (k, d, r, f, s, luck(k, d, r, f, s))
            for k in LEARNERS
            for d in "uv"
            for r in (1, 2)
            for f in (1, 2)
            for s in (10, 20)
        ],
    ),
    "one replication of many folds": rows(
        "learner replication fold error", [(k, 1, f, luck(k, f)) for k in LEARNERS for f in range(12)]
    ),
    "repeats": rows(
        "learner item epoch correct",
        [(k, i, e, luck(k, i, e) > 0.4) for k in LEARNERS for i in range(9) for e in (1, 2)],
    ),
}


@pytest.mark.parametrize("source", SOURCES)
def test_what_the_net_has_not(source, tmp_path):
    evidence = bk.read(SOURCES[source])
    answer = evidence.convert(tmp_path / "long.csv")
    assert differences(evidence, bk.read(tmp_path / "long.csv", **answer.options)) == []


def test_what_a_table_has_no_place_for_is_said(tmp_path):
    wide = {"truth": ["yes", "no"] * 3, "a:yes": [0.5] * 6, "a:no": [0.5] * 6, "b:yes": [0.2] * 6, "b:no": [0.8] * 6}
    told = rows(" ".join(wide), zip(*wide.values(), strict=True))
    assert any("no is the last class" in lost for lost in bk.read(told).convert(tmp_path / "a.csv").left_out)


def test_the_answer_says_what_reading_needs(tmp_path):
    evidence = bk.read({"a": [1.0, 2, 3], "b": [2.0, 3, 4]}, larger_is_better=True)
    answer = evidence.convert(tmp_path / "long.csv")
    assert (answer.rows, answer.columns) == (6, ("learner", "split", "score"))
    assert dict(answer.options) == {"larger_is_better": True}


def test_several_measures_and_unknown_endings_are_refused(tmp_path):
    names = ("learner", "fold", "tp", "fn", "fp", "tn")
    rows = [dict(zip(names, (k, f, 3 + f, 1, 2, 4 + f % 3), strict=True)) for k in "ab" for f in range(6)]
    with pytest.raises(bk.InputError, match="several measures"):
        bk.read(rows, on="tpr,fpr").convert(tmp_path / "a.csv")
    with pytest.raises(bk.InputError, match="kind of table"):
        bk.read(rows).convert(tmp_path / "a.doc")
    assert not list(tmp_path.iterdir())
