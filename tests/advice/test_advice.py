"""Every pitfall fires on one fixture and is silent on another."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
import makers
from bestofk.advice import Case, title_of
from bestofk.advice.shelf import ADVICE
from bestofk.core.phrases import signed
from bestofk.evidence import Origin
from bestofk.stats import power
from makers import ROOT, bramer, codes, over_datasets, slow, with_gap
from measures.test_vector_advice import CASES as SEVERAL_MEASURES


def folds(shape=(5, 2), k=3, gap=0.2, **more):
    rng = np.random.default_rng(0)
    return makers.folds(gap * np.arange(k)[:, None, None] + rng.normal(0, 0.01, (k, *shape)), **more)


def table(datasets, k=3, gap=0.1, spread=0.01, **more):
    return makers.table(k, datasets, gap=gap, spread=spread, **more)


def items(groups):
    return makers.items(np.random.default_rng(0).integers(0, 2, (2, 30)).astype(float), groups=groups)


def twins():
    """The first and the last of three learners are one."""
    values = folds((1, 10)).values.copy()
    values[2] = values[0]
    return replace(folds((1, 10)), values=values)


def against_its_mean():
    """The first fold of 5x2cv-t speaks against the mean of all."""
    values = np.full((2, 5, 2), 0.5)
    values[0] += [[0.001, 0.0], [0.2, 0.2], [0.2, 0.2], [0.2, 0.2], [0.2, 0.2]]
    values[0, 0] = [0.3, 0.301]
    return makers.folds(values)


def mean_against_most():
    """The first is much better on one data set, and a little worse on three."""
    values = np.random.default_rng(8).normal(0.3, 0.02, (2, 4, 1, 10))
    values[0] += np.array([-0.25, 0.05, 0.05, 0.05])[:, None, None]
    return over_datasets(values)


def omnibus_accepts():
    """Two of six learners differ a little but always: Friedman over all sees nothing, a pair does."""
    rng = np.random.default_rng(6)
    values = 0.5 + rng.normal(0, 0.1, (6, 14))
    values[1] = values[0] + 0.01 + rng.normal(0, 0.001, 14)
    return over_datasets(values)


def one_large_difference():
    """Nine small losses in a row and one large: ranks see a difference, the t test does not."""
    return over_datasets([[1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 40], [0] * 10])


def circle():
    """Each of three learners beats the next on two data sets of three: every order has one against the tests."""
    return over_datasets(np.tile([[0.1, 0.3, 0.2], [0.2, 0.1, 0.3], [0.3, 0.2, 0.1]], (1, 20)))


def shared_difficulty(shared):
    """Ten times ten folds; ``shared`` is how much of a fold's difficulty all learners feel."""
    rng = np.random.default_rng(0)
    values = 0.3 + 0.02 * np.arange(3)[:, None, None] + rng.normal(0, 0.02, (3, 10, 10))
    return makers.folds(values + shared * rng.normal(0, 0.05, (10, 10)))


def along_training(steady):
    rng = np.random.default_rng(0)
    fall = np.linspace(0.3, 0.0, 7) if steady else rng.permutation(np.linspace(0.3, 0.0, 7))
    values = np.array([0.3, 0.32])[:, None] + fall + rng.normal(0, 0.002, (2, 7))
    return over_datasets(values, datasets=("10", "20", "50", "100", "200", "500", "1000"))


