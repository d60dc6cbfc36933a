"""Confusion counts are whole numbers, whichever door they come in by."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.measures.count_columns import not_whole
from makers_items import file_of, refused

HEAD = "learner,fold,tp,fn,fp,tn"


def counts(changes=None):
    """Ten folds of two learners; ``changes`` puts other counts in a line of the file, the heading is the first."""
    rows = [[name, f, 30 + f % 3 + k, 10, 5 + f % 2, 55] for k, name in enumerate("ab") for f in range(1, 11)]
    for line, values in (changes or {}).items():
        rows[line - 2][2:] = values
    return rows


@pytest.fixture
def file(tmp_path):
    def write(changes=None, head=HEAD, more=()):
        return str(file_of(tmp_path, head, [[*row, *more] for row in counts(changes)]))

    return write


@pytest.mark.parametrize("options", [(), ("--measure", "error"), ("--measure", "tpr"), ("--on", "tpr,fpr")])
def test_a_fraction_of_a_row_is_refused(file, options):
    wrong, where, fix = refused(file({14: [3.5, 10, 5, 55]}), *options)
    assert wrong == "tp is 3.5."
    assert ("learner b, fold 3" if "--on" in options else "line 14, column tp") in where
    assert "whole counts of rows" in fix


def test_the_measure_itself_can_be_given_instead(file):
    assert "measure itself instead: tpr." in refused(file({3: [31, 9.25, 5, 55]}), "--measure", "tpr")[2]
    path = file({3: [31, 9.25, 5, 55]}, f"{HEAD},error", (0.2,))
    assert bk.read(path, measure="error").values.ravel().tolist() == [0.2] * 20


def test_whole_numbers_written_otherwise_are_whole(file):
    plain = bk.read(file()).values
    assert np.array_equal(bk.read(file({3: ["32.0", "10.0", "5.0", "5.5e1"]})).values[0].ravel()[1:2], [15 / 102])
    assert plain.shape == (2, 1, 1, 10)


def test_rounding_and_missing_counts_are_no_fractions():
    assert not_whole(np.array([3.0, 2.9999999, 1e9 + 0.25, np.nan])).tolist() == [False] * 4
    assert not_whole(np.array([3.5, 0.01, -0.5])).tolist() == [True] * 3
