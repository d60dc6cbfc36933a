"""All pairs of learners: differences, intervals, effects, raw and adjusted p, and one test over all of them."""

from bestofk.comparing.compare import compare_pairs
from bestofk.comparing.comparison import Comparison, Pair
from bestofk.comparing.design import Design, design_of
from bestofk.comparing.omnibus import Omnibus
from bestofk.evidence.missing_results import completed

__all__ = ["Comparison", "Design", "Omnibus", "Pair", "compare_pairs", "completed", "design_of"]
