"""Every adviser by its code, and the asking of all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from bestofk.advice.advice import Advice, Case
from bestofk.core.shelf import Shelf

#: Looks at a case, of one measure or of several; None: there is nothing to say.
Adviser = Callable[[Any], Advice | None]


def _advisers() -> dict[str, Adviser]:
    from bestofk.advice.k101_folds_as_independent import advise as k101
    from bestofk.advice.k102_cannot_be_significant import advise as k102
    from bestofk.advice.k103_rows_taken_as_datasets import advise as k103
    from bestofk.advice.k104_omnibus_accepts import advise as k104
    from bestofk.advice.k105_few_datasets import advise as k105
    from bestofk.advice.k106_items_in_groups import advise as k106
    from bestofk.advice.k107_bonferroni_hides import advise as k107
    from bestofk.advice.k108_test_against_mean import advise as k108
    from bestofk.advice.k109_preference_tied import advise as k109
    from bestofk.advice.k110_results_left_out import advise as k110
    from bestofk.advice.k111_forced_test import advise as k111
    from bestofk.advice.k112_outliers_decide import advise as k112
    from bestofk.advice.k113_sides_disagree import advise as k113
    from bestofk.advice.k114_folds_or_repeats import advise as k114
    from bestofk.advice.k115_no_spread import advise as k115
    from bestofk.advice.k116_datasets_decide import advise as k116
    from bestofk.advice.k117_plan_not_locked import advise as k117
    from bestofk.advice.k118_negligible import advise as k118
    from bestofk.advice.k119_not_equal import advise as k119
    from bestofk.advice.k120_preference_decides import advise as k120
    from bestofk.advice.k121_uncorrected import advise as k121
    from bestofk.advice.k122_failed_cells import advise as k122
    from bestofk.advice.k123_unpaired_folds import advise as k123
    from bestofk.advice.k124_points_of_a_curve import advise as k124
    from bestofk.advice.k125_skewed_classes import advise as k125
    from bestofk.advice.k126_community import advise as k126
    from bestofk.advice.k127_worth_having import advise as k127
    from bestofk.advice.k130_measures_and_task import advise as k130
    from bestofk.advice.k131_task_not_said import advise as k131
    from bestofk.advice.k132_class_ratio_changes import advise as k132
    from bestofk.advice.k133_pairs_of_measures_disagree import advise as k133
    from bestofk.advice.k134_copies_of_measures import advise as k134
    from bestofk.advice.k135_few_folds_for_measures import advise as k135
    from bestofk.advice.k136_vectors_as_independent import advise as k136

    return {
        "K101": k101,
        "K102": k102,
        "K103": k103,
        "K104": k104,
        "K105": k105,
        "K106": k106,
        "K107": k107,
        "K108": k108,
        "K109": k109,
        "K110": k110,
        "K111": k111,
        "K112": k112,
        "K113": k113,
        "K114": k114,
        "K115": k115,
        "K116": k116,
        "K117": k117,
        "K118": k118,
        "K119": k119,
        "K120": k120,
        "K121": k121,
        "K122": k122,
        "K123": k123,
        "K124": k124,
        "K125": k125,
        "K126": k126,
        "K127": k127,
        "K130": k130,
        "K131": k131,
        "K132": k132,
        "K133": k133,
        "K134": k134,
        "K135": k135,
        "K136": k136,
    }


ADVICE: Shelf[Adviser] = Shelf("advice", _advisers)


def advice_for(case: Case) -> tuple[Advice, ...]:
    """Ask every adviser; most have nothing to say."""
    said = (advise(case) for advise in ADVICE.values())
    return tuple(advice for advice in said if advice is not None)


def title_of(code: str) -> str:
    """The pitfall in a few words, as its module begins; empty for those of other packages that say none."""
    module = sys.modules.get(ADVICE[code].__module__) if code in ADVICE else None
    first = ((module and module.__doc__) or "").partition("\n")[0]
    return first.removeprefix(f"{code}: ").rstrip(".") if first.startswith(f"{code}: ") else ""
