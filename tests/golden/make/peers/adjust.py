"""Adjusted p values: statsmodels."""

from cases import INPUTS, Cases, ref
from peers.source import source
from statsmodels.stats.multitest import multipletests


def write(folder):
    cases = Cases("python", "adjust")
    theirs = {
        "bonferroni": "bonferroni",
        "holm": "holm",
        "hochberg": "simes-hochberg",
        "hommel": "hommel",
        "holland": "holm-sidak",
        "benjamini_hochberg": "fdr_bh",
        "benjamini_yekutieli": "fdr_by",
    }
    for name in ("p_unsorted", "p_random"):
        for ours, method in theirs.items():
            cases.add(
                f"{ours}-{name}-statsmodels",
                f"stats.adjust.{ours}",
                [ref(name)],
                {"": multipletests(INPUTS[name], method=method)[1]},
                source("statsmodels", f"multipletests(p, method={method!r})[1]"),
                note="Holm with Sidak's levels is the procedure of Holland and Copenhaver"
                if ours == "holland"
                else None,
            )
    cases.save(folder)
