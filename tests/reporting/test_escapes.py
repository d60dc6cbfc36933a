"""Names that would move or colour a terminal: refused, or without what would."""

import re
import subprocess
import sys

import pytest

from bestofk.core.errors import InputError
from report_cases import scores

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


@pytest.mark.parametrize("case", ["datasets", "costs", "groups"])
def test_such_names_are_refused_wherever_they_stand(paths, case):
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "bestofk",
            "judge",
            str(paths[case]),
            "--measure",
            "correct" if case == "groups" else "error",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 3
    assert "printable" in run.stderr
    assert not RAW.search((run.stdout + run.stderr).replace("\n", ""))


@pytest.mark.parametrize("name", ["\u0645\u062f\u0644\u200c\u0632\u0628\u0627\u0646", "\U0001f469\u200d\U0001f467"])
def test_letters_that_are_joined_or_parted_by_signs_are_names(name):
    assert scores((name, "b")).learners == (name, "b")
