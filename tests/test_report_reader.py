"""What a first reader stumbled over: whose p it is, who the rival is, how firm first place is, what could be seen."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from bestofk.judging.strongest_rival import strongest_rival
from bestofk.reporting.certainty import answers, caution
from bestofk.reporting.dataset_words import sensitivity_lines, wins_lines
from bestofk.reporting.firmness import first_place_lines, shaky_first_place
from bestofk.reporting.known_names import advice_titles, learner_meanings
from bestofk.reporting.places import order_note, places_of
from bestofk.reporting.reason_words import because_as_listed

import bestofk as bk
from bestofk.plots.bins import counts_in, edges_at_zero
from bestofk.plots.figures import figure, figures_for
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import mean_text, verdict_table

LEARNERS = ("max", "nmc", "lgc", "tree", "nn")
#: Mean errors as in the demo: the first of the order is far from the best mean, the preferred one is the worst.
MEANS = (0.55, 0.19, 0.15, 0.09, 0.08)


def five(datasets=5, spread=0.04, seed=0, **options):
    """Five learners by 5 × 2 halves, in the preference of the demo."""
    rng = np.random.default_rng(seed)
    at = np.array(MEANS)[:, None, None, None] + rng.normal(0, 0.02, (5, datasets, 1, 1))
    values = np.clip(at + rng.normal(0, spread, (5, datasets, 5, 2)), 0.0, 1.0)
    names = tuple(f"set {i}" for i in range(datasets))
    data = bk.Scores(learners=LEARNERS, values=values, measure="error", larger_is_better=False, datasets=names)
    return bk.judge(data, prior=LEARNERS, **{"method": "multi2test", **options})


def sure(verdict):
    return answers(verdict)[2].sentence


# ---- Multi²Test's ranks ------------------------------------------------------------------------------------------


def test_without_folds_the_ranks_are_those_of_the_results():
    rng = np.random.default_rng(1)
    values = np.array([0.5, 0.3, 0.1])[:, None, None, None] + rng.normal(0, 0.01, (3, 9, 1, 1))
    data = bk.Scores(
        learners=tuple("abc"), values=values, measure="error", larger_is_better=False, datasets=tuple("rstuvwxyz")
    )
    verdict = bk.judge(data, prior=tuple("abc"), method="multi2test")
    assert "rank by results" in verdict_table(verdict).columns
    assert "keep to the preference" not in sure(verdict)
    assert "each data set ranks the learners" in order_note(verdict)


# ---- who speaks --------------------------------------------------------------------------------------------------


def test_an_overruled_preference_is_ranked_below():
    verdict = five(datasets=12)
    assert verdict.overtaken
    assert (
        "Multi²Test ranks below" in answers(verdict)[1].sentence
        or "overruled by Multi²Test" in answers(verdict)[1].sentence
    )
    assert "Multi²Test ranks above it" in figure("order", verdict).svg()
    assert "of Multi²Test on" in figure("order-steps", verdict).alt
    assert verdict.test in figure("underlined-order", verdict).title
    assert f"p by {verdict.test}" in figure("differences", verdict).alt


def test_prose_has_one_name_for_the_method():
    page = page_of(five())
    said = [line for s in page.sections for b in s.blocks if b.kind in ("sentences", "bullets") for line in b.lines]
    said += [answer.sentence for answer in page.answers]
    assert not any("multi2test" in line for line in said)


# ---- how sure ----------------------------------------------------------------------------------------------------


def test_first_place_is_said_before_the_pairs_and_on_the_first_screen_where_it_is_shaky():
    found = 0
    for seed in range(6):
        verdict = five(seed=seed)
        best = verdict.sensitivity.best
        shaky = best.fragile or best.stability < 0.95
        assert ("First place is not firm" in sure(verdict)) == shaky == bool(shaky_first_place(verdict))
        if shaky:
            found += 1
            assert f"{100 * best.stability:.3g} % of resamples" in sure(verdict)
        if best.flips_one:
            assert f"{best.flips_one} of 5 data sets change" in sure(verdict)
        lines = sensitivity_lines(verdict)
        assert lines[: len(first_place_lines(verdict))] == first_place_lines(verdict)
        assert "least stable pair" in lines[-1]
    assert found


def test_a_firm_first_place_needs_no_warning():
    rng = np.random.default_rng(2)
    values = np.array([0.5, 0.3, 0.1])[:, None, None, None] + rng.normal(0, 0.01, (3, 20, 1, 1))
    names = tuple(f"set {i}" for i in range(20))
    data = bk.Scores(learners=tuple("abc"), values=values, measure="error", larger_is_better=False, datasets=names)
    verdict = bk.judge(data, prior=tuple("abc"))
    assert verdict.sensitivity.best.stability == 1.0
    assert "First place" not in sure(verdict)


# ---- the rival ---------------------------------------------------------------------------------------------------


def test_the_first_is_compared_with_its_strongest_rival_everywhere():
    verdict = five()
    first, rival = verdict.closest
    assert first == verdict.order[0]
    assert rival == min(verdict.rivals, key=verdict.means.__getitem__) != verdict.order[1]
    assert (verdict.bayes.first, verdict.bayes.second) == (first, rival)
    for name in ("scatter", "error-histograms", "simplex"):
        info = figure(name, verdict).info
        assert (info.first, info.second) == (first, rival), name


def test_where_every_other_is_worse_the_one_of_the_best_mean_is_the_rival():
    compared = five().comparison
    order = ("nmc", "max", "lgc", "tree", "nn")
    assert strongest_rival(order, (), compared) == "nn"
    assert strongest_rival(order, ("lgc", "tree"), compared) == "tree"
    assert strongest_rival(order, ("lgc", "max"), compared) == "lgc"


def test_the_report_lists_every_learner_and_the_text_a_few():
    verdict = five()
    assert "more learner" not in wins_lines(verdict)[0]
    assert all(f"against {name}" in wins_lines(verdict)[0] for name in verdict.order[1:])
    assert "1 more learner in the report" in repr(verdict)


# ---- names, advice, digits ---------------------------------------------------------------------------------------


def test_advice_on_the_first_screen_has_words_and_links():
    verdict = five()
    (answer,) = caution(verdict)
    for each in verdict.advice[1:]:
        assert f"{each.code} ({advice_titles([each.code])[each.code]})" in answer.sentence
    page = report_text(verdict, "html")
    for each in verdict.advice:
        assert f'<a href="#advice-{each.code}">{each.code}</a>' in page
        assert f'id="advice-{each.code}"' in page
    assert advice_titles(["K119", "no such code"]) == {"K119": "not significant is not equal"}


def test_learners_of_a_plan_are_spelled_out_and_those_of_a_file_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr("bestofk.reporting.page.figures_of", lambda verdict: ())
    assert learner_meanings(five()) == {}
    plan = bk.Plan(learners=["max", "nmc"], datasets=["iris"], folds="5x2", seed=1)
    verdict = bk.judge(bk.collect(plan, tmp_path / "r.db"))
    assert learner_meanings(verdict)["nmc"] == "Nearest mean: the class whose mean is nearest"
    page = report_text(verdict, "html")
    assert '<abbr title="Nearest mean: the class whose mean is nearest">nmc</abbr>' in page
    assert "Registered learners of these names: " in report_text(verdict, "md")


def test_a_mean_has_the_same_digits_in_the_list_and_in_the_reasons():
    verdict = five()
    digits = {mean_text(value) for value in verdict.means.values()}
    for reason in verdict.reasons:
        said = because_as_listed(reason, verdict)
        assert set(re.search(r"mean error (\S+) against (\S+);", said).groups()) <= digits
    assert {place.mean for place in places_of(verdict)} == digits
    assert mean_text(verdict.means[verdict.order[0]]) in answers(verdict)[0].sentence


def test_links_are_short_and_a_phone_has_them_too():
    page = report_text(five(), "html")
    rows = re.findall(r'<nav class="(row|folded)".*?</nav>', page, re.DOTALL)
    assert rows == ["row", "folded"]
    assert "<summary>Contents</summary>" in page
    assert page.count('<li><a href="#other-data-sets">Other data sets</a></li>') == 2
    style = (Path(bk.__file__).parent / "reporting" / "templates" / "report.css").read_text(encoding="utf-8")
    assert "nav { display: none; }" not in style


# ---- figures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values", [[-0.3, -0.2, 0.01], [0.2, 0.21, 0.4], [-4.0, -3.9], [0.0, 0.0], [-1e-9, 5.0], [0, 2]]
)
def test_no_bar_of_differences_holds_both_signs(values):
    edges = edges_at_zero(values, most=16)
    assert np.all(np.diff(edges) > 0)
    assert counts_in(values, edges).sum() == len(values)
    assert not np.any((edges[:-1] < -1e-12) & (edges[1:] > 1e-12)) or len(set(values)) == 1


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
    from bestofk.plots.figures import figure_of
    from bestofk.plots.pareto import ParetoInfo

    made = figure_of(ParetoInfo(("a", "b"), (1.0, 2.0), (0.1, 0.2), "fit_time", "error", False, unit="s"))
    assert "hollow: another is at least as good in both" in made.svg()
    assert "fit_time in s" in made.svg()
    free = figure_of(ParetoInfo(("a", "b"), (1.0, 2.0), (0.2, 0.1), "fit_time", "error", False))
    assert "hollow" not in free.svg()
