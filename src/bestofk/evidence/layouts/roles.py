"""Which column of a table is the learner, the data set, the fold …, and which columns are left for measures."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.checks import is_binary
from bestofk.evidence.columns import ITEM_CONTENT, ITEMS_OR_TASKS, RUNS, WEAK, roles_of_name
from bestofk.evidence.evidence import ONE_REPLICATION, Origin
from bestofk.evidence.layouts.request import COLUMN_ROLES, Request
from bestofk.tables.table import Table, Text, is_nameless

#: More rows than these are no learners.
MOST = 100
#: What names of one word and a number may be of.
NUMBERED_ROLES = ("learner", "dataset", "replication", "fold", "item")
_NUMBERED = re.compile(r"((?:.*?[^\W\d])?)[\W_]*\d+")


def role_of_names(names: Sequence[str]) -> str:
    """What names are of, where they are all one word that says it and a number; else "".

    Examples
    --------
    >>> role_of_names(["fold1", "fold2"]), role_of_names(["model 1", "model 2"]), role_of_names(["svm", "iris"])
    ('fold', 'learner', '')
    """
    roles = roles_of_name(word_of_names(names) or "")
    return roles[0] if roles and roles[0] in NUMBERED_ROLES else ""


def word_of_names(names: Sequence[str]) -> str | None:
    """The word that names have in common, where each is that word and a number; "" of mere numbers; else None.

    Examples
    --------
    >>> word_of_names(["seed_0", "seed_1"]), word_of_names(["42", "43"]), word_of_names(["svm", "iris"])
    ('seed', '', None)
    """
    found = [_NUMBERED.fullmatch(name.strip()) for name in names]
    words = {match[1] if match else None for match in found}
    return words.pop() if len(words) == 1 else None


def row_role(table: Table, column: str, columns: Sequence[str], request: Request) -> str:
    """What a column of words beside columns of numbers names: learners, or what the rows are that learners have.

    "" where learners are in columns and nothing tells what rows are; where nothing tells where they are, that is asked.
    """
    rows = table.text(column).used
    if request.learners is not None and set(request.learners) & {*rows, *columns}:
        return "learner" if not set(request.learners) <= set(columns) else ""
    if request.nameless_rows != "datasets" or request.rows is not None:
        return ""
    of_rows, of_columns = role_of_names(rows), role_of_names(columns)
    if of_rows != "learner" and (of_columns == "learner" or of_rows not in ("", of_columns)):
        return of_rows
    if of_columns != "learner" and (of_rows == "learner" or of_columns != ""):
        return "learner"
    raise _asked(table, column, rows, columns)


def _asked(table: Table, column: str, rows: Sequence[str], columns: Sequence[str]) -> InputError:
    down, across = (f"{', '.join(names[:2])}{' …' if len(names) > 2 else ''}" for names in (rows, columns))
    what = (
        "the first column, which has no name,"
        if is_nameless(column) or column in table.index
        else f"the column {column}"
    )
    return InputError(
        f"{what} may name learners or data sets: are {down} learners and {across} data sets, or the other way round?",
        table.source,
        f"say --transpose (transpose=True) if {down} are learners, with --rows runs if {across} are runs of theirs; "
        f"--rows datasets (rows='datasets') if {across} are learners; and name the measure (--measure accuracy).",
    )


NOUNS = {"dataset": "data set"}
NOTHING: Mapping[str, str] = MappingProxyType({})
#: Roles whose columns say what the rows are.
KEY_ROLES = ("dataset", "replication", "fold", "item", "truth", "step")


@dataclass
class Roles:
    """Column by role, the columns without one, and what is to be said back about the reading.

    ``measures`` has the column of each measure where that is known, and then no column is judged by its name.
    """

    column: dict[str, str]
    rest: list[str]
    notes: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    unused: dict[str, list[str]] = field(default_factory=dict)  # reason → columns
    measures: dict[str, str] = field(default_factory=dict)
    no_amounts: dict[str, tuple[str, str]] = field(default_factory=dict)
    rate: bool = False

    def __contains__(self, role: str) -> bool:
        return role in self.column

    def drop(self, role: str) -> None:
        """Take a role back that the layout has no use for; the column is then like any other."""
        if role in self.column:
            self.rest.append(self.column.pop(role))

    def claim(self, role: str, table: Table, but: Collection[str] = ()) -> None:
        """Give a role that only some tables have to the column named after it, where there is one but for these."""
        names = [name for name in self.rest if role in roles_of_name(name) and name not in but]
        if len(names) > 1:
            raise _two_claims(table, role, names)
        for name in names:
            self.column[role] = name
            self.rest.remove(name)
            self.notes += [f"column {name!r} was read as {role}"] if plain(name) != role else []

    def keep_only(self, names: Iterable[str]) -> None:
        """Forget the columns that are none of these."""
        kept = set(names)
        self.column = {role: name for role, name in self.column.items() if name in kept}
        self.rest = [name for name in self.rest if name in kept]

    def leave_out(self, reason: str, names: Iterable[str]) -> None:
        """Remember columns that are not used, and why."""
        self.unused.setdefault(reason, []).extend(names)

    def assume_one_replication(self) -> None:
        """Remember that folds in a row were taken for one replication, which the source does not say."""
        if ONE_REPLICATION not in self.assumed:
            self.assumed.append(ONE_REPLICATION)

    def note_names(self, request: Request) -> None:
        """Say back the columns that go by another name than their role."""
        runs = "step" in self or holds_runs(self, request)
        said = {role: "run" if role == "replication" and runs else role for role in self.column}
        told = {name: said[role] for role, name in self.column.items() if plain(name) not in (role, said[role])}
        self.notes += [f"column {name!r} was read as {noun(word)}" for name, word in told.items()]

    def origin(self, table: Table) -> Origin:
        """Return where the evidence came from and how it was understood."""
        notes = [*self.notes, *self._unused_sentence()]
        return Origin(
            table.source,
            table.sha256,
            tuple(dict.fromkeys(notes)),
            tuple(self.assumed),
            no_amounts=self.no_amounts,
            rate=self.rate,
        )

    def _unused_sentence(self) -> list[str]:
        groups = {reason: [repr(name) for name in dict.fromkeys(names)] for reason, names in self.unused.items()}
        parts = [f"{listed(names)} ({reason})" for reason, names in groups.items() if names]
        several = sum(map(len, groups.values())) > 1
        return [f"{'columns' if several else 'column'} not used: {'; '.join(parts)}"] if parts else []


def roles_of(table: Table, rows: str | None = None, told: Mapping[str, str] = NOTHING) -> Roles:
    """Give every key column its role; two columns that claim the same one are refused.

    ``rows`` is what rows are said to be: of items an identifier names them, whatever it is called. ``told`` are the
    columns by role that somebody named, before which all others give way.
    """
    claims: dict[str, list[str]] = {}
    for name in table.names:
        for role in roles_of_name(name):
            if role != "learner" or plain(name) == role or not _holds_scores(table, name):
                claims.setdefault(role, []).append(name)
    claims.pop("weight", None)  # of items, which the layout knows
    _settle_told(claims, told)
    _settle_ids(table, claims, rows)
    _settle_document(table, claims)
    unused = _settle_repeats(table, claims)
    _settle_task(claims)
    unused |= _settle_weak(claims)
    _refuse_without_use(table, claims, told)
    if not (claims.get("item") and claims.get("learner")):
        claims.pop("filter", None)  # how an answer was taken from a model's words: elsewhere a name like any other
    for role, names in claims.items():
        if len(names) > 1:
            raise _two_claims(table, role, names)
    column = {role: names[0] for role, names in claims.items() if names}
    if _is_one_step(table, column):
        del column["step"]
    _refuse_training_rows(table, column, told.values())
    used = {*column.values(), *(name for names in unused.values() for name in names)}
    return Roles(column, [name for name in table.names if name not in used], unused=unused)


def holds_runs(roles: Roles, request: Request) -> bool:
    """Whether rows are runs: seeds tell them apart, and nothing says that data were divided or steps taken."""
    others = any(role in roles for role in ("fold", "item", "truth", "step", "fingerprint"))
    several = bool(request.on) and "dataset" in roles  # measures of runs in tasks are read as replications of data sets
    if "replication" not in roles or others or several or request.test_fraction is not None:
        return False
    return request.rows == "runs" or (request.rows is None and plain(roles.column["replication"]) in RUNS)


def noun(role: str) -> str:
    """A role in words."""
    return NOUNS.get(role, role)


def _holds_scores(table: Table, name: str) -> bool:
    """Whether a column called model or method is one learner's scores: mostly different numbers with fractions."""
    if not table.is_numeric(name):
        return False
    values = table.numbers(name)
    return bool((values % 1 > 0).any()) and 2 * len(np.unique(values)) > len(values)


