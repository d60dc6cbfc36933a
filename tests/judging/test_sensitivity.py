"""How a verdict hangs on its data sets: every number is that of judging the changed evidence itself."""

from itertools import combinations

import numpy as np
import pytest

import bestofk as bk
from bestofk.advice import dataset_question as adviser
from bestofk.advice.advice import listed_datasets
from bestofk.judging.findings import MOST_ONE
from bestofk.judging.findings.sensitivity import sensitivity_of
from bestofk.plots.gallery import figure, figures_for
from bestofk.stats.method import method
from bestofk.stats.pair import paired
from bestofk.stats.pairwise import PAIRWISE, paired_t
from makers import ROOT, bramer, codes, ordered, over_datasets, slow, table, with_folds, with_gap


def sloped(learners, datasets, seed, **more):
    return table(learners, datasets, seed=seed, gap=0.03, spread=0.06, digits=3, **more)


def sensitivity(evidence, *, resamples=20, **options):
    return sensitivity_of(evidence, *ordered(evidence, **options), resamples=resamples)


def concluded(verdict, pair):
    found = verdict.comparison.pair(*pair)
    return found.better if found.significant else None


def best_of(verdict):
    """The winner, or with a preference whom it takes."""
    return verdict.best if verdict.prior is None else verdict.order[0]


FLIPPED = [
    {},
    {"prior": list("dcba"), "adjust": "holm", "test": "paired-t"},
    {"prior": list("badc"), "test": "paired-t", "alpha": 0.2},
    {"prior": list("dbca"), "test": "nemenyi", "alpha": 0.3},
    {"prior": list("cdba"), "test": "permutation-t", "adjust": "none"},
    {"test": "sign", "adjust": "shaffer", "alpha": 0.3},
    {"control": "b", "test": "wilcoxon", "adjust": "hommel", "alpha": 0.1},
    {"control": "c", "prior": list("dcab"), "test": "paired-t", "adjust": "holm", "alpha": 0.2},
    {"control": "d", "prior": list("dacb"), "test": "nemenyi", "alpha": 0.3},
    {"method": "multi2test", "prior": list("dcba"), "alpha": 0.3},
    {"method": "test-first", "prior": list("dcba"), "test": "paired-t"},
    {"prior": list("dcba"), "test": "wilcoxon", "alpha": 0.2},
    {"prior": list("dcba"), "test": "sign", "alpha": 0.4},
    {"test": "sign", "alpha": 0.4},
]
TURNED = [(options, place % 2 == 0) for place, options in enumerate(FLIPPED)]


@pytest.mark.parametrize(
    ("options", "larger"), [*TURNED, *slow(*((options, not larger) for options, larger in TURNED))]
)
def test_flips_are_those_of_judging_without_the_data_sets(options, larger):
    evidence = sloped(4, 8, seed=1)
    if larger:
        evidence = over_datasets(1 - evidence.values, measure="accuracy", larger_is_better=True)
    found = sensitivity(evidence, **options)
    full = bk.judge(evidence, **options)
    for size in (1, 2):
        flips = dict.fromkeys(full.comparison.pairs, 0)
        best = 0
        for without in combinations(evidence.datasets, size):
            verdict = bk.judge(evidence.without(datasets=without), **options)
            best += best_of(verdict) != best_of(full)
            for pair in flips:
                flips[pair] += concluded(verdict, pair) != concluded(full, pair)
        counted = [each.flips_one if size == 1 else each.flips_two for each in found.pairs]
        assert counted == list(flips.values())
        if found.best is not None:
            assert best == (found.best.flips_one if size == 1 else found.best.flips_two)
    assert [each.conclusion for each in found.pairs] == [concluded(full, pair) for pair in full.comparison.pairs]
    assert (found.best is None) == (options.get("method") == "test-first")
    if found.best is not None:
        assert found.best.conclusion == best_of(full)


