"""The library against other programs, the papers' worked examples and the project's rulings.

The values lie in `golden/values`, inputs and all, so that no other program is needed here; `golden/make` says how
they came about. A case names a function, its arguments and what to expect: a key of `expect` is a path on the result
(`pvalue`, `posthoc.pvalue`, `confidence_interval(0.95).low`), the empty key is the returned value itself.
"""

import importlib
import json
import math
import re
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

VALUES = Path(__file__).parent / "golden" / "values"
CASES = [case for path in sorted(VALUES.glob("*.json")) for case in json.loads(path.read_text())]

PUBLIC = {
    "stats.pairwise": (
        "paired_t five_by_two_t five_by_two_f corrected_t calibrated_t mcnemar mcnemar_from wilcoxon sign_test "
        "permutation_t"
    ),
    "stats.omnibus": (
        "anova repeated_anova newman_keuls tukey duncan kruskal_wallis friedman nemenyi looney cochran_q"
    ),
    "stats.studentized_range": "sf critical",
    "stats.distributions": "t_critical",
    "stats.multivariate": "hotelling manova measures",
    "stats.curves": "curve_anova randomized_anova modify",
    "stats.adjust": (
        "bonferroni holm hochberg hommel finner li holland benjamini_hochberg benjamini_yekutieli shaffer "
        "bergmann_hommel"
    ),
    "stats.bayes": "correlated_t signed_rank sign",
    "stats.roc": "auc delong curve convex_hull",
    "stats.selection": "multinomial_selection",
    "ordering": "from_edges newman_keuls_best_from cliques",
}
FUNCTIONS = [f"{module}.{name}" for module, names in PUBLIC.items() for name in names.split()]


def decode(value):
    """JSON has no infinity; the files say it in words."""
    if isinstance(value, dict):
        return {key: decode(each) for key, each in value.items()}
    if isinstance(value, list):
        return [decode(each) for each in value]
    return float(value) if value in ("inf", "-inf", "nan") else value


def tuples(value):
    """Names in groups are tuples to us and lists to JSON."""
    return tuple(tuples(each) for each in value) if isinstance(value, list) else value


def resolve(function):
    """`stats.pairwise.paired_t` in `bestofk`."""
    module, name = function.rsplit(".", 1)
    return getattr(importlib.import_module(f"bestofk.{module}"), name)


def fetch(result, path):
    """Follow a path on the result; a step in brackets is a call with one number."""
    for name, argument in re.findall(r"(\w+)(?:\(([^)]*)\))?(?:\.|$)", path):
        result = getattr(result, name)
        if argument:
            result = result(float(argument))
    return result


def plain(value):
    """Arrays and tuples as lists."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def as_numbers(expected):
    """The expected numbers as an array; None when they are names, ragged groups or nothing at all."""

    def leaves(value):
        return [leaf for each in value for leaf in leaves(each)] if isinstance(value, list) else [value]

    if any(isinstance(leaf, (str, bool)) or leaf is None for leaf in leaves(expected)):
        return None
    try:
        return np.asarray(expected, dtype=float)
    except ValueError:  # ragged
        return None


def compare(actual, expected, case, message):
    """Sets as sets, names by equality, numbers within the case's tolerance and of the same shape."""
    if case.get("compare") == "sets":
        assert {frozenset(group) for group in plain(actual)} == {frozenset(group) for group in expected}, message
        return
    numbers = as_numbers(expected)
    if numbers is None:
        assert plain(actual) == expected, message
        return
    actual = np.asarray(actual, dtype=float)
    assert actual.shape == numbers.shape, f"shape {actual.shape} in the place of {numbers.shape}: {message}"
    np.testing.assert_allclose(actual, numbers, rtol=case["rtol"], atol=case["atol"], equal_nan=False, err_msg=message)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_agrees_with_its_source(case):
    source = case["source"]
    message = f"{case['function']} against {source['program']} {source['version']}: {source['call']}"
    function = resolve(case["function"])
    args, kwargs, expect = decode(case["args"]), decode(case["kwargs"]), decode(case["expect"])
    if case["function"].startswith("ordering."):
        args = [tuples(each) for each in args]
    if "raises" in expect:
        with pytest.raises(ValueError) as caught:
            function(*args, **kwargs)
        assert expect["raises"] in [kind.__name__ for kind in type(caught.value).__mro__], message
        return
    result = function(*args, **kwargs)
    for path, expected in expect.items():
        compare(fetch(result, path), expected, case, f"{path or 'value'} of {message}")


def test_every_case_names_its_source():
    for case in CASES:
        assert set(case["source"]) == {"program", "version", "call"}, case["id"]
        assert all(case["source"].values()), case["id"]
        assert case["expect"], case["id"]


def test_no_two_cases_share_a_name():
    assert [name for name, count in Counter(case["id"] for case in CASES).items() if count > 1] == []


def test_two_programs_agree_on_the_same_call():
    """The values are checked against one another before the library is checked against them."""
    calls = defaultdict(list)
    for case in CASES:
        calls[json.dumps([case["function"], case["args"], case["kwargs"]], sort_keys=True)].append(case)
    for one, other in (pair for cases in calls.values() for pair in combinations(cases, 2)):
        looser = {"rtol": one["rtol"] + other["rtol"], "atol": one["atol"] + other["atol"]}
        for path in set(one["expect"]) & set(other["expect"]):
            values = (decode(case["expect"][path]) for case in (one, other))
            compare(*values, looser, f"{path} of {one['id']} and {other['id']}")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_public_function_has_an_independent_value(function):
    programs = {case["source"]["program"] for case in CASES if case["function"] == function}
    assert programs - {"paper", "ruling"}, f"{function} has no value from another program"


def test_nothing_is_expected_to_be_nan():
    def numbers(value):
        if isinstance(value, dict):
            return [n for each in value.values() for n in numbers(each)]
        if isinstance(value, list):
            return [n for each in value for n in numbers(each)]
        return [value] if isinstance(value, float) else []

    assert not [case["id"] for case in CASES if any(math.isnan(n) for n in numbers(decode(case["expect"])))]