def _is_one_step(table: Table, column: dict[str, str]) -> bool:
    """Whether there is one step only, beside folds: the size of the training set, say, and nothing to draw."""
    if "step" not in column or not ("fold" in column or "replication" in column):
        return False
    return len(table.text(column["step"]).used) == 1


def _refuse_training_rows(table: Table, column: dict[str, str], told: Collection[str]) -> None:
    """Refuse results on training data, which some column says, beside those on other data, and as folds in any case."""
    named = {column[role] for role in ("learner", "item", "truth", "prediction") if role in column}
    for name in table.names:
        words = table.column(name)
        if name in named or name in told or not isinstance(words, Text) or len(words.categories) > MOST:
            continue
        parts = {word.strip().lower(): word for word in words.used}
        tested = [parts[part] for part in TESTED if part in parts and parts.keys() <= {*TRAINED, *TESTED}]
        if not parts.keys().isdisjoint(TRAINED) and (tested or name == column.get("fold")):
            keep = f": --filter {name}={tested[0]}." if tested else ", and number the folds: 1, 2, 3."
            raise InputError(
                f"{name} has the parts {', '.join(words.used[:4])}: results on training data among them.",
                table.where(column=name),
                f"keep the rows of the test part only{keep}",
            )


#: How parts of the data are called that a learner was trained on, and others, the part to judge by first.
TRAINED = ("train", "training")
TESTED = ("test", "testing", "validation", "valid", "val", "dev", "eval", "holdout")


