"""For users of scikit-learn: estimators compared on one set of folds, and the refit of a search by preference."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from itertools import product
from typing import Any

import numpy as np

from bestofk.collecting.run.progress import Progress
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse, message_of
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import alpha_of, refuse_duplicates
from bestofk.design.learners.estimators import is_estimator, names_of
from bestofk.evidence import Origin, Scores
from bestofk.evidence.columns import MOST_FOLDS
from bestofk.evidence.divisions import as_asked
from bestofk.evidence.layouts.search_results import COSTS, SPLIT, of_measures
from bestofk.judging import Verdict
from bestofk.measures.catalogue import cost_of_name, is_larger_better, measure_of_scorer
from bestofk.verbs import judge, read

WHERE = "compare_estimators"
#: The default folds: as many rows are trained on as tested, and no other design had more power (FOLDS.md).
HALVES = {"n_splits": 2, "n_repeats": 5}
#: The default where rows are in groups, if there are so many of them.
GROUP_FOLDS = 10

Outputs = dict[str, dict[str, Any]]
Failures = dict[tuple[str, int], str]  # estimator and fold: why


def compare_estimators(
    estimators: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: Any = None,
    *,
    cv: Any = None,
    scoring: Any = None,
    groups: Any = None,
    measure: str | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    **settings: Any,
) -> Verdict:
    """Cross-validate estimators of scikit-learn on the same folds and judge them.

    Parameters
    ----------
    estimators : mapping or sequence
        ``{name: estimator}``; those of a list are named by their classes, and by what differs between them. A search
        (``GridSearchCV``) is an estimator too: it is then fitted in every fold, which makes an honest comparison.
    X, y : array-like or data frame, array-like
        What ``cross_validate`` takes.
    cv : int, splitter or iterable of (train, test), optional
        As in ``cross_validate``; the folds are made once, for all estimators. By default 5 times 2 folds, stratified
        for classes; 10 folds of whole groups where ``groups`` are given.
    scoring : str, callable, list or dict, optional
        As in ``cross_validate``; by default accuracy for classifiers and R² for regressors. Negated losses are turned
        back: ``"neg_root_mean_squared_error"`` is judged as rmse, smaller is better.
    groups : array-like, optional
        The group of every row, for splitters that keep groups together.
    measure : str, optional
        Which of several scorers is judged by; the first, if not said.
    n_jobs : int, optional
        Processes that fit folds, as in scikit-learn.
    progress : bool
        Show a bar on a terminal.
    **settings
        Those of ``judge``: ``prior`` (``"fit-time"``, ``"predict-time"`` or names), ``within``, ``alpha``, ``rope`` …
        ``seed`` also shuffles the default folds. They are checked before anything is fitted. Unless ``missing`` says
        what to do about it, the first fit that fails ends the work.

    Returns
    -------
    Verdict
        ``verdict.evidence`` has the scores, to judge them once more.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> verdict = compare_estimators({"bayes": GaussianNB(), "chance": DummyClassifier()}, X, y)
    >>> verdict.best, verdict.evidence
    ('bayes', 2 learners on 1 data set, 5 replications of 2 folds, measure accuracy: larger is better)
    """
    from sklearn.utils import indexable

    named = _named(estimators)
    scoring = _default_scoring(named.values()) if scoring is None else scoring
    scorers = _scorers(scoring)
    if measure is not None and scorers and measure not in (known := _known(scorers)):
        raise unknown(measure, known, what="measure", where=f"{WHERE}, argument measure")
    try:
        X, y, groups = indexable(X, y, groups)
        splitter = _splitter(cv, y, groups, named.values(), settings.get("seed", 0))
        splits = list(splitter.split(X, y, groups))
    except (ValueError, TypeError) as error:
        raise InputError(
            f"the rows cannot be divided: {_one_line(error)}.",
            f"{WHERE}, arguments X, y, cv and groups",
            "give rows of equal number, and a cv that fits them.",
        ) from error

    if not splits:
        raise InputError("cv makes no split.", f"{WHERE}, argument cv", "give at least two folds: cv=5.")
    trial = _rehearsed(named, scorers or [measure or "score"], len(splits))
    judge(_scores(trial, {}, splits, measure, str(splitter)), **settings)  # what is wrong is said before the work
    go_on = settings.get("missing", "refuse") != "refuse"
    done = _cross_validated(named, X, y, splits, scoring, n_jobs, shown=progress, go_on=go_on)
    return judge(_scores(*done, splits, measure, str(splitter)), **settings)


def _named(estimators: Any) -> dict[str, Any]:
    if isinstance(estimators, Mapping):
        named = {str(name): each for name, each in estimators.items()}
    elif isinstance(estimators, Iterable) and not isinstance(estimators, str) and not is_estimator(estimators):
        listed = list(estimators)
        unnamed = [each for each in listed if not is_estimator(each)]
        names = names_of(listed) if not unnamed else [str(place + 1) for place in range(len(listed))]
        refuse_duplicates(names, what="estimator", where=WHERE)
        named = dict(zip(names, listed, strict=True))
    else:
        named = {}
    for name, each in named.items():
        if not is_estimator(each):
            what = f"the class {each.__name__}" if isinstance(each, type) else glimpse(each)
            raise InputError(f"estimator {name} is {what}.", WHERE, "give estimators of scikit-learn: GaussianNB().")
    if len(named) < 2:
        raise InputError(
            f"the estimators are {glimpse(estimators)}.", WHERE, "give two or more: {'lda': LDA(), 'svm': SVC()}."
        )
    return named


def _default_scoring(estimators: Iterable[Any]) -> str | None:
    """One measure for all: estimators' own scores may be of different ones."""
    from sklearn.base import is_classifier, is_regressor

    every = list(estimators)
    kinds = {"accuracy": all(map(is_classifier, every)), "r2": all(map(is_regressor, every))}
    if not any(kinds.values()) and any(is_classifier(each) or is_regressor(each) for each in every):
        raise InputError(
            "classifiers and other estimators have no score in common.",
            f"{WHERE}, argument scoring",
            "say by what they are to be compared: scoring='accuracy'.",
        )
    return next((name for name, all_are in kinds.items() if all_are), None)


