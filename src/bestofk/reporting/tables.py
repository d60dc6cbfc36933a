"""Verdicts, comparisons and orders as plain tables: cells of text under column names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from itertools import zip_longest
from unicodedata import category, east_asian_width

import numpy as np

from bestofk.comparing import Comparison, Pair, Part
from bestofk.core.arrays import Array
from bestofk.core.escapes import without_escapes
from bestofk.core.frozen import frozen
from bestofk.core.phrases import TINY, column_texts, listed, signed
from bestofk.ordering import Ordering


@frozen
class PlainTable:
    """Column names and rows of text; ``numeric`` columns are set to the right, with a minus sign for a hyphen.

    ``states`` says of each row how it is to be seen (chosen, open, worse), where that is known. ``lesser`` columns may
    be left out where there is no room, the first one first, those that nobody asked for (``unasked``) before all else;
    of the two columns that learners may be listed by, ``spare`` says less. ``short`` are shorter headings.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[str]
    states: tuple[str, ...] = ()
    lesser: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
    short: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numbers = [column in self.numeric for column in self.columns]
        rows = (tuple(map(_with_sign, row, numbers)) for row in self.rows)
        object.__setattr__(self, "rows", tuple(rows))

    @property
    def row_name(self) -> int:
        """Place of the column that names a row: the first of words."""
        return next((i for i, column in enumerate(self.columns) if column not in self.numeric and column), 0)


def _with_sign(cell: str, number: bool) -> str:
    return f"−{cell[1:]}" if number and cell.startswith("-") else cell


def mean_text(value: float) -> str:
    """Four decimals where they say something, from 100 on one; four digits for very large and very small means."""
    decimals = 4 if abs(value) < 100 else 1
    return f"{value:.{decimals}f}" if value == 0 or 1e-3 <= abs(value) < 1e6 else f"{value:.4g}"


def number_text(value: float) -> str:
    """Three digits, without a sign on zero."""
    return f"{value + 0.0:.3g}"


def ratio_text(logarithm: float) -> str:
    """A ratio from its logarithm, with so many digits that one beside 1 is not rounded to it.

    Examples
    --------
    >>> ratio_text(0.1), ratio_text(0.0012), ratio_text(float("inf")), ratio_text(float("-inf"))
    ('×1.11', '×1.001', '×∞', '×0')
    """
    if logarithm == np.inf:
        return "×∞"
    beside = abs(np.expm1(logarithm))
    digits = 3 if beside <= TINY else int(np.clip((logarithm > 0) - np.floor(np.log10(beside)), 3, 9))
    return f"×{np.exp(logarithm):.{digits}g}"


def is_ratio(comparison: Comparison) -> bool:
    """Whether differences are logarithms of ratios: of amounts in other units on every data set."""
    return comparison.sample.scale == "log-ratio"


def interval_words(comparison: Comparison) -> str:
    """Which intervals stand beside the differences."""
    level = comparison.interval_level
    if level is None:
        return "the interval of the test at the level that decided the pair"
    return f"the {100 * level:.4g} % interval of the test"


def parts_text(pair: Pair, other: str = "") -> str:
    """In which measures the first of a pair is shown to be better, and in which worse; of curves at the end and in all.

    ``other`` is what the second is called, where the text is to say it.
    """
    than = f" than {other}" if other else ""
    if not pair.parts:
        words = ("better", "worse") if pair.better == pair.first else ("worse", "better")
        return f"{words[1]} at the end, but {words[0]}{than}"
    better, worse = ([part.measure for part in pair.shown_in(each)] for each in (pair.first, pair.second))
    if worse and not better:  # who is not worse in the others may be the best
        return f"worse{than} only in {listed(worse)}"
    said = [f"{word} {listed(parts)}" for word, parts in (("better", better), ("worse", worse)) if parts]
    names = [part.measure for part in pair.parts]
    together = f"in {listed(names)} together" if len(names) == 2 else f"in {len(names)} measures together"
    return ", ".join(said) + than if said else f"differs{f' from {other}' if other else ''} {together}"


def ordering_table(ordering: Ordering) -> PlainTable:
    """One row per learner, in order; no places where no best is found."""
    if ordering.best is None:
        return PlainTable(("learner",), tuple((name,) for name in ordering.order), frozenset())
    rows = tuple((str(place), name) for place, name in enumerate(ordering.order, 1))
    return PlainTable(("place", "learner"), rows, frozenset({"place"}))


