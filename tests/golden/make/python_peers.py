"""Golden values from Python packages. Usage: python python_peers.py FOLDER   (the parts are left there)."""

import sys
import warnings

from peers import adjust, bayes, multivariate, omnibus, pairwise, roc, studentized_range


def main(folder):
    warnings.simplefilter("ignore")  # the peers warn of small samples and of each other
    for topic in (pairwise, omnibus, studentized_range, multivariate, adjust, bayes, roc):
        topic.write(folder)


if __name__ == "__main__":
    main(sys.argv[1])