def _scorers(scoring: Any) -> list[str]:
    """Names of the scorers, where they are known before anything is scored; unknown ones are refused."""
    from sklearn.metrics import get_scorer_names

    names = [scoring] if isinstance(scoring, str) else [] if scoring is None or callable(scoring) else list(scoring)
    for name in names if not isinstance(scoring, Mapping) else ():
        if name not in get_scorer_names():
            raise unknown(name, get_scorer_names(), what="scorer", where=f"{WHERE}, argument scoring")
    return names


def _known(scorers: Iterable[str]) -> list[str]:
    """What scorers may be called: by their own names, and by those of the measures behind them."""
    return list(dict.fromkeys(name for each in scorers for name in (each, measure_of_scorer(each)[0])))


def _splitter(cv: Any, y: Any, groups: Any, estimators: Iterable[Any], seed: int) -> Any:
    from sklearn.base import is_classifier
    from sklearn.model_selection import GroupKFold, RepeatedKFold, RepeatedStratifiedKFold, check_cv
    from sklearn.utils.multiclass import type_of_target

    classes = all(map(is_classifier, estimators))
    if cv is not None:
        return check_cv(cv, y, classifier=classes)
    if groups is not None:
        return GroupKFold(min(GROUP_FOLDS, len(np.unique(groups))))
    stratified = classes and type_of_target(y) in ("binary", "multiclass")
    return (RepeatedStratifiedKFold if stratified else RepeatedKFold)(**HALVES, random_state=seed)


def _scores(
    outputs: Outputs, failures: Failures, splits: Sequence[tuple[Any, Any]], measure: str | None, cv: str
) -> Scores:
    """What ``cross_validate`` gave for every estimator, with the folds that all of them had."""
    train, test = zip(*splits, strict=True)
    names = [key.removeprefix("test_") for key in next(iter(outputs.values())) if key.startswith("test_")]
    asked = next((name for name in names if measure in (None, name, measure_of_scorer(name)[0])), None)
    if asked is None:
        raise unknown(measure, names, what="measure", where=f"{WHERE}, argument measure")
    indexed = {name: {**each, "indices": {"train": train, "test": test}} for name, each in outputs.items()}
    found = read(indexed, measure=asked, larger_is_better=True)
    assert isinstance(found, Scores)
    places = list(product(found.replications, found.folds))
    reasons = {(name, "data", *places[fold]): why for (name, fold), why in failures.items()}
    notes = (*found.origin.notes, f"all estimators were fitted on the same folds: {' '.join(cv.split())}")
    return of_measures(replace(found, failures=reasons, origin=replace(found.origin, notes=notes)))


def _rehearsed(estimators: Iterable[str], scorers: Iterable[str], folds: int) -> Outputs:
    """Random scores in the place of results."""
    rng = np.random.default_rng(0)
    keys = {f"test_{_as_scorer(name)}": measure_of_scorer(_as_scorer(name))[1] for name in scorers}
    signs = {"fit_time": 1.0, "score_time": 1.0, **keys}
    return {name: {key: sign * rng.random(folds) for key, sign in signs.items()} for name in estimators}


