"""Valid files of every layout, log, plan and store, changed a little: an answer or three lines, and nothing printed.

Half of the files are read and judged in Python, the others given to a command.

A minute by default. About an hour::

    pytest tests/test_fuzz.py -n 0 -s --hypothesis-profile=long

How many cases were answered and how many refused is printed at the end (with ``-s``). An input that failed once is
kept as a test below, or beside the tests of its reader.
"""

from __future__ import annotations

import io
import json
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bestofk as bk
import mutations as change
from bestofk.cli import main
from bestofk.cli.store import info, verify
from bestofk.core.errors import BestOfKError
from bestofk.design.folds.checks import notes_on_folds
from bestofk.design.plan.file import read_plan
from bestofk.design.plan.plan import check_plan
from bestofk.reporting.page import option_words
from bestofk.stores.exchange.recovery import rescued
from collecting_plans import X, Y, noisy
from makers_tables import parquet, spreadsheet
from net import inputs

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]
HERE = Path(__file__).parent
EXAMPLES, PEERS = HERE.parent / "examples", HERE / "peers"
SECONDS = 20  # of processor time, of one case
MEMORY = 4 << 30  # bytes beyond those in use
#: Cases of one test: quick 300, full 2,400.
CASES = 12 * settings.default.max_examples
COUNTS: dict[str, Counter[str]] = {}

#: What is said beside a file so that it can be read; the first that is enough.
SAID: tuple[dict[str, Any], ...] = (
    {},
    *({"measure": each} for each in ("accuracy", "acc", "error", "log_loss", "test_accuracy", "tokens", "quality")),
    {"larger_is_better": True},
    {"larger_is_better": True, "rows": "datasets"},
    {"larger_is_better": True, "rows": "folds"},
)
#: What is said at times.
ODD: tuple[dict[str, Any], ...] = (
    {"on": ["tpr", "fpr"]},
    {"on": ["accuracy", "error"]},
    {"measure": "auc"},
    {"measure": "f1", "larger_is_better": True},
    {"rows": "items", "larger_is_better": False},
    {"rows": "runs", "larger_is_better": True},
    {"transpose": True, "larger_is_better": True},
    {"replications": 2},
    {"test_fraction": 0.3},
    {"align": "common"},
    {"align": "interpolate"},
    {"align": "relative"},
    {"tasks": "datasets"},
    {"filter": ["fold=1"]},
    {"costs": ["fit_time"]},
    {"learner": "model"},
    {"item": "id", "group": "task"},
)


class Overdue(BaseException):
    """A case took longer than it may."""


@contextmanager
def watched() -> Iterator[None]:
    """Stop what takes long, refuse what takes much memory, and see that nothing is printed."""

    def overdue(*_: object) -> None:
        raise Overdue

    out, err = io.StringIO(), io.StringIO()
    before = signal.signal(signal.SIGVTALRM, overdue)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, limits[1]))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)
    assert (out.getvalue(), err.getvalue()) == ("", "")


def answered(kind: str, *questions: Callable[[], object]) -> None:
    """Ask one question after the other, until one is refused in three lines."""
    counts = COUNTS.setdefault(kind, Counter())
    counts["cases"] += 1
    with watched():
        for question in questions:
            try:
                question()
            except BestOfKError as error:
                refusal = error
                break
        else:
            counts["answered"] += 1
            return
    counts["refused at once" if question is questions[0] else "refused later"] += 1
    assert all(part.strip() for part in (refusal.wrong, refusal.where, refusal.fix)), refusal
    assert len(str(refusal).splitlines()) == 3, refusal


def read_and_judged(kind: str, source: object, said: dict[str, Any]) -> None:
    found: list[Any] = []
    answered(
        kind,
        lambda: found.append(bk.read(source, **said)),
        lambda: repr(found[0]),
        lambda: repr(bk.judge(found[0])),
    )


