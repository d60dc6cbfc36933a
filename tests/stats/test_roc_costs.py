"""ROC: averages over folds, and which learner is best for which costs, against brute force."""

import numpy as np
import pytest

from bestofk.core.errors import InputError
from bestofk.stats import roc


def folds_of_scores(folds=4, items=30, seed=0, digits=1):
    rng = np.random.default_rng(seed)
    y = [rng.permutation(np.repeat([0, 1], [items // 3, items - items // 3])) for _ in range(folds)]
    return y, [np.round(fold + rng.normal(size=items), digits) for fold in y]


def test_rates_are_counted():
    (y, *_), (scores, *_) = folds_of_scores()
    cuts = [-0.5, 0.2, 0.2, 1.1]
    found = roc.rates(y, scores, cuts)
    assert len(found) == 3  # a threshold named twice is one
    for (tpr, fpr), cut in zip(found, (-0.5, 0.2, 1.1), strict=True):
        assert tpr == pytest.approx(np.mean(scores[y == 1] >= cut))
        assert fpr == pytest.approx(np.mean(scores[y == 0] >= cut))


def test_vertical_average_by_highest_points_and_lines():
    y, scores = folds_of_scores()
    found = roc.average_curve(y, scores, points=11)

    def height(truth, values, x):
        one = roc.curve(truth, values)
        at = [t for f, t in zip(one.fpr, one.tpr, strict=True) if abs(f - x) < 1e-12]
        if at:
            return max(at)
        left = max(i for i, f in enumerate(one.fpr) if f < x)
        share = (x - one.fpr[left]) / (one.fpr[left + 1] - one.fpr[left])
        return one.tpr[left] + share * (one.tpr[left + 1] - one.tpr[left])

    heights = np.array([[height(t, s, x) for x in found.fpr] for t, s in zip(y, scores, strict=True)])
    assert found.tpr == pytest.approx(heights.mean(axis=0))
    assert found.tpr_spread == pytest.approx(heights.std(axis=0, ddof=1))
    assert (found.folds, found.thresholds) == (4, None)


def test_threshold_average_is_the_mean_of_rates():
    y, scores = folds_of_scores()
    found = roc.average_curve(y, scores, method="threshold", thresholds=[0.0, 0.5, 1.0])
    for place, cut in zip((3, 2, 1), (0.0, 0.5, 1.0), strict=True):
        every = [[np.mean(s[t == c] >= cut) for c in (0, 1)] for t, s in zip(y, scores, strict=True)]
        assert [found.fpr[place], found.tpr[place]] == pytest.approx(np.mean(every, axis=0))
        assert [found.fpr_spread[place], found.tpr_spread[place]] == pytest.approx(np.std(every, axis=0, ddof=1))
    assert [found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]] == [0, 0, 1, 1]
    all_cuts = roc.average_curve(y, scores, method="threshold", points=5)
    assert (np.diff(all_cuts.fpr) >= 0).all()
    assert (np.diff(all_cuts.tpr) >= 0).all()


def test_equal_folds_average_to_their_own_curve():
    (y, *_), (scores, *_) = folds_of_scores()
    own = roc.curve(y, scores)
    found = roc.average_curve([y, y], [scores, scores], method="threshold", thresholds=own.thresholds[1:])
    assert found.fpr[:-1] == pytest.approx(own.fpr)
    assert found.tpr[:-1] == pytest.approx(own.tpr)
    assert not found.tpr_spread.any()


def random_learners(rng, learners=5, points=6, digits=2):
    """Points above the diagonal, rounded, so that some coincide and some lie on one line."""
    found = {}
    for i in range(learners):
        fpr, tpr = np.sort(rng.random((points, 2)), axis=1).T
        found[f"learner {i}"] = np.round(np.column_stack([fpr, tpr]), digits)
    return found


def best_by_hand(points, slope):
    """Everybody whose expected cost is least, the two trivial classifiers among them; they own (0, 0) and (1, 1)."""
    own = {name: each[(each != 0).any(axis=1) & (each != 1).any(axis=1)] for name, each in points.items()}
    value = {name: np.max(each[:, 1] - slope * each[:, 0], initial=-np.inf) for name, each in own.items()}
    value |= {"never positive": 0.0, "always positive": 1.0 - slope}
    most = max(value.values())
    return {name for name, each in value.items() if each > most - 1e-12}


@pytest.mark.parametrize("seed", range(40))
def test_ranges_against_every_learner_at_many_slopes(seed):
    rng = np.random.default_rng(seed)
    points = random_learners(rng, digits=1 + seed % 3)
    found = roc.cost_ranges(points)
    ever = set()
    for slope in np.exp(rng.normal(0, 2, 200)):
        best = best_by_hand(points, slope)
        assert set(found.best_for(slope)) == best
        ever |= best
        for name in points:
            inside = any(low <= slope <= high for low, high in found.of(name))
            assert inside == (name in best)
    assert ever - {"never positive", "always positive"} <= set(found.optimal)


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_adding_does_not_matter_and_add_says_who_is_on_the_hull(seed):
    rng = np.random.default_rng(100 + seed)
    points = random_learners(rng, learners=6, digits=2)
    hull, so_far = roc.LearnersHull(), {}
    for name in rng.permutation(list(points)):
        so_far[str(name)] = points[str(name)]
        assert hull.add(str(name), points[str(name)]) == (str(name) in roc.cost_ranges(so_far).optimal)
    one, other = hull.ranges(), roc.cost_ranges(points)
    assert set(one.optimal) == set(other.optimal)
    sides = [(r.low, r.high, r.fpr, r.tpr) for r in one.ranges]
    assert sides == [(r.low, r.high, r.fpr, r.tpr) for r in other.ranges]
    assert [set(r.learners) for r in one.ranges] == [set(r.learners) for r in other.ranges]


def test_ranges_cover_all_slopes_without_gap():
    found = roc.cost_ranges({"lda": [0.1, 0.6], "knn": [0.3, 0.7], "svm": [0.4, 0.9]}).ranges
    assert [each.learners for each in found] == [("never positive",), ("lda",), ("svm",), ("always positive",)]
    assert found[0].high == np.inf
    assert found[-1].low == 0.0
    assert [each.low for each in found[:-1]] == [each.high for each in found[1:]]
    assert [each.low for each in found[:-1]] == pytest.approx([6.0, 1.0, 1 / 6])


def test_a_perfect_learner_is_best_for_all_slopes():
    found = roc.cost_ranges({"perfect": [0.0, 1.0], "lda": [0.1, 0.9]})
    assert found.optimal == ("perfect",)
    assert found.of("perfect") == ((0.0, np.inf),)
    assert found.of("lda") == ()


def test_learners_at_one_place_share_it():
    found = roc.cost_ranges({"a": [0.2, 0.8], "b": [0.2, 0.8]})
    assert found.best_for(1.0) == ("a", "b")


def test_slope_of_a_task_is_that_of_least_expected_cost():
    points = {"careful": [0.3, 0.95], "bold": [0.05, 0.6]}
    found = roc.cost_ranges(points)
    for positives, miss, alarm in ((0.5, 1, 1), (0.1, 1, 1), (0.1, 20, 1), (0.9, 1, 8)):
        cost = {
            name: positives * miss * (1 - tpr) + (1 - positives) * alarm * fpr for name, (fpr, tpr) in points.items()
        }
        cost |= {"never positive": positives * miss, "always positive": (1 - positives) * alarm}
        slope = roc.cost_slope(positives=positives, cost_of_miss=miss, cost_of_alarm=alarm)
        assert found.best_for(slope) == (min(cost, key=cost.get),)


@pytest.mark.parametrize(
    "call",
    [
        lambda: roc.cost_ranges({}),
        lambda: roc.cost_ranges({"a": [0.1, 0.2, 0.3]}),
        lambda: roc.cost_ranges({"a": [0.1, 1.2]}),
        lambda: roc.cost_ranges({"a": ["x", 0.2]}),
        lambda: roc.cost_ranges({"a": [0.1, float("nan")]}),
        lambda: roc.cost_ranges({"never positive": [0.1, 0.2]}),
        lambda: roc.cost_ranges({"a": [0.1, 0.2]}).best_for(-1.0),
        lambda: roc.cost_slope(positives=1.0),
        lambda: roc.rates([0, 1], [0.1, 0.2], []),
        lambda: roc.rates([0, 0], [0.1, 0.2], [0.1]),
        lambda: roc.average_curve([[0, 1]], [[0.1, 0.2]]),
        lambda: roc.average_curve([[0, 1], [0, 1]], [[0.1, 0.2]]),
        lambda: roc.average_curve([[0, 1], [0, 1]], [[0.1, 0.2], [0.1, "x"]], method="threshold"),
        lambda: roc.average_curve([[0, 1], [0, 1]], [[0.1, 0.2]] * 2, method="upwards"),
        lambda: roc.average_curve([[0, 1], [0, 1]], [[0.1, 0.2]] * 2, thresholds=[0.1]),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises((InputError, KeyError)) as caught:
        call()
    assert hasattr(caught.value, "fix")