def _as_scorer(name: str) -> str:
    """The name of a scorer; one that is called after a loss gives it negated, as all scorers do."""
    return f"neg_{name}" if is_larger_better(name) is False else name


def _cross_validated(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    splits: Sequence[Any],
    scoring: Any,
    n_jobs: int | None,
    *,
    shown: bool,
    go_on: bool,
) -> tuple[Outputs, Failures]:
    """Fit and score every estimator on every fold; failures are raised, or told where the work is to ``go_on``."""
    from joblib import Parallel, delayed

    jobs = list(product(estimators, range(len(splits))))
    work = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_fitted)(name, estimators[name], X, y, fold, splits[fold], scoring, go_on) for name, fold in jobs
    )
    done: dict[tuple[str, int], dict[str, Any] | str] = {}
    with Progress(len(jobs), shown=shown, at_once=False) as bar:
        for job, found in zip(jobs, work, strict=True):
            done[job] = found
            bar.add(0, 1, isinstance(found, str), 0.0 if isinstance(found, str) else sum(found["fit_time"]))
    failures = {job: found for job, found in done.items() if isinstance(found, str)}
    fits = {job: found for job, found in done.items() if isinstance(found, dict)}
    if not fits:
        raise InputError(f"all fits failed: {failures[jobs[0]]}.", WHERE, "mend the data or the estimators.")
    keys = {key: _named_key(key, scoring) for key in next(iter(fits.values()))}
    outputs = {
        name: {
            called: np.array(
                [fits[name, fold][key][0] if (name, fold) in fits else np.nan for fold in range(len(splits))]
            )
            for key, called in keys.items()
        }
        for name in estimators
    }
    return outputs, failures


def _named_key(key: str, scoring: Any) -> str:
    """A key of ``cross_validate`` under the name of its scorer."""
    if not key.startswith("test_"):
        return key
    return f"test_{_as_scorer(scoring if isinstance(scoring, str) else key.removeprefix('test_'))}"


def _fitted(
    name: str, estimator: Any, X: Any, y: Any, fold: int, split: Any, scoring: Any, go_on: bool
) -> dict[str, Any] | str:
    """One fold of one estimator; the reason where it failed and the work is to go on."""
    from sklearn.model_selection import cross_validate

    try:
        found: dict[str, Any] = cross_validate(estimator, X, y, cv=[split], scoring=scoring, error_score="raise")
    except Exception as error:
        if go_on:
            return _one_line(error)
        raise InputError(
            f"{name} failed: {_one_line(error)}.",
            f"{WHERE}, estimator {name}, fold {fold + 1}",
            "mend it or leave it out; missing='drop-learners' goes on without it.",
        ) from error
    return found


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(message_of(error).split())[:300]}".rstrip(".: ")


