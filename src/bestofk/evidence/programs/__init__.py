"""Formats that other programs write: logs of training, MLflow, Weights & Biases, Weka, Optuna."""
