"""The paragraph on methods names every test, adjustment and method that a verdict rests on, with its papers."""

from __future__ import annotations

import re

import numpy as np
import pytest

import bestofk as bk
from bestofk.comparing.test_choice import SPECIAL
from bestofk.core.errors import InputError
from bestofk.ordering import ORDERINGS
from bestofk.ordering.methods import GROUPS
from bestofk.reporting.method_names import CALLED, called
from bestofk.reporting.methods_paragraph import methods_of
from bestofk.reporting.papers import references_of
from bestofk.reporting.words import best_set_sentence
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import CURVES
from bestofk.stats.method import Paper, adjustment, limits_of, method_of
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE
from makers import amounts, runs, task_runs
from makers_measures import EXAMPLES, probability_lines, saved

NAMES = ("a", "b", "c", "d")
SHELVES = (PAIRWISE, OMNIBUS, RANGES, CURVES, SPECIAL, ADJUST, ORDERINGS)


def scores(datasets, replications=1, folds=1, seed=1, gap=0.03):
    rng = np.random.default_rng(seed)
    values = 0.2 + gap * np.arange(4)[:, None, None, None] + rng.normal(0, 0.03, (4, datasets, replications, folds))
    labels = tuple(f"d{i}" for i in range(datasets))
    return bk.Scores(learners=NAMES, values=values, measure="error", larger_is_better=False, datasets=labels)


def items():
    values = np.random.default_rng(2).integers(0, 2, size=(4, 40))
    return bk.Items(learners=NAMES, values=values, measure="correct", larger_is_better=True)


def curves():
    values = tuple(np.random.default_rng(3).normal(i, 0.3, (5, 8)) for i in range(3))
    return bk.Curves(learners=NAMES[:3], values=values, measure="accuracy", larger_is_better=True)


def evidence_for(test):
    design = method_of(PAIRWISE[test]).design
    if design == "items":
        return items()
    if design == "runs":
        return runs(np.random.default_rng(4).normal(0.3, 0.01, (4, 8)))
    return scores(8) if design == "values" else scores(1, 5, 2) if "5x2" in test else scores(1, 10, 10)


def says(verdict, name):
    """Whether the paragraph has the name followed by its papers, which are then listed."""
    methods = methods_of(verdict)
    papers = references_of(name)
    cited = f"{called(name)} ({'; '.join(paper.short for paper in papers)})"
    return bool(papers) and cited in text_of(verdict) and set(papers) <= set(methods.references)


def text_of(verdict):
    return " ".join(methods_of(verdict).paragraphs)


@pytest.mark.parametrize("shelf", SHELVES, ids=lambda shelf: shelf.kind)
def test_every_name_has_papers(shelf):
    unnamed = [name for name in shelf if not references_of(name) and name != "none"]
    assert not unnamed, f"{unnamed} of {shelf.kind} name no papers in their decorator"


@pytest.mark.parametrize("shelf", SHELVES, ids=lambda shelf: shelf.kind)
def test_every_name_says_what_it_assumes_and_what_it_is_not_for(shelf):
    missing = [name for name, part in shelf.items() if limits_of(part).keys() != {"assumes", "not for"}]
    assert not missing, f"{missing} of {shelf.kind} lack assumes= or not_for= in their decorator"


def test_an_adjustment_says_what_it_holds_and_its_paper(monkeypatch):
    sidak = Paper("Šidák 1967", "Šidák, Z. Rectangular confidence regions. JASA 62(318), 626–633, 1967.")
    for name, facts in (("held", adjustment("family", papers=(sidak,))), ("share", adjustment("fdr", papers=(sidak,)))):
        monkeypatch.setitem(ADJUST._own, name, facts(lambda p: np.minimum(1.0, 3.0 * np.asarray(p))))
        verdict = bk.judge(scores(12, gap=0.01), test="sign", adjust=name)
        assert verdict.status == "tied"
        assert says(verdict, name)
        assert ("(95 %)" in best_set_sentence(verdict)) == (name == "held")
        assert ("false discovery rate" in methods_of(verdict).paragraph) == (name == "share")
    monkeypatch.setitem(ADJUST._own, "pairs", adjustment("family", all_pairs=True)(lambda p: np.asarray(p)))
    with pytest.raises(InputError, match="pairs adjusts the p values of all pairs"):
        bk.judge(scores(12), test="sign", adjust="pairs", control=scores(12).learners[0])
    monkeypatch.setitem(ADJUST._own, "bare", lambda p: np.asarray(p))
    with pytest.raises(InputError, match="does not say which error it holds"):
        bk.judge(scores(12), test="sign", adjust="bare")


@pytest.mark.parametrize("test", [*PAIRWISE, "nemenyi"])
def test_every_test_of_pairs_is_named(test):
    assert says(bk.judge(scores(12) if test == "nemenyi" else evidence_for(test), test=test), test)


