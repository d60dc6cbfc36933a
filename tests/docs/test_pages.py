"""Pages say nothing that is not so: their code runs, their answers are the command's, their links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bestofk as bk
from bestofk.core.extras import available
from makers import EXAMPLES, ROOT, slow
from postgresql_server import PASSWORD, Server, why_not
from terminal import at_terminal, on_terminal

from .pages import BLOCK, answer_of, at_page, files_of, filled, is_run, run_page, unfounded

DOCS = ROOT / "docs"
MADE = tuple(each.strip("/") for each in (ROOT / ".gitignore").read_text("utf-8").split() if each.startswith("docs/"))
FOLDERS = (page for folder in ("examples", "benchmarks", "docs") for page in sorted((ROOT / folder).rglob("*.md")))
NAMES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *(page.relative_to(ROOT).as_posix() for page in FOLDERS))
TEXTS = {name: (ROOT / name).read_text("utf-8") for name in NAMES if not name.startswith(MADE)}
RUN = [page for page, text in TEXTS.items() if any(map(is_run, BLOCK.finditer(text)))]
#: Pages that have a test of their own below.
APART = ("docs/howto/cluster.md", "docs/howto/shared_store.md", "docs/howto/own_test.md")
#: Pages whose code takes a second and more.
LONG = (
    *(f"docs/howto/{name}.md" for name in ("report", "sklearn", "power")),
    *(f"docs/tutorials/{name}.md" for name in ("networks_and_seeds", "learning_curves", "first_experiment")),
    *(f"docs/explanation/{name}.md" for name in ("measures", "sharing")),
)
#: Commands and calls that are the cell of a table, each with the heading above it.
CELLS = [
    (page, part.partition("\n")[0], cell)
    for page, text in TEXTS.items()
    for part in re.split(r"^#+ ", text, flags=re.M)
    for cell in re.findall(r"\| `((?:bestofk |bk\.)[^`]+)` (?=\|)", part)
]


def test_every_block_has_a_language_and_every_reason_a_block() -> None:
    for page, text in TEXTS.items():
        blocks = [*BLOCK.finditer(text)]
        assert all(block["language"] for block in blocks), f"{page}: a block without a language (text, sh, …)"
        reasons = re.findall(r"^<!-- not run: ", text, re.M)
        assert len(reasons) == sum(block["why"] is not None for block in blocks), page


@pytest.mark.parametrize("page", [page for page in RUN if page not in (*APART, *LONG)] + slow(*LONG))
def test_a_page_says_what_happens(page: str, tmp_path: Path) -> None:
    assert run_page(ROOT / page, tmp_path) > 3 * page.startswith("docs/tutorials/")


@pytest.mark.parametrize(("page", "heading", "cell"), CELLS, ids=lambda each: each[:60])
def test_what_a_table_says_to_type_is_answered(page: str, heading: str, cell: str, tmp_path: Path) -> None:
    with at_page(ROOT / page, tmp_path) as names:
        if cell.startswith("bk."):
            found = eval(cell, names)
            assert not isinstance(found, bk.Verdict) or found.status in ("decided", "tied")
            return
        answer = answer_of(cell)
    assert answer.exit_code == (2 if heading == "Refused" else 0), answer.output
    if heading == "Refused":
        _, where, fix = answer.output.strip().splitlines()
        assert (where.split()[0], fix.split(":")[0]) == ("where:", "  to do")


def test_every_program_has_its_command() -> None:
    headings = [heading for page, heading, _ in CELLS if page == "docs/howto/logs.md"]
    assert (len(headings), headings.count("Refused")) == (29, 6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of Dask's own, about ports, clocks and lost connections
@pytest.mark.skipif(not available("distributed"), reason="Dask is not installed")
def test_the_page_of_clusters(tmp_path: Path) -> None:
    assert run_page(DOCS / "howto" / "cluster.md", tmp_path) == 2


@pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
def test_the_page_of_a_shared_store(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.database("results")
    service = {"host": "127.0.0.1", "port": server.port, "dbname": "results", "user": server.user}
    lines = ["[results]", *(f"{name}={value}" for name, value in service.items())]
    (tmp_path / "services").write_text("\n".join(lines))
    monkeypatch.setenv("PGSERVICEFILE", str(tmp_path / "services"))
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert run_page(DOCS / "howto" / "shared_store.md", tmp_path) == 2


ALONE = """
import sys
from pathlib import Path

