# The two commands: `make run` builds and serves, `make test` runs every check.
# The rest are parts of these, and what a release needs.

CARGO  ?= cargo
PYTHON ?= python3
DATA   ?= data

TARGET := $(or $(CARGO_TARGET_DIR),target)
VENVS  := $(TARGET)/venvs
MERMAID := tests/mermaid
CLIENTS := tests/mcp-clients
WEB    := assets/web
# Makes the binary target/debug/planroom; `cargo build` would build all dependencies once more, without the features that
# tests turn on.
BINARY := $(CARGO) test --locked --no-run --quiet

.PHONY: help run test test-full fmt lint mermaid mcp-clients schemathesis web web-check web-test build bench tools node python

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: tools web ## Build, and serve on http://127.0.0.1:8420 with the data in ./data
	$(CARGO) run --release --locked -- serve --data-dir $(DATA)

test: tools node fmt web-check web lint mermaid ## Run every check
	$(CARGO) test --locked
	$(MAKE) --no-print-directory web-test

test-full: mcp-clients schemathesis ## Run the checks that need Python and minutes, in virtual environments of their own

# Clients of others against the MCP server, and the official conformance suite. The feature is on for the suite alone.
mcp-clients: tools web $(CLIENTS)/node_modules/.package-lock.json $(VENVS)/mcp-clients/installed
	$(BINARY)
	$(CARGO) build --locked --quiet --features conformance --example conformance
	npm --prefix $(CLIENTS) run --silent clients -- $(abspath $(TARGET)/debug/planroom $(VENVS)/mcp-clients/bin/python)
	npm --prefix $(CLIENTS) run --silent conformance -- $(abspath $(TARGET)/debug/examples/conformance)

schemathesis: tools web $(VENVS)/schemathesis/installed
	$(BINARY)
	$(VENVS)/schemathesis/bin/python -B tests/schemathesis/run.py $(TARGET)/debug/planroom

fmt: tools
	$(CARGO) fmt --check

lint: tools
	$(CARGO) clippy --locked --all-targets -- -D warnings
	$(CARGO) clippy --locked --lib --example conformance --all-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items --quiet

# What the examples of sequence diagrams are expected to say is what mermaid itself says of them.
mermaid: node $(MERMAID)/node_modules/.package-lock.json
	npm --prefix $(MERMAID) run --silent check

# The web client, built into assets/dist, which the binary embeds.
web: assets/dist/index.html

assets/dist/index.html: $(WEB)/node_modules/.package-lock.json $(shell find $(WEB)/src $(WEB)/public $(WEB)/build $(WEB)/*.ts $(WEB)/index.html -type f)
	npm --prefix $(WEB) run --silent build -- --logLevel warn

web-check: $(WEB)/node_modules/.package-lock.json ## Check the web client: types, style, generated code, and its core
	npm --prefix $(WEB) run --silent check
	npm --prefix $(WEB) run --silent unit

# The web client in a real browser against the real binary.
web-test: web
	$(BINARY)
	CI=1 PLANROOM_BIN=$(abspath $(TARGET))/debug/planroom npm --prefix $(WEB) run --silent browser

# What stands in a package-lock.json, and nothing else.
%/node_modules/.package-lock.json: %/package-lock.json | node
	npm --prefix $* ci --ignore-scripts --loglevel=error
	touch $@

build: tools web ## Build the release binary, target/release/planroom
	$(CARGO) build --release --locked

bench: tools web ## Measure what is promised: ratios side by side, and the frames of the map
	$(CARGO) bench --locked
	$(CARGO) build --release --locked
	PLANROOM_BIN=$(abspath $(TARGET))/release/planroom npm --prefix $(WEB) run --silent bench

# Says what is missing, and how to get it.
tools:
	@missing=0; \
	need() { command -v "$$1" >/dev/null 2>&1 || { echo "missing: $$1. $$2" >&2; missing=1; }; }; \
	need $(CARGO) "Install Rust with rustup, or your system's package of it (1.92 or newer)."; \
	need rustfmt "It comes with Rust: rustup component add rustfmt"; \
	need cargo-clippy "It comes with Rust: rustup component add clippy"; \
	need cc "Install a C compiler, such as the package gcc: SQLite and the cryptography are built with it."; \
	exit $$missing

# The same for Node.
node:
	@command -v node >/dev/null 2>&1 || { echo "missing: node. Install Node.js, 20 or newer." >&2; exit 1; }
	@command -v npm >/dev/null 2>&1 || { echo "missing: npm. It comes with Node.js, or as a package of its own." >&2; exit 1; }
	@node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' || \
		{ echo "too old: node is $$(node -v), and has to be 20 or newer." >&2; exit 1; }

# The same for Python.
python:
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "missing: $(PYTHON). Install Python, 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "too old: $(PYTHON) is $$($(PYTHON) -V), and has to be 3.11 or newer; make PYTHON=… names another." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "missing: Python's venv. On Debian and its kin it is the package python3-venv." >&2; exit 1; }

# What stands in a list of requirements, and nothing else.
$(VENVS)/%/installed: tests/%/requirements.txt | python
	rm -rf $(@D)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r $<
	touch $@