@pytest.mark.parametrize("prior", [list("bca"), list("cba"), list("cab"), list("abc")])
def test_first_place_goes_through_a_control_that_stands_between(prior):
    """b, the control, is shown to be better than c and worse than a: so is a than c, wherever b is preferred."""
    noise = np.random.default_rng(0).normal(0, 0.05, (3, 7))
    evidence = over_datasets(np.array([0.1, 0.22, 0.4])[:, None] + noise)
    options = {"control": "b", "prior": prior, "test": "paired-t"}
    full, found = bk.judge(evidence, **options), sensitivity(evidence, **options)
    assert found.best.conclusion == full.order[0] == "a"
    for size, flips in ((1, found.best.flips_one), (2, found.best.flips_two)):
        sets = combinations(evidence.datasets, size)
        then = [bk.judge(evidence.without(datasets=each), **options).order[0] for each in sets]
        assert flips == sum(name != "a" for name in then)


def test_first_place_of_multi2test_with_folds_is_that_of_judging_without_the_data_sets():
    """The ranks on a data set come from its own folds: they stay what they are when another is left out."""
    options, seen = {"method": "multi2test", "prior": list("abc"), "alpha": 0.2, "test": "wilcoxon"}, 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = 0.4 - 0.008 * np.arange(3)[:, None, None, None] + 0.02 * rng.normal(size=(3, 7, 5, 2))
        evidence = over_datasets(values + 0.01 * rng.normal(size=(3, 7, 1, 1)))
        full, found = bk.judge(evidence, **options), sensitivity(evidence, **options)
        assert found.best.conclusion == full.best
        for size, flips in ((1, found.best.flips_one), (2, found.best.flips_two)):
            sets = combinations(evidence.datasets, size)
            then = [bk.order(evidence.without(datasets=each), **options).best for each in sets]
            assert flips == sum(name != full.best for name in then)
        seen += found.best.flips_one + found.best.flips_two
        changed = bk.order(evidence.without(datasets=found.best.smallest.without), **options)
        assert changed.best == found.best.smallest.then != full.best
    assert seen > 0


DEGENERATE = {
    "identical learners": np.tile([0.1, 0.2, 0.3, 0.2, 0.4], (3, 1)),
    "one constant gap": np.array([[0.1, 0.2, 0.3, 0.2], [0.2, 0.3, 0.4, 0.3]]),
    "nothing but zeros": np.zeros((2, 5)),
    "many ties": np.array([[0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1, 1, 1, 0, 1]]) / 10,
    "large numbers, small differences": 1e6 + np.array([[0, 1, 2, 0, 1], [1, 2, 2, 1, 1], [2, 0, 2, 2, 0]]) / 100,
}


@pytest.mark.parametrize("test", ["paired-t", "wilcoxon", "sign", "permutation-t", "nemenyi"])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_tables_are_no_exception(name, test):
    evidence = over_datasets(DEGENERATE[name], measure="seconds")
    options = {"test": test, "alpha": 0.3, "prior": list("cba"[-len(DEGENERATE[name]) :])}
    full, found = bk.judge(evidence, **options), sensitivity(evidence, **options)
    changed = [0] * len(full.comparison.pairs)
    for without in evidence.datasets:
        verdict = bk.judge(evidence.without(datasets=[without]), **options)
        for i, pair in enumerate(full.comparison.pairs):
            changed[i] += concluded(verdict, pair) != concluded(full, pair)
    assert [each.flips_one for each in found.pairs] == changed
    assert found.best.conclusion == full.ordering.order[0]


@pytest.mark.parametrize("options", [{}, {"prior": list("cba"), "test": "paired-t", "alpha": 0.3}])
def test_what_is_named_changes_the_conclusion(options):
    evidence = sloped(3, 9, seed=5)
    full = bk.judge(evidence, **options)
    found = sensitivity(evidence, **options)
    seen = 0
    for each in (*found.pairs, found.best):
        for removal in (*each.examples, *((each.smallest,) if each.smallest else ())):
            verdict = bk.judge(evidence.without(datasets=removal.without), **options)
            then, before = (
                (concluded(verdict, each.about), concluded(full, each.about))
                if each.about
                else (best_of(verdict), best_of(full))
            )
            assert then == removal.then != before
            seen += 1
    assert seen > 2


