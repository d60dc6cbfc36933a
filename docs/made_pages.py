"""Pages of the site that are made from the code, so that nothing of it is said twice.

``pages()`` has the text of each by its path below ``docs``: a page for every public name, every command, and the
tables of ``benchmarks``. ``write`` puts them where Sphinx reads them; git ignores them.
"""

from __future__ import annotations

import doctest
import inspect
import os
import re
import runpy
import shutil
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click
from man_pages import ENVIRONMENT, EXIT, option_sections

import bestofk
from bestofk.cli import BY_USE, EXAMPLES, main
from bestofk.comparing.test_choice import OF_ALL
from bestofk.core.shelf import SHELVES
from bestofk.reporting.papers import PAPERS
from bestofk.stats.method import AdjustmentMethod, Method, limits_of, papers_of
from bestofk.stats.power import METHODS

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
#: Folders that hold nothing but made pages.
MADE = ("reference/api", "reference/commands", "reference/pictures", "measured", "project")
#: Pages of the repository outside docs, and where the site has them.
COPIED = {
    "benchmarks/PEERS.md": "measured/peers.md",
    "benchmarks/RESULTS.md": "measured/speed.md",
    "benchmarks/calibration/FAULTS.md": "measured/faults.md",
    "benchmarks/calibration/FOLDS.md": "measured/folds.md",
    "benchmarks/calibration/FOLD_POWER.md": "measured/fold_power.md",
    "benchmarks/calibration/GATE.md": "measured/gate.md",
    "benchmarks/calibration/TABLE.md": "measured/tests.md",
    "benchmarks/calibration/VERDICTS.md": "measured/verdicts.md",
    "benchmarks/calibration/WITHIN.md": "measured/within.md",
    "benchmarks/sharing/RESULTS.md": "measured/sharing.md",
    "benchmarks/sharing/SCALING.md": "measured/sharing_scaling.md",
    "examples/README.md": "tutorials/examples.md",
    "examples/gate/README.md": "howto/gate_example.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
}
MODULES = ("bestofk", "bestofk.stats", *(f"bestofk.stats.{room}" for room in bestofk.stats.__all__))
MODULES += ("bestofk.ordering", "bestofk.testing")
#: The kinds of statistics that have a name at a shell or in the code, in the order of their page.
TESTS = {
    "pairwise": "Two learners",
    "omnibus": "More than two learners",
    "ranges": "Which learners do not differ",
    "curves": "Curves",
    "special": "Votes, areas, gaps, several data sets, several measures",
    "adjust": "Adjustments of p values",
    "ordering": "Ways of ordering",
}
#: Where size and power were measured: the first by the names of functions, the others by those at a shell.
MEASURED = tuple(f"benchmarks/calibration/{name}.md" for name in ("TABLE", "FOLDS", "FOLD_POWER"))
#: Pages that measure what no table there has by its name.
BESIDE = {
    "bradley-terry": ("../statistics.md#battles", "../../measured/verdicts.md"),
    "dominance": ("../../explanation/multivariate_tests.md#dominance",),
    "hotelling-over-datasets": ("../../explanation/multivariate_tests.md#over-many-data-sets",),
    "manova-over-datasets": ("../../explanation/multivariate_tests.md#over-many-data-sets",),
    "multi2test": ("../../measured/faults.md",),
    "multitest": ("../../measured/verdicts.md",),
    "split-plot-anova": ("../../explanation/curves.md#what-p_int-does-not-say",),
    "threshold-test": ("../../explanation/multivariate_tests.md#several-thresholds-threshold_test",),
}
UNITS = {
    "values": "one value of each learner per unit: a data set, a fold or a paired run",
    "runs": "independent runs of each learner, of any number",
    "5x2": "5 replications of 2 folds",
    "RxF": "replications and folds of one data set",
    "items": "0/1 losses on the items of one test set",
    "K-values": "learners, then folds",
    "values-K": "data sets, then learners",
    "items-K": "items (1 = correct), then learners",
}
HOLDS = {
    "family": "the chance of any false finding, whichever hypotheses are true",
    "weak": "the chance of any false finding, only where all hypotheses are true",
    "fdr": "the expected share of false findings",
    "none": "nothing",
}


def pages() -> dict[str, str]:
    """Every made page by its path below docs."""
    copied = {new: on_site(new, (ROOT / old).read_text("utf-8"), ROOT / old) for old, new in COPIED.items()}
    return {**copied, **dict(_commands()), **dict(_names()), "reference/api/tests.md": _tests()}


