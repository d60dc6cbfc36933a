"""How large and how tangled the source is: ``make house``, or ``python -m benchmarks.house [CHECKOUT]``.

Every row is counted or timed now and printed beside version 0.1.0 and the goal. How a row is counted stands in the
function that counts it; on the source of version 0.1.0 each gives the figure of the first column.
"""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

REPEATS = 5
NOT_MEASURED = "not measured"
REASONS = {  # row → why its goal is not reached
    "modules with one importer": "findings, layouts and tests that are things of their own have one reader each",
    "code lines in src": "logs of 15 programs, runs, margins, gates, boards and battles came after the goal was set "
    "(45,800 before them); the rest is one test, layout, learner, figure or store after the other, and their errors",
    "import lines": "modules of 100 lines that use six others each",
    "`bestofk judge small.csv`, processor time": "reading, testing, ordering and advice are 200 modules to load",
    "sentences pinned in tests": "many are texts of plans and tables; refusals are tested by what they name",
}

LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
MEASURES = """error accuracy auc roc-auc balanced-accuracy f1 f1-macro macro-f1 weighted-f1 precision recall sensitivity
specificity kappa mcc tpr tnr fpr fnr log-loss brier mse rmse mae r2"""
JUDGE = ("-c", "from bestofk.cli import main; main()", "judge")
WARM = """
import sys, time, bestofk as bk
times = []
for _ in range(30):
    start = time.process_time()
    bk.judge(bk.read(sys.argv[1]))
    times.append(time.process_time() - start)
print(min(times))
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Row:
    """One line of the table; ``most`` is the largest number that reaches the goal."""

    name: str
    before: str
    goal: str
    most: float
    unit: str
    measure: Callable[[Tree], float | None]


class Tree:
    """The source of one checkout: its modules, what they import, its tests, its settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.source = folder / "src"

    @cached_property
    def files(self) -> dict[str, Path]:
        return {self._module(path): path for path in sorted((self.source / "bestofk").rglob("*.py"))}

    @cached_property
    def parsed(self) -> dict[str, ast.Module]:
        return {module: parse(path) for module, path in self.files.items()}

    @cached_property
    def settings(self) -> dict[str, object]:
        return tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))

    @cached_property
    def rooms(self) -> list[str]:
        """Names of the rooms, the highest first, as the import linter has them."""
        (stairs,) = (each for each in self._contracts if each["type"] == "layers")
        return list(stairs["layers"])

    @cached_property
    def allowed(self) -> set[tuple[str, str]]:
        """Imports upward that the linter's contracts allow by name."""
        pairs = (line.split(" -> ") for each in self._contracts for line in each.get("ignore_imports", ()))
        return {(first.strip(), second.strip()) for first, second in pairs}

    @property
    def _contracts(self) -> list[dict]:
        return self.settings["tool"]["importlinter"]["contracts"]

    def _module(self, path: Path) -> str:
        return ".".join(path.relative_to(self.source).with_suffix("").parts).removesuffix(".__init__")

    def imports(self, *, inside_functions: bool) -> dict[str, set[str]]:
        """Return which modules each module imports; those for type checkers count."""
        return {module: self._imported(module, inside_functions) for module in self.files}

    def _imported(self, module: str, inside_functions: bool) -> set[str]:
        found = set()
        for node in statements(self.parsed[module], inside_functions):
            if isinstance(node, ast.Import):
                found |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                found |= {f"{node.module}.{name.name}" for name in node.names}
        # ``from a import b`` means the module a.b, or the name b of the module a.
        return {name if name in self.files else name.rpartition(".")[0] for name in found} & {*self.files} - {module}

    def above(self, module: str, other: str) -> bool:
        """Return whether the other module lives in a room above that of the first."""
        first, second = (name.split(".")[1] if "." in name else "" for name in (module, other))
        return {first, second} <= {*self.rooms} and self.rooms.index(second) < self.rooms.index(first)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node: ast.AST, inside_functions: bool) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        if inside_functions or not isinstance(child, Function | ast.Lambda):
            yield from statements(child, inside_functions)


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node) is not None:
            yield node.body[0].value


# Counts.


def code_lines(tree: Tree) -> float:
    """Lines with code on them: no blank line, no comment, no docstring; every line of a longer text counts."""
    return sum(len(_code_lines(path, tree.parsed[module])) for module, path in tree.files.items())


