"""Pages of the repository, run from top to bottom: what they show is what is printed.

=============================  ==============================================================================
a block of                     is
=============================  ==============================================================================
```` ```console ````           commands (``$ …``) and their answers at a terminal of 80 columns
```` ```python ````            Python at a prompt (``>>> …``) with its answers, or plain code
```` ```sh ````                commands of bestofk, one a line; a comment may say ``ends with 2``
```` ```LANGUAGE FILE ````     a file, written into the folder of the page; GitHub and Sphinx pass the name over
=============================  ==============================================================================

Blocks run one after the other, in one folder and with the same names. What a page takes for granted (a file
``results.csv``, a ``verdict``) is made here. ``…`` in an answer stands for anything, and fingerprints, times and
seconds may be others. A block that is not run says why above it: ``<!-- not run: it asks a server -->``.
``PYTHONPATH=src:tests python tests/docs/pages.py PAGE …`` puts today's answers in.
"""

from __future__ import annotations

import contextlib
import doctest
import functools
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import bestofk as bk
from bestofk.collecting.engines import Serial
from bestofk.core.extras import available
from makers import EXAMPLES, ROOT, command
from terminal import SIZE, at_terminal

PEERS = ROOT / "tests" / "peers"
RUN = ("console", "python", "sh")
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<why>.+?) -->\n)?^```(?P<language>[^\s`]*)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$",
    re.M | re.S,
)
ANY_BLOCK = re.compile(r"^```.*?^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (?P<line>(?:.*\\\n)*.*)\n(?P<answer>(?:(?!\$ ).*\n)*)", re.M)
#: What is read as it is: a command, the name of a page, and a place in a paper or a version.
PLACE = r"\b(?:section|Python|Weka|bestofk|eqs?\.|Fig\.|Exercise) [\d.]+"
APART = re.compile(rf"`[^`\n]*`|(?<=\])\([^)]*\)|<!--.*?-->|{PLACE}", re.S)
NUMBER = re.compile(r"(?<![\w.,/])\d[\d,]*(?:\.\d+)*(?![\w/]|\.\d)")
ROW = re.compile(r"^\|.*$", re.M)
VARYING = re.compile(r"\b[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\dT[\d:.]+(\+00:00)?|\b[\d.]+ s\b")


def is_run(block: re.Match[str]) -> bool:
    """Whether something is done with a block; what is in braces is Sphinx's."""
    return not block["why"] and (block["language"] in RUN or is_file(block))


def is_file(block: re.Match[str]) -> bool:
    return bool(block["file"]) and not block["language"].startswith("{")


def files_of(page: Path) -> dict[str, str]:
    """The files that a page has."""
    return {block["file"]: block["text"] for block in BLOCK.finditer(page.read_text("utf-8")) if is_file(block)}


def run_page(page: Path, folder: Path) -> int:
    """Run the blocks of a page in a folder, and return how many ran."""
    with at_page(page, folder) as names:
        return len([_checked(page, *block) for block in _run(page.read_text("utf-8"), names) if block is not None])


def filled(page: Path) -> str:
    """The page with today's answers."""
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder, at_page(page, Path(folder)) as names:
        answers = _run(text, names)
        return BLOCK.sub(lambda block: _answered(block, next(answers)), text)


def unfounded(page: Path, strict: bool = False) -> set[str]:
    """Numbers with a point in the words of a page that neither a block or table of it nor a page that it links to has.

    Where ``strict``, tables are words too, and numbers of several digits are looked for as well.
    """
    text = page.read_text("utf-8")
    words = APART.sub("", ANY_BLOCK.sub("", text))
    shown = [*ANY_BLOCK.findall(text), *re.findall(r"`[^`\n]*`", text), *([] if strict else ROW.findall(text))]
    for target in re.findall(r"\]\(<?([^)\s>#]+\.md)\b", text):
        linked = (page.parent / target).resolve()
        shown += [linked.read_text("utf-8")] if linked.exists() else []
    said = _numbers(words if strict else ROW.sub("", words)) - _numbers("\n".join(shown))
    return {number for number in said if number.count(".") == 1 or (strict and len(number) > 1 and "." not in number)}


def _numbers(text: str) -> set[str]:
    return {number.rstrip(",") for number in NUMBER.findall(text)}


