"""The command: answers, tables in a pipe and on a terminal, three lines for every fault, exit codes."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bestofk as bk
from bestofk.cli import main
from terminal import SIZE, at_terminal

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = EXAMPLES / "five_by_two.csv"
PRIOR = "max,nmc,lgc,tree,nn"


def command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def write(tmp_path, *lines, name="results.csv"):
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_verdict_comes_first_then_the_table_then_a_caution_and_the_test():
    answer = command("judge", EXAMPLE, "--prior", PRIOR)
    assert answer.exit_code == 0
    verdict, table, notes = answer.stdout.split("\n\n")
    assert verdict.startswith("Take nmc: most preferred of those not shown to be worse")
    assert table.splitlines()[0].split("\t")[:2] == ["learner", "error"]
    assert [line.split()[0] for line in notes.splitlines() if not line.startswith(" ")] == ["Careful", "Tested"]


def test_json_agrees_with_words():
    data = json.loads(command("judge", EXAMPLE, "--prior", PRIOR, "--json").stdout)
    verdict = bk.judge(bk.read(EXAMPLE), prior=PRIOR.split(","))
    assert data["best"] == verdict.best
    assert data["order"] == list(verdict.order)
    assert data["status"] == "preferred"
    assert data["reasons"][0]["pvalue"] == verdict.reasons[0].pvalue


def test_compare_and_order_give_tabs_on_stdout_and_words_on_stderr():
    compared = command("compare", EXAMPLE)
    assert compared.exit_code == 0
    rows = [line.split("\t") for line in compared.stdout.splitlines()]
    assert rows[0][:3] == ["first", "second", "difference"]
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(rows) == 11
    assert compared.stderr.startswith("4 of 10 pairs")
    assert len(json.loads(command("compare", EXAMPLE, "--json").stdout)["pairs"]) == 10
    against = command("compare", EXAMPLE, "--control", "nn")
    assert len(against.stdout.splitlines()) == 5
    ordered = command("order", EXAMPLE, "--prior", PRIOR)
    assert [line.split("\t")[1] for line in ordered.stdout.splitlines()] == [
        "learner",
        "nmc",
        "lgc",
        "tree",
        "nn",
        "max",
    ]
    assert "max is preferred to nmc" in ordered.stderr
    assert json.loads(command("order", EXAMPLE, "--prior", PRIOR, "--json").stdout)["best"] == "nmc"
    none = command("order", EXAMPLE, "--prior", PRIOR, "--method", "anova-best", "--json")
    assert (none.exit_code, json.loads(none.stdout)["best"]) == (0, None)


@pytest.mark.parametrize("name", ["five_by_two.csv", "classifiers.csv"])
@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_compare_says_what_it_shows_and_what_it_has_no_room_for(name, columns, monkeypatch):
    monkeypatch.setitem(SIZE, "COLUMNS", columns)
    shown = " ".join(at_terminal("compare", EXAMPLES / name).split())
    assert "first minus second in" in shown
    out = re.search(r"A wider terminal shows (.+) too\.$", shown)
    assert ("with the interval of the test" in shown) == (" low high " in shown) == (out is None or "low" not in out[1])
    assert (out is None) == (columns == "200")


@pytest.mark.parametrize("name", ["five_by_two.csv", "classifiers.csv"])
def test_plans_of_pairs_fit_a_terminal_and_say_their_unit(name):
    shown = at_terminal("power", EXAMPLES / name).splitlines()
    assert max(map(len, shown)) <= 80
    assert f"how many replications of {2 if name == 'five_by_two.csv' else 10} folds" in " ".join(shown)


@pytest.mark.parametrize("verb", ["judge", "compare", "order"])
def test_a_terminal_gets_words_and_a_drawn_table(verb):
    """A real pseudo-terminal, not a mocked one."""
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": "200", "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "bestofk", verb, str(EXAMPLE)], stdout=slave, stderr=slave, env=environment
    ) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(master)
    assert process.returncode == 0
    text = shown.decode()
    assert "\t" not in text
    assert "nmc" in text
    assert "rank" in text or verb != "judge"


def test_quiet_is_the_name_alone_and_full_is_everything():
    assert command("judge", EXAMPLE, "--prior", PRIOR, "-q").stdout == "nmc\n"
    nobody = command("judge", EXAMPLE, "-q")
    assert (nobody.stdout, nobody.exit_code) == ("", 0)  # a script must not take a status for a name
    assert nobody.stderr.startswith("tied")
    full = command("judge", EXAMPLE, "--prior", PRIOR, "--full")
    assert full.exit_code == 0
    for heading in ("Every pair", "Advice", "Methods", "Make it again"):
        assert heading in full.stdout


@pytest.mark.parametrize("both", [("-q", "--full"), ("--full", "--json"), ("-q", "--json")])
def test_two_answers_at_once_are_refused(both):
    answer = command("judge", EXAMPLE, *both)
    assert answer.exit_code == 2
    said = " ".join(json.loads(answer.stdout).values()) if "--json" in both else answer.stderr
    assert "--json" in both or three_lines(answer)
    assert all(option in said for option in both)


def test_exit_codes(tmp_path):
    assert command("judge", EXAMPLE).exit_code == 0
    assert command("judge", EXAMPLE, "--prior", PRIOR).exit_code == 0
    assert command("judge", EXAMPLE, "--prior", PRIOR, "--method", "anova-best").exit_code == 0
    assert command("judge", tmp_path / "nowhere.csv").exit_code == 2


HEADER = "learner,replication,fold,error"
FAULTY = {
    "empty": ([""], "empty"),
    "header only": ([HEADER], "no rows"),
    "text": ([HEADER, "a,1,1,0.1", "a,1,2,good", "b,1,1,0.1", "b,1,2,0.2"], "line 3, column error"),
    "percent": ([HEADER, "a,1,1,10%", "b,1,1,0.12"], "'10%', not a number"),
    "decimal comma": ([HEADER, 'a,1,1,"0,1"', "b,1,1,0.2"], "write a decimal point"),
    "decimal comma splits": ([HEADER, "a,1,1,0,1"], "line 2"),
    "NaN": ([HEADER, "a,1,1,nan", "a,1,2,0.1", "b,1,1,0.1", "b,1,2,0.2"], "learner a, fold 1"),
    "infinite": ([HEADER, "a,1,1,inf", "b,1,1,0.1"], "not a number"),
    "ragged": ([HEADER, "a,1,1"], "line 2"),
    "twice": ([HEADER, "a,1,1,0.1", "b,1,1,0.1", "a,1,1,0.2"], "line 4"),
    "missing": ([HEADER, "a,1,1,0.1", "a,1,2,0.1", "b,1,1,0.2"], "learner b, fold 2"),
    "one learner": ([HEADER, "a,1,1,0.1", "a,1,2,0.1"], "at least two learners"),
    "one fold": ([HEADER, "a,1,1,0.1", "b,1,1,0.1"], "cannot show a difference"),
    "two measures": (["learner,fold,error,auc", "a,1,0.1,0.9", "b,1,0.2,0.8"], "--measure"),
    "same column twice": (["learner,fold,error,error", "a,1,0.1,0.9"], "twice"),
    "two names for the learner": (["model,algorithm,fold,error", "a,x,1,0.1", "b,y,1,0.2"], "algorithm"),
    "empty name": ([HEADER, ",1,1,0.1", "b,1,1,0.1"], "line 2"),
    "underscore": ([HEADER, "a,1,1,1_0", "b,1,1,0.1"], "not a number"),
    "random splits": ([HEADER, "a,1,1,0.1", "a,2,1,0.1", "b,1,1,0.1", "b,2,1,0.3"], "random splits"),
    "too large": (
        [HEADER, *(f"{n},{r},{f},{1e200 * (r + f)}" for n in "ab" for r in range(5) for f in (1, 2))],
        "e+200",
    ),
    "one long line": ([HEADER, "a" * 200_000], "characters"),
    "unknown direction": (["learner,fold,tastiness", "a,1,0.1", "b,1,0.2"], "--larger-is-better"),
}


def three_lines(answer):
    return answer.exit_code == 2 and answer.stdout == "" and answer.stderr.strip().count("\n") == 2


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_file_gets_three_lines(tmp_path, fault):
    lines, said = FAULTY[fault]
    path = write(tmp_path, *lines)
    before = path.read_bytes()
    for verb in ("judge", "compare", "order"):
        answer = command(verb, path)
        assert said in answer.stderr
        assert three_lines(answer)
        as_json = command(verb, path, "--json")
        assert as_json.exit_code == 2
        assert set(json.loads(as_json.stdout)) == {"wrong", "where", "fix"}
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x93NUMPY\x00\x01", "binary"),
        ("learner,fold,error\nj\u00f6rg,1,0.1\n".encode("latin-1"), "UTF-8"),
        ("learner,fold,error\na,1,0.1\n".encode("utf-16"), "UTF-8"),
    ],
)
def test_bytes_that_are_not_text(tmp_path, content, said):
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    answer = command("judge", path)
    assert three_lines(answer)
    assert said in answer.stderr


def test_a_file_that_is_not_there_and_a_folder(tmp_path):
    assert "no such file" in command("judge", tmp_path / "nowhere.csv").stderr
    assert three_lines(command("judge", tmp_path / "nowhere.csv"))
    assert three_lines(command("judge", tmp_path))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--alpha", "much"], "not a valid"),
        (["--alpha", "0.5"], "below 0.5"),
        (["--tset", "wilcoxon"], "No such option"),
        (["--test", "wilcoxn"], "did you mean"),
        (["--adjust", "bonferoni"], "did you mean"),
        (["--method", "multitst"], "did you mean"),
        (["--prior", "max,nmc"], "does not name"),
        (["--prior", "max,nmc,lgc,tree,knn"], "unknown learner 'knn'"),
        (["--prior", "fit-time"], "unknown cost column"),
        (["--larger-is-better", "--smaller-is-better"], "give one of them"),
        (["--larger-is-better"], "smaller is better"),
        (["--missing", "drop"], "unknown missing"),
        (["--rows", "fold"], "rows"),
        (["--measure", "errr"], "did you mean"),
        (["--test", "friedman"], "not valid here"),
    ],
)
def test_wrong_options_get_three_lines_or_json(arguments, said):
    answer = command("judge", EXAMPLE, *arguments)
    assert three_lines(answer)
    assert said in answer.stderr
    as_json = command("judge", EXAMPLE, *arguments, "--json")
    assert as_json.exit_code == 2
    assert said in " ".join(json.loads(as_json.stdout).values())


def test_usage_without_a_file_or_with_an_unknown_verb():
    assert three_lines(command("judge"))
    assert three_lines(command("juge", EXAMPLE))
    assert command("--help").exit_code == 0
    assert command("judge", "--help").exit_code == 0
    assert command("--version").stdout.startswith("bestofk, version")


def test_a_caller_of_the_command_may_give_an_object():
    assert CliRunner().invoke(main, ["list", "adjust"], obj=3).exit_code == 0


def test_list():
    assert command("list", "pairwise").stdout.splitlines()[0] == "5x2cv-f"
    names = json.loads(command("list", "--json").stdout)
    assert names["adjust"][0] == "benjamini-hochberg"
    assert "multitest" in names["ordering"]
    answer = command("list", "pairwize")
    assert three_lines(answer)
    assert "did you mean 'pairwise'" in answer.stderr


def test_the_order_of_rows_means_nothing(tmp_path):
    header, *rows = EXAMPLE.read_text().splitlines()
    plain = bk.judge(bk.read(EXAMPLE), prior=PRIOR.split(","))
    for seed in range(5):
        shuffled = write(tmp_path, header, *np.random.default_rng(seed).permutation(rows))
        assert bk.judge(bk.read(shuffled), prior=PRIOR.split(",")).text() == plain.text()


def test_a_comma_in_a_name_can_be_quoted(tmp_path):
    rows = [f'"{name}",{f},{base + 0.01 * (f % 3)}' for name, base in (("svm, c=1", 0.1), ("b", 0.1)) for f in range(5)]
    answer = command("judge", write(tmp_path, "learner,fold,error", *rows), "--prior", 'b,"svm, c=1"')
    assert answer.exit_code == 0


@pytest.mark.parametrize(
    ("folds", "status", "ends"), [(8, "decided", [0.4, 0.4]), (5, "undecided", ["-Infinity", "Infinity"])]
)
def test_infinite_statistics_are_valid_json(folds, status, ends, tmp_path):
    """A difference without any variance: of few folds it shows nothing, and its interval has no ends."""
    rows = [f"{name},{f},{base + f}" for name, base in (("a", 0.1), ("b", 0.5)) for f in range(folds)]
    answer = command("judge", write(tmp_path, "learner,fold,error", *rows), "--prior", "b,a", "--json")

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    data = json.loads(answer.stdout, parse_constant=refuse)
    (pair,) = data["comparison"]["pairs"]
    assert pair["statistic"] == "-Infinity"
    assert [-pair["high"], -pair["low"]] == pytest.approx(ends) if folds > 5 else [pair["low"], pair["high"]] == ends
    assert data["status"] == status


def test_a_broken_pipe_is_no_traceback(tmp_path):
    process = subprocess.run(
        f"{sys.executable} -m bestofk compare {EXAMPLE} 2>{tmp_path}/words | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.startswith("first\tsecond")
    assert "Traceback" not in (tmp_path / "words").read_text()


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="the system has no device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ("judge", EXAMPLE),
        ("judge", EXAMPLE, "--json"),
        ("judge", "none.csv", "--json"),
        ("gate", "a", "--against", "b", "--results", EXAMPLE, "--margin", "0.01", "--json"),
        ("list", "--json"),
        ("--version",),
        ("judge", "--help"),
    ],
    ids=lambda words: " ".join(word for word in words if word != EXAMPLE),
)
def test_a_full_disk_is_no_answer(words):
    """1 would say that the new model of a gate is worse."""
    with FULL.open("w") as full:
        process = subprocess.run(
            [sys.executable, "-m", "bestofk", *map(str, words)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert process.returncode == 2
    lines = process.stderr.splitlines()
    assert lines[:2] == ["the answer cannot be written: No space left on device.", "  where: the standard output"]
    assert len(lines) == 3


@pytest.mark.parametrize(("asked", "code"), [("tied", 1), ("undecided,tied", 1), ("undecided", 0), ("tide", 2)])
def test_every_verdict_ends_with_0_unless_somebody_asks(asked, code):
    assert command("judge", EXAMPLE, "--fail-on", asked).exit_code == code


TABLES = {
    "folds": EXAMPLE,
    "data sets": EXAMPLES / "bramer_15_2.csv",
    "items": EXAMPLES / "predictions.csv",
    "curves": EXAMPLES / "curves.csv",
}
#: Options by the kinds of results that they say nothing about.
UNUSED = {
    "--plan abc": tuple(TABLES),
    "--align common": ("folds", "data sets", "items"),
    "--test-fraction 0.3": ("data sets", "items", "curves"),
    "--replications 2": ("data sets", "items", "curves"),
    f"--features {EXAMPLE}": ("folds", "items", "curves"),
}


@pytest.mark.parametrize(("option", "kind"), [(option, kind) for option, kinds in UNUSED.items() for kind in kinds])
def test_an_option_without_effect_is_refused(option, kind):
    direction = ["--larger-is-better"] if kind == "data sets" else []
    answer = command("judge", TABLES[kind], *direction, *option.split())
    name = option.split()[0].removeprefix("--").replace("-", "_")
    assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 3)
    assert answer.stderr.startswith(f"{name} is ")
    assert "no effect" in answer.stderr


@pytest.mark.parametrize(
    "words",
    [
        *("--effect 0.5 --larger-is-better", "--effect 0.5 --smaller-is-better", "--n 10 --measure error"),
        "--effect 0.5 --n 10 --power 0.9",
        *(f"{EXAMPLE} {option}" for option in ("--effect 0.5", "--n 10", "--folds 2", "--measures 2")),
    ],
)
def test_an_option_of_power_without_effect_is_refused(words):
    answer = command("power", *words.split())
    assert (answer.exit_code, len(answer.stderr.splitlines())) == (2, 3)
    assert words.split()[-2 if words[-1].isdigit() or words.endswith("error") else -1] in answer.stderr.splitlines()[0]


def test_a_bug_ends_with_70_and_leaves_its_traceback_in_a_file(monkeypatch, tmp_path):
    class Odd(RuntimeError):
        def __str__(self):
            raise ValueError

    def broken(*arguments, **options):
        raise Odd

    monkeypatch.setattr("bestofk.verbs.judge", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answer = command("judge", EXAMPLE)
    assert answer.exit_code == 70
    assert len(answer.stderr.splitlines()) == 3
    (file,) = tmp_path.iterdir()
    assert str(file) in answer.stderr
    assert "in broken" in file.read_text(encoding="utf-8")
    told = json.loads(command("judge", EXAMPLE, "--json").stdout)
    assert "Odd" in told["wrong"]
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    full = command("judge", EXAMPLE)
    assert full.exit_code == 70
    assert "in broken" in full.stderr


@pytest.mark.parametrize(
    "words",
    [
        *(f"{line} {'a' * 300}" for line in ("judge", f"judge {EXAMPLE} --costs", f"judge {EXAMPLE} --features")),
        *(f"{line} {'a' * 300}" for line in ("data list --data", "collect plan.toml --into", "gate new --against")),
        "judge ~nobody-here/results.csv",
        f"judge {EXAMPLE} --learners ''",
        f"judge {EXAMPLE} --prior 'max,\nnobody'",
        f"judge {EXAMPLE} --on 'error,\nnobody'",
        "power --test friedman --effect 0.5 --learners ²",
        "calibrate curves --questions ''",
        f"collect {EXAMPLES / 'plan.toml'} --into {{}} --engine local:{'9' * 5_000}",
    ],
    ids=lambda words: words.split("/")[-1][:60],
)
def test_no_word_is_taken_for_a_bug(words, tmp_path):
    assert three_lines(command(*shlex.split(words.format(tmp_path / "r.db"))))


def test_a_warning_is_a_line_without_the_source_that_gave_it():
    code = "import warnings, bestofk.verbs as v; v.judge = lambda *a, **b: warnings.warn('Trying \\x1b[31magain.')"
    code += f"; from bestofk.cli import main; main(['judge', {str(EXAMPLE)!r}])"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stderr.splitlines()[0] == "Trying again."


def test_read_shows_what_is_understood_and_writes_it(tmp_path):
    answer = command("read", EXAMPLE)
    assert answer.exit_code == 0
    assert len(answer.stdout.splitlines()) <= 24
    for name in PRIOR.split(","):
        assert name in answer.stdout
    assert "smaller is better" in answer.stdout
    long = tmp_path / "long.jsonl"
    told = json.loads(command("read", EXAMPLE, "--convert", long, "--json").stdout)
    assert (told["kind"], told["results"], told["converted"]["rows"]) == ("scores", 50, 50)
    one, other = (json.loads(command("judge", path, "--json").stdout) for path in (EXAMPLE, long))
    assert all(one[name] == other[name] for name in ("order", "status", "best_set", "rank_intervals", "reasons"))


def test_a_read_of_many_names_fits_a_screen(tmp_path):
    rows = [f"learner number {k},data set number {d},0.{k + d:03}" for k in range(60) for d in range(90)]
    path = write(tmp_path, "model,data,error", *rows)
    answer = command("read", path)
    assert answer.exit_code == 0
    assert len(answer.stdout.splitlines()) <= 24


def test_options_of_columns_are_those_of_python(tmp_path):
    rows = [f"{w},{q},{t},{(3 * q + len(w)) % 4 > 1:d},dev" for w in ("a", "bb") for q in range(12) for t in ("x",)]
    path = write(tmp_path, "who,nr,topic,accuracy,part", *rows, "a,99,x,1,train")
    words = ["--learner", "who", "--item", "nr", "--group", "topic", "--filter", "part=dev"]
    told = json.loads(command("read", path, *words, "--json").stdout)
    found = bk.read(path, learner="who", item="nr", group="topic", filter={"part": "dev"}).summary()
    assert told == found.to_dict()
    assert (told["units"]["item"], told["groups"]) == (12, ["x"])
    wrong = command("judge", path, *words[:-1], "part=dve")
    assert wrong.exit_code == 2
    assert "did you mean 'dev'" in wrong.stderr


def test_a_mistyped_command_is_answered_with_the_nearest():
    run = subprocess.run([sys.executable, "-m", "bestofk", "jugde", "x"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "did you mean 'judge'?" in run.stderr
    assert len(run.stderr.splitlines()) == 3


def test_an_unknown_name_of_many_is_answered_with_a_few():
    run = subprocess.run(
        [sys.executable, "-m", "bestofk", "explain", "zzz"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "bestofk list" in run.stderr
    assert max(map(len, run.stderr.splitlines())) < 200


def test_explain_knows_the_terms_of_the_glossary_also_by_their_beginning():
    whole = command("explain", "winner test").stdout.split(":", 1)[1]
    assert command("explain", "winner-test").stdout.split(":", 1)[1] == whole
    assert command("explain", "winner").stdout.split(":", 1)[1] == whole
    assert command("explain", "zzz").exit_code == 2


SHOWN = {
    "several measures": ("learner,dataset,accuracy,f1\na,x,0.5,0.4\nb,x,0.6,0.7\n", {"measure": ["accuracy", "f1"]}),
    "unknown direction": ("learner,dataset,taste\na,x,5\nb,x,6\n", {"larger_is_better": [True, False]}),
    "one learner": ("learner,dataset,accuracy\na,x,0.5\na,y,0.6\n", {}),
    "one run": ("learner,seed,accuracy\na,1,0.5\nb,1,0.6\n", {}),
    "missing results": ("learner,dataset,accuracy\na,x,0.5\na,y,0.6\nb,x,0.4\n", {}),
}


@pytest.mark.parametrize("case", SHOWN)
def test_read_shows_what_judge_would_ask_about(tmp_path, case):
    path = tmp_path / "results.csv"
    text, unsaid = SHOWN[case]
    path.write_text(text)
    answer = CliRunner().invoke(main, ["read", str(path), "--json"])
    assert answer.exit_code == 0, answer.output
    found = json.loads(answer.output)
    assert found["unsaid"] == unsaid
    assert set(found["measures"]) >= set(unsaid.get("measure", ()))
    assert (None in found["measures"].values()) == ("larger_is_better" in unsaid)
    assert bool(found["missing"]) == (case == "missing results")
    assert CliRunner().invoke(main, ["judge", str(path)]).exit_code == 2


def test_what_nobody_said_is_not_said_for_the_user(tmp_path):
    path, long = tmp_path / "results.csv", tmp_path / "long.csv"
    path.write_text(SHOWN["unknown direction"][0])
    answer = CliRunner().invoke(main, ["read", str(path), "--convert", str(long)])
    assert (answer.exit_code, long.exists()) == (0, True)
    assert "larger-is-better" not in answer.output.splitlines()[-1]
