"""Running an experiment: what is missing, on which workers, into which store."""

from bestofk.collecting.collect import CollectReport, Interrupted, collect_plan
from bestofk.collecting.one_cell import run_cell

__all__ = ["CollectReport", "Interrupted", "collect_plan", "run_cell"]