def _settle_ids(table: Table, claims: dict[str, list[str]], rows: str | None) -> None:
    """An identifier names the items where no other column does, and every learner has (nearly) each once.

    One whose words are Fold1, Fold2 … names the folds.
    """
    for name in claims.get("item", []):
        role = role_of_names(table.text(name).used[:MOST]) if plain(name) == "id" else ""
        if role in ("fold", "replication"):
            claims["item"] = [each for each in claims["item"] if each != name]
            claims.setdefault(role, []).append(name)
    if claims.get("item") or claims.get("truth"):
        return
    found = [name for name in table.names if _is_id(name) and (rows == "items" or _names_items(table, name, claims))]
    if found:
        claims["item"] = found[:1]
        claims["dataset"] = [name for name in claims.get("dataset", []) if name != found[0]]


def _is_id(name: str) -> bool:
    word = plain(name)
    return word in ITEMS_OR_TASKS or (not roles_of_name(name) and (word == "idx" or word.endswith(("_id", "_idx"))))


def _names_items(table: Table, name: str, claims: dict[str, list[str]]) -> bool:
    others = [each for each in table.names if each != name and not roles_of_name(each) and table.is_numeric(each)]
    binary = [is_binary(table.numbers(each)) for each in others]
    learners, words = claims.get("learner", []), table.text(name)
    if words.empty.all():
        return False
    if not learners:  # one column per learner
        return len(others) > 1 and all(binary) and len(words.used) == len(table)
    of_tasks = plain(name) in ITEMS_OR_TASKS
    repeats = claims.get("repeat", []) if of_tasks else []
    if any(set(claims.get(role, ())) - set(repeats) for role in ("replication", "fold", "step")):
        return False
    told = _number(table, [*learners, *repeats, name]) >= NEARLY * len(table)
    return told and 1 < len(words.used) < NEARLY * len(table) and (any(binary) or not of_tasks)


#: So large a share of rows has an identifier of its own, or one that no other learner has.
NEARLY = 0.9


def _settle_document(table: Table, claims: dict[str, list[str]]) -> None:
    """A document is a group where another column names its items, of which it has several; else an item, or unused."""
    names = [name for name in claims.get("item", []) if "group" in roles_of_name(name)]
    others = [name for name in claims.get("item", []) if name not in names]
    groups = [name for name in claims.get("group", []) if name not in names]
    if len(names) == 1 and others and not groups and _number(table, [*names, others[0]]) > _number(table, names):
        claims["item"] = others
    elif names:
        claims["group"] = groups


