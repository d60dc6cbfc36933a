"""What chapter 15 prints: accuracies of the classifiers, totals, the steps to t, and critical values of t.

Figures are text, as printed: the number of their decimals says how near ours must come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from bestofk.core.frozen import frozen

A = {1: 80, 2: 73, 3: 85, 4: 68, 5: 82, 6: 75, 7: 73, 8: 64, 9: 75, 10: 69}
B = {1: 85, 2: 70, 3: 85, 4: 74, 5: 71, 6: 65, 7: 77, 8: 73, 9: 75, 10: 76}
C = {1: 81, 2: 74, 3: 86, 4: 69, 5: 83, 6: 75, 7: 75, 8: 63, 9: 75, 10: 70}
KEPT = (1, 2, 3, 4, 7, 8, 9, 10)  # without 5 and 6, on which B does badly


@frozen
class Contest:
    """One table of two classifiers on data sets, with what is printed about it by name, and what is concluded.

    ``level`` is that at which the chapter finds the difference significant, or does not although it is the mildest;
    ``excused`` has the printed figures that are known to be wrong, with the reason.
    """

    figure: str
    challenger: str
    first: Mapping[int, int]
    second: Mapping[int, int]
    printed: Mapping[str, str]
    level: float | None = None
    significant: bool | None = None
    excused: Mapping[str, str] = field(default_factory=dict)


def _kept(accuracy: Mapping[int, int], **more: int) -> dict[int, int]:
    return {i: accuracy[i] for i in KEPT} | {int(name[1:]): value for name, value in more.items()}


CONTESTS = (
    Contest(
        *("15.2", "B", A, B),
        {
            "total A": "744",
            "total new": "751",
            "total z": "7",
            "total z²": "437",
            "average A": "74.4",
            "average new": "75.1",
            "average z": "0.7",
            "average z²": "43.7",
            "A better": "3",
            "equal": "2",
            "new better": "5",
            "(Σz)²/n": "4.9",
            "Σz² − (Σz)²/n": "432.1",
            "variance": "48.01",
            "standard deviation": "6.93",
            "standard error": "2.19",
            "t": "0.32",
        },
        level=0.10,
        significant=False,
    ),
    Contest(
        *("15.5", "C", A, C),
        {
            "total A": "744",
            "total new": "751",
            "total z": "7",
            "total z²": "11",
            "average A": "74.4",
            "average new": "75.1",
            "average z": "0.7",
            "average z²": "1.1",
            "(Σz)²/n": "4.9",
            "Σz² − (Σz)²/n": "6.1",
            "variance": "0.68",
            "standard deviation": "0.82",
            "standard error": "0.26",
            "t": "2.69",
        },
        level=0.05,
        significant=True,
    ),
    Contest(
        *("15.6", "B", _kept(A), _kept(B)),
        {
            "total A": "587",
            "total new": "615",
            "total z": "28",
            "total z²": "216",
            "average A": "73.375",
            "average new": "76.875",
            "average z": "3.5",
            "average z²": "27",
            "standard error": "1.45",
            "t": "2.41",
            "± of the interval": "3.429",
            "low": "0.071",
            "high": "6.929",
        },
        level=0.05,
        significant=True,
        excused=dict.fromkeys(("± of the interval", "low", "high"), "from the standard error rounded to 1.45"),
    ),
    Contest(
        *("15.7", "B", _kept(A, d11=75, d12=82), _kept(B, d11=80, d12=88)),
        {
            "total A": "704",
            "total new": "783",
            "total z": "39",
            "total z²": "277",
            "average A": "70.4",
            "average new": "78.3",
            "average z": "3.9",
            "average z²": "27.7",
            "standard error": "1.18",
            "t": "3.31",
            "± of the interval": "3.835",
            "low": "0.065",
            "high": "7.735",
        },
        level=0.01,
        significant=True,
        excused={
            **dict.fromkeys(("total A", "average A"), "misprint: its own column sums to 744"),
            **dict.fromkeys(("± of the interval", "low", "high"), "from the standard error rounded to 1.18"),
        },
    ),
    Contest(
        *("15.7 with 95 and 99", "B", _kept(A, d11=75, d12=82), _kept(B, d11=95, d12=99)),
        {"t": "2.81"},
    ),
)

#: Section 15.7, question 1 to 4: the chapter prints no answers.
EXERCISE = (
    (74, 69, 80, 67, 84, 87, 69, 74, 78, 72, 75, 72, 70, 75, 80, 84, 79, 79, 63, 75),
    (86, 75, 86, 69, 83, 95, 65, 81, 74, 80, 73, 82, 68, 78, 78, 85, 79, 78, 76, 71),
)

#: Fig. 15.3: both tails beyond ±1.83 with 9 degrees of freedom.
TAILS = (1.83, 9, "0.1005")

LEVELS = (0.10, 0.05, 0.01)
#: Fig. 15.4: degrees of freedom from 1, columns by ``LEVELS``.
T_VALUES = (
    ("6.314", "12.71", "63.66"),
    ("2.920", "4.303", "9.925"),
    ("2.353", "3.182", "5.841"),
    ("2.132", "2.776", "4.604"),
    ("2.015", "2.571", "4.032"),
    ("1.943", "2.447", "3.707"),
    ("1.895", "2.365", "3.499"),
    ("1.860", "2.306", "3.355"),
    ("1.833", "2.262", "3.250"),
    ("1.812", "2.228", "3.169"),
    ("1.796", "2.201", "3.106"),
    ("1.782", "2.179", "3.055"),
    ("1.771", "2.160", "3.012"),
    ("1.761", "2.145", "2.977"),
    ("1.753", "2.131", "2.947"),
    ("1.746", "2.120", "2.921"),
    ("1.740", "2.110", "2.898"),
    ("1.734", "2.101", "2.878"),
    ("1.729", "2.093", "2.861"),
)
