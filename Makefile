# make demo   installs what it needs into .venv and writes a knock-threshold report to results/demo
# make test   installs the development tools too, and runs every check
# make notebooks       opens JupyterLab on notebooks/ (in a container: make notebooks LAB="--allow-root --ip=0.0.0.0")
# make notebooks-run   makes all outputs of the notebooks anew
# All paths are relative, so that the folder may lie under a path with spaces.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Only the project's own folders are checked: a file of yours beside them is yours.
OWN := gincore tests $(wildcard scripts notebooks)

DEMO_OUT := results/demo
DEMO_DEALS ?= 500000
DEMO_GAMES ?= 25000

.PHONY: help demo notebooks notebooks-run test lint types layers unit format clean check-python

help:
	@sed -n '1,4p' Makefile | cut -c3-

check-python:
	@command -v "$(PYTHON)" >/dev/null 2>&1 || \
	    { echo "gincore: no '$(PYTHON)' found; install Python 3.11 or newer, or give one: make PYTHON=/path/to/python3" >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "gincore: '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1); Python 3.11 or newer is needed: make PYTHON=python3.11" >&2; exit 2; }

$(BIN)/python: | check-python
	@"$(PYTHON)" -m venv $(VENV) || \
	    { rm -rf $(VENV); echo "gincore: '$(PYTHON) -m venv' failed; on Debian: apt-get install python3-venv" >&2; exit 2; }

$(VENV)/.stamp-runtime: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.stamp-notebooks: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[notebooks]'
	@touch $@ $(VENV)/.stamp-runtime

$(VENV)/.stamp-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.stamp-runtime $(VENV)/.stamp-notebooks

demo: $(VENV)/.stamp-runtime
	$(BIN)/python -m gincore report knock-threshold --rules classic \
	    --deals $(DEMO_DEALS) --games $(DEMO_GAMES) --seed 1 --out $(DEMO_OUT)

notebooks: $(VENV)/.stamp-notebooks
	$(BIN)/python -m jupyterlab $(LAB) notebooks/01-first-million-hands.ipynb

notebooks-run: $(VENV)/.stamp-notebooks
	$(BIN)/python scripts/notebooks.py

test: lint types layers unit

lint: $(VENV)/.stamp-dev
	$(BIN)/python -m ruff check $(OWN)
	$(BIN)/python -m ruff format --check $(OWN)

types: $(VENV)/.stamp-dev
	$(BIN)/python -m mypy gincore $(wildcard scripts)

layers: $(VENV)/.stamp-dev
	$(BIN)/lint-imports

unit: $(VENV)/.stamp-dev
	$(BIN)/python -m pytest

format: $(VENV)/.stamp-dev
	$(BIN)/python -m ruff check --fix $(OWN)
	$(BIN)/python -m ruff format $(OWN)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
