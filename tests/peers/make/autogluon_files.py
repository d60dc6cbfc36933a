"""A leaderboard of AutoGluon, which is to be refused, and the predictions of its models, which it asks for instead.

Runs in an environment with autogluon.tabular. Usage: autogluon_files.py.
"""

import tempfile
from pathlib import Path

import pandas as pd
from autogluon.tabular import TabularPredictor
from sklearn.datasets import load_wine

PEERS = Path(__file__).resolve().parent.parent
MODELS = {"KNN": {"n_neighbors": 5}, "RF": {"n_estimators": 20}, "LR": {}}

frame = load_wine(as_frame=True).frame.sample(frac=1, random_state=1)
train, test = frame[:100], frame[100:]
with tempfile.TemporaryDirectory() as folder:
    found = TabularPredictor(label="target", path=folder, verbosity=0).fit(train, hyperparameters=MODELS)
    found.leaderboard(test).to_csv(PEERS / "autogluon_leaderboard.csv", index=False)
    predictions = found.predict_multi(test.drop(columns="target"))
pd.DataFrame({"truth": test["target"], **predictions}).to_csv(PEERS / "autogluon_predictions.csv", index=False)