from docs.pages import run_page
from test_normal_scores import test_what_every_pairwise_test_must_do

run_page(Path(sys.argv[1]), Path(sys.argv[2]))
test_what_every_pairwise_test_must_do()
"""


@pytest.mark.slow
def test_the_page_of_an_own_test(tmp_path: Path) -> None:
    """In a process of its own, which finds the package as it finds an installed one."""
    page = DOCS / "howto" / "own_test.md"
    files = files_of(page)
    project = tomllib.loads(files["pyproject.toml"])["project"]
    [(group, entries)] = project["entry-points"].items()
    installed = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (installed / "entry_points.txt").write_text("\n".join(lines))
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    paths = os.pathsep.join(map(str, (tmp_path, Path(bk.__file__).parents[1], ROOT / "tests")))
    words = [sys.executable, "-c", ALONE, page, tmp_path / "folder"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_pages_are_run_as_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["judge", "examples/model_prices.csv", "--prior", "price", "--within", "0.05"]
    monkeypatch.chdir(ROOT)
    assert at_terminal(*words) == on_terminal(ROOT, *words)


def test_a_page_that_says_something_else_fails(tmp_path: Path) -> None:
    for number, block in enumerate(
        (
            "console\n$ bestofk list reports\nnothing\n",
            "python\n>>> 1 + 1\n3\n",
            "python\nassert 1 + 1 == 3\n",
            "sh\nbestofk list reports  # ends with 2\n",
            "sh\nls\n",
        )
    ):
        (tmp_path / "page.md").write_text(f"```{block}```\n")
        (tmp_path / str(number)).mkdir()
        with pytest.raises(AssertionError):
            run_page(tmp_path / "page.md", tmp_path / str(number))


#: Numbers of a page that no answer, table or linked page shows: of papers, by calculation or by simulations of a day.
BY_HAND = {
    "docs/explanation/errata.md": "0.0675 6.9325 0.0716 7.7284 2011 60",
    "docs/explanation/multivariate_tests.md": "0.003 0.022 0.040 0.041 0.065 0.227 0.278 0.35 0.38 0.71 99.9",
    "docs/explanation/verdict.md": "2016 2024 42 93",
    "docs/howto/power.md": "0.02 0.58 0.76 0.85 2.8 3.8",
    "docs/reference/advice.md": "0.0625",
    "docs/reference/statistics.md": "0.059 0.125 1.01",
    "docs/replications/curves.md": "100,000 14 160 2,000 338 416 422 438 462 468 469 476 536 57",
    "docs/replications/multitest.md": "0.05 0.95",
    "docs/replications/multitest_pairing.md": "400",
    "docs/replications/multivariate.md": "0.8 204 21 30 307",
}
BESIDE_A_REPORT = ("docs/replications/", "docs/explanation/errata.md", "docs/explanation/verdict.md")
WORDS = [page for page in TEXTS if page.startswith(("README", "docs/")) and "/reports/" not in page]


@pytest.mark.parametrize("page", WORDS)
def test_numbers_in_the_words_are_shown(page: str) -> None:
    found = unfounded(ROOT / page, page.startswith(BESIDE_A_REPORT))
    assert found == {*BY_HAND.get(page, "").split()}, f"{page}: correct them, or delete what an answer or report says"


def test_a_number_that_nothing_shows_is_found(tmp_path: Path) -> None:
    page, report = tmp_path / "page.md", tmp_path / "report.md"
    report.write_text("| up to | 0.43 | 404 |\n")
    answer = "```console\n$ echo 0.045\n0.045\n```\n"
    page.write_text(f"At most 0.145, not 0.045; `--alpha 0.01`, section 2.5.\n{answer}| a | 0.2 |\n")
    assert unfounded(page) == {"0.145"}
    assert unfounded(page, strict=True) == {"0.145", "0.2"}
    page.write_text("[Up to](report.md) 0.38, 0.43, 413 and 404 of 7.\n")
    assert (unfounded(page), unfounded(page, strict=True)) == ({"0.38"}, {"0.38", "413"})


def test_todays_answers_are_put_in(tmp_path: Path) -> None:
    said, so = "```python\n>>> 1 + {}\n3\n```\n\n```console\n$ echo {}\n1\n```\n", tmp_path / "page.md"
    so.write_text(said.format(1, 2))
    assert filled(so) == "```python\n>>> 1 + 1\n2\n```\n\n```console\n$ echo 2\n2\n```\n"
    so.write_text(said.format(2, 1))
    assert filled(so) == said.format(2, 1)


@pytest.mark.slow
def test_the_networks_of_the_tutorial_do_what_its_table_says(tmp_path: Path) -> None:
    files = files_of(DOCS / "tutorials" / "networks_and_seeds.md")
    done = subprocess.run([sys.executable, "-c", files["train.py"]], capture_output=True, text=True, check=True)
    said, found = ([line.rsplit(",", 1) for line in each.split()] for each in (files["runs.csv"], done.stdout))
    assert [name for name, _ in said] == [name for name, _ in found]
    pairs = zip(said[1:], found[1:], strict=True)
    assert max(abs(float(one) - float(other)) for (_, one), (_, other) in pairs) < 0.02


#: How rows of the table of designs begin, and an example of each with how it is read.
DESIGNS = {
    "a data set, with": ("demsar.csv", {"measure": "auc"}),
    "a fold of one data set": ("classifiers.csv", {"dataset": "car"}),
    "a random split": ("classifiers.csv", {"dataset": "car", "test_fraction": 0.1}),
    "a fold of one of several": ("classifiers.csv", {}),
    "a run with another seed, same": ("gate/results/seeds.csv", {}),
    "an answer": ("predictions.csv", {}),
    "the same, and questions": ("model_prices.csv", {}),
    "a point": ("curves.csv", {}),
    "a vote": ("battles.csv", {}),
}


@pytest.mark.parametrize("begin", DESIGNS)
def test_the_table_of_designs_names_the_test_that_is_taken(begin: str) -> None:
    page = (DOCS / "howto" / "which_design.md").read_text("utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| {begin}")]
    name, reading = DESIGNS[begin]
    assert f"`{bk.compare(bk.read(EXAMPLES / name, **reading)).test}`" in row


# Links


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    heads = [re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", head) for head in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", TEXTS)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(<?(?![a-z]+:)([^)\s>]+)>?\)", TEXTS[page]):
        path, _, anchor = target.partition("#")
        found = ROOT / page if not path else Path(os.path.normpath((ROOT / page).parent / path))
        assert found.exists(), f"{page} links to {target}"
        assert not anchor or anchor in anchors(found), f"{page} links to {target}"


def test_pictures_are_light_and_shown() -> None:
    pictures = [*(DOCS / "tutorials" / "pictures").iterdir()]
    tutorials = "".join(text for page, text in TEXTS.items() if page.startswith("docs/tutorials/"))
    assert {*re.findall(r"\]\(pictures/(.*?)\)", tutorials)} == {path.name for path in pictures}
    assert all(path.stat().st_size < 60_000 for path in pictures)


def test_the_picture_of_the_house_has_the_floors_of_the_contract_on_imports() -> None:
    house = re.search(r"```text\n( +┌.*?)```", TEXTS["docs/explanation/architecture.md"], re.S)[1]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    assert re.findall(r"(\w+)(?:/|\.py)", house) == layers
    assert max(map(len, house.splitlines())) <= 78


def test_the_glossary_is_in_order() -> None:
    terms = re.findall(r"^\*\*(.*?)\.\*\* ", TEXTS["docs/reference/glossary.md"], re.M)
    assert len(terms) > 30
    assert terms == sorted(terms, key=str.casefold)
