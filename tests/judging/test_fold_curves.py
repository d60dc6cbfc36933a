"""Curves of folds are judged as folds: their training sets overlap, whatever is read off a curve."""

import numpy as np
import pytest

import bestofk as bk
from bestofk.reporting.methods_paragraph import methods_of
from makers import ERROR, by_holm

LEARNERS = ("lda", "knn", "tree")
STEPS = (10.0, 20.0, 40.0)


def values(sets=1, replications=1, folds=10, seed=0):
    """Errors (learners, data sets, replications, folds, steps)."""
    rng = np.random.default_rng(seed)
    worse = np.array([0.0, 0.03, 0.1]).reshape(3, 1, 1, 1, 1)
    return 0.3 + worse - 0.1 * np.arange(3) + 0.03 * rng.normal(size=(3, sets, replications, folds, 3))


def curves_of(errors, **more):
    sets, _, folds = errors.shape[1:4]
    flat = errors.reshape(3, -1, errors.shape[-1])
    if sets > 1:
        more["datasets"] = (tuple(np.repeat([f"set-{i}" for i in range(sets)], flat.shape[1] // sets).tolist()),) * 3
    return bk.Curves(learners=LEARNERS, values=tuple(flat), steps=STEPS, folds=folds, **ERROR, **more)


def scores_of(errors, **more):
    datasets = tuple(f"set-{i}" for i in range(errors.shape[1])) if errors.shape[1] > 1 else ("data",)
    return bk.Scores(learners=LEARNERS, values=errors, datasets=datasets, **ERROR, **more)


def agree(one, two):
    """Verdicts with the same tests of the same numbers."""
    assert (one.status, one.best, one.scope, one.comparison.test) == (
        two.status,
        two.best,
        two.scope,
        two.comparison.test,
    )
    np.testing.assert_allclose(one.comparison.pvalue, two.comparison.pvalue, rtol=1e-9)
    np.testing.assert_allclose(*(each.comparison.bounded_at(0.05).low for each in (one, two)), rtol=1e-9)


@pytest.mark.parametrize(
    ("shape", "test", "scope"),
    [
        ((1, 1, 10), "corrected-t", "learner"),
        ((1, 5, 2), "corrected-t", "learner"),
        ((1, 10, 10), "repeated-cv-t", "learner"),
        ((4, 5, 2), "stratified-t", "these data sets"),
        ((12, 1, 5), "wilcoxon", "data sets"),
    ],
)
def test_whole_curves_and_points_of_them_are_tested_as_scores_of_folds(shape, test, scope):
    errors = values(*shape)
    curves = curves_of(errors)
    whole = bk.judge(curves)
    assert (whole.comparison.test, whole.scope) == (test, scope)
    agree(whole, bk.judge(scores_of(errors.mean(axis=-1))))
    agree(bk.judge(curves, curve="final"), bk.judge(scores_of(errors[..., -1])))
    agree(bk.judge(curves, curve="best"), bk.judge(scores_of(errors.min(axis=-1))))


def test_steps_and_features_are_tested_as_folds_in_one_family():
    errors = values()
    found = bk.judge(curves_of(errors)).comparison
    by_name = {name: errors[..., s] for s, name in enumerate(STEPS)}
    steps = np.array([bk.compare(scores_of(each)).pvalue for each in by_name.values()])
    final = [next(each for each in pair.traits if each.feature == "final") for pair in found.curves.pairs]
    np.testing.assert_allclose([each.pvalue for each in final], steps[-1], rtol=1e-9)
    traits = np.array([[each.pvalue for each in pair.traits] for pair in found.curves.pairs]).T
    family = np.concatenate([found.pvalue[None], traits, steps])
    weights = np.repeat([0.5, *[0.125] * 3, *[0.125 / 3] * 3], 3)
    expected = np.array(by_holm(*family.ravel(), weights=weights)).reshape(family.shape)
    np.testing.assert_allclose(found.adjusted, expected[0], rtol=1e-9)
    np.testing.assert_allclose([each.adjusted for each in final], expected[1], rtol=1e-9)
    assert found.curves.anova is found.curves.parts is None  # they shuffle curves as if folds were independent
    assert "split-plot" not in methods_of(bk.judge(curves_of(errors))).further


def test_folds_of_one_name_belong_together_in_whatever_order():
    errors = values()
    turned = errors[0].reshape(10, 3)[::-1], *errors[1:].reshape(2, 10, 3)
    names = tuple(map(str, range(10)))
    found = bk.Curves(
        learners=LEARNERS, values=turned, steps=STEPS, folds=10, runs=(names[::-1], names, names), **ERROR
    )
    agree(bk.judge(found), bk.judge(curves_of(errors)))
    agree(bk.judge(found, curve="final"), bk.judge(curves_of(errors), curve="final"))
    lone = bk.Curves(
        learners=LEARNERS, values=turned, steps=STEPS, folds=10, runs=(names, names, (*names[:9], "x")), **ERROR
    )
    with pytest.raises(bk.InputError, match="'9'"):
        bk.judge(lone)


def test_what_is_said_of_folds_is_heard():
    source = {
        name: (np.array(STEPS), np.zeros((3, 10)), each.reshape(10, 3).T)
        for name, each in zip(LEARNERS, values(), strict=True)
    }
    found = bk.judge(bk.read(source))
    assert "K114" in [each.code for each in found.advice]  # nothing says that it was one cross-validation
    splits = bk.read(source, test_fraction=0.3)
    assert bk.judge(splits).comparison.sample.share == 0.3
    assert bk.judge(splits).comparison.pvalue[0] > found.comparison.pvalue[0]
    assert bk.judge(bk.read(source, replications=5)).comparison.sample.replications_and_folds == (5, 2)
    for wrong, told in (({"replications": 3}, "10 folds"), ({"replications": 2, "test_fraction": 0.3}, "both")):
        with pytest.raises(bk.InputError, match=told):
            bk.read(source, **wrong)
    with pytest.raises(bk.InputError, match="itself says"):
        bk.read(curves_of(values(1, 5, 2)), test_fraction=0.3)


def test_folds_are_whole():
    with pytest.raises(bk.InputError, match="9 curves, no whole replications of 10 folds"):
        bk.Curves(learners=("a",), values=(np.zeros((9, 3)),), folds=10, **ERROR)
    with pytest.raises(bk.InputError, match="not independent"):
        bk.judge(curves_of(values()), test="randomized-t")
    with pytest.raises(bk.InputError, match="paired"):
        bk.judge(curves_of(values()), paired=True)


def test_a_table_with_replications_and_folds(tmp_path):
    errors = values(1, 5, 2)
    cells = [(k, r, f, s) for k in range(3) for r in range(5) for f in range(2) for s in range(3)]
    rows = [f"{LEARNERS[k]},{r},{f},{STEPS[s]:g},{errors[k, 0, r, f, s]}" for k, r, f, s in cells]
    file = tmp_path / "curves.csv"
    file.write_text("\n".join(["learner,replication,fold,step,error", *rows]))
    found = bk.read(file)
    assert found.folds == 2
    agree(bk.judge(found), bk.judge(curves_of(errors)))
    file.write_text("\n".join(["learner,replication,fold,step,error", *rows[3:]]))
    with pytest.raises(bk.InputError, match="lda has 9 curves, no whole replications of 2 folds"):
        bk.read(file)
    file.write_text("\n".join(["learner,replication,fold,step,error", *(row for row in rows if ",4,1," not in row)]))
    with pytest.raises(bk.InputError, match="has curves of 1 fold, another of 2"):
        bk.read(file)


def test_folds_of_data_sets_are_replicates_only_where_scores_are():
    """Nothing says what single splits overlap by, nor how folds that grow do: data sets are then compared."""
    errors = values(4, 5, 1)
    agree(bk.judge(curves_of(errors)), bk.judge(scores_of(errors.mean(axis=-1))))
    with pytest.raises(bk.InputError, match="stratified-t is not valid"):
        bk.judge(curves_of(errors), test="stratified-t")
