"""Every learner that a plan can name, by family, and the learner of a name or of an estimator.

A learner that is trained has as many free parameters as its form says, by the classes K, the inputs d that it sees, and
the training rows n. A tree's number is not known before it is grown; the ``size`` that collecting measures counts it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from bestofk.core.errors import InputError, glimpse
from bestofk.core.names import unknown
from bestofk.core.shelf import Shelf
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner

#: Makes a learner; the options are parameters of its estimator.
LearnerMaker = Callable[..., Learner]

_REGISTERED: dict[str, LearnerMaker] = {}
LEARNERS: Shelf[LearnerMaker] = Shelf("learners", lambda: dict(sorted(_REGISTERED.items())))

PLAIN = Encoding()
SCALED = Encoding(scale=True)
GAPS_KEPT = Encoding(impute=False)
AS_CODED = Encoding(one_of_n=False, impute=False)


def learner_of(
    source: Any,
    *,
    name: str | None = None,
    params: Mapping[str, Any] | None = None,
    encoding: Encoding | None = None,
) -> Learner:
    """Return the learner of a registered name or of an estimator or pipeline of scikit-learn.

    ``params`` are parameters of the estimator. ``encoding`` says what is done to the features; without it the learner's
    own, a pipeline's being none at all: it is handed the raw data.

    Examples
    --------
    >>> learner_of("knn", params={"n_neighbors": 7}).settings["params"]["n_neighbors"]
    7
    """
    if isinstance(source, Learner):
        if params:
            wrong = f"{source.name} has its parameters already."
            raise InputError(wrong, f"learner {source.name}", "leave params out.")
        found = source
    elif isinstance(source, str):
        if source not in LEARNERS:
            raise unknown(source, LEARNERS, what="learner", where="plan, learners")
        found = LEARNERS[source](**(params or {}))
    elif isinstance(source, type):
        raise InputError(
            f"{source.__name__} is a class.", f"learner {name or source.__name__}", f"give one: {source.__name__}()."
        )
    elif all(callable(getattr(source, method, None)) for method in ("fit", "predict", "get_params", "set_params")):
        found = learner_of_estimator(source, params=params)
    else:
        raise InputError(
            f"{glimpse(source)} is no learner.",
            f"learner {name or ''}".strip(),
            "give a registered name, or an estimator with fit, predict and get_params.",
        )
    return replace(found, name=name or found.name, encoding=encoding or found.encoding)


class Shape(NamedTuple):
    """What a learner is trained on: rows, inputs after encoding, and classes."""

    rows: int
    inputs: int
    classes: int


def shape_of(dataset: Dataset, encoding: Encoding) -> Shape:
    """All rows of a data set as a learner sees them: m categories are m inputs where they become 1-of-n."""
    wide = not encoding.none and encoding.one_of_n
    inputs = sum(len(feature.categories) if wide and feature.nominal else 1 for feature in dataset.features)
    return Shape(dataset.rows, inputs, len(dataset.classes))


def of_one_answer(shape: Shape) -> int:
    """1: the class or number that is always answered."""
    return 1


def of_means(shape: Shape) -> int:
    """K d: a mean of every class."""
    return shape.classes * shape.inputs


def of_means_and_variances(shape: Shape) -> int:
    """2 K d + K − 1: means, variances and shares of the classes."""
    return 2 * shape.classes * shape.inputs + shape.classes - 1


def of_shared_covariance(shape: Shape) -> int:
    """K d + d (d + 1) / 2 + K − 1: means, one covariance and shares of the classes."""
    return shape.classes * shape.inputs + shape.inputs * (shape.inputs + 1) // 2 + shape.classes - 1


def of_own_covariances(shape: Shape) -> int:
    """K (d + d (d + 1) / 2) + K − 1: a mean and a covariance of every class, and their shares."""
    return shape.classes * (shape.inputs + shape.inputs * (shape.inputs + 1) // 2) + shape.classes - 1


def of_lines_between_classes(shape: Shape) -> int:
    """(K − 1) (d + 1): a line against the last class for every other."""
    return (shape.classes - 1) * (shape.inputs + 1)


def of_lines_between_pairs(shape: Shape) -> int:
    """K (K − 1) / 2 (d + 1): a line for every pair of classes."""
    return shape.classes * (shape.classes - 1) // 2 * (shape.inputs + 1)


def of_all_rows(shape: Shape) -> int:
    """n (d + 1): every training row with its class."""
    return shape.rows * (shape.inputs + 1)


def of_one_line(shape: Shape) -> int:
    """d + 1: a slope for every input and a constant."""
    return shape.inputs + 1


def registered(
    name: str,
    *,
    complexity: float,
    encoding: Encoding = PLAIN,
    parameters: Callable[[Shape], int] | None = None,
    **stated: Any,
) -> Callable[[Callable[[], Any]], LearnerMaker]:
    """Put a learner on the shelf: the function returns the class of its estimator, whose parameters are the options.

    ``stated`` are the parameters that make it this learner; others are left to the defaults of the class.
    """

    def register(kind: Callable[[], Any]) -> LearnerMaker:
        @functools.wraps(kind)
        def make(**params: Any) -> Learner:
            about: dict[str, Any] = {"encoding": encoding, "complexity": complexity, "parameters": parameters}
            return learner_of_estimator(kind()(**stated), name=name, params=params, stated=stated, **about)

        _REGISTERED[name] = make
        return make

    return register


@registered("max", complexity=1.0, encoding=AS_CODED, parameters=of_one_answer, strategy="most_frequent")
def most_frequent() -> Any:
    """Predicts the most frequent class of the training rows, whatever the features: the learner that all must beat."""
    from sklearn.dummy import DummyClassifier

    return DummyClassifier


@registered("mean", complexity=1.0, encoding=AS_CODED, parameters=of_one_answer, strategy="mean")
def mean() -> Any:
    """Predicts the mean of the training rows, whatever the features: the regressor that all must beat."""
    from sklearn.dummy import DummyRegressor

    return DummyRegressor


@registered("nmc", complexity=2.0, encoding=SCALED, parameters=of_means)
def nearest_mean() -> Any:
    """Nearest mean: the class whose mean is nearest."""
    from sklearn.neighbors import NearestCentroid

    return NearestCentroid


@registered("naive-bayes", complexity=3.0, parameters=of_means_and_variances)
def naive_bayes() -> Any:
    """Naive Bayes: a Gaussian for each column and class, columns taken for independent."""
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB


@registered("lda", complexity=4.0, parameters=of_shared_covariance)
def lda() -> Any:
    """Linear discriminant: Gaussian classes with one covariance."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis


