"""More than two learners: do they differ at all, and which groups do not?

=============================================  ==========================================================
``anova``                                      independent groups of folds, unequal sizes allowed
``repeated_anova``                             the same folds for all learners, sphericity corrected
``kruskal_wallis`` ``friedman``                ranks: independent groups; the same data sets for all
``skillings_mack``                             ranks where data sets lack some learners
``looney`` ``cochran_q``                       0/1 outcomes of all classifiers on one test set
``newman_keuls`` ``tukey`` ``duncan``          range tests: which learners share an underline
``nemenyi``                                    mean ranks: critical difference, all pairs or a control
=============================================  ==========================================================
"""

from collections.abc import Callable

from bestofk.core.shelf import Shelf
from bestofk.stats.omnibus.anova import anova
from bestofk.stats.omnibus.friedman import friedman
from bestofk.stats.omnibus.item_tests import cochran_q, looney
from bestofk.stats.omnibus.kruskal_wallis import kruskal_wallis, kruskal_wallis_losses
from bestofk.stats.omnibus.nemenyi import NemenyiResult, nemenyi
from bestofk.stats.omnibus.range_tests import RangeResult, duncan, newman_keuls, tukey
from bestofk.stats.omnibus.repeated_anova import repeated_anova
from bestofk.stats.omnibus.skillings_mack import skillings_mack
from bestofk.stats.results import Result

#: A test of all learners at once: losses, and options of its own.
OmnibusTest = Callable[..., Result]
#: A test that also says which learners do not differ.
RangeTest = Callable[..., RangeResult | NemenyiResult]

OMNIBUS: Shelf[OmnibusTest] = Shelf(
    "omnibus",
    {
        "anova": anova,
        "cochran-q": cochran_q,
        "friedman": friedman,
        "kruskal-wallis": kruskal_wallis_losses,
        "looney": looney,
        "repeated-anova": repeated_anova,
    },
)
RANGES: Shelf[RangeTest] = Shelf(
    "ranges",
    {
        "duncan": duncan,
        "nemenyi": nemenyi,
        "newman-keuls": newman_keuls,
        "tukey": tukey,
    },
)

__all__ = [
    "OMNIBUS",
    "RANGES",
    "anova",
    "cochran_q",
    "duncan",
    "friedman",
    "kruskal_wallis",
    "kruskal_wallis_losses",
    "looney",
    "nemenyi",
    "newman_keuls",
    "repeated_anova",
    "skillings_mack",
    "tukey",
]
