"""The first screen agrees with the fields of the verdict, for many random verdicts of every kind; it is small."""

import re
from unicodedata import east_asian_width

import numpy as np
import pytest

import bestofk as bk
import makers
from bestofk.reporting import words
from bestofk.reporting.first_screen import first_table, listed_by
from bestofk.reporting.tables import aligned, fitted, short_names, short_p
from bestofk.reporting.words import best_set_sentence, comparison_text, headline, ordering_text, title
from report_cases import EXAMPLES

NAMES = ("lda", "knn", "svm", "tree", "net", "bayes", "boost", "forest")
QUICK, SEEDS = 3, 8


def _losses(rng, k, *shape):
    """Errors of learners, some far apart and some equal."""
    gap = rng.choice([0.0, 0.02, 0.1])
    return 0.2 + gap * rng.random((k, *[1] * len(shape))) + rng.normal(0, 0.02, (k, *shape))


def _named(kind, values, **facts):
    return kind(learners=NAMES[: len(values)], values=values, measure="error", larger_is_better=False, **facts)


def folds(rng, k):
    shape = [(5, 2), (1, 10), (10, 10)][rng.integers(3)]
    return _named(bk.Scores, _losses(rng, k, *shape)), {}


def splits(rng, k):
    return bk.read(_named(bk.Scores, _losses(rng, k, 12, 1)), test_fraction=0.3), {}


def datasets(rng, k):
    number = int(rng.integers(3, 25))
    names = tuple(f"d{i}" for i in range(number))
    return _named(bk.Scores, _losses(rng, k, number, 1, 1), datasets=names), {}


def ranks(rng, k):
    names = tuple(f"d{i}" for i in range(9))
    scores = _named(bk.Scores, _losses(rng, k, 9, 5, 2), datasets=names)
    return scores, {"method": "multi2test", "prior": list(rng.permutation(scores.learners))}


def items(rng, k):
    right = (rng.random((k, 120)) < rng.uniform(0.5, 0.95, (k, 1))).astype(float)
    return bk.Items(learners=NAMES[:k], values=right, measure="correct", larger_is_better=True), {}


def groups(rng, k):
    found, _ = items(rng, k)
    names = tuple(f"g{i % 12}" for i in range(120))
    how = str(rng.choice(["sampled", "fixed"]))
    return bk.Items(learners=found.learners, values=found.values, measure="correct", larger_is_better=True,
                    groups=names), {"groups": how}  # fmt: skip


def curves(rng, k):
    level = rng.choice([0.0, 0.3])
    values = tuple(rng.normal(level * i, 0.3, (5, 8)) for i in range(min(k, 4)))
    return _named(bk.Curves, values), {}


def measures(rng, k):
    size = 100
    rates = rng.uniform(0.1, 0.4, (k, 1, 1, 1, 2)) if rng.random() < 0.7 else np.full((k, 1, 1, 1, 2), 0.2)
    fn, fp = np.moveaxis(rng.binomial(size, np.broadcast_to(rates, (k, 1, 1, 10, 2))), -1, 0)
    counts = np.stack([size - fn, fn, fp, size - fp], axis=-1).astype(float)
    error = (fn + fp) / (2 * size)
    scores = _named(bk.Scores, error, counts=counts)
    return scores, {"on": str(rng.choice(["tpr,fpr", "precision,recall", "confusion"])), "undefined": 0.0}


def control(rng, k):
    scores, _ = folds(rng, max(k, 3))
    return scores, {"control": str(rng.choice(scores.learners))}


def no_best(rng, k):
    scores, _ = folds(rng, k)
    return scores, {"method": "anova-best", "prior": list(rng.permutation(scores.learners))}


def runs(rng, k):
    values = [0.2 + rng.choice([0.0, 0.02]) * i + rng.normal(0, 0.01, rng.integers(4, 9)) for i in range(k)]
    return _named(bk.Runs, tuple(values)), {}


