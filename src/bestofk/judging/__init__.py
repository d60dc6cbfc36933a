"""From an order to a verdict: who is best, how sure, and why."""

from bestofk.judging.gate import Gate, gated
from bestofk.judging.judge import compared, judged, ordered, preferring
from bestofk.judging.verdict import Provenance, Reason, Verdict

__all__ = ["Gate", "Provenance", "Reason", "Verdict", "compared", "gated", "judged", "ordered", "preferring"]