def write(folder: Path) -> None:
    """Write every made page into the folder of the sources, in place of those of an earlier build."""
    for each in MADE:
        shutil.rmtree(folder / each, ignore_errors=True)
        (folder / each).mkdir(parents=True)
    for path, text in pages().items():
        (folder / path).write_text(text, encoding="utf-8")


def on_site(docname: str, text: str, origin: Path | None = None) -> str:
    """A page as the site has it: links to copied pages lead to the copies, and figures have their pictures."""
    here = DOCS / f"{docname.removesuffix('.md')}.md"
    origin = origin or here

    def link(found: re.Match[str]) -> str:
        path, mark, anchor = found[1].partition("#")
        if not path or ":" in path:
            return found[0]
        target = Path(os.path.normpath(origin.parent / path))
        copy = COPIED.get(os.path.relpath(target, ROOT))
        return f"]({os.path.relpath(DOCS / copy if copy else target, here.parent)}{mark}{anchor})"

    text = re.sub(r"\]\(([^)\s]+)\)", link, text)
    return f"{text}\n\n{_pictures()}" if docname == "reference/figures" else text


# Commands


def _commands() -> Iterator[tuple[str, str]]:
    root = click.Context(main, info_name="bestofk")
    commands = {verb: main.get_command(root, verb) for verbs in BY_USE.values() for verb in verbs}
    parts = ["# Commands", "`--help` of every command says the same."]
    for use, verbs in BY_USE.items():
        rows = [(f"[bestofk {verb}]({verb}.md)", commands[verb].get_short_help_str(1_000)) for verb in verbs]
        parts += [f"## {use}", _table(("command", "what it does"), rows)]
    parts += ["## Exit codes", _table(("code", "when"), EXIT.items())]
    parts += ["## Environment", _table(("variable", "what it does"), ENVIRONMENT.items())]
    yield "reference/commands/index.md", _page(*parts, _toctree(commands))
    for verb, command in commands.items():
        context = click.Context(command, info_name=verb, parent=root)
        examples = "\n".join(f"bestofk {verb} {words}".rstrip() for words in EXAMPLES[verb])
        parts = [
            *_usage(f"# bestofk {verb}", context),
            "## Examples",
            f"```sh\n{examples}\n```",
            *_options(context, "##"),
        ]
        for name, under in getattr(command, "commands", {}).items():
            inner = click.Context(under, info_name=name, parent=context)
            parts += [*_usage(f"## bestofk {verb} {name}", inner), *_options(inner, "###")]
        yield f"reference/commands/{verb}.md", _page(*parts)


def _usage(heading: str, context: click.Context) -> Iterator[str]:
    yield heading
    yield from map(_markdown, inspect.cleandoc(context.command.help or "").split("\n\n"))
    yield f"```text\n{' '.join([heading.strip('# '), *context.command.collect_usage_pieces(context)])}\n```"


def _options(context: click.Context, level: str) -> Iterator[str]:
    for heading, records in option_sections(context).items():
        yield f"{level} {heading or 'Options'}"
        rows = [(f"`{names.replace('|', ' | ')}`", _markdown(text)) for names, text in records]  # long choices break
        yield _table(("option", "what it does"), rows)


# Public names


def parts_of(kind: str) -> dict[str, Any]:
    """The statistics of a kind, by name."""
    module, shelf = SHELVES[kind].split(":")
    return dict(getattr(import_module(module), shelf).items())


def public(module: str) -> dict[str, Any]:
    """The names that a module offers, and the parts of its shelf, whether offered by name or not."""
    here = import_module(module)
    parts = [part for kind in TESTS for part in parts_of(kind).values()]
    shelved = [part.__name__ for part in parts if getattr(here, part.__name__, None) is part]
    return {name: getattr(here, name) for name in (*here.__all__, *shelved)}


def page_of(module: str, name: str) -> str:
    """Where a public name has its page, below docs; a plain value is on that of its module."""
    value = getattr(import_module(module), name)
    if isinstance(value, ModuleType):
        return f"reference/api/{value.__name__}.md"
    if not callable(value):
        return f"reference/api/{module}.md"
    twin = isinstance(value, type) and name.lower() in import_module(module).__all__  # where files know no capitals
    return f"reference/api/{module}.{name}{'-class' if twin else ''}.md"


def _link(module: str, name: str, text: str = "") -> str:
    return f"[{text or name}]({Path(page_of(module, name)).name})"


