"""Function × fault: every wrong input gets the three lines, never a number and never another kind of error."""

import numpy as np
import pytest

from bestofk import ordering, stats
from bestofk.core.errors import InputError
from bestofk.stats import distributions, studentized_range
from bestofk.stats.curves.randomized_t import randomized_t
from bestofk.stats.effects import a12, cohens_d, rank_biserial
from bestofk.stats.omnibus.skillings_mack import skillings_mack
from bestofk.stats.pairwise.mcnemar import mcnemar_auto_losses, mcnemar_exact_losses, mcnemar_mid_p_losses

RNG = np.random.default_rng(0)
VALUES = RNG.random((2, 8))
FIVE_BY_TWO = RNG.random((2, 5, 2))
REPEATED = RNG.random((2, 3, 4))
TABLE = RNG.random((4, 6))  # learners × folds, or data sets × learners
ITEMS = RNG.integers(0, 2, (20, 3))
VECTORS = RNG.random((3, 10, 2))
CURVES = RNG.random((2, 5, 4))
TRUTH = np.array([0, 1] * 10)
GOOD = np.random.default_rng(16).random((2, 6))
UNEQUAL = [np.random.default_rng(0).normal(size=(size, 6)).cumsum(axis=1) for size in (5, 4)]
ZERO_ONE = np.random.default_rng(17).integers(0, 2, (2, 9))

# Every public function: how it is called rightly. Arrays in positional arguments are what the faults are put into.
RIGHT = {
    "paired_t": (stats.pairwise.paired_t, [*VALUES], {}),
    "five_by_two_t": (stats.pairwise.five_by_two_t, [*FIVE_BY_TWO], {}),
    "five_by_two_f": (stats.pairwise.five_by_two_f, [*FIVE_BY_TWO], {}),
    "corrected_t": (stats.pairwise.corrected_t, [*REPEATED], {}),
    "corrected_t sizes": (stats.pairwise.corrected_t, [*VALUES], {"test_fraction": 0.1}),
    "calibrated_t": (stats.pairwise.calibrated_t, [*REPEATED], {}),
    "wilcoxon": (stats.pairwise.wilcoxon, [*VALUES], {}),
    "sign_test": (stats.pairwise.sign_test, [*VALUES], {}),
    "permutation_t": (stats.pairwise.permutation_t, [*VALUES], {"rng": 0}),
    "mcnemar": (stats.pairwise.mcnemar, [np.array([3, 4]), np.array([5, 6])], {}),
    "mcnemar_losses": (stats.pairwise.mcnemar_losses, [ITEMS[:, 0], ITEMS[:, 1]], {}),
    "anova": (stats.omnibus.anova, [TABLE], {}),
    "repeated_anova": (stats.omnibus.repeated_anova, [TABLE], {}),
    "kruskal_wallis": (stats.omnibus.kruskal_wallis, [*VALUES], {}),
    "friedman": (stats.omnibus.friedman, [TABLE], {}),
    "nemenyi": (stats.omnibus.nemenyi, [TABLE], {}),
    "newman_keuls": (stats.omnibus.newman_keuls, [TABLE], {}),
    "tukey": (stats.omnibus.tukey, [TABLE], {}),
    "duncan": (stats.omnibus.duncan, [TABLE], {}),
    "looney": (stats.omnibus.looney, [ITEMS], {}),
    "cochran_q": (stats.omnibus.cochran_q, [ITEMS], {}),
    "hotelling": (stats.multivariate.hotelling, [VECTORS[0], VECTORS[1]], {}),
    "hotelling unpaired": (stats.multivariate.hotelling, [VECTORS[0], VECTORS[1]], {"unpaired": True}),
    "manova": (stats.multivariate.manova, [VECTORS], {}),
    "measures": (stats.multivariate.measures, [np.array([3.0, 4.0])] * 4, {}),
    "curve_anova": (stats.curves.curve_anova, [*CURVES], {}),
    "randomized_anova": (stats.curves.randomized_anova, [*CURVES], {"rng": 0}),
    "modify": (lambda curves: stats.curves.modify(curves, "a", 1.0), [CURVES[0]], {}),
    "correlated_t": (stats.bayes.correlated_t, [*VALUES], {"rope": 0.01, "correlation": 0.1}),
    "signed_rank": (stats.bayes.signed_rank, [*VALUES], {"rope": 0.01, "samples": 100, "rng": 0}),
    "bayes sign": (stats.bayes.sign, [*VALUES], {"rope": 0.01, "samples": 100, "rng": 0}),
    "auc": (stats.roc.auc, [TRUTH, RNG.random(20)], {}),
    "curve": (stats.roc.curve, [TRUTH, RNG.random(20)], {}),
    "delong": (stats.roc.delong, [TRUTH, RNG.random(20), RNG.random(20)], {}),
    "convex_hull": (stats.roc.convex_hull, [RNG.random((5, 2))], {}),
    "multinomial_selection": (stats.selection.multinomial_selection, [RNG.random((9, 3))], {"samples": 100}),
    "multitest": (ordering.multitest, [RNG.random((3, 5, 2))], {}),
    "newman_keuls_best": (ordering.newman_keuls_best, [TABLE], {}),
    "cliques": (ordering.cliques, [np.eye(3)], {}),
    "skillings_mack": (skillings_mack, [np.random.default_rng(18).random((6, 3))], {}),
    "mcnemar_exact_losses": (mcnemar_exact_losses, [*ZERO_ONE], {}),
    "mcnemar_auto_losses": (mcnemar_auto_losses, [*ZERO_ONE], {}),
    "mcnemar_mid_p_losses": (mcnemar_mid_p_losses, [*ZERO_ONE], {}),
    "randomized_t": (randomized_t, [*UNEQUAL], {}),
    "cohens_d": (cohens_d, [*GOOD], {}),
    "a12": (a12, [*GOOD], {}),
    "rank_biserial": (rank_biserial, [*GOOD], {}),
    **{name: (getattr(stats.adjust, name), [RNG.random(6)], {}) for name in stats.adjust.__all__ if name != "ADJUST"},
}