def _code_lines(path: Path, parsed: ast.Module) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    lines = {line for each in tokens if each.type not in LAYOUT for line in range(each.start[0], each.end[0] + 1)}
    return lines - {line for text in docstrings(parsed) for line in range(text.lineno, text.end_lineno + 1)}


def modules(tree: Tree) -> float:
    """Files of Python below src/bestofk, packages' own included."""
    return len(tree.files)


def with_one_importer(tree: Tree) -> float:
    """Modules, not packages, that exactly one other imports; imports inside functions do not count."""
    importers = Counter(name for found in tree.imports(inside_functions=False).values() for name in found)
    return sum(importers[module] == 1 for module, path in tree.files.items() if path.name != "__init__.py")


def import_share(tree: Tree) -> float:
    """Lines of import statements in percent of code lines."""
    nodes = (node for parsed in tree.parsed.values() for node in ast.walk(parsed))
    lines = sum(each.end_lineno - each.lineno + 1 for each in nodes if isinstance(each, ast.Import | ast.ImportFrom))
    return 100 * lines / code_lines(tree)


def entry_points(tree: Tree) -> float:
    """Entry points by which the package finds its own parts; the command's is no part."""
    return sum(map(len, _own_groups(tree).values()))


def _own_groups(tree: Tree) -> Mapping[str, Mapping[str, str]]:
    groups = tree.settings["project"].get("entry-points", {})
    return {name: group for name, group in groups.items() if name.startswith("bestofk.")}  # not that of pytest


def upward_calls(tree: Tree) -> float:
    """Calls of a room above through a name in a string, which neither the import linter nor mypy can see."""
    found = 0
    for module, parsed in tree.parsed.items():
        for call in ast.walk(parsed):
            if isinstance(call, ast.Call):
                found += any(tree.above(module, target) for target in _targets(tree, call))
    return found


def _targets(tree: Tree, call: ast.Call) -> Iterable[str]:
    text = ast.unparse(call)
    if named := re.match(r"import_module\(f?'(bestofk\.[\w.]+)", text):
        return [named[1]]
    if isinstance(call.func, ast.Attribute) and (loaded := re.match(r"registry\('(\w+)'\)\.load\('?([\w-]*)", text)):
        group = _own_groups(tree).get(f"bestofk.{loaded[1]}", {})
        chosen = [group[loaded[2]]] if loaded[2] in group else group.values()
        return [target.partition(":")[0] for target in chosen]
    return []


def cycles(tree: Tree) -> float:
    """Groups of modules that import each other, inside functions too, without the imports the linter allows by name."""
    graph = tree.imports(inside_functions=True)
    graph = {one: {two for two in found if (one, two) not in tree.allowed} for one, found in graph.items()}
    reached = {module: _reached(graph, module) for module in graph}
    return len({frozenset(two for two in far if one in reached[two]) for one, far in reached.items() if one in far})


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += graph[module]
    return seen


def places_of_measures(tree: Tree) -> float:
    """Modules with six names of measures or more; a folder ``measures`` is one place, replications are none."""
    known, places = {*MEASURES.split()}, set()
    for module, parsed in tree.parsed.items():
        texts = (node.value for node in ast.walk(parsed) if isinstance(node, ast.Constant))
        names = {text.lower().replace("_", "-") for text in texts if isinstance(text, str)} & known
        if len(names) >= 6 and not module.startswith("bestofk.replications"):
            places.add(re.sub(r"(?<=\.measures)\.\w+$", "", module))
    return len(places)


def pinned_sentences(tree: Tree) -> float:
    """Texts of five words or more in the test functions, docstrings apart."""
    return sum(map(_sentences, sorted((tree.folder / "tests").rglob("*.py"))))


def _sentences(path: Path) -> int:
    parsed = parse(path)
    apart = {id(text) for text in docstrings(parsed)}
    found = 0
    for test in ast.walk(parsed):
        if isinstance(test, Function) and test.name.startswith("test"):
            texts = (text for part in test.body for text in _texts(part) if id(text) not in apart)
            found += sum(len(_written(text).split()) >= 5 for text in texts)
    return found