def _run(text: str, names: dict[str, Any]) -> Iterator[tuple[str, str] | None]:
    """What every block says, and what it should say; None of those that are not run."""
    for block in BLOCK.finditer(text):
        said = block["text"]
        if not is_run(block):
            yield None
        elif is_file(block):
            Path(block["file"]).parent.mkdir(parents=True, exist_ok=True)
            Path(block["file"]).write_text(said, encoding="utf-8")
            yield said, said
        elif block["language"] == "console":
            assert COMMAND.search(said), f"no command in\n{said}"
            yield said, COMMAND.sub(_command, said)
        elif block["language"] == "sh":
            _shell(said)
            yield said, said
        else:
            yield said, _python(said, names)


def _checked(page: Path, said: str, printed: str) -> bool:
    anything = ".*?".join(map(re.escape, VARYING.sub("…", said).split("…")))
    assert re.fullmatch(anything, printed, re.S), f"{page.name} says\n{said}\nbut it is\n{printed}"
    return True


def _answered(block: re.Match[str], answer: tuple[str, str] | None) -> str:
    if answer is None:
        return block[0]
    said, printed = answer
    with contextlib.suppress(AssertionError):
        _checked(Path(), said, printed)
        printed = said
    return block[0].replace(said, printed)


# Commands


def _command(found: re.Match[str]) -> str:
    program, *words = shlex.split(found["line"])
    return f"$ {found['line']}\n{at_terminal(*words) if program == 'bestofk' else _in_shell(found['line'])}"


