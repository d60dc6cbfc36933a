"""A study of scikit-learn's digits by Optuna, saved as its own table of trials: to be refused."""

import optuna
from recording import PEERS, by, record
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

X, y = load_digits(return_X_y=True)


def accuracy(trial):
    """Mean accuracy of one setting; every trial sees the same five folds."""
    kernel = trial.suggest_categorical("kernel", ["linear", "rbf"])
    return cross_val_score(SVC(C=trial.suggest_float("C", 1e-2, 1e2, log=True), kernel=kernel), X, y, cv=5).mean()


study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
study.optimize(accuracy, n_trials=12)
frame = study.trials_dataframe()
frame.to_csv(PEERS / "optuna_trials.csv")
record(
    "optuna_trials.csv",
    made_by=by("optuna", "study.trials_dataframe().to_csv()"),
    rows=len(frame),
    columns=["", *frame],
    reading={"error": "trials are not replications of a learner"},
    direction="none is asked for: the file is refused",
    conclusions=[],
)
