"""``within``: bounds of what is lost to the best, who is chosen, and what is refused."""

import json

import numpy as np
import pytest
from scipy import stats

import bestofk as bk
from bestofk.judging import preferring
from bestofk.reporting.choices import choices_of
from bestofk.reporting.page import recipe_of
from bestofk.reporting.words import headline
from makers import EXAMPLES, amounts, codes, command, folds, items, over_datasets, runs

RNG = np.random.default_rng


def scores(k=4, gap=0.01, seed=0):
    """Errors of ten folds, each learner ``gap`` worse than the one before."""
    return folds(0.2 + gap * np.arange(k)[:, None, None] + RNG(seed).normal(0, 0.01, (k, 1, 10)))


def test_bounds_are_those_of_the_t_test_at_a_share_of_alpha():
    """Upper ends of the corrected t interval, one-sided at alpha/(K − 1), against every other learner."""
    evidence = scores()
    losses = evidence.values[:, 0, 0]
    within = bk.judge(evidence, within=0.05, test="corrected-t").within
    differences = losses[:, None] - losses[None]
    error = np.sqrt((1 / 10 + 1 / 9) * differences.var(axis=-1, ddof=1))
    upper = differences.mean(axis=-1) + stats.t.ppf(1 - 0.05 / 3, 9) * error
    np.fill_diagonal(upper, 0.0)
    assert list(within.bounds.values()) == pytest.approx(np.maximum(0, upper.max(axis=1)), rel=1e-9)


def test_the_most_preferred_of_those_within_is_chosen():
    verdict = bk.judge(scores(gap=0.02), prior=list("dcba"), within=0.05)
    near = [name for name in "dcba" if verdict.within.bounds[name] <= 0.05]
    assert 1 < len(near) < 4
    assert (verdict.status, verdict.best, verdict.order[0]) == ("within", near[0], near[0])
    assert verdict.within.learners == tuple(near) == verdict.order[: len(near)]
    assert not set(near) & set(verdict.order[len(near) :])
    assert verdict.reason(near[0], "a").ground in ("preferred", "against")
    assert "within 0.05 of the best" in headline(verdict)


def test_those_within_come_before_those_that_are_not_shown():
    """A preferred one that is not shown worse, and not shown close enough either, is no second choice."""
    rng = RNG(3)
    values = 0.2 + np.array([[0.0], [0.0], [0.01]]) + rng.normal(0, [[0.004], [0.004], [0.05]], (3, 10))
    verdict = bk.judge(folds(values[:, None, :]), prior=list("cba"), within=0.02)
    assert (verdict.within.learners, verdict.order) == (("b", "a"), ("b", "a", "c"))
    assert [verdict.reason("b", name).ground for name in "ac"] == ["preferred", "within"]
    assert verdict.reason("a", "c").ground == "within"


def test_the_winner_that_is_also_preferred_is_decided():
    clear = scores(gap=0.1)
    assert bk.judge(clear, within=0.05).status == "decided"
    assert bk.judge(clear, prior=list("dcba"), within=0.05).best == "a"
    roomy = bk.judge(clear, prior=list("dcba"), within=0.15)
    assert (roomy.status, roomy.best) == ("within", "b")


def test_nobody_within_is_undecided_and_says_how_many_more():
    rows = (RNG(1).random((3, 200)) < np.array([[0.80], [0.79], [0.6]])).astype(float)
    verdict = bk.judge(items(rows), within=0.01)
    assert (verdict.status, verdict.best, verdict.within.learners) == ("undecided", None, ())
    low, high = verdict.within.more_between
    assert 1 <= low < 200 < high
    assert verdict.within.more is None  # a range so wide tells no number
    assert "more items" in headline(verdict)
    folds_ = bk.judge(scores(), within=0.001).within
    assert (folds_.more, folds_.more_between) == (None, None)  # more folds of the same data tell little


