"""The power of a test by name, how many results it needs, and what it can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
from inspect import Parameter, signature
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags, numbers
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import level_inside
from bestofk.stats.method import fewest_values, method_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.power import formulas
from bestofk.stats.power.enumeration import mcnemar, sign
from bestofk.stats.power.permutation_tests import permutation_t, randomized_anova, randomized_t, welch_permutation
from bestofk.stats.power.question import Detectable, Power, SampleSize, on_other_side
from bestofk.stats.power.rank_tests import friedman, nemenyi, wilcoxon
from bestofk.stats.power.simulation import any_test


@frozen
class PowerMethod:
    """How to ask for the power of a test.

    ``smallest`` is the least n that makes sense, ``options`` are always passed, ``fixed`` says that the design has no
    other size, ``in_steps`` that power rises in steps and can fall between them, ``limited`` that it stays below a
    bound however large n is, ``far`` that a formula takes over where a simulation would be too large. From
    ``as_t_from`` values on the test has the power of the t test on differences whose variance is ``as_t_variance``
    times theirs. So many ``quick_runs`` of a simulation give the two digits of a table, or nearly where one takes long.
    """

    ask: Callable[..., Power]
    smallest: int = 2
    options: dict[str, Any] = field(default_factory=dict)
    fixed: bool = False
    in_steps: bool = False
    simulated: bool = False
    limited: bool = False
    far: bool = False
    as_t_from: float = np.inf
    as_t_variance: float = 1.0
    quick_runs: int = 2_000


METHODS: dict[str, PowerMethod] = {
    "paired-t": PowerMethod(formulas.paired_t, as_t_from=0),
    "corrected-t": PowerMethod(formulas.corrected_t, smallest=1, limited=True),
    "repeated-cv-t": PowerMethod(formulas.repeated_cv_t, smallest=1, limited=True),
    "calibrated-t": PowerMethod(formulas.calibrated_t, smallest=1, limited=True),
    "5x2cv-t": PowerMethod(formulas.five_by_two_t, smallest=5, fixed=True),
    # Hodges and Lehmann 1956: the efficiency of Wilcoxon's test on normal values.
    "wilcoxon": PowerMethod(wilcoxon, simulated=True, far=True, as_t_from=100, as_t_variance=np.pi / 3.0),
    "sign": PowerMethod(sign, smallest=1, in_steps=True),
    "permutation-t": PowerMethod(permutation_t, simulated=True, far=True, as_t_from=17, quick_runs=500),
    "mcnemar": PowerMethod(mcnemar, smallest=1, options={"method": "chi2-corrected"}, in_steps=True),
    "mcnemar-auto": PowerMethod(mcnemar, smallest=1, options={"method": "auto"}, in_steps=True),
    "mcnemar-exact": PowerMethod(mcnemar, smallest=1, options={"method": "exact"}, in_steps=True),
    "mcnemar-mid-p": PowerMethod(mcnemar, smallest=1, options={"method": "mid-p"}, in_steps=True),
    "anova": PowerMethod(formulas.anova),
    "repeated-anova": PowerMethod(formulas.anova, options={"blocks": True}),
    "friedman": PowerMethod(friedman, simulated=True),
    "nemenyi": PowerMethod(nemenyi, simulated=True),
    "hotelling": PowerMethod(formulas.hotelling),
    "welch-t": PowerMethod(formulas.welch_t),
    "stratified-t": PowerMethod(formulas.stratified_t),
    "welch-permutation": PowerMethod(welch_permutation, simulated=True, far=True),
    "randomized-t": PowerMethod(randomized_t, simulated=True),
    "randomized-anova": PowerMethod(randomized_anova, simulated=True),
}


def power_method(test: Any) -> PowerMethod:
    """The way to ask for a test's power, by simulation for any other test of values; unknown names are refused."""
    if isinstance(test, str) and test in METHODS:
        return METHODS[test]
    if isinstance(test, str) and test in PAIRWISE and method_of(PAIRWISE[test]).design == "values":
        return PowerMethod(partial(any_test, test), smallest=fewest_values(PAIRWISE[test]), simulated=True)
    raise unknown(test, METHODS, what="test", where="power, argument test")


def smallest_size(test: str, options: dict[str, Any]) -> int:
    """The least n that can be asked about with these options."""
    if test == "hotelling":
        return int(options.get("measures", 1)) + 1
    if _on_folds(options):
        return 2 if options.get("test_fraction") is not None or options["folds"] == 2 else 1
    return power_method(test).smallest


def _on_folds(options: dict[str, Any]) -> bool:
    """Whether so many folds, or random splits, of the same data are asked about."""
    return options.get("folds") is not None or options.get("test_fraction") is not None


