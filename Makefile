# Everything that `make certify` and `make test` need, they set up themselves, in .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PACKAGES := engine protocols emulators harness fixtures
SOURCES := $(shell find $(PACKAGES) -name '*.py' -o -name '*.tsv' -o -name '*.toml' -o -name py.typed)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: certify test lint types unit docs matrix benchmark clean

certify: .venv/installed
	$(BIN)/feltrig certify

test: lint types unit

lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: .venv/tested
	$(BIN)/mypy $(PACKAGES:%=-p feltrig.%)

unit: .venv/tested
	$(BIN)/pytest -n 4 --dist worksteal

docs: .venv/installed
	$(BIN)/python docs/regenerate.py

matrix: .venv/installed
	$(BIN)/python docs/matrix.py

benchmark: .venv/tested
	$(BIN)/python benchmarks/wires.py

clean:
	rm -rf .venv build *.egg-info

.venv/python: Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "feltrig needs Python 3.11 or newer, and $(PYTHON) is older" >&2; exit 2; }
	$(PYTHON) -m venv .venv
	@touch $@

# The package is installed as a user would get it, so that a file missing from the wheel fails here and not there.
.venv/installed: .venv/python pyproject.toml README.md $(SOURCES)
	@rm -rf build *.egg-info
	$(PIP) install --upgrade --upgrade-strategy only-if-needed --force-reinstall --no-deps .
	$(PIP) install .
	@rm -rf build *.egg-info
	@touch $@

.venv/tested: .venv/installed
	$(PIP) install '.[test]'
	@rm -rf build *.egg-info
	@touch $@
