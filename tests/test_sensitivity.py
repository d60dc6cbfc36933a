"""How a verdict hangs on its data sets: every number is that of judging the changed evidence itself."""

import importlib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import bestofk as bk
from bestofk.advice.seeing import _items_seen
from bestofk.core.errors import InputError, UnknownName
from bestofk.design.datasets.sources import dataset_of
from bestofk.judging.findings.counted_wins import counted_wins
from bestofk.judging.findings.datasets_choice import FEATURES, dataset_features
from bestofk.judging.findings.detectable import detectable_of
from bestofk.judging.findings.other_goods import other_goods
from bestofk.judging.findings.sensitivity import sensitivity_of
from bestofk.judging.findings.where_it_wins import where_it_wins
from bestofk.judging.judge import comparison_of, judge_evidence, ordering_from
from bestofk.stats import power

EXAMPLES = Path(__file__).parent.parent / "examples"


def scores(values, **more):
    values = np.asarray(values, dtype=float)
    values = values[:, :, None, None] if values.ndim == 2 else values
    settings = {
        "learners": tuple("abcdef"[: len(values)]),
        "datasets": tuple(f"d{i}" for i in range(values.shape[1])),
        "measure": "error",
        "larger_is_better": False,
        **more,
    }
    return bk.Scores(values=values, **settings)


def random_table(learners, datasets, seed, digits=3):
    rng = np.random.default_rng(seed)
    table = 0.3 + 0.03 * np.arange(learners)[:, None] + 0.06 * rng.normal(size=(learners, datasets))
    return scores(table.round(digits))


def sensitivity(evidence, *, resamples=20, **options):
    used, comparison, ordering = ordering_from(evidence, **options)
    return sensitivity_of(used, comparison, ordering, resamples=resamples)


def concluded(verdict, pair):
    found = verdict.comparison.pair(*pair)
    return found.better if found.significant else None


@pytest.mark.parametrize("larger", [True, False])
@pytest.mark.parametrize(
    "options",
    [
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
    ],
)
def test_flips_are_those_of_judging_without_the_data_sets(options, larger):
    evidence = random_table(4, 8, seed=1)
    if larger:
        evidence = scores(1 - evidence.values, measure="accuracy", larger_is_better=True)
    found = sensitivity(evidence, **options)
    full = judge_evidence(evidence, **options)
    for size in (1, 2):
        flips = dict.fromkeys(full.comparison.pairs, 0)
        best = 0
        for without in combinations(evidence.datasets, size):
            verdict = judge_evidence(evidence.without(datasets=without), **options)
            best += verdict.order[0] != full.order[0]
            for pair in flips:
                flips[pair] += concluded(verdict, pair) != concluded(full, pair)
        counted = [each.flips_one if size == 1 else each.flips_two for each in found.pairs]
        assert counted == list(flips.values())
        if found.best is not None:
            assert best == (found.best.flips_one if size == 1 else found.best.flips_two)
    assert [each.conclusion for each in found.pairs] == [concluded(full, pair) for pair in full.comparison.pairs]
    assert (found.best is None) == (options.get("method") == "test-first")
    if found.best is not None:
        assert found.best.conclusion == full.order[0]


@pytest.mark.parametrize("prior", [list("bca"), list("cba"), list("cab"), list("abc")])
def test_first_place_goes_through_a_control_that_stands_between(prior):
    """b, the control, is shown to be better than c and worse than a: so is a than c, wherever b is preferred."""
    noise = np.random.default_rng(0).normal(0, 0.05, (3, 7))
    evidence = scores(np.array([0.1, 0.22, 0.4])[:, None] + noise)
    options = {"control": "b", "prior": prior, "test": "paired-t"}
    full, found = judge_evidence(evidence, **options), sensitivity(evidence, **options)
    assert found.best.conclusion == full.order[0] == "a"
    for size, flips in ((1, found.best.flips_one), (2, found.best.flips_two)):
        sets = combinations(evidence.datasets, size)
        then = [judge_evidence(evidence.without(datasets=each), **options).order[0] for each in sets]
        assert flips == sum(name != "a" for name in then)


