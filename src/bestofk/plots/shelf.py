"""Every figure by its name, most telling first; those of other packages come after them."""

from __future__ import annotations

from bestofk.core.shelf import Shelf
from bestofk.plots.info import Info


def _figures() -> dict[str, type[Info]]:
    from bestofk.plots.acceptance import AcceptanceInfo
    from bestofk.plots.critical_difference import CriticalDifferenceInfo
    from bestofk.plots.curve_bands import CurveBandsInfo
    from bestofk.plots.dataset_influence import DatasetInfluenceInfo
    from bestofk.plots.dataset_scatter import DatasetScatterInfo
    from bestofk.plots.difference_contours import DifferenceContoursInfo
    from bestofk.plots.difference_intervals import DifferenceIntervalsInfo
    from bestofk.plots.error_histograms import ErrorHistogramsInfo
    from bestofk.plots.loss_boxes import LossBoxesInfo
    from bestofk.plots.measure_contours import MeasureContoursInfo
    from bestofk.plots.null_histogram import NullHistogramInfo, NullHistogramInteractionInfo
    from bestofk.plots.order_graph import OrderGraphInfo
    from bestofk.plots.order_steps import OrderStepsInfo
    from bestofk.plots.pair_map import PairMapInfo
    from bestofk.plots.pareto import ParetoInfo
    from bestofk.plots.posterior_simplex import PosteriorSimplexInfo
    from bestofk.plots.power_curves import PowerCurvesInfo
    from bestofk.plots.roc_hull import RocHullInfo
    from bestofk.plots.size_and_power import SizeAndPowerInfo
    from bestofk.plots.t_tails import TTailsInfo
    from bestofk.plots.underlined_order import UnderlinedOrderInfo
    from bestofk.plots.where_they_differ import WhereTheyDifferInfo

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
