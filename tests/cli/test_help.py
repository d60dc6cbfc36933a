"""Help by use, and explanations of what answers name."""

import json
import re
import subprocess
import sys

import click
import pytest

from bestofk.advice import ADVICE
from bestofk.cli import BY_USE, COMMANDS, main
from bestofk.cli.options import HEADINGS
from bestofk.comparing.test_choice import SPECIAL
from bestofk.judging.verdict import STATUSES
from bestofk.ordering import ORDERINGS
from bestofk.stats.adjust import ADJUST
from bestofk.stats.curves import CURVES
from bestofk.stats.omnibus import OMNIBUS, RANGES
from bestofk.stats.pairwise import PAIRWISE
from makers import EXAMPLES, command


def test_verbs_stand_by_use_with_whole_sentences():
    text = command("--help").output
    for use, verbs in BY_USE.items():
        assert use in text
        for verb in verbs:
            said = main.get_command(click.Context(main), verb).help.partition("\n\n")[0]
            assert " ".join(said.split()).rstrip(".") in " ".join(text.split())


@pytest.mark.parametrize("words", [(), ("plan",), ("store",), ("data",)])
def test_without_more_words_the_help_is_all_that_is_said(words):
    assert command(*words).output == command(*words, "--help").output


def test_no_first_sentence_of_a_command_is_cut():
    for verb in COMMANDS:
        text = " ".join(command(verb, "--help").output.split())
        for name, each in getattr(main.get_command(click.Context(main), verb), "commands", {}).items():
            assert " ".join(each.help.partition("\n\n")[0].split()) in text, name


@pytest.mark.parametrize("verb", ["judge", "compare", "order", "report", "power"])
def test_options_have_headings(verb):
    text = command(verb, "--help").output
    assert sum(f"\n{heading}:\n" in text for heading in HEADINGS.values()) >= 2


@pytest.mark.parametrize("verb", COMMANDS)
def test_examples_end_the_help_and_have_options_that_exist(verb):
    found = main.get_command(click.Context(main), verb)
    examples = command(verb, "--help").output.partition("Examples:\n")[2].strip().splitlines()
    assert len(examples) == 3
    for line in examples:
        words = line.split()[2:]
        assert line.split()[:2] == ["bestofk", verb]
        known = found.commands[words[0]] if isinstance(found, click.Group) else found
        flags = {flag for param in known.params for flag in param.opts}
        assert {word for word in words if word.startswith("-") and word != "-"} <= flags


PARTS = (name for shelf in (PAIRWISE, OMNIBUS, RANGES, CURVES, SPECIAL, ADJUST, ORDERINGS) for name in shelf)
PRINTED = ("holm", "multitest", "about", "behind", "good enough", "not significant", "with steps")


@pytest.mark.parametrize("name", [*ADVICE, *STATUSES, *PARTS, *PRINTED])
def test_what_answers_name_is_explained(name):
    found = json.loads(command("explain", name, "--json").output)
    assert found["text"].startswith(f"{name}: ")
    assert len(found["text"]) > len(name) + 20
    assert "**" not in found["text"]
    assert not re.search(r"\\|\{|:math:|\.\. math", found["text"])  # formulas are for the site


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("kruskal-wallis", "groups.\n\nH is χ² with K − 1 degrees of freedom"),
        ("randomized-t", "k points, and t is compared with"),
        ("sign", "lose?\n\nDistribution free"),
        ("skillings-mack", "from the middle.\n\nA missing result"),
    ],
)
def test_a_formula_leaves_a_whole_sentence(name, sentence):
    assert sentence in json.loads(command("explain", name, "--json").output)["text"]


@pytest.mark.parametrize("name", ["stratified-t", "bradley-terry", "holm", "multitest"])
def test_a_part_says_what_it_assumes_and_what_it_is_not_for_and_its_papers(name):
    *_, limits, papers = json.loads(command("explain", name, "--json").output)["text"].split("\n\n")
    assert re.fullmatch(r"Assumes .+\. Not for .+\.", limits)
    assert re.search(r" (19|20)\d\d\.$", papers)


def test_an_unknown_name_has_a_near_one():
    found = command("explain", "wilcoxn")
    assert found.exit_code == 2
    assert "wilcoxon" in found.output


def test_the_shell_completes_choices_and_names():
    judge = main.get_command(click.Context(main), "judge")
    context = click.Context(judge)
    by_name = {param.name: param for param in judge.params}
    begun = {"test": "wilc", "adjust": "hol", "rows": "da", "curve": "f"}
    found = {name: [item.value for item in by_name[name].shell_complete(context, word)] for name, word in begun.items()}
    assert found == {"test": ["wilcoxon"], "adjust": ["holland", "holm"], "rows": ["datasets"], "curve": ["final"]}


def test_a_dash_reads_the_standard_input():
    file = EXAMPLES / "five_by_two.csv"
    line = [sys.executable, "-m", "bestofk", "judge", "-", "--json"]
    from_pipe = subprocess.run(line, input=file.read_bytes(), capture_output=True, check=True).stdout
    named = json.loads(command("judge", file, "--json").output)
    assert json.loads(from_pipe)["best_set"] == named["best_set"]
