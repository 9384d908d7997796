# `make play` and `make test` need only python3 and make.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Three processes on two cores: many tests wait for a screen, a browser or another process.
PYTEST := $(BIN)/pytest -n 3 --dist worksteal
COUNTED := $(PYTEST) --cov -m "not no_cover"

.PHONY: play site test check compiled coverage goldens integrations languages pictures docs-site release-check clean

play: .venv/played
	@$(BIN)/quintet

# The page as static files in build/site, which plays without a server. Pyodide is downloaded once.
site: .venv/web
	$(BIN)/quintet site build/site

test: .venv/tested tests/page/node_modules
	@scripts/system-parts
	@$(MAKE) --no-print-directory --jobs 2 check compiled
	$(COUNTED)
	$(PYTEST) -m no_cover

# Static checks: format, lint, types, import layers.
check: .venv/tested
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Compile every game once, so that the test processes do not each do it.
compiled: .venv/tested
	$(BIN)/python tests/compile.py

# List uncovered branches in the packages that need full coverage. Part of `make test`.
coverage: .venv/tested
	$(COUNTED)

# Regenerate the golden data of the tests and the output shown in the docs. Review the diff before you commit it.
# `.venv/bin/python tests/goldens.py --docs` regenerates only the docs.
goldens: .venv/tested
	$(BIN)/python tests/goldens.py

# Bring the catalogues of translations up to date with the code, and compile them. Then translate what is missing in
# src/quintet/languages/*.po, and run it again.
languages: .venv/tested
	$(BIN)/python tests/catalogues.py

# Retake the screenshots of the web page: those of the docs, and every view in build/pictures. Look at them.
pictures: .venv/tested
	@scripts/system-parts
	$(BIN)/python tests/pictures.py

# The documentation as a site with live boards, in build/docs. `make docs-site PLAY=https://...` names the playable page.
docs-site: .venv/tested
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[docs]'
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python scripts/build-docs.py $(if $(PLAY),--play $(PLAY))

# Train a little with other people's libraries, each in an environment of its own. `make integrations ONLY=rllib` runs one.
integrations: .venv/tested
	$(BIN)/python integrations/run_all.py $(ONLY)

# Build wheel and sdist, check them, install them in new environments and try them there.
release-check:
	scripts/check-release

clean:
	rm -rf .venv tests/page/node_modules tests/page/build .coverage .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/played: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable .
	$(BIN)/python -m compileall -q src
	touch $@

.venv/web: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable '.[web]'
	touch $@ .venv/played

.venv/tested: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) uv  # Much faster than pip for the many packages the tests need.
	$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --compile-bytecode --editable '.[test]'
	$(BIN)/python -m compileall -q src
	touch $@ .venv/played .venv/web

# What checks the page's scripts. Without npm those tests are skipped.
tests/page/node_modules: tests/page/package.json
	@if command -v npm >/dev/null; then \
	    npm install --prefix tests/page --no-package-lock --no-audit --no-fund --silent && touch $@; \
	else echo "npm is not installed: the types and the style of the page's scripts are not checked"; fi