#: What is asked of a file on the command line; {one} and {other} are two of its learners.
COMMANDS = (
    "judge {file} --full", "judge {file} --json", "compare {file}", "order {file}", "rank {file}", "power {file}",
    "report {file} -o {folder}/v.md", "read {file} --convert {folder}/c.csv", "read {file} --json",
    "gate {file} --against {file} --margin 0.05", "gate {one} --against {other} --results {file} --margin 0.05",
    "gate {one} --against {other} --results {file} --margin 5% --by-group",
)  # fmt: skip
#: Options that stand beside a command at times.
OPTIONS = (
    "--transpose", "--paired", "--full", "--larger-is-better", "--smaller-is-better", "--alpha 0.5", "--test wilcoxon",
    "--test sign", "--test corrected-t", "--adjust bh", "--missing worst", "--curve whole", "--prior price",
    "--costs price", "--within 0.1", "--rows datasets", "--rows runs", "--missing drop-runs",
)  # fmt: skip


def commanded(chance: Random, source: Path, said: dict[str, Any]) -> None:
    """Ask the command: an answer, or three lines."""
    learners: Sequence[str] = ()
    with suppress(BestOfKError), watched():
        learners = bk.read(source, **said).learners
    one, other = (*learners, "a", "b")[:2]
    line, out = change.picked(chance, COMMANDS), TemporaryDirectory()
    words = [each.format(file=source, folder=out.name, one=one, other=other) for each in line.split()]
    words += [word for name, value in said.items() for word in option_words(name, value)]
    words += [word for _ in range(chance.choice((0, 0, 0, 1, 2))) for word in change.picked(chance, OPTIONS).split()]
    with out, watched():
        answer = CliRunner().invoke(main, words)
    counts = COUNTS.setdefault(f"the command, {line.split()[0]}", Counter())
    counts.update(["cases", "refused at once" if answer.exit_code == 2 else "answered"])
    said_of_it = answer.stdout + answer.stderr
    report = Path(answer.stderr.splitlines()[1].split()[-1]) if answer.exit_code == 70 and answer.stderr else None
    assert answer.exit_code in ((0, 1, 2, 3) if words[0] == "gate" else (0, 2)), (
        words,
        said_of_it if report is None else report.read_text(),
    )
    if answer.exit_code == 2:
        shown = len(json.loads(answer.stdout)) if "--json" in words else len(answer.stderr.splitlines())
        assert shown == 3, (words, said_of_it)


def asked(kind: str, chance: Random, source: Path, said: dict[str, Any]) -> None:
    """Half of the files are read and judged in Python, the others given to a command."""
    if chance.random() < 0.5:
        read_and_judged(kind, source, said)
    else:
        commanded(chance, source, said)


