# `make run` starts the service, `make test` proves it, `make check` is everything a change has to pass.

.DEFAULT_GOAL := help
.PHONY: help run test check quick bench setup lock openapi clean

VENV := .venv
PY := $(VENV)/bin/python
PYTEST_ARGS ?=
# The first of these that is Python 3.11 or newer and can make virtual environments; override with `make PYTHON=…`.
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(PY) -m pip install --quiet

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' Makefile

run: $(VENV)/run.stamp ## set up and start everything (PORT, DATA_DIR, REDIS_URL are honoured)
	@exec $(PY) -m app.cli up

setup: $(VENV)/dev.stamp ## set up for developing

test: $(VENV)/dev.stamp ## set up and run the whole test suite
	@failed=0; \
	$(PY) -m pytest -n 2 --dist loadfile -m "not alone" $(PYTEST_ARGS) || failed=1; \
	$(PY) -m pytest -m alone $(PYTEST_ARGS) || failed=1; \
	exit $$failed

quick: $(VENV)/dev.stamp ## the quick tests only
	$(PY) -m pytest -n 2 --dist loadfile -m "not slow and not alone" $(PYTEST_ARGS)

check: $(VENV)/dev.stamp ## format, lint, types, import contracts, OpenAPI drift, doctests, quick tests
	$(PY) -m ruff format --check
	$(PY) -m ruff check
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) -m app.cli openapi --check
	$(PY) -m app.cli rulesets --check
	@$(MAKE) quick

openapi: $(VENV)/dev.stamp ## write openapi/openapi.json
	$(PY) -m app.cli openapi

bench: $(VENV)/dev.stamp ## measure; prints figures
	@set -e; for script in tests/bench/bench_*.py; do echo "== $$script"; $(PY) $$script; done

UPGRADE := --upgrade
LOCK := --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" pyproject.toml

lock: $(VENV)/dev.stamp ## make the lock files again from pyproject.toml, newest versions
	$(PY) -m uv pip compile $(LOCK) --extra build -o requirements.txt
	$(PY) -m uv pip compile $(LOCK) --extra build --extra chart --extra dev -c requirements.txt -o requirements-dev.txt

clean: ## remove what set-up and tests made, never the data folder
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# A stamp says that the environment holds what its lock file says; the developers' lock holds the runtime's versions.
$(VENV)/run.stamp: requirements.txt pyproject.toml | $(VENV)/made.stamp
	@echo "Installing what allfives needs into $(VENV) …"
	@$(PIP) --require-hashes --only-binary :all: -r requirements.txt
	@$(PIP) --no-deps --no-build-isolation --no-index -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	@echo "Installing what developing and testing allfives needs …"
	@$(PIP) --require-hashes --only-binary :all: -r requirements-dev.txt
	@touch $@

$(VENV)/made.stamp:
	@for python in $(PYTHON); do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; found=$$python; \
	  "$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
	  "$$python" -m venv --clear $(VENV) && touch $@ && exit 0; exit 1; \
	done; \
	if [ -n "$$found" ]; then \
	  echo "allfives needs Python's venv module, which $$found lacks (Debian, Ubuntu: apt install python3-venv)." >&2; \
	else echo "allfives needs Python 3.11 or newer; none was found (or say make PYTHON=/path/to/python3)." >&2; fi; exit 1