def _texts(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        yield node
    else:
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def _written(text: ast.Constant | ast.JoinedStr) -> str:
    """Return the text; what an f-string puts in counts as a word."""
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return " ".join(part.value if isinstance(part, ast.Constant) else "…" for part in parts)


# Times.


def edits_for_a_test(tree: Tree) -> float | None:
    """What the test does that edits a copy of the source, if it passes: a new file is one, every line elsewhere one."""
    for path in (tree.folder / "tests").rglob("test_new_pairwise_test.py"):
        run = _python(tree, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", str(path))
        said = re.search(r"edits: (\d+)", run.stdout)
        return int(said[1]) if run.returncode == 0 and said else None
    return None


def judging(tree: Tree) -> float:
    """Processor time of ``bestofk judge small.csv`` over that of ``import numpy``: fresh processes, best of five."""
    with tempfile.TemporaryDirectory() as folder:
        small = _small(Path(folder))
        return _processor(tree, *JUDGE, str(small)) / _processor(tree, "-c", "import numpy")


def warm(tree: Tree) -> float:
    """Milliseconds of processor time of ``bk.read`` and ``bk.judge`` on a small CSV, best of thirty in one process."""
    with tempfile.TemporaryDirectory() as folder:
        run = _python(tree, "-c", WARM, str(_small(Path(folder))))
    return 1000 * float(run.stdout)


def _small(folder: Path) -> Path:
    """Write five learners on five replications of two folds: the last two are clearly worse."""
    path = folder / "small.csv"
    lines = ["learner,replication,fold,error"]
    for k, learner in enumerate("abcde"):
        for fold in range(10):
            error = 0.1 + 0.05 * (k > 2) + 0.002 * ((7 * k + 3 * fold) % 5) + 0.003 * (fold % 3)
            lines.append(f"{learner},{fold // 2 + 1},{fold % 2 + 1},{error:.4f}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _processor(tree: Tree, *arguments: str) -> float:
    times = []
    for _ in range(REPEATS):
        before = os.times()
        _python(tree, *arguments)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(times)


def _python(tree: Tree, *arguments: str) -> subprocess.CompletedProcess[str]:
    # As at a user's: with compiled files, whatever the environment of this process says.
    own = {**os.environ, "PYTHONPATH": str(tree.source), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, *arguments]
    run = subprocess.run(command, cwd=tree.folder, env=own, capture_output=True, text=True, check=False)
    if run.returncode > 1:  # 1: a verdict without a single best, or a test that fails
        raise SystemExit(f"{command} ended with {run.returncode}:\n{run.stderr}")
    return run


def time_of_tests(tree: Tree) -> float | None:
    """Minutes of the last `make test` that passed."""
    kept = tree.folder / ".venv" / "test-seconds"
    return int(kept.read_text(encoding="utf-8")) / 60 if kept.exists() else None


ROWS = (
    Row("code lines in src", "52,206", "≤ 40,000", 40_000, "", code_lines),
    Row("modules", "861", "≤ 500", 500, "", modules),
    Row("modules with one importer", "236", "≤ 80", 80, "", with_one_importer),
    Row("import lines", "15 %", "≤ 10 %", 10, " %", import_share),
    Row("own entry points", "196", "0", 0, "", entry_points),
    Row("upward calls by string", "14", "0", 0, "", upward_calls),
    Row("module cycles", "5", "0", 0, "", cycles),
    Row("edits for a new pairwise test", "11–14", "2, shown by a test", 2, "", edits_for_a_test),
    Row("places that define a measure", "9", "1", 1, "", places_of_measures),
    Row("`bestofk judge small.csv`, processor time", "7 × `import numpy`", "≤ 3 ×", 3, " ×", judging),
    Row("`bk.read` and `bk.judge`, warm, processor time", "7 ms", "–", float("inf"), " ms", warm),
    Row("`make test` on two idle cores", "10–15 min", "≤ 5 min", 5, " min", time_of_tests),
    Row("sentences pinned in tests", "1,067", "only in tests of the words", 100, "", pinned_sentences),
)


def line(row: Row, tree: Tree) -> str:
    value = row.measure(tree)
    now = NOT_MEASURED if value is None else f"{value:,.0f}" if value == int(value) else f"{value:.1f}"
    reason = "" if value is None or value <= row.most else REASONS.get(row.name, "")
    return f"| {row.name} | {row.before} | {now}{row.unit if value is not None else ''} | {row.goal} | {reason} |"


def main(folder: str = ".") -> None:
    tree = Tree(Path(folder).resolve())
    print("| | 0.1.0 | now | reach for | why not yet |\n|---|---|---|---|---|")
    for row in ROWS:
        print(line(row, tree), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
