"""The verbs: read · collect · compare · order · judge · report. Composition only, no mathematics."""

from bestofk.verbs.collecting import collect
from bestofk.verbs.judging import compare, judge, order
from bestofk.verbs.reading import read
from bestofk.verbs.reporting import report

__all__ = ["collect", "compare", "judge", "order", "read", "report"]
