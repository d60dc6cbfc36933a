"""Code of a script, or of a prompt that keeps no text: what of it makes another learner."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from bestofk.design.learners import learner_of
from makers import changed

SCRIPT = """
import sys
from sklearn.base import BaseEstimator, ClassifierMixin
from bestofk.design.learners import learner_of
import beside_script
from beside_script import other
LIMITS = {"low": 3, "high": [4, 5]}
def inner(X):
    return X > LIMITS["low"]
def near(X):
    return inner(X)
class Base(ClassifierMixin, BaseEstimator):
    rate = 7
    @property
    def level(self):
        return 8
    @staticmethod
    def plus(X):
        return X + 9
    def predict(self, X):
        return near(X) + other(X)
class Mine(Base):
    def fit(self, X, y):
        return self
unrelated = X = 1
found = learner_of(Mine()).fingerprint
"""


def learnt_by(folder, how, monkeypatch):
    """The fingerprint of the script's learner, run from its file or typed, in a __main__ of its own."""
    main = ModuleType("__main__")
    if how == "script":
        main.__file__ = str(folder / "script.py")
    monkeypatch.setitem(sys.modules, "__main__", main)
    exec(compile((folder / "script.py").read_text(), getattr(main, "__file__", "<stdin>"), "exec"), vars(main))
    return main.found