@frozen(kw_only=True)
class Refit:
    """Let a search refit the most preferred candidate that is good enough: ``GridSearchCV(…, refit=refit(…))``.

    Parameters
    ----------
    prefer : str or callable
        ``"fit-time"`` or ``"score-time"``, a parameter (``"param_max_depth"`` or ``"max_depth"``), or a function of the
        candidate's parameters; the smallest number is preferred, None and what a candidate lacks come last.
    within : float, optional
        How much may be lost to the best, in units of the score: the candidate is shown to lose no more. Without it,
        the most preferred is taken of those that are not shown to be worse than another.
    measure : str, optional
        Which of several scorers counts; the first, if not said.
    alpha : float
        Level of all candidates together.
    replications, test_fraction : int, float, optional
        A search does not tell how it split: say ``replications=10`` for ten times repeated folds, and
        ``test_fraction=0.2`` for random splits with 20 % test data.

    Returns
    -------
    Refit
        A function of ``cv_results_``. Where nothing can be shown it takes the best mean, and warns. A halving search
        does not ask it: call it with its ``cv_results_``, and it takes a candidate of the last iteration.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree, depths = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 8]}
    >>> search = GridSearchCV(tree, depths, cv=10, refit=refit(prefer="max_depth", within=0.1))
    >>> search.fit(*load_iris(return_X_y=True)).best_params_
    {'max_depth': 2}
    """

    prefer: str | Callable[[Mapping[str, Any]], float]
    within: float | None = None
    measure: str | None = None
    alpha: float = 0.05
    replications: int | None = None
    test_fraction: float | None = None

    def __post_init__(self) -> None:
        prefer: Any = self.prefer
        within: Any = self.within
        if not isinstance(prefer, str) and not callable(prefer):
            fix = "give 'fit-time', or a parameter."
            raise InputError(f"prefer is {glimpse(prefer)}.", "refit, argument prefer", fix)
        if within is not None and not (isinstance(within, float | int) and 0 < within < np.inf):
            raise InputError(f"within is {glimpse(within)}.", "refit, argument within", "give a number above 0.")
        alpha_of(self.alpha)

    def __repr__(self) -> str:
        given = [(each.name, getattr(self, each.name)) for each in fields(self)]
        return f"refit({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"

    def __call__(self, cv_results_: Mapping[str, Any]) -> int:
        """The place of the chosen candidate."""
        scores = _split_scores(cv_results_, _scorer_of(cv_results_, self.measure))
        last = np.ma.getdata(cv_results_.get("iter", np.zeros(len(scores))))
        usable = np.flatnonzero((last == last.max()) & ~np.isnan(scores).any(axis=1))
        if len(usable) == 0:
            means = np.ma.masked_invalid(scores).mean(axis=1)
            return self._best(int(means.argmax()), "every candidate failed on some fold")
        means = scores[usable].mean(axis=1)
        best = int(usable[np.argmax(means)])
        if len(usable) == 1:
            return best
        if scores.shape[1] > MOST_FOLDS and self.replications is None and self.test_fraction is None:
            taken = f"{scores.shape[1]} splits were taken for one cross-validation"
            warnings.warn(
                f"{taken}: say replications= of repeated folds, test_fraction= of random splits.", stacklevel=2
            )
        try:
            costs = _costs(cv_results_, self.prefer)[usable]
            order = np.lexsort((-means, costs))  # of equal costs the better mean
            verdict = self._judged(scores[usable], [str(usable[place]) for place in order])
        except InputError as error:
            return self._best(best, error.wrong)
        for said in verdict.advice if self.within is not None else ():
            if said.code == "K145":
                warnings.warn(f"{said.seen}: {said.do}.", stacklevel=2)
        if verdict.best is None:
            shown = "is best or may be preferred" if self.within is None else f"is within {self.within} of the best"
            return self._best(best, f"{len(scores[0])} splits do not show which candidate {shown}")
        return int(verdict.best)

    def _judged(self, scores: Array, preferred: list[str]) -> Verdict:
        by_place = sorted(preferred, key=int)
        evidence = Scores(
            learners=tuple(by_place),
            values=scores[:, None, None],
            measure=self.measure or "score",
            larger_is_better=True,
            origin=Origin("cv_results_"),
        )
        divided = as_asked(evidence, self.replications, self.test_fraction)
        return judge(divided, prior=preferred, within=self.within, alpha=self.alpha)

    def _best(self, place: int, why: str) -> int:
        warnings.warn(f"{why.rstrip('.')}: the candidate with the best mean is refitted.", stacklevel=3)
        return place


refit = Refit


def _scorer_of(results: Mapping[str, Any], measure: str | None) -> str:
    """The scorer that is asked for, or the first."""
    scorers = list(dict.fromkeys(found[2] for name in results if (found := SPLIT.fullmatch(name))))
    asked = [name for name in scorers if measure in (None, name, measure_of_scorer(name)[0])]
    if not asked:
        warnings.warn(f"there is no scorer {measure}, and {scorers[0]} is taken.", stacklevel=3)
    return (asked or scorers)[0]


def _split_scores(results: Mapping[str, Any], scorer: str) -> Array:
    """Scores of one scorer, candidates × splits."""
    columns = [name for name in results if (found := SPLIT.fullmatch(name)) and found[2] == scorer]
    return np.stack([np.asarray(results[name], dtype=np.float64) for name in columns], axis=1)


def _costs(results: Mapping[str, Any], prefer: str | Callable[[Mapping[str, Any]], float]) -> Array:
    """What is preferred to be small, of every candidate; infinite where it has none."""
    if callable(prefer):
        try:
            return np.array([prefer(params) for params in results["params"]], dtype=np.float64)
        except Exception as error:  # whatever it is, a search that took hours is not lost for it
            raise InputError(
                f"{_one_line(error)} in prefer.", "refit, argument prefer", "mend the function."
            ) from error
    times = {cost: column for column, cost in COSTS.items()}
    names = (times.get(cost_of_name(prefer) or "", prefer), prefer, f"param_{prefer}")
    found = [name for name in names if name in results]
    found += [name for name in results if name.startswith("param_") and name.endswith(f"__{prefer}")]
    if not found:
        known = [name for name in results if name.startswith("param_")]
        raise unknown(prefer, [*COSTS.values(), *known], what="preference", where="refit, argument prefer")
    column = results[found[0]]
    lacking = np.ma.getmaskarray(column)
    try:
        numbers = [np.inf if gone or each is None else float(each) for each, gone in zip(column, lacking, strict=True)]
    except (TypeError, ValueError):
        raise InputError(
            f"{prefer} has values that are no numbers.", "refit, argument prefer", "give a function of the parameters."
        ) from None
    return np.array(numbers)