def _in_shell(line: str) -> str:
    line = re.sub(r"^python\b", shlex.quote(sys.executable), line)
    done = subprocess.run(line, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout


def _shell(code: str) -> None:
    for line in code.splitlines():
        ends = re.search(r"#.*ends with (\d)", line)
        answer = answer_of(line)
        assert answer.exit_code == int(ends[1] if ends else 0), f"{line}\n{answer.output}"


def answer_of(line: str) -> Any:
    """What ``bestofk …`` answers in a pipe, with its exit code; the stars are the shell's."""
    program, *words = shlex.split(line, comments=True)
    assert program == "bestofk", line
    return command(*(name for word in words for name in (sorted(Path().glob(word)) if "*" in word else [word])))


# Python


class _Prompt(doctest.DocTestRunner):
    """Runs all examples and keeps what they print where it is something else."""

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        example.want = got

    def report_unexpected_exception(self, out: Any, test: doctest.DocTest, example: doctest.Example, exc_info: Any):
        example.want = "".join(traceback.format_exception(*exc_info))


def _python(text: str, names: dict[str, Any]) -> str:
    if not text.startswith(">>> "):
        exec(text, names)
        return text
    marked = re.sub(r"\n\n(?!>>>)(?=.)", "\n<BLANKLINE>\n", text)  # within an answer
    test = doctest.DocTestParser().get_doctest(marked, names, "page", None, 0)
    failed = _Prompt(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, clear_globs=False).failed
    names |= test.globs
    if not failed:
        return text
    lines = [f"{'...' if place else '>>>'} {line}".rstrip() if kind == "source" else line
             for example in test.examples for kind in ("source", "want")
             for place, line in enumerate(getattr(example, kind).splitlines())]  # fmt: skip
    return "\n".join(["" if line == "<BLANKLINE>" else line for line in lines]) + "\n"


# What pages take for granted


@contextlib.contextmanager
def at_page(page: Path, folder: Path) -> Iterator[dict[str, Any]]:
    """Work in a folder that has what a page names, with the names that its code uses and does not make."""
    source = {"PYTHONPATH": str(ROOT / "src")}
    kernels = {"BESTOFK_KERNELS": "numpy"}  # to compile takes longer than to run
    name = page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else page.name
    here = mock.patch("bestofk.collecting.engines.local.Local.run", Serial.run)  # as to start processes does
    with contextlib.chdir(folder), mock.patch.dict("os.environ", source | SIZE | kernels), here:
        _files()
        MORE_FILES.get(name, lambda: None)()
        yield _names(name)


def _files() -> None:
    """The clone's own, and tables in the folder itself."""
    for name, path in {"examples": EXAMPLES, "tests": ROOT / "tests", "results": EXAMPLES / "gate" / "results"}.items():
        Path(name).symlink_to(path)
    for name, example in TABLES.items():
        shutil.copy(EXAMPLES / f"{example}.csv", f"{name}.csv")
    rng = np.random.default_rng(1)
    seeds = [f"{m},{seed},{rng.normal(mean, 0.01):.4f}" for m, mean in (("a", 0.8), ("b", 0.9)) for seed in range(8)]
    _write("seeds.csv", "model,seed,accuracy", seeds)
    right = [int(i % 5 > 0) for i in range(2_000)]
    for name in ("new", "old"):
        _write(f"{name}.csv", "item,correct", (f"q{i},{each}" for i, each in enumerate(right)))
    both = (f"{model},q{i},{each}" for model in ("v1", "v2") for i, each in enumerate(right))
    _write("models.csv", "model,item,correct", both)
    plan = (
        "folds = '10-fold'\nkeep_predictions = true\nlearners = ['lda', 'naive-bayes']\ndatasets = ['breast-cancer']\n"
    )
    Path("plan.toml").write_text(plan)


#: Names of tables on pages, and the examples that they stand for.
TABLES = {
    "table": "demsar",
    "folds": "classifiers",
    "splits": "classifiers",
    "answers": "model_prices",
    "battles": "battles",
    "curves": "curves",
    "results": "predictions",
    "pilot": "multitest_four",
}


def _write(path: str | Path, names: str, rows: Iterable[str]) -> None:
    Path(path).write_text("\n".join([names, *rows]) + "\n")


def _for_readme() -> None:
    for log in (PEERS / "lm_eval").glob("*/samples_choices_*.jsonl"):
        folder = Path("logs", log.parent.name)
        folder.mkdir(parents=True)
        shutil.copy(log, folder / log.name.replace("choices", "hellaswag"))
    rng = np.random.default_rng(1)
    Path("runs").mkdir()
    for name, high in (("resnet", 0.8), ("vit", 0.9)):
        for seed in range(6):
            rows = [f"{epoch},{high - 0.5 / epoch + rng.normal(0, 0.01):.4f}" for epoch in range(1, 6)]
            _write(Path("runs", f"{name}_seed{seed}.csv"), "epoch,val_accuracy", rows)


#: Names on the page of logs that are not those of tests/peers, and what they stand for.
LOGS = {
    "OUT": "lm_eval",
    "logs": "inspect" if available("zstandard") else "inspect_json",
    "results.json": "promptfoo.json",
    "runs": "helm",
    "evals": "openai_evals",
    "reports": "swe_bench",
    "runs.csv": "mlflow_runs.csv",
    "evaluations.csv": "openml_evaluations.csv",
    "predictions": "aeon_resamples",
    "accuracy_mean.csv": "aeon_mean.csv",
    "failed": "inspect_failed",
    "grid_search.csv": "sklearn_grid_search.csv",
}


def _for_logs() -> None:
    for name, peer in ({path.name: path.name for path in PEERS.iterdir()} | LOGS).items():
        Path(name).symlink_to(PEERS / peer)
    Path("results").unlink()
    Path("results").mkdir()
    for path in (PEERS / "lm_eval").glob("*/results_*.json"):
        shutil.copy(path, Path("results", f"{path.parent.name}.json"))


def _for_reports() -> None:
    plan = "folds = '5x2'\nprior = ['lda', 'naive-bayes']\nlearners = ['lda', 'naive-bayes']\n"
    Path("plan.toml").write_text(f"{plan}datasets = ['iris', 'wine', 'breast-cancer', 'monks1']\n")
    assert command("collect", "plan.toml", "--into", "results.db", "--engine", "serial").exit_code == 0


MORE_FILES = {"README.md": _for_readme, "docs/howto/logs.md": _for_logs, "docs/howto/report.md": _for_reports}


def _names(page: str) -> dict[str, Any]:
    from sklearn.datasets import load_iris
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import GridSearchCV, cross_validate
    from sklearn.svm import SVC

    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(1)
    found: dict[str, Any] = {"bk": bk, "X": X, "y": y, "frame": X, "plan": "plan.toml"}
    found |= {"cross_validate": cross_validate, "lda": LinearDiscriminantAnalysis(), "svm": SVC()}
    found |= {name: rng.normal(size=(8, 4)) for name in ("a", "b", "c", "curves_of_a", "curves_of_b")}
    found |= {name: rng.normal(size=12) for name in ("differences", "losses_of_a", "losses_of_b")}
    found |= {name: rng.normal(size=(2, 5)) for name in ("folds_of_a", "folds_of_b")}
    found["verdict"] = _verdict()
    found["evidence"] = found["verdict"].evidence
    if page == "README.md":
        found["search"] = GridSearchCV(SVC(), {"C": [0.001, 1.0]}, cv=5).fit(X, y)
    if page == "docs/reference/figures.md":
        from matplotlib.figure import Figure

        found["ax"] = Figure().subplots()
    return found


@functools.cache
def _verdict() -> bk.Verdict:
    return bk.judge(EXAMPLES / "multitest_four.csv", prior=("1", "2", "3", "4"))


if __name__ == "__main__":
    for path in map(Path.resolve, map(Path, sys.argv[1:])):
        path.write_text(filled(path), encoding="utf-8")
