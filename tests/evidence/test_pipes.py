"""A pipe, such as the standard input, is read as a file of the same content would be."""

import gzip
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import bestofk as bk
from bestofk.design.plan.file import read_plan
from bestofk.design.plan.lock import read_lock
from bestofk.stores.address import open_store
from bestofk.tables import text_files

PEERS = Path(__file__).parents[1] / "peers"
PLAN = Path(__file__).parents[2] / "examples" / "plan.toml"
ROWS = [
    {"learner": learner, "dataset": f"d{number}", "accuracy": round(base + number / 100, 3)}
    for learner, base in {"lda": 0.7, "knn": 0.8}.items()
    for number in range(6)
]
LINES = [",".join(ROWS[0]), *(",".join(map(str, row.values())) for row in ROWS)]
CONTENTS = {
    "csv": "\n".join(LINES).encode(),
    "tsv": "\n".join(LINES).replace(",", "\t").encode(),
    "packed": gzip.compress("\n".join(LINES).encode()),
    "json": json.dumps(ROWS).encode(),
    "pretty": json.dumps(ROWS, indent=1).encode(),
    "jsonl": "\n".join(map(json.dumps, ROWS)).encode(),
}


@pytest.fixture
def piped(tmp_path):
    """Makes a pipe that gives a content, once."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def fed(content):
        threading.Thread(target=pipe.write_bytes, args=[content], daemon=True).start()
        return pipe

    return fed


@pytest.mark.parametrize("kind", CONTENTS)
def test_a_pipe_is_read_by_its_content(piped, kind):
    found = bk.read(piped(CONTENTS[kind]))
    assert (found.learners, found.datasets[0], found.means()["lda"]) == (("lda", "knn"), "d0", pytest.approx(0.725))


def test_nothing_is_left_of_a_copy_when_the_process_is_killed(tmp_path):
    if not text_files._OPEN_FILES.is_dir():
        pytest.skip("files without a name cannot be opened again here")
    words = [sys.executable, "-m", "bestofk", "judge", "-"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}) as process:
        process.stdin.write(b"a" * (1 << 20))  # more than a pipe holds: the copy has begun
        process.kill()
    assert list(tmp_path.iterdir()) == []


def test_binary_tables_come_through_pipes(piped, tmp_path):
    bk.read(piped(CONTENTS["csv"])).convert(tmp_path / "long.parquet")
    assert bk.read(piped((tmp_path / "long.parquet").read_bytes())).learners == ("lda", "knn")


@pytest.mark.parametrize("name", ["promptfoo.json", "promptfoo.jsonl"])
def test_a_log_comes_through_a_pipe(piped, name):
    content = (PEERS / name).read_bytes()
    assert bk.read(piped(content)).learners == bk.read(PEERS / name).learners


def test_a_fault_in_a_pipe_has_its_line(piped):
    lines = [*LINES, "knn,d6,good"]
    with pytest.raises(bk.InputError) as caught:
        bk.read(piped("\n".join(lines).encode()))
    assert f"line {len(lines)}" in caught.value.where


def test_a_pipe_that_is_fed_again_is_read_again(piped):
    assert bk.read(piped(CONTENTS["csv"])).learners == ("lda", "knn")
    assert bk.read(piped(CONTENTS["csv"].replace(b"knn", b"tree"))).learners == ("lda", "tree")


def test_a_gate_of_several_measures_reads_a_pipe_once(piped, tmp_path):
    content = "item,accuracy,f1\n" + "".join(f"q{number},{number % 2},{number % 7 / 7}\n" for number in range(200))
    old = tmp_path / "old.csv"
    old.write_text(content)
    words = [sys.executable, "-m", "bestofk", "gate", piped(content.encode()), "--against", old]
    answer = subprocess.run([*words, "--margin", "accuracy=0.05,f1=0.05"], capture_output=True, timeout=60)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("read", [bk.read, read_plan, lambda pipe: read_lock(pipe.with_suffix(""))])
def test_a_pipe_that_nobody_writes_to_is_waited_for_with_a_limit(tmp_path, monkeypatch, read):
    pipe = tmp_path / "pipe.lock"
    os.mkfifo(pipe)
    monkeypatch.setattr(text_files, "PATIENCE", 0.2)
    with pytest.raises(bk.InputError, match="no program"):
        read(pipe)


def test_what_stands_beside_results_comes_through_a_pipe(piped, tmp_path):
    (tmp_path / "runs.jsonl").write_bytes(CONTENTS["jsonl"])
    costs = piped(b"model,price\nlda,1\nknn,2\n")
    words = [sys.executable, "-m", "bestofk", "judge", tmp_path / "runs.jsonl", "--prior", "price", "--costs", costs]
    answer = subprocess.run(words, capture_output=True, timeout=60)
    assert (answer.returncode, b"price" in answer.stdout) == (0, True), answer.stderr


def test_a_plan_comes_through_a_pipe(piped):
    assert read_plan(piped(PLAN.read_bytes())).fingerprint == read_plan(PLAN).fingerprint


def test_a_pipe_is_no_store(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(bk.InputError, match="pipe"):
        open_store(pipe)


def test_a_program_that_has_opened_a_pipe_may_take_its_time(tmp_path, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(text_files, "PATIENCE", 0.2)
    end = os.open(pipe, os.O_RDWR)

    def written():
        time.sleep(0.5)
        os.write(end, CONTENTS["csv"])
        os.close(end)

    threading.Thread(target=written, daemon=True).start()
    assert bk.read(pipe).learners == ("lda", "knn")


def test_a_pipe_without_an_end_is_refused(piped, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 1000}))
    with pytest.raises(bk.InputError, match="free"):
        bk.read(piped(b"x" * 501))


def test_the_standard_input_is_any_file(tmp_path):
    words = [sys.executable, "-m", "bestofk", "judge", "-", "-q"]
    answer = subprocess.run(words, input=CONTENTS["json"], capture_output=True)
    assert (answer.returncode, answer.stdout) == (0, b"knn\n"), answer.stderr
