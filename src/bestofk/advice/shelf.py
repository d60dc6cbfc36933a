"""Every adviser by its code."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bestofk.advice import classes, datasets, family, preference, sample, strength, values
from bestofk.advice.advice import Advice, Case
from bestofk.core.shelf import Shelf

#: Looks at a case; None: there is nothing to say.
Adviser = Callable[[Case], Advice | None]


ADVICE: Shelf[Adviser] = Shelf(
    "advice",
    {
        "K101": sample.k101,
        "K102": strength.k102,
        "K103": sample.k103,
        "K104": family.k104,
        "K105": strength.k105,
        "K106": sample.k106,
        "K107": family.k107,
        "K108": family.k108,
        "K109": preference.k109,
        "K110": sample.k110,
        "K111": sample.k111,
        "K112": family.k112,
        "K113": family.k113,
        "K114": sample.k114,
        "K115": sample.k115,
        "K116": datasets.k116,
        "K117": datasets.k117,
        "K118": strength.k118,
        "K119": strength.k119,
        "K120": preference.k120,
        "K121": family.k121,
        "K122": sample.k122,
        "K123": sample.k123,
        "K124": sample.k124,
        "K125": classes.k125,
        "K126": datasets.k126,
        "K127": preference.k127,
        "K128": sample.k128,
        "K130": classes.k130,
        "K131": classes.k131,
        "K132": classes.k132,
        "K133": classes.k133,
        "K134": classes.k134,
        "K135": strength.k135,
        "K136": sample.k136,
        "K137": datasets.k137,
        "K138": sample.k138,
        "K139": sample.k139,
        "K140": sample.k140,
        "K141": values.k141,
        "K142": values.k142,
        "K143": values.k143,
        "K144": values.k144,
        "K145": values.k145,
        "K146": sample.k146,
        "K147": family.k147,
        "K148": values.k148,
    },
)


#: What puts every p value, the learners themselves or the margin in doubt, the gravest first: it is said before all
#: else.
GRAVEST = (
    *("K138", "K111", "K101", "K136", "K142", "K145", "K114", "K103", "K141", "K146", "K122", "K128", "K140", "K143"),
    *("K144", "K147", "K148"),
)
#: What is about the results, whatever is asked of them: a gate asks these.
OF_RESULTS = (*GRAVEST, "K115", "K123", "K124")


def advice_for(case: Case, codes: Iterable[str] | None = None) -> tuple[Advice, ...]:
    """Ask every adviser, or those with these codes; most have nothing to say."""
    codes = dict.fromkeys((*GRAVEST, *ADVICE)) if codes is None else codes
    said = (ADVICE[code](case) for code in codes)
    return tuple(advice for advice in said if advice is not None)


def title_of(code: str) -> str:
    """The pitfall in a few words, as its adviser begins; empty for those of other packages that say none."""
    first = (ADVICE[code].__doc__ or "").partition("\n")[0] if code in ADVICE else ""
    return first.removeprefix(f"{code}: ").rstrip(".") if first.startswith(f"{code}: ") else ""
