"""Every registered part passes the checks that plug-in authors run."""

import pytest

from bestofk.core.registry import registry
from bestofk.testing import check_adjust, check_omnibus, check_pairwise, check_ranges


@pytest.mark.parametrize("name", registry("pairwise").names())
def test_pairwise(name):
    check_pairwise(registry("pairwise").load(name))


@pytest.mark.parametrize("name", registry("omnibus").names())
def test_omnibus(name):
    check_omnibus(registry("omnibus").load(name))


@pytest.mark.parametrize("name", registry("adjust").names())
def test_adjust(name):
    check_adjust(registry("adjust").load(name))


@pytest.mark.parametrize("name", registry("ranges").names())
def test_ranges(name):
    check_ranges(registry("ranges").load(name))