def asked_of_file(kind: str, chance: Random, name: str, content: bytes, said: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        asked(kind, chance, path, said)


def enough(source: object) -> dict[str, Any] | None:
    """What must be said beside a file for it to be read."""
    for said in SAID:
        try:
            bk.read(source, **said)
        except BestOfKError:
            continue
        return said
    return None


def shortened(path: Path, folder: Path) -> tuple[bytes, dict[str, Any]] | None:
    """So few rows of a table that it can still be judged, and what must be said beside: long ones would be slow."""
    lines = path.read_bytes().splitlines(keepends=True)
    for rows in (61, 121, 241, len(lines)):
        cut = folder / path.name
        cut.write_bytes(b"".join(lines[:rows]))
        said = enough(cut)
        with suppress(BestOfKError):
            if said is not None and (rows >= len(lines) or bk.judge(bk.read(cut, **said))):
                return cut.read_bytes(), said
    return None


def said_to(chance: Random, said: dict[str, Any]) -> dict[str, Any]:
    return {**said, **change.picked(chance, ODD)} if chance.random() < 0.1 else said


@cache
def tables() -> list[tuple[bytes, dict[str, Any]]]:
    with TemporaryDirectory() as folder:
        made, cut = inputs.write(Path(folder, "whole")), Path(folder, "cut")
        cut.mkdir()
        paths = sorted([*EXAMPLES.glob("*.csv"), *PEERS.glob("*.csv"), *made.glob("*.csv")])
        return [found for path in paths if (found := shortened(path, cut)) is not None]


@cache
def logs() -> list[tuple[dict[str, bytes], dict[str, Any]]]:
    """Folders of logs, as the bytes of their files, and the single files of JSON."""
    names = ("aeon", "deepeval", "helm", "inspect", "inspect_json", "lm_eval_flat", "openai_evals", "swe_bench")
    sources = [PEERS / name for name in names]
    sources += [PEERS / name for name in ("promptfoo.json", "promptfoo.jsonl", "sklearn_indices.json")]
    found = [({each.name: each.read_bytes()} if each.is_file() else files_of(each), enough(each)) for each in sources]
    harness = files_of(PEERS / "lm_eval")
    results = {name: each for name, each in harness.items() if name.endswith(".json")}
    found += [(harness, {"dataset": "choices", "measure": "acc"})]
    found += [(results, {"measure": "acc,exact_match", "filter": "strict-match"})]
    return [(files, said) for files, said in found if said is not None]


def files_of(folder: Path) -> dict[str, bytes]:
    files = {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}
    return {
        name: b"\n".join(text.splitlines()[:12]) if name.endswith(".jsonl") else text for name, text in files.items()
    }


#: How a file is changed, by its ending.
CHANGES = {
    ".csv": change.changed_table,
    ".json": change.changed_json,
    ".jsonl": change.changed_lines,
    ".eval": change.changed_zip,
}


def long_run(test: Callable[..., None]) -> Callable[..., None]:
    """Many cases of a test, each with draws of its own; the seed of one that fails is in the message."""
    quiet = settings(max_examples=CASES, suppress_health_check=list(HealthCheck), print_blob=True)
    return quiet(given(seed=st.integers(0, 2**64 - 1))(test))


@pytest.fixture(scope="module", autouse=True)
def told() -> Iterator[None]:
    start = time.monotonic()
    yield
    print(f"\n{time.monotonic() - start:.0f} s")
    for kind, counts in COUNTS.items():
        print(f"{kind}: " + ", ".join(f"{count:,} {word}" for word, count in counts.items()))


@long_run
def test_tables(seed):
    chance = Random(seed)
    content, said = change.picked(chance, tables())
    content = change.changed_table(chance, content)
    if chance.random() < 0.05:
        content = change.changed_bytes(chance, content)
    asked_of_file("tables", chance, "results.csv", content, said_to(chance, said))


@long_run
def test_logs(seed):
    chance = Random(seed)
    files, said = change.picked(chance, logs())
    name = change.picked(chance, sorted(files))
    content = CHANGES[Path(name).suffix](chance, files[name])
    if chance.random() < 0.05:
        content = change.changed_bytes(chance, content)
    with TemporaryDirectory() as folder:
        for each, text in {**files, name: content}.items():
            Path(folder, each).parent.mkdir(exist_ok=True, parents=True)
            Path(folder, each).write_bytes(text)
        asked("logs", chance, Path(folder) if len(files) > 1 else Path(folder, name), said_to(chance, said))


ROWS = [["learner", "fold", "error", "note"]] + [
    [name, str(fold), f"{0.2 + 0.01 * fold + 0.03 * place:.2f}", "x"]
    for fold in range(1, 11)
    for place, name in enumerate("abc")
]


def numbers_of(column: list[str]) -> list[Any]:
    try:
        return [float(each) for each in column]
    except ValueError:
        return list(column)


def as_xlsx(rows: change.Rows) -> bytes:
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    return spreadsheet([[numbers_of([ILLEGAL_CHARACTERS_RE.sub("", each)])[0] for each in row] for row in rows])


def columns_of(rows: change.Rows) -> dict[str, list[Any]]:
    width = min(map(len, rows))
    return {rows[0][place]: numbers_of([row[place] for row in rows[1:]]) for place in range(width)}


def as_json(rows: change.Rows) -> bytes:
    columns = columns_of(rows)
    records = [dict(zip(columns, each, strict=True)) for each in zip(*columns.values(), strict=True)]
    return json.dumps(records or columns).encode("utf-8", "surrogatepass")


def as_arff(rows: change.Rows) -> bytes:
    head = [f"@attribute '{name}' {'numeric' if place in (1, 2) else 'string'}" for place, name in enumerate(rows[0])]
    return "\n".join(["@relation r", *head, "@data", *(",".join(row) for row in rows[1:])]).encode()


FORMS: dict[str, Callable[[change.Rows], bytes]] = {
    "xlsx": as_xlsx,
    "parquet": lambda rows: parquet(**columns_of(rows)),
    "json": as_json,
    "arff": as_arff,
}


@long_run
def test_forms_of_one_table(seed):
    chance = Random(seed)
    form = change.picked(chance, sorted(FORMS))
    content = FORMS[form](change.several(chance, change.either(change.likely_rows, change.changed_rows), ROWS))
    if form == "json" and chance.random() < 0.5:
        content = change.changed_json(chance, content)
    elif form == "xlsx" and chance.random() < 0.2:
        content = change.changed_zip(chance, content)
    elif chance.random() < 0.1:
        content = change.several(chance, change.changed_bytes, content)
    asked_of_file(form, chance, f"results.{form}", content, said_to(chance, {}))


PLANS = (
    (EXAMPLES / "plan.toml").read_bytes().replace(b'"balance", "breast-cancer", "car", "digits", ', b""),
    b"""seed = 3
folds = "5x2"
measures = ["error"]
keep_predictions = true
[learners.near]
learner = "knn"
params = { n_neighbors = 3 }
[learners.most]
learner = "max"
[datasets]
iris = {}
[datasets.mine]
file = "mine.csv"
target = "label"
""",
)


def in_folder(folder: str, content: bytes) -> Path:
    """A plan with the data set that it names."""
    rows = "".join(f"{i},{i * i % 7},{'ab'[i % 2]}\n" for i in range(40))
    Path(folder, "mine.csv").write_text(f"x,y,label\n{rows}")
    path = Path(folder, "plan.toml")
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("content", PLANS, ids=len)
def test_plans_that_are_changed_are_valid(content, tmp_path):
    check_plan(read_plan(in_folder(str(tmp_path), content)))


@long_run
def test_plans(seed):
    chance = Random(seed)
    content = change.changed_plan(chance, change.picked(chance, PLANS))
    if chance.random() < 0.1:
        content = change.changed_bytes(chance, content)
    found: list[Any] = []
    with TemporaryDirectory() as folder:
        path = in_folder(folder, content)
        answered(
            "plans",
            lambda: found.append(read_plan(path)),
            lambda: check_plan(found[0]),
            lambda: notes_on_folds(found[0].folds, found[0].datasets, found[0].seed),
        )


@cache
def stores() -> list[bytes]:
    """A store of two data sets, and one with predictions kept."""
    sets = {"d": (X, Y), "e": noisy()}
    with TemporaryDirectory() as folder:
        first, second = Path(folder, "a.db"), Path(folder, "b.db")
        bk.collect(bk.Plan(["max", "nmc", "knn"], sets, folds="5x2"), first, engine="serial", progress=False)
        plan = bk.Plan(["max", "nmc"], {"d": noisy()}, folds="10-fold", keep_predictions=True)
        bk.collect(plan, second, engine="serial", progress=False)
        return [first.read_bytes(), second.read_bytes()]


@long_run
def test_stores(seed):
    chance = Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder, "r.db")
        path.write_bytes(change.picked(chance, stores()))
        for _ in range(change.picked(chance, (1, 1, 2, 3))):
            change.change_store(chance, path)
        if chance.random() < 0.1:
            path.write_bytes(change.several(chance, change.changed_bytes, path.read_bytes()))
        runner = CliRunner(catch_exceptions=False)
        answered("stores, info", lambda: runner.invoke(info, [str(path), "--json"]))
        answered("stores, verify", lambda: runner.invoke(verify, [str(path), "--json"]))
        answered("stores, rescue", lambda: rescued(path))
        read_and_judged("stores", path, said_to(chance, {}))
