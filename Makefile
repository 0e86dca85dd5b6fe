# Everything one does with this project; `make` alone prints the list. What the targets need is set up in .venv, once for
# each state of pyproject.toml: after that nothing here needs a network.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STATE  := $(word 1,$(shell cksum < pyproject.toml))
READY  := $(VENV)/ready-$(STATE)
TESTED := $(VENV)/ready-to-test-$(STATE)
PIP    := $(BIN)/python -m pip install -qq --disable-pip-version-check
CODE   := respc.py compiler runtime generated tests examples benchmarks docs

.PHONY: help demo generate check lint docs test coverage test-browser test-tokenizers test-trl test-clients test-vllm test-ray snapshots law conformance hostile mutants growth soak fuzz bench bench-check peers clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## compile all grammars, then watch a SmolLM3 response being parsed as it arrives
	@$(BIN)/respc generate
	@$(BIN)/python examples/demo.py

generate: $(READY) ## write the parser module of every grammar
	$(BIN)/respc generate

check: $(TESTED) lint ## modules are what the grammars say; format, lint and types are clean
	$(BIN)/respc check
	$(BIN)/respc generate --check

lint: $(TESTED) ## format, lint and types only
	$(BIN)/black --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy

test: $(TESTED) ## run the tests; ARGS="..." goes to pytest: --cov lists what is not covered
	$(BIN)/pytest -q -n 2 $(ARGS)

coverage: $(TESTED) ## the tests once more, with what they reach of compiler, runtime and generated; it takes its time
	$(BIN)/pytest -q -n 2 --cov --cov-fail-under=99 $(ARGS)

test-browser: $(TESTED) ## the tests that need a browser: Debian's chromium and chromium-driver
	$(BIN)/pytest -q -m browser tests/show $(ARGS)

test-tokenizers: $(TESTED) ## the tests that need tokenizers of real models: npm fetches them, 660 MB on disk
	npm install --prefix tests/tokenizers --ignore-scripts --no-package-lock --no-audit --no-fund --loglevel=error
	$(BIN)/pytest -q -m tokenizers tests/tokenizers $(ARGS)

test-trl: $(TESTED) ## the tests against 41 real chat templates: TRL ships them, and is installed without what it needs
	$(PIP) --no-deps 'trl==1.16.0'
	$(BIN)/pytest -q -n 2 -m trl tests/chat tests/adapters $(ARGS)

test-clients: $(TESTED) ## what the clients of OpenAI and Anthropic put together from our events; 70 MB on disk
	$(PIP) 'openai==3.57.0' 'anthropic==2.14.0'
	$(BIN)/pytest -q -n 2 -m clients tests/adapters $(ARGS)

test-vllm: $(TESTED) ## our parsers in vLLM's own classes; its wheel of 340 MB is fetched for its Python files: by hand
	$(PIP) 'openai==3.57.0'
	$(BIN)/python -m pip download -qq --no-deps --dest .vllm 'vllm==0.33.0'
	cd .vllm && unzip -qo vllm-*.whl 'vllm/*.py'
	$(BIN)/pytest -q -n 2 -m vllm tests/vllm_door $(ARGS)

test-ray: $(TESTED) ## 100,000 rows on Ray's local cluster and in datasets; 400 MB on disk, by hand
	$(PIP) 'ray==2.60.0' 'datasets==5.2.0' pandas psutil
	$(BIN)/pytest -q -m ray tests/scale $(ARGS)

snapshots: $(TESTED) ## accept what machines, modules and events are now: read the diff before committing it
	$(BIN)/pytest -q --snapshot-update tests/generated/test_snapshots.py tests/test_explain.py

N ?= 2000
law: $(TESTED) ## N=... random templates of each kind, against transformers, in every way to cut a text; FROM=... goes on
	$(BIN)/python -m tests.law $(N) --from $(or $(FROM),0)

conformance: $(TESTED) ## write conformance/*.jsonl, for parsers in any language, from the tests' cases
	$(BIN)/python -m tests.conformance

hostile: $(TESTED) ## all templates and outputs of strangers, each module through black as well
	$(BIN)/python -I tests/hostile/trial.py --black
	$(BIN)/pytest -q tests/test_hostile_templates.py tests/test_hostile_outputs.py tests/test_limits.py tests/test_linear.py

mutants: $(TESTED) ## the mutants of each module that no case tells from it; NAMES="..." for some modules
	$(BIN)/python -m tests.mutation $(NAMES)

growth: $(TESTED) ## how time grows on hostile outputs; NAMES="..." for some of them
	$(BIN)/python -m tests.hostile.growth $(NAMES)

PIECES ?= 3000000
soak: $(TESTED) ## PIECES=... of one stream, then parsers side by side
	$(BIN)/python -m tests.soak $(PIECES)

SECONDS ?= 300
fuzz: $(TESTED) ## SECONDS=... for each of four targets, under coverage; TARGETS="..." for some
	$(PIP) --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzz $(SECONDS) $(TARGETS)

bench: $(TESTED) ## measure speed, and write it into README.md and docs/performance.md
	$(BIN)/python -m benchmarks --write

bench-check: $(TESTED) ## fail when a target of speed is missed
	$(BIN)/python -m benchmarks --check

peers: $(TESTED) ## install what `make bench` measures beside transformers: openai-harmony, its vocabulary from npm
	$(PIP) --editable '.[bench]'
	mkdir -p .peers
	npm pack --silent --pack-destination .peers tiktoken@1.0.22
	tar -xzf .peers/tiktoken-1.0.22.tgz -C .peers package/encoders/o200k_base.json
	$(BIN)/python -m benchmarks.harmony .peers/package/encoders/o200k_base.json

docs: $(READY) ## write the documentation into build/docs, as HTML
	$(PIP) --editable '.[docs]'
	$(BIN)/python -m docs.making build/pages
	$(BIN)/python -m sphinx -q -W --keep-going -n -c docs build/pages build/docs

clean: ## remove .venv and all caches
	rm -rf $(VENV) build *.egg-info .coverage* htmlcov .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(READY): | $(VENV)/bin/python
	@echo 'setting up $(VENV): what the compiler needs'
	@$(PIP) --editable '.[compile]'
	@touch $@

$(TESTED): | $(READY)
	@echo 'setting up $(VENV): what the tests need'
	@$(PIP) --editable '.[test]'
	@touch $@
