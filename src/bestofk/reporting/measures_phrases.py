"""Plain words for what a difference in one measure means."""

from __future__ import annotations

from collections.abc import Mapping

from bestofk.comparing.measures_comparison import MeasuresPair, MeasureTest
from bestofk.core.names import plain
from bestofk.measures.catalogue import is_recall_of_class
from bestofk.reporting.tables import mean_text

_MISSES = "misses more positives than {other}"
_ALARMS = "raises more false alarms than {other}"
_ERRS = "makes more errors than {other}"

#: What the worse of two learners does, by the measure that shows it.
_WORSE = {
    **dict.fromkeys(("tpr", "recall", "sensitivity", "true_positive_rate", "fnr", "tp", "fn"), _MISSES),
    **dict.fromkeys(("fpr", "specificity", "tnr", "false_positive_rate", "true_negative_rate", "fp", "tn"), _ALARMS),
    **dict.fromkeys(("error", "accuracy", "error_rate"), _ERRS),
    "auc": "has a smaller area under its ROC curve than {other}",
    "precision": "is wrong more often than {other} where it says positive",
    "fit_time": "takes longer to fit than {other}",
    "predict_time": "takes longer to predict than {other}",
    "size": "is larger than {other}",
    "price": "costs more than {other}",
}
#: Weights below this share of the largest are rounding.
_NOTHING = 1e-6
_OF_CLASS = ("recall of ", "recall_")


def worse_words(measure: str, other: str) -> str:
    """What a learner does that is worse than another in a measure.

    Examples
    --------
    >>> worse_words("fpr", "qda"), worse_words("recall of setosa", "qda")
    ('raises more false alarms than qda', 'misses more of class setosa than qda')
    """
    name, at, threshold = measure.partition("@")
    if at:
        return f"{worse_words(name, other)} at the threshold {threshold}"
    if plain(measure) in _WORSE:
        return _WORSE[plain(measure)].format(other=other)
    start = next((each for each in _OF_CLASS if measure.startswith(each)), "")
    if start and is_recall_of_class(measure):
        return f"misses more of class {measure.removeprefix(start)} than {other}"
    return f"is worse in {measure} than {other}"


def shown_words(pair: MeasuresPair, filled: Mapping[str, float]) -> str:
    """What each of the two does worse, as far as single measures show it; empty where none does.

    Of a measure that was 0/0 somewhere nothing more is said than its means: there is no fact behind the number.
    """
    parts: dict[str, list[str]] = {}
    said: set[str] = set()
    for test in pair.tests:
        if not test.significant or test.better is None:
            continue
        worse, better = (pair.second, pair.first) if test.better == pair.first else (pair.first, pair.second)
        words = worse_words(test.measure, better)
        if test.measure in filled:
            words = f"is worse in {test.measure} than {better}, 0/0 counted as {filled[test.measure]:g},"
        if words not in said:  # tp and fn say the same thing
            said.add(words)
            parts.setdefault(worse, []).append(f"{words} ({values_words(test, worse, pair)})")
    return ", and ".join(f"{worse} {' and '.join(words)}" for worse, words in parts.items())


def values_words(test: MeasureTest, first: str, pair: MeasuresPair) -> str:
    """The two means, that of the learner named first in front, and the p value."""
    one, two = (test.first_mean, test.second_mean) if first == pair.first else (test.second_mean, test.first_mean)
    return f"{test.measure} {mean_text(one)} against {mean_text(two)}, p = {test.adjusted:.2g}"


def error_words(pair: MeasuresPair, of: str = "") -> str:
    """What the error says of the pair; empty where it is not known or is one of the measures."""
    error = pair.error
    if error is None or any(_WORSE.get(plain(test.measure)) == _ERRS for test in pair.tests):
        return ""
    if error.significant and error.better is not None:
        worse = pair.second if error.better == pair.first else pair.first
        values = values_words(error, worse, pair).removeprefix("error")
        return f"{worse} {worse_words('error', error.better)} (error{_beside(of)}{values})"
    means = f"{pair.first} {mean_text(error.first_mean)}, {pair.second} {mean_text(error.second_mean)}"
    return f"their error{_beside(of)} is the same as far as the test can tell ({means}, p = {error.adjusted:.2g})"


def _beside(of: str) -> str:
    return f" {of}" if of else ""


def combination_words(weights: dict[str, float]) -> str:
    """A weighted sum of measures, without those whose weight is nothing but rounding.

    Examples
    --------
    >>> combination_words({"tpr": 1.0, "fpr": 3.33e-16})
    '1·tpr'
    >>> combination_words({"tpr": 0.499, "fpr": -25.898})
    '0.499·tpr − 25.9·fpr'
    """
    largest = max(abs(weight) for weight in weights.values())
    kept = {name: weight for name, weight in weights.items() if abs(weight) > _NOTHING * largest}
    parts = [f"{'−' if weight < 0 else '+'} {abs(weight):.3g}·{name}" for name, weight in kept.items()]
    return " ".join(parts).removeprefix("+ ").replace("− ", "−", 1 if next(iter(kept.values()), 0.0) < 0 else 0)
