# The two commands: `make run` builds and serves, `make test` runs every check.
# The rest are parts of these, and what a release needs.

CARGO ?= cargo
DATA  ?= data

.PHONY: help run test test-full fmt lint build bench tools

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: tools ## Build, and serve on http://127.0.0.1:8420 with the data in ./data
	$(CARGO) run --release --locked -- serve --data-dir $(DATA)

test: tools fmt lint ## Run every check
	$(CARGO) test --locked

test-full: tools ## Run the checks that need Python or minutes (none yet)
	@echo "nothing beyond make test yet"

fmt: tools
	$(CARGO) fmt --check

lint: tools
	$(CARGO) clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items --quiet

build: tools ## Build the release binary, target/release/planroom
	$(CARGO) build --release --locked

bench: tools ## Measure what is promised, as ratios side by side
	$(CARGO) bench --locked

# Says what is missing, and how to get it.
tools:
	@missing=0; \
	need() { command -v "$$1" >/dev/null 2>&1 || { echo "missing: $$1. $$2" >&2; missing=1; }; }; \
	need $(CARGO) "Install Rust with rustup, or your system's package of it (1.92 or newer)."; \
	need rustfmt "It comes with Rust: rustup component add rustfmt"; \
	need cargo-clippy "It comes with Rust: rustup component add clippy"; \
	need cc "Install a C compiler, such as the package gcc: SQLite and the cryptography are built with it."; \
	exit $$missing
