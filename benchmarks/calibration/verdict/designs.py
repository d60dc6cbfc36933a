"""Results of K learners, drawn with a known truth, for every kind of evidence that a verdict takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import bestofk as bk
from benchmarks.calibration import designs as folds_of
from benchmarks.calibration.populations import MODEL
from benchmarks.calibration.resampling import answers, contenders, error, margins_of
from bestofk.evidence import Evidence

Draw = Callable[[np.random.Generator, np.ndarray], Evidence]


@dataclass(frozen=True)
class Design:
    """A kind of evidence; ``draw(rng, losses)`` makes one set of results. ``gap`` is how far learners lie apart."""

    name: str
    draw: Draw
    gap: float = 1.0
    sizes: tuple[int, ...] = (2, 5, 10)
    options: dict[str, Any] | None = None
    approximate: bool = False  # tests of folds hold about: their training sets overlap


def _names(losses: np.ndarray) -> tuple[str, ...]:
    return tuple(f"learner-{i}" for i in range(len(losses)))


def _scores(values: np.ndarray, losses: np.ndarray, **facts: Any) -> bk.Scores:
    return bk.Scores(learners=_names(losses), values=values, measure="error", larger_is_better=False, **facts)


def datasets(number: int) -> Draw:
    """One value per data set; data sets differ much, learners by the truth, and each value has noise of its own."""

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        values = 3.0 * rng.normal(size=number) + losses[:, None] + rng.normal(size=(len(losses), number))
        names = tuple(f"set-{i}" for i in range(number))
        return _scores(0.4 + values[:, :, None, None] / 50.0, losses, datasets=names)

    return draw


def items(number: int, *, groups: int = 0, spread: float = 1.0, graded: bool = False) -> Draw:
    """Answers to items of unequal difficulty; learners do better or worse on whole groups where there are groups.

    ``spread`` is that of a learner's skill between groups, in standard deviations between items.
    """

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        k = len(losses)
        skill = rng.normal(size=number) - losses[:, None]
        group = None
        if groups:
            member = np.repeat(np.arange(groups), number // groups)
            skill = skill + spread * rng.normal(size=(k, groups))[:, member]
            group = tuple(f"group-{i}" for i in member)
        raw = skill + rng.normal(size=(k, number))
        values = np.round(4.0 / (1.0 + np.exp(-raw))) / 4.0 if graded else (raw > 0).astype(float)
        named: dict[str, Any] = {"learners": _names(losses), "values": values, "groups": group}
        return bk.Items(measure="correct", larger_is_better=True, **named)

    return draw


def _levels(losses: np.ndarray, runs: tuple[int, ...], spreads: tuple[float, ...], rng: np.random.Generator) -> Any:
    """One level per run of every learner; numbers of runs and spreads go round the learners."""
    for i, loss in enumerate(losses):
        yield spreads[i % len(spreads)] * rng.normal(size=runs[i % len(runs)]) - loss


def curves(runs: tuple[int, ...], spreads: tuple[float, ...]) -> Draw:
    """Curves of eight steps that rise."""

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        rise = 10.0 * (1.0 - np.exp(-np.arange(1, 9) / 3.0))
        levels = _levels(losses, runs, spreads, rng)
        values = tuple(rise + each[:, None] + 0.3 * rng.normal(size=(len(each), 8)) for each in levels)
        return bk.Curves(learners=_names(losses), values=values, measure="accuracy", larger_is_better=True)

    return draw


def runs_of(
    runs: tuple[int, ...], spreads: tuple[float, ...], tasks: int = 1, noisy: float = 1.0, measure: str = "accuracy"
) -> Draw:
    """Runs (seeds) on one test set, or on several tasks, which learners find easy or hard each in its own way.

    On the first of several tasks runs are so many times as ``noisy`` as on the others. A ``measure`` that is no rate
    has other units on every task, and is compared in units of the spread.
    """

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        more = [tuple((noisy if t == 0 else 1.0) * each for each in spreads) for t in range(tasks)]
        own = rng.normal(size=(len(losses), tasks))
        own = 2.0 * (own - own.mean(axis=1, keepdims=True))  # on these tasks learners are as good as the truth says
        parts = [list(_levels(losses - own[:, t], runs, more[t], rng)) for t in range(tasks)]
        values = tuple(np.concatenate(each) for each in zip(*parts, strict=True))
        named: dict[str, Any] = {}
        if tasks > 1:
            named["datasets"] = tuple(
                tuple(f"task-{t}" for t, part in enumerate(each) for _ in part) for each in zip(*parts, strict=True)
            )
        names = _names(losses)
        return bk.Runs(learners=names, values=values, measure=measure, larger_is_better=True, **named)

    return draw


def battles(number: int, prompts: int = 0, power: float = 0.0) -> Draw:
    """Votes between two models each, a fifth of them ties; on a prompt a model may do better or worse.

    Prompt i has a share of the battles that goes as 1/i to a power.
    """
    share = 1.0 / np.arange(1, prompts + 1) ** power

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        k = len(losses)
        first = rng.integers(k, size=number)
        second = (first + rng.integers(1, k, size=number)) % k
        lead = losses[second] - losses[first]
        prompt = None
        if prompts:
            prompt, liked = rng.choice(prompts, number, p=share / share.sum()), rng.normal(size=(prompts, k))
            lead = lead + liked[prompt, first] - liked[prompt, second]
        vote = lead + rng.logistic(size=number)
        score = np.where(np.abs(vote) < 0.5, 0.5, (vote > 0).astype(float))
        return bk.Battles(learners=_names(losses), first=first, second=second, score=score, prompts=prompt)

    return draw


def folds(learner: str, replications: int, count: int, rows: int = 200, sets: int = 1) -> Draw:
    """A real learner per contender on columns of its own: equal by construction, or with classes that lie closer."""

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        errors = [_errors(rng, losses, learner, (replications, count), rows) for _ in range(sets)]
        values = np.concatenate(errors).swapaxes(0, 1)
        named = {"datasets": tuple(f"set-{i}" for i in range(sets))} if sets > 1 else {}
        return _scores(values, losses, **named)

    return draw


def fold_curves(learner: str, replications: int, count: int, rows: int = 200) -> Draw:
    """The same with training sets that grow: 40, 70 and 100 % of the rows that a fold does not test."""
    shares = (0.4, 0.7, 1.0)

    def draw(rng: np.random.Generator, losses: np.ndarray) -> Evidence:
        errors = _errors(rng, losses, learner, (replications, count), rows, shares)
        values = np.moveaxis(errors, 0, -1).reshape(len(losses), -1, len(shares))
        named: dict[str, Any] = {"learners": _names(losses), "values": tuple(values), "steps": shares, "folds": count}
        return bk.Curves(measure="error", larger_is_better=False, **named)

    return draw


def _errors(
    rng: np.random.Generator,
    losses: np.ndarray,
    learner: str,
    shape: tuple[int, int],
    rows: int,
    shares: tuple[float, ...] = (1.0,),
) -> np.ndarray:
    """Errors (shares of the rows trained on, learners, replications, folds)."""
    sample = MODEL.draw(rng, 1, rows, len(losses), 0.0)
    truth = np.where(sample.truth, 1.0, -1.0)[:, None, :, None]
    features = sample.features - 0.25 * losses[None, :, None, None] * truth
    tested = folds_of.folds(rng, 1, rows, *shape)
    found = []
    for share in shares:
        trains = sample.trains & (np.arange(rows) < share * rows)
        margins = margins_of(contenders(sample._replace(features=features, trains=trains), learner), tested)
        found.append(error(margins, answers(sample.truth, tested)).reshape(len(losses), *shape))
    return np.stack(found)


DESIGNS = (
    Design("10 data sets", datasets(10)),
    Design("30 data sets", datasets(30)),
    Design("5 data sets", datasets(5), gap=3.0),
    Design("5 data sets of 5 × 2 folds, LDA", folds("LDA", 5, 2, 100, sets=5), approximate=True),
    Design("300 items, right or wrong", items(300), gap=0.5),
    Design("200 items, graded", items(200, graded=True), gap=0.5),
    Design("10 groups of 50 items", items(500, groups=10)),
    Design("5 runs each", runs_of((5,), (1.0,)), gap=2.0),
    Design("5 runs, spread 10 and 1", runs_of((5,), (10.0, 1.0)), gap=12.0),
    Design("5 runs of spread 3 and 20 of spread 1", runs_of((5, 20), (3.0, 1.0)), gap=3.0),
    Design("3 runs and 20 runs", runs_of((3, 20), (1.0,)), gap=3.0, approximate=True),
    Design("4 runs and 20 runs", runs_of((4, 20), (1.0,)), gap=3.0, approximate=True),
    Design("5 tasks of 5 runs", runs_of((5,), (1.0,), tasks=5)),
    Design("5 tasks of 5 runs, returns", runs_of((5,), (1.0,), tasks=5, measure="return")),
    Design("8 tasks of 3 runs, one 20 times as noisy", runs_of((3,), (1.0,), 8, 20.0), gap=8.0, approximate=True),
    Design("8 tasks of 2 runs, one 20 times as noisy", runs_of((2,), (1.0,), 8, 20.0), gap=8.0, approximate=True),
    Design("600 battles", battles(600), gap=0.5),
    Design("600 battles on 100 prompts", battles(600, prompts=100), gap=0.8),
    Design("600 battles on 60 prompts of unequal size", battles(600, prompts=60, power=1.0), gap=2.0),
    Design("curves, 10 runs each", curves((10,), (1.0,)), gap=1.5),
    Design("curves, 5 runs of spread 3 and 20 of spread 1", curves((5, 20), (3.0, 1.0)), gap=3.0),
    Design("20 folds, tree", folds("tree", 1, 20), approximate=True, sizes=(2, 5)),
    Design("50 folds, tree", folds("tree", 1, 50), approximate=True, sizes=(2,)),
    Design("learning curves, 5 × 2 folds, LDA", fold_curves("LDA", 5, 2), approximate=True),
    Design("learning curves, 10 folds, 1-NN", fold_curves("1-NN", 1, 10), approximate=True),
    Design("learning curves, 10 folds, tree", fold_curves("tree", 1, 10), approximate=True),
    Design("learning curves, 10 × 10 folds, 1-NN", fold_curves("1-NN", 10, 10), approximate=True, sizes=(2,)),
    *(
        Design(f"{name} folds of {rows} rows, {learner}", folds(learner, *shape, rows), approximate=True, sizes=sizes)
        for learner in ("1-NN", "LDA", "tree", "logistic")
        for name, shape in (("5 × 2", (5, 2)), ("10", (1, 10)), ("10 × 10", (10, 10)))
        for rows, sizes in ((100, (2, 5, 10)), (200, (2,)))
    ),
)