def _names() -> Iterator[tuple[str, str]]:
    typed = {part: (kind, name) for kind in TESTS for name, part in parts_of(kind).items()}
    for module in MODULES:
        values = public(module)
        here = f"reference/api/{module}.md"
        yield here, _module(module, values)
        for name, value in values.items():
            if not isinstance(value, ModuleType) and page_of(module, name) != here:
                _run_examples(f"{module}.{name}", value)
                yield page_of(module, name), _page(*_name(module, name, value, *typed.get(value, ("", ""))))


def _module(module: str, values: dict[str, Any]) -> str:
    said = inspect.cleandoc(import_module(module).__doc__ or "").split("\n\n")
    words = [each for each in said if not each.startswith(("==", "``", ">>>"))]  # the table below says the rest
    rows = [(_link(module, name), _sentence(value)) for name, value in values.items()]
    files = [Path(page_of(module, name)).stem for name in values]
    entries = [each for each in files if each != module]
    return _page(f"# {module}", *words, _table(("name", "what it is"), rows), _toctree(entries))


def _sentence(value: Any) -> str:
    if isinstance(value, str):
        return f"the version, {value}"
    if callable(value) or isinstance(value, ModuleType):
        return _markdown((inspect.getdoc(value) or "").partition("\n\n")[0])
    return f"by name: {', '.join(f'`{each}`' for each in value)}"


def _name(module: str, name: str, value: Any, kind: str, typed: str) -> Iterator[str]:
    """A docstring, what a test says of itself, its papers, and what was measured of it."""
    auto = "autoclass:: {}\n   :members:" if isinstance(value, type) else "autofunction:: {}"
    yield f"# {typed or name}"
    yield f"```{{eval-rst}}\n.. {auto.format(f'{module}.{name}')}\n```"
    if interval := _interval(value):
        yield from ("## Interval", f"```{{eval-rst}}\n.. automethod:: {interval}\n   :no-index:\n```")
    if facts := dict(_facts(kind, typed, value)):
        yield from ("## Facts", _table(("fact", "of this one"), facts.items()))
    if papers := [PAPERS[each] if isinstance(each, str) else each for each in papers_of(value)]:
        dois = [f" [doi:{each.doi}](https://doi.org/{each.doi})" if each.doi else "" for each in papers]
        yield from ("## Papers", "\n".join(f"- {each.full}{doi}" for each, doi in zip(papers, dois, strict=True)))
    sizes = [*_measured({f"{module.removeprefix('bestofk.stats.')}.{name}", typed or name})]
    if sizes or typed:
        yield from ("## Measured size and power", *(sizes or [_elsewhere(typed)]))


def _interval(value: Any) -> str:
    """The method that gives the interval of what a test returns, if it has one."""
    if isinstance(value, type):
        return ""
    result = getattr(sys.modules[value.__module__], str(getattr(value, "__annotations__", {}).get("return")), None)
    method = getattr(result, "confidence_interval", None)
    return "" if method is None else f"{method.__module__}.{method.__qualname__}"


def _facts(kind: str, typed: str, value: Any) -> Iterator[tuple[str, str]]:
    facts = getattr(value, "method", None) or getattr(value, "adjustment", None)
    option = {"pairwise": "--test", "adjust": "--adjust", "ordering": "--method"}.get(kind)
    if option or typed in OF_ALL:
        yield "at a shell", f"`{option or '--test'} {typed}`"
    elif kind in ("omnibus", "ranges", "curves"):
        yield "by name", f'`{SHELVES[kind].partition(":")[2]}["{typed}"]`'
    if isinstance(facts, Method):
        yield "takes", UNITS[facts.design]
        yield "sides", "one or two" if facts.one_sided else "two"
        if facts.seeded:
            yield "random", "the same `rng=` gives the same answer"
    if isinstance(facts, AdjustmentMethod):
        yield "holds", HOLDS[facts.holds]
        if facts.all_pairs:
            yield "needs", "the p values of all pairs"
    yield from limits_of(value).items()
    if typed in METHODS:
        yield "power", f"planned by `bestofk power --test {typed}` ([how](../../howto/power.md))"


