"""Every measure that bestofk knows: a new one is one entry here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.names import plain
from bestofk.core.shelf import Shelf
from bestofk.measures import counts, predictions

Needs = Literal["counts", "probabilities", "numbers"]
#: ``rate``: from 0 to 1, or all of it in percent. ``percent``: from 0 to 100. ``correlation``: from −1 to 1.
#: ``shared``: any number, in a unit that all data sets share. ``positive``: from 0 up. ``unbounded``: any number.
#: The last two are in other units on every data set.
Scale = Literal["rate", "percent", "correlation", "shared", "positive", "unbounded"]


@frozen
class Measure:
    """A measure by name.

    ``compute`` takes, by what the measure ``needs``: *counts*, an array (..., C, C) of truth × prediction, NaN where a
    fold has none; *probabilities*, the codes of the true classes and a matrix rows × classes; *numbers*, the true and
    the predicted values. Where bestofk reads a measure and does not compute it, it needs None. ``classes`` is 2 for
    measures that take the second class as the positive one; ``averages`` is what a mean over all classes is of.

    ``synonyms`` are other names of the same quantity, ``same_as`` is an entry of its own that has the same values,
    ``complement`` the measure that is 1 minus this one. ``per_row`` gives the values whose mean it is, one per row,
    where it is such a mean: from flags of right predictions, from classes and probabilities, or from distances.
    ``undefined`` says how much of it is 0/0, from 0 to 1, from the totals of true and of predicted classes, and
    ``empty`` says in words when it is. A ``blind`` one does not care which class is wrong. ``cost`` marks what is
    paid: time, size, price.
    """

    name: str
    needs: Needs | None
    larger_is_better: bool
    compute: Callable[..., Any]
    classes: int | None = None
    scale: Scale = "unbounded"
    synonyms: tuple[str, ...] = ()
    complement: str = ""
    same_as: str = ""
    averages: str = ""
    per_row: Callable[..., Any] | None = None
    undefined: Callable[[Array, Array], Any] | None = None
    empty: str = ""
    blind: bool = False
    cost: bool = False

    @property
    def task(self) -> str:
        """What kind of data set it is for."""
        return "regression" if self.needs == "numbers" else "classification"

    @property
    def is_rate(self) -> bool:
        """Whether it lies between 0 and 1, or between 0 and 100 in percent."""
        return self.scale in ("rate", "percent")

    @property
    def is_comparable(self) -> bool:
        """Whether values of different data sets can be put side by side."""
        return self.scale not in ("positive", "unbounded")


def _rate(name: str, shares: Callable[[Any], Array], code: int, *synonyms: str, **more: Any) -> Measure:
    """A share of the rows of one of two classes, of which the second is the positive one."""
    return Measure(
        *(name, "counts", shares is counts.class_recall, counts.of_class(shares, code)),
        classes=2,
        scale="rate",
        synonyms=synonyms,
        undefined=lambda truth, said: truth[..., code] == 0,
        empty=f"there is no {('negative', 'positive')[code]}",
        **more,
    )


_COMPUTED = (
    Measure(
        *("error", "counts", False, counts.error),
        scale="rate",
        synonyms=("error_rate", "err", "misclassification", "misclassification_rate", "ce"),
        complement="accuracy",
        per_row=lambda right: ~right,
        undefined=lambda truth, said: truth.sum(axis=-1) == 0,
        empty="there is no row at all",
        blind=True,
    ),
    Measure(
        *("accuracy", "counts", True, counts.accuracy),
        scale="rate",
        synonyms=("acc", "accuracy_score", "predictive_accuracy", "testacc"),
        complement="error",
        per_row=lambda right: right,
        undefined=lambda truth, said: truth.sum(axis=-1) == 0,
        empty="there is no row at all",
        blind=True,
    ),
    Measure(
        *("balanced_accuracy", "counts", True, counts.balanced_accuracy),
        scale="rate",
        synonyms=("bacc", "balacc", "bal_accuracy"),
        undefined=lambda truth, said: (truth == 0).any(axis=-1) & (truth.shape[-1] == 2),
        empty="one of the two classes has no row",
    ),
    Measure(
        *("precision_macro", "counts", True, counts.macro(counts.class_precision)),
        scale="rate",
        averages="precision",
        undefined=lambda truth, said: counts.undefined_recalls(said, truth),
        empty="it never says a class that has rows there",
    ),
    Measure(
        *("recall_macro", "counts", True, counts.macro(counts.class_recall)),
        scale="rate",
        synonyms=("macro_recall",),
        same_as="balanced_accuracy",
        averages="recall",
        undefined=counts.undefined_recalls,
        empty="it says a class that has no row there",
    ),
    Measure("f1_macro", "counts", True, counts.macro(counts.class_f1), scale="rate", averages="f1"),
    Measure(
        *("kappa", "counts", True, counts.kappa),
        scale="correlation",
        synonyms=("cohen_kappa", "kappa_statistic", "kap"),
        undefined=counts.undefined_kappa,
        empty="all rows are of one class and predicted so",
    ),
    Measure(
        *("mcc", "counts", True, counts.mcc),
        scale="correlation",
        synonyms=("matthews_corrcoef",),
        undefined=counts.undefined_mcc,
        empty="all rows are of one class, or predicted to be",
    ),
    Measure(
        *("precision", "counts", True, counts.of_class(counts.class_precision, 1), 2),
        scale="rate",
        synonyms=("ppv",),
        undefined=lambda truth, said: said[..., 1] == 0,
        empty="it never says positive there",
    ),
    Measure(
        *("f1", "counts", True, counts.of_class(counts.class_f1, 1), 2),
        scale="rate",
        synonyms=("f1_score", "fscore", "f_measure"),
        undefined=lambda truth, said: truth[..., 1] + said[..., 1] == 0,
        empty="there is no positive, and it never says positive",
    ),
    _rate("recall", counts.class_recall, 1, complement="fnr"),
    _rate("tpr", counts.class_recall, 1, "true_positive_rate", complement="fnr", same_as="recall"),
    _rate("sensitivity", counts.class_recall, 1, "sens", complement="fnr", same_as="recall"),
    _rate("tnr", counts.class_recall, 0, complement="fpr"),
    _rate("specificity", counts.class_recall, 0, "true_negative_rate", complement="fpr", same_as="tnr"),
    _rate("fpr", counts.class_missed, 0, "false_positive_rate", complement="tnr"),
    _rate("fnr", counts.class_missed, 1, "false_negative_rate", complement="recall"),
    Measure(
        *("log_loss", "probabilities", False, predictions.log_loss),
        scale="positive",
        synonyms=("logloss", "cross_entropy", "mn_log_loss"),
        per_row=predictions.log_losses,
    ),
    Measure(
        *("brier", "probabilities", False, predictions.brier),
        scale="positive",
        synonyms=("brier_score", "brier_score_loss", "brier_class", "bbrier", "mbrier"),
        per_row=predictions.brier_scores,
    ),
    Measure(
        *("auc", "probabilities", True, predictions.auc),
        scale="rate",
        synonyms=("roc_auc", "auroc", "area_under_roc", "area_under_roc_curve", "roc", "testauroc"),
    ),
    Measure(
        *("mse", "numbers", False, predictions.mse),
        scale="positive",
        synonyms=("mean_squared_error", "squared_error"),
        per_row=lambda distance: distance**2,
    ),
    Measure("rmse", "numbers", False, predictions.rmse, scale="positive", synonyms=("root_mean_squared_error",)),
    Measure(
        *("mae", "numbers", False, predictions.mae),
        scale="positive",
        synonyms=("mean_absolute_error", "absolute_error"),
        per_row=lambda distance: distance,
    ),
    Measure("r2", "numbers", True, predictions.r2, scale="shared", synonyms=("r2_score", "rsq", "rsquared")),
)


def _not_computed(*given: Any) -> Any:
    raise NotImplementedError("this measure is read from results, not computed")


def _read(name: str, *synonyms: str, larger: bool, **more: Any) -> Measure:
    return Measure(name, None, larger, _not_computed, synonyms=synonyms, **more)


def _cost(name: str, *synonyms: str) -> Measure:
    return _read(name, *synonyms, larger=False, scale="positive", cost=True)


#: Scores between those of two references, such as chance and a human.
_NORMALIZED = tuple(
    f"{start}{how}_{what}"
    for start in ("", "human_")
    for how in ("normalized", "normalised")
    for what in ("score", "return", "reward")
)

_TOP = tuple(f"{top}{k}{end}" for top in ("top", "top_") for k in (1, 3, 5, 10) for end in ("", "_acc", "_accuracy"))

#: Measures that results bring along.
_READ = (
    _read("percent_correct", larger=True, scale="percent", complement="percent_incorrect", blind=True),
    _read("percent_incorrect", larger=False, scale="percent", complement="percent_correct", blind=True),
    _read("zero_one_loss", larger=False, scale="rate"),
    _read("hamming_loss", larger=False, scale="rate"),
    _read("top_k_accuracy", *_TOP, larger=True, scale="rate"),
    _read("acc_norm", larger=True, scale="rate"),
    _read("correct", "is_correct", "was_correct", larger=True, scale="rate", per_row=lambda right: right),
    _read("exact_match", "em", larger=True, scale="rate", per_row=lambda right: right),
    _read("success", "success_rate", larger=True, scale="rate"),
    _read("pass", "pass@1", larger=True, scale="rate"),
    _read("win_rate", larger=True, scale="rate"),
    _read("average_precision", "auprc", "pr_auc", larger=True, scale="rate"),
    _read("npv", larger=True, scale="rate"),
    _read("jaccard", "iou", "miou", larger=True, scale="rate"),
    _read("dice", larger=True, scale="rate"),
    _read("ndcg", larger=True, scale="rate"),
    _read("mrr", larger=True, scale="rate"),
    _read("map", larger=True, scale="shared"),
    _read("gini", larger=True, scale="shared"),
    _read("explained_variance", larger=True, scale="shared"),
    _read("bleu", larger=True, scale="shared"),
    _read("chrf", larger=True, scale="shared"),
    _read("meteor", larger=True, scale="shared"),
    _read("rouge", "rouge1", "rouge2", "rougel", larger=True, scale="shared"),
    _read(*_NORMALIZED, larger=True, scale="shared"),
    _read("reward", larger=True),
    _read("return", larger=True),
    _read("likelihood", larger=True),
    _read("log_likelihood", larger=True),
    _read("silhouette", larger=True, scale="shared"),
    _read("adjusted_rand_score", larger=True, scale="shared"),
    _read("nll", "negative_log_likelihood", larger=False, same_as="log_loss"),  # of densities it may be below 0
    _read("loss", larger=False),
    _read("hinge_loss", larger=False, scale="positive"),
    _read("perplexity", larger=False, scale="positive"),
    _read("ece", larger=False, scale="positive"),
    _read("mape", "mean_absolute_percentage_error", larger=False, scale="positive"),
    _read("rmsle", larger=False, scale="positive"),
    _read("msle", "mean_squared_log_error", larger=False, scale="positive"),
    _read("median_absolute_error", larger=False, scale="positive"),
    _read("max_error", larger=False, scale="positive"),
    _read("root_relative_squared_error", larger=False, scale="positive"),
    _read("relative_absolute_error", larger=False, scale="positive"),
    _read("wer", larger=False, scale="positive"),
    _read("cer", larger=False, scale="positive"),
    _read("ter", larger=False, scale="positive"),
    _read("regret", larger=False),
)
#: What a learner costs.
_COSTS = (
    _cost(
        *("fit_time", "train_time", "training_time", "mean_fit_time", "elapsed_time_training", "fit_seconds"),
        *("fittime", "training_duration", "time_train", "time_train_s"),
    ),
    _cost(
        *("predict_time", "score_time", "test_time", "prediction_time", "inference_time", "mean_score_time"),
        *("elapsed_time_testing", "predict_seconds", "predicttime", "predict_duration", "time_predict", "time_infer_s"),
    ),
    _cost(
        *("runtime", "run_time", "time", "wall_time", "cpu_time", "total_time", "elapsed", "elapsed_time", "duration"),
        *("seconds", "time_seconds"),
    ),
    _cost("latency", "response_time"),
    _cost("size", "model_size", "n_parameters", "n_params", "num_parameters", "num_params", "parameters", "params"),
    _cost("flops", "gflops", "macs"),
    _cost("price", "cost", "cost_usd", "price_usd", "usd", "dollars"),
    _cost("tokens", "total_tokens", "n_tokens", "num_tokens"),
    _cost("input_tokens", "prompt_tokens"),
    _cost("output_tokens", "completion_tokens"),
)

#: Those that bestofk computes, and other people's.
MEASURES: Shelf[Measure] = Shelf("measures", {each.name: each for each in sorted(_COMPUTED, key=lambda m: m.name)})

#: Every name and synonym.
ENTRIES: dict[str, Measure] = {
    name: each for each in (*_COMPUTED, *_READ, *_COSTS) for name in (each.name, *each.synonyms)
}

#: What counts of two classes give, by every name; means over all classes are more than that.
COUNTED = {name: each for name, each in ENTRIES.items() if each.needs == "counts" and not each.averages}

TRAINING = ("train_", "training_")
PREFIXES = (
    *("test_", "val_", "valid_", "validation_", "eval_", "mean_", "epoch_", "best_", "final_", "last_"),
    *TRAINING,
)
SPREADS = ("_std", "_sd", "_stdev", "_var", "_variance", "_se", "_sem", "_stderr", "_ci")
#: Words that say of a measure which is not known that it may go up to 100.
OF_HUNDRED = frozenset({"percent", "percentage", "pct", "score", "points"})
#: Where scales from 0 up mostly end.
ENDS = (1.0, 5.0, 10.0, 100.0)
MEANS = ("_mean", "_avg", "_average")
AVERAGES = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo", "_binary", "_ovr_weighted", "_ovo_weighted")


def known_measure(name: str) -> Measure | None:
    """Return the entry that a name means, whatever is before it (``val_``) or behind it (``_macro``); else None.

    Examples
    --------
    >>> known_measure("val/acc").name, known_measure("test_f1_weighted").name, known_measure("tastiness")
    ('accuracy', 'f1', None)
    """
    word = plain(name.replace("/", "_"))  # as loggers group metrics: val/acc
    endings = (*AVERAGES, *MEANS)
    shorter = [word.removeprefix(start) for start in PREFIXES] + [word.removesuffix(end) for end in endings]
    found = (known_measure(each) for each in shorter if each != word)
    return ENTRIES.get(word) or next((each for each in found if each is not None), None)


def own_name(measure: str) -> str:
    """The name that bestofk has for a measure, where it is another one; names that are not known stay.

    Examples
    --------
    >>> own_name("predictive_accuracy"), own_name("tastiness")
    ('accuracy', 'tastiness')
    """
    known = ENTRIES.get(plain(measure))
    return measure if known is None else known.name


def is_larger_better(measure: str) -> bool | None:
    """Say whether larger values of a measure are better; None when bestofk does not know it.

    Examples
    --------
    >>> is_larger_better("accuracy"), is_larger_better("error"), is_larger_better("tastiness")
    (True, False, None)
    >>> is_larger_better("val_loss"), is_larger_better("neg_log_loss"), is_larger_better("test_f1_macro")
    (False, True, True)
    """
    known = known_measure(measure)
    if known is not None:
        return known.larger_is_better
    negated = negated_measure(measure)
    return True if negated and is_larger_better(negated) is False else None


def spoken(metric: str) -> str:
    """A metric without the slash that loggers put after its group; without the group where only then it is known.

    Examples
    --------
    >>> spoken("val/loss"), spoken("train/loss"), spoken("charts/tastiness"), spoken("f1")
    ('val_loss', 'train_loss', 'charts_tastiness', 'f1')
    """
    ways = (metric.replace("/", "_"), metric.rsplit("/", 1)[-1])
    return next((name for name in ways if is_larger_better(name) is not None), ways[0])


def is_of_training(measure: str) -> bool:
    """Whether a name says that the measure was taken on the data that were trained on.

    Examples
    --------
    >>> is_of_training("train_loss"), is_of_training("val_loss"), is_of_training("train_time")
    (True, False, False)
    """
    return plain(measure.replace("/", "_")).startswith(TRAINING) and cost_of_name(measure) is None


def negated_measure(measure: str) -> str:
    """The measure that a name says is negated, as scikit-learn does with losses; empty where it says no such thing.

    Examples
    --------
    >>> negated_measure("test_neg_log_loss"), negated_measure("log_loss")
    ('log_loss', '')
    """
    name = plain(measure.replace("/", "_"))
    start = next((start for start in PREFIXES if name.startswith(start)), None)
    if start is not None:
        return negated_measure(name.removeprefix(start))
    return name.removeprefix("neg_") if name.startswith("neg_") else ""


def measure_of_scorer(scorer: str) -> tuple[str, float]:
    """The measure behind a scorer of scikit-learn, and the sign that turns its values into it: -1 for a negated loss.

    Examples
    --------
    >>> measure_of_scorer("neg_root_mean_squared_error"), measure_of_scorer("f1_macro")
    (('rmse', -1.0), ('f1_macro', 1.0))
    """
    known = ENTRIES.get(negated_measure(scorer))
    return (scorer, 1.0) if known is None or known.larger_is_better else (known.name, -1.0)


def bounds_of(measure: str) -> tuple[float, float]:
    """The smallest and the largest value that a measure can have; a rate may be in percent.

    Examples
    --------
    >>> bounds_of("accuracy"), bounds_of("rmse"), bounds_of("neg_log_loss"), bounds_of("return")
    ((0.0, 100.0), (0.0, inf), (-inf, -0.0), (-inf, inf))
    """
    known, negated = known_measure(measure), negated_measure(measure)
    if known is None:
        low, high = bounds_of(negated) if negated else (-np.inf, np.inf)
        return (-high, -low) if negated else (low, high)
    return {"rate": (0.0, 100.0), "percent": (0.0, 100.0), "positive": (0.0, np.inf)}.get(
        known.scale, (-np.inf, np.inf)
    )


def is_bounded(measure: str) -> bool:
    """Say whether a measure is a rate, which lies between 0 and 1, or between 0 and 100 in percent.

    Examples
    --------
    >>> is_bounded("test_accuracy"), is_bounded("f1_macro"), is_bounded("neg_log_loss"), is_bounded("mae")
    (True, True, False, False)
    """
    known = known_measure(measure)
    return known is not None and known.is_rate


def range_of(measure: str, values: Any, *, rate: bool = False) -> float | None:
    """By how much values of a measure can differ: where its name does not tell, its scale is taken to end where scales
    mostly do, at the first of ``ENDS`` that none of these exceeds. None where it has no end, or none that is known.

    Examples
    --------
    >>> range_of("accuracy", 87), range_of("kappa", 0.3), range_of("log_loss", 0.3)
    (100.0, 2.0, None)
    >>> range_of("loss", 0.3), range_of("r2", 0.3)
    (None, None)
    >>> range_of("tastiness", [0.2, 0.9]), range_of("tastiness", [2, 4]), range_of("tastiness", [-1, 1])
    (1.0, 5.0, None)
    """
    known, given = known_measure(measure), np.asarray(values, dtype=np.float64)
    low, high = np.round((np.nanmin(given), np.nanmax(given)), 9)  # a mean of ones may be above 1
    if rate or is_bounded(measure):
        return 1.0 if high <= 1.0 else 100.0
    if known is not None:
        return 2.0 if known.scale == "correlation" else None
    return next((end for end in ENDS if low >= 0.0 and high <= end), None)


def is_comparable(measure: str, values: Any) -> bool:
    """Say whether values of a measure on different data sets have a common scale.

    Those of one that is not known have if all are from 0 to 1, or to 100 where its name says percent, score or points.

    Examples
    --------
    >>> is_comparable("accuracy", 87), is_comparable("rmse", [0.2, 0.3]), is_comparable("return", [100, 2000])
    (True, False, False)
    >>> is_comparable("tastiness", [0.2, 0.3]), is_comparable("tastiness", [2, 3]), is_comparable("taste score", [2, 3])
    (True, False, True)
    """
    known = known_measure(measure)
    if known is not None:
        return known.is_comparable
    given = np.asarray(values, dtype=np.float64)
    most = 100.0 if "%" in measure or OF_HUNDRED & set(plain(measure).split("_")) else 1.0
    return bool((((given >= 0) & (given <= most)) | np.isnan(given)).all())


def is_recall_of_class(measure: str) -> bool:
    """Whether a measure is the recall of a class by name, ``recall_setosa``, and no mean or spread of recalls.

    Examples
    --------
    >>> is_recall_of_class("recall of setosa"), is_recall_of_class("recall_macro"), is_recall_of_class("recall_std")
    (True, False, False)
    """
    name = plain(measure)
    return measure.startswith("recall of ") or (name.startswith("recall_") and not name.endswith((*AVERAGES, *SPREADS)))


def is_spread(name: str) -> bool:
    """Whether a name is that of a spread: the standard deviation of a measure, say, which is no measure itself.

    Examples
    --------
    >>> is_spread("accuracy_std"), is_spread("SD"), is_spread("accuracy_mean")
    (True, True, False)
    """
    return f"_{plain(name)}".endswith(SPREADS)


def without_mean(name: str) -> str:
    """A plain name without what says that it is of a mean.

    Examples
    --------
    >>> without_mean("Accuracy mean"), without_mean("mean")
    ('accuracy', 'mean')
    """
    word = plain(name)
    return next((word.removesuffix(end) for end in MEANS if word.endswith(end)), word)


def cost_of_name(name: str) -> str | None:
    """Return the cost that a column of this name gives, or None.

    Examples
    --------
    >>> cost_of_name("score_time"), cost_of_name("error")
    ('predict_time', None)
    """
    known = ENTRIES.get(without_mean(name))
    return known.name if known is not None and known.cost else None


def same_values(name: str) -> frozenset[str]:
    """Entries that have the values of a measure, or 1 minus them; none where bestofk does not know it.

    Examples
    --------
    >>> same_values("sensitivity") == same_values("fnr"), same_values("tastiness")
    (True, frozenset())
    """
    known = ENTRIES.get(plain(name))
    both = [] if known is None else [known, ENTRIES.get(known.complement, known)]
    return frozenset(each.same_as or each.name for each in both)