def tasks(rng, k):
    number, each = int(rng.integers(2, 14)), 4
    names = tuple(f"t{i // each}" for i in range(number * each))
    return _named(bk.Runs, tuple(_losses(rng, k, number * each)), datasets=(names,) * k), {}


KINDS = (folds, splits, datasets, ranks, items, groups, curves, runs, tasks, measures, control, no_best)


def judged(kind, seed):
    rng = np.random.default_rng(seed)
    evidence, options = kind(rng, int(rng.integers(2, len(NAMES) + 1)))
    if "prior" not in options and rng.random() < 0.5:
        options["prior"] = [str(name) for name in rng.permutation(evidence.learners)]
    if "method" not in options and "prior" in options and rng.random() < 0.3:
        options["sides"] = "one"
    return bk.judge(evidence, adjust=str(rng.choice(["bonferroni", "holm", "none"])), **options)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((kind, seed), id=f"{kind.__name__} {seed}", marks=[pytest.mark.slow] if seed >= QUICK else [])
        for kind in KINDS
        for seed in range(SEEDS)
    ],
)
def verdict(request):
    return judged(*request.param)


def columns(line):
    """Columns that a line takes on a terminal."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in line)


def named_in(text, verdict):
    """Learners that a text names."""
    return {name for name in verdict.order if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)}


def test_the_headline_says_the_status(verdict):
    said = headline(verdict)
    begins = {
        "decided": f"{verdict.best} is best",
        "preferred": f"Take {verdict.best}, by preference",
        "tied": "No single best" if verdict.control is None else title(verdict),
        "undecided": "Undecided" if verdict.decidable else "Not enough data",
    }[verdict.status]
    assert said.startswith(begins)
    assert said.startswith(title(verdict)) or verdict.status == "undecided"
    sample = verdict.comparison.sample
    scopes = {
        "models": f"on {sample.unit}s like these",
        "these groups": "items of these groups",
        "runs": "whatever the seed",
        "learner": "data like this",
        "these data sets": f"on these {sample.datasets or sample.units} data sets",
        "data sets": "data sets like",
    }
    assert (scopes[verdict.scope] in said) == (verdict.status != "undecided")
    if verdict.status == "preferred":
        assert ("shown to be better" in said) == bool(verdict.beaten_by)
        assert ("every other learner is shown to be worse" in said) == (not verdict.rivals and not verdict.beaten_by)


def test_who_leads_is_the_best_mean_and_by_how_much(verdict):
    said = re.search(r"([\w-]+) leads(?: \(\w+ ([+−×][\d.e-]+))?", headline(verdict))
    means = verdict.comparison.means
    best = max(means.values()) if verdict.comparison.larger_is_better else min(means.values())
    if said is None:
        return
    assert verdict.status == "preferred"
    ranks = verdict.comparison.mean_ranks
    assert means[said[1]] == best if ranks is None else ranks[said[1]] == min(ranks.values())
    assert said[1] != verdict.best
    if said[2]:
        table = first_table(verdict, most=len(verdict.order))
        rows = {row[1]: row[table.columns.index(table.drawn)] for row in table.rows}
        assert rows[said[1]].startswith(said[2])  # the same number in the same direction
        assert rows[said[1]] in headline(verdict)


def test_what_is_drawn_agrees_with_what_is_found(verdict):
    """An interval beside 0 is of a learner that is shown to be worse or better, and no other is."""
    table = first_table(verdict, most=len(verdict.order))
    first, zero = verdict.reference, table.axis.zero
    for row, mark in zip(table.rows, table.marks, strict=True):
        low, high = verdict.rank_intervals[row[1]]
        if not verdict.comparison.sized:
            assert mark.low <= mark.high
            assert (low == high) == (mark.low == mark.high)
        elif row[1] != first and mark.low is not None:
            assert 0 <= mark.low <= mark.at <= mark.high <= 100
            shown = verdict.against(first, row[1]) in ("worse", "better", "trade-off")
            if verdict.comparison.sides == "two":  # an end may be 0 itself
                assert (mark.high <= zero or mark.low >= zero) if shown else mark.low <= zero <= mark.high
        elif row[1] == first:
            assert mark.at == zero
    places = [place for place, _ in table.axis.ticks]
    assert places == sorted(places)
    assert 1 < len(places) < 10


def test_the_set_of_the_best_is_named(verdict):
    said = best_set_sentence(verdict)
    assert (said == "") == (verdict.status in ("decided", "undecided"))
    if said and verdict.control is not None:
        assert verdict.control in said
    elif said:
        assert named_in(said, verdict) == set(verdict.best_set) or f"{len(verdict.best_set) - 6} others" in said
        family = verdict.comparison.adjust != "none" or len(verdict.comparison.pairs) == 1
        assert ("95 %" in said) == family  # without adjustment alpha is of each pair by itself
    for name in verdict.best_set:
        assert not any(verdict.comparison.shows(other, name) for other in verdict.order if other != name)


#: Worse than a learner, or different from it, perhaps in some measures.
BESIDE_A_THIRD = re.compile(
    r"(?:(worse) than|differs from|(?:better|worse) .*than) (?!the control)(.+?)(?: in .*)?(?:, ranked below)?$"
)


def test_every_row_of_the_table_says_what_is_shown(verdict):
    table = first_table(verdict)
    at = {column: i for i, column in enumerate(table.columns)}
    assert {row[at["learner"]] for row in table.rows} == set(verdict.order)
    first, control = verdict.reference, "" if verdict.control is None else "control"
    for row, state in zip(table.rows, table.states, strict=True):
        name, finding = row[at["learner"]], row[at["finding"]]
        low, high = verdict.rank_intervals[name]
        assert row[at["rank"]] == (str(low) if low == high else f"{low}–{high}")
        assert (row[0] == ">") == (name == verdict.best) == (state == "chosen")
        assert (state == "worse") == (name not in verdict.best_set and name != verdict.best)
        assert float(row[at[verdict.measure]].replace("−", "-")) == pytest.approx(
            verdict.comparison.means[name], abs=6e-5
        )
        ranks = verdict.comparison.mean_ranks
        assert ("mean rank" in at) == (ranks is not None)
        if ranks is not None:
            assert float(row[at["mean rank"]]) == pytest.approx(ranks[name], abs=6e-5)
        if name == first:
            expected = (
                {"decided": "best", "preferred": "preferred"}.get(verdict.status) if name == verdict.best else None
            )
            best = f"best {listed_by(verdict.comparison)}"
            said = finding.removeprefix(control).removeprefix(", ")
            assert said == expected if expected else said in ("", best)
            continue
        finding = finding.removeprefix("preferred, ") if control and name == verdict.best else finding
        against, reason = verdict.against(first, name), verdict.reason(first, name)
        if against in ("worse", "better"):
            beside = "" if verdict.comparison.sized else f" than {first}"
            assert finding == f"{against}{beside}, {short_p(reason.pvalue)}"
        elif against in ("trade-off", "differs") and name in verdict.best_set:
            assert re.match(r"better|worse|differs", finding)
            assert short_p(reason.pvalue) in finding
        elif reason.ground == "winner":
            assert against == "not significant"
            assert finding == f"winner test {short_p(verdict.comparison.pair(first, name).pvalue)}"
        elif third := BESIDE_A_THIRD.search(finding):
            worse, other = third.groups()
            shown = verdict.comparison.shows if worse else verdict.comparison.differs
            assert other == "another" or shown(other, name)
        else:
            best = f"best {listed_by(verdict.comparison)}"
            said = finding.partition(", ranked")[0]
            assert said in (against, f"{best}, {against}", *([best] if against == "not significant" else []))
            others = (other for other in verdict.order if other != name and verdict.comparison.compared(other, name))
            assert against != "not significant" or not any(verdict.comparison.shows(other, name) for other in others)
        if finding.startswith("best "):
            larger = verdict.comparison.larger_is_better and ranks is None
            means = ranks or verdict.comparison.means
            assert means[name] == pytest.approx((max if larger else min)(means.values()))


def test_sentences_do_not_contradict_each_other(verdict):
    text = " ".join(repr(verdict).split())
    if verdict.status == "decided":
        findings = {re.split(f",| p | than {verdict.best}", row[-1])[0] for row in first_table(verdict).rows}
        assert findings <= {"best", "control", "worse", "winner test"}
        assert "The best is among" not in text
        assert verdict.best_set == (verdict.best,)
    if verdict.status in ("tied", "undecided"):
        assert not re.search(r"is best|Take |preferred", text)
        assert ">" not in {row[0] for row in first_table(verdict).rows}
    if verdict.status == "undecided" and not verdict.decidable:
        assert not re.search(r"worse, p|better, p", text)
    if verdict.beaten_by:
        assert verdict.best not in verdict.best_set
    assert ("Careful" in text) == bool(verdict.advice)
    if verdict.advice:
        assert verdict.advice[0].code in text
        assert (f"; {len(verdict.advice) - 1} more" in text) == (len(verdict.advice) > 1)
    assert "nan" not in text
    assert "inf" not in text.replace("inference", "")


def test_the_first_screen_is_small(verdict):
    lines = repr(verdict).split("\n")
    assert max(map(columns, lines)) <= 80
    assert len(lines) <= 15


def test_what_was_tested_is_said(verdict):
    said, comparison = words.tested(verdict.comparison), verdict.comparison
    assert comparison.sample.units_text in said
    assert f", {comparison.test}" in said
    assert said.endswith(f"alpha {comparison.alpha:g}")
    assert ("one-sided" in said) == (comparison.sides == "one")
    if len(comparison.pairs) > 1:
        assert ("not adjusted" in said) == (comparison.adjust == "none")
        assert f"{comparison.adjust} over {len(comparison.pairs)} pairs" in said or comparison.adjust == "none"
    if comparison.control:
        assert f"with {comparison.control}" in said


def test_a_comparison_counts_the_pairs_that_differ(verdict):
    comparison = verdict.comparison
    first, *_ = comparison_text(comparison).split("\n")
    differ, number = map(int, re.match(r"(\d+) of (\d+) pairs? ", first).groups())
    assert (differ, number) == (comparison.significant.sum(), len(comparison.pairs))


def test_an_order_names_all_learners_and_every_edge(verdict):
    text = ordering_text(verdict.ordering)
    assert named_in(text, verdict) == set(verdict.order)
    assert ("finds no best" in text) == (verdict.ordering.best is None)
    assert text.count(" is preferred to ") == len(verdict.ordering.edges)


@pytest.mark.parametrize("name", ["a" * 70, "a name of many words " * 6, "学习者" * 20])
def test_long_names_are_in_lines_and_never_cut(name):
    names = (name + " 1", name + " 2", "c")
    values = _losses(np.random.default_rng(0), 3, 5, 2)
    scores = bk.Scores(learners=names, values=values, measure="error", larger_is_better=False)
    for prior in (None, names):
        text = repr(bk.judge(scores, prior=prior))
        assert max(map(columns, text.split("\n"))) <= 80
        assert "".join(name.split()) in "".join(text.split())


@pytest.mark.parametrize(
    "name", ["[bold red]x[/] and more", "<script>alert(1)</script>", "a rather long name 1/2", "x/y/"]
)
def test_only_paths_are_cut_at_their_slashes(name):
    for room in (6, 12, 16):
        short, _ = short_names([name, "lab/network-1"], room)
        assert len(short) == min(len(name), room)
        assert short.startswith(name[:2])


@pytest.mark.parametrize("owners", [("lab/", "other-lab/", "lab/"), ("a rather long start of ",) * 3])
def test_long_names_are_shortened_before_intervals_are_left_out(owners):
    ends = ("claude-3-5-haiku-20241022", "gpt-4o-mini-of-the-last-summer", "x")
    names = tuple(map("".join, zip(owners, ends, strict=True)))
    values = _losses(np.random.default_rng(0), 3, 5, 2)
    verdict = bk.judge(bk.Scores(learners=names, values=values, measure="error", larger_is_better=False))
    table = fitted(first_table(verdict), 80)
    assert max(map(columns, aligned(table).split("\n"))) <= 80
    shown = [row[table.row_name] for row in table.rows]
    assert len(set(shown)) == len(table.rows) == 3
    assert [name[-1] for name in shown] == [name[-1] for name in verdict.order]
    assert sum("[" in cell for row in table.rows for cell in row) == 2
    assert {row[table.row_name] for row in fitted(first_table(verdict), 200).rows} == set(names)


def test_many_learners_are_counted_and_not_named():
    names = tuple(f"n{i}" for i in range(30))
    values = _losses(np.random.default_rng(0), 30, 5, 2)
    verdict = bk.judge(bk.Scores(learners=names, values=values, measure="error", larger_is_better=False))
    assert len(first_table(verdict).rows) == 8
    assert "and 23 more" in repr(verdict)
    assert "verdict.report" in repr(verdict)
    assert "--full" not in repr(verdict)
    assert "--full" in "\n".join(words.verdict_lines(verdict, then="bestofk report x.csv"))
    assert len(repr(verdict).split("\n")) <= 15
    assert "others" in best_set_sentence(verdict)


def test_a_long_name_costs_no_column():
    rng = np.random.default_rng(0)
    values = np.array([0.1, 0.12, 0.2])[:, None, None] + 0.01 * rng.normal(size=(3, 1, 10))
    names = ("gradient boosting (deep, 500)", "tree", "lda")
    tables = [
        aligned(fitted(first_table(bk.judge(makers.folds(values, learners=each))), 80))
        for each in (names, ("a", *names[1:]))
    ]
    found = [re.findall(r"\[[−+][^\]]+\]|p [=<] \S+| \d(?:–\d)? (?= )", each) for each in tables]
    assert len(found[0]) == 6
    assert found[0] == found[1]
    assert max(map(len, tables[0].split("\n"))) <= 80


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (makers.folds([[[0.1] * 5], [[0.2] * 5], [[0.3, 0.31, 0.32, 0.35, 0.4]]]), "always differ by the same"),
        (makers.runs([[0.1, 0.12], [0.11, 0.13], [0.5, 0.51, 0.52, 0.53, 0.51]]), "fewer than 3 runs"),
    ],
)
def test_an_undecided_verdict_says_which_pair_and_why(evidence, said):
    verdict = bk.judge(evidence)
    if verdict.decidable:
        assert (verdict.status, said in headline(verdict)) == ("undecided", True)
        assert {"a", "b"} & named_in(headline(verdict), verdict)


def test_differences_of_ranks_are_said_to_be_medians():
    rng = np.random.default_rng(0)
    rows = 0.3 + 0.02 * rng.normal(size=(3, 14))
    for test, medians in (("wilcoxon", True), ("sign", True), ("paired-t", False), ("nemenyi", False)):
        comparison = bk.compare(makers.over_datasets(rows), test=test)
        assert (comparison.about == "median") == medians
        assert ("median differences" in words.tested(comparison)) == medians


def test_what_learners_differ_in_is_said():
    verdict = bk.judge(EXAMPLES / "two_class.csv", on="tpr,fpr")
    findings = {row[1]: row[-1] for row in first_table(verdict).rows}
    for name, finding in findings.items():
        assert "differs" not in finding or {"tpr", "fpr"} & set(finding.split()), name
    assert "differs from lda" in findings["tree"]


def test_the_bound_has_one_name_everywhere():
    verdict = bk.judge(EXAMPLES / "model_prices.csv", prior="price", within=0.15)
    assert "behind" in first_table(verdict).columns
    for width in (120, 80):
        assert "behind" in aligned(fitted(first_table(verdict), width)).split("\n")[0].split()
