"""What other libraries answer to the files of ``examples``; writes ``benchmarks/PEERS.md``.

Needs an environment of its own, ``pip install autorank==1.3.0 scikit-posthocs==0.17.1 mlxtend==0.25.0
evalstats==0.3.3``, then ``python -m benchmarks.peers`` in the folder of the project. The page has what each of them
returned or printed; ``python -m benchmarks.peers gap`` prints the section of that name alone.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def datasets() -> Any:
    """AUC of four variants of C4.5 on 14 data sets."""
    return pd.read_csv(EXAMPLES / "demsar.csv").set_index("dataset")


def gap() -> Any:
    """The same without one of the 56 results."""
    table = datasets()
    table.iloc[3, 1] = np.nan
    return table


def folds() -> Any:
    """Accuracy of five classifiers on ten folds of one data set."""
    table = pd.read_csv(EXAMPLES / "classifiers.csv").query("dataset == 'car'")
    return 1 - table.pivot(index="fold", columns="learner", values="error")


def questions() -> Any:
    """Five language models, 960 questions."""
    table = pd.read_csv(EXAMPLES / "model_prices.csv")
    return table.pivot(index="question", columns="model", values="correct")


QUESTIONS = {
    "datasets": ("14 data sets", datasets),
    "gap": ("14 data sets, one result missing", gap),
    "folds": ("10 folds of one data set", folds),
    "questions": ("960 questions", questions),
}


def autorank(table: Any) -> str:
    """The report in words, from its decision on."""
    from autorank import autorank, create_report

    words = printed(lambda: create_report(autorank(table.reset_index(drop=True), verbose=False)))
    return words[words.rindex("\nWe ") + 1 :]


def scikit_posthocs(table: Any) -> str:
    """Nemenyi's p values."""
    from scikit_posthocs import posthoc_nemenyi_friedman

    return str(posthoc_nemenyi_friedman(table).round(4).to_string())


def evalstats(table: Any) -> str:
    """The leaderboard in its summary."""
    import evalstats as es

    long = table.rename_axis(columns="model", index="item").stack(future_stack=True).rename("score").reset_index()
    words = printed(lambda: es.compare(es.load_from(long), factors="model").summary())
    return words[words.index("--- Executive Summary") :]


def printed(call: Callable[[], object]) -> str:
    """What a call prints."""
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        call()
    return heard.getvalue()


def answer(peer: Callable[[Any], str], table: Any) -> str:
    """The answer, or the error as it was raised."""
    try:
        return peer(table).rstrip().strip("\n")
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def mlxtend() -> str:
    """What its tests of classifiers take, what they say to a table of results, and to the questions."""
    from mlxtend import evaluate

    names = ("paired_ttest_5x2cv", "paired_ttest_kfold_cv", "combined_ftest_5x2cv", "mcnemar", "cochrans_q")
    lines = [f"{name}{inspect.signature(getattr(evaluate, name))}" for name in names]
    scores = pd.read_csv(EXAMPLES / "demsar.csv")
    try:
        lines.append(str(evaluate.paired_ttest_5x2cv(scores["C4.5"], scores["C4.5+m"], scores, scores)))
    except AttributeError as error:
        lines.append(f"paired_ttest_5x2cv of two columns of scores: {error}")
    table = pd.read_csv(EXAMPLES / "model_prices.csv")
    right = table.pivot(index=["task", "question"], columns="model", values="correct")
    truth, models = [1] * len(right), [right[name].to_numpy() for name in right]
    q, p = evaluate.cochrans_q(pd.Series(truth).to_numpy(), *models)
    lines.append(f"cochrans_q of five models on 960 questions: {q:.4g}, p = {p:.3g}")
    pair = evaluate.mcnemar_table(pd.Series(truth).to_numpy(), right["large"].to_numpy(), right["frontier"].to_numpy())
    chi, p = evaluate.mcnemar(pair)
    lines.append(f"mcnemar of large and frontier: {chi:.4g}, p = {p:.3g}")
    return "\n".join(lines)


def price() -> str:
    """evalstats on accuracy against price."""
    import evalstats as es

    table = pd.read_csv(EXAMPLES / "model_prices.csv")
    how = {"item_col": "question", "primary_metric": "correct", "secondary_metric": {"price": "min"}}
    return str(es.tradeoff(table, factor="model", rng=1, **how).status)


def section(name: str) -> str:
    """The answers to one question."""
    if name == "price":
        title, lines = "Price", ["evalstats, `tradeoff`", "", "```text", price(), "```"]
    elif name == "mlxtend":
        title, lines = "What mlxtend takes", [f"mlxtend {version('mlxtend')}", "", "```text", mlxtend(), "```"]
    else:
        title, table = QUESTIONS[name]
        peers = {"autorank": autorank, "scikit-posthocs": scikit_posthocs, "evalstats": evalstats}
        lines = []
        for peer, ask in peers.items():
            lines += ["", f"{peer} {version(peer)}", "", "```text", answer(ask, table()), "```"]
        lines = lines[1:]
    lines = [f"## {title}", "", f"`python -m benchmarks.peers {name}`", "", *lines]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


def page() -> str:
    """All answers."""
    head = "# What other libraries answer\n\nThe files of `examples`, by `python -m benchmarks.peers`.\n"
    return "\n".join([head, *map(section, (*QUESTIONS, "price", "mlxtend"))])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:]:
        sys.exit(print(*map(section, sys.argv[1:]), sep="\n"))
    (ROOT / "benchmarks" / "PEERS.md").write_text(page(), encoding="utf-8")