def with_counts(positives):
    rng = np.random.default_rng(0)
    tp = rng.integers(positives // 2, positives + 1, (2, 1, 5, 2)).astype(float)
    tn = rng.integers(80, 91, (2, 1, 5, 2)).astype(float)
    counts = np.stack([tp, positives - tp, 90 - tn, tn], axis=-1)
    return makers.folds((counts[..., 1] + counts[..., 2]) / counts.sum(axis=-1), counts=counts)


def failed(reason):
    values = table(12).values.copy()
    if reason:
        values[1, 3] = np.nan
    return over_datasets(values, failures={("b", "d3", "1", "1"): reason} if reason else {})


def runs(*last, measure="accuracy"):
    """Five runs of three learners about 0.9; ``last`` are those of the third."""
    values = np.random.default_rng(4).normal(0.9, 0.005, (3, 5))
    values[2, : len(last)] = last
    return bk.Runs(learners=tuple("abc"), values=tuple(values), measure=measure, larger_is_better=True)


def second_turned(turned):
    """Errors on data sets of unequal difficulty; those of the second may be turned."""
    rng = np.random.default_rng(0)
    values = rng.uniform(0.05, 0.25, 12) + rng.normal(0, 0.01, (3, 12))
    values[1] = 1.0 - values[1] if turned else values[1]
    return over_datasets(values)


def amounts(zero):
    found = makers.amounts()
    values = found.values.copy()
    values[2, 4] = 0.0 if zero else values[2, 4]
    return replace(found, values=values)


def mostly_equal(number):
    """Equal on 40 data sets but for so many of them."""
    first = np.random.default_rng(0).uniform(0.2, 0.3, 40)
    return over_datasets([first, first + 0.02 * (np.arange(40) < number)])


def training(steps):
    """Six curves of a with 10 steps, and of b with so many of 20."""
    values = 0.8 + 0.01 * np.random.default_rng(4).normal(size=(2, 6, 20))
    planned = tuple(np.tile(np.arange(20) < number, (6, 1)) for number in (10, steps))
    return bk.Curves(
        learners=("a", "b"), values=tuple(values), planned=planned, measure="accuracy", larger_is_better=True
    )


def crossing(last):
    """Six curves of a, which learns faster, and of b, which ends higher by so much."""
    along = np.array([[0.80] * 10, [*np.linspace(0.3, 0.7, 9), 0.80 + last]])
    values = along[:, None] + 0.01 * np.random.default_rng(4).normal(size=(2, 6, 10))
    return bk.Curves(learners=("a", "b"), values=tuple(values), measure="accuracy", larger_is_better=True)


def graded(measure, unit):
    """Grades of 40 items."""
    return makers.items(unit * np.random.default_rng(0).uniform(0, 1, (2, 40)), measure=measure)


COST = {"price": {"a": 1.0, "b": 1.0, "c": 2.0}}
TIME = {"fit_time": {"a": 10.0, "b": 1.0, "c": 9.0}}
ONE_RUN = Origin("cross_validate", assumed=("one-replication",))
SEARCHED = Origin("runs.csv", assumed=("settings-as-runs",))
PROMPTS = Origin("logs", assumed=("other-prompts",))
OF_SEARCH = Origin("cv_results_", assumed=("searched",))
ASSUMED = Origin("table", assumed=("rows-are-datasets",))
UNLOCKED = Origin("results.db", assumed=("plan-not-locked",))
PUBLIC = ("iris", "wine", "car", "balance", "breast", "credit", "nursery", "titanic", "krkopt", "digits")
NOT_EQUAL = table(12, k=2, gap=0.0, spread=0.05)
#: Code → (evidence that it fires on, options), (evidence that it is silent on, options).
CASES = {
    "K101": ((folds((1, 10)), {"test": "paired-t"}), (folds((1, 10)), {})),
    "K102": ((table(5), {"test": "wilcoxon"}), (table(5), {})),
    "K103": ((table(12, origin=ASSUMED), {}), (table(12), {})),
    "K104": ((omnibus_accepts(), {}), (table(12), {})),
    "K105": ((table(8), {}), (table(10), {})),
    "K106": ((items(tuple("xy" * 15)), {"groups": "fixed"}), (items(tuple("xy" * 15)), {})),
    "K107": ((table(14, k=6, gap=0.004), {"adjust": "bonferroni"}), (table(14, k=6, gap=0.004), {})),
    "K108": ((against_its_mean(), {"test": "5x2cv-t"}), (against_its_mean(), {})),
    "K109": ((folds(costs=COST), {"prior": "price"}), (folds(costs=COST), {"prior": ["a", "b", "c"]})),
    "K110": ((with_gap(table(12), (0, 0)), {"missing": "drop-datasets"}), (table(12), {"missing": "drop-datasets"})),
    "K111": (
        (folds((1, 10)), {"test": "sign", "force": True}),
        (folds((1, 10)), {"test": "corrected-t", "force": True}),
    ),
    "K112": ((one_large_difference(), {}), (table(12, k=2), {})),
    "K113": (
        (circle(), {"prior": list("abc"), "test": "sign"}),
        (circle(), {"prior": list("abc"), "test": "sign", "sides": "one"}),
    ),
    "K114": ((folds((1, 10), origin=ONE_RUN), {}), (folds((1, 10)), {})),
    "K115": ((over_datasets([[0.1, 0.2], [0.3, 0.4]]), {}), (table(12, k=2), {})),
    "K116": ((bramer(), {"test": "paired-t"}), (table(12, k=2), {"test": "paired-t"})),
    "K117": ((table(12, origin=UNLOCKED), {}), (table(12, origin=Origin("results.db")), {})),
    "K118": ((table(30, k=2, gap=0.004, spread=0.004), {}), (table(30, k=2, gap=0.04, spread=0.004), {})),
    "K119": ((NOT_EQUAL, {}), (table(200, k=2, gap=0.0, spread=0.005), {})),
    "K120": (
        (table(12, k=2, gap=0.002, spread=0.05, seed=3), {"prior": ["b", "a"]}),
        (table(12, k=2), {"prior": ["b", "a"]}),
    ),
    "K121": ((table(12), {"adjust": "none"}), (table(12), {"adjust": "holm"})),
    "K122": ((failed("out of memory"), {"missing": "keep"}), (failed(""), {})),
    "K123": ((shared_difficulty(0.0), {}), (shared_difficulty(1.0), {})),
    "K124": ((along_training(steady=True), {}), (along_training(steady=False), {})),
    "K125": ((with_counts(positives=5), {}), (with_counts(positives=90), {})),
    "K128": ((twins(), {}), (folds((1, 10)), {})),
    "K138": ((table(12, origin=SEARCHED), {}), (table(12), {})),
    "K139": ((folds((1, 10), origin=OF_SEARCH), {}), (folds((1, 10)), {})),
    "K140": ((table(12, origin=PROMPTS), {}), (table(12), {})),
    "K141": ((runs(0.1), {}), (runs(0.89), {})),
    "K142": ((second_turned(True), {}), (second_turned(False), {})),
    "K143": ((amounts(zero=True), {}), (amounts(zero=False), {})),
    "K144": ((mostly_equal(10), {}), (mostly_equal(30), {})),
    "K145": ((runs(0.89), {"within": 0.5}), (runs(0.89), {"within": 0.005})),
    "K146": ((training(20), {"curve": "best"}), (training(12), {"curve": "best"})),
    "K147": ((crossing(0.01), {}), (crossing(-0.02), {})),
    "K148": ((graded("seconds", 3), {"within": 0.1}), (graded("score", 1), {"within": 0.1})),
    "K137": ((mean_against_most(), {}), (table(12), {})),
    "K126": ((replace(table(10), datasets=PUBLIC), {}), (table(10), {})),
    "K127": (
        (table(12, gap=0.0, spread=0.05, costs=TIME, seed=1), {"prior": ["a", "b", "c"]}),
        (table(12, gap=0.2, costs=TIME), {"prior": ["a", "b", "c"]}),
    ),
}


def said(code, evidence, **options):
    """What an advice has seen; nothing where it is silent."""
    return next((each.seen for each in bk.judge(evidence, **options).advice if each.code == code), "")


@pytest.mark.parametrize("code", CASES)
def test_fires_on_one_and_is_silent_on_another(code):
    (fires, options), (silent, others) = CASES[code]
    assert code in codes(bk.judge(fires, **options))
    assert code not in codes(bk.judge(silent, **others))


@pytest.mark.parametrize("code", CASES)
def test_reads_as_a_sentence(code):
    evidence, options = CASES[code][0]
    line = next(repr(each) for each in bk.judge(evidence, **options).advice if each.code == code)
    assert line.startswith(f"{code}: ")
    assert line.endswith(".")
    assert ".." not in line
    assert "nan" not in line.lower().split()


#: One of them makes a few words a sentence.
VERBS = frozenset(re.findall(r"\w+", """
    is are was were do does has have may takes rests shows contradicts chose failed look fit say changes follow point
    decide disagree differ differs decides speaks got
"""))  # fmt: skip


@pytest.mark.parametrize("code", ADVICE.names())
def test_the_title_on_the_first_screen_is_a_sentence_and_short(code):
    title = title_of(code)
    assert VERBS & set(title.replace(",", "").split()), title
    assert len(title) <= 62


def with_one_large_loss(gap):
    """Better than two others by so much on 19 of 20 data sets; one large loss makes its mean the worst."""
    rows = 0.3 + np.random.default_rng(3).normal(0, 0.004, (3, 20))
    rows[0] -= gap
    rows[0, 0] += 0.5
    return over_datasets(rows)


def test_ranks_against_means_are_said_of_every_learner_concerned():
    for prior in (None, ["a", "b", "c"]):
        verdict = bk.judge(with_one_large_loss(0.02), test="wilcoxon", prior=prior)
        assert verdict.order[0] == "a"
        (found,) = (each for each in verdict.advice if each.code == "K108")
        assert "for a against b and c" in found.seen
        assert "5x2cv-t" not in repr(found)
    assert "K108" not in codes(bk.judge(with_one_large_loss(0.02), test="paired-t"))


def test_ranks_against_means_are_not_said_where_the_test_shows_nothing():
    verdict = bk.judge(with_one_large_loss(0.001), test="wilcoxon")
    assert verdict.order[0] == "a"
    assert verdict.status == "tied"
    assert "K108" not in codes(verdict)
    one_sided = bk.judge(table(12, k=3), prior=list("abc"), sides="one")  # a is best, and nobody asks whether
    assert not one_sided.comparison.significant.any()
    assert "K108" not in codes(one_sided)


@pytest.mark.parametrize("larger", [True, False])
@pytest.mark.parametrize("prior", [None, ["b", "a"]])
def test_k118_has_the_interval_of_the_table(larger, prior):
    rows = table(30, k=2, gap=0.004, spread=0.004).values[..., 0, 0]
    measure = "accuracy" if larger else "error"
    verdict = bk.judge(over_datasets(rows, measure=measure, larger_is_better=larger), prior=prior)
    (found,) = (each for each in verdict.advice if each.code == "K118")
    other = verdict.order[1]
    pair = verdict.comparison.pair(other, verdict.order[0])
    assert found.seen.startswith(other)
    assert f"({signed(pair.low)} to {signed(pair.high)})" in found.seen


def test_every_pitfall_has_a_case_and_a_page():
    assert tuple(sorted({*CASES, *SEVERAL_MEASURES})) == ADVICE.names()
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "reference").glob("advice*.md"))
    for code in ADVICE:
        assert f"## {code}" in pages


