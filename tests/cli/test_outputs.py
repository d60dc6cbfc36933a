"""What a command writes never takes the place of what it reads."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from bestofk.cli.options import Command, Output

EXAMPLE = Path(__file__).parents[2] / "examples" / "five_by_two.csv"


def refused(*arguments):
    """The three lines of a command that is refused."""
    answer = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert answer.exit_code == 2
    wrong, where, fix = answer.stderr.splitlines()
    assert "writing would replace it" in wrong
    assert where.startswith("  where: ")
    assert fix == "  to do: write to another file."
    return wrong


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "x.csv"
    shutil.copy(EXAMPLE, path)
    yield path
    assert path.read_bytes() == EXAMPLE.read_bytes()


@pytest.mark.parametrize(
    "words", [("read", "{0}", "--convert"), ("rank", "{0}", "-o"), ("report", "{0}", "--format", "csv", "-o")]
)
@pytest.mark.parametrize("name", ["x.csv", "./x.csv", "link.csv", "hard.csv"])
def test_a_source_is_not_written_over_by_any_of_its_names(source, words, name):
    (source.parent / "link.csv").symlink_to(source)
    os.link(source, source.parent / "hard.csv")
    assert name.lstrip("./") in refused(*(word.format(source) for word in words), source.parent / name)


@pytest.mark.parametrize(
    "words",
    [
        ("{0}", "--against", "{1}", "-o", "{0}"),
        ("{1}", "--against", "{0}", "-o", "{0}"),
        ("nn", "--against", "max", "--results", "{0}", "-o", "gate.md", "-o", "{0}"),
    ],
)
def test_a_gate_is_not_written_over_what_it_compares(source, words):
    other = source.with_name("other.csv")
    shutil.copy(source, other)
    refused("gate", *(word.format(source, other) for word in words))


def test_a_store_is_not_written_over(tmp_path):
    store = tmp_path / "store.csv"
    store.write_text("whatever it is\n")
    refused("store", "export", store, store)
    assert store.read_text() == "whatever it is\n"


def test_results_in_a_folder_that_is_read_are_not_written_over_and_other_files_are(source):
    refused("read", source.parent, "--convert", source)
    page = source.with_name("verdict.html")
    page.write_text("an old page")
    assert CliRunner().invoke(main, ["report", str(source), "-o", str(page)]).exit_code == 0
    assert page.read_text() != "an old page"


def test_the_standard_input_is_not_written_over(source):
    words = [sys.executable, "-m", "bestofk", "read", "-", "--convert", source]
    with source.open() as file:
        answer = subprocess.run(words, stdin=file, capture_output=True, text=True)
    assert (answer.returncode, "writing would replace it" in answer.stderr) == (2, True)


def test_evidence_and_verdicts_are_not_written_over_their_source(source, tmp_path):
    evidence = bk.read(source)
    for write in (evidence.convert, bk.judge(evidence).report, bk.rank(evidence).report):
        with pytest.raises(bk.InputError, match="writing would replace it"):
            write(source)
    assert evidence.convert(tmp_path / "long.csv").rows


def test_every_command_with_an_output_refuses_so():
    names = {"output", "outputs", "table"}

    def below(command):
        return (
            [each for inner in command.commands.values() for each in below(inner)]
            if hasattr(command, "commands")
            else [command]
        )

    context = main.make_context("bestofk", ["judge"], resilient_parsing=True)
    every = [each for name in main.list_commands(context) for each in below(main.get_command(context, name))]
    named = [(each, param) for each in every for param in each.params if param.name in names]
    writing = [(each, param) for each, param in named if not getattr(param, "is_flag", False)]  # no place to write to
    assert len(writing) == 6
    assert all(isinstance(each, Command) and isinstance(param.type, Output) for each, param in writing)
