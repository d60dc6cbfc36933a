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
from benchmarks.calibration.verdict.within import cells as cells_within  # noqa: E402
from benchmarks.calibration.verdict.within import measure as measure_within  # noqa: E402
from benchmarks.calibration.verdict.within import more_figures  # noqa: E402

pytestmark = pytest.mark.slow

RUNS = 120
WITHIN = [
    cell
    for cell in cells_within()
    if len(cell.losses) == 3 and "too far" in cell.truth and cell.margins[0] >= 0.03 and "tree" not in cell.name
]
SHORT = [design for design in DESIGNS if "rows" not in design.name or "100 rows, 1-NN" in design.name]


@pytest.mark.parametrize("design", SHORT, ids=lambda design: design.name)
def test_promises_hold(design):
    for truth in truths(3, design.gap):
        for counts in measure(Cell(design, 3, truth), RUNS):
            for promise, broken in counts.broken.items():
                low = stats.binomtest(broken, RUNS).proportion_ci(0.998).low
                assert low <= ALPHA, (counts.cell.name, promise, broken)


@pytest.mark.parametrize("cell", WITHIN, ids=lambda cell: cell.name)
def test_picks_within_the_margin_hold(cell):
    """The two preferred learners are just too far below the best."""
    _, (wrong,), (right,), *_ = measure_within(cell, RUNS)
    assert stats.binomtest(wrong, RUNS).proportion_ci(0.998).low <= ALPHA
    assert right >= RUNS // 8


def test_how_many_more_is_about_right():
    """Of 300 items with three models tied: a number that is said is within a quarter, and the range holds it."""
    _, (_, said, right, held, *_) = more_figures(2, RUNS)
    assert said >= 0.2
    assert min(right, held) >= 0.8


def test_one_of_ten_is_found():
    share = int(one_of_ten(np.random.default_rng(5), 200).split()[1].rstrip("%"))
    assert share >= 70


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.what)
def test_faults_can_be_measured(fault):
    assert fault.now(np.random.default_rng(0), 3)
