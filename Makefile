PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command "make lock" $(LOCK_FLAGS)

.PHONY: help install packages run serve test test-fast lint format bench soak mutants screenshots pictures messages lock audit bare

help:
	@echo "make run          a development site with a demo, on http://127.0.0.1:8000/"
	@echo "make serve        a production site, see docs/operating.md"
	@echo "make test         every test in its short form, including those in a real browser"
	@echo "make test-fast    the tests that need neither a browser nor much time, in random order"
	@echo "make lint         style, types, import directions, templates, styles, dead code, migrations"
	@echo "make format       put code, templates and styles into shape"
	@echo "make bench        measure the speed of rules, bots and pages"
	@echo "make soak         about an hour and a half: a simulated month with crashes, a site whose processes are killed, long tests"
	@echo "make mutants      change the code in 400 places, one at a time, and count what the tests notice"
	@echo "make screenshots  draw the pictures in docs/screenshots"
	@echo "make pictures     draw the icons, and the pictures that chats show beside links"
	@echo "make messages     write new messages into the catalogues, and drop old ones"
	@echo "make install      install everything for development into $(VENV)"
	@echo "make packages     install what a site needs into $(VENV); its first start would do it too"
	@echo "make lock         write the lock files from pyproject.toml"
	@echo "make bare         as root: run the image's steps and the commands of docs/operating.md in a bare Debian"
	@echo "make audit        ask PyPI for known weaknesses of the locked versions; needs the network"

install: $(VENV)/dev.stamp

packages: $(VENV)/run.stamp

run: export DEBUG = 1
serve: export DEBUG = 0
run serve: $(VENV)/run.stamp
	@$(BIN)/python manage.py runall

# Tests start hundreds of processes. Without compiled modules on disk, each would compile the whole site.
test test-fast soak: export PYTHONDONTWRITEBYTECODE =

test: install
	$(BIN)/python -m pytest -n auto --dist worksteal

test-fast: install
	$(BIN)/python -m pytest -n auto --dist worksteal --shuffle -m "not browser and not slow"

lint: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint templates --lint
	$(BIN)/djlint templates --check
	$(BIN)/djlint templates --extension jinja --profile jinja --lint
	$(BIN)/djlint templates --extension jinja --profile jinja --check
	$(BIN)/python -m tests.styles
	$(BIN)/python -m tests.unused
	$(BIN)/python manage.py makemigrations --check
	$(BIN)/python manage.py check

format: install
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/djlint templates --reformat
	$(BIN)/djlint templates --extension jinja --profile jinja --reformat
	$(BIN)/python -m tests.styles --format

bench: install
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.bots
	$(BIN)/python -m bench.thinking
	$(BIN)/python -m bench.pages
	$(BIN)/python -m bench.ratings_people

soak: install
	$(BIN)/python -m bench.soak

# make mutants SEED=7 COUNT=200 repeats or continues that draw.
mutants: install
	$(BIN)/python -m bench.mutants $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

# make bare STAGES="upgrade backup" runs these stages in the root that the last run left behind.
bare: install
	$(BIN)/python -m bench.bare $(STAGES)

screenshots: install
	$(BIN)/python -m docs.screenshots.make

pictures: install
	$(BIN)/python -m docs.pictures.make

messages: install
	$(BIN)/python -m tests.catalogues

# make lock LOCK_FLAGS=--upgrade moves every pin to the newest version.
lock: $(VENV)/uv.stamp
	$(LOCK) --group uv --output-file requirements-uv.lock
	$(LOCK) pyproject.toml --extra bots --output-file requirements.lock
	$(LOCK) pyproject.toml --extra bots --group dev --constraints requirements.lock \
		--output-file requirements-dev.lock

# Without --strict, packages that PyPI does not know would pass.
audit: $(VENV)/uv.stamp
	$(UV) tool run pip-audit --strict --progress-spinner off --require-hashes --disable-pip \
		--requirement requirements-dev.lock --requirement requirements-uv.lock

$(VENV)/uv.stamp: requirements-uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed.")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes --requirement requirements-uv.lock
	@touch $@

$(VENV)/run.stamp: $(VENV)/uv.stamp requirements.lock
	$(UV) pip install --quiet --require-hashes --requirements requirements.lock
	@touch $@

$(VENV)/dev.stamp: $(VENV)/uv.stamp requirements-dev.lock
	$(UV) pip sync --quiet --require-hashes requirements-dev.lock
	@touch $@
