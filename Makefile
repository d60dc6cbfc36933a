# The verbs of the project. `make demo` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
BIN := .venv/bin
CODE := src tests benchmarks docs examples hatch_build.py
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Tests start many processes: they find the source compiled, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick-tests compiled-trees compiled-folds lint house bench bench-sharing calibration every-set docs golden \
	man release-check release-quick clean

# Two answers and a page: a model chosen by its price from results that exist, and an experiment run on the spot.
demo: .venv/ready
	@printf '\nWhich language model? 960 questions, five models, their prices:\n\n'
	$(BIN)/bestofk judge examples/model_prices.csv --prior price --within 0.05
	@printf '\nWhich classifier? Five of them, trained and tested now on seven data sets:\n\n'
	@rm -f demo.db
	$(BIN)/bestofk collect examples/plan.toml --into demo.db
	$(BIN)/bestofk judge demo.db
	@printf '\nThe second answer as a page, with figures and every number:\n\n'
	$(BIN)/bestofk report demo.db -o verdict.html > /dev/null
	@echo verdict.html

# The quick tests with doctests, lint and types included: everything that must hold in five minutes on two cores.
# Lint and types are checked beside the tests, which leave a core idle while they wait for a process or a browser.
test: .venv/ready-to-test
	@rm -f .venv/test-seconds; date +%s > .venv/test-began
	@$(MAKE) --no-print-directory -j3 lint quick-tests
	@echo $$(( $$(date +%s) - $$(cat .venv/test-began) )) > .venv/test-seconds

# A file stays with one process, so that what its tests share is made once.
quick-tests: compiled-trees compiled-folds
	$(BIN)/python -m pytest -n auto --dist loadfile

# Loops are compiled once and kept beside the source; otherwise every process of the tests would compile them.
CHECK_SHARING = $(BIN)/python -c "import sys; from bestofk.design.learners import learner_of; \
	from bestofk.sharing.shelf import SHARING; from bestofk.testing.design import check_sharing; \
	[check_sharing(SHARING[way], learner_of(name)) for way, name in zip(sys.argv[1::2], sys.argv[2::2])]"

compiled-trees: .venv/ready-to-test
	$(CHECK_SHARING) c45 c45

compiled-folds: .venv/ready-to-test
	$(CHECK_SHARING) nearest-neighbours nn linear-discriminant lda logistic lgc

lint: .venv/ready-to-test
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# How large and how tangled the source is, beside version 0.1.0 and the goal; the time of the last `make test` included.
house: .venv/ready-to-test
	$(BIN)/python -m benchmarks.house

# Size of every test, and how often whole verdicts break their promises, by simulation: two hours.
calibration: .venv/ready-to-test
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "slow and not every_set"
	$(BIN)/python -m benchmarks.calibration
	$(BIN)/python -m benchmarks.calibration.fold_panel
	$(BIN)/python -m benchmarks.calibration.fold_power
	$(BIN)/python -m benchmarks.calibration.verdict
	$(BIN)/python -m benchmarks.calibration.gate
	$(BIN)/python -m benchmarks.calibration.verdict.faults
	$(BIN)/python -m benchmarks.calibration.verdict.within

# Shared folds against plain ones on every data set of a folder (BESTOFK_DATA): half an hour or more.
every-set: .venv/ready-to-test
	$(BIN)/python -m pytest -n auto -m every_set

# Speed against the peers, in an environment of its own; writes benchmarks/RESULTS.md.
bench: .bench-venv/ready
	.bench-venv/bin/python -m benchmarks.run

# Work shared across folds against scikit-learn's cross_validate; writes benchmarks/sharing/RESULTS.md.
bench-sharing: .bench-venv/ready
	.bench-venv/bin/python -m benchmarks.sharing
	.bench-venv/bin/python -m benchmarks.sharing.scaling

# The site, with a page for every test, command and public name, into docs/site.
docs: .venv/ready-for-docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --jobs auto -d build/doctrees docs docs/site
	@echo open docs/site/index.html

# Values of independent programs (needs R and the peers; see tests/golden/make).
golden:
	bash tests/golden/make/refresh.sh

# Manual pages of the command, from its help, into build/man; a wheel that is built then has them.
man: .venv/ready
	rm -rf build/man
	$(BIN)/python docs/man_pages.py build/man

# Wheel and sdist into dist, tried in empty environments: every Python that can be had, the core and each extra.
release-check: man .release-venv/ready
	.release-venv/bin/python -m tests.release.check

# The same on this Python with the core alone: a minute.
release-quick: man .release-venv/ready
	.release-venv/bin/python -m tests.release.check --quick

clean:
	rm -rf .venv .bench-venv .release-venv build dist docs/site demo.db verdict.html

# Each environment is made once and again whenever what it is made from changes.
.venv/made: Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "bestofk needs Python 3.11 or newer; $(PYTHON) is older."; \
	    echo "  where: make, variable PYTHON"; echo "  to do: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

.venv/ready: .venv/made pyproject.toml src/bestofk/core/version.py
	$(BIN)/python -m pip install --quiet --editable ".[plots]"
	@touch $@

.venv/ready-to-test: .venv/ready
	$(BIN)/python -m pip install --quiet --group dev --group fast
	@touch $@

.venv/ready-for-docs: .venv/ready
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

.bench-venv/ready: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv .bench-venv
	.bench-venv/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.bench-venv/bin/python -m pip install --quiet --editable ".[fast]" --requirement benchmarks/requirements.txt
	@touch $@

.release-venv/ready: Makefile
	$(PYTHON) -m venv .release-venv
	.release-venv/bin/python -m pip install --quiet --upgrade "pip>=25.1" build twine uv
	@touch $@
