"""What a verdict over data sets says beyond its order: one short sentence per finding. Words read fields only."""

from __future__ import annotations

from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.judging.bayes_pair import BayesPair, Shares
from bestofk.judging.detectable import DetectableTable, NotSeen
from bestofk.judging.other_goods import OtherGoods
from bestofk.judging.two_learners import TwoLearners
from bestofk.reporting.firmness import first_place_lines, sees_nothing
from bestofk.reporting.left_out import pairs_lines

#: So many are named in a sentence; tables and JSON have all.
MOST_NAMED = 3
MOST_GROUPS = 6


def dataset_lines(verdict: Verdict) -> list[str]:
    """Every finding over data sets in a sentence; other designs have other goods alone."""
    if verdict.comparison.kind != "datasets":
        return [*goods_lines(verdict), *where_lines(verdict)]
    return [
        *([side_by_side(verdict.two_learners, verdict.test)] if verdict.two_learners else []),
        *group_lines(verdict),
        *bayes_lines(verdict),
        *wins_lines(verdict, most=MOST_NAMED),
        *([seen_words(verdict.detectable)] if verdict.detectable else []),
        *sensitivity_lines(verdict),
        *goods_lines(verdict),
        *where_lines(verdict),
    ]


def side_by_side(two: TwoLearners, test: str) -> str:
    """The difference of two learners with its interval, and the other tests of the pair."""
    others = [f"{each.test} p = {each.pvalue:.3g}" for each in two.tests if each.test != test]
    agree = "" if two.agree else ", and the tests do not agree"
    return (
        f"{two.first} minus {two.second}: {two.difference:.4g}, {100 * two.level:g} % interval {two.low:.4g} to "
        f"{two.high:.4g} (paired-t). Beside {test}: {listed(others)}{agree}."
    )


def group_lines(verdict: Verdict) -> list[str]:
    """The groups of learners that are not told apart: the bars of the diagram; only how many where there are many."""
    ranks = verdict.mean_ranks
    if ranks is None or ranks.groups is None:
        return []
    if len(ranks.groups) > MOST_GROUPS:
        number = f"{len(ranks.groups)} groups that overlap are not told apart by {verdict.test}"
        return [f"{number}, too many for a sentence: the JSON has all (mean_ranks.groups)."]
    groups = "; ".join(listed(group) for group in ranks.groups) if ranks.groups else "nobody"
    return [f"Not told apart by {verdict.test}, best mean rank first: {groups}."]


def bayes_lines(verdict: Verdict) -> list[str]:
    """Chances of the first and its strongest rival by the Bayesian tests."""
    pair = verdict.bayes
    if pair is None:
        return []
    lines = [f"Bayesian signed rank, {rope_words(pair, verdict.measure)}: {shares_words(pair, pair.signed_rank)}."]
    if pair.hierarchical is not None:
        folds = f"over the folds of all data sets, {rope_words(pair, verdict.measure)}"
        lines.append(f"Hierarchical Bayesian model {folds}: {shares_words(pair, pair.hierarchical)}.")
    return lines


def rope_words(pair: BayesPair, measure: str) -> str:
    """The rope, and why it is nothing where it is."""
    return f"rope {pair.rope:g}" if pair.rope_known else f"rope 0 (the scale of {measure} is not known)"


def shares_words(pair: BayesPair, shares: Shares) -> str:
    """The three chances by name."""
    first, equal, second = shares
    return f"{pair.first} better {first:.3g}, equal {equal:.3g}, {pair.second} better {second:.3g}"


def wins_lines(verdict: Verdict, *, most: int | None = None) -> list[str]:
    """How often the first wins, ties and loses by the folds of single data sets, against all or ``most`` others."""
    wins = verdict.counted_wins
    if wins is None:
        return []
    first, others = verdict.order[0], verdict.order[1:]
    told = [
        f"{won} won, {tied} tied, {lost} lost against {name}"
        for name in others
        for won, tied, lost in [wins.of(first, name)]
    ]
    left = 0 if most is None else len(told) - most
    more = [f"{counted(left, 'more learner')} in the report"] if left > 0 else []
    how = f"{listed(tuple(dict.fromkeys(wins.tests)))}{wins.level}"
    return [f"{first} by the folds of each data set ({how}): {'; '.join([*told[:most], *more])}."]


def seen_words(table: DetectableTable) -> str:
    """What could have been seen of the pairs that are not told apart."""
    if sees_nothing(table):
        unable = f"with {table.n:,} {table.unit} {table.test}, two-sided, at {table.level:.3g} can show no difference"
        return f"Not told apart is not equal: {unable}, however large."
    see = "sees" if table.n == 1 else "see"
    with_them = f"Not told apart is not equal: {table.n:,} {table.unit} by {table.test} at {table.level:.3g} {see}"
    known = [pair for pair in table.pairs if pair.varies]
    constant = _without_spread([pair for pair in table.pairs if not pair.varies])
    if not known:
        return constant
    said = _sizes_seen(with_them, known, table)
    return f"{said} {constant}" if constant else said


def _without_spread(pairs: list[NotSeen]) -> str:
    """Pairs whose differences do not vary: nothing says how large a difference would be seen."""
    if not pairs:
        return ""
    same = all(pair.difference == 0 for pair in pairs)
    what, how = ("results", "identical") if same else ("differences", "the same everywhere")
    names = "; ".join(listed((pair.first, pair.second)) for pair in pairs[:MOST_NAMED])
    more = f" and {counted(len(pairs) - MOST_NAMED, 'more pair')}" if len(pairs) > MOST_NAMED else ""
    return f"The {what} of {names}{more} are {how}, so that their power cannot be estimated."


def _sizes_seen(with_them: str, pairs: list[NotSeen], table: DetectableTable) -> str:
    power, sizes = table.power, sorted({f"{pair.seen:.3g}" for pair in pairs}, key=float)
    if sizes[0] == "inf" and table.beside_others:
        by_itself = "no difference of a pair by itself, however large"
        return f"{with_them} {by_itself}; it could be shown only beside other pairs as clear."
    if sizes[0] == "inf":
        return f"{with_them} no difference, however large."
    if len(sizes) == 1:
        what = "a difference" if len(pairs) == 1 else "differences"
        return f"{with_them} {what} of {sizes[0]} or more with power {power:g}."
    least, most = (_pair_of(size, pairs) for size in (sizes[0], sizes[-1]))
    end = f"none, however large, between {most}" if sizes[-1] == "inf" else f"{sizes[-1]} or more between {most}"
    return f"{with_them} differences of {sizes[0]} or more between {least}, {end}, with power {power:g}."


def _pair_of(size: str, pairs: list[NotSeen]) -> str:
    return next(listed((pair.first, pair.second)) for pair in pairs if f"{pair.seen:.3g}" == size)


def sensitivity_lines(verdict: Verdict) -> list[str]:
    """What becomes of the conclusions without some data sets, and on others like them."""
    if verdict.not_looked_at:
        return [f"Other choices of data sets are not tried here: {verdict.not_looked_at} (sensitivity_of tries them)."]
    found = verdict.sensitivity
    if found is None:
        return []
    return [*first_place_lines(verdict), *pairs_lines(verdict, found)]


def goods_lines(verdict: Verdict) -> list[str]:
    """Who is worth having when cost counts too."""
    goods = verdict.other_goods
    if goods is None:
        return []
    names = listed([good.name for good in goods.goods])
    told = goods.told()
    left = len(told) - MOST_NAMED
    more = [f"so {'is' if left == 1 else 'are'} {left} more"] if left > 0 else []
    told = [*told[:MOST_NAMED], *more]
    worth = f"Worth having by {names}: {listed(goods.front)}{''.join('; ' + each for each in told)}."
    return [worth + _tested_goods(goods)]


def _tested_goods(goods: OtherGoods) -> str:
    """Which goods were tested, for some are taken as they are, and of some a mean is all that is known."""
    tested = [good.name for good in goods.goods if good.tested]
    level = f"{goods.goods[0].level:.3g}: alpha over {counted(len(goods.goods), 'good')}."
    if len(tested) == len(goods.goods):
        return f" Each good is tested at {level}"
    return f" Of these {listed(tested)} {'alone is' if len(tested) == 1 else 'are'} tested, at {level}"


def where_lines(verdict: Verdict) -> list[str]:
    """Features of data sets that go with the difference, only where they survive correction."""
    if verdict.features_not_used:
        return [f"The features of the data sets are not used: {verdict.features_not_used}."]
    return [] if verdict.where_it_wins is None else repr(verdict.where_it_wins).splitlines()
