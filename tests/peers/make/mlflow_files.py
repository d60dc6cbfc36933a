"""Nets of scikit-learn with five seeds each, tracked by MLflow and saved as its own table of runs."""

import os
import tempfile
from pathlib import Path

from recording import PEERS, by, means, record
from scipy import stats
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
import mlflow

LEARNERS = {
    "forest": lambda seed: RandomForestClassifier(50, random_state=seed),
    "mlp": lambda seed: make_pipeline(StandardScaler(), MLPClassifier((4,), max_iter=600, random_state=seed)),
}
X, y = load_wine(return_X_y=True)
train, test, train_y, test_y = train_test_split(X, y, test_size=0.5, random_state=0)

with tempfile.TemporaryDirectory() as store:
    mlflow.set_tracking_uri((Path(store) / "runs").as_uri())
    for name, learner in LEARNERS.items():
        for seed in range(5 if name == "mlp" else 4):
            with mlflow.start_run(run_name=f"{name}-{seed}"):
                fitted = learner(seed).fit(train, train_y)
                mlflow.log_params({"algo": name, "seed": seed, "test_size": 0.5})
                mlflow.log_metric("accuracy", accuracy_score(test_y, fitted.predict(test)))
                mlflow.log_metric("log_loss", log_loss(test_y, fitted.predict_proba(test)))
    frame = mlflow.search_runs()
frame["artifact_uri"] = frame["artifact_uri"].str.replace(store, "/store")
frame = frame.drop(columns=[name for name in frame if name.startswith("tags.") and name != "tags.mlflow.runName"])
frame.to_csv(PEERS / "mlflow_runs.csv", index=False)
scores = {name: each["metrics.log_loss"].to_numpy() for name, each in frame.groupby("params.algo")}
welch = stats.ttest_ind(scores["forest"], scores["mlp"], equal_var=False)
record(
    "mlflow_runs.csv",
    made_by=by("mlflow-skinny", "mlflow.search_runs().to_csv(index=False)"),
    rows=len(frame),
    columns=list(frame),
    reading={"kind": "runs", "learners": list(scores), "runs": [len(each) for each in scores.values()]},
    direction="known: accuracy and log_loss; one must be chosen",
    conclusions=[
        by("numpy", "mean log_loss", measure="log_loss", mean=means(scores)),
        by(
            "scipy",
            "scipy.stats.ttest_ind(first, second, equal_var=False) of log_loss",
            measure="log_loss",
            pair="forest / mlp",
            statistic=welch.statistic,
            pvalue=welch.pvalue,
        ),
    ],
    note="tags that tell of the machine are taken out",
)
