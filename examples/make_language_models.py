"""Make ``language_models.csv``: four invented language models on 400 invented items of 4 tasks, with invented prices.

No model was run. An item has a difficulty, shared by all models, so that outcomes on one item go together; the large
model is nearly as able as the frontier model and costs a fifth. Needs numpy.
"""

from pathlib import Path

import numpy as np

PRICE = {"small": 0.15, "medium": 0.60, "large": 3.00, "frontier": 15.00}  # per million tokens
ABILITY = {"small": -0.1, "medium": 0.7, "large": 1.75, "frontier": 1.85}
TASKS = {"arithmetic": 0.5, "extraction": -0.6, "reasoning": 0.4, "translation": -0.3}  # mean difficulty
ITEMS_PER_TASK = 100

rng = np.random.default_rng(4)
lines = ["learner,item,task,correct,price"]
for task, mean in TASKS.items():
    for number, difficulty in enumerate(rng.normal(mean, 1.2, ITEMS_PER_TASK), 1):
        for name, ability in ABILITY.items():
            right = rng.random() < 1 / (1 + np.exp(1.6 * (difficulty - ability)))
            lines.append(f"{name},{task}-{number:03d},{task},{int(right)},{PRICE[name]:.2f}")
Path(__file__).with_name("language_models.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
