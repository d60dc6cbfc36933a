"""All studies, under the headings of the table."""

from __future__ import annotations

from benchmarks.calibration import (
    adjust_model,
    bayes_model,
    curves_folds,
    curves_model,
    items_model,
    multivariate_datasets,
    multivariate_model,
    multivariate_overlap,
    omnibus_folds,
    omnibus_model,
    pairwise_folds,
    pairwise_model,
    ranges_model,
    roc_model,
    selection_model,
)
from benchmarks.calibration.study import Study

MODEL_TOPICS: dict[str, tuple[Study, ...]] = {
    "Two learners": pairwise_model.STUDIES,
    "Answers to the items of one test set": items_model.STUDIES,
    "More than two learners": omnibus_model.STUDIES,
    "Range tests": ranges_model.STUDIES,
    "Several measures at once": (
        *multivariate_model.STUDIES,
        *multivariate_overlap.STUDIES,
        *multivariate_datasets.STUDIES,
    ),
    "Curves": curves_model.STUDIES,
    "ROC": roc_model.STUDIES,
    "Adjustments": adjust_model.STUDIES,
    "Selection": selection_model.STUDIES,
    "Bayesian comparisons": bayes_model.STUDIES,
}

FOLD_TOPICS: dict[str, tuple[Study, ...]] = {
    "Two learners": pairwise_folds.STUDIES,
    "Four learners": omnibus_folds.STUDIES,
    "Learning curves": curves_folds.STUDIES,
}

STUDIES: tuple[Study, ...] = tuple(
    study for topics in (MODEL_TOPICS, FOLD_TOPICS) for studies in topics.values() for study in studies
)
