"""The numbers every program is fed with: drawn once from fixed seeds, rounded to few decimals.

Rounding keeps the files small and makes every input an exact short decimal, so that the
programs that work with fractions see the same values as those that work with doubles.
"""

import random


def losses(seed, shape, mean=0.2, spread=0.04, decimals=4):
    """Nested lists of the given shape; each leaf is one loss."""
    draw = random.Random(seed)

    def block(sizes):
        if not sizes:
            return round(draw.gauss(mean, spread), decimals)
        return [block(sizes[1:]) for _ in range(sizes[0])]

    return block(list(shape))


def shifted(base, by, seed, spread=0.02, decimals=4):
    """A second learner on the same folds: the first plus a shift and its own noise."""
    draw = random.Random(seed)

    def move(value):
        if isinstance(value, list):
            return [move(each) for each in value]
        return round(value + by + draw.gauss(0, spread), decimals)

    return move(base)


def coins(seed, rows, chances):
    """0/1 table with items of unequal difficulty, so that learners agree more than by chance."""
    draw = random.Random(seed)
    table = []
    for _ in range(rows):
        hardness = draw.uniform(-0.25, 0.2)
        table.append([int(draw.random() < chance - hardness) for chance in chances])
    return table


def pairwise():
    folds = losses(1, [10])
    many = losses(3, [30])
    clear = losses(5, [20])
    five_by_two = losses(7, [5, 2])
    repeated = losses(10, [10, 10], spread=0.05)
    few = losses(12, [3, 5])
    return {
        "folds_first": folds,
        "folds_second": shifted(folds, 0.012, 2),
        "many_first": many,
        "many_second": shifted(many, -0.004, 4),
        "clear_first": clear,
        "clear_second": shifted(clear, -0.5, 6),
        "two_first": [0.31, 0.27],
        "two_second": [0.22, 0.24],
        # a large common level: a mean of squares minus a square of means loses everything here
        "level_first": [1000000.25, 1000001.5, 999999.75, 1000000.0, 1000002.25, 1000000.5],
        "level_second": [1000000.0, 1000001.25, 999999.25, 1000000.25, 1000001.5, 1000000.0],
        "whole_first": [12, 15, 9, 20, 17, 11, 14, 18],
        "whole_second": [10, 16, 7, 15, 17, 8, 12, 14],
        "batch_first": losses(14, [3, 8]),
        "batch_second": losses(15, [3, 8], mean=0.22),
        "five_by_two_first": five_by_two,
        "five_by_two_second": shifted(five_by_two, 0.03, 8),
        "five_by_two_batch_first": losses(16, [2, 5, 2]),
        "five_by_two_batch_second": losses(17, [2, 5, 2], mean=0.24),
        "repeated_first": repeated,
        "repeated_second": shifted(repeated, 0.01, 11, spread=0.03),
        "few_first": few,
        "few_second": shifted(few, -0.02, 13),
        "holdouts_first": losses(18, [15]),
        "holdouts_second": losses(19, [15], mean=0.23),
    }


def ranks():
    """Differences with and without ties and zeros. Tied ones are dyadic, hence exact in binary."""
    plain = losses(20, [9], mean=0.0, spread=1.0)
    longer = losses(21, [40], mean=0.3, spread=1.0)
    tied = [0.5, -0.25, 0.75, 0.5, 1.0, -0.5, 0.25, 1.5, -0.25, 0.5, 2.0, 0.75]
    zeros = [0.5, 0.0, 0.75, -0.5, 1.0, 0.0, 0.25, 1.5, -0.25, 0.5, 0.0, 0.75, 1.25]
    even_zeros = [0.5, 0.0, 0.75, -0.5, 1.0, 0.0, 0.25, 1.5, -0.25, 0.5, 1.75, 0.75]
    base = [i / 8 for i in range(1, 14)]

    def over(differences):
        return [b + d for b, d in zip(base, differences, strict=False)]

    return {
        "ranks_plain_first": plain,
        "ranks_plain_second": [0.0] * 9,
        "ranks_longer_first": longer,
        "ranks_longer_second": [0.0] * 40,
        "ranks_tied_first": over(tied),
        "ranks_tied_second": base[:12],
        "ranks_zeros_first": over(zeros),
        "ranks_zeros_second": base,
        "ranks_even_zeros_first": over(even_zeros),
        "ranks_even_zeros_second": base[:12],
        # 0.3 - 0.2 and 0.2 - 0.1 differ in the last bit: equal differences all the same
        "ranks_decimal_first": [0.3, 0.2, 0.4, 0.7, 0.6, 0.9, 0.5, 0.8],
        "ranks_decimal_second": [0.2, 0.1, 0.5, 0.5, 0.3, 0.7, 0.4, 0.4],
    }


