"""From an order to a verdict: who is best, how sure, and why."""

from bestofk.judging.judge import compared, judged, ordered, preferring
from bestofk.judging.verdict import Provenance, Reason, Verdict

__all__ = ["Provenance", "Reason", "Verdict", "compared", "judged", "ordered", "preferring"]