#: No more results than these are looked for; simulations end earlier.
MOST, MOST_SIMULATED = 10_000_000, 5_000
#: Effects beyond this are not looked for.
LARGEST_EFFECT = 1e4


def power(test: str, effect: Any, n: Any = None, **options: Any) -> Power:
    """Power of a test by its name at a shell.

    Examples
    --------
    >>> power("paired-t", 0.5, 34)
    paired-t (two-sided, alpha 0.05): 34 data sets, effect 0.5: power 0.8078 by formula
    """
    method = power_method(test)
    if n is None and not method.fixed:
        raise InputError("n is missing.", f"power of {test}, argument n", "say how many results there are.")
    size = method.smallest if n is None else n
    given = {**method.options, **options}
    _refuse_options(test, signature(method.ask).parameters, given)
    try:
        return method.ask(effect, size, **given)
    except TypeError as error:
        raise InputError(f"the options do not fit {test}: {error}.", f"power of {test}", "give numbers.") from None


#: What an option is, and one that could be given.
_SAID = {
    "learners": ("how many learners there are", "4"),
    "measures": ("how many measures there are", "2"),
    "disagreement": ("the share of items that exactly one of the two gets wrong", "0.2"),
    "folds": ("how many folds a replication has", "10"),
    "test_fraction": ("the share of test data", "0.3"),
    "spreads": ("how much the runs of every learner vary on every data set", ""),
}


def _refuse_options(test: str, known: Mapping[str, Parameter], given: Mapping[str, Any]) -> None:
    """Refuse a missing option by what it says, one too many by its name."""
    lacking = [name for name in _SAID if name in known and known[name].default is Parameter.empty and name not in given]
    if lacking:
        what, value = _SAID[lacking[0]]
        fix = "give results: bestofk power FILE; in Python spreads=[[…], […]]."
        if value:
            fix = f"say --{lacking[0].replace('_', '-')} {value} ({lacking[0]}={value}) if it is {value}."
        raise InputError(f"{test} needs to know {what}.", f"power of {test}", fix)
    if more := [name for name in given if name not in known]:
        fix = f"leave it out, or choose another test: {', '.join(METHODS)}."
        raise InputError(f"{test} takes no {more[0].replace('_', ' ')}.", f"power of {test}, {more[0]}", fix)


def sample_size(
    test: str, effect: Any, *, power: float = 0.8, most: int | None = None, least: int = 1, **options: Any
) -> SampleSize:
    """How many results a test needs to see an effect with the chance ``power``.

    Where power rises in steps (sign, McNemar) the answer is the number from which on it does not fall below again.
    A number beyond ``most`` (10 million where there is a formula, 5,000 where only a simulation) is given as infinity;
    fewer than ``least`` are never enough.

    Examples
    --------
    >>> sample_size("paired-t", [0.2, 0.5, 0.8]).n.tolist()
    [199.0, 34.0, 15.0]
    """
    wanted = level_inside(power, name="power", where=f"power of {test}")
    method = power_method(test)
    if method.fixed:
        raise InputError(
            f"{test} has 5 replications of 2 folds, no more and no fewer.",
            f"power of {test}",
            "ask what it can see (detectable), or plan replications of folds with corrected-t.",
        )
    effects = numbers(effect, name="effect", where=f"power of {test}")
    limit = most or _limit(test)
    sizes = np.array([_smallest(test, float(each), wanted, limit, options, least) for each in effects.flat])
    found = sizes.reshape(effects.shape)
    asked = _power(test, effects, np.where(np.isinf(found), limit, found), options)
    never, highest = _never(test, asked, np.isinf(found), wanted, options)
    shown = {name: getattr(asked, name) for name in ("test", "alpha", "alternative", "unit", "scale", "way")}
    return SampleSize(effect=effects, n=found, power=highest, wanted=wanted, most=limit, limited=never, **shown)


def _never(test: str, asked: Power, unseen: Flags, wanted: float, options: dict[str, Any]) -> tuple[Flags, Array]:
    """For which effects no number is enough, and the power that was found, or that none exceeds."""
    if not unseen.any():
        return unseen, np.asarray(asked.power)
    bound = _bound(test, asked, options)
    if bound is None:  # power grows up to 1, if the effect is one that the test looks for
        bound = np.where(_not_looked_for(test, asked, options), asked.alpha, 1.0)
    never = np.asarray(unseen & (bound < wanted))
    return never, np.where(never, bound, asked.power)


def _bound(test: str, asked: Power, options: dict[str, Any]) -> Array | None:
    """The most power that any number has, where that is less than 1 whatever the effect."""
    limited = power_method(test).limited or _on_folds(options)
    return np.asarray(_power(test, asked.effect, _limit(test), options).power) if limited else None


