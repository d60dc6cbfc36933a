"""Names that would move or colour a terminal: refused, or without what would."""

import os
import pty
import re
import subprocess
import sys

import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.reporting.report import write_report
from bestofk.reporting.words import verdict_lines
from report_cases import scores, sketched

RED, BELL, TURN = "\x1b[31m", "\x07", "\u202e"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def lines(head, rows):
    return "\n".join(",".join(map(str, row)) for row in (head, *rows)) + "\n"


@pytest.fixture
def paths(tmp_path):
    """Tables whose data sets, costs, groups or classes have such names."""
    folds = [(name, i) for name in "abc" for i in range(12)]
    value = {"a": 0.2, "b": 0.25, "c": 0.3}
    spread = [0.01 * (i * 7 % 5) for i in range(12)]
    made = {
        "datasets": lines(
            ("learner", "dataset", "error"), [(n, f"d{i}{RED}{TURN}", value[n] + spread[i]) for n, i in folds]
        ),
        "costs": lines(
            ("learner", "fold", "error", f"pr{RED}{BELL}ice"),
            [(n, i, value[n] + spread[i] * value[n], ord(n)) for n, i in folds],
        ),
        "groups": lines(
            ("learner", "item", "group", "correct"), [(n, i, f"g{i}{RED}", (i + ord(n)) % 2) for n, i in folds]
        ),
    }
    for name, text in made.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return {name: tmp_path / f"{name}.csv" for name in made}


@pytest.mark.parametrize("name", [f"a{RED}", "a\nb", "a\tb", f"a{BELL}", f"a{TURN}b", "a\x9b31m", "a\u2028b"])
def test_such_learners_are_refused_and_shown_by_their_codes(name):
    with pytest.raises(InputError) as caught:
        scores((name, "b"))
    assert not RAW.search(str(caught.value).replace("\n", ""))


@pytest.mark.parametrize("format", ["html", "md", "tex", "txt", "json"])
@pytest.mark.parametrize("case", ["datasets", "costs", "groups"])
def test_no_report_has_them_raw(paths, case, format, tmp_path, monkeypatch):
    sketched(monkeypatch)
    verdict = bk.judge(paths[case], prior=[f"pr{RED}{BELL}ice"] if case == "costs" else None)
    text = write_report(verdict, tmp_path / f"verdict.{format}").read_text(encoding="utf-8")
    assert not RAW.search(text)
    assert not RAW.search("".join(verdict_lines(verdict)))
    if case == "costs":
        assert "price" in "".join(verdict_lines(verdict))


@pytest.mark.parametrize("more", [[], ["--full"]])
def test_no_terminal_gets_them(paths, more):
    """What a command writes to a terminal has only the escapes of its own bold and dim letters."""
    inner, outer = pty.openpty()
    command = [sys.executable, "-m", "bestofk", "judge", str(paths["costs"]), "--prior", f"pr{RED}{BELL}ice", *more]
    run = subprocess.Popen(command, stdout=outer, stderr=outer, env={**os.environ, "NO_COLOR": "1"})
    os.close(outer)
    shown = b""
    while True:
        try:
            part = os.read(inner, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert run.wait() == 0, shown.decode()
    os.close(inner)
    text = shown.decode()
    assert "price" in text
    assert not RAW.search(text.replace("\r\n", "\n"))
