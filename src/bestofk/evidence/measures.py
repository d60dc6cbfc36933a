"""Measures whose direction is known. An unknown one is asked for, never guessed."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.evidence.columns import cost_of_name, plain

SMALLER_IS_BETTER = frozenset(
    {
        *("error", "error_rate", "err", "misclassification", "misclassification_rate", "percent_incorrect"),
        *("zero_one_loss", "hamming_loss", "hinge_loss", "loss", "log_loss", "logloss", "nll", "cross_entropy"),
        *("negative_log_likelihood", "perplexity", "brier", "brier_score", "brier_score_loss", "ece"),
        *("mse", "rmse", "mae", "mape", "rmsle", "msle", "mean_squared_error", "root_mean_squared_error"),
        *("mean_absolute_error", "mean_absolute_percentage_error", "median_absolute_error", "max_error"),
        *("squared_error", "absolute_error", "mean_squared_log_error", "root_relative_squared_error"),
        *("relative_absolute_error", "fpr", "fnr", "false_positive_rate", "false_negative_rate", "wer", "cer", "ter"),
        *("regret",),
    }
)
LARGER_IS_BETTER = frozenset(
    {
        *("accuracy", "acc", "acc_norm", "accuracy_score", "balanced_accuracy", "top_k_accuracy", "correct"),
        *("percent_correct", "exact_match", "em", "success", "success_rate", "pass", "pass@1", "win_rate"),
        *("auc", "roc_auc", "auroc", "area_under_roc", "auprc", "pr_auc", "average_precision", "gini"),
        *("f1", "f1_score", "fscore", "f_measure", "precision", "recall", "tpr", "tnr", "ppv", "npv"),
        *("true_positive_rate", "true_negative_rate", "sensitivity", "specificity", "jaccard", "iou", "dice"),
        *("r2", "r2_score", "explained_variance", "kappa", "cohen_kappa", "kappa_statistic", "mcc"),
        *("matthews_corrcoef", "ndcg", "map", "mrr", "bleu", "chrf", "meteor", "rouge", "rouge1", "rouge2"),
        *("rougel", "reward", "return", "likelihood", "log_likelihood", "silhouette", "adjusted_rand_score"),
    }
)
#: Rates: between 0 and 1, or in percent.
BOUNDED = frozenset(
    {
        *("accuracy", "acc", "acc_norm", "accuracy_score", "balanced_accuracy", "top_k_accuracy", "correct"),
        *("percent_correct", "exact_match", "em", "success", "success_rate", "pass", "pass@1", "win_rate"),
        *("auc", "roc_auc", "auroc", "area_under_roc", "auprc", "pr_auc", "average_precision", "ndcg", "mrr"),
        *("f1", "f1_score", "fscore", "f_measure", "precision", "recall", "tpr", "tnr", "ppv", "npv"),
        *("true_positive_rate", "true_negative_rate", "sensitivity", "specificity", "jaccard", "iou", "dice"),
        *("error", "error_rate", "err", "misclassification", "misclassification_rate", "percent_incorrect"),
        *("zero_one_loss", "hamming_loss", "fpr", "fnr", "false_positive_rate", "false_negative_rate"),
    }
)
PREFIXES = ("test_", "val_", "valid_", "validation_", "eval_", "mean_")
SPREADS = ("_std", "_sd", "_stdev", "_var", "_variance", "_se", "_sem", "_stderr", "_ci")
AVERAGES = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo", "_binary", "_ovr_weighted", "_ovo_weighted")


def is_larger_better(measure: str) -> bool | None:
    """Say whether larger values of a measure are better; None when bestofk does not know it.

    Examples
    --------
    >>> is_larger_better("accuracy"), is_larger_better("error"), is_larger_better("tastiness")
    (True, False, None)
    >>> is_larger_better("val_loss"), is_larger_better("neg_log_loss"), is_larger_better("test_f1_macro")
    (False, True, True)
    """
    name = plain(measure)
    known = _listed(name)
    for prefix in PREFIXES:
        if known is None and name.startswith(prefix):
            known = is_larger_better(name.removeprefix(prefix))
    if known is None and name.startswith("neg_"):
        return True if is_larger_better(name.removeprefix("neg_")) is False else None
    return known


def is_recall_of_class(measure: str) -> bool:
    """Whether a measure is the recall of a class by name, ``recall_setosa``, and no mean or spread of recalls.

    Examples
    --------
    >>> is_recall_of_class("recall of setosa"), is_recall_of_class("recall_macro"), is_recall_of_class("recall_std")
    (True, False, False)
    """
    name = plain(measure)
    return measure.startswith("recall of ") or (name.startswith("recall_") and not name.endswith((*AVERAGES, *SPREADS)))


def is_bounded(measure: str) -> bool:
    """Say whether a measure is a rate, which lies between 0 and 1, or between 0 and 100 in percent.

    Examples
    --------
    >>> is_bounded("test_accuracy"), is_bounded("f1_macro"), is_bounded("neg_log_loss"), is_bounded("mae")
    (True, True, False, False)
    """
    name = plain(measure)
    shorter = [name.removeprefix(prefix) for prefix in PREFIXES] + [name.removesuffix(end) for end in AVERAGES]
    return name in BOUNDED or any(is_bounded(each) for each in shorter if each != name)


def settled_direction(measure: str, asked: bool | None, *, where: str) -> bool:
    """Return whether larger is better, from the measure's name or from the caller, who may not contradict the name."""
    known = is_larger_better(measure)
    if known is None and asked is None:
        raise InputError(
            f"the direction of the measure {measure!r} is not known.",
            where,
            "say --larger-is-better or --smaller-is-better (larger_is_better=True or False), "
            "or name a known measure: --measure accuracy (measure='accuracy').",
        )
    if known is not None and asked is not None and bool(asked) != known:
        raise InputError(
            f"{measure}: {_words(known)} is better, but {_words(asked)} was asked for.",
            where,
            f"leave the direction out, or rename the measure if it is no {measure}.",
        )
    return bool(asked if known is None else known)


def _listed(name: str) -> bool | None:
    if name in LARGER_IS_BETTER:
        return True
    if name in SMALLER_IS_BETTER or cost_of_name(name) is not None:
        return False
    for ending in AVERAGES:
        if name.endswith(ending):
            return _listed(name.removesuffix(ending))
    return None


def _words(larger: bool) -> str:
    return "larger" if larger else "smaller"
