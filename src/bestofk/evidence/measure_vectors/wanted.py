"""Names of the measures that are asked for as people say them: with a direction, in short, or all of one kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.names import names_in, plain
from bestofk.core.options import refuse_duplicates
from bestofk.measures.catalogue import COUNTED, is_larger_better, is_recall_of_class
from bestofk.measures.checks import settled_direction

WHERE = "judge, argument on"
#: What asks for ROC curves and the areas under them.
AREAS = ("roc", "auc")
#: The four counts, one of which follows from another on folds of fixed classes.
CONFUSION = "confusion"
#: The recall of every class.
RECALLS = "recalls"
#: The recall of a class, and that of the rest.
TWO_RECALLS = ("tpr", "specificity")
#: Seconds as the commands say them → the columns and costs they stand for.
_ALIASES = {"fit_seconds": "fit_time", "predict_seconds": "predict_time"}
_COUNTS = {"tp": True, "fn": False, "fp": False, "tn": True}
_ENDINGS = {":larger": True, ":smaller": False}


@frozen
class Wanted:
    """A measure that was asked for, and the direction where it was said with it."""

    name: str
    larger_is_better: bool | None = None
    said: str = field(default="", compare=False, repr=False)  # as it was typed, where that is not the name


@frozen
class Ask:
    """What is asked of evidence: measures, the positive class, what 0/0 counts as, and the direction of unknown ones.

    Examples
    --------
    >>> Ask("tpr, fpr@0.3").names, Ask("ROC").areas
    (['tpr', 'fpr@0.3'], True)
    """

    on: Any
    positive: str | None = None
    undefined: float | None = None
    larger_is_better: bool | None = None

    @property
    def names(self) -> list[str]:
        """The measures as they were named."""
        names = names_in(self.on) if isinstance(self.on, str) else self.on if isinstance(self.on, Iterable) else []
        return [each.strip() for each in names if isinstance(each, str)]

    @property
    def areas(self) -> bool:
        """Whether ROC curves are asked for, and nothing else."""
        return len(self.names) == 1 and plain(self.names[0]) in AREAS

    @property
    def thresholds(self) -> bool:
        """Whether some measure is asked for at a threshold."""
        return any("@" in name for name in self.names)

    @property
    def said(self) -> dict[str, Any]:
        """What makes the same vectors again."""
        return {"on": self.names, "positive": self.positive, "undefined": self.undefined}

    def refuse_areas_among_others(self, areas: tuple[str, ...] = ("roc",)) -> None:
        """Refuse ROC curves beside other measures: areas are compared alone, and curves stand beside rates anyway."""
        asked = [name for name in self.names if plain(name) in areas]
        if len(self.names) > 1 and asked:
            rest = ",".join(name for name in self.names if name not in asked)
            raise InputError(
                f"{asked[0]} is asked for beside {rest}.",
                WHERE,
                "ask for areas alone: --on roc; with probabilities ROC curves stand beside other measures anyway.",
            )


def wanted_measures(on: Any) -> tuple[Wanted, ...]:
    """Take ``"tpr,fpr"``, ``("tpr", "fpr")``, ``"confusion"`` or ``"recalls"``; ``"taste:larger"`` says a direction.

    Examples
    --------
    >>> [each.name for each in wanted_measures("precision, fit-seconds")]
    ['precision', 'fit_time']
    >>> [each.name for each in wanted_measures("confusion")]
    ['tp', 'fn', 'fp', 'tn']
    >>> wanted_measures(("taste:larger", "fpr"))[0]
    Wanted(name='taste', larger_is_better=True)
    """
    if isinstance(on, str):
        on = names_in(on)
    if not isinstance(on, Iterable):
        raise InputError(f"on is {glimpse(on)}.", WHERE, 'name the measures: on=("tpr", "fpr"), or on="confusion".')
    found: list[Wanted] = []
    for each in on:
        if not isinstance(each, str) or not each.strip():
            raise InputError(f"a measure is {each!r}.", WHERE, 'name the measures in words: on=("tpr", "fpr").')
        found += _one(each.strip())
    refuse_duplicates([each.name for each in found], what="measure", where=WHERE)
    if len(found) < 2 and [each.name for each in found] != [RECALLS]:
        raise InputError(
            f"on names {'one measure, ' + found[0].name if found else 'no measure'}.",
            WHERE,
            "name two or more, with commas between; for a single one leave on out and say --measure NAME, or "
            "read(…, measure='NAME').",
        )
    return tuple(found)


def _one(text: str) -> list[Wanted]:
    if plain(text) == CONFUSION:
        return [Wanted(name) for name in _COUNTS]
    ending = next((each for each in _ENDINGS if text.endswith(each)), "")
    name, larger = text.removesuffix(ending).strip(), _ENDINGS.get(ending)
    if plain(name) in _ALIASES:
        return [Wanted(_ALIASES[plain(name)], larger, said=name)]
    return [Wanted(name if plain(name) not in (RECALLS, *_COUNTS) else plain(name), larger)]


def threshold_in(name: str) -> tuple[str, float] | None:
    """The measure and the threshold of a name such as ``tpr@0.3``.

    Examples
    --------
    >>> threshold_in("FPR@0.25"), threshold_in("fpr")
    (('fpr', 0.25), None)
    """
    measure, at, text = name.partition("@")
    if not at or plain(measure) not in COUNTED:
        return None
    try:
        threshold = float(text)
    except ValueError:
        return None
    return (plain(measure), threshold) if 0.0 < threshold < 1.0 else None


def refuse_no_threshold(name: str) -> None:
    """Refuse what looks like a measure at a threshold and is none."""
    measure, at, threshold = name.partition("@")
    if at and threshold_in(name) is None and plain(measure) in COUNTED:
        raise InputError(
            f"{name}: {threshold or 'nothing'} is no threshold of a probability.",
            WHERE,
            f"give a number between 0 and 1, neither included: {plain(measure)}@0.3.",
        )


def known_direction(name: str) -> bool | None:
    """Whether larger is better, where the name of a measure says it."""
    short = plain(name.split("@")[0])  # tpr@0.3 is a tpr
    return _COUNTS.get(short, True if is_recall_of_class(short) else is_larger_better(short))


def direction_of(wanted: Wanted, asked: bool | None, *, where: str) -> bool:
    """Whether larger is better: by the name, by what was said with it, or by what was asked for all unknown ones."""
    known = known_direction(wanted.name)
    said = asked if known is None and wanted.larger_is_better is None else wanted.larger_is_better
    both = " or ".join(f'"{wanted.name}{end}"' if "," in wanted.name else f"{wanted.name}{end}" for end in _ENDINGS)
    return settled_direction(wanted.name, said, where=where, known=known, fix=f"say it with the name: {both}.")


def one_dataset(wrong: str, datasets: Sequence[str], source: str) -> InputError:
    """The error of what is of one data set only, where there are several."""
    fix = f"judge one data set: --dataset {datasets[0]} (of {', '.join(datasets)})."
    return InputError(wrong, f"{WHERE}, {source}", fix)


def one_score(asked: Iterable[Wanted], key: str, where: str) -> InputError:
    """The error of a source with one score per cell, such as a column per learner: it goes by any name."""
    return InputError(
        f"there is one score per learner and {key.replace('data', 'data ')}, which cannot be "
        f"{', '.join(each.name for each in asked)}.",
        f"{WHERE}, {where}",
        f"give a long table: columns learner, {key}, and one per measure, or tp, fn, fp, tn; for ROC curves and "
        "thresholds probabilities of every item; or judge by the one score: --measure NAME without --on.",
    )