def test_a_learner_that_the_order_shows_to_be_worse_is_not_called_worth_having():
    evidence, options = CASES["K127"][0]
    comparison, ordering = makers.ordered(evidence, **options)
    named = ADVICE["K127"](Case(evidence, comparison, ordering)).seen.split()[0]
    again = ADVICE["K127"](Case(evidence, comparison, replace(ordering, edges=((named, ordering.order[0]),))))
    assert again is None or again.seen.split()[0] != named


def test_k147_says_nothing_of_an_end_that_the_headline_tells():
    assert said("K147", crossing(0.1)) == ""
    assert "at step 10 alone b is better" in repr(bk.judge(crossing(0.1)))
    assert said("K147", crossing(0.01), curve="final") == ""


def test_k116_names_the_data_sets_of_the_book():
    """Bramer, section 15.3: leaving out data sets 5 and 6 turns no difference into B better at 5 %."""
    seen = said("K116", bramer(), test="paired-t")
    assert seen == "nobody is best; without dataset 5 and dataset 6 B is"


@pytest.mark.parametrize(
    ("seed", "prior", "seen"),
    [
        (0, None, "b is best; without d0 nobody is"),
        (0, ["a", "b"], "b is best; without d0 a is taken"),
        (2, None, "nobody is best; without d3 b is"),
        (2, ["a", "b"], "a is taken; without d3 b is best"),
    ],
)
def test_k116_says_whether_the_other_is_best_or_taken_by_preference(seed, prior, seen):
    rows = 0.3 + np.random.default_rng(seed).normal(0, 0.01, (2, 12))
    rows[1] -= 0.006
    assert said("K116", over_datasets(rows), test="paired-t", prior=prior).partition(" (")[0] == seen


