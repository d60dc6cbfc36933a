"""The first screen agrees with the fields of the verdict, for many random verdicts of every kind; it is small."""

import re
from dataclasses import replace
from unicodedata import east_asian_width

import numpy as np
import pytest

import bestofk as bk
import makers
from bestofk.core.phrases import p_words
from bestofk.ordering.methods import GROUPS
from bestofk.reporting import words
from bestofk.reporting.first_screen import first_table, listed_by
from bestofk.reporting.page import page_of
from bestofk.reporting.report import report_text
from bestofk.reporting.tables import PlainTable, aligned, fitted, laid_out, short_names
from bestofk.reporting.words import best_set_sentence, comparison_text, headline, ordering_text, title
from report_cases import EXAMPLES

NAMES = ("lda", "knn", "svm", "tree", "net", "bayes", "boost", "forest")
QUICK, SEEDS = 2, 8


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


def strata(rng, k):
    names = tuple(f"d{i}" for i in range(4))
    return _named(bk.Scores, _losses(rng, k, 4, 1, 10), datasets=names), {}


def amounts(rng, k):
    return makers.amounts(k, seed=rng, gap=float(rng.choice([0.0, 0.02])), folds=int(rng.choice([1, 5]))), {}


def gaps(rng, k):
    scores, _ = datasets(rng, max(k, 3))
    return makers.with_gap(scores, (0, 0, 0, 0)), {"missing": "keep"}


def graded(rng, k):
    values = np.clip(rng.normal(rng.uniform(0.4, 0.6, (k, 1)), 0.2, (k, 80)), 0, 1)
    return bk.Items(learners=NAMES[:k], values=values, measure="score", larger_is_better=True), {}


def battles(rng, k):
    k, number = max(k, 3), int(rng.choice([40, 400]))
    first = rng.integers(k, size=number)
    second = (first + rng.integers(1, k, size=number)) % k
    vote = rng.choice([0.0, 0.5]) * (second - first) + rng.logistic(size=number)
    score = np.where(np.abs(vote) < 0.4, 0.5, (vote > 0) * 1.0)
    return bk.Battles(learners=NAMES[:k], first=first, second=second, score=score), {}


