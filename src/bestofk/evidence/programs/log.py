"""What a log of an evaluation is: the outcomes that a program wrote into one file, of one model and one task mostly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple

from bestofk.core.frozen import frozen

#: Costs by the names that they have in every log.
TOKENS, SECONDS, DOLLARS = COSTS = ("tokens", "seconds", "dollars")


class Outcome(NamedTuple):
    """Values by measure of one item, with the number of its line or sample in the file.

    A value is a number, true or false, or None where it is missing; anything else is refused if its measure is chosen.
    ``item`` is "" where a file has one value per task. ``words`` may say ``learner``, ``attempt`` (of several at one
    item), ``filter``, or whatever else is known of the item. ``proof`` is the same for all models, or their items are
    not; ``prompt`` may differ.
    """

    number: int
    item: str
    values: Mapping[str, Any]
    costs: Mapping[str, float | None] = {}
    words: Mapping[str, Any] = {}
    proof: str = ""
    prompt: str = ""


class Direction(NamedTuple):
    """Whether larger values of a measure are better, and the task or test case ``of`` a file that says so."""

    measure: str
    larger: bool
    of: str = ""


class Setting(NamedTuple):
    """How a task was run, by the name of the setting: what has another value for another model is not compared."""

    task: str
    name: str
    value: Any


@frozen
class Log:
    """The outcomes of a file, one after another.

    ``directions`` are of those measures whose direction the program says; all others are asked about. ``main`` is the
    measure that the program itself puts first, if it does; ``rates`` are between 0 and 1, as the program says.
    ``left_out`` counts outcomes that are not judged. ``learners`` are those that outcomes name, if several.

    ``written_by`` is the version of the program, ``unit`` what outcomes are numbered by; ``sha256`` is asked for at the
    end. ``model`` is what the program calls the model where the learner may be called otherwise, after a folder that
    somebody renamed.
    """

    outcomes: Iterable[Outcome]
    sha256: Callable[[], str]
    learner: str = ""
    task: str = ""
    settings: tuple[Setting, ...] = ()
    written_by: str = ""
    unit: str = "line"
    directions: tuple[Direction, ...] = ()
    main: str = ""
    model: str = ""
    rates: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    learners: tuple[str, ...] = ()


class Opening(NamedTuple):
    """What tells whose a file is: its path, its first characters, and the keys of its first object so far.

    A key stands after those of the objects that it is in: ("eval", "task").
    """

    path: Path
    start: str
    keys: AbstractSet[tuple[str, ...]]

    def has(self, *keys: str) -> bool:
        """Whether the object has such a key in such objects."""
        return keys in self.keys

    def has_all(self, *names: str) -> bool:
        """Whether there are keys of these names, in whatever objects."""
        return set(names) <= {each[-1] for each in self.keys}


@frozen
class Program:
    """A program that writes logs, and how they are known and read.

    Parameters
    ----------
    name : str
        As its users call it.
    recognises : callable
        From the ``Opening`` of a file to whether it is such a log.
    read : callable
        From the path to the ``Log``; one that is known in order to be refused raises ``InputError``.
    chosen : callable, optional
        Of all files of the program those that are to be read, where some say the same as others.
    one_of : tuple of str, optional
        Words of outcomes that part them: those with one value are judged, and which is for the user to say.
    items : str, optional
        How the program is made to log outcomes of items, where it may have logged one value of all.
    endings : tuple of str, optional
        How the names of its logs end: another file that ends so may be a damaged log, and is refused beside logs.
    is_companion : callable, optional
        Whether a file that ends so is one that the program writes beside its logs, without outcomes.
    """

    name: str
    recognises: Callable[[Opening], bool]
    read: Callable[[Path], Log]
    chosen: Callable[[list[Path]], list[Path]] = list
    items: str = ""
    one_of: tuple[str, ...] = ()
    endings: tuple[str, ...] = (".json",)
    is_companion: Callable[[Opening], bool] = lambda _: False


def words_of(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the metadata of an item say in one word or number each; never its learner, which is the program's to say."""
    known = (metadata or {}).items()
    return {name: each for name, each in known if isinstance(each, str | int | float) and name != "learner"}
