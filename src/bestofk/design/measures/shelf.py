"""Every measure by its name."""

from __future__ import annotations

from bestofk.core.shelf import Shelf
from bestofk.design.measures.counts import (
    ACCURACY,
    BALANCED_ACCURACY,
    ERROR,
    F1,
    F1_MACRO,
    FNR,
    FPR,
    KAPPA,
    MCC,
    PRECISION,
    PRECISION_MACRO,
    RECALL,
    RECALL_MACRO,
    TNR,
    TPR,
)
from bestofk.design.measures.measure import Measure
from bestofk.design.measures.numbers import MAE, MSE, R2, RMSE
from bestofk.design.measures.probabilities import AUC, BRIER, LOG_LOSS

MEASURES: Shelf[Measure] = Shelf(
    "measures",
    {
        "accuracy": ACCURACY,
        "auc": AUC,
        "balanced_accuracy": BALANCED_ACCURACY,
        "brier": BRIER,
        "error": ERROR,
        "f1": F1,
        "f1_macro": F1_MACRO,
        "fnr": FNR,
        "fpr": FPR,
        "kappa": KAPPA,
        "log_loss": LOG_LOSS,
        "mae": MAE,
        "mcc": MCC,
        "mse": MSE,
        "precision": PRECISION,
        "precision_macro": PRECISION_MACRO,
        "r2": R2,
        "recall": RECALL,
        "recall_macro": RECALL_MACRO,
        "rmse": RMSE,
        "tnr": TNR,
        "tpr": TPR,
    },
)
