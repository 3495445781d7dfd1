# Everything that `make certify` and `make test` need, they set up themselves, in .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PACKAGES := feltrig engine protocols emulators harness fixtures
SOURCES := $(shell find $(PACKAGES) -name '*.py' -o -name '*.tsv' -o -name '*.toml' -o -name "*.css" -o -name "*.lua" -o -name py.typed)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: certify test setup lint types unit docs matrix benchmark lock clean

certify: .venv/installed
	$(BIN)/feltrig certify

test: lint types unit

setup: .venv/tested

# mypy and import-linter look at the installed package, from a folder where the checkout does not hide it.
lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd .venv && bin/lint-imports --no-cache --config ../pyproject.toml

types: .venv/tested
	cd .venv && bin/mypy --config-file ../pyproject.toml --cache-dir ../.mypy_cache -p feltrig

unit: .venv/tested
	$(BIN)/pytest -n 6 --dist load --maxschedchunk 8

docs: .venv/installed
	$(BIN)/python docs/regenerate.py

matrix: .venv/installed
	$(BIN)/python docs/matrix.py

benchmark: .venv/tested
	$(BIN)/python benchmarks/wires.py

# The versions that development uses, with hashes and without the address of any index.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--extra test pyproject.toml --output-file requirements-dev.lock

clean:
	rm -rf .venv

.venv/python: Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "feltrig needs Python 3.11 or newer, and $(PYTHON) is older" >&2; exit 2; }
	$(PYTHON) -m venv .venv
	@touch $@

# The package is installed as a user would get it, so that a file missing from the wheel fails here and not there.
.venv/installed: .venv/python pyproject.toml README.md $(SOURCES)
	$(PIP) install --upgrade --upgrade-strategy only-if-needed --force-reinstall --no-deps .
	$(PIP) install .
	@touch $@

.venv/tested: .venv/installed
	$(PIP) install '.[test]'
	@touch $@
