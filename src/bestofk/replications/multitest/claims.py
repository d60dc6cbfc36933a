"""What the paper concludes, as figures that any learners and tests can be held against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bestofk.core.record import Record
from bestofk.replications.multitest.choices import METHODS, NOT_FOUND
from bestofk.replications.multitest.published import LEARNERS, dataset_names
from bestofk.replications.multitest.table2 import Choices, ours, published_choices
from bestofk.replications.multitest.table3 import Shares, published_shares, shares

SIMPLE = LEARNERS[:2]


class Conclusion(Record):
    """A conclusion of the paper in one setting: the figure behind it, and whether it stands there.

    ``stands`` is None where it cannot be told: totals are printed over all thirty data sets only.
    """

    claim: str
    figure: str
    stands: bool | None


@dataclass(frozen=True, eq=False)
class _Seen:
    """Percentages of what each method selects, and on how many data sets two methods select the same most often."""

    by_method: dict[str, Shares]
    alike: int
    sets: int


def conclusions(choices: Choices) -> tuple[Conclusion, ...]:
    """Every conclusion, held against what the methods select."""
    alike = sum(ours(each["Newman-Keuls"])[0][0] == ours(each["MultiTest"])[0][0] for each in choices.values())
    return _all(_Seen({method: shares(choices, method) for method in METHODS}, alike, len(choices)))


def published_conclusions(names: Sequence[str] = ()) -> tuple[Conclusion, ...]:
    """The same from the published Tables 2 and 3, on these data sets; all thirty when none is named.

    Of fewer only what Table 2 tells set by set can be had: Table 3 has totals over all.
    """
    names, table = names or dataset_names(), published_choices()
    alike = sum(table[name, "Newman-Keuls"][0][0] == table[name, "MultiTest"][0][0] for name in names)
    found = _all(_Seen(published_shares(), alike, len(names)))
    if len(names) == len(dataset_names()):
        return found
    by_set = _CONCLUSIONS.index(_apart)
    return tuple(
        each
        if place == by_set
        else Conclusion(each.claim, f"not printed ({each.figure} on all {len(dataset_names())})", None)
        for place, each in enumerate(found)
    )


def _all(seen: _Seen) -> tuple[Conclusion, ...]:
    return tuple(make(seen) for make in _CONCLUSIONS)


def _anova(seen: _Seen) -> Conclusion:
    missed = seen.by_method["Anova"][NOT_FOUND]
    return Conclusion(
        "Anova hardly ever names a best (none in more than 90 % of the runs)", f"{missed:.1f} %", missed > 90
    )


def _test_first(seen: _Seen) -> Conclusion:
    missed = seen.by_method["TestFirst"][NOT_FOUND]
    return Conclusion("TestFirst names none in most runs", f"{missed:.1f} %", missed > 50)


def _newman_keuls(seen: _Seen) -> Conclusion:
    missed = seen.by_method["Newman-Keuls"][NOT_FOUND]
    return Conclusion("Newman–Keuls sometimes names none, MultiTest always one", f"{missed:.2f} %", missed > 0)


def _simpler(seen: _Seen) -> Conclusion:
    chosen, other = (sum(seen.by_method[method][name] for name in SIMPLE) for method in ("MultiTest", "Newman-Keuls"))
    claim = "MultiTest selects MAX or NMC more often than Newman–Keuls"
    return Conclusion(claim, f"{chosen:.1f} % against {other:.1f} %", chosen > other)


def _most_of_all(seen: _Seen) -> Conclusion:
    first, second = (_most(seen.by_method[method]) for method in ("MultiTest", "Newman-Keuls"))
    claim = "Over all data sets MultiTest selects NMC most often and Newman–Keuls LGC"
    return Conclusion(claim, f"{first} and {second}", (first, second) == ("NMC", "LGC"))


def _apart(seen: _Seen) -> Conclusion:
    claim = "On half of the data sets or more the two select different learners most often"
    return Conclusion(claim, f"{seen.sets - seen.alike} of {seen.sets}", 2 * (seen.sets - seen.alike) >= seen.sets)


def _most(found: Shares) -> str:
    return max(LEARNERS, key=lambda name: found[name])


_CONCLUSIONS: tuple[Callable[[_Seen], Conclusion], ...] = (
    *(_anova, _test_first, _newman_keuls),
    *(_simpler, _most_of_all, _apart),
)
