"""All pairs of learners: differences, intervals, effects, raw and adjusted p, and one test over all of them."""

from bestofk.comparing.compare import compare_pairs
from bestofk.comparing.comparison import Comparison, Pair, Part
from bestofk.comparing.omnibus import Omnibus
from bestofk.comparing.sample import Sample, sample_of
from bestofk.comparing.test_choice import Choice, Family, chosen_test

__all__ = [
    "Choice",
    "Comparison",
    "Family",
    "Omnibus",
    "Pair",
    "Part",
    "Sample",
    "chosen_test",
    "compare_pairs",
    "sample_of",
]