def test_first_place_of_multi2test_with_folds_is_that_of_judging_without_the_data_sets():
    """The ranks on a data set come from its own folds: they stay what they are when another is left out."""
    rng = np.random.default_rng(2)
    values = 0.4 - 0.03 * np.arange(3)[:, None, None, None] + 0.02 * rng.normal(size=(3, 7, 5, 2))
    evidence, options = scores(values), {"method": "multi2test", "prior": list("abc"), "alpha": 0.2}
    full, found = judge_evidence(evidence, **options), sensitivity(evidence, **options)
    assert found.best.conclusion == full.best
    for size, flips in ((1, found.best.flips_one), (2, found.best.flips_two)):
        sets = combinations(evidence.datasets, size)
        then = [judge_evidence(evidence.without(datasets=each), **options).best for each in sets]
        assert flips == sum(name != full.best for name in then)
    assert found.best.flips_one + found.best.flips_two > 0
    changed = judge_evidence(evidence.without(datasets=found.best.smallest.without), **options)
    assert changed.best == found.best.smallest.then != full.best


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
    evidence = scores(DEGENERATE[name], measure="seconds")
    options = {"test": test, "alpha": 0.3, "prior": list("cba"[-len(DEGENERATE[name]) :])}
    full, found = judge_evidence(evidence, **options), sensitivity(evidence, **options)
    changed = [0] * len(full.comparison.pairs)
    for without in evidence.datasets:
        verdict = judge_evidence(evidence.without(datasets=[without]), **options)
        for i, pair in enumerate(full.comparison.pairs):
            changed[i] += concluded(verdict, pair) != concluded(full, pair)
    assert [each.flips_one for each in found.pairs] == changed
    assert found.best.conclusion == full.order[0]


@pytest.mark.parametrize("options", [{}, {"prior": list("cba"), "test": "paired-t", "alpha": 0.3}])
def test_what_is_named_changes_the_conclusion(options):
    evidence = random_table(3, 9, seed=5)
    full = judge_evidence(evidence, **options)
    found = sensitivity(evidence, **options)
    seen = 0
    for each in (*found.pairs, found.best):
        for removal in (*each.examples, *((each.smallest,) if each.smallest else ())):
            verdict = judge_evidence(evidence.without(datasets=removal.without), **options)
            then, before = (
                (concluded(verdict, each.about), concluded(full, each.about))
                if each.about
                else (verdict.order[0], full.order[0])
            )
            assert then == removal.then != before
            seen += 1
    assert seen > 3


def test_bramer_comes_out_in_words():
    """Bramer, section 15.3."""
    found = sensitivity(bk.read(str(EXAMPLES / "bramer_15_2.csv"), larger_is_better=True))
    pair = found.pair("B", "A")
    assert pair.conclusion is None
    assert (pair.flips_one, pair.flips_two) == (0, 1)
    assert pair.smallest.without == ("dataset 5", "dataset 6")
    assert pair.smallest.then == "B"
    assert pair.smallest.adjusted <= 0.05
    assert pair.exact
    assert "no difference, but without dataset 5 and dataset 6: B is better" in repr(found)
    assert {name for name, _ in found.most_influential("A", "B", 2)} == {"dataset 5", "dataset 6"}


def test_a_clear_case_hangs_on_nothing():
    rng = np.random.default_rng(0)
    found = sensitivity(scores(np.array([[0.1], [0.5]]) + 0.01 * rng.normal(size=(2, 12))), resamples=100)
    assert found.fragile == ()
    assert found.pairs[0].stability == 1.0
    assert found.pairs[0].smallest is None
    assert found.best.stability == 1.0


def test_it_is_seeded_and_goes_to_json():
    evidence = random_table(3, 10, seed=2)
    one, two = (sensitivity(evidence, resamples=50).to_dict() for _ in range(2))
    assert one == two
    assert len(one["influence"]) == 3
    assert len(one["influence"][0]) == 10


def test_where_there_is_nothing_to_leave_out_there_is_no_answer():
    folds = scores(np.random.default_rng(0).random((2, 1, 5, 2)))
    used, comparison, ordering = ordering_from(folds)
    assert sensitivity_of(used, comparison, ordering) is None
    values = random_table(3, 8, seed=0).values.copy()
    values[0, 0] = np.nan
    used, comparison, ordering = ordering_from(scores(values), missing="keep")
    assert sensitivity_of(used, comparison, ordering) is None


def test_detectable_differences_have_their_power():
    evidence = bk.read(str(EXAMPLES / "bramer_15_2.csv"), larger_is_better=True)
    _, comparison = comparison_of(evidence)
    found = detectable_of(comparison)
    spread = np.std(np.subtract(*evidence.values[:, :, 0, 0]), ddof=1)
    assert power.paired_t(found.pairs[0].seen / spread, 10).power == pytest.approx(0.8, abs=1e-6)
    assert found.pairs[0].difference == pytest.approx(-0.7)
    assert "6.9 or more" in repr(found)  # 0.996 · 6.929


