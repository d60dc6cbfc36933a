"""Results of TabArena: its classes make the table and fill what is missing; the models are scikit-learn's own.

Runs in an environment with tabarena, which brings scikit-learn. Usage: tabarena_files.py. TabArena's data sets have to
be fetched, so that those of scikit-learn stand for them; the nearest neighbours are said to have failed on one.
"""

from pathlib import Path

import pandas as pd
from bencheval.evaluator import BenchmarkEvaluator
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import log_loss, mean_squared_error, roc_auc_score
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tabarena.benchmark.result.baseline_result import BaselineResult

PEERS = Path(__file__).resolve().parent.parent
TASKS = {
    "cancer": (load_breast_cancer, "roc_auc", "binary", lambda y, p: 1 - roc_auc_score(y, p[:, 1])),
    "diabetes": (load_diabetes, "rmse", "regression", lambda y, p: mean_squared_error(y, p) ** 0.5),
    "wine": (load_wine, "log_loss", "multiclass", log_loss),
}
MODELS = {
    "Constant": (DummyClassifier(), DummyRegressor()),
    "KNN": (KNeighborsClassifier(9), KNeighborsRegressor(9)),
    "Tree": (DecisionTreeClassifier(max_depth=3, random_state=1), DecisionTreeRegressor(max_depth=3, random_state=1)),
}


def results():
    """One row of TabArena's per model, data set and split."""
    for dataset, (load, metric, kind, error) in TASKS.items():
        X, y = load(return_X_y=True)
        for split, (train, test) in enumerate(KFold(3, shuffle=True, random_state=1).split(X)):
            for place, (name, models) in enumerate(MODELS.items()):
                model = models[kind == "regression"].fit(X[train], y[train])
                said = model.predict(X[test]) if kind == "regression" else model.predict_proba(X[test])
                task = {"name": dataset, "fold": split, "repeat": 0, "sample": 0, "split_idx": split, "tid": 1}
                found = {"framework": name, "task_metadata": task, "metric_error": error(y[test], said)}
                found |= {"metric": metric, "problem_type": kind, "time_train_s": 1.0 + place, "time_infer_s": 0.1}
                yield BaselineResult(found).compute_df_result()


if __name__ == "__main__":
    frame = pd.concat(results(), ignore_index=True).rename(columns={"framework": "method"})
    frame = frame[(frame["method"] != "KNN") | (frame["dataset"] != "wine")]
    arena = BenchmarkEvaluator(method_col="method", task_col="dataset", seed_column="fold", error_col="metric_error")
    filled = arena.fillna_data(frame, fillna_method="Constant", imputed_col="imputed")
    filled.to_csv(PEERS / "tabarena.csv", index=False)