def contingency():
    table = coins(30, 40, (0.8, 0.72, 0.62, 0.7))
    truth = [random.Random(100 + i).randrange(3) for i in range(40)]

    def answers(column):
        return [t if row[column] else (t + 1) % 3 for t, row in zip(truth, table, strict=True)]

    return {
        "correct": table,
        "correct_three": coins(31, 25, (0.9, 0.7, 0.5)),
        "truth": truth,
        "answers_first": answers(0),
        "answers_second": answers(2),
    }


def omnibus():
    level = losses(40, [10], spread=0.05)
    learners = [shifted(level, by, 41 + i) for i, by in enumerate((0.0, 0.015, 0.03, 0.06))]
    spread_out = [losses(50 + i, [8], mean=m, spread=0.02) for i, m in enumerate((0.31, 0.2, 0.24, 0.27, 0.22, 0.35))]
    return {
        "learners": learners,
        "ragged": [losses(60, [6]), losses(61, [8], mean=0.23), losses(62, [5], mean=0.26)],
        "spread_out": spread_out,
        # the ends differ, the middle pairs do not: where a test that is not step-down goes wrong
        "staircase": [
            losses(70 + i, [6], mean=m, spread=0.012) for i, m in enumerate((0.2, 0.206, 0.212, 0.218, 0.225))
        ],
        "data_sets": [
            [round(v + s, 4) for v, s in zip(row, (0.0, 0.02, 0.045, 0.03, 0.06), strict=True)]
            for row in losses(80, [12, 5], spread=0.04)
        ],
        "data_sets_tied": [
            [0.1, 0.2, 0.2, 0.4],
            [0.3, 0.3, 0.3, 0.5],
            [0.15, 0.1, 0.25, 0.25],
            [0.2, 0.2, 0.2, 0.2],
            [0.05, 0.15, 0.1, 0.3],
            [0.4, 0.35, 0.45, 0.5],
            [0.22, 0.21, 0.22, 0.23],
            [0.1, 0.1, 0.2, 0.2],
        ],
        "groups_tied": [[1, 2, 2, 5, 7], [3, 3, 4, 8, 9, 9], [2, 6, 9, 10]],
        "learners_batch": [learners[:3], [row[::-1] for row in learners[1:]]],
    }


def multivariate():
    draw = random.Random(90)
    first = [[round(0.8 + draw.gauss(0, 0.04), 4), round(0.2 + draw.gauss(0, 0.03), 4)] for _ in range(10)]
    second = [[round(a + 0.02 + draw.gauss(0, 0.02), 4), round(b + 0.03 + draw.gauss(0, 0.03), 4)] for a, b in first]
    three = losses(91, [12, 3], mean=0.5, spread=0.1)
    counts = {"tp": [], "fn": [], "fp": [], "tn": []}
    other = {"tp": [], "fn": [], "fp": [], "tn": []}
    for table, hit, false in ((counts, 0.8, 0.15), (other, 0.75, 0.22)):
        for _ in range(10):
            tp = sum(draw.random() < hit for _ in range(30))
            fp = sum(draw.random() < false for _ in range(50))
            for key, value in zip(("tp", "fn", "fp", "tn"), (tp, 30 - tp, fp, 50 - fp), strict=True):
                table[key].append(value)
    four = [
        [
            [round(0.8 - 0.02 * i + draw.gauss(0, 0.04), 4), round(0.2 + 0.015 * i + draw.gauss(0, 0.03), 4)]
            for _ in range(10)
        ]
        for i in range(4)
    ]
    pair = losses(95, [3, 8, 2], mean=0.4, spread=0.1)
    return {
        "manova_collinear": [[[a, b, round(a + b, 4)] for a, b in learner] for learner in pair],
        "one_measure_first": [[row[0], 0.3] for row in first],
        "one_measure_second": [[row[0], 0.3] for row in second],
        "vectors_first": first,
        "vectors_second": second,
        "three_first": three,
        "three_second": shifted(three, 0.03, 92, spread=0.08),
        "counts_first": [list(row) for row in zip(*counts.values(), strict=True)],
        "counts_second": [list(row) for row in zip(*other.values(), strict=True)],
        "tp": counts["tp"],
        "fn": counts["fn"],
        "fp": counts["fp"],
        "tn": counts["tn"],
        "manova_four": four,
        "manova_three": losses(93, [3, 8, 4], mean=0.4, spread=0.1),
        "manova_two": losses(94, [2, 9, 2], mean=0.4, spread=0.1),
    }