def test_data_sets_named_by_numbers_are_said_to_be_data_sets():
    assert "data set 5 and data set 6" in said(
        "K116", replace(bramer(), datasets=tuple(map(str, range(1, 11)))), test="paired-t"
    )


#: The sample's standard deviation of 12 differences is too small as often as too large when it grows by this.
USUAL = np.sqrt(11 / stats.chi2.median(11))


def test_k119_tells_what_the_t_test_would_see():
    """The number is that of stats.power for the pair's own spread."""
    spread = USUAL * np.std(NOT_EQUAL.values[0, :, 0, 0] - NOT_EQUAL.values[1, :, 0, 0], ddof=1)
    expected = spread * power.detectable("paired-t", 12).effect
    assert f"differences below {expected:.2g} " in said("K119", NOT_EQUAL, test="paired-t")


def test_k119_speaks_of_the_first_two_of_the_best():
    """Three of four are not significantly different: the advice is on the two with the best ranks."""
    rng = np.random.default_rng(2)
    levels = np.array([0.30, 0.20, 0.21, 0.60])
    rows = levels[:, None] + 0.05 * rng.normal(size=(4, 12))
    verdict = bk.judge(over_datasets(rows))
    assert verdict.status == "tied"
    one, other = verdict.order[:2]
    assert set(verdict.best_set) >= {one, other}
    assert f"{one} and {other}, tested alone," in next(each.seen for each in verdict.advice if each.code == "K119")