@pytest.mark.parametrize(
    ("evidence", "options", "name"),
    [
        (random_table(3, 12, seed=7), {}, "wilcoxon"),
        (random_table(3, 12, seed=7), {"test": "nemenyi"}, "nemenyi"),
        (scores(0.3 + 0.05 * np.random.default_rng(1).random((3, 1, 3, 10))), {}, "corrected-t"),
        (scores(0.3 + 0.05 * np.random.default_rng(1).random((3, 1, 5, 2))), {}, "5x2cv-t"),
        (
            bk.Items(
                learners=("a", "b"),
                values=np.random.default_rng(2).integers(0, 2, (2, 80)).astype(float),
                measure="correct",
                larger_is_better=True,
            ),
            {},
            "mcnemar-mid-p",
        ),
        (
            bk.Curves(
                learners=("a", "b"),
                values=tuple(np.random.default_rng(3).random((2, 6, 4))),
                measure="accuracy",
                larger_is_better=True,
            ),
            {},
            "randomized-t",
        ),
    ],
)
def test_every_design_says_what_it_could_see(evidence, options, name):
    _, comparison = comparison_of(evidence, **options)
    found = detectable_of(comparison)
    assert found.test == name
    assert all(0 < pair.seen < np.inf for pair in found.pairs)
    shared = len(comparison.pairs) if name != "nemenyi" else 1
    assert found.level == pytest.approx(0.05 / shared)


def test_many_data_sets_are_planned_by_the_t_test_s_formula():
    """Wilcoxon's power by simulation and by the t test on a spread √(π/3) as large agree for normal differences."""
    by_formula = power.detectable("paired-t", 120).effect * np.sqrt(np.pi / 3)
    assert power.detectable("wilcoxon", 120, rng=1).effect == pytest.approx(by_formula, rel=0.04)


@pytest.mark.parametrize("disagreement", [0.16, 0.3, 0.6])
def test_many_items_are_planned_by_the_normal_form(disagreement):
    """Within four percent of the enumeration, which takes much longer."""
    n, level = 400, 0.05 / 6
    seen = _items_seen("mcnemar-mid-p", n, disagreement, 0.8, level)
    exact = power.detectable("mcnemar-mid-p", n, disagreement=disagreement, alpha=level).effect
    assert seen == pytest.approx(exact, rel=0.04)


def test_the_page_shows_what_is_said():
    found = repr(sensitivity(bk.read(str(EXAMPLES / "bramer_15_2.csv"), larger_is_better=True), resamples=1000))
    page = (EXAMPLES.parent / "docs" / "datasets_choice.md").read_text(encoding="utf-8")
    assert all(f"# {line}\n" in page for line in found.splitlines())


def test_nothing_is_said_where_all_are_told_apart():
    _, comparison = comparison_of(scores(np.array([[0.1], [0.5]]) + 0.01 * np.random.default_rng(0).random((2, 9))))
    assert detectable_of(comparison) is None


def with_folds(gap, seed=0):
    rng = np.random.default_rng(seed)
    values = 0.3 + 0.02 * rng.normal(size=(2, 12, 1, 10))
    values[1] += np.asarray(gap)[:, None, None]
    return scores(values)


def test_wins_are_those_of_each_data_set_by_itself():
    gap = np.repeat([0.2, 0.0, -0.2], 4)
    evidence = with_folds(gap)
    found = counted_wins(evidence)
    assert found.of("a", "b") == (4, 4, 4)
    assert found.of("b", "a") == (4, 4, 4)
    assert set(found.tests) == {"corrected-t"}
    for i, name in enumerate(evidence.datasets):
        alone = evidence.without(datasets=[other for other in evidence.datasets if other != name])
        pair = judge_evidence(alone).comparison.pair("a", "b")
        assert found.won[0, i] == (0 if not pair.significant else 1 if pair.better == "a" else -1)
    assert "4 won, 4 tied, 4 lost" in repr(found)


def test_wins_need_folds():
    with pytest.raises(InputError):
        counted_wins(random_table(3, 8, seed=0))


def test_features_of_data_sets_are_what_they_say():
    found = dataset_features(dataset_of("iris"))
    assert tuple(found) == FEATURES
    assert (found["rows"], found["columns"], found["classes"], found["skew"]) == (150, 4, 3, 0)
    assert found["dimensionality"] == pytest.approx(4 / 150)
    # scikit-learn 1.9.1: leave-one-out error of KNeighborsClassifier(1) on standardised iris is 8/150; ties shared.
    assert found["noise"] == pytest.approx(8 / 150, abs=0.01)
    titanic = dataset_features(dataset_of("titanic"))
    assert titanic["nominal"] == 1.0
    assert titanic["noise"] < 0.4  # many equal rows: they share their vote


