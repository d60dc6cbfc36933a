"""Checks for authors of new tests and adjustments: run them on your own function in your own test suite.

>>> from bestofk.stats.pairwise import paired_t
>>> check_pairwise(paired_t)
"""

from bestofk.testing.adjust import check_adjust
from bestofk.testing.omnibus import check_omnibus
from bestofk.testing.pairwise import check_pairwise
from bestofk.testing.ranges import check_ranges

__all__ = ["check_adjust", "check_omnibus", "check_pairwise", "check_ranges"]
