"""Measures: what a fold's results are worth, each with its direction; ``measure_of`` finds one by its name."""

from bestofk.design.measures.measure import Measure
from bestofk.design.measures.naming import measure_of
from bestofk.design.measures.probabilities import widened

__all__ = ["Measure", "measure_of", "widened"]
