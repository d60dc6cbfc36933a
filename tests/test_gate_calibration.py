"""The promises of a gate, short: no rate above alpha beyond doubt, and what it says of its power is about so.

The designs are those of ``benchmarks/calibration/gate.py`` with fewer draws. Seeds are fixed.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # the benchmarks are no part of the package
    sys.path.insert(0, str(ROOT))

from benchmarks.calibration.gate import ALPHA, DESIGNS, MARGINS, outcomes, power_said  # noqa: E402

pytestmark = pytest.mark.slow

RUNS = 200


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("name", [name for name in DESIGNS if "skewed" not in name])
def test_promises_hold_at_the_margin(name, margin):
    passed, _, worse = np.bincount(outcomes(DESIGNS[name], margin, margin, RUNS, 1), minlength=3)
    for wrong in (passed, worse):
        assert stats.binomtest(int(wrong), RUNS).proportion_ci(0.998).low <= ALPHA


@pytest.mark.parametrize("name", ["300 items, right or wrong", "10 runs each", "20 data sets"])
def test_the_power_is_about_what_is_said(name):
    margin = 0.03 if "items" in name else 0.01
    shares = [np.bincount(outcomes(DESIGNS[name], margin, loss, 400, 2), minlength=3) / 400 for loss in (0, 2 * margin)]
    assert power_said(DESIGNS[name], margin, 50, 3) == pytest.approx((shares[0][0], shares[1][2]), abs=0.12)
