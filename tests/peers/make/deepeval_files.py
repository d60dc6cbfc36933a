"""Test runs of DeepEval 4.3.1: the program is real, the questions and the two systems are invented.

Runs in an environment with deepeval alone, once for each system. Usage: deepeval_files.py small|large SCRATCH_FOLDER.
"""

import os
import shutil
import sys
from pathlib import Path

NAME, SCRATCH = sys.argv[1], Path(sys.argv[2]).resolve() / sys.argv[1]
SCRATCH.mkdir(parents=True, exist_ok=True)
os.chdir(SCRATCH)
os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "1", "DEEPEVAL_RESULTS_FOLDER": str(SCRATCH / "out")}

from deepeval import evaluate  # noqa: E402  the environment is read on import
from deepeval.evaluate import AsyncConfig  # noqa: E402
from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402

KNOWN = {"small": 3, "large": 7}  # so many sums it knows
PEERS = Path(__file__).resolve().parent.parent


class Right(BaseMetric):
    """Whether the answer is the one expected."""

    async_mode = include_reason = strict_mode = False

    def __init__(self):
        self.threshold = 0.5

    def measure(self, case, *args, **settings):
        self.score = float(case.actual_output == case.expected_output)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, case, *args, **settings):
        return self.measure(case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Right"


if __name__ == "__main__":
    cases = [
        LLMTestCase(
            input=f"{a} + 1 =",
            actual_output=str(a + 1 if a < KNOWN[NAME] else 0),
            expected_output=str(a + 1),
            name=f"sum {a}",
            token_cost=0.01 if NAME == "large" else 0.001,
        )
        for a in range(8)
    ]
    evaluate(cases, [Right()], identifier=NAME, async_config=AsyncConfig(run_async=False))
    (run,) = (SCRATCH / "out").glob("test_run_*.json")
    (PEERS / "deepeval").mkdir(exist_ok=True)
    shutil.copy(run, PEERS / "deepeval" / f"{NAME}.json")
