"""Every registered part passes the checks that plug-in authors run."""

from dataclasses import replace

import numpy as np
import pytest

from bestofk.stats.adjust import ADJUST
from bestofk.stats.method import method
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pair import paired
from bestofk.stats.pairwise import PAIRWISE, paired_t
from bestofk.testing import check_adjust, check_omnibus, check_pairwise, check_ranges


@pytest.mark.parametrize("name", PAIRWISE.names())
def test_pairwise(name):
    check_pairwise(PAIRWISE[name])


def test_an_estimate_that_leaves_values_out_is_found():
    @method("values", one_sided=True)
    def trimmed(first, second, *, alternative="two-sided"):
        found = paired_t(first, second, alternative=alternative)
        ordered = np.sort(np.subtract(first, second), axis=-1)
        cut = ordered.shape[-1] // 10  # none of nine values
        return replace(found, estimate=ordered[..., cut : ordered.shape[-1] - cut].mean(axis=-1))

    with pytest.raises(AssertionError, match="mean difference of all values"):
        check_pairwise(trimmed)


def test_a_test_that_needs_more_values_is_checked_from_there():
    @method("values", one_sided=True)
    def careful(first, second, *, alternative="two-sided"):
        paired(first, second, where="careful", at_least=6)
        return paired_t(first, second, alternative=alternative)

    check_pairwise(careful)


@pytest.mark.parametrize("name", OMNIBUS.names())
def test_omnibus(name):
    check_omnibus(OMNIBUS[name])


@pytest.mark.parametrize("name", ADJUST.names())
def test_adjust(name):
    check_adjust(ADJUST[name])


@pytest.mark.parametrize("name", RANGES.names())
def test_ranges(name):
    check_ranges(RANGES[name])
