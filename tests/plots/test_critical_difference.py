"""The critical-difference diagram: groups that are not drawn are said to be left out."""

from bestofk.plots.figures.critical_difference import CriticalDifferenceInfo


def diagram(number):
    """A diagram of so many groups of two."""
    groups = tuple((f"m{i}", f"m{i + 1}") for i in range(number))
    names = tuple(f"m{i}" for i in range(number + 1))
    return CriticalDifferenceInfo(names, tuple(range(number + 1)), "mean rank", False, groups, "wilcoxon")


def test_groups_that_are_not_drawn_are_said_to_be_left_out():
    assert "30 of 31" in diagram(31).title
    assert "first 30" in diagram(31).alt
    assert "first 30" not in diagram(30).title + diagram(30).alt