def areas(rng, k):
    k, truth = min(k, 4), np.arange(200) % 2
    decisions = rng.uniform(0, 3, (k, 1)) * (truth - 0.5) + rng.normal(size=(k, 200))
    table = {"truth": truth.astype(str), "fold": np.arange(200) // 20}
    return bk.read(table | {f"{name}:decision": row for name, row in zip(NAMES, decisions, strict=False)}, on="roc"), {}


def ties(rng, k):
    """Two learners have the same mean and mean rank: the one has on every data set what the other has on its mirror."""
    values = _losses(rng, k, int(rng.integers(4, 12)), 1, 1).round(3)
    mirrored = (values + values[:, ::-1]) / 2
    mirrored[:2] = values[0], values[0, ::-1]
    names = tuple(f"d{i}" for i in range(values.shape[1]))
    return _named(bk.Scores, mirrored, datasets=names), {"test": str(rng.choice(["paired-t", "wilcoxon"]))}


def margin(rng, k):
    kind = (folds, items, runs, datasets)[rng.integers(4)]
    evidence, _ = kind(rng, k)
    price = dict(zip(evidence.learners, rng.permutation(len(evidence.learners)) + 1.0, strict=True))
    return replace(evidence, costs={"price": price}), {"prior": "price", "within": float(rng.choice([0.001, 0.1]))}


KINDS = (folds, splits, datasets, ranks, items, groups, curves, runs, tasks, measures, control, no_best, strata)
KINDS += (amounts, gaps, graded, battles, areas, margin, ties)


def judged(kind, seed):
    rng = np.random.default_rng(seed)
    evidence, options = kind(rng, int(rng.integers(2, len(NAMES) + 1)))
    if "prior" not in options and rng.random() < 0.5:
        options["prior"] = [str(name) for name in rng.permutation(evidence.learners)]
    if not {"method", "within"} & set(options) and kind is not battles and "prior" in options and rng.random() < 0.3:
        options["sides"] = "one"
    return bk.judge(evidence, adjust=str(rng.choice(["bonferroni", "holm", "none"])), **options)


def test_an_equal_of_the_choice_is_no_leader():
    alike = np.array([[1, 1, 0, 1, 1, 1, 0, 1], [1, 0, 1, 1, 1, 1, 0, 1], [0, 1, 0, 1, 0, 1, 0, 0]], float)
    shares = bk.judge(makers.items(alike), prior=("b", "a", "c"))
    values = 0.3 + 0.02 * np.random.default_rng(1).normal(size=(2, 6))
    ranks = bk.judge(makers.over_datasets([values[0], values[0, ::-1]]), test="wilcoxon", prior=("b", "a"))
    for verdict in (shares, ranks):
        assert (verdict.status, verdict.best) == ("preferred", "b")
        assert "has the best" not in headline(verdict)
        assert [row[-1] for row in first_table(verdict).rows][:2] == ["preferred", "not significant"]


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
    cost, quantity = verdict.ordering.prior_from, verdict.comparison.quantity
    begins = {
        "decided": f"{verdict.best} is best",
        "preferred": f"Take {verdict.best}",
        "within": f"Take {verdict.best}",
        "tied": "No single best" if verdict.control is None else title(verdict),
        "undecided": "Undecided" if verdict.decidable else "Not enough data",
    }[verdict.status]
    assert said.startswith(title(verdict))
    assert said.lower().startswith(
        f"{quantity}, {begins}".lower() if quantity and verdict.decidable else begins.lower()
    )
    if ": most preferred of those" in said:
        assert verdict.best == min(verdict.best_set, key=verdict.prior.index)
    elif verdict.status == "preferred" and not cost:
        assert said.startswith(f"Take {verdict.best}, by ")
    if lowest := re.search(f": lowest {cost} ", said):
        assert cost
        chosen = verdict.best_set if verdict.status == "preferred" else verdict.within.learners
        costs = verdict.evidence.costs[cost.replace("-", "_")]
        assert costs[verdict.best] == min(costs[name] for name in chosen), lowest
    sample = verdict.comparison.sample
    scopes = {
        "models": f"on {sample.unit}s like these",
        "these groups": "items of these groups",
        "runs": "whatever the seed",
        "learner": "data like this",
        "these data sets": f"on these {sample.datasets or sample.units} data sets",
        "data sets": "data sets like",
        "battles": "prompts and votes like these",
    }
    assert (scopes[verdict.scope] in said) == (verdict.status != "undecided")
    if verdict.status == "preferred":
        assert ("shown to be better" in said) == bool(verdict.beaten_by)
        assert ("every other learner is shown to be worse" in said) == (not verdict.rivals and not verdict.beaten_by)


def equal_to_choice(verdict, name):
    """Whether a learner has the mean, or the mean rank, of the choice."""
    means = verdict.comparison.mean_ranks or verdict.comparison.means
    return means[name] == pytest.approx(means[verdict.best], rel=1e-9)


def test_who_leads_is_the_best_mean_and_by_how_much(verdict):
    said = re.search(r"([\w-]+) has the best [\w ]+?(?: \(\w+ ([+−×][\d.e-]+)|[.;])", headline(verdict))
    means = verdict.comparison.means
    best = max(means.values()) if verdict.comparison.larger_is_better else min(means.values())
    if said is None:
        return
    assert verdict.status == "preferred"
    ranks = verdict.comparison.mean_ranks
    assert means[said[1]] == best if ranks is None else ranks[said[1]] == min(ranks.values())
    assert not equal_to_choice(verdict, said[1])
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
    first, *others = verdict.order
    alone = [name for name in others if verdict.reason(first, name).ground == "winner"]
    assert (said == "") == (verdict.status == "undecided" or (verdict.status == "decided" and not alone))
    if said and verdict.status == "decided":
        low, high = verdict.rank_intervals[first]
        assert (low, high) == (1, 1 + len(alone))
        assert named_in(said, verdict) == {*alone}
    elif said and verdict.control is not None:
        assert verdict.control in said
    elif said:
        named = verdict.best_set if verdict.status != "within" else verdict.within.learners
        if len(verdict.names) > 1 and set(named) == set(verdict.order):
            assert said.startswith("None is shown to be better in ")
            return
        assert named_in(said, verdict) == set(named) or f"{len(named) - 6} others" in said
        family = verdict.comparison.adjust != "none" or len(verdict.comparison.pairs) == 1
        assert ("95 %" in said) == family  # without adjustment alpha is of each pair by itself
    for name in verdict.best_set:
        assert not any(verdict.comparison.shows(other, name) for other in verdict.order if other != name)


#: Worse than a learner, or different from it, perhaps in some measures.
BESIDE_A_THIRD = re.compile(
    r"(?:worse than(?=.* only in )|(worse) than|differs from|(?:better|worse) .*than) (?!the control)(.+?)"
    r"(?:(?: only)? in .*)?(?:, ranked below)?$"
)


def _of_parts(verdict, first, name):
    """The largest adjusted p of the measures in which one of two is shown to be better, or None."""
    pair = verdict.comparison.pair(first, name)
    return max((part.adjusted for each in (first, name) for part in pair.shown_in(each)), default=None)


def _of_dominance(verdict, first, name):
    pair = verdict.comparison.pair(first, name)
    return None if pair.vector is None else pair.vector.dominance_adjusted


def test_every_row_of_the_table_says_what_is_shown(verdict):
    table = first_table(verdict)
    at = {column: i for i, column in enumerate(table.columns)}
    assert {row[at["learner"]] for row in table.rows} == set(verdict.order)
    first, control = verdict.reference, "" if verdict.control is None else "control"
    for row, state in zip(table.rows, table.states, strict=True):
        name, finding = row[at["learner"]], row[-1]
        low, high = verdict.rank_intervals[name]
        assert row[at["rank"]] == (str(low) if low == high else f"{low}–{high}")
        assert (row[0] == ">") == (name == verdict.best) == (state == "chosen")
        alone = name != first and verdict.reason(first, name).ground == "winner"
        assert (state == "worse") == (name not in (*verdict.best_set, verdict.best) and not alone)
        assert (verdict.measure in at) == (verdict.comparison.sample.scale == "difference")
        if verdict.measure in at:
            mean = float(row[at[verdict.measure]].replace("−", "-"))
            assert mean == pytest.approx(verdict.comparison.means[name], abs=6e-5 if abs(mean) < 100 else 0.06)
        ranks = verdict.comparison.mean_ranks
        assert ("mean rank" in at) == (ranks is not None)
        if ranks is not None:
            assert float(row[at["mean rank"]]) == pytest.approx(ranks[name], abs=6e-5)
        if name == first:
            chosen = {"decided": "best", "preferred": "preferred", "within": "good enough"}
            expected = chosen.get(verdict.status) if name == verdict.best else None
            best = f"best {listed_by(verdict.comparison)}"
            said = finding.removeprefix(control).removeprefix(", ")
            assert said == expected if expected else said in ("", best)
            continue
        finding = finding.removeprefix("preferred, ") if control and name == verdict.best else finding
        against, reason = verdict.against(first, name), verdict.reason(first, name)
        if against in ("worse", "better"):
            p = _of_dominance(verdict, first, name) or reason.pvalue
            assert finding == f"{against}, {p_words(p)}"
        elif against in ("trade-off", "differs") and name in verdict.best_set:
            assert re.match(r"better|worse|differs", finding)
            assert p_words(_of_parts(verdict, first, name) or reason.pvalue) in finding
        elif reason.ground == "winner":
            assert against == "not significant"
            assert finding == f"{p_words(verdict.comparison.pair(first, name).pvalue)}, tested alone"
        elif third := BESIDE_A_THIRD.search(finding):
            worse, other = third.groups()
            shown = verdict.comparison.shows if worse else verdict.comparison.differs
            assert other == "another" or shown(other, name)
        else:
            best = f"best {listed_by(verdict.comparison)}"
            said = finding.partition(", ranked")[0]
            same = against == "not significant" and verdict.comparison.pair(first, name).equivalent
            assert said.endswith("equivalent") == bool(same)
            said = said.replace("equivalent", "not significant")
            assert said in (against, f"{best}, {against}", *([best] if against == "not significant" else []))
            others = (other for other in verdict.order if other != name and verdict.comparison.compared(other, name))
            assert against != "not significant" or not any(verdict.comparison.shows(other, name) for other in others)
        if finding.startswith("best "):
            larger = verdict.comparison.larger_is_better and ranks is None
            means = ranks or verdict.comparison.means
            assert means[name] == pytest.approx((max if larger else min)(means.values()))
            assert verdict.best in (None, name) or not equal_to_choice(verdict, name)


def test_sentences_do_not_contradict_each_other(verdict):
    text = " ".join(repr(verdict).split())
    if verdict.status == "decided":
        rows = {re.sub("^p [=<] .*, ", "", row[-1]) for row in first_table(verdict).rows}
        assert {re.split(f",| than {verdict.best}", each)[0] for each in rows} <= {
            "best",
            "control",
            "worse",
            "tested alone",
        }
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


#: Sentences anywhere in a report that claim something of a pair.
BETTER = re.compile(r"([\w-]+) is (?:shown to be )?(better|worse) than ([\w-]+)")
ALIKE = re.compile(r"([\w-]+) and ([\w-]+) do not differ significantly|([\w-]+) and ([\w-]+): not significant")
NOT_WORSE = re.compile(r"([\w-]+) is not shown to be worse than ([\w-]+)")


@pytest.fixture(scope="module")
def page(verdict):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bestofk.reporting.page.figures_of", lambda verdict: ())
        patch.setattr("bestofk.judging.findings.two_learners.SAMPLES", (1_600,))
        return page_of(verdict)


def test_every_sentence_of_a_report_agrees_with_the_decisions(verdict, page):
    """Cautions, sections and the methods paragraph: what they say of a pair is what was decided of it."""
    comparison, known = verdict.comparison, set(verdict.order)
    blocks = [block for section in page.sections for block in section.blocks]
    said = [line for block in blocks for line in getattr(block, "lines", ())]
    said += [cell for block in blocks if block.kind == "table" for row in block.table.rows for cell in row]
    for text in (*said, *page.lines, *page.small, *(each.seen for each in verdict.advice)):
        now = re.split(r"[;,] without |; then ", text)[0]  # what follows is of other data sets
        for one, how, other in BETTER.findall(now):
            if {one, other} <= known:
                assert comparison.shows(*((one, other) if how == "better" else (other, one))), text
        for one, other in ((a or c, b or d) for a, b, c, d in ALIKE.findall(now)):
            assert not comparison.pair(one, other).significant, text
        for one, other in NOT_WORSE.findall(now):
            assert not {one, other} <= known or not comparison.shows(other, one), text


def test_the_pairs_of_a_report_are_those_decided(verdict, page):
    tables = [block.table for section in page.sections if section.anchor == "pairs-of-learners"
              for block in section.blocks if block.kind == "table"]  # fmt: skip
    found = [row for table in tables if table.columns[:2] == ("first", "second") for row in table.rows]
    assert {frozenset(row[:2]) for row in found} == set(map(frozenset, verdict.comparison.pairs))
    for one, other, *_, finding in found:
        pair = verdict.comparison.pair(one, other)
        if pair.shown is not None:
            assert finding.startswith(f"{pair.shown} better"), finding
        else:
            assert " better" not in finding or pair.relation in ("trade-off", "differ")
            assert not pair.significant or finding not in ("not significant", "not tested")


def test_the_methods_paragraph_says_what_was_done(verdict, page):
    comparison = verdict.comparison
    (methods,) = (section for section in page.sections if section.anchor == "methods")
    text = " ".join(methods.blocks[0].lines)
    best = re.findall(r"([\w-]+) is called best", text)
    winner = verdict.status == "decided" and len(verdict.order) > 2 and comparison.sides == "two"
    winner = winner and comparison.several is None and verdict.ordering.method == "multitest"
    assert best == ([verdict.best] if winner else [])
    assert "without adjustment, each at" not in text or comparison.adjust == "none"
    assert ("one-sided by" in text) == (comparison.sides == "one")
    if comparison.omnibus is not None and len(verdict.order) > 2:
        differs = comparison.omnibus.pvalue <= comparison.alpha
        over = [line for section in page.sections for block in section.blocks for line in getattr(block, "lines", ())
                if line.startswith("Over all learners: ") and "some learner differs" in line]  # fmt: skip
        assert differs or not over


def test_the_first_screen_of_the_page_says_the_same(verdict, page):
    assert headline(verdict).startswith(page.title)
    assert page.lines[0].rstrip(".").lower() in headline(verdict).lower()
    assert page.lines[1:] == tuple(filter(None, (best_set_sentence(verdict),)))
    assert page.advice == verdict.advice
    assert [row[1] for row in page.table.rows if row[0]] == ([verdict.best] if verdict.best else [])
    assert page.small[0].startswith("Tested by" if verdict.comparison.tested else "No pair was tested")


def test_the_first_screen_is_small(verdict):
    lines = repr(verdict).split("\n")
    assert max(map(columns, lines)) <= 80
    assert len(lines) <= 15


LONGER = ("ridge regression", "lasso", "random forest", "boosted trees", "knn-5", "knn-15", "perceptron", "svm rbf")


@pytest.mark.parametrize(
    "kind", [folds, splits, datasets, items, groups, runs, tasks, strata, amounts, graded, battles]
)
@pytest.mark.parametrize("prior", ["price", None, LONGER[::-1]])
def test_the_first_screen_of_eight_learners_ends_with_the_next_command(kind, prior):
    evidence, options = kind(np.random.default_rng(5), 8)
    price = dict(zip(LONGER, (5, 6, 7, 8, 1, 2, 3, 4), strict=True))
    verdict = bk.judge(replace(evidence, learners=LONGER, costs={"price": price}), prior=prior, **options)
    lines = words.verdict_lines(verdict, then="bestofk report results.csv --prior price -o verdict.html")
    assert max(map(columns, lines)) <= 80
    assert len(lines) <= 15
    assert lines[-1].startswith("Next ")
    assert len(repr(verdict).split("\n")) <= 15
    assert set(LONGER) <= {row[1] for row in fitted(first_table(verdict), 80).rows}


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
    assert first.startswith("No pair could be tested") == (not comparison.tested)
    if not comparison.tested:
        return
    differ, number = map(int, re.match(r"(\d+) of (\d+) pairs? ", first).groups())
    assert (differ, number) == (comparison.significant.sum(), len(comparison.pairs))


def test_an_order_names_all_learners_and_every_edge(verdict):
    ordering = verdict.ordering
    text = ordering_text(ordering)
    assert max(map(columns, text.split("\n"))) <= 80
    assert named_in(text, verdict) == set(verdict.order)
    assert ("finds no best" in text) == (ordering.best is None and ordering.method not in GROUPS)
    assert ("place" in text.split("\n\n")[1]) == (ordering.best is not None)  # numbers would make it a ranking
    assert " ".join(text.split()).count(" is preferred to ") == len(ordering.edges)


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


def test_where_there_is_no_room_the_measure_that_was_not_asked_for_goes_first():
    verdict = bk.judge(EXAMPLES / "skewed_classes.csv", on="precision,recall")
    assert {"error", "precision", "recall"} <= set(fitted(first_table(verdict), 120).columns)
    narrow = fitted(first_table(verdict), 60).columns
    assert {"precision", "recall"} <= set(narrow)
    assert "error" not in narrow


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
        (
            makers.runs([0.1 + 0.001 * np.arange(10), 0.12 + 0.003 * np.arange(10), [0.194, 0.2, 0.206]]),
            "3 to 10 runs each leave a and c fewer than 3 degrees of freedom",
        ),
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


def test_beside_the_bounds_of_a_margin_stand_no_intervals_of_another_level():
    files = EXAMPLES / "model_prices.csv"
    plain, margin = first_table(bk.judge(files)), first_table(bk.judge(files, within=0.15))
    assert any("[" in cell for row in plain.rows for cell in row)
    assert not any("[" in cell for row in margin.rows for cell in row)
    assert any(mark.low is not None for mark in plain.marks)
    assert all(mark.low is None and mark.high is None for mark in margin.marks)


def test_an_undecided_screen_says_what_would_decide():
    verdict = bk.judge(bk.read(EXAMPLES / "language_models.csv"))
    shown = " ".join(words.verdict_text(verdict).split())
    assert verdict.status == "undecided"
    assert verdict.advice[0].do in shown
    assert shown.count("4 tasks are too few") == 1


def test_a_heading_of_one_long_word_is_no_wider_than_the_terminal():
    table = PlainTable(("data set", "n" * 110, "b"), (("iris", "0.1", "0.2"),), frozenset({"n" * 110, "b"}))
    lines = laid_out(table, 80).split("\n")
    assert max(map(len, lines)) <= 80
    assert "".join(lines).count("n") == 110


def test_no_p_of_a_test_over_all_learners_is_zero():
    values = 0.1 * np.arange(12)[:, None] + 0.12 * np.random.default_rng(0).random((12, 400))
    verdict = bk.judge(makers.over_datasets(values))
    assert verdict.comparison.omnibus.pvalue < 1e-300
    assert "p < 1e-300" in repr(verdict.comparison.omnibus)
    assert not re.search(r"p = 0\b(?!\.)", report_text(verdict, "txt"))