def test_bramer_s_warning():
    """Bramer, section 15.3: without two of the ten data sets B is better at the 5 % level."""
    found = sensitivity(bramer(), test="paired-t")
    pair = found.pair("B", "A")
    assert pair.conclusion is None
    assert (pair.flips_one, pair.flips_two) == (0, 1)
    assert pair.smallest.without == ("dataset 5", "dataset 6")
    assert pair.smallest.then == "B"
    assert pair.smallest.adjusted <= 0.05
    assert pair.exact
    assert {found.datasets[i] for i in np.argsort(-np.abs(found.influence[0]))[:2]} == {"dataset 5", "dataset 6"}


def test_a_clear_case_hangs_on_nothing():
    rng = np.random.default_rng(0)
    found = sensitivity(over_datasets(np.array([[0.1], [0.5]]) + 0.01 * rng.normal(size=(2, 12))), resamples=100)
    assert found.fragile == ()
    assert found.pairs[0].stability == 1.0
    assert found.pairs[0].smallest is None
    assert found.best.stability == 1.0


def test_it_is_seeded_and_goes_to_json():
    evidence = sloped(3, 10, seed=2)
    one, two = (sensitivity(evidence, resamples=50).to_dict() for _ in range(2))
    assert one == two
    assert len(one["influence"]) == 3
    assert len(one["influence"][0]) == 10


def test_where_there_is_nothing_to_leave_out_there_is_no_answer():
    assert bk.judge(over_datasets(np.random.default_rng(0).random((2, 1, 5, 2)))).sensitivity is None
    assert bk.judge(with_gap(sloped(3, 8, seed=0), (0, 0)), missing="keep").sensitivity is None


def test_beside_a_margin_nobody_asks_who_is_first():
    evidence = sloped(3, 12, 5)
    assert bk.judge(evidence, prior=list("cba")).sensitivity.best is not None
    assert bk.judge(evidence, prior=list("cba"), within=0.3).sensitivity.best is None


def test_a_test_that_needs_more_values_shows_nothing_on_fewer(monkeypatch):
    @method("values", one_sided=True)
    def careful(first, second, *, alternative="two-sided"):
        paired(first, second, where="careful", at_least=7)
        return paired_t(first, second, alternative=alternative)

    monkeypatch.setitem(PAIRWISE._own, "careful", careful)
    evidence = table(2, 8, gap=0.2, spread=0.01)
    assert sensitivity(evidence, test="paired-t").pairs[0].smallest is None
    found = sensitivity(evidence, test="careful").pairs[0]
    assert len(found.smallest.without) == 2
    assert "influence" in {each.name for each in figures_for(bk.judge(evidence, test="careful"))}


def test_the_quick_sensitivity_says_what_the_thorough_one_says():
    verdict = bk.judge(table(3, 9, seed=5, gap=0.03, digits=3))
    thorough = sensitivity_of(verdict.evidence, verdict.comparison, verdict.ordering)
    for one, all_of in zip(verdict.sensitivity.pairs, thorough.pairs, strict=True):
        assert (one.flips_one, one.flips_two, one.conclusion) == (all_of.flips_one, all_of.flips_two, all_of.conclusion)
        assert (one.smallest is None) == (all_of.smallest is None)
        if one.smallest is not None and one.exact:
            assert len(one.smallest.without) == len(all_of.smallest.without)


def test_large_tables_are_not_tried():
    verdict = bk.judge(table(12, 160, gap=0.03))
    assert verdict.sensitivity is None
    assert verdict.sensitivity_work == 66 * 160 * 160 > MOST_ONE