def _settle_repeats(table: Table, claims: dict[str, list[str]]) -> dict[str, list[str]]:
    """Which column tells repeated samples of an item apart; and the columns that nothing is left for, by the reason."""
    names, items = claims.pop("repeat", []), claims.get("item", [])
    if claims.get("truth") or claims.get("prediction"):  # test sets of runs: --on takes them one by one
        names = [name for name in names if plain(name) not in RUNS]
    own = [name for name in items if name not in names] or items  # a sample is an item where nothing else is
    folds = claims.get("replication", []) if "fold" in claims else []  # repeated folds
    names = [name for name in names if name not in own and name not in folds]
    if not names or not items:
        return {}
    roles = ("learner", "dataset", "group", "fold", "replication")
    keys = [name for role in roles for name in claims.get(role, []) if name not in names]
    item = next((name for name in own if plain(name) not in ITEM_CONTENT), None)
    if item is None:  # a number of samples that tells all rows apart is that of the item, whose words are beside it
        numbered = (name for name in names if name in items and plain(name) not in ITEM_CONTENT)
        item = next((name for name in numbered if _tells_apart(table, [*keys, name])), own[0])
        names = [name for name in names if name != item]
    if _tells_apart(table, [*keys, item]):
        steps = [name for name in names if name in claims.get("step", [])]
        claims["step"] = [name for name in claims.get("step", []) if name not in steps]
        return {"no item is repeated": steps}
    chosen = [name for name in names if _tells_apart(table, [*keys, item, name])][:1] or names
    for role in ("item", "step", "replication"):
        claims[role] = [name for name in claims.get(role, []) if name not in names]
    claims["repeat"] = chosen
    return {f"{chosen[0]!r} names the repeat": [name for name in names if name not in chosen]}


def _tells_apart(table: Table, columns: list[str]) -> bool:
    """Whether no two rows have the same words in all these columns."""
    return _number(table, columns) == len(table)


def _number(table: Table, columns: list[str]) -> int:
    """How many combinations of the words of these columns occur."""
    codes, number = np.zeros(len(table), dtype=np.int64), 1
    for name in columns:
        words = table.text(name)
        found, codes = np.unique(codes * (len(words.categories) + 1) + words.codes + 1, return_inverse=True)
        number = len(found)
    return number


def _settle_told(claims: dict[str, list[str]], told: Mapping[str, str]) -> None:
    """A column that is said to have a role has it alone, and no other role; of items a replication may be a repeat."""
    for role, names in claims.items():
        claims[role] = [] if role in told else [name for name in names if name not in told.values()]
    claims |= {role: [name] for role, name in told.items()}
    if "replication" in told and not (claims.get("truth") or claims.get("prediction")):
        claims["repeat"] = [told["replication"]]


def _settle_weak(claims: dict[str, list[str]]) -> dict[str, list[str]]:
    """What an item says, and an identifier beside a name, give way to other columns of the role; by the reason."""
    unused = {}
    for role, names in claims.items():
        strong = [name for name in names if plain(name) not in WEAK]
        if strong and len(strong) < len(names):
            word = "run" if role == "replication" else noun(role)
            unused[f"{strong[0]!r} names the {word}"] = [name for name in names if name not in strong]
            claims[role] = strong
    return unused


def _refuse_without_use(table: Table, claims: dict[str, list[str]], told: Mapping[str, str]) -> None:
    """Refuse a column that is said to have a role which means nothing here."""
    items = bool(claims.get("item") or claims.get("truth"))
    once = items and bool(claims.get("replication")) and not (claims.get("truth") or claims.get("fold"))
    wrong = {"group": not items and "groups are of items", "replication": once and "every learner has each item once"}
    for role in told:
        if wrong.get(role):
            raise InputError(
                f"a column of the {role} is named, and has no effect here: {wrong[role]}.",
                table.source,
                "leave it out, or name the items as well: --item COLUMN.",
            )


def _settle_task(claims: dict[str, list[str]]) -> None:
    """A task is a group of items where there are items, else a data set; groups exist for items only."""
    has_items = bool(claims.get("item") or claims.get("truth"))
    if has_items:
        claims["dataset"] = [name for name in claims.get("dataset", []) if plain(name) != "task"]
    else:
        claims.pop("group", None)


def _two_claims(table: Table, role: str, names: list[str]) -> InputError:
    """Refuse several columns of a role; of items the one that says most is offered, and the next for their groups."""
    used = {name: table.text(name).used for name in names}
    flag = next((each for each, told in COLUMN_ROLES.items() if told == role), "").replace("_", "-")
    first, second, *_ = sorted(names, key=lambda name: -len(used[name])) if role == "item" else names
    option = f": --{flag} {first}" if flag else ""
    if role == "item" and len(used[second]) < len(used[first]):
        option += f", and --group {second} if items of one go together"
    named = f"{listed([*map(repr, names)])} {'both' if len(names) == 2 else 'all'} name the {noun(role)}"
    return InputError(
        f"{named}.",
        table.source,
        f"say which{option}; or keep the one that is the {noun(role)} and rename or remove the other.",
    )
