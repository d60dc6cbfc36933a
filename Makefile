# The verbs of the project. `make demo` and `make test` need Python 3.11 or newer and nothing else.
PYTHON ?= python3
BIN := .venv/bin
CODE := src tests benchmarks docs examples
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test compiled-trees compiled-folds lint house bench bench-sharing calibration every-set docs golden clean

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
# A file stays with one process, so that what its tests share is made once.
test: .venv/ready-to-test
	@rm -f .venv/test-seconds; date +%s > .venv/test-began
	@$(MAKE) --no-print-directory -j2 compiled-trees compiled-folds lint
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow"
	@echo $$(( $$(date +%s) - $$(cat .venv/test-began) )) > .venv/test-seconds

# Loops are compiled once and kept beside the source; otherwise every process of the tests would compile them.
CHECK_SHARING = $(BIN)/python -c "import sys; from bestofk.design.learners import learner_of; \
	from bestofk.sharing.shelf import SHARING; from bestofk.testing.design import check_sharing; \
	check_sharing(SHARING[sys.argv[1]], learner_of(sys.argv[2]))"

compiled-trees: .venv/ready-to-test
	$(CHECK_SHARING) c45 c45

compiled-folds: .venv/ready-to-test
	$(CHECK_SHARING) nearest-neighbours nn
	$(CHECK_SHARING) linear-discriminant lda
	$(BIN)/python -c "from bestofk.design.datasets import dataset_of; \
	from bestofk.replications.multitest.experiment import fold_errors; fold_errors(dataset_of('iris'), 2, 1)"

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
	$(BIN)/python -m benchmarks.calibration.verdict.faults

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

# The reference pages of the package, from its docstrings, into docs/site.
docs: .venv/ready-for-docs
	$(BIN)/python docs/build.py

# Values of independent programs (needs R and the peers; see tests/golden/make).
golden:
	bash tests/golden/make/refresh.sh

clean:
	rm -rf .venv .bench-venv docs/site demo.db verdict.html

# Each environment is made once and again whenever what it is made from changes.
.venv/made: Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "bestofk needs Python 3.11 or newer; $(PYTHON) is older."; \
	    echo "  where: make, variable PYTHON"; echo "  to do: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

.venv/ready: .venv/made pyproject.toml
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
