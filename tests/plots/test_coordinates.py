"""What is drawn, by its coordinates: it agrees with the decision, and nothing is where no value can be."""

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import bestofk as bk
from bestofk.core.errors import InputError
from bestofk.core.phrases import p_words
from bestofk.plots.canvas.themes import LIGHT, colour_variables, page_style
from bestofk.plots.figures.acceptance import AcceptanceInfo
from bestofk.plots.figures.bounds import BoundsInfo
from bestofk.plots.figures.contours import DifferenceContoursInfo, MeasureContoursInfo
from bestofk.plots.figures.curves import CurveBandsInfo
from bestofk.plots.figures.difference_intervals import DifferenceIntervalsInfo
from bestofk.plots.figures.histograms import ErrorHistogramsInfo, NullHistogramInfo, edges_of
from bestofk.plots.figures.loss_boxes import LossBoxesInfo
from bestofk.plots.figures.order_steps import OrderStepsInfo
from bestofk.plots.figures.pareto import ParetoInfo
from bestofk.plots.figures.performance_profiles import PerformanceProfilesInfo
from bestofk.plots.figures.underlined_order import UnderlinedOrderInfo
from bestofk.plots.gallery import FIGURES, figure, figure_of, figures_for
from bestofk.reporting.first_screen import BOUND, first_table
from makers import curves, folds, over_datasets, slow
from makers_measures import EXAMPLES, columns, counts_of, over
from plot_cases import infos_of, verdict_of

pytest.importorskip("matplotlib")


def plot_of(info, panel=0):
    ax = info.draw()
    ax.figure.canvas.draw()
    return ax.child_axes[panel]


@pytest.mark.parametrize("seed", range(4))
def test_an_interval_is_off_zero_where_its_mark_is_filled(seed):
    rng = np.random.default_rng(seed)
    values = 0.2 + 0.012 * np.arange(5)[:, None, None] + 0.02 * rng.normal(size=(5, 1, 10))
    info = DifferenceIntervalsInfo.of(bk.judge(folds(values)))
    lines = plot_of(info).lines[1:]  # after the line at 0
    for interval, mark, significant in zip(lines[::2], lines[1::2], info.adjusted, strict=True):
        low, high = interval.get_xdata()
        filled = mark.get_markerfacecolor() != LIGHT.paper
        assert filled == (low > 0 or high < 0) == (significant <= info.alpha)


def test_intervals_of_shares_end_at_one():
    rng = np.random.default_rng(0)
    accuracy = rng.integers(0, 2, (2, 1, 4)).astype(float)
    info = DifferenceIntervalsInfo.of(bk.judge(folds(accuracy, measure="accuracy", larger_is_better=True)))
    low, high = plot_of(info).get_xlim()
    assert -1.0 <= low < high <= 1.0


def test_contours_stay_inside_and_have_the_axes_of_roc():
    rng = np.random.default_rng(1)
    points = {name: np.clip(rng.normal((0.97, 0.02), 0.02, (10, 2)), 0, 1) for name in "abc"}
    ax = plot_of(MeasureContoursInfo.from_points(points, ("tpr", "fpr")))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("fpr", "tpr")
    drawn = np.concatenate([np.column_stack(line.get_data()) for line in ax.lines])
    assert np.isnan(drawn).any()  # some of the ellipses would leave the square
    assert np.nanmin(drawn) >= 0.0
    assert np.nanmax(drawn) <= 1.0
    for low, high in (ax.get_xlim(), ax.get_ylim()):
        assert -0.02 < low < high < 1.02
    across = np.mean(points["a"][:, 1])
    assert any(line.get_xdata() == pytest.approx([across]) for line in ax.lines if len(line.get_xdata()) == 1)


def origin_inside(info):
    """Whether (0, 0) is inside the region that is drawn."""
    from matplotlib.path import Path

    ax = plot_of(info)
    (region,) = [line for line in ax.lines if len(line.get_xdata()) > 50]
    return Path(np.column_stack(region.get_data())).contains_point((0.0, 0.0))


