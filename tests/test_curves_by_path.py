"""Curves by the path that a user types: a folder of runs, and names that loggers give to files."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.evidence.logs.runs import learners_and_runs

EXPORTS = Path(__file__).parent / "golden" / "curve_exports"


def test_a_folder_of_runs_is_read_and_judged():
    found = bk.read(EXPORTS / "keras", measure="val_loss")
    assert (found.learners, found.runs) == (("broad", "narrow"), (("1", "2", "3"), ("1", "2", "3")))
    said = CliRunner().invoke(main, ["judge", str(EXPORTS / "keras"), "--measure", "val_loss", "--json"])
    assert said.exit_code in (0, 1), said.output
    assert '"curves"' in said.output


def test_what_tensorboard_adds_to_a_run_is_passed_over():
    found = bk.read(EXPORTS / "tensorboard", larger_is_better=False)
    assert (found.learners, found.runs) == (("broad", "narrow"), (("1", "2"), ("1", "2")))
    assert np.shape(found.values) == (2, 2, 4)


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["a_seed1_validation", "b_seed1_validation"], (("a", "1"), ("b", "1"))),
        (["a_seed1/train", "b_seed1/train"], (("a", "1"), ("b", "1"))),
        (["a_seed1_train", "a_seed1_validation"], None),
    ],
)
def test_an_end_that_all_names_share(names, parts):
    assert learners_and_runs(names) == parts
