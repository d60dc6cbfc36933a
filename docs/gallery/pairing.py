"""Published percentages of Table 2 of the MultiTest paper against ours, from paired and unpaired errors."""

from gallery_paths import show

from bestofk.plots import figure_of
from bestofk.replications.multitest.experiment import fold_errors
from bestofk.replications.multitest.pairing import PairingInfo, choices_by_pairing, fits_of
from bestofk.replications.multitest.published import paper_sets

sets = paper_sets(None, ("iris", "wine")).sets
errors = {name: fold_errors(dataset, 20, 1) for name, dataset in sets.items()}
show(figure_of(PairingInfo(fits_of(choices_by_pairing(errors, 1)))), "pairing")
