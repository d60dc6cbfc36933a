"""What people save after cross_validate and GridSearchCV, in the ways they do."""

import json

import numpy as np
import pandas as pd
from recording import PEERS, by, corrected_t_of_all_pairs, means, paired_t_of_all_pairs, record
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
}
TEN = StratifiedKFold(10, shuffle=True, random_state=0)
x, y = load_breast_cancer(return_X_y=True)


def reading(learners, folds):
    """One data set, one replication."""
    return {"kind": "scores", "learners": list(learners), "datasets": 1, "replications": 1, "folds": folds}


def conclusions_of(scores, folds):
    """Means and tests of the scores of one measure."""
    return [
        by("numpy", "mean over the folds", mean=means(scores)),
        paired_t_of_all_pairs(scores),
        corrected_t_of_all_pairs(scores, 1 / (folds - 1)),
    ]


def one_scorer():
    """test_score alone: joined with keys, and with a column for the model."""
    runs = {name: pd.DataFrame(cross_validate(model, x, y, cv=TEN)) for name, model in MODELS.items()}
    scores = {name: run.test_score.to_numpy() for name, run in runs.items()}
    joined = pd.concat(runs)
    joined.to_csv(PEERS / "sklearn_concat.csv")
    stacked = pd.concat([run.assign(model=name) for name, run in runs.items()])
    stacked.to_csv(PEERS / "sklearn_model_column.csv")
    ways = {
        "sklearn_concat.csv": (["", "", *joined.columns], "pd.concat({name: DataFrame(cross_validate(…))}).to_csv()"),
        "sklearn_model_column.csv": (["", *stacked.columns], "DataFrame(…).assign(model=name), concat, to_csv()"),
    }
    for name, (columns, call) in ways.items():
        record(
            name,
            made_by=by("scikit-learn", call),
            rows=len(joined),
            columns=columns,
            reading=reading(MODELS, 10),
            direction="larger: every scikit-learn scorer is larger-is-better; test_score does not name the measure",
            conclusions=conclusions_of(scores, 10),
            note="columns without a name: the model and the fold (from 0)"
            if columns[1] == ""
            else "the column without a name is the fold (from 0)",
        )


def several_scorers():
    """A tidy frame with three scorers and training scores."""
    scoring = ["accuracy", "neg_log_loss", "roc_auc"]
    parts = []
    for name, model in MODELS.items():
        run = pd.DataFrame(cross_validate(model, x, y, cv=TEN, scoring=scoring, return_train_score=True))
        run.insert(0, "fold", range(10))
        run.insert(0, "model", name)
        parts.append(run)
    frame = pd.concat(parts)
    frame.to_csv(PEERS / "sklearn_scorers.csv", index=False)
    found = []
    for measure in ("test_accuracy", "test_neg_log_loss", "test_roc_auc"):
        scores = {name: frame.loc[frame.model == name, measure].to_numpy() for name in MODELS}
        found += [{"measure": measure, **each} for each in conclusions_of(scores, 10)]
    record(
        "sklearn_scorers.csv",
        made_by=by("scikit-learn", "cross_validate(…, scoring=[…], return_train_score=True), to_csv(index=False)"),
        rows=len(frame),
        columns=frame.columns,
        reading=reading(MODELS, 10),
        direction="larger for all three, neg_log_loss too; the measure must be chosen; train_* are not results",
        conclusions=found,
    )


def with_indices():
    """The dict of cross_validate with the indices of the folds, as JSON; and one where a model saw other folds."""
    data, labels = load_wine(return_X_y=True)
    same = StratifiedKFold(5, shuffle=True, random_state=0)
    other = StratifiedKFold(5, shuffle=True, random_state=1)
    runs = {n: cross_validate(m, data, labels, cv=same, return_indices=True) for n, m in MODELS.items()}
    mixed = {**runs, "tree": cross_validate(MODELS["tree"], data, labels, cv=other, return_indices=True)}
    scores = {name: run["test_score"] for name, run in runs.items()}
    for name, each, found, note in (
        ("sklearn_indices.json", runs, conclusions_of(scores, 5), "all models saw the same folds"),
        ("sklearn_unpaired.json", mixed, [], "tree saw other folds: must be refused, the scores are not paired"),
    ):
        text = json.dumps(each, default=lambda array: np.asarray(array).tolist())
        (PEERS / name).write_text(text + "\n", encoding="utf-8")
        record(
            name,
            made_by=by("scikit-learn", "json.dumps({name: cross_validate(…, return_indices=True)})"),
            rows=15,
            columns=["fit_time", "score_time", "indices", "test_score"],
            reading=reading(MODELS, 5),
            direction="larger (scikit-learn scorer)",
            conclusions=found,
            note=note + "; indices.train and indices.test have one list per fold",
        )
    frame = pd.concat(
        pd.DataFrame({"test_score": run["test_score"], "test_indices": [i.tolist() for i in run["indices"]["test"]]})
        .assign(model=name)
        .reset_index(names="split")
        for name, run in runs.items()
    )
    frame.to_csv(PEERS / "sklearn_indices.csv", index=False)
    record(
        "sklearn_indices.csv",
        made_by=by(
            "scikit-learn",
            "test_score and indices['test'] of cross_validate(…, return_indices=True), to_csv(index=False)",
        ),
        rows=len(frame),
        columns=frame.columns,
        reading=reading(MODELS, 5),
        direction="larger (scikit-learn scorer)",
        conclusions=conclusions_of(scores, 5),
        note="test_indices is a list written as text, the same for every model on a split",
    )


def grid_search():
    """cv_results_ of a search: every row a candidate, every split a column."""
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 5, 15], "weights": ["uniform", "distance"]}, cv=TEN
    )
    frame = pd.DataFrame(search.fit(x, y).cv_results_)
    frame.to_csv(PEERS / "sklearn_grid_search.csv")
    splits = [f"split{i}_test_score" for i in range(10)]
    scores = {
        str(params): row.to_numpy(float)
        for params, (_, row) in zip(frame.params, frame[splits].iterrows(), strict=True)
    }
    record(
        "sklearn_grid_search.csv",
        made_by=by(
            "scikit-learn",
            "DataFrame(GridSearchCV(KNeighborsClassifier(), grid, cv=10 folds).fit(X, y).cv_results_).to_csv()",
        ),
        rows=len(frame),
        columns=["", *frame.columns],
        reading=reading(scores, 10),
        direction="larger (scikit-learn scorer)",
        conclusions=[
            by(
                "scikit-learn",
                "search.best_params_, mean_test_score",
                best=str(search.best_params_),
                mean=means(scores),
            ),
            *conclusions_of(scores, 10)[1:],
        ],
        note=(
            "a row is a learner (params), split0_test_score … split9_test_score its folds; the first two candidates "
            "agree everywhere (null: 0/0)"
        ),
    )


one_scorer()
several_scorers()
with_indices()
grid_search()