@pytest.mark.parametrize("seed", range(8))
def test_the_region_of_the_mean_holds_the_origin_where_nothing_is_shown(seed):
    rng = np.random.default_rng(seed)
    one, two = rng.normal(0.5, 0.1, (2, 10, 2))
    one = one + 0.03 * seed * np.array([1, -0.5])
    info = DifferenceContoursInfo.from_points("a", "b", one, two, ("tpr", "fpr"))
    assert origin_inside(info) is (info.pvalue > 0.05)


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.04, 0.06, 0.1, 0.3])
def test_the_region_is_that_of_the_verdict(gap):
    rates = {"a": (0.8, 0.2), "b": (0.8 - gap, 0.2), "c": (0.79, 0.2 + gap / 2)}
    verdict = bk.judge(counts_of(rates, folds=10), on="tpr,fpr")
    info = DifferenceContoursInfo.of(verdict)
    pair = verdict.comparison.pair(info.first, info.second)
    assert origin_inside(info) is not pair.significant
    many = DifferenceContoursInfo.of(bk.judge(over(), on=("fpr", "fnr")))
    assert many.radius is None  # signs over data sets have no ellipse


@pytest.mark.parametrize("most", [5, 31, 32, 33, 100, 1000])
def test_bars_of_whole_counts_hold_as_many_counts_each(most):
    counts = np.random.default_rng(0).integers(0, most + 1, 400).astype(float)
    counts[:2] = 0, most
    ax = plot_of(NullHistogramInfo(counts, (), "rejections", "runs"))
    heights, edges, _ = ax.patches[0].get_data()
    widths = np.diff(edges)
    assert np.all(widths == widths[0])
    assert widths[0] == np.rint(widths[0])
    assert np.all(edges - 0.5 == np.rint(edges - 0.5))
    assert heights.sum() == 400
    assert len(edges_of([0.5, 1.0, 3.0])) == 7  # others are divided as before


NAMED = ("losses", "scatter", "error-histograms")


@pytest.mark.parametrize("name", NAMED)
def test_axes_of_shares_end_at_zero_and_one(name):
    rng = np.random.default_rng(2)
    values = 1.0 - np.abs(rng.normal(0, 0.02, (3, 12)))
    values[:, 0] = 1.0
    verdict = bk.judge(over_datasets(values, measure="accuracy", larger_is_better=True))
    ax = plot_of(figure(name, verdict).info)
    low, high = ax.get_xlim()
    assert 1.0 <= high < 1.0 + 0.02 * (high - low)  # room for half a mark, and for no tick
    percent = LossBoxesInfo(("a",), (100 * values[0],), "accuracy", True, "fold")
    assert 100.0 <= plot_of(percent).get_xlim()[1] <= 102.0


def test_curves_and_profiles_of_shares_stay_inside():
    values = np.tile([[0.0], [0.02], [1.0]], (1, 4))
    ax = plot_of(CurveBandsInfo.from_curves({"a": values, "b": values}, [1, 2, 3, 4], "accuracy"))
    assert -0.02 < ax.get_ylim()[0] < ax.get_ylim()[1] < 1.02
    runs = {"a": (np.linspace(0, 1, 20), np.arange(20) % 4)}
    ax = plot_of(PerformanceProfilesInfo.from_runs(runs, "accuracy"))
    assert -0.02 < ax.get_xlim()[0] < ax.get_xlim()[1] < 1.02
    assert ErrorHistogramsInfo("a", "b", np.ones(5), np.ones(5), "accuracy").draw().child_axes[0].get_xlim()[1] < 1.02


@pytest.mark.parametrize(
    ("costs", "some"), [((0.4, 3.0, 11.0), "0.5 1 2 5"), ((0.001, 900.0), "0.001 1 100"), ((20.0, 2e5), "100 1,000")]
)
def test_prices_have_plain_numbers(costs, some):
    values = tuple(np.linspace(0.1, 0.3, len(costs)))
    ax = plot_of(ParetoInfo(tuple("abc"[: len(costs)]), costs, values, "price", "error", False))
    words = [label.get_text() for label in ax.get_xticklabels()]
    assert set(some.split()) <= set(words)
    assert all(re.fullmatch(r"[\d.,]+", word) for word in words)


def priced(k=4):
    """Models of 600 items, each dearer and a little better than the one before, judged with a margin."""
    rng, names = np.random.default_rng(4), tuple("abcd"[:k])
    values = (rng.normal(size=600) + 0.5 * rng.normal(size=(k, 600)) + 0.4 * np.arange(k)[:, None] > 0).astype(float)
    cost = {"price": dict(zip(names, [1.0, 2.0, 5.0, 9.0][:k], strict=True))}
    return bk.Items(learners=names, values=values, measure="accuracy", larger_is_better=True, costs=cost)


