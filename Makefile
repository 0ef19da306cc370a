# The verbs of this project; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help serve test build lint format deps test-deps clean

ARGS ?=
SWIFT ?= swift

help: ## List these verbs
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

serve: deps ## Build for release and serve the fixtures (ARGS="--port 0" and so on)
	$(SWIFT) build -c release --product proctor
	@exec "$$($(SWIFT) build -c release --show-bin-path)/proctor" serve $(ARGS)

test: deps test-deps ## Run all tests (ARGS="--filter Redirect" and so on)
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build $(ARGS)

build: deps ## Build for debugging
	$(SWIFT) build

lint: ## Check the formatting and the project's own rules
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	Scripts/check-shell.sh

format: ## Format all Swift files in place
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests

deps: ## Install the libraries that building needs
	@Scripts/install-packages.sh build

test-deps: ## Install the clients that the tests drive
	@Scripts/install-packages.sh test

clean: ## Remove what was built
	rm -rf .build