def test_k119_is_silent_where_there_is_a_winner():
    rows = np.array([0.2, 0.4, 0.4])[:, None] + 0.03 * np.random.default_rng(3).normal(size=(3, 12))
    verdict = bk.judge(over_datasets(rows))
    assert verdict.status == "decided"
    assert not verdict.comparison.significant.all()
    assert "K119" not in codes(verdict)


@pytest.mark.parametrize(
    ("evidence", "options", "ways"),
    [
        (table(5), {"test": "wilcoxon"}, ("at least 6 data sets", "paired-t")),
        (table(4), {"test": "sign"}, ("at least 6 data sets", "paired-t")),
        (items(tuple("wxyz" * 7 + "wx")), {}, ("at least 6 groups", "--groups fixed")),
    ],
)
def test_k102_names_what_could_show_something(evidence, options, ways):
    """Six signs that agree have p = 2/64: the fewest below 0.05."""
    verdict = bk.judge(evidence, **options)
    assert (verdict.status, verdict.decidable) == ("undecided", False)
    said_ = next(each for each in verdict.advice if each.code == "K102")
    assert all(way in said_.do for way in ways)
    assert "K119" not in codes(verdict)  # nothing to plan a difference for


@pytest.mark.parametrize(
    ("evidence", "named"),
    [
        (over_datasets([[0.0, 0.1, 0.2, 0.3], [0.1, 0.2, 0.3, 0.5]], measure="rmse"), False),  # 0 has no ratio
        (over_datasets([[0.0, 0.1, 0.2, 0.3], [0.1, 0.2, 0.3, 0.5]], measure="error"), True),
        (makers.items(np.array([[1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 0.0, 1.0]])), False),
        (makers.items(np.array([[0.9, 0.1, 1.0, 0.8], [0.2, 0.0, 0.4, 0.7]])), True),
    ],
)
def test_k102_names_a_test_of_means_only_where_results_have_one_unit_and_may_be_normal(evidence, named):
    options = {"test": "sign"} if isinstance(evidence, bk.Scores) else {}
    (found,) = (each for each in bk.judge(evidence, **options).advice if each.code == "K102")
    assert ("--test paired-t" in found.do) == named