#: Column of the comparison's table → field of a pair; left out where the sample has no such number.
_NUMBERS = {
    "difference": "difference",
    "low": "low",
    "high": "high",
    "d": "cohens_d",
    "A12": "a12",
    "rank-biserial": "rank_biserial",
    "statistic": "statistic",
    "p": "pvalue",
    "adjusted p": "adjusted",
}


#: Effects of losses from the direction of the better to that of the larger, in which the differences are.
_TURNED: dict[str, Callable[[float], float]] = {
    "cohens_d": lambda value: 0.0 - value,
    "a12": lambda value: 1.0 - value,
    "rank_biserial": lambda value: 0.0 - value,
}


def told_in_pairs(order: Sequence[str]) -> tuple[str, ...] | None:
    """The learners whose pairs a page tells one by one: the first of many, None for all."""
    return None if len(order) <= MOST_IN_PAIRS else tuple(order[:MOST_IN_PAIRS])


#: Learners whose pairs are told one by one: a thousand pairs.
MOST_IN_PAIRS = 45


def comparison_table(comparison: Comparison, among: Collection[str] | None = None) -> PlainTable:
    """One row per pair, or per pair among some learners."""
    told = [i for i, names in enumerate(comparison.pairs) if among is None or set(names) <= set(among)]
    if among is None:
        _ = comparison.low  # intervals of all pairs take no longer together than those of a few, one by one
    pairs = [comparison.pair(*comparison.pairs[i]) for i in told]
    hidden = {*(() if comparison.sized else ("difference", "low", "high"))}
    hidden |= {*(() if comparison.tested else ("low", "high", "statistic", "pvalue", "adjusted"))}
    fields = {column: field for column, field in _NUMBERS.items()
              if field not in hidden and getattr(pairs[0], field) is not None}  # fmt: skip
    if comparison.several is None:
        fields.pop("statistic", None)
    ratios = ("difference", "low", "high") if is_ratio(comparison) else ()
    turned = {} if comparison.larger_is_better else _TURNED

    def cells(field: str) -> list[str]:
        values = [turned.get(field, float)(getattr(pair, field)) for pair in pairs]
        values = [0.0 if abs(value) <= TINY else value for value in values]
        if field in ratios:
            texts = list(map(ratio_text, values))
        elif field in ("pvalue", "adjusted"):
            texts = list(map(number_text, values))
        else:
            texts = column_texts(values, number_text)
        lacking = field in ("low", "high", "pvalue", "adjusted")
        return ["n/a" if lacking and lacks else text for text, lacks in zip(texts, untested, strict=True)]

    untested = comparison.degenerate[told].tolist()
    numbers = [cells(field) for field in fields.values()]
    shared = () if comparison.shared is None else ([str(each) for each in comparison.shared.tolist()],)
    rows = tuple(
        (
            pair.first,
            pair.second,
            *(each[i] for each in shared),
            *texts,
            "not tested" if lacks or not comparison.asked(pair.first, pair.second) else pair_finding(pair),
        )
        for i, pair, lacks, *texts in zip(told, pairs, untested, *numbers, strict=True)
    )
    columns = tuple("ratio" if ratios and each == "difference" else each for each in fields)
    columns = (*(("n",) if shared else ()), *columns)
    return PlainTable(("first", "second", *columns, "finding"), rows, frozenset(columns), lesser=_LESSER)


#: Columns of the comparison's table that a narrow terminal can do without.
_LESSER = ("rank-biserial", "A12", "d", "statistic", "p", "low", "high")


def pair_finding(pair: Pair) -> str:
    """What is shown of a pair, in two or three words."""
    if pair.relation == "not significant":
        return "equivalent" if pair.equivalent else "not significant"
    also = ", equivalent" if pair.equivalent else ""
    return f"{pair.shown} better{also}" if pair.shown is not None else f"{pair.first} {parts_text(pair)}"


def parts_table(comparison: Comparison) -> PlainTable:
    """One row per pair and measure, the error beside them: the tests after that of all measures together."""
    columns = ("mean of first", "mean of second", "difference", "statistic", "p", "adjusted p")
    pairs = [comparison.pair(*names) for names in comparison.pairs]
    rows = tuple((pair.first, pair.second, *_part(part)) for pair in pairs for part in _every_part(pair))
    return PlainTable(("first", "second", "measure", *columns, "finding"), rows, frozenset(columns))


