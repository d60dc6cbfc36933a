"""The first screen, the methods and the order never contradict the numbers: random verdicts of every kind."""

import re

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting.certainty import answers, some, title
from bestofk.reporting.methods import methods_of
from bestofk.reporting.places import places_of
from bestofk.reporting.words import all_ranked
from report_cases import EXAMPLES, PRIOR, scores
from test_words import random_case


@pytest.mark.parametrize("seed", range(120))
def test_the_first_screen_agrees_with_the_fields(seed):
    evidence, options = random_case(np.random.default_rng(1000 + seed))
    verdict = bk.judge(evidence, **options)
    which, why, sure = (answer.sentence for answer in answers(verdict))
    check_title(verdict, which)
    check_why(verdict, why)
    check_sure(verdict, sure)
    check_places(verdict)


def check_title(verdict, which):
    first = verdict.order[0]
    alone = " by preference alone" * any(advice.code == "K102" for advice in verdict.advice)
    assert (
        title(verdict)
        == {
            "decided": f"{first} is best",
            "preferred": f"{first} is the choice{alone}",
            "tied": "No single best",
            "undecided": "No best is found",
        }[verdict.status]
    )
    assert ("not a proven winner" in which) == (verdict.status == "preferred")
    assert first in which


def check_why(verdict, why):
    if verdict.status == "decided":
        worse = "ranked by Multi²Test below" if all_ranked(verdict) else "significantly worse than"
        assert f"{worse} {verdict.best}" in why
    if verdict.status in ("tied", "preferred"):
        overtaken = (name for name, _ in verdict.overtaken)
        assert all(name in why for name in (*verdict.rivals, *verdict.beaten_by, *overtaken))


def check_sure(verdict, sure):
    """Whoever is said to be worse is worse; every p said is one of the table; whoever is open is named."""
    rows = {row["learner"]: row for row in verdict.rows()[1:]}
    worse = {name for name, row in rows.items() if row["against first"] == "worse"}
    said = re.search(r"(?:is better than|Multi²Test ranks \S+ above) (.+?) \(", sure)
    found = set(re.split(", | and ", said.group(1))) if said and worse else set()
    beside = re.search(r"and shows (.+?) to be worse than", sure)  # by the test of pairs, not by Multi²Test
    assert (found | set(re.split(", | and ", beside.group(1))) if beside else found) == worse
    limit = re.search(r"each p ≤ (\S+),", sure)
    if limit:
        assert max(rows[name]["p against first"] for name in found) <= float(limit.group(1))
    nearest = re.search(r"smallest p = (\S+?)\)", sure)
    if nearest:
        smallest = min(rows[name]["p against first"] for name in verdict.rivals)
        assert float(nearest.group(1)) == pytest.approx(smallest, rel=0.06)
    opened = re.search(r"(?:Not shown: any difference from|Not separated by Multi²Test:) (.+?) \(", sure)
    assert (set(re.split(", | and ", opened.group(1))) if opened else set()) == set(verdict.rivals)
    against = re.search(r"Shown against it(?: by \S+)?: (.+?) (?:is|are) better", sure)
    assert (set(re.split(", | and ", against.group(1))) if against else set()) == set(verdict.beaten_by)
    assert f"{100 * verdict.alpha:g} %" in sure


def check_places(verdict):
    places = places_of(verdict)
    assert tuple(place.learner for place in places) == verdict.order
    for place in places[1:]:
        assert (place.state == "better") == (place.learner in verdict.beaten_by)
        assert (place.state == "open") == (place.learner in verdict.rivals)


def test_learners_that_were_not_compared_are_named_as_such():
    evidence = bk.read(EXAMPLES / "five_by_two.csv")
    verdict = bk.judge(evidence, control="max", prior=PRIOR)
    sure = answers(verdict)[2].sentence
    assert verdict.not_compared
    assert all(name in sure.split("Not compared with it: ")[1] for name in verdict.not_compared)


@pytest.mark.parametrize(
    ("adjust", "words"),
    [
        ("none", "each of the 10 comparisons"),
        ("benjamini-hochberg", "expected to be mistaken"),
        ("finner", "If no two learners differed"),
        ("holm", "any false finding among 10 comparisons"),
    ],
)
def test_what_the_level_means_depends_on_the_adjustment(adjust, words):
    verdict = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"), prior=PRIOR, adjust=adjust)
    assert words in answers(verdict)[2].sentence
    assert (f"by {adjust} (" in methods_of(verdict).paragraph) == (adjust != "none")


def test_many_names_are_cut_and_counted():
    assert some(tuple("abcdefg")) == "a, b, c, d, e, f and g"
    names = tuple(f"n{i}" for i in range(30))
    verdict = bk.judge(scores(names, spread=0.0))
    which, why, sure = (answer.sentence for answer in answers(verdict))
    assert "24 others" in which
    assert "others" in why
    assert len(which + why + sure) < 900


def test_methods_say_what_the_settings_are():
    verdict = bk.judge(bk.read(EXAMPLES / "language_models.csv"), prior="price", alpha=0.01, adjust="holm")
    paragraph = methods_of(verdict).paragraph
    for part in ("holm (Holm 1979)", "level 0.01", "by price, smaller first", verdict.test, "multitest (Yıldız"):
        assert part in paragraph
    forced = bk.judge(bk.read(EXAMPLES / "five_by_two.csv"), test="wilcoxon", force=True)
    assert "although the design does not allow this test" in methods_of(forced).paragraph
