"""What is said of the package in several places is the same."""

import re
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement

import bestofk
from bestofk.cli import main
from bestofk.cli.doctor import USES
from bestofk.core.extras import EXTRA_OF
from bestofk.core.version import __version__
from makers import ROOT

yaml = pytest.importorskip("yaml")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


def loaded(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def spaced(requirement):
    """numpy>=2.0 as conda writes it."""
    return re.sub(r"(?<=\w)(?=[><=])", " ", requirement, count=1)


def test_the_recipe_has_the_dependencies_and_the_command_of_the_package():
    recipe = loaded("recipe/recipe.yaml")
    python = f"python {PROJECT['requires-python']}"
    assert recipe["context"]["version"] == __version__
    assert sorted(recipe["requirements"]["run"]) == sorted([python, *map(spaced, PROJECT["dependencies"])])
    builders = [python, "pip", *map(spaced, PYPROJECT["build-system"]["requires"])]
    assert sorted(recipe["requirements"]["host"]) == sorted(builders)
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {to}" for name, to in PROJECT["scripts"].items()]
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["summary"] == PROJECT["description"]


def test_the_question_is_asked_in_the_same_words_everywhere():
    asked = PROJECT["description"]
    assert f"# bestofk\n\n**{asked}**\n" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert bestofk.__doc__.splitlines()[0] == " ".join(main.help.split()) == asked


def test_who_cites_the_package_finds_its_version_and_authors():
    citation = loaded("CITATION.cff")
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["license"]
    assert citation["authors"] == PROJECT["authors"]
    assert citation["abstract"] == PROJECT["description"]
    assert {"cff-version", "message", "title"} <= set(citation)


def test_the_command_knows_which_extra_brings_a_package():
    extras = dict(PROJECT["optional-dependencies"])
    everything = Requirement(*extras.pop("all")).extras
    needs = [(extra, Requirement(line)) for extra, lines in extras.items() for line in lines]
    here = {need.name: extra for extra, need in needs if need.marker is None or need.marker.evaluate()}
    assert here == EXTRA_OF
    assert set(USES) == set(extras)
    assert everything == set(extras) - {"ray"}


def test_the_hooks_before_a_commit_are_the_lines_of_make_lint():
    """Run by make itself, which prints the lines of a target without running them."""
    (local,) = loaded(".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"  # nothing is fetched
    assert {hook["language"] for hook in local["hooks"]} == {"system"}
    asked = ["make", "--dry-run", "--old-file=.venv/ready-to-test", "lint"]
    printed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [hook["entry"] for hook in local["hooks"]] == printed


@pytest.mark.parametrize("name", ["bug.yml", "question.yml"])
def test_the_forms_for_reports_have_fields(name):
    form = loaded(f".github/ISSUE_TEMPLATE/{name}")
    assert {"name", "description", "body"} <= set(form)
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields) >= 1
    assert all(field["attributes"]["label"] for field in fields)