def _every_part(pair: Pair) -> tuple[Part, ...]:
    error = None if pair.vector is None else pair.vector.error
    known = any(part.measure == "error" for part in pair.parts)
    return (*pair.parts, *((error,) if error is not None and not known else ()))


def _part(part: Part) -> tuple[str, ...]:
    return (
        part.measure,
        mean_text(part.first_mean),
        mean_text(part.second_mean),
        signed(part.difference),
        f"{part.statistic:.4g}",
        f"{part.pvalue:.3g}",
        f"{part.adjusted:.3g}",
        f"{part.better} better" if part.significant and part.better else "not significant",
    )


def scores_table(
    datasets: Sequence[str], learners: tuple[str, ...], means: Array, what: str = "data set"
) -> PlainTable:
    """Mean score (learners, data sets) of every learner on every data set, one row per data set."""
    rows = tuple(
        (name, *(mean_text(value) if value == value else "missing" for value in row))
        for name, row in zip(datasets, means.T.tolist(), strict=True)
    )
    return PlainTable((what, *learners), rows, frozenset(learners))


def aligned(table: PlainTable) -> str:
    """The table with columns of equal width."""
    heads = [without_escapes(column).split("\n") for column in table.columns]
    tallest = max(map(len, heads))
    upright = zip(*([""] * (tallest - len(head)) + head for head in heads), strict=True)
    lines = [*upright, *([without_escapes(cell) for cell in row] for row in table.rows)]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(table.columns))]
    return "\n".join(_line(line, widths, table) for line in lines)


def laid_out(table: PlainTable, width: int) -> str:
    """The table in so many columns, no number broken: words in lines, then fewer columns, then one part below another.

    Examples
    --------
    >>> table = PlainTable(("data", "net one", "tree"), (("iris", "0.12", "0.25"),), frozenset({"net one", "tree"}))
    >>> print(laid_out(table, 16))
           net
    data   one  tree
    iris  0.12  0.25
    >>> print(laid_out(table, 12))
           net
    data   one
    iris  0.12
    <BLANKLINE>
    data  tree
    iris  0.25
    """
    if _fits(table, width):
        return aligned(table)
    table = _heads_in_lines(table)
    out = [column for column in table.lesser if column in table.columns]
    tried = [_broken(_without(table, out[:number]), width) for number in range(len(out) + 1)]
    number = next((i for i, each in enumerate(tried) if _fits(each, width)), len(out))
    said = wider_sentence(out[:number], width)
    return "\n\n".join([*map(aligned, _parts(tried[number], width)), *([said] if said else [])])


def wider_sentence(out: Sequence[str], width: int) -> str:
    """Which columns there is no room for."""
    return "\n".join(in_columns(f"A wider terminal shows {listed(out)} too.", width)) if out else ""


def fitted(table: PlainTable, width: int) -> PlainTable:
    """The first screen's table in so many columns: shorter words and names, then fewer columns, then more lines.

    Before a column goes, names are shortened; they are no shorter than the columns that are left leave room for.
    """
    if _fits(table, width):
        return table
    ways: tuple[Callable[[PlainTable], PlainTable], ...] = (
        *(_short_words, _one_order, lambda each: _without(each, ("rank",)), lambda each: _without(each, each.unasked)),
        *(without_p, lambda each: _without(each, each.lesser), _without_intervals),
    )
    for narrow in ways:
        table = narrow(table)
        short = _short_names(table, width)
        if _fits(short, width):
            return short
    return _broken(short, width)


def narrowed(table: PlainTable, width: int) -> PlainTable:
    """A table in so many columns: without lesser ones where there is no room, then with names in several lines."""
    for column in table.lesser:
        if _fits(table, width):
            break
        table = _without(table, (column,))
    return table if _fits(table, width) else _broken(table, width)


def _heads_in_lines(table: PlainTable) -> PlainTable:
    """Headings of numbers no wider than their cells and their longest word, those of words no wider than need be."""

    def head(place: int, column: str) -> str:
        cells = (row[place] for row in table.rows) if column in table.numeric else ("-" * _LEAST_WORDS,)
        longest = min(max(map(_width, column.split()), default=0), _MOST_WORD)
        return "\n".join(in_columns(column, max([longest, *map(_width, cells)])))

    heads = [head(place, column) for place, column in enumerate(table.columns)]
    numeric = (each for each, column in zip(heads, table.columns, strict=True) if column in table.numeric)
    return replace(table, columns=tuple(heads), numeric=frozenset(numeric))