def test_where_two_data_sets_are_too_many_one_is_left_out():
    verdict = bk.judge(table(11, 60, gap=0.03, digits=6))
    assert 0 < verdict.sensitivity_work <= MOST_ONE
    assert {each.flips_two for each in verdict.sensitivity.pairs} == {None}
    assert {each.tried_up_to for each in verdict.sensitivity.pairs} == {1}
    assert verdict.sensitivity.pairs[0].flips_one is not None


def test_wins_are_counted_where_other_data_sets_are_not_tried(monkeypatch):
    monkeypatch.setattr("bestofk.judging.findings.MOST_ONE", 10)
    verdict = bk.judge(with_folds())
    assert verdict.sensitivity is None
    assert verdict.counted_wins.of(*verdict.order)[2] == 0


def random_verdict(seed):
    rng = np.random.default_rng(seed)
    learners, datasets = int(rng.integers(3, 7)), int(rng.integers(6, 16))
    gap, digits = float(rng.choice([0.0, 0.02, 0.06])), int(rng.choice([2, 3]))
    evidence = table(learners, datasets, seed=seed, gap=gap, digits=digits)
    options = {
        "test": str(rng.choice(["auto", "paired-t", "sign", "nemenyi"])),
        "adjust": str(rng.choice(["none", "bonferroni", "holm", "shaffer", "hommel"])),
        "alpha": float(rng.choice([0.05, 0.2])),
        "prior": [str(n) for n in rng.permutation(evidence.learners)] if rng.random() < 0.5 else None,
    }
    if options["test"] == "nemenyi":
        options["adjust"] = None
    return options, bk.judge(evidence, **options)


@pytest.mark.parametrize("seed", [*range(6), *slow(*range(6, 12))])
def test_verdict_advice_and_figure_agree_on_what_other_data_sets_change(seed):
    options, verdict = random_verdict(seed)
    shaky, best = verdict.sensitivity.shakiest, verdict.sensitivity.best
    assert ("K116" in codes(verdict)) == best.flips
    if best.flips:
        (said,) = (each.seen for each in verdict.advice if each.code == "K116")
        assert f"without {listed_datasets(best.smallest.without)} {best.smallest.then or 'nobody'} is" in said
    if shaky is None:
        return
    without = bk.judge(verdict.evidence.without(datasets=shaky.smallest.without), **options)
    pair = without.comparison.pair(*shaky.about)
    then = pair.better if pair.significant else None
    assert then == shaky.smallest.then != shaky.conclusion
    influence = figure("influence", verdict).info
    assert {influence.first, influence.second} == set(shaky.about)
    if len(shaky.smallest.without) == 1:
        assert shaky.smallest.without[0] in influence.flips
    assert (len(influence.flips) > 0) == (shaky.flips_one > 0)


def test_data_sets_are_left_out_once_for_advice_and_verdict(monkeypatch):
    sizes = []
    known = adviser.leave_out
    monkeypatch.setattr(adviser, "leave_out", lambda *all_of: (sizes.append(all_of[-1]), known(*all_of))[1])
    evidence = table(3, 20, gap=0.01, digits=3)
    verdict = bk.judge(evidence, test="wilcoxon")
    assert sizes == []  # nothing before it is read
    assert verdict.advice
    assert verdict.sensitivity is not None
    assert sizes == [1, 2]
    again = bk.judge(evidence, test="wilcoxon")  # another comparison, its own answers
    assert again.sensitivity.to_dict() == verdict.sensitivity.to_dict()
    assert codes(again) == codes(verdict)
    assert sizes == [1, 2, 1, 2]


def test_the_page_shows_what_is_printed():
    found = repr(sensitivity(bramer(), resamples=1000, test="paired-t"))
    page = (ROOT / "docs" / "explanation" / "datasets_choice.md").read_text(encoding="utf-8")
    assert all(f"# {line}\n" in page for line in found.splitlines())