def test_one_number_is_said_where_it_is_within_a_quarter_of_the_whole_range():
    """Of many equal learners somebody is ahead, and how many items show one is known well."""
    rng, said = RNG(4), 0
    for _ in range(10):
        skill = rng.normal(size=300) + 1.19
        verdict = bk.judge(items((skill + rng.normal(size=(12, 300)) > 0).astype(float)), within=0.05)
        found = verdict.within
        if found.learners:
            continue
        low, high = (300 + each for each in found.more_between)
        assert (found.more is not None) == (0.75 * high <= 1.25 * low)
        if found.more is not None:
            said += 1
            assert 0.75 * high <= 300 + found.more <= 1.25 * low + 1
            assert "items in all" in headline(verdict)
    assert said > 0


@pytest.mark.parametrize("options", [{"within": 0.045}, {"rope": 0.045}])
def test_pairs_whose_interval_is_inside_the_margin_are_equivalent(options):
    """Two one-sided t tests of every pair, each at alpha over the number of pairs, or at the pair's own level."""
    verdict = bk.judge(scores(gap=0.015), test="corrected-t", **options)
    losses, found = verdict.evidence.values[:, 0, 0], {}
    for i, j in zip(*np.triu_indices(4, 1), strict=True):
        pair, difference = verdict.comparison.pair("abcd"[i], "abcd"[j]), losses[i] - losses[j]
        error = np.sqrt((1 / 10 + 1 / 9) * difference.var(ddof=1))
        p = stats.t.sf((0.045 - abs(difference.mean())) / error, 9)
        found[pair.first, pair.second] = pair.equivalent
        assert pair.equivalent == (p < min(0.05 / 6, (1 - pair.level) / 2)) == pair.to_dict()["equivalent"]
    assert len(set(found.values())) == 2
    assert bk.judge(scores()).comparison.pair("a", "b").equivalent is None
    if "rope" in options:
        compared = bk.compare(verdict.evidence, test="corrected-t", **options)
        assert {(row["first"], row["second"]): row["equivalent"] for row in compared.rows()} == found


def test_amounts_in_other_units_are_bounded_by_shares():
    verdict = bk.judge(amounts(), within="30%")
    assert verdict.within.relative
    assert verdict.within.margin == 0.3
    assert verdict.within.bounds["a"] < verdict.within.bounds["c"]


@pytest.mark.parametrize(
    ("evidence", "options", "said"),
    [
        (scores(), {"within": -0.1}, "above 0"),
        (scores(), {"within": 0}, "above 0"),
        (scores(), {"within": "two"}, "a number"),
        (scores(), {"within": "2%"}, "in units of error"),
        (scores(), {"within": 1.0}, "may be lost"),
        (amounts(), {"within": 0.1}, "a share"),
        (scores(), {"within": 0.1, "control": "a"}, "leave one"),
        (scores(), {"within": 0.1, "sides": "one", "prior": list("abcd")}, "leave one"),
        (scores(), {"within": 0.1, "method": "test-first", "prior": list("abcd")}, "leave one"),
        (amounts(), {"within": "2%", "test": "nemenyi"}, "leave the test"),
    ],
)
def test_what_has_no_meaning_is_refused(evidence, options, said):
    with pytest.raises(bk.InputError) as caught:
        bk.judge(evidence, **options)
    assert said in caught.value.fix


def test_the_command_and_its_recipe():
    path = EXAMPLES / "model_prices.csv"
    found = json.loads(command("judge", path, "--prior", "price", "--within", "0.05", "--json").stdout)
    assert (found["status"], found["best"]) == ("within", "large")
    assert found["within"]["learners"] == ["large", "frontier"]
    verdict = bk.judge(bk.read(path), prior="price", within=0.05)
    assert "--within 0.05" in recipe_of(verdict).command


def test_another_preference_chooses_among_those_within():
    verdict = bk.judge(bk.read(EXAMPLES / "model_prices.csv"), prior="price", within=0.15, groups="fixed")
    choices = choices_of(verdict)
    assert choices.names == verdict.within.learners == ("medium", "large", "frontier")
    for name, view in zip(choices.names, choices.views, strict=True):
        prior = (name, *(each for each in verdict.order if each != name))
        judged = bk.judge(verdict.evidence, prior=prior, within=0.15, groups="fixed")
        assert preferring(verdict, prior).best == judged.best == name
        assert view.title.startswith(f"Take {name},")


