"""``bestofk replicate curves``: Fig. 3 to 6 of Piater et al. on king-rook-vs-king, tic-tac-toe and TD(0)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.errors import InputError
from bestofk.core.extras import available
from bestofk.core.names import unknown
from bestofk.core.options import count_of
from bestofk.replications.agreement import Agreement
from bestofk.replications.curves.apart import power_apart
from bestofk.replications.curves.claims import agreement_of
from bestofk.replications.curves.findings import Findings
from bestofk.replications.curves.learning_curves import COLLECTED
from bestofk.replications.curves.pools import made_pool
from bestofk.replications.curves.sections import sections_of
from bestofk.replications.curves.study import QUESTIONS, calibrate_curves
from bestofk.replications.replication import Progress, Replication, today, versions_used

#: The paper's Chess, Tic-Tac-Toe and RL, in the order in which they are divided; the first one given is modified.
SOURCES = ("krkopt", "tictactoe", "td0")
WHERE = "replicate curves"
ALPHA = 0.05


def replicate(
    *,
    runs: int | None = None,
    datasets: Sequence[str] = (),
    data: str | None = None,
    into: str | Path | None = None,
    seed: int = 1,
    workers: int = 1,
    progress: Progress = lambda done, total, what: None,
) -> Replication:
    """Run the paper's study: ``runs`` of Fig. 3 (100 in the paper), of Fig. 5 and 6 in proportion (10 and 8).

    ``datasets`` are sources of curves, of which the first is modified; ``into`` is a store that keeps the learning
    curves of C4.5. Data sets are made by their rules, so ``data`` is not needed.
    """
    whole = QUESTIONS["type-i"][0]
    wanted = whole if runs is None else count_of(runs, name="runs", where=WHERE)
    _refuse_unusable(data, into)
    pools = _pools(datasets, seed, into, workers, progress)
    if compiled_wanted():
        progress(0, 1, "compiling the loops (numba): some seconds, once")
    rows = calibrate_curves(
        pools,
        effort=wanted / whole,
        alpha=ALPHA,
        seed=seed,
        workers=workers,
        progress=lambda done, total: progress(done, total, "runs of Fig. 3 to 6"),
    )
    found = Findings(rows)
    experiments = max(20, round(QUESTIONS["power"][0] * QUESTIONS["power"][1] * wanted / whole))
    first = next(iter(pools.values()))
    apart = power_apart(first, found.kinds, found.factors, experiments=experiments, alpha=ALPHA, seed=seed)
    agreement = agreement_of(found, apart)
    return Replication(
        paper="curves",
        title="Piater, Cohen, Zhang, Atighetchi 1998: a randomized ANOVA for performance curves, ours beside theirs",
        reference="J. Piater, P. Cohen, X. Zhang, M. Atighetchi, A randomized ANOVA procedure for comparing "
        "performance curves, ICML 1998",
        headline=_headline(found, agreement),
        agreement=agreement,
        sections=sections_of(found, apart),
        left_out=_left_out(wanted, tuple(pools), data, into),
        runs=wanted,
        seed=seed,
        made=today(),
        versions=versions_used("scikit-learn", *(["numba"] if compiled_wanted() else [])),
    )


def _pools(
    names: Sequence[str], seed: int, into: str | Path | None, workers: int, progress: Progress
) -> dict[str, Array]:
    chosen = tuple(dict.fromkeys(names)) or SOURCES
    for name in chosen:
        if name not in SOURCES:
            raise unknown(name, SOURCES, what="source of curves", where=f"{WHERE}, argument datasets")
    pools = {}
    for place, name in enumerate(chosen):
        progress(place, len(chosen), f"curves of {name}")
        pools[name] = made_pool(name, seed, into=into, workers=workers)
    return pools


def _headline(found: Findings, agreement: Sequence[Agreement]) -> str:
    first = found.divided(found.pools[0])
    missed = [line.what for line in agreement if line.met is False]
    said = (
        f"What the paper says otherwise: {'; '.join(missed)}." if missed else "Nothing the paper says is contradicted."
    )
    return (
        f"Of 1,000 divisions of the same curves of {first.pool}, the conventional ANOVA finds an Algorithm effect in "
        f"{1000 * first.conventional_alg:.0f}, the randomized one in {1000 * first.randomized_alg:.0f} (50 are "
        f"expected). {said}"
    )


def _refuse_unusable(data: str | None, into: str | Path | None) -> None:
    """What is named and is not there is refused, even where it would not be used."""
    if data is not None and not Path(data).is_dir():
        raise InputError(f"there is no folder {data}.", f"{WHERE}, --data", "leave it out: no data are needed.")
    if into is None or ":" in str(into):  # the address of a store opens, or refuses, itself
        return
    if Path(into).is_dir() or not Path(into).parent.is_dir():
        what = "is a folder" if Path(into).is_dir() else "is in a folder that is not there"
        raise InputError(f"{into} {what}.", f"{WHERE}, --into", "name a file in a folder that is there: pools.db.")


def _left_out(runs: int, pools: tuple[str, ...], data: str | None, into: str | Path | None = None) -> tuple[str, ...]:
    whole = QUESTIONS["type-i"][0]
    lines = ["Numbers of the paper's Fig. 3, 5 and 6: they are plots, so what its text says of them is compared."]
    if runs < whole:
        lines.append(
            f"Runs: {runs} of the paper's {whole} of Fig. 3 and 4, of Fig. 5 and 6 in proportion (at least one)."
        )
    missing = [name for name in SOURCES if name not in pools]
    if missing:
        lines.append(f"Curves of {', '.join(missing)}: not asked for.")
    if data is not None:
        lines.append("Not used: data. Both data sets are made by their rules, and equal the files.")
    if into is not None and set(pools).isdisjoint(COLLECTED):
        lines.append("Not used: --into. Only curves of C4.5 (krkopt, tictactoe) are kept.")
    if not available("matplotlib"):
        lines.append("Figures: they need matplotlib (bestofk[plots]).")
    return tuple(lines)
