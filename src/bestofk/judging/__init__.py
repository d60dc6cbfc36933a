"""From an order to a verdict: who is best, how sure, and why."""

from bestofk.judging.choice import chosen_test
from bestofk.judging.judge import judge_scores
from bestofk.judging.verdict import Reason, Verdict

__all__ = ["Reason", "Verdict", "chosen_test", "judge_scores"]