def _parts(table: PlainTable, width: int) -> list[PlainTable]:
    """Tables that fit, each with the names of the rows and as many of the other columns as there is room for."""
    numbers = [column for column in table.columns if column in table.numeric]
    if not numbers or _fits(table, width):
        return [table]
    left, parts = numbers, []
    while left:
        tried = (_without(table, [each for each in numbers if each not in left[:n]]) for n in range(len(left), 1, -1))
        part = next((each for each in tried if _fits(each, width)), None)
        part = part or _without(table, [each for each in numbers if each != left[0]])
        parts.append(part)
        left = [each for each in left if each not in part.columns]
    return parts


def _fits(table: PlainTable, width: int) -> bool:
    return max(map(_width, aligned(table).split("\n"))) <= width


def _short_words(table: PlainTable) -> PlainTable:
    columns = {each: table.short.get(each, each) for each in table.columns}
    numeric = frozenset(columns.get(each, each) for each in table.numeric)
    return replace(table, columns=tuple(columns.values()), numeric=numeric)


def _one_order(table: PlainTable) -> PlainTable:
    return _without(table, table.spare)


def without_p(table: PlainTable) -> PlainTable:
    """Findings without their p values."""
    return replace(table, rows=tuple((*row[:-1], re.sub(r", p [<=] \S+$", "", row[-1])) for row in table.rows))


def _without_intervals(table: PlainTable) -> PlainTable:
    """Differences alone."""
    shortened = [column in table.short.values() for column in table.columns]
    rows = (zip(row, shortened, strict=True) for row in table.rows)
    return replace(
        table, rows=tuple(tuple(cell.partition(" [")[0] if short else cell for cell, short in row) for row in rows)
    )


def _without(table: PlainTable, columns: Sequence[str]) -> PlainTable:
    kept = [i for i, column in enumerate(table.columns) if column not in columns]
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in kept), rows=rows)


def _broken(table: PlainTable, width: int) -> PlainTable:
    """Names in several lines, then findings, then other words, until it fits."""
    words = [i for i, column in enumerate(table.columns) if column and column not in table.numeric]
    widths, rooms = _widths(table), {}
    for column in dict.fromkeys([*words[:1], *words[-1:], *words]):
        room = width - sum(widths) - 2 * (len(widths) - 1) + widths[column]
        if room < widths[column]:
            widths[column] = rooms[column] = max(room, _LEAST_WORDS)
    return _in_lines(table, rooms)


#: Longer words of a heading are broken.
_MOST_WORD = 24
#: Columns of words are no narrower than this.
_LEAST_WORDS = 11


def _widths(table: PlainTable) -> list[int]:
    heads = (max(map(_width, column.split("\n"))) for column in table.columns)
    return [max([head, *(_width(row[i]) for row in table.rows)]) for i, head in enumerate(heads)]


def _short_names(table: PlainTable, width: int) -> PlainTable:
    """Names as long as there is room for, and not so short that they say nothing."""
    column = table.row_name
    widths = _widths(table)
    room = max(width - sum(widths) - 2 * (len(widths) - 1) + widths[column], _LEAST_NAME)
    names = short_names([row[column] for row in table.rows], room)
    rows = zip(table.rows, names, strict=True)
    return replace(table, rows=tuple((*row[:column], name, *row[column + 1 :]) for row, name in rows))


#: Names keep so many letters before columns are left out.
_LEAST_NAME = 16


def short_names(names: Sequence[str], room: int) -> list[str]:
    """Names of paths without their owner, then without an end that long ones share, then without their middle.

    As few of these as make them fit, and none that makes two names one; a shared start goes where the middle tells
    them apart.

    Examples
    --------
    >>> short_names(["ann/forest-1", "bob/forest-2", "c"], 9), short_names(["abcdefghi", "c"], 5)
    (['forest-1', 'forest-2', 'c'], ['ab…hi', 'c'])
    >>> short_names(["<script>alert(1)</script>", "[bold red]x[/]", "org/net"], 16)
    ['<script…/script>', '[bold red]x[/]', 'org/net']
    >>> short_names(["model one of three", "model two of three"], 12)
    ['model one…', 'model two…']
    >>> short_names(["net-large-1blocks", "net-large-2blocks"], 7)
    ['…1b…cks', '…2b…cks']
    """
    short = list(names)
    for way in (_without_owner, _without_end, _without_middle, _without_start, _without_middle):
        if max(map(_width, short)) <= room:
            return short
        found = way(short, room)
        short = found if len(set(found)) == len(set(names)) else short
    return short


