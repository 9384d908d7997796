# `make play` and `make test` need nothing but python3 and make.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Three at a time on two cores, because many tests wait for a screen, a browser or another process.
PYTEST := $(BIN)/pytest -n 3 --dist worksteal
COUNTED := $(PYTEST) --cov -m "not no_cover"

.PHONY: play test check compiled coverage goldens pictures clean

play: .venv/played
	@$(BIN)/quintet

test: .venv/tested tests/page/node_modules
	@scripts/system-parts
	@$(MAKE) --no-print-directory --jobs 2 check compiled
	$(COUNTED)
	$(PYTEST) -m no_cover

# What is wrong with the code without running it.
check: .venv/tested
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Compile every game once, before the processes of the tests would each do so.
compiled: .venv/tested
	$(BIN)/python tests/compile.py

# Which branches of the packages that must be covered do the tests not run? A part of `make test`.
coverage: .venv/tested
	$(COUNTED)

# Write the golden data of the tests anew; read the difference before you keep it.
goldens: .venv/tested
	$(BIN)/python tests/goldens.py

# Take the pictures of the page anew; look at them before you keep them.
pictures: .venv/tested
	@scripts/system-parts
	$(BIN)/python tests/pictures.py

clean:
	rm -rf .venv tests/page/node_modules tests/page/build .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/played: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable .
	$(BIN)/python -m compileall -q src
	touch $@

.venv/tested: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) uv  # Much faster than pip with the many packages that the tests need.
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --compile-bytecode --editable '.[test]'
	$(BIN)/python -m compileall -q src
	touch $@ .venv/played

# What checks the page's scripts. Without npm those tests are skipped.
tests/page/node_modules: tests/page/package.json
	@if command -v npm >/dev/null; then \
	    npm install --prefix tests/page --no-package-lock --no-audit --no-fund --silent && touch $@; \
	else echo "npm is not installed: the types and the style of the page's scripts are not checked"; fi