@pytest.mark.parametrize("adjust", [name for name in ADJUST if name != "none"])
def test_every_adjustment_is_named(adjust):
    assert says(bk.judge(scores(12), test="sign", adjust=adjust), adjust)


@pytest.mark.parametrize("method", ORDERINGS.names())
def test_every_method_is_named_or_refused(method):
    if method in GROUPS:
        with pytest.raises(InputError):
            bk.judge(scores(12), prior=NAMES, method=method)
    else:
        assert says(bk.judge(scores(12), prior=NAMES, method=method), method)


@pytest.mark.parametrize(
    ("evidence", "omnibus"),
    [
        (scores(12), "friedman (Iman–Davenport)"),
        (scores(1, 5, 2), "repeated-anova (Greenhouse–Geisser)"),
        (items(), "cochran-q"),
        (curves(), "randomized-anova"),
    ],
    ids=["data sets", "folds", "items", "curves"],
)
def test_the_test_over_all_learners_is_named(evidence, omnibus):
    verdict = bk.judge(evidence)
    assert verdict.comparison.omnibus.test == omnibus
    assert f"{called(omnibus)} (" in methods_of(verdict).further
    assert set(references_of(omnibus)) <= set(methods_of(verdict).references)


def test_tests_of_whole_curves_are_named():
    verdict = bk.judge(curves())
    for name in (verdict.test, "split-plot-anova"):
        assert says(verdict, name)
    assert verdict.comparison.quantity in methods_of(verdict).paragraph
    assert says(bk.judge(curves(), test="randomized-t"), "randomized-t")


def test_the_winner_test_is_named_where_it_decides():
    named = {paper.short for paper in references_of("winner")}
    assert named == {"Gutmann and Maymin 1987", "Hung and Fithian 2019"}
    for gap, status, prior in ((0.03, "decided", None), (0.03, "decided", NAMES[::-1]), (0.0, "tied", None)):
        verdict = bk.judge(scores(12, gap=gap), prior=prior)
        methods = methods_of(verdict)
        assert verdict.status == status
        assert named & {paper.short for paper in methods.references} == (named if status == "decided" else set())
        assert ("without adjustment" in methods.paragraph) == (status == "decided")
    two = bk.judge(bk.Scores(**{**fields(scores(12)), "learners": ("a", "b"), "values": scores(12).values[:2]}))
    assert two.status == "decided"  # by the one test that there is
    assert not named & {paper.short for paper in methods_of(two).references}


@pytest.mark.parametrize(("adjust", "hold"), [("holm", True), ("none", False), ("benjamini-hochberg", False)])
def test_rank_intervals_are_named_where_they_hold_together(adjust, hold):
    methods = methods_of(bk.judge(scores(12), adjust=adjust))
    assert ("Mogstad et al. 2024" in {paper.short for paper in methods.references}) == hold
    assert ("Rank intervals" in methods.paragraph) == hold


@pytest.mark.parametrize(
    ("evidence", "within"),
    [(scores(4, 5, 2), "corrected-t"), (scores(4, 3, 5), "repeated-cv-t"), (task_runs(), "welch-t")],
    ids=["folds", "repeated folds", "runs"],
)
def test_a_stratified_test_is_named_with_that_of_every_data_set(evidence, within):
    verdict = bk.judge(evidence)
    assert (verdict.test, verdict.scope) == ("stratified-t", "these data sets")
    assert says(verdict, "stratified-t")
    assert says(verdict, within)


