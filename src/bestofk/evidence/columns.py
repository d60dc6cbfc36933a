"""Names of key columns: what people call the learner, the data set, the fold, and what else a column may be."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.core.names import plain

#: Identifiers that are of items where outcomes are right or wrong, and of tasks elsewhere.
ITEMS_OR_TASKS = ("task_id", "problem_id")
#: role → the names it goes by, its own name first. A name may have two roles (``task``); the layout decides.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "learner": (
        *("learner", "model", "algorithm", "algo", "classifier", "regressor", "method", "estimator", "clf"),
        *("approach", "system", "learner_name", "model_name", "algorithm_name", "classifier_name", "method_name"),
        *("regressor_name", "estimator_name", "algo_name", "framework", "learner_id", "flow_name", "flow"),
        "wflow_id",
    ),
    "dataset": (
        *("dataset", "data_set", "data", "problem", "dataset_name", "data_name", "task", "task_name"),
        *("env", "environment", "env_name", "game", "benchmark", "dataset_id", "data_id", "env_id", *ITEMS_OR_TASKS),
    ),
    "replication": (
        *("replication", "replicate", "repeat", "rep", "repetition", "run", "seed", "trial"),
        *("random_seed", "random_state", "run_id", "trial_seed", "repeat_id", "rep_id", "seed_id"),
    ),
    "fold": (
        *("fold", "split", "cv_fold", "fold_id", "split_id", "fold_number", "cv_split", "resample", "resample_id"),
        *("outer_fold", "test_fold", "fold_index", "fold_idx", "id2"),
    ),
    "item": (
        *("item", "item_id", "id", "instance_id", "doc_id", "question_id", "sample_id", "example_id", "query_id"),
        *("qid", "prompt_id", "case_id"),
        *("instance", "question", "sample", "example", "document", "query"),
    ),
    "truth": (
        *("truth", "y_true", "y_target", "label", "target", "actual", "gold", "true_label", "ground_truth"),
        *("true_class",),
    ),
    "prediction": ("prediction", "predicted", "y_pred", "pred", "predicted_label", "predicted_class", "y_hat"),
    "step": (
        *("step", "epoch", "iteration", "iter", "train_size", "training_size", "n_train", "global_step"),
        *("training_set_size",),
    ),
    "group": (
        *("group", "task", "subset", "category", "subject", "document", "user", "user_id", "template"),
        *("prompt_template",),
    ),
    "repeat": ("repeat", "epoch", "attempt", "sample", "sample_id", "repetition", "trial", "run"),
    "weight": ("weight", "weights", "item_weight", "sample_weight"),
    "failure": ("failure", "reason", "exception", "failure_reason", "error_message"),
    "fingerprint": ("fingerprint", "fold_fingerprint", "test_indices"),
    "filter": ("filter",),
}

#: Names of a replication that mean another start of the learner on the same data, and no other division of the data.
RUNS = frozenset({"run", "seed", "random_seed", "random_state", "run_id", "trial_seed", "seed_id"})

#: Names of a fold that random splits and repeated folds in a row go by as well.
SPLITS = frozenset({"split", "split_id", "cv_split", "resample", "resample_id"})
#: More folds than these are rarely one cross-validation.
MOST_FOLDS = 10

#: Names of a step that people also give to replications.
UNCLEAR_STEPS = frozenset({"iteration", "iter"})

#: Names that hold what an item says rather than its number: they give way to a column of numbers of items.
ITEM_CONTENT = frozenset({"instance", "question", "sample", "example", "document", "query"})
#: Names that give way to another column of the same role: content, identifiers beside names, and what is vague.
WEAK = ITEM_CONTENT | {
    *("framework", "learner_id", "flow", "flow_name", "wflow_id"),
    *("benchmark", "dataset_id", "data_id", "env_id", *ITEMS_OR_TASKS, "run_id"),
}

#: Names of groups that the same items may go through, each once: their items do not start again at 1.
CROSSING_GROUPS = frozenset({"user", "user_id", "template", "prompt_template"})

#: Roles whose cells are numbers.
NUMERIC_ROLES = frozenset({"step", "weight"})

_ROLES_OF: dict[str, tuple[str, ...]] = {}
for _role, _names in SYNONYMS.items():
    for _name in _names:
        _ROLES_OF[_name] = (*_ROLES_OF.get(_name, ()), _role)


def has_role(names: Iterable[str], *roles: str) -> bool:
    """Whether a column of one of these names may have one of these roles."""
    return any(not set(roles).isdisjoint(roles_of_name(name)) for name in names)


def roles_of_name(name: str) -> tuple[str, ...]:
    """Return the roles that a column of this name may have.

    Examples
    --------
    >>> roles_of_name("Model"), roles_of_name("task"), roles_of_name("accuracy")
    (('learner',), ('dataset', 'group'), ())
    """
    return _ROLES_OF.get(plain(name), ())
