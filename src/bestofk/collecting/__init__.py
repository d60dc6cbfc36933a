"""Running an experiment: what is missing, on which workers, into which store."""

from bestofk.collecting.cell.cell import run_cell
from bestofk.collecting.run.collect import collect_plan
from bestofk.collecting.run.report import CollectReport, FailedFolds, Interrupted

__all__ = ["CollectReport", "FailedFolds", "Interrupted", "collect_plan", "run_cell"]
