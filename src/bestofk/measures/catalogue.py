"""Every measure that bestofk knows: a new one is one entry here."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.shelf import Shelf
from bestofk.measures import counts, numbers, probabilities
from bestofk.measures.measure import Measure, Scale

_COMPUTED = (
    Measure(
        *("error", "counts", False, counts.error),
        scale="rate",
        synonyms=("error_rate", "err", "misclassification", "misclassification_rate"),
        complement="accuracy",
    ),
    Measure(
        *("accuracy", "counts", True, counts.accuracy),
        scale="rate",
        synonyms=("acc", "accuracy_score"),
        complement="error",
    ),
    Measure("balanced_accuracy", "counts", True, counts.balanced_accuracy, scale="rate"),
    Measure(
        *("precision_macro", "counts", True, counts.precision_macro),
        scale="rate",
        undefined=counts.undefined_precisions,
    ),
    Measure("recall_macro", "counts", True, counts.recall_macro, scale="rate", undefined=counts.undefined_recalls),
    Measure("f1_macro", "counts", True, counts.f1_macro, scale="rate"),
    Measure(
        *("kappa", "counts", True, counts.kappa),
        scale="correlation",
        synonyms=("cohen_kappa", "kappa_statistic"),
        undefined=counts.undefined_kappa,
    ),
    Measure(
        *("mcc", "counts", True, counts.mcc),
        scale="correlation",
        synonyms=("matthews_corrcoef",),
        undefined=counts.undefined_mcc,
    ),
    Measure("precision", "counts", True, counts.precision, 2, scale="rate", synonyms=("ppv",)),
    Measure("recall", "counts", True, counts.recall, 2, scale="rate", complement="fnr"),
    Measure("f1", "counts", True, counts.f1, 2, scale="rate", synonyms=("f1_score", "fscore", "f_measure")),
    Measure("tpr", "counts", True, counts.recall, 2, "rate", synonyms=("true_positive_rate",), complement="fnr"),
    Measure("tnr", "counts", True, counts.tnr, 2, "rate", complement="fpr"),
    Measure("fpr", "counts", False, counts.fpr, 2, "rate", synonyms=("false_positive_rate",), complement="tnr"),
    Measure("fnr", "counts", False, counts.fnr, 2, "rate", synonyms=("false_negative_rate",), complement="tpr"),
    Measure(
        *("log_loss", "probabilities", False, probabilities.log_loss),
        scale="positive",
        synonyms=("logloss", "nll", "cross_entropy", "negative_log_likelihood"),
        per_row=probabilities.log_losses,
    ),
    Measure(
        *("brier", "probabilities", False, probabilities.brier),
        scale="positive",
        synonyms=("brier_score", "brier_score_loss"),
        per_row=probabilities.brier_scores,
    ),
    Measure(
        *("auc", "probabilities", True, probabilities.auc),
        scale="rate",
        synonyms=("roc_auc", "auroc", "area_under_roc"),
    ),
    Measure(
        *("mse", "numbers", False, numbers.mse),
        scale="positive",
        synonyms=("mean_squared_error", "squared_error"),
        per_row=lambda distance: distance**2,
    ),
    Measure("rmse", "numbers", False, numbers.rmse, scale="positive", synonyms=("root_mean_squared_error",)),
    Measure(
        *("mae", "numbers", False, numbers.mae),
        scale="positive",
        synonyms=("mean_absolute_error", "absolute_error"),
        per_row=lambda distance: distance,
    ),
    Measure("r2", "numbers", True, numbers.r2, synonyms=("r2_score",)),
)


def _not_computed(*given: Any) -> Any:
    raise NotImplementedError("this measure is read from results, not computed")


def _read(name: str, *synonyms: str, larger: bool, scale: Scale = "unbounded", complement: str = "") -> Measure:
    return Measure(name, None, larger, _not_computed, scale=scale, synonyms=synonyms, complement=complement)


def _cost(name: str, *synonyms: str) -> Measure:
    return Measure(name, None, False, _not_computed, scale="positive", synonyms=synonyms, cost=True)


#: Measures that results bring along.
_READ = (
    _read("percent_correct", larger=True, scale="percent", complement="percent_incorrect"),
    _read("percent_incorrect", larger=False, scale="percent", complement="percent_correct"),
    _read("zero_one_loss", larger=False, scale="rate"),
    _read("hamming_loss", larger=False, scale="rate"),
    _read("top_k_accuracy", larger=True, scale="rate"),
    _read("acc_norm", larger=True, scale="rate"),
    _read("correct", larger=True, scale="rate"),
    _read("exact_match", "em", larger=True, scale="rate"),
    _read("success", "success_rate", larger=True, scale="rate"),
    _read("pass", "pass@1", larger=True, scale="rate"),
    _read("win_rate", larger=True, scale="rate"),
    _read("average_precision", "auprc", "pr_auc", larger=True, scale="rate"),
    _read("sensitivity", larger=True, scale="rate", complement="fnr"),
    _read("specificity", "true_negative_rate", larger=True, scale="rate", complement="fpr"),
    _read("npv", larger=True, scale="rate"),
    _read("jaccard", "iou", larger=True, scale="rate"),
    _read("dice", larger=True, scale="rate"),
    _read("ndcg", larger=True, scale="rate"),
    _read("mrr", larger=True, scale="rate"),
    _read("map", larger=True),
    _read("gini", larger=True),
    _read("explained_variance", larger=True),
    _read("bleu", larger=True),
    _read("chrf", larger=True),
    _read("meteor", larger=True),
    _read("rouge", "rouge1", "rouge2", "rougel", larger=True),
    _read("reward", larger=True),
    _read("return", larger=True),
    _read("likelihood", larger=True),
    _read("log_likelihood", larger=True),
    _read("silhouette", larger=True),
    _read("adjusted_rand_score", larger=True),
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
    _cost("fit_time", "train_time", "training_time", "mean_fit_time", "elapsed_time_training", "fit_seconds"),
    _cost(
        *("predict_time", "score_time", "test_time", "prediction_time", "inference_time", "mean_score_time"),
        *("elapsed_time_testing", "predict_seconds"),
    ),
    _cost("size", "model_size", "n_parameters", "n_params"),
    _cost("price", "cost"),
)

#: Those that bestofk computes, and other people's.
MEASURES: Shelf[Measure] = Shelf("measures", {each.name: each for each in sorted(_COMPUTED, key=lambda m: m.name)})

#: Every name and synonym.
ENTRIES: dict[str, Measure] = {
    name: each for each in (*_COSTS, *_READ, *_COMPUTED) for name in (each.name, *each.synonyms)
}

PREFIXES = ("test_", "val_", "valid_", "validation_", "eval_", "mean_", "epoch_")
SPREADS = ("_std", "_sd", "_stdev", "_var", "_variance", "_se", "_sem", "_stderr", "_ci")
AVERAGES = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo", "_binary", "_ovr_weighted", "_ovo_weighted")


def known_measure(name: str) -> Measure | None:
    """Return the entry that a name means, whatever is before it (``val_``) or behind it (``_macro``); else None.

    Examples
    --------
    >>> known_measure("val_acc").name, known_measure("test_f1_weighted").name, known_measure("tastiness")
    ('accuracy', 'f1', None)
    """
    word = plain(name)
    shorter = [word.removeprefix(start) for start in PREFIXES] + [word.removesuffix(end) for end in AVERAGES]
    found = (known_measure(each) for each in shorter if each != word)
    return ENTRIES.get(word) or next((each for each in found if each is not None), None)


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
    name = plain(measure)
    start = next((start for start in PREFIXES if name.startswith(start)), None)
    if start is not None:
        return is_larger_better(name.removeprefix(start))
    return True if name.startswith("neg_") and is_larger_better(name.removeprefix("neg_")) is False else None


def is_bounded(measure: str) -> bool:
    """Say whether a measure is a rate, which lies between 0 and 1, or between 0 and 100 in percent.

    Examples
    --------
    >>> is_bounded("test_accuracy"), is_bounded("f1_macro"), is_bounded("neg_log_loss"), is_bounded("mae")
    (True, True, False, False)
    """
    known = known_measure(measure)
    return known is not None and known.is_rate


def is_recall_of_class(measure: str) -> bool:
    """Whether a measure is the recall of a class by name, ``recall_setosa``, and no mean or spread of recalls.

    Examples
    --------
    >>> is_recall_of_class("recall of setosa"), is_recall_of_class("recall_macro"), is_recall_of_class("recall_std")
    (True, False, False)
    """
    name = plain(measure)
    return measure.startswith("recall of ") or (name.startswith("recall_") and not name.endswith((*AVERAGES, *SPREADS)))


def cost_of_name(name: str) -> str | None:
    """Return the cost that a column of this name gives, or None.

    Examples
    --------
    >>> cost_of_name("score_time"), cost_of_name("error")
    ('predict_time', None)
    """
    known = ENTRIES.get(plain(name))
    return known.name if known is not None and known.cost else None


def undefined_share(name: str, counts: Any) -> Array:
    """How much of a measure is 0/0 in confusion counts, (..., C, C), rows the truth: shares from 0 to 1.

    All of it, or the part of a mean over classes that some of them have. Measures put 0 in the place of 0/0, so that a
    value v there adds v times the share.

    Examples
    --------
    >>> undefined_share("mcc", [[2, 0, 0], [1, 0, 0], [1, 0, 0]])  # one class is predicted throughout
    array(1.)
    >>> float(undefined_share("precision_macro", [[2, 0], [1, 0]]))  # the second never is
    0.5
    """
    table = np.asarray(counts, dtype=np.float64)
    share = ENTRIES[name].undefined if name in ENTRIES else None
    if share is None:
        return np.zeros(table.shape[:-2])
    return np.asarray(share(table.sum(axis=-1), table.sum(axis=-2)), dtype=np.float64)


class Data(Protocol):
    """What is asked of a data set that a measure is for."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def task(self) -> str:
        """Whether classes or numbers are learnt."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""


def measure_of(name: str, dataset: Data | None = None) -> Measure:
    """Return a registered measure, which can be computed; one that a data set does not allow is refused.

    Examples
    --------
    >>> measure_of("error").compute([[8, 2], [1, 9]])
    array(0.15)
    """
    known = MEASURES.names()
    if name not in known:
        raise unknown(name, known, what="measure", where="plan, measures")
    measure: Measure = MEASURES[name]
    if dataset is not None:
        _refuse_unfit(measure, dataset)
    return measure


def _refuse_unfit(measure: Measure, dataset: Data) -> None:
    where = f"measure {measure.name}, data set {dataset.name}"
    if measure.task != dataset.task:
        raise InputError(
            f"{measure.name} is for {measure.task}, and {dataset.name} is for {dataset.task}.",
            where,
            "choose a measure for the data: " + ("error." if dataset.task == "classification" else "mse."),
        )
    if measure.classes is not None and len(dataset.classes) != measure.classes:
        raise InputError(
            f"{measure.name} is for {measure.classes} classes, and {dataset.name} has {len(dataset.classes)}.",
            where,
            f"use {measure.name}_macro for several classes."
            if measure.name in ("precision", "recall", "f1")
            else "use balanced_accuracy or kappa for several classes.",
        )