def with_first(args, change):
    return [change(np.array(args[0], dtype=float)), *args[1:]]


def put(value):
    def change(array):
        array.flat[1] = value  # off the diagonal of a table of pairs
        return array

    return change


FAULTS = {
    "NaN": put(np.nan),
    "infinity": put(np.inf),
    "minus infinity": put(-np.inf),
    "empty": lambda array: [],
    "empty in its last axis": lambda array: array[..., :0],
    "text": lambda array: "many",
    "text in an array": lambda array: np.full(array.shape, "0.5"),
    "text in a list of lists": lambda array: [["0.1", 0.2]],
    "None": lambda array: None,
    "None inside": lambda array: [None, *array[1:].tolist()],
    "a bare number": lambda array: 0.5,
    "complex": lambda array: array + 1j,
    "a date": lambda array: np.full(array.shape, np.datetime64("2026-01-01")),
    "masked": lambda array: np.ma.masked_array(array, mask=np.ones(array.shape, dtype=bool)),
    "ragged": lambda array: [[1.0, 2.0], [[3.0], 4.0]],
}
# What is right input after all, and how it is answered.
ALLOWED = {
    ("skillings_mack", "NaN"): lambda found: found.counts.tolist() == [6, 5, 6],  # takes gaps
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_input_is_answered(name):
    function, args, kwargs = RIGHT[name]
    assert function(*args, **kwargs) is not None


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", RIGHT)
def test_fault_is_refused(name, fault):
    function, args, kwargs = RIGHT[name]
    broken = with_first(args, FAULTS[fault])
    if (name, fault) in ALLOWED:
        assert ALLOWED[name, fault](function(*broken, **kwargs))
        return
    with pytest.raises(InputError) as caught:
        function(*broken, **kwargs)
    assert caught.value.wrong
    assert caught.value.where
    assert caught.value.fix
    assert str(caught.value).count("\n") == 2


def test_a_scalar_count_is_one_table():
    assert stats.pairwise.mcnemar(0, 0).pvalue == 1.0


ONE_VALUE = ("skillings_mack", "randomized_t", "cohens_d", "a12", "rank_biserial")


@pytest.mark.parametrize("name", [*ONE_VALUE, "mcnemar_auto_losses", "mcnemar_exact_losses", "mcnemar_mid_p_losses"])
def test_one_value_is_refused(name):
    function, args, _ = RIGHT[name]
    with pytest.raises(InputError) as caught:
        function(np.array(args[0], dtype=float).reshape(-1)[:1], *args[1:])
    assert str(caught.value).count("\n") == 2


UNPAIRED = ("mcnemar", "hotelling unpaired", "kruskal_wallis", "a12")  # groups may have unequal sizes
TWO_SAMPLES = [name for name, (_, args, _) in RIGHT.items() if len(args) == 2 and name not in UNPAIRED]


@pytest.mark.parametrize("name", TWO_SAMPLES)
def test_unequal_lengths_are_refused(name):
    function, (first, second), kwargs = RIGHT[name]
    with pytest.raises(InputError):
        function(first[..., :-1], second, **kwargs)


# (what is wrong, the call)
WRONG_CALLS = {
    "one fold": lambda: stats.pairwise.paired_t([0.1], [0.2]),
    "one fold, wilcoxon": lambda: stats.pairwise.wilcoxon([0.1], [0.2]),
    "one fold of one replication": lambda: stats.pairwise.corrected_t([[0.1]], [[0.2]]),
    "replications of one fold": lambda: stats.pairwise.corrected_t([[0.1], [0.2]], [[0.2], [0.3]]),
    "1x10 for 5x2": lambda: stats.pairwise.five_by_two_t(RNG.random((1, 10)), RNG.random((1, 10))),
    "2x5 for 5x2": lambda: stats.pairwise.five_by_two_f(RNG.random((2, 5)), RNG.random((2, 5))),
    "5x2 F one-sided": lambda: stats.pairwise.five_by_two_f(*FIVE_BY_TWO, alternative="greater"),
    "alternative": lambda: stats.pairwise.paired_t(*VALUES, alternative="more"),
    "alternative None": lambda: stats.pairwise.paired_t(*VALUES, alternative=None),
    "both size forms": lambda: stats.pairwise.corrected_t(*VALUES, test_fraction=0.1, n_train=9),
    "n_train alone": lambda: stats.pairwise.corrected_t(*VALUES, n_train=9),
    "test_fraction 1": lambda: stats.pairwise.corrected_t(*VALUES, test_fraction=1.0),
    "n_train 0": lambda: stats.pairwise.corrected_t(*VALUES, n_train=0, n_test=3),
    "scheme": lambda: stats.pairwise.calibrated_t(*REPEATED, scheme="sum"),
    "df 0": lambda: stats.pairwise.calibrated_t(*REPEATED, df=0),
    "negative count": lambda: stats.pairwise.mcnemar(-1, 3),
    "half a count": lambda: stats.pairwise.mcnemar(1.5, 3),
    "mcnemar method": lambda: stats.pairwise.mcnemar(1, 3, method="chi3"),
    "losses not 0/1": lambda: stats.pairwise.mcnemar_losses([0, 2], [0, 1]),
    "predictions too few": lambda: stats.pairwise.mcnemar_from([0, 1, 1], [0, 1], [0, 1, 1]),
    "missing label": lambda: stats.pairwise.mcnemar_from([0, 1.0], [0, np.nan], [0, 1]),
    "zeros": lambda: stats.pairwise.wilcoxon(*VALUES, zeros="keep"),
    "wilcoxon method": lambda: stats.pairwise.wilcoxon(*VALUES, method="normally"),
    "sign zeros": lambda: stats.pairwise.sign_test(*VALUES, zeros="pratt"),
    "shuffles 0": lambda: stats.pairwise.permutation_t(*VALUES, shuffles=0),
    "shuffles 1.5": lambda: stats.pairwise.permutation_t(*VALUES, shuffles=1.5),
    "rng text": lambda: stats.pairwise.permutation_t(*VALUES, rng="seed"),
    "rng negative": lambda: stats.pairwise.permutation_t(*VALUES, rng=-1),
    "batches that do not fit": lambda: stats.pairwise.paired_t(RNG.random((2, 8)), RNG.random((3, 8))),
    "too large to square": lambda: stats.pairwise.paired_t(1e200 * VALUES[0], 1e200 * VALUES[1]),
    "too small to square": lambda: stats.pairwise.paired_t(1e-200 * VALUES[0], 1e-200 * VALUES[1]),
    "too large to square, anova": lambda: stats.omnibus.anova(1e200 * TABLE),
    "too large to square, ranges": lambda: stats.omnibus.newman_keuls(1e200 * TABLE),
    "too large to square, manova": lambda: stats.multivariate.manova(1e200 * VECTORS),
    "too large to square, curves": lambda: stats.curves.curve_anova(*(1e200 * CURVES)),
    "labels of two kinds": lambda: stats.pairwise.mcnemar_from([0, 1], [0, 1], ["0", "1"]),
    "no label": lambda: stats.pairwise.mcnemar_from(["a", "b"], ["a", None], ["a", "b"]),
    "ties neither true nor false": lambda: stats.omnibus.friedman(TABLE, ties="yes"),
    "ties of groups": lambda: stats.omnibus.kruskal_wallis(*VALUES, ties=2),
    "unpaired": lambda: stats.multivariate.hotelling(VECTORS[0], VECTORS[1], unpaired="no"),
    "undefined": lambda: stats.multivariate.measures([0], [1], [0], [1], names=["precision"], undefined="zero"),
    "test within data sets": lambda: ordering.multi2test(TABLE, within="6x2"),
    "adjustment within data sets": lambda: ordering.multi2test(TABLE, adjust="holms"),
    "counts that do not pair": lambda: stats.pairwise.mcnemar([1, 2], [1, 2, 3]),
    "batches of labels": lambda: stats.pairwise.mcnemar_from(np.zeros((2, 3)), np.zeros((4, 3)), np.zeros(3)),
    "ragged labels": lambda: stats.pairwise.mcnemar_from([[0], [1, 1]], [0, 1], [0, 1]),
    "a whole number without end": lambda: stats.pairwise.paired_t([10**400, 1], [1, 2]),
    "a level without end": lambda: stats.omnibus.tukey(TABLE, alpha=10**400),
    "a ragged level": lambda: stats.omnibus.tukey(TABLE, alpha=[[1], [1, 2]]),
    "no correlation": lambda: stats.bayes.correlated_t(*VALUES, rope=0.1, correlation=None),
    "no names of measures": lambda: stats.multivariate.measures([1], [1], [1], [1], names=None),
    "no counts": lambda: stats.multivariate.measures([], [], [], []),
    "learners without measures": lambda: stats.multivariate.manova({"a": [1, 2], "b": [2, 3]}),
    "prior 5": lambda: ordering.multitest(FIVE_BY_TWO, prior=5),
    "edges that are no pairs": lambda: ordering.from_edges([1], prior=(1, 2)),
    "negative degrees of freedom": lambda: distributions.t_critical(0.05, -1),
    "a range in words": lambda: studentized_range.sf("x", 3, 10),
    "one group": lambda: stats.omnibus.kruskal_wallis(TABLE),
    "a list for 5x2": lambda: stats.pairwise.five_by_two_t(np.ones(10), np.ones(10)),
    "NaN range": lambda: studentized_range.sf(np.nan, 3, 10),
    "a batch of ranges": lambda: ordering.ranges(RNG.random((2, 3, 4))),
    "an edge of three": lambda: ordering.from_edges([(1, 2, 3)], prior=(1, 2, 3)),
    "one learner": lambda: stats.omnibus.anova([[0.1, 0.2]]),
    "one learner in a dict": lambda: stats.omnibus.friedman({"a": [0.1, 0.2]}),
    "one data set": lambda: stats.omnibus.friedman([[0.1, 0.2, 0.3]]),
    "one value per learner": lambda: stats.omnibus.anova([[0.1], [0.2]]),
    "unequal dict": lambda: stats.omnibus.newman_keuls({"a": [0.1, 0.2], "b": [0.1]}),
    "empty dict": lambda: stats.omnibus.friedman({}),
    "alpha 0": lambda: stats.omnibus.newman_keuls(TABLE, alpha=0),
    "alpha 1": lambda: stats.omnibus.tukey(TABLE, alpha=1),
    "alpha 5": lambda: stats.omnibus.duncan(TABLE, alpha=5),
    "alpha text": lambda: stats.omnibus.nemenyi(TABLE, alpha="0.05"),
    "alpha NaN": lambda: stats.omnibus.nemenyi(TABLE, alpha=np.nan),
    "alpha of a decision": lambda: stats.pairwise.paired_t(*VALUES).rejects(1.5),
    "level of an interval": lambda: stats.pairwise.paired_t(*VALUES).confidence_interval(95),
    "control": lambda: stats.omnibus.nemenyi(TABLE, control=17),
    "control by name": lambda: stats.omnibus.nemenyi({"svm": [0.1, 0.2], "knn": [0.3, 0.1]}, control="swm"),
    "epsilon": lambda: stats.omnibus.looney(ITEMS, epsilon="box"),
    "outcomes not 0/1": lambda: stats.omnibus.cochran_q([[0, 1], [2, 1]]),
    "as many measures as folds": lambda: stats.multivariate.hotelling(RNG.random((3, 3)), RNG.random((3, 3))),
    "measures differ": lambda: stats.multivariate.hotelling(RNG.random((9, 3)), RNG.random((9, 2))),
    "more measures than folds, manova": lambda: stats.multivariate.manova(RNG.random((2, 2, 5))),
    "learners' tables differ": lambda: stats.multivariate.manova({"a": RNG.random((5, 2)), "b": RNG.random((4, 2))}),
    "measure name": lambda: stats.multivariate.measures([1], [1], [1], [1], names=["tpt"]),
    "measure twice": lambda: stats.multivariate.measures([1], [1], [1], [1], names=["tpr", "TPR"]),
    "no measure": lambda: stats.multivariate.measures([1], [1], [1], [1], names=[]),
    "0/0": lambda: stats.multivariate.measures([0, 1], [1, 1], [0, 1], [1, 1], names=["precision"]),
    "negative counts": lambda: stats.multivariate.measures([-1], [1], [0], [1]),
    "one set of curves": lambda: stats.curves.curve_anova(CURVES[0]),
    "curves of unequal length": lambda: stats.curves.randomized_anova(CURVES[0], CURVES[1][:, :-1]),
    "curves of one point": lambda: stats.curves.curve_anova(CURVES[0][:, :1], CURVES[1][:, :1]),
    "one curve each": lambda: stats.curves.curve_anova(CURVES[0][:1], CURVES[1][:1]),
    "exact of too many": lambda: stats.curves.randomized_anova(RNG.random((30, 3)), RNG.random((30, 3)), exact=True),
    "exact text": lambda: stats.curves.randomized_anova(*CURVES, exact="yes"),
    "backend": lambda: stats.curves.randomized_anova(*CURVES, backend="cuda"),
    "kind of modification": lambda: stats.curves.modify(CURVES[0], "e", 1),
    "factor": lambda: stats.curves.modify(CURVES[0], "a", np.nan),
    "rope": lambda: stats.bayes.correlated_t(*VALUES, rope=-0.1, correlation=0.1),
    "rope NaN": lambda: stats.bayes.sign(*VALUES, rope=np.nan),
    "correlation 1": lambda: stats.bayes.correlated_t(*VALUES, rope=0.1, correlation=1.0),
    "samples": lambda: stats.bayes.signed_rank(*VALUES, rope=0.1, samples=0),
    "one class": lambda: stats.roc.auc([1, 1], [0.2, 0.3]),
    "labels -1 and 1": lambda: stats.roc.auc([-1, 1], [0.2, 0.3]),
    "a class of one": lambda: stats.roc.delong([0, 1, 1], [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]),
    "scores too few": lambda: stats.roc.curve([0, 1, 1], [0.1, 0.2]),
    "rate above 1": lambda: stats.roc.convex_hull([[0.5, 1.5]]),
    "points in 3-d": lambda: stats.roc.convex_hull([[0.5, 0.5, 0.5]]),
    "probability above 1": lambda: stats.selection.multinomial_selection([[0.5, 1.5]]),
    "p above 1": lambda: stats.adjust.holm([0.5, 1.5]),
    "p below 0": lambda: stats.adjust.bonferroni([-0.1]),
    "not all pairs": lambda: stats.adjust.shaffer([0.1, 0.2]),
    "kind of Shaffer": lambda: stats.adjust.shaffer([0.1], kind="quick"),
    "ten learners": lambda: stats.adjust.bergmann_hommel(RNG.random(45)),
    "probability of t": lambda: distributions.t_critical(1.5, 5),
    "one mean": lambda: studentized_range.sf(3.0, 1, 10),
    "no degrees of freedom": lambda: studentized_range.critical(0.05, 3, 0.5),
    "prior with an unknown name": lambda: ordering.multitest({"a": FIVE_BY_TWO[0], "b": FIVE_BY_TWO[1]}, ["a", "c"]),
    "prior that misses one": lambda: ordering.multitest({"a": FIVE_BY_TWO[0], "b": FIVE_BY_TWO[1]}, ["a"]),
    "prior with one twice": lambda: ordering.multitest({"a": FIVE_BY_TWO[0], "b": FIVE_BY_TWO[1]}, ["a", "a"]),
    "prior as text": lambda: ordering.multitest({"a": FIVE_BY_TWO[0], "b": FIVE_BY_TWO[1]}, "ab"),
    "unknown test": lambda: ordering.multitest(FIVE_BY_TWO, test="5x2cvt"),
    "two-sided test": lambda: ordering.multitest(FIVE_BY_TWO, test="5x2cv-f"),
    "unknown adjustment": lambda: ordering.multitest(FIVE_BY_TWO, adjust="holms"),
    "K = 1": lambda: ordering.multitest(FIVE_BY_TWO[:1]),
    "edge backwards": lambda: ordering.from_edges([(2, 1)], prior=(1, 2)),
    "edge to nowhere": lambda: ordering.from_edges([(1, 3)], prior=(1, 2)),
    "empty prior": lambda: ordering.from_edges([], prior=()),
    "names for cliques": lambda: ordering.cliques(np.eye(3), names=["a", "b", "b"]),
    "one-sided table": lambda: ordering.cliques([[1, 1], [0, 1]]),
    "unequal lengths, cohens_d": lambda: cohens_d(GOOD[0][:-1], GOOD[1]),
    "unequal lengths, rank_biserial": lambda: rank_biserial(GOOD[0][:-1], GOOD[1]),
    "unequal lengths, mcnemar_exact_losses": lambda: mcnemar_exact_losses(ZERO_ONE[0][:-1], ZERO_ONE[1]),
    "batches, a12": lambda: a12(np.ones((2, 3)), np.ones((3, 3))),
    "one value, a12": lambda: a12([0.1], [0.1, 0.2]),
    "too large, a12": lambda: a12([1e200, 1], [1, 2]),
    "points differ, randomized_t": lambda: randomized_t(UNEQUAL[0], UNEQUAL[1][:, :-1]),
    "one curve each, randomized_t": lambda: randomized_t(UNEQUAL[0][:1], UNEQUAL[1][:1]),
    "one point, randomized_t": lambda: randomized_t(UNEQUAL[0][:, :1], UNEQUAL[1][:, :1]),
    "alternative, randomized_t": lambda: randomized_t(*UNEQUAL, alternative="more"),
    "shuffles, randomized_t": lambda: randomized_t(*UNEQUAL, shuffles=0),
    "rng, randomized_t": lambda: randomized_t(*UNEQUAL, rng="seed"),
    "exact, randomized_t": lambda: randomized_t(*UNEQUAL, exact="yes"),
    "exact as an array, randomized_t": lambda: randomized_t(*UNEQUAL, exact=np.ones(2)),
    "exact of too many, randomized_t": lambda: randomized_t(np.ones((30, 2)), np.ones((30, 2)), exact=True),
    "one learner, skillings_mack": lambda: skillings_mack([[0.1], [0.2]]),
    "one data set, skillings_mack": lambda: skillings_mack([[0.1, 0.2]]),
    "one data set of use, skillings_mack": lambda: skillings_mack([[0.1, 0.2], [0.1, float("nan")]]),
    "nothing there, skillings_mack": lambda: skillings_mack(np.full((2, 2), np.nan)),
    "unequal columns, skillings_mack": lambda: skillings_mack({"a": [0.1, float("nan")], "b": [0.1]}),
    "text in a column, skillings_mack": lambda: skillings_mack({"a": [0.1, 0.2], "b": ["x", 0.1]}),
    "empty dict, skillings_mack": lambda: skillings_mack({}),
    "range of strangers": lambda: ordering.newman_keuls_best_from((1, 2), [(1, 3)], prior=(1, 2)),
    "order and prior differ": lambda: ordering.newman_keuls_best_from((1, 2), [], prior=(1, 3)),
}


@pytest.mark.parametrize("fault", WRONG_CALLS)
def test_wrong_call_is_refused(fault):
    with pytest.raises(InputError) as caught:
        WRONG_CALLS[fault]()
    assert str(caught.value).count("\n") == 2


def test_near_names_are_suggested():
    with pytest.raises(InputError, match="did you mean 'two-sided'"):
        stats.pairwise.paired_t(*VALUES, alternative="twosided")
    with pytest.raises(InputError, match="did you mean 'svm'"):
        WRONG_CALLS["control by name"]()


@pytest.mark.parametrize("name", RIGHT)
def test_integers_and_lists_are_taken(name):
    function, args, kwargs = RIGHT[name]
    if name == "multinomial_selection" or name in stats.adjust.__all__ or name in ("convex_hull", "cliques"):
        whole = [(np.asarray(arg) > 0.5).astype(int) for arg in args]
    else:
        whole = [
            np.asarray(arg).astype(int) if set(np.unique(arg)) <= {0, 1} else np.rint(10 * np.asarray(arg)).astype(int)
            for arg in args
        ]
    from_integers = function(*whole, **kwargs)
    from_lists = function(*(arg.tolist() for arg in whole), **kwargs)
    assert repr(from_integers) == repr(from_lists)