def test_steps_that_take_another_first_are_not_those_of_a_choice_by_a_margin():
    evidence = bk.read(EXAMPLES / "model_prices.csv")
    chosen, alike, plain = (bk.judge(evidence, prior="price", within=each) for each in (0.15, 0.05, None))
    assert chosen.best != chosen.ordering.order[0] == alike.best == plain.best
    assert OrderStepsInfo.of(chosen) is None
    assert [OrderStepsInfo.of(each).steps[0].taken for each in (alike, plain)] == [plain.best] * 2
    assert "tests" not in UnderlinedOrderInfo.of(chosen).sorted_by.words
    assert "tests" in UnderlinedOrderInfo.of(plain).sorted_by.words


def test_bounds_end_where_they_are_and_are_filled_within_the_margin():
    verdict = bk.judge(priced(), within=0.15)
    assert figures_for(verdict)[0].name == "bounds"
    margin, *lines = plot_of(BoundsInfo.of(verdict)).lines
    assert set(margin.get_xdata()) == {0.15}
    bounds = sorted(verdict.within.bounds.items(), key=lambda each: each[1])
    for bar, mark, (name, bound) in zip(lines[::2], lines[1::2], bounds, strict=True):
        assert bar.get_xdata().tolist() == [0.0, bound]
        assert mark.get_xdata()[0] == bound
        assert (mark.get_markerfacecolor() != LIGHT.paper) == (name in verdict.within.learners)
    table = first_table(verdict)
    for name, text in ((row[1], row[table.columns.index(BOUND)]) for row in table.rows):
        assert f"{name} {text}" in BoundsInfo.of(verdict).alt  # one number wherever it is said


def test_prices_show_how_low_each_may_be_beside_the_margin():
    verdict = bk.judge(priced(), prior="price", within=0.15)
    assert figures_for(verdict)[0].name == "pareto"
    ax, best = plot_of(figures_for(verdict)[0].info), max(verdict.means.values())
    margin = next(line for line in ax.lines if set(line.get_ydata()) == {best - 0.15})
    ends = {line.get_xdata()[0]: line.get_ydata()[0] for line in ax.lines if line.get_marker() == "_"}
    for name, price in verdict.evidence.costs["price"].items():
        assert ends[price] == pytest.approx(best - verdict.within.bounds[name])
        assert (ends[price] >= margin.get_ydata()[0]) == (name in verdict.within.learners)


def test_steps_over_decades_have_plain_numbers():
    steps = [1, 10, 100, 1000]
    info = CurveBandsInfo.from_curves({"a": np.random.default_rng(0).random((3, 4))}, steps)
    assert {"1", "10", "100", "1,000"} <= {label.get_text() for label in plot_of(info).get_xticklabels()}


def test_of_thirty_curves_the_first_have_names_that_do_not_touch():
    rng = np.random.default_rng(0)
    values = {f"learner {i}": 0.1 + 0.001 * i + 0.001 * rng.random((3, 4)) for i in range(30)}
    info = CurveBandsInfo.from_curves(values, [1, 2, 3, 4], "error", larger_is_better=False)
    outer = info.draw()
    names = {text.get_text(): text.get_window_extent() for text in outer.texts if text.get_text() in values}
    assert set(names) == set(list(values)[:8])
    boxes = sorted(names.values(), key=lambda box: box.y0)
    assert all(below.y1 <= above.y0 + 0.5 for below, above in pairwise(boxes))
    lines = outer.child_axes[0].lines
    assert len(lines) == 30
    assert len({line.get_color() for line in lines[:22]}) == 1
    assert "22 others" in info.title
    few = CurveBandsInfo.from_curves(dict(list(values.items())[:8]), [1, 2, 3, 4], "error").draw()
    assert "other" not in few.child_axes[0].get_xlabel()


def test_thirty_learners_have_no_graph_of_arrows():
    verdict = verdict_of(30, prior=False)
    assert figures_for(verdict)[0].name == "critical-difference"
    assert "order" not in {each.name for each in figures_for(verdict)}
    with pytest.raises(InputError, match="critical-difference") as caught:
        figure("order", verdict)
    assert all((caught.value.wrong, caught.value.where, caught.value.fix))


SAYS_NOTHING = {"order", "order-steps", "underlined-order", "pairs", "influence", "acceptance"}