@registered("qda", complexity=7.0, encoding=SCALED, parameters=of_own_covariances, reg_param=0.01)
def qda() -> Any:
    """Quadratic discriminant: Gaussian classes, each with its own covariance, drawn a little towards the identity.

    Without that, columns that depend on each other, as those of 1-of-n do, would have no inverse.
    """
    from bestofk.design.learners.complete_qda import CompleteQDA

    return CompleteQDA


@registered("lgc", complexity=5.0, encoding=SCALED, parameters=of_lines_between_classes, tol=1e-8, max_iter=10_000)
def logistic() -> Any:
    """Logistic regression: linear, trained by likelihood."""
    from sklearn.linear_model import LogisticRegression

    # So near to the optimum that no prediction hangs on where the iterations stop: work shared across folds agrees.
    return LogisticRegression


@registered("svm", complexity=6.0, encoding=SCALED, parameters=of_lines_between_pairs, kernel="linear")
def linear_svm() -> Any:
    """Support vector machine with a linear kernel."""
    from sklearn.svm import SVC

    return SVC


@registered("ridge", complexity=2.0, encoding=SCALED, parameters=of_one_line)
def ridge() -> Any:
    """Ridge regression: linear, its weights kept small."""
    from sklearn.linear_model import Ridge

    return Ridge


@registered("nn", complexity=10.0, encoding=SCALED, parameters=of_all_rows, n_neighbors=1)
def nearest_neighbour() -> Any:
    """Nearest neighbour: the class of the one nearest training row; of equally near ones the lowest."""
    from bestofk.design.learners.exact_neighbours import ExactNeighbours

    return ExactNeighbours


@registered("knn", complexity=9.0, encoding=SCALED, parameters=of_all_rows, n_neighbors=20)
def nearest_neighbours() -> Any:
    """Nearest neighbours: the majority of the 20 nearest training rows; of equally near ones the lowest."""
    from bestofk.design.learners.exact_neighbours import ExactNeighbours

    return ExactNeighbours


@registered("c45", complexity=7.5, encoding=AS_CODED, nominal_features=None)
def c45() -> Any:
    """Quinlan's C4.5; nominal features have a branch for each level, missing values go down all branches."""
    from bestofk.c45 import C45Classifier

    # Levels come as codes and gaps as NaN; a data set tells the tree which of its columns are nominal.
    return C45Classifier


@registered("tree", complexity=8.0, encoding=GAPS_KEPT)
def tree() -> Any:
    """Decision tree, grown until pure unless told otherwise; takes missing values as they are."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier


@registered("regression-tree", complexity=3.0, encoding=GAPS_KEPT)
def regression_tree() -> Any:
    """Regression tree, grown until pure unless told otherwise; takes missing values as they are."""
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor


@registered("random-forest", complexity=11.0, encoding=GAPS_KEPT)
def random_forest() -> Any:
    """Random forest: a vote of a hundred trees; takes missing values as they are."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier
