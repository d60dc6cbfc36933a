"""What becomes of a pair's conclusion without some data sets, and on resamples of them. Words read fields only."""

from __future__ import annotations

from bestofk.advice.dataset_names import listed_datasets
from bestofk.core.phrases import counted, listed
from bestofk.judging import Verdict
from bestofk.judging.robustness import Robustness, Sensitivity
from bestofk.reporting.firmness import could_not


def pairs_lines(verdict: Verdict, found: Sensitivity) -> list[str]:
    """The shakiest pair and the least stable one; where no pair could be shown, that nothing can flip."""
    if nothing_can_flip(verdict, found):
        few = (
            f"with {counted(len(found.datasets), 'data set')} {found.test} could show none, however large a difference"
        )
        flip = "nor can the least stable pair flip on resamples, and that is no sign of firmness"
        return [f"Leaving out data sets changes no pair's two-sided conclusion, for {few}; {flip}."]
    return [_hangs_on(found), _resampled(found)]


def nothing_can_flip(verdict: Verdict, found: Sensitivity) -> bool:
    """Whether no pair is shown, none could be, and no choice of data sets changes that."""
    unable = any(each.code == "K102" for each in verdict.advice) or bool(could_not(verdict))
    steady = all(each.conclusion is None and each.stability == 1.0 for each in found.pairs)
    return unable and steady and found.shakiest is None


def turned(each: Robustness, found: Sensitivity, *, names: bool) -> str:
    """A conclusion that the loss of the fewest data sets changes."""
    assert each.smallest is not None
    pair = f" between {listed(each.about)}" if names else ""
    loser = next((name for name in each.about if name != each.conclusion), "")
    was = (
        f"no difference{pair}"
        if each.conclusion is None
        else f"{each.conclusion} better{' than ' + loser if names else ''}"
    )
    then = "no difference" if each.smallest.then is None else f"{each.smallest.then} better"
    return f"leaving out {_which(each, found)} turns {was} into {then} at {100 * found.alpha:g} %"


def _which(each: Robustness, found: Sensitivity) -> str:
    """The data sets that do it; of several that do it alone how many, and the one that speaks most."""
    assert each.smallest is not None
    smallest = listed_datasets(each.smallest.without)
    if len(each.smallest.without) > 1 or each.flips_one < 2:
        return smallest
    most = _most_influential(each, found)
    such = (
        smallest if most in (None, each.smallest.without[0]) else f"{most} (the most influential of them) or {smallest}"
    )
    return f"any one of {each.flips_one} of the {counted(len(found.datasets), 'data set')}, such as {such},"


def _most_influential(each: Robustness, found: Sensitivity) -> str | None:
    """Of the data sets named as deciding alone, the one whose influence on the pair is largest."""
    alone = {one.without[0] for one in each.examples if len(one.without) == 1}
    ranked = found.most_influential(each.about[0], each.about[1], len(found.datasets))
    return next((listed_datasets((name,)) for name, _ in ranked if name in alone), None)


def _hangs_on(found: Sensitivity) -> str:
    shaky = found.shakiest
    if shaky is None:
        upto = min(each.tried_up_to for each in found.pairs)
        sure = "" if all(each.exact for each in found.pairs) else " that was tried"
        return f"Leaving out up to {counted(upto, 'data set')} changes no pair's conclusion, in any set{sure}."
    sentence = turned(shaky, found, names=len(found.pairs) > 1)
    few = "" if shaky.exact else f" (at least {shaky.at_least} must go)"
    fragile = sum(each.flips for each in found.pairs if each is not shaky)
    number = "one" if shaky.flips_two is None else "one or two"
    decide = "decides" if shaky.flips_two is None else "decide"
    more = f"; {number} {decide} {counted(fragile, 'more pair')}" if fragile else ""
    return f"{sentence[:1].upper()}{sentence[1:]}{few}{more}."


def _resampled(found: Sensitivity) -> str:
    least = min(found.pairs, key=lambda each: each.stability)
    share = f"{100 * least.stability:.3g} % of {found.resamples:,} resamples of the data sets"
    if len(found.pairs) == 1:
        return f"The same conclusion comes out of {share}."
    return f"The conclusion on the least stable pair, {listed(least.about)}, comes out of {share}."