def _without_owner(names: Sequence[str], room: int) -> list[str]:
    """Without the folders of a path, where every name that is too long is one: words between slashes, and no else."""
    long = [name for name in names if _width(name) > room]
    paths = all(_PATH.fullmatch(name) for name in long)
    return [name.rpartition("/")[2] if paths and _PATH.fullmatch(name) else name for name in names]


#: Words between slashes, of which the last says something alone.
_PATH = re.compile(r"/?(?:[\w.~@+:-]+/)+[\w.@+:-]{3,}")


def _without_end(names: Sequence[str], room: int) -> list[str]:
    return [name[::-1] for name in _without_start([name[::-1] for name in names], room)]


def _without_start(names: Sequence[str], room: int) -> list[str]:
    """Without the words with which all names begin that are too long."""
    long = [name for name in names if _width(name) > room]
    same = [len(set(letters)) == 1 for letters in zip(*long, strict=False)]
    shared = long[0][: [*same, False].index(False)] if len(long) > 1 else ""
    start = 1 + max(map(shared.rfind, "-_/:. "))
    return [f"…{name[start:]}" if start > 1 and name in long else name for name in names]


def _without_middle(names: Sequence[str], room: int) -> list[str]:
    def cut(name: str) -> str:
        head, tail = name, ""
        for kept in range(len(name), 1, -1):
            if _width(head + tail) <= room:
                break
            head, tail = f"{name[: (kept + 1) // 2 - 1]}…", name[len(name) - kept // 2 :]
        return head + tail

    return [cut(name) for name in names]


def _in_lines(table: PlainTable, rooms: Mapping[int, int]) -> PlainTable:
    """Cells of some columns in lines of so many letters; a line is a row, its state that of the whole."""
    rows, states = [], []
    for row, state in zip(table.rows, table.states or ("",) * len(table.rows), strict=True):
        cells = [in_columns(cell, rooms[i]) if i in rooms else [cell] for i, cell in enumerate(row)]
        lines = list(zip_longest(*cells, fillvalue=""))
        rows += lines
        states += [state] * len(lines)
    return replace(table, rows=tuple(rows), states=tuple(states))


def in_columns(text: str, width: int) -> list[str]:
    """A text in lines of so many columns of a terminal; only words that are wider than a line are broken.

    Examples
    --------
    >>> in_columns("one two three", 8), in_columns("学习者", 4), in_columns("in 95 %", 5)
    (['one two', 'three'], ['学习', '者'], ['in', '95 %'])
    """
    lines: list[str] = []
    for word in re.findall(r"\S+(?: %\S*)?", without_escapes(text)):
        if lines and _width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
            continue
        lines.append("")
        for letter in word:
            if _width(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines


def _width(text: str) -> int:
    """Columns that a text takes on a terminal: two for each wide letter, none for marks on letters and joiners."""
    return sum(2 if east_asian_width(sign) in "WF" else category(sign) not in ("Mn", "Me", "Cf") for sign in text)


def _line(cells: Sequence[str], widths: list[int], table: PlainTable) -> str:
    padded = []
    for cell, width, column in zip(cells, widths, table.columns, strict=True):
        space = " " * (width - _width(cell))
        padded.append(space + cell if column in table.numeric else cell + space)
    return "  ".join(padded).rstrip()


def tab_separated(table: PlainTable) -> str:
    """The table for another program: one line per row, tabs between cells; a column without a name is left out.

    Numbers have a hyphen, which programs read, and no minus sign.
    """
    kept = [i for i, column in enumerate(table.columns) if column]
    plain = {i for i, column in enumerate(table.columns) if column in table.numeric}
    rows = [[cell.replace("−", "-") if i in plain else cell for i, cell in enumerate(row)] for row in table.rows]
    lines = ([" ".join(without_escapes(line[i]).split()) for i in kept] for line in (table.columns, *rows))
    return "\n".join("\t".join(line) for line in lines)