def test_where_it_wins_is_said_when_it_is_there():
    rng = np.random.default_rng(3)
    rows, other = rng.integers(100, 9000, 24).astype(float), rng.normal(size=24)
    values = 0.3 + 0.01 * rng.normal(size=(2, 24))
    values[1] += np.where(rows < 4000, 0.05, -0.05)
    features = {f"d{i}": {"rows": rows[i], "other": other[i]} for i in range(24)}
    found = where_it_wins(scores(values), features)
    assert {each.feature for each in found.findings} == {"rows"}
    assert all(each.correlation < 0 for each in found.findings)
    assert len(found.rules) == 2
    assert "rows <= " in found.rules[0]
    few = int((rows < 4000).sum())
    assert f"a better on {few}, b on 0 of {few} data sets" in found.rules[0]
    nothing = where_it_wins(scores(values), {name: {"other": row["other"]} for name, row in features.items()})
    assert nothing.findings == ()
    assert nothing.rules == ()
    assert repr(nothing).startswith("No feature")


def test_features_must_fit():
    table = random_table(2, 10, seed=0)
    features = {name: {"rows": float(i)} for i, name in enumerate(table.datasets)}
    for wrong in ({}, {**features, "d3": {"columns": 1.0}}):
        with pytest.raises(InputError):
            where_it_wins(table, wrong)
    with pytest.raises(UnknownName):
        where_it_wins(random_table(3, 10, seed=0), features, first="a", second="z")


def goods_table(times, gap=0.0):
    rng = np.random.default_rng(0)
    values = 0.3 + gap * np.arange(3)[:, None] + 0.02 * rng.normal(size=(3, 20))
    fit = np.asarray(times)[:, None] * np.exp(0.1 * rng.normal(size=(3, 20)))
    return scores(values, others={"fit_time": fit[:, :, None, None]})


def goods(evidence, **options):
    used, comparison = comparison_of(evidence, **options)
    return other_goods(used, comparison)


def test_who_is_worse_and_slower_is_dominated():
    found = goods(goods_table([1.0, 5.0, 9.0], gap=0.2))
    assert found.front == ("a",)
    assert dict(found.dominated_by)["c"] == ("a", "b")


def test_who_is_worse_but_faster_is_worth_having():
    found = goods(goods_table([9.0, 5.0, 1.0], gap=0.2))
    assert found.front == ("a", "b", "c")
    assert found.dominated_by == ()


def test_chance_differences_dominate_nobody_though_the_means_do():
    found = goods(goods_table([1.0, 1.0, 1.0]))
    assert set(found.plain_front) < set(found.front)
    assert found.front == ("a", "b", "c")


def test_a_cost_of_one_number_is_taken_as_it_is():
    evidence = scores(0.3 + 0.02 * np.random.default_rng(1).normal(size=(2, 15)), costs={"price": {"a": 1.0, "b": 2.0}})
    found = goods(evidence)
    price = found.goods[1]
    assert not price.tested
    assert price.better.tolist() == [[False, True], [False, False]]


def test_dominance_has_no_circle_on_random_tables():
    """Each dominates only whom it beats or equals in every mean, so the best of any good is never dominated out."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        fit = np.exp(rng.normal(size=(4, 1, 1, 1)) + 0.3 * rng.normal(size=(4, 12, 1, 1)))
        found = goods(scores(0.3 + 0.1 * rng.normal(size=(4, 12)), others={"fit_time": fit}), alpha=0.3)
        assert found.front
        assert set(found.plain_front) <= set(found.front)


def test_without_other_goods_there_is_no_answer():
    assert goods(random_table(3, 10, seed=0)) is None


def test_correlations_and_tree_share_the_level(monkeypatch):
    asked = {}
    grown = importlib.import_module("bestofk.judging.findings.where_it_wins").grown_tree

    def noted(*args, alpha, **more):
        asked["tree"] = alpha
        return grown(*args, alpha=alpha, **more)

    monkeypatch.setattr("bestofk.judging.findings.where_it_wins.grown_tree", noted)
    evidence = random_table(2, 12, 0)
    features = {name: {"rows": float(i)} for i, name in enumerate(evidence.datasets)}
    found = where_it_wins(evidence, features, shuffles=199)
    smallest = float(np.min(found.associations.adjusted))
    assert asked["tree"] == 0.025
    between = smallest * 1.5
    assert where_it_wins(evidence, features, alpha=min(0.99, between), shuffles=199).findings == ()
    assert "1 feature)" in repr(found) or found.findings or found.rules
