"""What importing costs, and what it may not load."""

import subprocess
import sys

import pytest

PROBE = "import sys; {code}; print(' '.join(sorted(m for m in sys.modules)))"


def modules_after(code):
    answer = subprocess.run([sys.executable, "-c", PROBE.format(code=code)], capture_output=True, text=True, check=True)
    return set(answer.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import bestofk",
        "import bestofk.stats",
        "from bestofk.stats.omnibus import tukey; tukey([[1, 2, 3], [2, 3, 5]])",
        "from bestofk.stats.bayes import signed_rank; signed_rank([1, 2, 3], [2, 3, 1], rope=0, samples=10, rng=0)",
        "from bestofk.ordering import multitest; multitest([[1, 2, 3], [2, 3, 5]], test='wilcoxon')",
        "import bestofk; bestofk.judge(bestofk.read('examples/five_by_two.csv')).text()",
    ],
)
def test_no_heavy_package_on_the_way(code):
    loaded = modules_after(code)
    for heavy in ("scipy.stats", "scipy.optimize", "pandas", "sklearn", "matplotlib", "numba"):
        assert heavy not in loaded, f"{code} loads {heavy}"


def test_import_bestofk_loads_no_more_than_numpy():
    packages = {name.split(".")[0] for name in modules_after("import bestofk") - modules_after("pass")}
    assert packages <= {"bestofk", "numpy", *sys.stdlib_module_names}


COMMAND = "from bestofk.cli import main\ntry: main({words})\nexcept SystemExit: pass\n"


def after_command(words, code=""):
    probe = COMMAND.format(words=words) + code + "\nimport sys; print(' '.join(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(answer.stdout.splitlines()[-1].split())


def test_help_loads_no_numpy():
    assert "numpy" not in after_command(["--help"])


def test_the_command_loads_of_scipy_special_what_it_calls():
    loaded = after_command(["judge", "examples/five_by_two.csv"])
    assert "scipy.special._ufuncs" in loaded
    assert not {"scipy.special._basic", "scipy._lib._array_api", "numpy.f2py", "numpy.ma"} & loaded


def test_the_rest_of_scipy_special_comes_when_asked_for():
    rest = """
from scipy import special
from scipy.special import logsumexp, ndtr
import scipy.stats
assert abs(special.logsumexp([0.0, 0.0]) - 0.6931471805599453) < 1e-15 and special.ndtr(0.0) == ndtr(0.0) == 0.5
assert "logsumexp" in special.__all__ and abs(scipy.stats.norm.cdf(0.0) - 0.5) < 1e-15
"""
    assert "scipy.special._basic" in after_command(["judge", "examples/five_by_two.csv"], rest)


def test_front_door():
    import bestofk

    assert len(bestofk.__all__) <= 26
    for name in bestofk.__all__:
        assert getattr(bestofk, name) is not None
        assert name in dir(bestofk)
    with pytest.raises(AttributeError, match="no_such_name"):
        bestofk.no_such_name  # noqa: B018
