# Every target sets up what it needs when it is missing or out of date; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help reproduce test quick slow serve bench docs pictures soak lint audit format lock clean setup programs engine

VENV   ?= .venv
BIN    := $(VENV)/bin
PYTHON ?= python3
OUT    ?= out
# Let Python keep what it compiles wherever it was told not to: it starts hundreds of times.
unexport PYTHONDONTWRITEBYTECODE
QUICK  := not soak and not slow and not browser and not server
QUICKLY := tests/test_layers.py tests/test_specification.py $(addprefix tests/,support game planning inference observers fitting)

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

setup: ## install the pinned packages into .venv; nothing to do where they are
	@PYTHON="$(PYTHON)" VENV="$(VENV)" tools/make_venv

programs: setup ## find or install a browser, nginx and the TypeScript checker for the tests
	@$(BIN)/python tests/programs.py

engine: setup ## compile the engine, once on a machine
	@$(BIN)/python -c "from onlooker.observers.warm import compile_engine; compile_engine()"

reproduce: setup ## run everything on our stimuli with simulated participants, or with ARCHIVE=… on the authors'; the report is out/report.html
	@echo "Reproducing: predictions, comparison, figures and report into $(OUT)/ …"
	@$(BIN)/onlooker reproduce $(if $(ARCHIVE),--archive "$(ARCHIVE)") -o $(OUT)

# The programs wait for the network, and the others keep the cores busy.
test: setup ## set everything up; lint, types, layers and all tests; what was missing comes last
	@$(MAKE) --no-print-directory --jobs=3 programs lint engine tests/__pycache__
	@echo "Running the tests …"
	@$(BIN)/python -m pytest --durations=25 --junitxml=$(OUT)/tests.xml

# Once, while the engine compiles: else every worker compiles all modules. What is wrong with them, the tests say.
tests/__pycache__: | setup
	@-$(BIN)/python -m pytest -n 0 --collect-only -qq >/dev/null 2>&1

quick: setup ## ruff and the tests of the game, the models and fits: under a minute
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/python -m pytest -n logical -m "$(QUICK)" $(QUICKLY)

slow: programs engine ## the tests that take long and rarely fail
	@$(BIN)/python -m pytest -m slow --durations=10

serve: setup ## start the experiment in the browser
	@$(BIN)/onlooker serve

bench: setup ## measure, as ratios within one run
	@$(BIN)/python -m benchmarks.bench -o $(OUT)/bench

docs: setup ## write the reference pages and build the documentation into out/docs
	@echo "Building the documentation into $(OUT)/docs …"
	@$(BIN)/python docs/make_reference.py
	@NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --quiet --strict --site-dir $(OUT)/docs

pictures: programs ## take the pictures of the interface and of the replay anew, when these have changed
	@$(BIN)/python docs/images/make_interface.py
	@$(BIN)/python docs/images/make_replay.py

soak: programs slow ## the long runs: slow tests, property tests with thousands of examples, load and kill tests
	@echo "Running the property tests at length …"
	@HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -k "not pddl"
	@echo "Running 200 bots, then 200 bots on a server that is killed twenty times …"
	@$(BIN)/python -m pytest -m soak -n 0 -s tests/soak tests/observers tests/experiments

lint: setup ## ruff, formatting and strict types
	@echo "Checking style and types …"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy

audit: setup ## look the pinned packages up in the advisory database (needs the network)
	@$(BIN)/pip-audit --require-hashes --disable-pip -r requirements.lock --strict

format: setup ## let ruff put the code in order
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: setup ## pin the dependencies anew
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--no-emit-index-url --all-extras --upgrade pyproject.toml -o requirements.lock

clean: ## remove what the other targets made
	@echo "Removing $(VENV), $(OUT) and caches …"
	@rm -rf .venv .venv-* .programs tests/typescript/node_modules $(OUT) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
