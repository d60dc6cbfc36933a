"""Measures whose direction is known. An unknown one is asked for, never guessed."""

from __future__ import annotations

SMALLER_IS_BETTER = frozenset({"error", "loss", "log_loss", "brier", "mse", "rmse", "mae", "fpr", "fnr"})
LARGER_IS_BETTER = frozenset(
    {
        "accuracy",
        "balanced_accuracy",
        "auc",
        "roc_auc",
        "f1",
        "precision",
        "recall",
        "tpr",
        "specificity",
        "sensitivity",
        "r2",
    }
)


def is_larger_better(measure: str) -> bool | None:
    """Say whether larger values of a measure are better; None when bestofk does not know it.

    Examples
    --------
    >>> is_larger_better("accuracy"), is_larger_better("error"), is_larger_better("tastiness")
    (True, False, None)
    """
    name = measure.lower().replace(" ", "_").replace("-", "_")
    if name in LARGER_IS_BETTER:
        return True
    return False if name in SMALLER_IS_BETTER else None