def curves():
    def family(seed, number, points, start, gain):
        draw = random.Random(seed)
        rows = []
        for _ in range(number):
            level = draw.gauss(0, 0.03)
            rows.append([round(start + gain * (h / points) + level + draw.gauss(0, 0.02), 3) for h in range(points)])
        return rows

    return {
        "curves_first": family(110, 6, 5, 0.5, 0.3),
        "curves_second": family(111, 6, 5, 0.53, 0.27),
        "curves_short_first": family(112, 4, 4, 0.5, 0.3),
        "curves_short_second": family(113, 4, 4, 0.55, 0.2),
        "curves_three_a": family(114, 3, 3, 0.5, 0.3),
        "curves_three_b": family(115, 2, 3, 0.56, 0.3),
        "curves_three_c": family(116, 3, 3, 0.5, 0.2),
        "curves_even": family(117, 2, 6, 0.4, 0.4),
        "curves_odd": family(118, 2, 5, 0.4, 0.4),
    }


def pvalues():
    draw = random.Random(120)
    return {
        "p_mixed": [0.01, 0.02, 0.03, 0.04, 0.05, 0.2, 0.6],
        "p_unsorted": [0.04, 0.001, 0.3, 0.012, 0.9, 0.011],
        "p_random": [round(draw.random() ** 3, 6) for _ in range(15)],
        "p_tied": [0.01, 0.01, 0.5, 0.03, 0.03, 1.0],
        "p_tiny": [1e-12, 1e-30, 0.2, 1e-8],
        "p_one": [0.03],
        "p_batch": [[0.01, 0.2, 0.03], [0.5, 0.04, 0.0001]],
        "p_pairs_3": [0.012, 0.3, 0.021],
        "p_pairs_4": [0.004, 0.02, 0.6, 0.013, 0.03, 0.009],
        "p_pairs_5": [round(draw.random() ** 4, 6) for _ in range(10)],
        "p_pairs_6": [round(draw.random() ** 3, 6) for _ in range(15)],
    }


def bayes():
    first = losses(130, [20], spread=0.03)
    sets = losses(132, [10], spread=0.06)
    return {
        "bayes_first": first,
        "bayes_second": shifted(first, 0.015, 131),
        "sets_first": sets,
        "sets_second": shifted(sets, 0.012, 133),
    }


def roc():
    draw = random.Random(140)
    truth = [int(draw.random() < 0.45) for _ in range(30)]
    scores = [round(draw.gauss(0.9 * t, 1), 3) for t in truth]
    others = [round(0.5 * s + draw.gauss(0.4 * t, 1), 3) for s, t in zip(scores, truth, strict=True)]
    coarse = [round(2 * s) / 2 for s in scores]
    points = [[round(draw.random(), 3), 0.0] for _ in range(25)]
    for point in points:
        point[1] = round(min(1.0, point[0] ** 0.5 * draw.uniform(0.6, 1.05)), 3)
    return {
        "truth01": truth,
        "scores": scores,
        "other_scores": others,
        "coarse_scores": coarse,
        "roc_points": points,
    }


def selection():
    draw = random.Random(150)
    return {
        "posteriors": [[round(draw.random() ** (0.6 + 0.3 * k), 3) for k in range(3)] for _ in range(24)],
        "posteriors_tied": [
            [0.5, 0.5, 0.2],
            [0.9, 0.1, 0.3],
            [0.4, 0.4, 0.4],
            [0.2, 0.7, 0.7],
            [0.6, 0.3, 0.1],
            [0.8, 0.8, 0.1],
        ],
    }


def everything():
    """All inputs by name."""
    named = {}
    for topic in (
        pairwise,
        ranks,
        contingency,
        omnibus,
        multivariate,
        curves,
        pvalues,
        bayes,
        roc,
        selection,
    ):
        named.update(topic())
    return named