@pytest.mark.parametrize("how", ["script", "typed"])
def test_a_scripts_own_code_counts_as_far_as_names_reach(tmp_path, monkeypatch, how):
    """In a file and, as far as compiled code tells, at a prompt that keeps no text."""
    script, beside = tmp_path / "script.py", tmp_path / "beside_script.py"
    script.write_text(SCRIPT)
    beside.write_text("def other(X):\n    return 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = learnt_by(tmp_path, how, monkeypatch)
    changed(script, "unrelated = X = 1", "unrelated = X = 2")
    assert learnt_by(tmp_path, how, monkeypatch) == before
    seen = {before}
    for file, old, new in (
        (script, "[4, 5]", "[4, 6]"),
        (script, "return X > LIMITS", "return X < LIMITS"),
        (script, "near(X) + other", "near(X) - other"),
        (script, "rate = 7", "rate = 6"),
        (script, "return 8", "return 6"),
        (script, "X + 9", "X + 6"),
        (beside, "return 0", "return 1"),
    ):
        changed(file, old, new)
        now = learnt_by(tmp_path, how, monkeypatch)
        assert now not in seen
        seen.add(now)
    del sys.modules["beside_script"]


HEAD = """
import functools
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from bestofk.design.learners import learner_of
"""


LEARNER = """
class Mine(GaussianNB):
    def predict(self, X):
        return super().predict(USED)
learner = Mine()
"""


BY_NAME = {
    "lru_cache": ("@functools.lru_cache\ndef k(v): return v * 2", "k(1)", "v * 2", "v * 3"),
    "njit": ("import numba\n@numba.njit\ndef k(v): return v * 2", "k(1)", "v * 2", "v * 3"),
    "wrapper of one's own": (
        "def twice(f):\n    @functools.wraps(f)\n    def inner(v): return f(v) * 2\n    return inner\n"
        "@twice\ndef k(v): return v + 1",
        *("k(1)", "f(v) * 2", "f(v) * 3"),
    ),
    "partial, its argument": ("def j(v, w): return v * w\nk = functools.partial(j, w=2)", "k(1)", "w=2", "w=3"),
    "partial, its function": ("def j(v, w): return v * w\nk = functools.partial(j, w=2)", "k(1)", "v * w", "v - w"),
    "table": ("def j(v): return v * 2\nWAYS = {'a': j}", "WAYS['a'](X)", "v * 2", "v * 3"),
    "list in a tuple": ("def j(v): return v * 2\nWAYS = (1, [j])", "WAYS[1][0](X)", "v * 2", "v * 3"),
    "filled table": (
        "WAYS = {}\ndef j(v): return v * 2\nfor name in ('a', 'b'):\n    WAYS[name] = j",
        *("WAYS['a'](X)", "v * 2", "v * 3"),
    ),
    "table filled by a decorator": (
        "WAYS = {}\ndef keep(f):\n    WAYS[f.__name__] = f\n    return f\n@keep\ndef j(v): return v * 2",
        *("WAYS['j'](X)", "v * 2", "v * 3"),
    ),
    "default": ("def k(v, w=2): return v * w", "k(X)", "w=2", "w=3"),
    "default in a list": ("def k(v, w=[2]): return v * w[0]", "k(X)", "w=[2]", "w=[3]"),
    "keyword default": ("def k(v, *, w=2): return v * w", "k(X)", "w=2", "w=3"),
    "function as default": ("def j(v): return v * 2\ndef k(v, w=j): return w(v)", "k(X)", "v * 2", "v * 3"),
    "closure": (
        "def outer(w):\n    def inner(v): return v * w\n    return inner\nk = outer(2)",
        *("k(X)", "outer(2)", "outer(3)"),
    ),
    "staticmethod": ("class T:\n    @staticmethod\n    def k(v): return v * 2", "T.k(X)", "v * 2", "v * 3"),
    "cached_property": (
        "class T:\n    @functools.cached_property\n    def k(self): return 2",
        *("X * T().k", "return 2", "return 3"),
    ),
    "constants in a list": ("C = [2, 3]", "X * C[0]", "[2, 3]", "[2, 4]"),
    "constants in a tuple": ("C = (2, 3)", "X * C[0]", "(2, 3)", "(2, 4)"),
}


AS_PARAMETER = {
    "classmethod": ("class T:\n    @classmethod\n    def k(cls, v): return v * 2", "T.k", "v * 2", "v * 3"),
    "method's class": (
        "class T:\n    @classmethod\n    def k(cls, v): return cls.j(v)\n    @staticmethod\n    def j(v): return v * 2",
        *("T.k", "v * 2", "v * 3"),
    ),
    "lru_cache": ("@functools.lru_cache\ndef k(v): return v * 2", "k", "v * 2", "v * 3"),
}


CASES = {
    name: (f"{code}\n{LEARNER.replace('USED', used)}", old, new) for name, (code, used, old, new) in BY_NAME.items()
}


CASES |= {
    f"{name} as parameter": (f"{code}\nlearner = make_pipeline(FunctionTransformer({used}), GaussianNB())", old, new)
    for name, (code, used, old, new) in AS_PARAMETER.items()
}


def run_script(tmp_path, how, monkeypatch, text):
    """The script's __main__ after it ran, from a file or typed."""
    main = ModuleType("__main__")
    file = tmp_path / f"script{len(list(tmp_path.iterdir()))}.py"
    file.write_text(HEAD + text)
    if how == "script":
        main.__file__ = str(file)
    monkeypatch.setitem(sys.modules, "__main__", main)
    exec(compile(HEAD + text, str(file) if how == "script" else "<stdin>", "exec"), vars(main))
    return main


def fingerprint(*given):
    return learner_of(run_script(*given).learner).fingerprint


@pytest.mark.parametrize("how", ["script", "typed"])
@pytest.mark.parametrize("case", CASES)
def test_code_behind_wrappers_in_tables_and_in_defaults_counts(tmp_path, monkeypatch, case, how):
    text, old, new = CASES[case]
    if case == "njit":
        pytest.importorskip("numba")
    assert text.count(old) == 1
    before = fingerprint(tmp_path, how, monkeypatch, text)
    assert fingerprint(tmp_path, how, monkeypatch, f"unrelated = 1\n{text}") == before
    assert fingerprint(tmp_path, how, monkeypatch, text.replace(old, new)) != before


def test_a_module_imported_at_a_prompt_when_code_runs_counts(tmp_path, monkeypatch):
    (tmp_path / "lazy_script.py").write_text("A = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = LEARNER.replace("USED", "__import__").replace(
        "        return", "        from lazy_script import A\n        return"
    )
    before = fingerprint(tmp_path, "typed", monkeypatch, text)
    (tmp_path / "lazy_script.py").write_text("A = 1000\n")
    assert fingerprint(tmp_path, "typed", monkeypatch, text) != before


@pytest.mark.parametrize("how", ["script", "typed"])
@pytest.mark.parametrize(
    "fill",
    ["SEEN[len(SEEN)] = 1", "SEEN.update({len(SEEN): 1})", "SEEN.setdefault(len(SEEN), []).append(1)", "del SEEN[0]"],
)
def test_a_table_that_the_learner_fills_leaves_it_the_same(tmp_path, monkeypatch, how, fill):
    text = f"SEEN = {{0: 1}}\nclass Mine(GaussianNB):\n    def fit(self, X, y):\n        {fill}\nlearner = Mine()"
    main = run_script(tmp_path, how, monkeypatch, text)
    before = learner_of(main.learner).fingerprint
    main.learner.fit(None, None)
    assert main.SEEN != {0: 1}
    assert learner_of(main.learner).fingerprint == before
    if how == "script":
        assert fingerprint(tmp_path, how, monkeypatch, text.replace("{0: 1}", "{0: 2}")) != before


@pytest.mark.parametrize(
    "code",
    [
        "class Mine(GaussianNB):\n    seen = {}\n    def fit(self, X, y): self.seen[len(self.seen)] = 1",
        "def k(v, seen={}): seen[len(seen)] = v\nclass Mine(GaussianNB):\n    def fit(self, X, y): k(1)",
        "def outer():\n    seen, n = [], 0\n    def inner(v):\n        nonlocal n\n        n += 1\n"
        "        seen.append(v)\n    return inner\nk = outer()\nclass Mine(GaussianNB):\n    def fit(self, X, y): k(1)",
        "@functools.lru_cache\ndef k(v): return v\nclass Mine(GaussianNB):\n    def fit(self, X, y): k(1)",
        "import numpy as np\nROOM = np.zeros(3)\nclass Mine(GaussianNB):\n    def fit(self, X, y): ROOM[1:] += 1",
    ],
)
@pytest.mark.parametrize("how", ["script", "typed"])
def test_memories_in_classes_defaults_and_closures_leave_it_the_same(tmp_path, monkeypatch, code, how):
    main = run_script(tmp_path, how, monkeypatch, f"{code}\nlearner = Mine()")
    before = learner_of(main.learner).fingerprint
    main.learner.fit(None, None)
    assert learner_of(main.learner).fingerprint == before


@pytest.mark.parametrize("how", ["script", "typed"])
def test_circles_end(tmp_path, monkeypatch, how):
    code = """
LOOP = [1]
LOOP.append(LOOP)
@functools.lru_cache
def k(v): return k(v - 1) * 2 if v else LOOP
def j(v): return v
j.__wrapped__ = j
k2 = functools.partial(j, [k])
k2.keywords["again"] = k2
"""
    text = code + LEARNER.replace("USED", "k(3), k2, LOOP, Mine")
    before = fingerprint(tmp_path, how, monkeypatch, text)
    assert fingerprint(tmp_path, how, monkeypatch, text) == before
    assert fingerprint(tmp_path, how, monkeypatch, text.replace("* 2 if", "* 3 if")) != before
