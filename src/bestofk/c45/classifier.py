"""C4.5 as a scikit-learn estimator."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bestofk.c45 import plain
from bestofk.c45.cases import Cases, Training, class_codes, entering_the_average, row_weights
from bestofk.c45.columns import Columns, nominal_flags, opened
from bestofk.c45.pruning import held_out_rows, reduced
from bestofk.c45.rules import Rules, rules_of
from bestofk.c45.tree import Tree, answers, depth, tree_text
from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted


class C45Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Decision tree by Quinlan's C4.5, release 8, with the ties of Weka's J48.

    Numeric features are cut in two, nominal ones have a branch for each level, missing values go down all branches in
    fractions, and the tree is pruned by the errors that its leaves must expect. With numba (extra ``fast``) the same
    tree is learnt by compiled loops.

    Parameters
    ----------
    criterion : {"gain-ratio", "gain"}
        Choose among features by gain ratio, of those with at least average gain, or by gain alone.
    min_instances : float
        Two branches at least must have this weight.
    pruning : {"pessimistic", "reduced-error", "none"}
        By the upper confidence limit of each leaf's errors, by rows held out, or not at all.
    confidence : float
        Of pessimistic pruning; smaller prunes more.
    subtree_raising : bool
        Whether the heaviest branch may take its parent's place; of pessimistic pruning.
    collapse : bool
        Make a leaf of each subtree with no fewer training errors than a leaf; not before reduced-error pruning.
    penalty : bool
        Take log2(thresholds) / rows off the gain of a numeric feature.
    held_out : float or int
        Of reduced-error pruning: a share of the rows, drawn at random, or k for the last of k stratified folds in the
        order of the rows, which is J48's way.
    nominal_features : "from_dtype", None, list of indices or names, or mask
        By type, columns of categories, text and truth values are nominal.
    random_state : int, RandomState or None
        Draws the rows that are held out.

    Examples
    --------
    >>> X = [["sunny", 85.0], ["rain", 70.0], ["sunny", 69.0], ["rain", 65.0]] * 3
    >>> tree = C45Classifier().fit(X, ["no", "yes", "yes", "yes"] * 3)
    >>> print(tree.export_text(), end="")
    x1 <= 70: yes (9.0)
    x1 > 70: no (3.0)
    """

    def __init__(
        self,
        *,
        criterion: str = "gain-ratio",
        min_instances: float = 2,
        pruning: str = "pessimistic",
        confidence: float = 0.25,
        subtree_raising: bool = True,
        collapse: bool = True,
        penalty: bool = True,
        held_out: float = 0.2,
        nominal_features: Any = "from_dtype",
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.min_instances = min_instances
        self.pruning = pruning
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.penalty = penalty
        self.held_out = held_out
        self.nominal_features = nominal_features
        self.random_state = random_state

    #: scikit-learn's own checks are not used; ``_validate_params`` asks ours.
    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    def _validate_params(self) -> None:
        rules_of(self)

    @classmethod
    def warm_up(cls) -> None:
        """Load the compiled loops, or compile them at their very first use, before a clock runs."""
        _warm_up()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> C45Classifier:
        """Learn a tree; rows of weight 0 are left out."""
        rules = rules_of(self)
        features = opened(self, X, reset=True)
        self.classes_, codes = class_codes(y, features.rows)
        names = getattr(self, "feature_names_in_", None)
        columns = Columns.learnt(features, nominal_flags(self.nominal_features, features, names))
        cases, weights = columns.cases(features), row_weights(sample_weight, features.rows)
        _warn_of_light_rows(weights, rules.min_instances)
        if sample_weight is not None and not weights.all():
            there = np.flatnonzero(weights)
            cases, codes, weights = cases.part(there), codes[there], weights[there]
        ascending = np.sort(cases.numbers, axis=1)
        averaged = entering_the_average(columns.features, float(weights.sum()))
        self._columns = columns
        training = Training(
            columns.features, cases, codes, weights, len(self.classes_), cases.numbers, ascending, averaged
        )
        self.tree_ = self._learnt(training, rules)
        self._says = answers(self.tree_)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of each row, the first of equals."""
        cases = self._read(X)
        labels = _prediction().labels(self.tree_, self._says, self._columns.features, cases)
        predicted: npt.NDArray[Any] = self.classes_[labels]
        return predicted

    def predict_proba(self, X: Any) -> Array:
        """Return the shares of the classes in the leaves that a row reaches, by the fractions in which it does."""
        cases = self._read(X)
        found = _prediction().probabilities(self.tree_, self._says, self._columns.features, cases)
        shares: Array = found / found.sum(axis=1, keepdims=True)
        return shares

    def export_text(self) -> str:
        """Return the tree in J48's form."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", [f"x{place}" for place in range(self.n_features_in_)])
        return tree_text(self.tree_, self._says, names, self._columns.levels, self.classes_.tolist())

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        check_is_fitted(self)
        return len(self.tree_.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves, those without training rows included."""
        check_is_fitted(self)
        return int((self.tree_.width == 0).sum())

    n_leaves_ = n_leaves

    @property
    def n_parameters(self) -> int:
        """Numbers that the tree consists of: a feature per test, a threshold where it is numeric, a class per leaf."""
        leaves = self.n_leaves
        asked = self.tree_.feature[self.tree_.width > 0]
        return leaves + len(asked) + int((self._columns.features.levels[asked] == 0).sum())

    @property
    def depth(self) -> int:
        """Number of questions on the longest way down."""
        check_is_fitted(self)
        return depth(self.tree_)

    def _learnt(self, training: Training, rules: Rules) -> Tree:
        if self.pruning != "reduced-error" or len(training.y) < 2:
            return _learn(training, rules)
        held = held_out_rows(self.held_out, training.y, self.random_state)
        out, rest = np.flatnonzero(held), np.flatnonzero(~held)
        tree = _learn(_part(training, rest), rules)
        says, asked = answers(tree), training.cases.part(out)
        passing = plain.weights_on_the_way(tree, says, training.features, asked, training.y[out], training.weights[out])
        return reduced(tree, says, passing)

    def _read(self, X: Any) -> Cases:
        check_is_fitted(self)
        return self._columns.cases(opened(self, X, reset=False))

    def __sklearn_tags__(self) -> Any:
        """Missing values and categories are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _warn_of_light_rows(weights: Array, least: float) -> None:
    """Weights that sum to one, as boosting gives them, leave every branch below the least weight."""
    if len(weights) >= 2 * least > weights.sum():
        warnings.warn(
            f"the rows weigh {weights.sum():g} together, and a split needs {2 * least:g}: the tree is one leaf. "
            "Multiply sample_weight by the number of rows, or lower min_instances.",
            stacklevel=3,
        )


def _part(training: Training, rows: npt.NDArray[np.intp]) -> Training:
    return training._replace(cases=training.cases.part(rows), y=training.y[rows], weights=training.weights[rows])


@cache
def _warm_up() -> None:
    """Once in a process."""
    rows = [[0.0, 0.0], [0.0, np.nan], [1.0, 1.0], [1.0, 0.0]]
    C45Classifier(nominal_features=[1], min_instances=1).fit(rows, [0, 0, 1, 1]).predict_proba(rows)


def _learn(training: Training, rules: Rules) -> Tree:
    """By compiled loops where numba is installed."""
    if not compiled_wanted():
        return plain.learn(training, rules)
    from bestofk.c45.compiled.tree import learn

    return learn(training, rules)


def _prediction() -> Any:
    """Where rows are answered: one by one in compiled loops, all at once in numpy."""
    if not compiled_wanted():
        return plain
    from bestofk.c45.compiled import prediction as compiled

    return compiled
