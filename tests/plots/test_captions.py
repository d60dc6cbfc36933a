"""What figures of a verdict say: the rival, captions, keys, which way a difference points."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.plots.figures.order_graph import OrderGraphInfo
from bestofk.plots.figures.pair_map import PairMapInfo
from bestofk.plots.figures.pareto import ParetoInfo
from bestofk.plots.figures.underlined_order import UnderlinedOrderInfo
from bestofk.plots.gallery import figure, figure_of, figures_for
from bestofk.plots.sources import sorted_by
from report_cases import EXAMPLES, demo, scores

pytest.importorskip("matplotlib")
LEARNERS = ("max", "nmc", "lgc", "tree", "nn")
#: Mean errors as in the demo: the first of the order is far from the best mean, the preferred one is the worst.
MEANS = (0.55, 0.19, 0.15, 0.09, 0.08)


def five(datasets=5, spread=0.04, seed=0, means=MEANS, **options):
    """Five learners by 5 × 2 halves, in the preference of the demo."""
    rng = np.random.default_rng(seed)
    at = np.array(means)[:, None, None, None] + rng.normal(0, 0.02, (5, datasets, 1, 1))
    values = np.clip(at + rng.normal(0, spread, (5, datasets, 5, 2)), 0.0, 1.0)
    names = tuple(f"set {i}" for i in range(datasets))
    data = bk.Scores(learners=LEARNERS, values=values, measure="error", larger_is_better=False, datasets=names)
    return bk.judge(data, prior=LEARNERS, **{"method": "multi2test", **options})


def test_the_first_is_compared_with_its_strongest_rival_everywhere():
    verdict = five(datasets=12, means=(0.55, 0.19, 0.19, 0.19, 0.18))
    first, rival = verdict.closest
    assert first == verdict.order[0]
    assert rival == min(verdict.rivals, key=verdict.means.__getitem__) != verdict.order[1]
    assert (verdict.bayes.first, verdict.bayes.second) == (first, rival)
    for name in ("scatter", "error-histograms", "simplex"):
        info = figure(name, verdict).info
        assert (info.first, info.second) == (first, rival), name


def test_differences_say_which_way():
    made = figure("error-histograms", five())
    first, rival = made.info.first, made.info.second
    assert f"differences {first} minus {rival}: " in made.alt
    assert f"{first} − {rival}" in made.svg()


def test_few_data_sets_are_all_named_beside_their_points():
    made = figure("scatter", five(datasets=8, spread=0.001))
    assert all(name in made.svg() for name in made.info.datasets)


def test_captions_begin_with_a_capital_or_a_learner():
    for each in figures_for(five()):
        for words in (each.title, each.alt):
            assert words[0].isupper() or words[0].isdigit() or words.startswith(LEARNERS), words


def test_hollow_marks_are_explained():
    made = figure_of(ParetoInfo(("a", "b"), (1.0, 2.0), (0.1, 0.2), "fit_time", "error", False, unit="s"))
    assert "hollow: another is better in one" in made.svg()
    assert "fit_time in s" in made.svg()
    free = figure_of(ParetoInfo(("a", "b"), (1.0, 2.0), (0.2, 0.1), "fit_time", "error", False))
    assert "hollow" not in free.svg()


def test_the_order_graph_has_a_key():
    svg = figure("order", demo()).svg()
    for words in ("place in the preference", "to its place found", ">first<", "not overruled"):
        assert words in svg
    assert "to a less preferred one that overrules it" in svg
    plain = figure("order", bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))).svg()
    assert "to one that is shown to beat it" in plain
    assert "place in the preference" not in plain
    equal = figure("order", bk.judge(scores(("a", "b"), spread=0.0), prior=("a", "b"))).svg()
    assert "no arrow: no preference is overruled" in equal
    assert ">overruled<" not in equal


@pytest.mark.parametrize("count", [2, 5, 30])
def test_the_key_stands_below_all_learners_and_within_the_sheet(count):
    names = tuple(f"learner {i}" for i in range(count))
    edges = ((names[0], names[1]),)
    info = OrderGraphInfo(names, edges, (names[1], names[0], *names[2:]), names[1], True)
    ax = info.draw()
    ax.figure.canvas.draw()
    sheet = ax.get_window_extent()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
    assert all(box.x0 >= sheet.x0 - 1 and box.x1 <= sheet.x1 + 1 for box in boxes.values())
    assert all(box.y0 >= sheet.y0 - 1 for box in boxes.values())
    assert boxes["first"].y1 < min(boxes[name].y0 for name in names)


def test_words_of_figures_call_no_preference_best_first():
    verdict = demo()
    for kind in (OrderGraphInfo, UnderlinedOrderInfo, PairMapInfo):
        assert "best first" not in kind.of(verdict).alt, kind
    tied = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"))
    assert "best first" in UnderlinedOrderInfo.of(tied).alt
    few = OrderGraphInfo(("a", "b"), (("a", "b"),), ("b", "a"), "b", True)
    assert "in 1 pair (a is overruled by b)" in few.alt
    none = OrderGraphInfo(("a", "b"), (), ("a", "b"), "a", True)
    assert "override the preference nowhere" in none.alt


def test_no_best_no_preference_and_groups_have_their_own_words():
    none = sorted_by("anova-best", preferred=True, found=False)
    assert none.heading == "by mean alone"
    assert none.words.startswith("by mean alone")
    assert (
        sorted_by("ranges", preferred=True) == sorted_by("multitest", preferred=False) == ("best first", "best first")
    )
    assert sorted_by("test-first", preferred=True).heading == "order found"


@pytest.mark.parametrize(("options", "said"), [({}, "all pairs"), ({"control": "C4.5"}, "control C4.5")])
def test_captions_say_which_pairs_p_is_adjusted_for(options, said):
    verdict = bk.judge(bk.read(EXAMPLES / "demsar.csv", measure="auc"), **options)
    assert said in figure("differences", verdict).alt


def test_figures_of_ranks_name_multi2test():
    verdict = five()
    assert "Multi²Test" in figure("order", verdict).svg()
    assert "Multi²Test" in figure("order-steps", verdict).alt
    assert verdict.test in figure("underlined-order", verdict).title
    assert verdict.test in figure("differences", verdict).alt