def test_k119_is_silent_where_all_that_matters_would_have_been_seen():
    assert not said("K119", NOT_EQUAL, rope=0.2)
    seen = said("K119", NOT_EQUAL)
    assert seen
    assert said("K119", NOT_EQUAL, rope=0.0) == seen  # every difference matters: none to plan for


def test_k119_knows_no_scale_and_says_it_in_units_of_the_measure():
    """Bramer, Fig. 15.2: the differences have a standard deviation of 6.929; ten data sets see 0.996 of it."""
    spread = 6.929 * np.sqrt(9 / stats.chi2.median(9))
    seen = said("K119", bramer(), test="paired-t")
    assert f"differences below {0.996 * spread:.2g} " in seen


def test_k119_is_about_the_choice_where_one_is_preferred():
    evidence = bk.read(ROOT / "examples" / "five_by_two.csv")
    for prior, pair in ((["tree", "nn", "lgc", "nmc", "max"], "lgc and tree"), (None, "lgc and nmc")):
        assert f"between {pair}, tested alone" in bk.judge(evidence, prior=prior).advice[0].seen


def test_k118_measures_by_the_rope_that_was_given():
    evidence = table(30, k=2, gap=0.004, spread=0.004)
    assert "less than 0.01" in said("K118", evidence)
    assert not said("K118", evidence, rope=0.001)
    assert "less than 0.05" in said("K118", table(30, k=2, gap=0.04, spread=0.004), rope=0.05)


def test_k102_names_a_family_only_where_it_is_one():
    """The winner's tests are not adjusted; questions of one side are."""
    alone = said("K102", table(5), test="wilcoxon")
    assert "p = 0.0625 at best" in alone
    assert "pairs" not in alone
    one_sided = said("K102", table(5), test="wilcoxon", prior=list("abc"), sides="one")
    assert "p = 0.0312 at best" in one_sided
    assert "adjustment for 3 pairs" in one_sided


@pytest.mark.parametrize("number", [5, 12])
def test_k115_is_said_of_every_unit(number):
    hard = np.linspace(0.2, 0.4, number)
    assert f"{number} data sets" in said("K115", over_datasets([hard, hard + 0.1]), test="paired-t")
    constant = bk.read({"a": [0.9] * number, "b": [0.8] * number}, rows="runs", measure="accuracy")
    assert f"{number} runs" in said("K115", constant)


def test_k121_counts_false_discoveries():
    assert "0.15 of them" in said("K121", table(12), adjust="none")  # 3 pairs at 0.05
    assert "benjamini-hochberg" in said("K121", table(12), adjust="benjamini-hochberg")


@pytest.mark.parametrize(
    "evidence",
    [
        twins(),
        makers.items(np.array([[1, 0, 1, 1, 0, 1, 1], [0, 1, 1, 1, 1, 1, 0], [1, 0, 1, 1, 0, 1, 1]], dtype=float)),
        makers.curves([np.eye(4), np.eye(4)[::-1] + 0.1, np.eye(4)]),
    ],
    ids=["folds", "items", "curves"],
)
def test_learners_with_identical_results_are_named_first(evidence):
    said = bk.judge(evidence).advice[0]
    assert said.code == "K128"
    assert "a and c are identical" in said.seen