def _limit(test: str) -> int:
    """The largest number of results that is worth asking about: simulations of more take too long."""
    method = power_method(test)
    return MOST_SIMULATED if method.simulated and not method.far else MOST


def _not_looked_for(test: str, asked: Power, options: dict[str, Any]) -> Flags:
    """Effects that are none, or on the other side: a test that looks for what is there rejects more than by chance."""
    effects = np.asarray(asked.effect)
    turned = on_other_side(effects, asked.alternative) | (effects == 0)
    if asked.alternative != "two-sided" and not isinstance(options.get("model", ""), str):
        # differences of a pilot may be skewed: most of them on the other side than their mean
        turned = turned | (np.asarray(_power(test, effects, _limit(test), options).power) < asked.alpha / 2.0)
    return np.asarray(turned)


def detectable(test: str, n: Any = None, *, power: float = 0.8, **options: Any) -> Detectable:
    """The smallest effect that a test of n results sees with the chance ``power``.

    Examples
    --------
    >>> detectable("paired-t", 10)
    paired-t (two-sided, alpha 0.05): with 10 data sets an effect of 0.996 is seen with power 0.8
    """
    wanted = level_inside(power, name="power", where=f"power of {test}")
    method = power_method(test)
    sizes = numbers(method.smallest if n is None and method.fixed else n, name="n", where=f"power of {test}")
    asked = _power(test, np.zeros(sizes.shape), sizes, options)
    turned = -1.0 if asked.alternative == "less" else 1.0
    limit = float(options.get("disagreement", LARGEST_EFFECT))
    effects = turned * _seen(test, sizes, wanted, limit, turned, options)
    shown = {name: getattr(asked, name) for name in ("test", "alpha", "alternative", "unit", "scale", "way")}
    return Detectable(effect=effects, n=sizes, wanted=wanted, **shown)


def _power(test: str, effect: Any, n: Any, options: dict[str, Any]) -> Power:
    return power(test, effect, n, **options)


def _smallest(test: str, effect: float, wanted: float, most: int, options: dict[str, Any], least: int = 1) -> float:
    """Doubling, then halving; the last step down where power rises in steps."""

    def enough(n: int) -> bool:
        return bool(_power(test, effect, n, options).power >= wanted)

    in_steps = power_method(test).in_steps
    low = max(least, smallest_size(test, options))
    high = max(low, min(most, _guess(test, effect, wanted, options)))
    while high > low and enough(max(low, high // 2)):
        high = max(low, high // 2)
    low = max(low, high // 2)
    while not enough(high):
        if high >= most:
            return np.inf
        low, high = high + 1, min(max(2 * high, 8), most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return float(max(least, _after_last_fall(test, effect, wanted, high, options)) if in_steps else high)


def _guess(test: str, effect: float, wanted: float, options: dict[str, Any]) -> int:
    """Where to begin: simulations of tests of pairs need nearly what the t test does."""
    if not power_method(test).simulated or test not in PAIRWISE or effect == 0:
        return 0
    asked: dict[str, Any] = {name: options[name] for name in ("alpha", "alternative") if name in options}
    found = _smallest("paired-t", effect, wanted, MOST, asked)
    return int(found) if np.isfinite(found) else 0


def _after_last_fall(test: str, effect: float, wanted: float, near: int, options: dict[str, Any]) -> int:
    """Power in steps falls by less and less: what falls below has done so within a few steps of the first crossing."""
    sizes = np.arange(max(smallest_size(test, options), int(0.8 * near) - 5), int(1.3 * near) + 15)
    if len(sizes) > 600:
        sizes = np.arange(near - 300, near + 300)
    below = np.flatnonzero(np.asarray(_power(test, effect, sizes, options).power) < wanted)
    return int(sizes[below[-1]] + 1) if below.size else int(sizes[0])


def _seen(test: str, sizes: Array, wanted: float, limit: float, turned: float, options: dict[str, Any]) -> Array:
    """Halving on all sizes at once; infinite where even the largest effect is not seen."""

    def enough(effects: Array) -> Any:
        return np.asarray(_power(test, turned * effects, sizes, options).power) >= wanted

    low, high = np.zeros(sizes.shape), np.minimum(np.ones(sizes.shape), limit)
    for _ in range(16):
        short = ~enough(high)
        if not short.any() or (high[short] >= limit).all():
            break
        low, high = np.where(short, high, low), np.where(short, np.minimum(2.0 * high, limit), high)
    never = ~enough(high)
    for _ in range(12 if power_method(test).simulated else 48):
        middle = 0.5 * (low + high)
        reached = enough(middle)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return np.where(never, np.inf, high)
