"""The first screen, the methods and the order never contradict the numbers: random verdicts of every kind."""

import pytest
from bestofk.reporting.certainty import answers, some

import bestofk as bk
from bestofk.reporting.methods import methods_of
from report_cases import EXAMPLES, PRIOR, scores


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
