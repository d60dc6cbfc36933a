#!/bin/sh
# Make tests/golden/values again with the programs that the values come from. For Debian 12; a few minutes.
#
#   tests/golden/make/refresh.sh              install R packages (as root) and Python packages, compute, write
#   tests/golden/make/refresh.sh --no-install-r   R and its packages are there already
#
# Everything but R lives in a temporary folder that is removed at the end. Nothing here uses the library under test.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "${1:-}" != "--no-install-r" ]; then
    apt-get update
    xargs apt-get install -y --no-install-recommends < "$here/debian-packages.txt"
fi
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --requirement "$here/requirements.txt"

export PYTHONDONTWRITEBYTECODE=1
cd "$here"
python="$work/python/bin/python"
mkdir "$work/parts"
"$python" cases.py inputs "$work/parts"
for maker in python_peers brute_force papers rulings; do
    "$python" "$maker.py" "$work/parts"
done
Rscript r_peers.R "$work/parts"
"$python" cases.py gather "$work/parts" "$here/../values"

# Posteriors by another sampler, in an environment of its own: PyMC brings its own numpy.
python3 -m venv "$work/pymc"
"$work/pymc/bin/pip" install --quiet "pymc==6.3.2"
"$work/pymc/bin/python" hierarchical.py "$here/../posteriors/hierarchical.json"