def test_figures_that_show_nothing_are_left_out():
    rng = np.random.default_rng(5)
    equal = bk.judge(over_datasets(0.2 + 0.02 * rng.normal(size=(4, 12))), prior=tuple("abcd"))
    assert not any(equal.comparison.significant)
    assert not {each.name for each in figures_for(equal)} & SAYS_NOTHING
    assert figure("pairs", equal).svg().startswith("<svg")  # asked for by name
    both = np.random.default_rng(6).normal(0.5, 0.1, (2, 10, 2))
    several = bk.judge(columns(*both), on="tpr,fpr")
    assert not {each.name for each in figures_for(several)} & SAYS_NOTHING
    apart = bk.judge(over_datasets(0.2 + 0.1 * np.arange(4)[:, None] + 0.02 * rng.normal(size=(4, 12))))
    assert apart.comparison.significant.all()
    assert {each.name for each in figures_for(apart)} >= {"order", "pairs", "influence"}
    assert "underlined-order" not in {each.name for each in figures_for(apart)}
    always = AcceptanceInfo(("a", "b"), (("tpr, fpr", np.eye(2, dtype=bool)), ("error", np.eye(2, dtype=bool))))
    assert not always.telling


def first_figures():
    rng = np.random.default_rng(0)
    flat = 0.3 + 0.02 * rng.normal(size=(3, 10))
    yield "curves", curves(tuple(rng.normal(i, 1, (4, 5)) for i in range(3))), {}
    yield "critical-difference", over_datasets(flat), {}
    yield "differences", over_datasets(flat[:2]), {}
    yield "differences", folds(flat[:, None]), {}
    priced = folds(flat[:, None], costs={"price": {"a": 1.0, "b": 2.0, "c": 3.0}})
    yield "pareto", priced, {"prior": "price"}
    yield "differences", priced, {}
    yield "roc", counts_of({"a": (0.9, 0.2), "b": (0.8, 0.1)}), {"on": "tpr,fpr"}


@pytest.mark.parametrize(("name", "evidence", "options"), list(first_figures()))
def test_the_figure_for_the_evidence_comes_first(name, evidence, options):
    assert figures_for(bk.judge(evidence, **options))[0].name == name


def test_no_p_of_zero():
    assert "0.001" in p_words(0.0)
    apart = folds(np.stack([np.full((1, 10), 0.1), np.full((1, 10), 0.4)]) + 1e-9 * np.arange(10))
    for each in figures_for(bk.judge(apart)):
        assert not re.search(r"p = 0(?![.\d])", each.alt + each.svg())


@pytest.mark.parametrize("width", ["column", *slow("page")])
def test_saved_files_have_their_title(tmp_path, width):
    made = figure("losses", verdict_of(5))
    for kind in ("svg", "png", "pdf"):
        made.save(tmp_path / f"a.{kind}", width=width)
    words = re.findall(r"<text[^>]*>([^<]*)<", (tmp_path / "a.svg").read_text(encoding="utf-8"))
    assert made.title in " ".join(words)
    assert made.title not in " ".join(re.findall(r"<text[^>]*>([^<]*)<", made.svg(width=width)))
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.info["Title"] == made.title
        ink = np.asarray(picture.convert("L"))
    title = np.argwhere(ink[:30] < 128)
    assert len(title) > 50  # it is drawn, and whole
    assert ink[:30, -2:].min() > 200
    assert f"/Title ({made.title})".encode() in (tmp_path / "a.pdf").read_bytes()


def without_ids(svg):
    return re.sub(r'(id="|#)[a-z][0-9a-f]{10}\b', r"\1", svg)


@pytest.mark.parametrize("theme", ["dark", *slow("light")])
@pytest.mark.parametrize("name", ["order", *slow(*(each for each in FIGURES if each != "order"))])
def test_one_drawing_for_both_themes_of_a_page(name, theme):
    made = figure_of(infos_of_five()[name])
    values = dict(re.findall(r"--fig-([\w-]+): (#\w+);", colour_variables(theme)))
    coloured = re.sub(r"var\(--fig-([\w-]+), #\w+\)", lambda match: values[match.group(1)], made.svg(theme="page"))
    assert without_ids(coloured) == without_ids(made.svg(theme=theme))
    assert colour_variables(theme) in page_style()


@cache
def infos_of_five():
    return infos_of(5)


def test_colours_of_a_page_are_for_pages(tmp_path):
    made = figure_of(infos_of_five()["order"])
    with pytest.raises(InputError, match="theme"):
        made.save(tmp_path / "a.png", theme="page")
    with pytest.raises(InputError, match="theme"):
        made.draw(theme="page")
