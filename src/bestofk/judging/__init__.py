"""From an order to a verdict: who is best, how sure, and why."""

from bestofk.judging.choice import Choice, chosen_test
from bestofk.judging.judge import comparison_of, judge_evidence, ordering_from
from bestofk.judging.methods import METHODS
from bestofk.judging.preference import Preference, preference_of
from bestofk.judging.provenance import Provenance
from bestofk.judging.verdict import Reason, Verdict

__all__ = [
    "METHODS",
    "Choice",
    "Preference",
    "Provenance",
    "Reason",
    "Verdict",
    "chosen_test",
    "comparison_of",
    "judge_evidence",
    "ordering_from",
    "preference_of",
]
