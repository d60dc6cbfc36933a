"""Battles as arenas write them: model_a, model_b, winner, and who asked what."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.evidence.battles import Battles
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.evidence import Origin
from bestofk.evidence.layouts.grid import key_of
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import cost_of_name
from bestofk.tables.table import Table

SIDES, WINNER = ("model_a", "model_b"), "winner"
#: One column for each outcome, 0 or 1, in the place of the winner.
OUTCOMES = {"winner_model_a": 1.0, "winner_model_b": 0.0, "winner_tie": 0.5}
#: What the winner is called where it is not called by its name, without what may stand between the letters.
SCORES = {
    "modela": 1.0,
    "a": 1.0,
    "modelb": 0.0,
    "b": 0.0,
    **dict.fromkeys(("tie", "draw", "tiebothbad", "bothbad", "bothgood", "tiebothgood"), 0.5),
}
PROMPTS = frozenset({"prompt", "turn_id", "conversation_id"})
_BETWEEN = re.compile(r"[\s_()\[\]-]")
_A_OR_B = re.compile(r"(.+)_[ab]")


def are_battles(names: Sequence[str]) -> bool:
    """Whether the columns are of battles: two models and who won."""
    found = {plain(name) for name in names}
    return set(SIDES) <= found and (WINNER in found or set(OUTCOMES) <= found)


def battles(table: Table, request: Request) -> Battles:
    """Read who won against whom."""
    _refuse_asked(table, request)
    column = {plain(name): name for name in table.names}
    sides = [key_of(table, "learner", column[side]) for side in SIDES]
    names = tuple(dict.fromkeys((*sides[0].names, *sides[1].names)))
    place = {name: i for i, name in enumerate(names)}
    first, second = (np.array([place[name] for name in side.names], dtype=np.intp)[side.codes] for side in sides)
    table.refuse(
        first == second,
        lambda row: f"the battle is of {names[first[row]]} with itself.",
        "take out battles of a model with itself.",
        column=column[SIDES[1]],
    )
    score = _scores(table, column, names, first, second)
    prompt = _prompt(table)
    costs = _costs(table, request, names, first, second)
    used = {*SIDES, WINNER, *OUTCOMES, plain(prompt or "")}
    rest = [n for n in (*table.names, *table.left_out) if plain(n) not in used and _cost(n, request) is None]
    notes = ["a tie counts half a win"]
    notes += [f"column {prompt!r} was read as prompt: battles on one prompt belong together"] if prompt else []
    notes += [f"columns not used: {', '.join(rest)}"] if rest else []
    return Battles(
        learners=names,
        first=first,
        second=second,
        score=score,
        prompts=None if prompt is None else _prompts(table, prompt),
        prompt_names=() if prompt is None else tuple(table.text(prompt).categories),
        costs=costs,
        origin=Origin(table.source, table.sha256, (*request.notes, *notes)),
    )


def _refuse_asked(table: Table, request: Request) -> None:
    """Battles have one measure, which is computed."""
    if request.on:
        raise InputError("on asks for several measures, and battles have one.", table.source, "leave on out.")
    if request.measure not in (None, "rating"):
        raise unknown(str(request.measure), ("rating",), what="measure", where=table.source)
    if request.larger_is_better is False:
        raise InputError("larger ratings are better, and smaller is said to be.", table.source, "leave it out.")


def _scores(
    table: Table,
    column: dict[str, str],
    names: tuple[str, ...],
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
) -> Array:
    """1 where the first won, 0 where the second did, ½ for a tie."""
    if WINNER not in column:
        outcomes = np.stack([table.numbers(column[name]) for name in OUTCOMES])
        wrong = ~(np.isin(outcomes, (0.0, 1.0)).all(axis=0) & (outcomes.sum(axis=0) == 1.0))
        fix = "give 1 in one of winner_model_a, winner_model_b, winner_tie and 0 in the others."
        table.refuse(wrong, lambda row: "the battle has not one outcome.", fix)
        return np.array(list(OUTCOMES.values())) @ outcomes
    words = table.text(column[WINNER])
    place = {name: i for i, name in enumerate(names)}
    by_name = np.array([*(place.get(word.strip(), -2) for word in words.categories), -2])[words.codes]
    told = [SCORES.get(_BETWEEN.sub("", word.lower()), np.nan) for word in words.categories]
    score = np.array([*told, np.nan])[words.codes]
    sides = np.array([*(plain(word) in SIDES for word in words.categories), False])[words.codes]
    score = np.where((by_name >= 0) & ~sides, np.nan, score)  # who is no side of the battle has not won it
    for side, won in ((second, 0.0), (first, 1.0)):
        score = np.where((by_name == side) & ~sides, won, score)

    def what(row: int) -> str:
        word = words.categories[words.codes[row]] if words.codes[row] >= 0 else ""
        models = f"{names[first[row]]} and {names[second[row]]}"
        return f"the winner is {word!r}, in a battle of {models}." if word else "the winner is empty."

    fix = "say model_a, model_b or tie, or name one of the two models; take out battles without a vote."
    table.refuse(np.isnan(score), what, fix, column=column[WINNER])
    return score


def _prompt(table: Table) -> str | None:
    """The column that names prompts; of several the one with fewest."""
    found = [n for n in table.names if "item" in roles_of_name(n) or plain(n) in PROMPTS]
    found = [name for name in found if not table.text(name).empty.all()]
    return min(found, key=lambda name: len(np.unique(_prompts(table, name))), default=None)


def _prompts(table: Table, column: str) -> npt.NDArray[np.intp]:
    """The prompt of every battle; a battle without one has its own."""
    words = table.text(column)
    return np.where(words.empty, len(words.categories) + np.arange(len(words)), words.codes).astype(np.intp)


def _cost(name: str, request: Request) -> str | None:
    """The cost that a column such as price_a has of the model on its side."""
    of_side = _A_OR_B.fullmatch(plain(name))
    if of_side is None:
        return None
    asked = {plain(each): each for each in request.costs or ()}
    return asked.get(of_side[1]) or cost_of_name(of_side[1])


def _costs(
    table: Table, request: Request, names: tuple[str, ...], first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]
) -> dict[str, dict[str, float]]:
    """The mean cost of every model over its battles, from columns such as price_a and price_b."""
    found: dict[str, dict[str, float]] = {}
    known = {plain(name): name for name in table.names}
    for name in known:
        cost = _cost(name, request)
        other = f"{name[:-1]}b"
        if cost is None or not name.endswith("_a") or other not in known:
            continue
        values = np.concatenate([table.numbers(known[name]), table.numbers(known[other])])
        models, there = np.concatenate([first, second]), ~np.isnan(values)
        sums, number = (np.bincount(models[there], each, len(names)) for each in (values[there], None))
        with np.errstate(invalid="ignore"):
            found[cost] = dict(zip(names, (sums / number).tolist(), strict=True))
    return found


BATTLES = Layout(are_battles, battles, keys=frozenset({*SIDES, WINNER}))