def test_other_data_sets_are_not_asked_beside_a_margin():
    """They would be asked who is best, which is another question."""
    rng = np.random.default_rng(7)
    size = 10 ** rng.uniform(-1, 3, 16)
    values = np.array([size * np.exp(-0.02 * j + rng.normal(0, 0.02, 16)) for j in range(3)])
    verdict = bk.judge(over_datasets(values, measure="rmse"), within="3%", prior=list("abc"))
    assert (verdict.status, verdict.best) == ("within", "b")
    assert "K116" not in codes(verdict)


@pytest.mark.parametrize("within", [-1, "none"])
def test_a_margin_that_is_no_number_above_0_is_refused_before_missing_results(within):
    values = np.random.default_rng(0).normal(0.8, 0.1, (2, 1, 1, 5))
    values[0, 0, 0, 3] = np.nan
    results = bk.Scores(learners=("a", "b"), values=values, measure="accuracy", larger_is_better=True)
    with pytest.raises(bk.InputError, match=f"within is {within!r}"):
        bk.judge(results, within=within)
    with pytest.raises(bk.InputError, match=f"margin is {within!r}"):
        bk.gate("a", "b", results=results, margin=within)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["items", "runs", "folds"])
def test_a_wrong_pick_is_rare(kind):
    """A learner is chosen whose true loss to the best is above the margin in at most alpha of cases."""
    rng, runs_, wrong = RNG(7), 1000, 0
    truth = np.array([0.30, 0.27, 0.22])  # the preferred one loses 0.08, more than the margin; the next 0.05, just more
    for _ in range(runs_):
        if kind == "items":
            evidence = items((rng.random((3, 400)) >= truth[:, None]).astype(float))
        elif kind == "runs":
            evidence = runs(truth[:, None] + rng.normal(0, [[0.05], [0.02], [0.03]], (3, 8)))
        else:
            evidence = folds(truth[:, None, None] + rng.normal(0, 0.05, (3, 1, 10)))
        best = bk.judge(evidence, prior=list("abc"), within=0.049).best
        wrong += best in ("a", "b")
    assert wrong / runs_ <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs_)


@pytest.mark.slow
def test_a_pair_is_rarely_called_equivalent_wrongly():
    """Nine pairs are just as far apart as the margin."""
    rng, runs_, wrong = RNG(8), 500, 0
    truth = np.repeat([0.80, 0.75], 3)
    apart = truth[:, None] != truth
    for _ in range(runs_):
        rows = (rng.random((6, 4000)) < truth[:, None]).astype(float)
        comparison = bk.judge(items(rows), within=0.05).comparison
        wrong += bool((comparison.equivalent & apart[comparison.places]).any())
    assert wrong / runs_ <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs_)


def test_what_is_enough_is_more_than_there_is():
    """Where the number in all is known to a quarter, it is one of the range that is said beside it."""
    for seed in range(40):
        values = 0.2 + np.array([[0.0], [0.002], [0.03]]) + np.random.default_rng(seed).normal(0, 0.012, (3, 9))
        within = bk.judge(over_datasets(values), within=0.01).within
        if within.more is not None:
            least, largest = within.more_between
            assert 1 <= least <= within.more <= largest


def test_a_margin_is_about_the_mean_loss():
    values = np.tile(0.2 + 0.01 * np.arange(40.0) / 40, (2, 1))
    values[1, :8] += 0.15  # by 0.03 in the mean, by 0 in the median
    results = over_datasets(values)
    assert bk.judge(results).test == "wilcoxon"
    found = bk.judge(results, within=0.02)
    assert found.test == "permutation-t"
    assert found.within.bounds["b"] > 0.03
    with pytest.raises(bk.InputError, match="wilcoxon is about a typical difference"):
        bk.judge(results, within=0.02, test="wilcoxon")


@pytest.mark.parametrize("runs", [3, 5])
def test_few_results_that_are_the_same_throughout_show_no_margin(runs):
    same = {"a": [0.9] * runs, "b": [0.9] * runs}
    verdict = bk.judge(same, rows="runs", measure="accuracy", prior=["a", "b"], within=0.001)
    assert (verdict.status, verdict.best) == ("undecided", None)
