"""Make ``model_prices.csv``: five invented language models on 960 invented questions of 24 tasks, with invented prices.

No model was run. A question has a difficulty that all models share, and a task may suit a model more or less than
another, as real tasks do. The large model is nearly as able as the frontier model and costs a fifth. Needs numpy.
"""

from pathlib import Path

import numpy as np

PRICE = {"tiny": 0.05, "small": 0.15, "medium": 0.60, "large": 3.00, "frontier": 15.00}  # per million tokens
ABILITY = {"tiny": 0.0, "small": 0.6, "medium": 1.1, "large": 1.8, "frontier": 1.9}
TASKS = [f"{kind}-{part}" for kind in ("code", "extract", "law", "maths", "support", "translate") for part in "abcd"]
QUESTIONS = 40  # of a task

rng = np.random.default_rng(1)
lines = ["model,task,question,correct,price"]
for task, mean in zip(TASKS, rng.normal(0.0, 0.5, len(TASKS)), strict=True):
    suits = dict(zip(ABILITY, rng.normal(0.0, 0.15, len(ABILITY)), strict=True))
    for difficulty in rng.normal(mean, 1.2, QUESTIONS):
        question = 1 + (len(lines) - 1) // len(ABILITY)
        for name, ability in ABILITY.items():
            right = rng.random() < 1 / (1 + np.exp(2.5 * (difficulty - ability - suits[name])))
            lines.append(f"{name},{task},{question},{int(right)},{PRICE[name]:.2f}")
Path(__file__).with_name("model_prices.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
