"""Golden values by enumeration: every sign pattern, split, partition, permutation or subset, in plain Python.

Usage: python brute_force.py FOLDER. Slow and obvious on purpose. Inputs are short decimals and are taken as exact
fractions, so a tie is a tie and a count is a count; only the last division gives a rounded number.
"""

import itertools
import math
import platform
import random
import sys
from fractions import Fraction

from cases import INPUTS, Cases, ref


def source(call):
    """Program, version, call."""
    return "plain Python", platform.python_version(), call


def exact(value):
    """The decimal that was typed, not the double next to it."""
    return [exact(each) for each in value] if isinstance(value, list) else Fraction(str(value))


def differences(name):
    return [a - b for a, b in zip(exact(INPUTS[f"{name}_first"]), exact(INPUTS[f"{name}_second"]), strict=True)]


def midranks(values):
    """Average ranks, as fractions."""
    return [sum(v < x for v in values) + Fraction(sum(v == x for v in values) + 1, 2) for x in values]


def tail(null, observed, side):
    """The share of the null values as far out as the observed one."""
    if side == "greater":
        count = sum(v >= observed for v in null)
    elif side == "less":
        count = sum(v <= observed for v in null)
    else:
        centre = Fraction(sum(null), len(null))
        count = sum(abs(v - centre) >= abs(observed - centre) for v in null)
    return count / len(null)


SIDES = ("two-sided", "greater", "less")


# ---- two learners ---------------------------------------------------------------------------------------------


def wilcoxon(cases):
    for pair in ("plain", "tied", "zeros", "even_zeros", "decimal"):
        d = differences(f"ranks_{pair}")
        args = [ref(f"ranks_{pair}_first"), ref(f"ranks_{pair}_second")]
        for zeros in ("drop", "pratt"):
            if zeros == "pratt" and not any(v == 0 for v in d):
                continue
            kept = [v for v in d if v != 0] if zeros == "drop" else d
            ranks = midranks([abs(v) for v in kept])
            free = [r for r, v in zip(ranks, kept, strict=True) if v != 0]
            plus = sum(r for r, v in zip(ranks, kept, strict=True) if v > 0)
            null = [
                sum(r for r, s in zip(free, signs, strict=True) if s)
                for signs in itertools.product((0, 1), repeat=len(free))
            ]
            for side in SIDES:
                cases.add(
                    f"wilcoxon-{pair}-{zeros}-exact-{side}-enumerated",
                    "stats.pairwise.wilcoxon",
                    args,
                    {"statistic": float(plus), "pvalue": tail(null, plus, side)},
                    source(f"all {len(null)} sign patterns"),
                    kwargs={"zeros": zeros, "method": "exact", "alternative": side},
                    note="differences equal as decimals, unequal as doubles, are tied" if pair == "decimal" else None,
                )
    for pair in ("zeros", "even_zeros"):
        split_wilcoxon(cases, pair)


