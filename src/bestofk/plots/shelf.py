"""Every figure by its name, most telling first; those of other packages come after them."""

from __future__ import annotations

from bestofk.core.shelf import Shelf
from bestofk.plots.info import Info


def _figures() -> dict[str, type[Info]]:
    from bestofk.plots.figures.acceptance import AcceptanceInfo
    from bestofk.plots.figures.critical_difference import CriticalDifferenceInfo
    from bestofk.plots.figures.curve_bands import CurveBandsInfo
    from bestofk.plots.figures.dataset_influence import DatasetInfluenceInfo
    from bestofk.plots.figures.dataset_scatter import DatasetScatterInfo
    from bestofk.plots.figures.difference_contours import DifferenceContoursInfo
    from bestofk.plots.figures.difference_intervals import DifferenceIntervalsInfo
    from bestofk.plots.figures.error_histograms import ErrorHistogramsInfo
    from bestofk.plots.figures.loss_boxes import LossBoxesInfo
    from bestofk.plots.figures.measure_contours import MeasureContoursInfo
    from bestofk.plots.figures.null_histogram import NullHistogramInfo, NullHistogramInteractionInfo
    from bestofk.plots.figures.order_graph import OrderGraphInfo
    from bestofk.plots.figures.order_steps import OrderStepsInfo
    from bestofk.plots.figures.pair_map import PairMapInfo
    from bestofk.plots.figures.pareto import ParetoInfo
    from bestofk.plots.figures.posterior_simplex import PosteriorSimplexInfo
    from bestofk.plots.figures.power_curves import PowerCurvesInfo
    from bestofk.plots.figures.roc_hull import RocHullInfo
    from bestofk.plots.figures.size_and_power import SizeAndPowerInfo
    from bestofk.plots.figures.t_tails import TTailsInfo
    from bestofk.plots.figures.underlined_order import UnderlinedOrderInfo
    from bestofk.plots.figures.where_they_differ import WhereTheyDifferInfo

    return {
        "order": OrderGraphInfo,
        "underlined-order": UnderlinedOrderInfo,
        "curves": CurveBandsInfo,
        "differences": DifferenceIntervalsInfo,
        "losses": LossBoxesInfo,
        "scatter": DatasetScatterInfo,
        "critical-difference": CriticalDifferenceInfo,
        "pairs": PairMapInfo,
        "order-steps": OrderStepsInfo,
        "where-they-differ": WhereTheyDifferInfo,
        "null-histogram": NullHistogramInfo,
        "roc": RocHullInfo,
        "contours": MeasureContoursInfo,
        "difference-contours": DifferenceContoursInfo,
        "error-histograms": ErrorHistogramsInfo,
        "t-tails": TTailsInfo,
        "influence": DatasetInfluenceInfo,
        "pareto": ParetoInfo,
        "simplex": PosteriorSimplexInfo,
        "size-and-power": SizeAndPowerInfo,
        "power-curves": PowerCurvesInfo,
        "acceptance": AcceptanceInfo,
        "null-histogram-interaction": NullHistogramInteractionInfo,
    }


FIGURES: Shelf[type[Info]] = Shelf("plots", _figures)
