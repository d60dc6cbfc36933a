"""Names that would move or colour a terminal: refused, or without what would."""

import json
import re
import subprocess
import sys
from unicodedata import east_asian_width

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import in_columns
from makers import slow
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


PERSIAN, FAMILY = "می\u200cخواهم", "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


@pytest.mark.parametrize("name", ["\u0645\u062f\u0644\u200c\u0632\u0628\u0627\u0646", "\U0001f469\u200d\U0001f467"])
def test_letters_that_are_joined_or_parted_by_signs_are_names(name):
    assert scores((name, "b")).learners == (name, "b")


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        (PERSIAN, "seeds"),
        (PERSIAN, "wide"),
        (FAMILY, "long"),
        *slow((PERSIAN, "long"), (FAMILY, "seeds"), (FAMILY, "wide")),
    ],
)
def test_joined_names_are_read_from_every_table_and_are_in_every_output(tmp_path, name, layout):
    rng, path = np.random.default_rng(0), tmp_path / "table.csv"
    rows = {each: mean + 0.02 * rng.normal(size=12) for each, mean in ((name, 0.8), ("plain", 0.6))}
    if layout == "wide":
        lines = [f"dataset,{','.join(rows)}"]
        lines += [f"d{i},{','.join(f'{each[i]:.4f}' for each in rows.values())}" for i in range(12)]
    else:
        lines = [f"model,{'seed' if layout == 'seeds' else 'dataset'},accuracy"]
        lines += [f"{each},{i},{value:.4f}" for each, values in rows.items() for i, value in enumerate(values)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    verdict = bk.judge(bk.read(path, measure="accuracy"))
    assert verdict.best == name
    assert name in repr(verdict)
    for format in ("html", "md", "txt", "json"):
        text = report_text(verdict, format)
        assert name in (json.loads(text)["best"] if format == "json" else text)
    assert report_text(verdict, "tex")
    room = sum({"W": 2}.get(east_asian_width(sign), 1) for sign in re.sub("[\u200c\u200d]", "", name))
    assert in_columns(name, room) == [name]  # joiners take no room


def test_a_name_that_cannot_be_printed_is_told_by_its_character(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("model,dataset,accuracy\n" + "".join(f"a\u202eb,{i},0.5\nc,{i},0.6\n" for i in range(8)))
    with pytest.raises(bk.InputError, match=r"U\+202E"):
        bk.read(path)
    with pytest.raises(bk.InputError, match=r"U\+202E"):
        scores(("a\u202eb", "c"))