def test_ratios_and_levels_of_intervals_are_said():
    ratio = methods_of(bk.judge(amounts())).paragraph
    assert "on logarithms of rmse" in ratio
    assert "listed by mean rank" in ratio
    assert "listed by error" in methods_of(bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")).paragraph
    assert "listed by rating" in methods_of(bk.judge(EXAMPLES / "battles.csv")).paragraph
    assert "the level that decided the pair" in methods_of(bk.judge(scores(12))).paragraph
    single = methods_of(bk.judge(scores(12), intervals="single", alpha=0.1)).paragraph
    assert "same test, at 90 %" in single
    assert "logarithms" not in single
    one = methods_of(bk.judge(scores(12), prior=NAMES, sides="one")).paragraph
    assert "one-sided" in one
    assert "one-sided" not in single


def test_what_stands_beside_the_pairs_over_data_sets_is_named():
    features = {f"d{i}": {"rows": 100.0 + i, "noise": float(i % 3)} for i in range(12)}
    verdict = bk.judge(scores(12, 5, 2), features=features, rope=0.02)
    paragraph, listed = text_of(verdict), {paper.short for paper in methods_of(verdict).references}
    assert "the Bayesian sign test with a rope of 0.02 (Benavoli et al. 2017)" in paragraph
    assert "the hierarchical Bayesian model of all folds (Corani et al. 2017)" in paragraph
    assert f"{verdict.sensitivity.resamples:,} bootstrap samples of the data sets (Efron 1979)" in paragraph
    assert "features of the data sets (Westfall and Young 1993)" in paragraph
    assert says(verdict, "corrected-t")  # wins are counted by it
    assert {"Westfall and Young 1993", "Efron 1979", "Corani et al. 2017"} <= listed


def test_nothing_is_named_that_was_not_done():
    paragraph = text_of(bk.judge(scores(1, 5, 2)))
    assert not any(word in paragraph for word in ("Bayesian", "bootstrap", "features", "Nemenyi", "wins"))
    two = bk.judge(bk.Scores(**{**fields(scores(12)), "learners": ("a", "b"), "values": scores(12).values[:2]}))
    assert two.test == "wilcoxon"
    assert says(two, "paired-t")
    assert says(two, "sign")


def fields(evidence):
    return {"measure": evidence.measure, "larger_is_better": False, "datasets": evidence.datasets}


def test_with_a_control_its_pairs_are_adjusted_for():
    paragraph = methods_of(bk.judge(scores(12), control="c", adjust="holm")).paragraph
    assert "3 pairs with the control c" in paragraph
    assert "Holm's method (Holm 1979)" in paragraph


def test_settings_are_said():
    verdict = bk.judge(bk.read(EXAMPLES / "model_prices.csv"), prior="price", alpha=0.01, adjust="holm")
    paragraph = methods_of(verdict).paragraph
    for part in ("Holm's method (Holm 1979)", "0.01", "price", called(verdict.test), "MultiTest (Yıldız"):
        assert part in paragraph
    forced = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"), test="wilcoxon", force=True)
    assert "does not allow" in methods_of(forced).paragraph


@pytest.mark.parametrize("on", ["tpr,fpr", "roc", "tpr@0.3,fpr@0.3,tpr@0.6,fpr@0.6"])
def test_tests_of_several_measures_are_named(tmp_path, on):
    path = saved(tmp_path, probability_lines(groups=True)[2])
    verdict = bk.judge(path, on=on)
    assert says(verdict, verdict.test)


@pytest.mark.parametrize("shelf", SHELVES, ids=lambda shelf: shelf.kind)
def test_every_name_has_words(shelf):
    own = {"none", "ranges", "cliques"}
    assert {name for name in shelf if called(name) == name} <= own


def test_a_choice_by_a_margin_cites_its_bounds_and_no_order_of_tests():
    evidence = bk.read(EXAMPLES / "model_prices.csv")
    chosen, open_ = (bk.judge(evidence, prior="price", within=margin) for margin in (0.15, 0.001))
    assert (chosen.status, open_.status) == ("within", "undecided")
    for verdict in (chosen, open_):
        text, shorts = text_of(verdict), [paper.short for paper in methods_of(verdict).references]
        assert "Hsu 1981" in shorts
        assert "MultiTest" not in text
        assert "Yıldız and Alpaydın 2006" not in shorts
        assert f"= {verdict.alpha / (len(verdict.order) - 1):.3g} " in text
        assert f"within {verdict.within.margin:g} of" in text
    assert {"smaller price", *chosen.within.learners} <= {
        each for each in ("smaller price", *chosen.order) if each in text_of(chosen)
    }
    plain = methods_of(bk.judge(evidence, prior="price"))
    assert "Hsu 1981" not in [paper.short for paper in plain.references]


def verdicts():
    """One verdict of each kind of evidence, and of the settings that a paragraph speaks of."""
    yield bk.judge(scores(1, 5, 2), prior=NAMES)
    yield bk.judge(scores(12, 5, 2), prior=NAMES)
    yield bk.judge(scores(12, 5, 2), prior=NAMES, method="multi2test")
    yield bk.judge(scores(12), control="c")
    yield bk.judge(scores(12), test="nemenyi")
    yield bk.judge(scores(4, 5, 2))
    yield bk.judge(amounts())
    yield bk.judge(items())
    yield bk.judge(curves())
    yield bk.judge(task_runs())
    yield bk.judge(bk.read(EXAMPLES / "language_models.csv"), prior="price")
    yield bk.judge(bk.read(EXAMPLES / "model_prices.csv"), prior="price", within=0.15)
    yield bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")


def test_a_paragraph_is_short_and_has_no_names_of_options():
    names = [*CALLED, *(name for shelf in SHELVES for name in shelf)]
    codes = {name for name in names if "-" in name and name.islower() and called(name) != name} - {"mid-p"}
    for verdict in verdicts():
        methods = methods_of(verdict)
        words = re.sub(r" \([^()]*\b(?:18|19|20)\d\d\)", "", methods.paragraph).split()  # but for the references
        assert 40 < len(words) <= 110, methods.paragraph
        found = {word.strip(".,;:()") for paragraph in methods.paragraphs for word in paragraph.split()}
        assert not found & codes
        sentences = re.split(r"(?<=[.]) (?=[A-Z])", " ".join(methods.paragraphs))
        assert len(sentences) == len(set(sentences))