def split_wilcoxon(cases, pair):
    """Demsar 2006: zeros shared equally, an odd one ignored, z without a correction for ties."""
    d = differences(f"ranks_{pair}")
    if sum(v == 0 for v in d) % 2:
        d.remove(0)
    ranks = midranks([abs(v) for v in d])
    plus = sum(r * (2 if v > 0 else 1 if v == 0 else 0) for r, v in zip(ranks, d, strict=True)) / Fraction(2)
    n = len(d)
    z = (float(plus) - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    p = {
        "two-sided": math.erfc(abs(z) / math.sqrt(2)),
        "greater": math.erfc(z / math.sqrt(2)) / 2,
        "less": math.erfc(-z / math.sqrt(2)) / 2,
    }
    for side in SIDES:
        cases.add(
            f"wilcoxon-{pair}-split-normal-{side}-written_out",
            "stats.pairwise.wilcoxon",
            [ref(f"ranks_{pair}_first"), ref(f"ranks_{pair}_second")],
            {"statistic": float(plus), "pvalue": p[side]},
            source("z = (W - n(n+1)/4) / sqrt(n(n+1)(2n+1)/24); erfc"),
            kwargs={"zeros": "split", "method": "normal", "alternative": side},
            note="Demsar 2006, section 3.1.3; scipy's zsplit does not drop an odd zero and corrects for ties",
        )


def permutation_t(cases):
    for pair in ("folds", "whole", "ranks_tied", "ranks_zeros", "ranks_decimal", "two"):
        d = differences(pair)
        null = [
            sum(v * s for v, s in zip(d, signs, strict=True)) for signs in itertools.product((1, -1), repeat=len(d))
        ]
        for side in SIDES:
            cases.add(
                f"permutation_t-{pair}-{side}-enumerated",
                "stats.pairwise.permutation_t",
                [ref(f"{pair}_first"), ref(f"{pair}_second")],
                {"pvalue": tail(null, sum(d), side), "estimate": float(sum(d) / len(d))},
                source(f"all {len(null)} sign patterns"),
                kwargs={"alternative": side},
                note="the mirrored pattern ties with the observed one and is counted",
            )


# ---- curves ---------------------------------------------------------------------------------------------------


def two_way(families):
    """F of algorithm and of interaction for one split, as fractions."""
    k = len(families[0][0])
    curves = [c for f in families for c in f]
    number, m = len(curves), len(families)
    grand = sum(sum(c) for c in curves) / (number * k)
    column = [sum(c[h] for c in curves) / number for h in range(k)]
    between = within = interaction = Fraction(0)
    for f in families:
        row = sum(sum(c) for c in f) / (len(f) * k)
        between += len(f) * k * (row - grand) ** 2
        for h in range(k):
            cell = sum(c[h] for c in f) / len(f)
            interaction += len(f) * (cell - row - column[h] + grand) ** 2
            within += sum((c[h] - cell) ** 2 for c in f)
    error = within / (number * k - m * k)
    return between / (m - 1) / error, interaction / ((m - 1) * (k - 1)) / error


def splits(pool, sizes):
    """Every way to deal the curves out in families of the given sizes."""
    if len(sizes) == 1:
        yield [pool]
        return
    for chosen in itertools.combinations(range(len(pool)), sizes[0]):
        rest = [c for i, c in enumerate(pool) if i not in chosen]
        for others in splits(rest, sizes[1:]):
            yield [[pool[i] for i in chosen], *others]


def randomized(cases):
    families = {
        "two": ("curves_first", "curves_second"),
        "short": ("curves_short_first", "curves_short_second"),
        "unequal": ("curves_three_a", "curves_three_b", "curves_three_c"),
    }
    for label, names in families.items():
        observed = [exact(INPUTS[name]) for name in names]
        f_alg, f_int = two_way(observed)
        null = [two_way(split) for split in splits([c for f in observed for c in f], [len(f) for f in observed])]
        cases.add(
            f"randomized_anova-{label}-enumerated",
            "stats.curves.randomized_anova",
            [ref(name) for name in names],
            {
                "f_alg": float(f_alg),
                "f_int": float(f_int),
                "p_alg": sum(a >= f_alg for a, _ in null) / len(null),
                "p_int": sum(i >= f_int for _, i in null) / len(null),
            },
            source(f"all {len(null)} splits of whole curves"),
            kwargs={"exact": True},
            note="the observed split and its mirror image are among them; scipy's permutation_test can miss the mirror",
        )


def modify(cases):
    def change(curve, kind, f):
        k, first, r = len(curve), curve[0], curve[-1] - curve[0]
        half = Fraction(k, 2)
        changed = []
        for i, value in enumerate(curve, start=1):
            if kind == "a":
                by = f * r / 80
            elif kind == "b":
                by = f * r / 100 * (half - i + 1) if i <= half else -f * r / 100 * (i - half)
            elif kind == "c":
                by = f * (value - first) / 100 * (i - 1)
            else:
                by = f * r * Fraction(i - 1, 100) if i <= half else f * r * Fraction(k - i, 100)
            changed.append(float(value + by))
        return changed

    for name in ("curves_even", "curves_odd"):
        for kind in "abcd":
            for factor in (1, 2.5):
                cases.add(
                    f"modify-{name}-{kind}-{factor}-written_out",
                    "stats.curves.modify",
                    [ref(name), kind, factor],
                    {"": [change(curve, kind, exact(factor)) for curve in exact(INPUTS[name])]},
                    source(f"M_{kind} of the appendix, term by term"),
                    note="Piater, Cohen, Zhang, Atighetchi, appendix; k/2 is taken as it stands, also for odd k",
                )


# ---- adjusted p values ----------------------------------------------------------------------------------------


def partitions(items):
    """All set partitions."""
    if not items:
        yield []
        return
    head, *rest = items
    for smaller in partitions(rest):
        yield [[head], *smaller]
        for i, block in enumerate(smaller):
            yield [*smaller[:i], [head, *block], *smaller[i + 1 :]]


def true_sets(k):
    """Which pairs can be equal at once: one set of pairs per partition of the learners, without the empty one."""
    number = {pair: i for i, pair in enumerate(itertools.combinations(range(k), 2))}
    found = {
        frozenset(number[tuple(sorted(pair))] for block in p for pair in itertools.combinations(block, 2))
        for p in partitions(list(range(k)))
    }
    return [s for s in found if s]


def step_down(p, factor):
    """Adjusted p in the order given: factor(position in the sorted list) times p, made monotone."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, highest = [0.0] * len(p), 0.0
    for position, i in enumerate(order):
        highest = max(highest, factor(position, order) * p[i])
        adjusted[i] = min(1.0, highest)
    return adjusted


def shaffer_static(p, k):
    sizes = {len(s) for s in true_sets(k)}
    return step_down(p, lambda position, order: max(s for s in sizes if s <= len(p) - position))


def shaffer_dynamic(p, k):
    sets = true_sets(k)
    return step_down(p, lambda position, order: max(len(s) for s in sets if not s & set(order[:position])))


def bergmann_hommel(p, k):
    sets = true_sets(k)
    raw = [min(1.0, max(len(s) * min(p[j] for j in s) for s in sets if i in s)) for i in range(len(p))]
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, highest = [0.0] * len(p), 0.0
    for i in order:
        highest = max(highest, raw[i])
        adjusted[i] = highest
    return adjusted


def one_by_one(p, rule):
    """Step-down procedures that are no multiple of p: the rule gives the value at rank j of m."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, highest = [0.0] * len(p), 0.0
    for j, i in enumerate(order, start=1):
        highest = max(highest, rule(p[i], j, len(p)))
        adjusted[i] = min(1.0, highest)
    return adjusted


def raised(p, power):
    """1 - (1 - p)^power without losing a small p."""
    return 1.0 if p == 1 else -math.expm1(power * math.log1p(-p))


def adjust(cases):
    for name in ("p_mixed", "p_unsorted", "p_random", "p_tied", "p_tiny", "p_one"):
        p = INPUTS[name]
        cases.add(
            f"finner-{name}-written_out",
            "stats.adjust.finner",
            [ref(name)],
            {"": one_by_one(p, lambda v, j, m: raised(v, m / j))},
            source("running maximum of 1 - (1 - p_j)^(m/j)"),
            atol=0,
        )
        cases.add(
            f"holland-{name}-written_out",
            "stats.adjust.holland",
            [ref(name)],
            {"": one_by_one(p, lambda v, j, m: raised(v, m - j + 1))},
            source("running maximum of 1 - (1 - p_j)^(m-j+1)"),
            atol=0,
        )
        cases.add(
            f"li-{name}-written_out",
            "stats.adjust.li",
            [ref(name)],
            {"": [v / (v + 1 - max(p)) for v in p]},
            source("p_i / (p_i + 1 - p_m)"),
            atol=0,
        )
    for k in (3, 4, 5, 6):
        name = f"p_pairs_{k}"
        p = INPUTS[name]
        count = f"{len(true_sets(k))} sets of pairs that can be equal at once"
        for kind, rule in (("static", shaffer_static), ("dynamic", shaffer_dynamic)):
            cases.add(
                f"shaffer-{name}-{kind}-enumerated",
                "stats.adjust.shaffer",
                [ref(name)],
                {"": rule(p, k)},
                source(count),
                kwargs={"kind": kind},
                atol=0,
            )
        cases.add(
            f"bergmann_hommel-{name}-enumerated",
            "stats.adjust.bergmann_hommel",
            [ref(name)],
            {"": bergmann_hommel(p, k)},
            source(count),
            atol=0,
            note="running maximum in the order of p",
        )


# ---- ordering -------------------------------------------------------------------------------------------------


def first_order(edges, prior):
    """The first order, in the sense of the prior, that puts the head of every edge before its tail."""
    for order in itertools.permutations(prior):  # the prior's own order of names makes this lexicographic
        place = {name: i for i, name in enumerate(order)}
        if all(place[better] < place[worse] for worse, better in edges):
            return list(order)
    raise ValueError("a cycle")


def ordering(cases):
    draw = random.Random(160)
    for number in range(12):
        k = 4 + number % 3
        prior = ["max", "nmc", "lgc", "c45", "nn", "svm"][:k]
        draw.shuffle(prior)
        pairs = list(itertools.combinations(prior, 2))
        edges = [list(pair) for pair in pairs if draw.random() < 0.15 + 0.06 * number]
        cases.add(
            f"from_edges-{number}-enumerated",
            "ordering.from_edges",
            [edges, prior],
            {"order": first_order(edges, prior)},
            source("the first of all permutations that no edge forbids"),
        )
    for number in range(8):
        k = 4 + number % 3
        accepts = [[True] * k for _ in range(k)]
        for i, j in itertools.combinations(range(k), 2):
            accepts[i][j] = accepts[j][i] = draw.random() < 0.6
        whole = [
            set(s)
            for size in range(1, k + 1)
            for s in itertools.combinations(range(k), size)
            if all(accepts[i][j] for i, j in itertools.combinations(s, 2))
        ]
        largest = [sorted(s) for s in whole if not any(s < other for other in whole)]
        cases.add(
            f"cliques-{number}-enumerated",
            "ordering.cliques",
            [accepts],
            {"": largest},
            source("all subsets of learners"),
            compare="sets",
        )
    for number in range(12):
        range_best(cases, draw, number)


def range_best(cases, draw, number):
    """Random underlines, and the rule for the best of them."""
    prior = [1, 2, 3, 4, 5]
    order = prior[:]
    draw.shuffle(order)
    starts = sorted(draw.sample(range(4), 2))
    ends = sorted(draw.sample(range(1, 5), 2))
    lines = [order[a : b + 1] for a, b in zip(starts, ends, strict=True) if b > a]
    front = next((line for line in lines if order[0] in line), [order[0]])
    simplest = min(front)
    spoiled = any(simplest in line and min(line) < simplest for line in lines if line is not front)
    cases.add(
        f"newman_keuls_best_from-{number}-written_out",
        "ordering.newman_keuls_best_from",
        [order, lines, prior],
        {"": None if spoiled else simplest},
        source("the simplest of the first range, unless another range holds it together with a simpler one"),
    )


def main(folder):
    for topic, writers in {
        "pairwise": (wilcoxon, permutation_t),
        "curves": (randomized, modify),
        "adjust": (adjust,),
        "ordering": (ordering,),
    }.items():
        cases = Cases("brute_force", topic)
        for write in writers:
            write(cases)
        cases.save(folder)


if __name__ == "__main__":
    main(sys.argv[1])
