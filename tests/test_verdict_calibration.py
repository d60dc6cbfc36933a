"""The promises of a verdict, short: no rate above alpha beyond doubt, and the best learner is found.

The cells are those of ``benchmarks/calibration/verdict`` with 120 draws each; its command measures all
of them with 2,000. A promise fails when its exact binomial 99.9 % interval lies above alpha. Seeds are fixed.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:  # the benchmarks are no part of the package
    sys.path.insert(0, str(ROOT))

from benchmarks.calibration.verdict.designs import DESIGNS  # noqa: E402
from benchmarks.calibration.verdict.faults import FAULTS, one_of_ten  # noqa: E402
from benchmarks.calibration.verdict.study import ALPHA, Cell, measure  # noqa: E402
from benchmarks.calibration.verdict.truths import truths  # noqa: E402

pytestmark = pytest.mark.slow

RUNS = 120
SHORT = [design for design in DESIGNS if "rows" not in design.name or "100 rows, 1-NN" in design.name]


@pytest.mark.parametrize("design", SHORT, ids=lambda design: design.name)
def test_promises_hold(design):
    for truth in truths(3, design.gap):
        for counts in measure(Cell(design, 3, truth), RUNS):
            for promise, broken in counts.broken.items():
                low = stats.binomtest(broken, RUNS).proportion_ci(0.998).low
                assert low <= ALPHA, (counts.cell.name, promise, broken)


def test_one_of_ten_is_found():
    share = int(one_of_ten(np.random.default_rng(5), 200).split()[1].rstrip("%"))
    assert share >= 70


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_faults_can_be_measured(fault):
    assert fault.now(np.random.default_rng(0), 3)