@cache
def _calibration(path: str) -> tuple[tuple[str, list[str]], ...]:
    """The tables of a page of benchmarks: the headings above each, with the population in bold, and its lines."""
    found: list[tuple[str, list[str]]] = []
    headings: list[str] = []
    last = ""
    for line in (ROOT / path).read_text("utf-8").splitlines():
        if level := re.match(r"##+ |\*\*(?=.*\*\*, runs)", line):
            depth = {"## ": 0, "### ": 1}.get(level[0], 2)
            headings = [*headings[:depth], line[level.end() :].replace("**", "")]
        elif line.startswith("|") and last.startswith("|"):
            found[-1][1].append(line)
        elif line.startswith("|"):
            found.append((": ".join(headings), [line]))
        last = line
    return tuple(found)


def _measured(names: set[str]) -> Iterator[str]:
    """The rows of a test, which tables have under one of these names, below the title of each page and its headings."""
    for path in MEASURED:
        mine = []
        for heading, (heads, rule, *rows) in _calibration(path):
            if " test " not in heads.split("|") or heading.startswith("At a glance"):
                continue
            place = heads.split("|").index(" test ")
            own = [row for row in rows if re.split(r"[`*, ]+", row.split("|")[place])[1] in names]
            if own:
                mine += [*([f"**{heading}**"] if heading else []), "\n".join([heads, rule, *own])]
        if mine:
            title = (ROOT / path).read_text("utf-8").partition("\n")[0].removeprefix("# ")
            yield from (f"From [{title}](../../{COPIED[path]}), which says how it was measured:", *mine)


def _elsewhere(typed: str) -> str:
    """Where else it was measured, if anywhere."""
    links = " and ".join(f"[]({page})" for page in BESIDE.get(typed, ()))
    return f"Measured in {links}." if links else "No size was measured."


def _run_examples(name: str, value: Any) -> None:
    """The examples of a docstring give what they say."""
    globs = dict(vars(sys.modules[value.__module__]))
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(value) or "", globs, name, None, 0)
    said: list[str] = []
    if doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append).failed:
        raise RuntimeError("".join(said))


def _tests() -> str:
    """All statistics that have a name, in a table for each kind."""
    why = "[why the defaults are the defaults](../../explanation/verdict.md#which-test-and-why)"
    parts = ["# Tests, adjustments and ways of ordering, by name", f"[Which one fits](../statistics.md), and {why}."]
    for kind, title in TESTS.items():
        rows = []
        for typed, part in parts_of(kind).items():
            module = next(each for each in MODULES if getattr(import_module(each), part.__name__, None) is part)
            facts = dict(_facts(kind, typed, part))
            needs = facts.get("takes") or facts.get("holds", "")
            rows.append((_link(module, part.__name__, typed), _sentence(part), needs))
        heads = ("name", "what it does", "holds" if kind == "adjust" else "takes")
        said = 3 if all(needs for *_, needs in rows) else 2
        parts += [f"## {title}", _table(heads[:said], [row[:said] for row in rows])]
    return _page(*parts)


# Figures


def _pictures() -> str:
    """Every figure of the gallery, drawn now, under the name of its kind."""
    from bestofk.plots.gallery import FIGURES

    sys.path.insert(0, str(DOCS / "gallery"))
    import gallery_paths

    drawn: dict[str, list[str]] = {}

    def show(figure: Any, name: str) -> None:
        parts = drawn.setdefault(figure.name, [])
        caption = f"[{script.name}](../gallery/{script.name}): {_markdown(said)}"
        if caption not in parts:  # a script may draw several
            parts.append(caption)
        for theme in ("light", "dark"):
            figure.save(DOCS / "reference" / "pictures" / f"{name}-{theme}.svg", theme=theme)
            parts += [f"```{{image}} pictures/{name}-{theme}.svg\n:class: only-{theme}\n:alt: {figure.alt}\n```"]

    gallery_paths.show = show
    for script in sorted((DOCS / "gallery").glob("*.py")):
        if script.stem not in ("all_figures", "gallery_paths"):
            said = script.read_text("utf-8").split('"""')[1].partition("\n\n")[0]
            runpy.run_path(str(script), run_name="__main__")
    kinds = [part for name in FIGURES if name in drawn for part in (f"### {name}", *drawn[name])]
    return _page("## Pictures", *kinds)


# Markdown


def _page(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def _markdown(text: str) -> str:
    """Words of a docstring or a help in one line of Markdown."""
    return re.sub(r"(?<!\\)([<|])", r"\\\1", " ".join(text.split()).replace("``", "`"))


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    escaped = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *escaped))


def _toctree(entries: Iterable[str]) -> str:
    return "```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```"
