"""Write battles.csv: votes between six models, as an arena collects them, by a model with a fixed seed."""

from pathlib import Path

import numpy as np

MODELS = {"atlas": (1.0, 15.0), "birch": (0.85, 3.0), "cedar": (0.45, 0.6), "delta": (0.1, 0.6), "ember": (-0.3, 0.15),
          "flint": (-0.8, 0.05)}  # fmt: skip
BATTLES, PROMPTS, TIE = 1_500, 300, 0.45


def main() -> None:
    """Draw the votes and write the file."""
    rng = np.random.default_rng(20261117)
    names = np.array(list(MODELS))
    strength, price = np.array(list(MODELS.values())).T
    first = rng.integers(len(names), size=BATTLES)
    second = (first + rng.integers(1, len(names), size=BATTLES)) % len(names)
    prompt = np.sort(rng.integers(PROMPTS, size=BATTLES))
    liked = 0.7 * rng.normal(size=(PROMPTS, len(names)))  # on some prompts a model does better than on others
    lead = strength[first] - strength[second] + liked[prompt, first] - liked[prompt, second]
    vote = lead + rng.logistic(size=BATTLES)
    bad = np.where(rng.random(BATTLES) < 0.4, "tie (bothbad)", "tie")
    winner = np.where(np.abs(vote) < TIE, bad, np.where(vote > 0, "model_a", "model_b"))
    rows = ["question_id,model_a,model_b,winner,price_a,price_b"]
    for q, a, b, won in zip(prompt, first, second, winner, strict=True):
        rows.append(f"q{q + 1:03d},{names[a]},{names[b]},{won},{price[a]:g},{price[b]:g}")
    Path(__file__).with_name("battles.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