def test_several_measures_are_identical_only_in_all_of_them():
    same = replace(twins(), others={"fnr": twins().values, "fpr": folds((1, 10)).values})
    assert "K128" in codes(bk.judge(same, on="error,fnr"))
    assert "K128" not in codes(bk.judge(same, on="error,fpr"))


@pytest.mark.parametrize(
    ("accuracies", "diverged"),
    [
        ([0.9, 0.91, 0.1, 0.905, 0.12, 0.9, 0.9], "2 of 7 of a"),
        ([0.93, 0.931, 0.929, 0.1, 0.1], "2 of 5 of a"),
        ([0.93, 0.931, 0.929, 0.1, 0.1, 0.1], ""),
    ],
)
def test_fewer_than_half_that_diverged_are_counted_and_nobody_is_called_turned_round(accuracies, diverged):
    values = (np.array(accuracies), np.linspace(0.88, 0.89, len(accuracies)))
    verdict = bk.judge(bk.Runs(learners=("a", "b"), values=values, measure="accuracy", larger_is_better=True))
    seen = [each.seen for each in verdict.advice if each.code == "K141"]
    assert [diverged in each for each in seen] == [True] * bool(diverged)
    assert "K142" not in codes(verdict)


def test_runs_turned_round_are_seen_and_a_learner_that_guesses_is_not_called_so():
    turned_round = runs(*(0.1 + 0.005 * np.arange(5)))
    assert "of c" in said("K142", turned_round)
    assert not said("K142", runs(*[0.1] * 5))  # one class of ten, always the same


@pytest.mark.parametrize("kind", ["runs", *slow("data sets", "folds", "items")])
def test_ordinary_values_do_not_look_wrong(kind):
    """Of the designs of ``benchmarks/calibration``: no alarm in 150 verdicts each, or one."""
    rng, alarms = np.random.default_rng(5), 0
    for _ in range(150):
        level = rng.uniform(0.03, 0.7)
        if kind == "runs":
            values = level + rng.uniform(0, 0.05, (3, 1)) + rng.normal(0, 0.01, (3, 5))
            evidence = bk.Runs(learners=tuple("abc"), values=tuple(values), measure="error", larger_is_better=False)
        elif kind == "items":
            evidence = makers.items((rng.random((3, 200)) < rng.beta(4, 1.5, 200)).astype(float))
        else:
            values = np.clip(level + rng.normal(0, 0.05, (1, 12)) + rng.normal(0, 0.03, (3, 12)), 0, 1)
            evidence = over_datasets(values) if kind == "data sets" else makers.folds(values[:, None])
        case = Case(evidence, bk.compare(evidence), None)
        alarms += any(ADVICE[code](case) is not None for code in ("K141", "K142"))
    assert alarms <= 1


@pytest.mark.parametrize("larger_is_better", [True, False])
def test_answers_that_are_turned_round_are_seen(larger_is_better):
    rng = np.random.default_rng(2)
    right = rng.random(200) < 0.9
    noisy = [right ^ (rng.random(200) < 0.02) for _ in range(3)]
    values = np.array([noisy[0], noisy[1], ~noisy[2]], dtype=float)
    named = {"learners": ("a", "b", "c"), "values": values, "larger_is_better": larger_is_better}
    assert "of c" in said("K142", bk.Items(measure="correct" if larger_is_better else "error", **named))


def test_counts_beyond_any_sum_are_of_no_rare_class():
    """They are answered without a warning."""
    evidence = with_counts(positives=5)
    huge = replace(evidence, counts=np.where(evidence.counts > 0, 1e308, 0.0))
    assert "K125" not in codes(bk.judge(huge))
