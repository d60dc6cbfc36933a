"""Every registered part passes the checks that plug-in authors run."""

import pytest

from bestofk.stats.adjust import ADJUST
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE
from bestofk.testing import check_adjust, check_omnibus, check_pairwise, check_ranges


@pytest.mark.parametrize("name", PAIRWISE.names())
def test_pairwise(name):
    check_pairwise(PAIRWISE[name])


@pytest.mark.parametrize("name", OMNIBUS.names())
def test_omnibus(name):
    check_omnibus(OMNIBUS[name])


@pytest.mark.parametrize("name", ADJUST.names())
def test_adjust(name):
    check_adjust(ADJUST[name])


@pytest.mark.parametrize("name", RANGES.names())
def test_ranges(name):
    check_ranges(RANGES[name])
