# The verbs of this project; `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help book-commands mistakes schema-bounds shortages deps-debug test-all-deps serve test test-all test-repeat nightly complexity exam exam-cache exam-repeat matrix matrix-http2 matrix-http3 matrix-around matrix-current matrix-far matrix-history versions matrix-site exam-breaks marks passed twins crossing httpbin-libraries grpc-interop boot-loaders llm-sdks test-tsan test-asan test-pages bench bench-check fuzz soak storm attacks build build-tests docs release dist dist-check lint check-recorder check-darwin check-fuzz format deps test-deps clean matrix-via

ARGS ?=
# How many sittings of an exam go on side by side.
JOBS ?= 2
SWIFT ?= swift
# Package.swift asks for it: a warning is an error for who works on Proctor, and for CI; PROCTOR_WERROR= leaves warnings be.
PROCTOR_WERROR ?= 1
export PROCTOR_WERROR
# QUIC is written for libngtcp2 0.12, which Debian 12 has; without it everything else is built.
ifeq ($(origin PROCTOR_QUIC),undefined)
PROCTOR_QUIC := $(shell pkg-config --atleast-version=0.12 libngtcp2 2>/dev/null && ! pkg-config --atleast-version=0.13 libngtcp2 && echo 1)
endif
export PROCTOR_QUIC
ifeq ($(shell uname -s),Darwin)
# The modules that python clients in the tests import (Scripts/install-packages.sh).
export PATH := $(CURDIR)/.build/python-clients/bin:$(PATH)
endif

# Debug builds and tests check exclusive access at run time; the release build, which they have proved, leaves it out,
# and is optimised across modules: together a fifth fewer instructions for a small reply.
OPTIMISED := -c release -Xswiftc -enforce-exclusivity=unchecked -Xswiftc -cross-module-optimization
# Functions of up to 40 instructions are inlined in other modules, twice as many as the compiler's usual bound.
OPTIMISED += -Xswiftc -Xllvm -Xswiftc -cmo-function-size-limit=40
ifeq ($(shell uname -s),Linux)
# The linker of the toolchain itself, which is everywhere the same; functions that are never called are left out one by one.
OPTIMISED += -Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections
endif
RELEASE := $(OPTIMISED)
ifeq ($(shell uname -s),Linux)
# A server that starts in milliseconds has nothing to look up and nothing to relocate when it starts: all libraries are linked
# in, libc too, at a fixed address, and no symbol is exported. So it runs on any Linux of its architecture. Names of functions
# stay for profiles and crash reports; DEBUG_INFO=1 keeps the lines too.
STATIC := .build/static-libraries
RELEASE += --static-swift-stdlib -Xswiftc -static-executable --pkg-config-path $(STATIC) -Xlinker --no-pie \
	-Xlinker --no-export-dynamic
# The tables by which an unwinder finds frames: nothing here unwinds, and they have three megabytes.
RELEASE += -Xlinker -T -Xlinker $(CURDIR)/Scripts/dist/without-unwinding.ld
# Functions with the same instructions are one: specialised generic code has many.
RELEASE += -Xlinker --icf=all
# Functions that start and answer lie side by side, so that an idle process holds little of the rest (Benchmarks/order.py).
RELEASE += -Xlinker --symbol-ordering-file=$(CURDIR)/Benchmarks/functions.order -Xlinker --no-warn-symbol-ordering
ifeq ($(DEBUG_INFO),)
# SwiftPM asks for debug information, and the compiler keeps to the last word.
RELEASE += -Xswiftc -gnone -Xlinker --strip-debug
endif
endif
# A debug build names the functions of a crash; DEBUG_INFO=1 has its lines, and a debugger's names and types too, a seventh more to
# build. Nothing needs the index, since Tests/XCTMain.swift names the tests of XCTest.
DEBUG := $(if $(DEBUG_INFO),,-Xswiftc -gnone --disable-index-store)

# Another folder for what is built, so that two builds can go on at once.
ifneq ($(SCRATCH),)
RELEASE += --scratch-path $(SCRATCH)
# The compiler says what each module cost, which `make bench-check` holds against its table.
RELEASE += -Xswiftc -stats-output-dir -Xswiftc $(abspath $(SCRATCH))/stats
endif

# The reference client is not linked statically, since FoundationNetworking would want a static libcurl; its folder is its own, since
# modules that are compiled for one kind of linking are compiled again for the other.
CLIENT := $(OPTIMISED) --scratch-path .build/clients --product proctor-client-reference

help: ## List these verbs
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-18s %s\n", $$1, $$2 }'

# What is served and tested by hand is not optimised, since four fifths of a release build's time are the optimiser's: `make release`
# builds what is measured and shipped. Both commands build into the same folder, so the second one has less to do.
serve: deps-debug ## Build and serve the fixtures (ARGS="--port 0" and so on); `make release` builds the fast program
	@Scripts/build.sh serve .build/debug/proctor "builds proctor, not optimised, and serves the fixtures" $(SWIFT) build $(DEBUG) --product proctor
	@exec .build/debug/proctor serve $(ARGS)

# All other tests run sixteen at a time: with thousands at once, on a busy machine each waits for all others.
WIDTH := 16

# What `make test` leaves out: suites with the trait `wide`, and targets that Package.swift has with PROCTOR_TESTS alone.
# Six of them at a time: with more, machines of Java and compilers of Go wait for one another.
WIDE := MatrixTests|EventAdapterTests|SocketExamTests|URLSessionExamTests|NullClientTests|ScriptAdapterTests|CorpusTests|ShippedAdapterTests|$\
Range clients|Clients that answer challenges|Codings on the wire|ProctorUserTests|ProctorOutsideTests|ProctorReference|ProctorPACTests|$\
ProctorDiallingTests
WIDE_WIDTH := 6

RUN_TESTS := Scripts/show-failures.sh $(SWIFT) test --enable-swift-testing --skip-build --ignore-lock

# Tests that are pages of Markdown (Tests/Data) need no build of the tests in Swift.
DATA := .build/debug/proctor-data
ifneq ($(filter --data,$(ARGS)),)
test: deps-debug
	@Scripts/build.sh data $(DATA) "builds proctor and what reads Tests/Data" $(SWIFT) build $(DEBUG) --product proctor-data
	@$(DATA) $(ARGS)
else
test: deps-debug test-deps build-tests ## Run the tests (ARGS="--data redirect/" for pages, ARGS="--filter Redirect" for Swift; VERBOSE=1 shows all)
ifeq ($(strip $(ARGS)),)
	@$(DATA)
	@SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDTH) $(RUN_TESTS)
	@echo "Ran the pages of Tests/Data, and the Swift tests of parsers, fixtures, server, grader, loop and TLS. Left for make test-all:"
	@echo "the reference client, adapters, exams and commands in Swift, kits, helpers and recipes in other languages, browsers, packs,"
	@echo "real clients over whole families, and exams of clients broken on purpose."
else
	@Scripts/show-failures.sh $(SWIFT) test --enable-swift-testing --skip-build $(ARGS)
endif
endif

# What `make test` runs, and the rest beside it, since neither keeps two processors at work by itself; what the rest says is shown
# behind. Neither builds anything, so neither needs SwiftPM's lock on the folder.
test-all: export PROCTOR_TESTS ?= wide
test-all: deps-debug test-all-deps build-tests ## Run also what needs other languages, browsers and whole families (PROCTOR_TESTS=every: every case)
ifeq ($(strip $(ARGS)),)
	@mkdir -p .build/logs; wide=.build/logs/wide.txt; status=0; $(DATA) --client-programs .build/debug || status=$$?; \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDE_WIDTH) $(RUN_TESTS) --filter '$(WIDE)' >$$wide 2>&1 & \
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(WIDTH) $(RUN_TESTS) --skip '$(WIDE)' || status=$$?; \
	wait $$! || status=$$?; cat $$wide; exit $$status
else
	@Scripts/show-failures.sh $(SWIFT) test --enable-swift-testing --skip-build $(ARGS)
endif

# Hours: each run is as long as `make test`, and several times as long beside busy loops.
test-repeat: deps-debug test-deps build-tests ## Run the tests N times, quiet and under load, and list those that differ (N=20 ARGS="--filter Redirect")
	@Scripts/test-repeat.py --count $(or $(N),20) --part '$(WIDTH) $(ARGS)'

# Each mistake is compiled in once and switched on by a variable, so all of them need one build of a copy under .build/mistakes.
mistakes: deps-debug test-all-deps ## Say which row of Tests/Data finds each of the mistakes in Scripts/mistakes.tsv (ARGS="--by swift", --only 3,17-20)
	@Scripts/mistakes.py $(or $(ARGS),--by data)

# What is slow by nature; Scripts/nightly.py says how much of it each step asks.
nightly: deps test-all-deps ## Run everything that is slow, and print one table (ARGS="--part 2/12", --weekly, --only tsan,fuzz, --list, --write)
	@Scripts/nightly.py $(ARGS)

complexity: release ## Hold each entry point against growing input (ARGS="--only grade" or "--quick")
	@PROCTOR="$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" Benchmarks/complexity.py $(ARGS)

# Ended after half an hour, where the system has a program for that; --resume goes on from the records then. URLSession
# crashes by chance, so a case that fails is asked again.
CASES ?=
BOUNDED := $(shell command -v timeout >/dev/null && echo timeout 1800)
# CLIENT_PROGRAMS names a folder that has the two clients, as the folder that .build/debug links to has after a build of the tests.
EXAM_CLIENTS ?= reference,urlsession,curl
exam: release ## Examine the reference client, URLSession and curl (CASES="redirect/ cookie/"; ARGS="--fail-on should"; EXAM_CLIENTS=curl)
ifeq ($(CLIENT_PROGRAMS),)
	$(SWIFT) build $(CLIENT)
	$(SWIFT) build $(CLIENT:reference=urlsession)
endif
	@mkdir -p .build/exam
	@$(BOUNDED) "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam $(CASES) --client $(EXAM_CLIENTS) \
		--client-programs "$(or $(CLIENT_PROGRAMS),$$($(SWIFT) build $(CLIENT) --show-bin-path))" \
		--ephemeral-ca --retries 2 --json .build/exam/records.jsonl --junit .build/exam/junit.xml --markdown .build/exam/summary.md $(ARGS)

# A client with a cache passes what is not about caches too: those fixtures say no-store, or what they serve can't be kept.
exam-cache: release ## Examine the reference client with its cache on: 0 failures in every case (CASES="redirect/")
	$(SWIFT) build $(CLIENT)
	@"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam $(CASES) --adapter \
		"$$($(SWIFT) build $(CLIENT) --show-bin-path)/proctor-client-reference --cache" --platform reference \
		--ephemeral-ca --fail-on should $(ARGS)

# No bound of time here: N walks of the library for each client.
CLIENTS ?= reference
exam-repeat: release ## Examine clients several times over, and tell what differs (CLIENTS=reference,curl N=10)
	$(SWIFT) build $(CLIENT)
	@"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam $(CASES) --client $(CLIENTS) --client-programs \
		"$$($(SWIFT) build $(CLIENT) --show-bin-path)" --ephemeral-ca --fail-on never --repeat $(or $(N),10) $(ARGS)

# Every shipped client through the whole library: an hour and more. What is stopped goes on where it was; remove .build/matrix
# to begin again. Paths are relative, so that the data is the same in every folder.
MATRIX_CLIENTS := reference,urlsession,curl,wget,aria2c,python-http-client,urllib,urllib3,requests,httpx,httpx2,aiohttp,node-fetch,$\
node-http,go-net-http,java-httpclient,dotnet-httpclient,ruby-net-http,php-streams,perl-lwp,apache-httpclient,okhttp,libsoup,qt-network,apt-http,$\
rust-reqwest,pycurl,niquests,httpie,treq,deno-fetch,bun-fetch,chromium,firefox,webkit,httpx-sse,httpx2-sse,sseclient-py,node-eventsource,$\
deno-eventsource,websockets,aiohttp-websocket,httpx2-websocket,node-websocket,deno-websocket,bun-websocket,java-websocket,dotnet-websocket,chromium-websocket,$\
urlsession-protocols,reference-connection,reference-connection-download,$\
reference-download,reference-connection-sync,reference-connection-queued,reference-url-protocol
matrix: release test-all-deps ## Examine every shipped client, and put what it did into Docs/matrix (JOBS=1)
	@Scripts/install-packages.sh matrix
	$(SWIFT) build $(CLIENT)
	$(SWIFT) build $(CLIENT:reference=urlsession)
	@mkdir -p .build/matrix
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam --client $(MATRIX_CLIENTS) \
		--client-programs .build/clients/release --fixtures fixtures --ephemeral-ca --jobs $(JOBS) --retries 1 \
		--fail-on never --resume --json .build/matrix/records.jsonl $(ARGS)
	Scripts/results.py put http1 .build/matrix/records.jsonl

# The pages that a workflow publishes. Each table of it has the records of a sitting: NAME=SITTING.
MATRIX_TABLES := HTTP/1.1=http1 HTTP/2=http2 HTTP/3=http3 "around a request=around" "command lines=far"
matrix-site: release ## Make the pages of the matrix of what all clients did, in .build/matrix-site
	@Scripts/install-packages.sh matrix-around
	-Scripts/clients.py install $$(Scripts/clients.py names --retrying | tr , " ")
	Scripts/results.py split .build/matrix-records
	set --; for table in $(MATRIX_TABLES); do set -- "$$@" "$${table%=*}=.build/matrix-records/$${table##*=}.jsonl"; done; \
		"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" report matrix .build/matrix-site "$$@"

# What fits HTTP/2, and what only HTTP/2 has.
HTTP2_CLIENTS := reference,curl,httpx,httpx2,nghttp,node-http2,deno-fetch,bun-fetch,go-net-http,java-httpclient,dotnet-httpclient,okhttp,libsoup,qt-network,rust-reqwest,pycurl,niquests,urlsession
matrix-http2: release test-all-deps ## Examine the clients that speak HTTP/2 over it, and put what they did into Docs/matrix (JOBS=1)
	@Scripts/install-packages.sh matrix
	$(SWIFT) build $(CLIENT)
	$(SWIFT) build $(CLIENT:reference=urlsession)
	@mkdir -p .build/matrix
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam --protocol h2 --client $(HTTP2_CLIENTS) \
		--client-programs .build/clients/release --fixtures fixtures --ephemeral-ca --jobs $(JOBS) --retries 1 \
		--fail-on never --resume --json .build/matrix/records-http2.jsonl $(ARGS)
	Scripts/results.py put http2 .build/matrix/records-http2.jsonl

# What only HTTP/3 has. aioquic and niquests are those of the python3 of PATH (pip install aioquic niquests). What a client did not end is left out.
HTTP3_CLIENTS := aioquic,niquests,pycurl@current,bun-fetch,gtlsclient,chromium,firefox
matrix-http3: release ## Examine the clients that speak HTTP/3 over it, and put what they did into Docs/matrix
	@mkdir -p .build/matrix
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam h3/ --client $(HTTP3_CLIENTS) --fixtures fixtures \
		--ephemeral-ca --jobs 1 --retries 2 --fail-on never --resume --json .build/matrix/records-http3.jsonl $(ARGS)
	Scripts/results.py put http3 .build/matrix/records-http3.jsonl

# Clients that do one thing around a request, each asked the family of its kind alone: FAMILY:NAME,NAME.
AROUND_CLIENTS = oauth:authlib,msal,requests-oauthlib,requests-oauth2client signature:http-message-signatures,requests-http-signature,contentdigest $\
grpc:grpcio,grpclib,connectrpc webhook:standardwebhooks,svix,stripe,gidgethub,slack-sdk cache:hishel,hishel-requests,requests-cache,cachecontrol media:ffmpeg-media,streamlink,vlc,mpg123 $\
retry:$(shell Scripts/clients.py names --retrying)
matrix-around: release ## Examine the clients of tokens, signatures, gRPC, webhooks, caches, media and further tries, and put what they did into Docs/matrix
	@Scripts/install-packages.sh matrix-around
	-Scripts/clients.py install $$(Scripts/clients.py names --retrying | tr , " ")
	@mkdir -p .build/matrix
	for asked in $(AROUND_CLIENTS); do PATH="$(CURDIR)/.build/far/bin:$(CURDIR)/.build/around/bin:$$PATH" "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam \
		"$${asked%%:*}/" --client "$${asked#*:}" --fixtures fixtures --ephemeral-ca --jobs 1 --retries 1 --fail-on never --resume \
		--json ".build/matrix/records-around-$${asked%%:*}.jsonl" $(ARGS) || exit 1; done
	Scripts/results.py put around $(foreach asked,$(AROUND_CLIENTS),.build/matrix/records-around-$(firstword $(subst :, ,$(asked))).jsonl)

# The newest versions that PyPI has; of Deno and Bun there are no others. node-http2 is left out, which speaks HTTP/2 alone.
CURRENT_CLIENTS = $(filter-out node-http2@current,$(notdir $(wildcard $(addprefix clients/adapters/,*@current deno-* bun-* dotnet-* httpx2*))))
matrix-current: release ## Examine the newest versions of PyPI's clients, and write what is new since the last time (JOBS=1)
	@mkdir -p .build/current
	@test -x .build/current/python/bin/pip-compile || { python3 -m venv .build/current/python && .build/current/python/bin/pip install -q pip-tools; }
	.build/current/python/bin/python Scripts/clients.py pins
	@rm -f .build/current/records.jsonl
	-"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam --client "$$(echo $(CURRENT_CLIENTS) | tr ' ' ,)" --fixtures fixtures \
		--ephemeral-ca --jobs $(JOBS) --retries 1 --fail-on never --json .build/current/records.jsonl $(ARGS)
	Scripts/results.py put current .build/current/records.jsonl --proctor "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor"

# Clients by their command lines: those of clients/commands.tsv, asked the cases of clients/commands-cases.tsv. As root, on Debian 12.
# They have a network of their own, in which there is only the loopback, and ports below 32768: puf says larger ones as negative numbers, and
# could be judged for nothing else.
LOOPBACK := unshare --net sh -c 'ip link set lo up && echo "10000 32000" >/proc/sys/net/ipv4/ip_local_port_range && exec "$$@"' sh
matrix-far: release ## Install and examine the clients of clients/commands.tsv, and put what they did into Docs/matrix (JOBS=1)
	-Scripts/clients.py install
	PATH="$(CURDIR)/.build/far/bin:$(CURDIR)/.build/far/python/bin:$$PATH" $(LOOPBACK) "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam \
		$$(Scripts/clients.py cases) --client "$$(Scripts/clients.py names)" --fixtures fixtures --ephemeral-ca --jobs $(JOBS) --retries 1 \
		--fail-on never --resume --json .build/far/records.jsonl $(ARGS)
	new="$$(Scripts/clients.py cases --new)"; test -z "$$new" || "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam $$new \
		--client "$$(Scripts/clients.py shipped)" --client-programs .build/clients/release --fixtures fixtures --ephemeral-ca --jobs $(JOBS) \
		--retries 1 --fail-on never --resume --json .build/far/records.jsonl $(ARGS)
	$(LOOPBACK) "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam $$(Scripts/clients.py cases --crawlers) --client "$$(Scripts/clients.py names --crawlers)" \
		--fixtures fixtures --ephemeral-ca --jobs $(JOBS) --fail-on never --resume --json .build/far/records.jsonl $(ARGS)
	Scripts/results.py put far .build/far/records.jsonl

# The families in which releases differ; each release is installed into .build/history from PyPI.
HISTORY_CASES ?= auth/ body/ bounds/ broken/ coding/ cookie/ lists/ pairs/ proxy/ redirect/ stays-behind/
matrix-history: release ## Examine releases of PyPI's clients, and write what each mended and broke (HISTORY="urllib3 requests")
	@mkdir -p .build/history
	-"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" exam $(HISTORY_CASES) --client "$$(Scripts/clients.py releases $(HISTORY))" \
		--versions --versions-dir .build/history/releases --fixtures fixtures --ephemeral-ca --jobs $(JOBS) --retries 1 --fail-on never \
		--resume --json .build/history/records.jsonl $(ARGS) >.build/history/exam.txt
	Scripts/results.py put history .build/history/records.jsonl --proctor "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor"

versions: release ## Ask each pair of releases of clients/current/pairs.tsv the case that tells them apart, and print those that it does not (PAIRS="urllib3 requests")
	Scripts/pairs.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" $(PAIRS) --jobs $(JOBS)

# What examines, and the right client that is examined: built for release, or `make marks PROCTOR=.build/debug/proctor` with the client beside it.
EXAMINED := $(if $(PROCTOR),,release)
EXAMINER = --proctor "$(or $(PROCTOR),$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor)"
RIGHT = --client "$(if $(PROCTOR),$(dir $(PROCTOR)),$$($(SWIFT) build $(CLIENT) --show-bin-path)/)proctor-client-reference"
BUILD_RIGHT = $(if $(PROCTOR),,$(SWIFT) build $(CLIENT))

# A third of an hour by itself, so it is no part of test-all.
exam-breaks: $(EXAMINED) ## Examine the reference client with each of its breakages (WRITE=1 keeps the tables; ARGS="--only R12")
	$(BUILD_RIGHT)
	@Scripts/breakage-table.py $(EXAMINER) $(RIGHT) $(if $(WRITE),--write,--check) $(ARGS)

matrix-via: release ## Examine the intermediaries that are installed, by clients/intermediaries, hold them to their ledgers, and print the table (DIR=folder of records)
	@proctor="$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor"; Scripts/via.py "$$proctor" matrix $(or $(DIR),.build/via); held=$$?; \
	Scripts/via.py "$$proctor" table $(or $(DIR),.build/via) && exit $$held

# Half an hour: seven clients through the whole library, over two protocols; clients of tokens, signatures, calls and webhooks whose
# verdict does not depend on what came; and one that is deaf to a key, through the cases of each key.
marks: $(EXAMINED) ## Examine clients that look at nothing, or are deaf to a key: what they pass tests nothing (WRITE=1 keeps the tables; SHARD=1/4; ARGS="--jobs 4")
	@Scripts/install-packages.sh matrix-around
	-Scripts/clients.py install $$(Scripts/clients.py names --retrying | tr , " ")
	$(BUILD_RIGHT)
	@PATH="$(CURDIR)/.build/far/bin:$(CURDIR)/.build/around/bin:$$PATH" Scripts/marks.py $(EXAMINER) $(RIGHT) \
		$(if $(WRITE),--write) $(if $(SHARD),--shard $(SHARD)) $(ARGS)
	@PATH="$(CURDIR)/.build/far/bin:$(CURDIR)/.build/around/bin:$$PATH" Scripts/deaf.py $(EXAMINER) $(RIGHT) $(if $(WRITE),--write) $(if $(SHARD),--shard $(SHARD)) $(ARGS)
	@Scripts/via.py "$(or $(PROCTOR),$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor)" mistakes
	@Scripts/via.py "$(or $(PROCTOR),$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor)" nulls

# Hours for the whole library; each night draws other scenarios.
SAMPLE ?= 40
twins: $(EXAMINED) ## Find words of fixtures that test nothing (SCENARIOS="redirect/ cache/" SAMPLE=40; ARGS="--shard 1/8 --keep FILE")
	@Scripts/install-packages.sh matrix-around
	-Scripts/clients.py install $$(Scripts/clients.py names --retrying | tr , " ")
	$(BUILD_RIGHT)
	@Scripts/twins.py $(or $(SCENARIOS),"") --sample $(SAMPLE) --seed "$$(date +%j)" \
		$(EXAMINER) $(RIGHT) $(ARGS)

# The shapes of the reference client, libraries of one family, and browsers, each for what none before it passed.
passed: $(EXAMINED) ## Look for musts and shoulds that no right client passes (ARGS="--only cache/")
	@Scripts/install-packages.sh matrix
	@Scripts/install-packages.sh matrix-around
	-Scripts/clients.py install $$(Scripts/clients.py names --retrying | tr , " ")
	$(BUILD_RIGHT)
	@PATH="$(CURDIR)/.build/far/bin:$(CURDIR)/.build/around/bin:$$PATH" Scripts/passed.py $(EXAMINER) $(RIGHT) $(ARGS)

# PyPI is needed the first time.
llm-sdks: release ## Have the SDKs of openai and anthropic hold conversations with the llm pack
	python3 Tests/Clients/llm_sdks.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" .build/llm-sdks

# PyPI is needed the first time.
# PyPI is needed the first time, for what writes the variables of UEFI.
boot-loaders: release ## Have GRUB, iPXE and UEFI load the files of boot/ in virtual machines (ARGS="--only grub,ipxe")
	@Scripts/install-packages.sh boot
	@PATH="$(CURDIR)/.build/boot/bin:$$PATH" Tests/Clients/boot.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" $(ARGS)

grpc-interop: deps-debug ## Make the calls of gRPC's interoperability tests with grpcio (ARGS=ping_pong), and ask reflection v1 with grpclib
	@Scripts/build.sh serve .build/debug/proctor "builds proctor, not optimised" $(SWIFT) build $(DEBUG) --product proctor
	.build/debug/proctor run grpc/interop -- \
		clients/adapters/proctor_current.sh grpcio ../../Tests/Clients/grpc_interop.py $(ARGS)
	.build/debug/proctor run shop --fixtures Tests/Clients/reflection -- \
		clients/adapters/proctor_current.sh grpclib ../../Tests/Clients/reflection/ask.py

# Twenty minutes, and PyPI is needed the first time.
crossing: release ## Let libraries record, import their files, and let them ask again (ARGS="--only betamax")
	python3 Tests/Clients/crossing/crossing.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" .build/crossing $(ARGS)

httpbin-libraries: release ## Run client libraries' own tests against httpbin and the pack (ARGS="--only requests")
	python3 Tests/Clients/httpbin/libraries.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" \
		.build/httpbin-libraries $(ARGS)

# Everything is several times slower under a sanitizer: few tests at a time, and the wide ones behind the others, so that a test with a
# bound of time keeps to it. Lines of a report need no more debug information than a debug build has.
SANITIZED_WIDTH := 3
define test-sanitized
	@Scripts/show-failures.sh $(SWIFT) build $(DEBUG) --build-tests --sanitize $(1) --scratch-path .build/$(2)
	@run() { SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(SANITIZED_WIDTH) \
		Scripts/show-failures.sh $(SWIFT) test --enable-swift-testing --skip-build --sanitize $(1) --scratch-path .build/$(2) "$$@"; }; status=0; \
	$(if $(strip $(ARGS)),run $(ARGS),.build/$(2)/debug/proctor-data --width $(SANITIZED_WIDTH) || status=$$?; run --skip '$(WIDE)' || status=$$?; run --filter '$(WIDE)') || status=$$?; exit $$status
endef

# Some tests want to see the signal by which a child ends. The runtime's crash handler reads memory that a sanitizer guards, which
# would end the child as an error of the sanitizer's.
test-tsan test-asan: export PROCTOR_TESTS ?= wide
test-tsan test-asan: export SWIFT_BACKTRACE = enable=no
test-tsan: export TSAN_OPTIONS = suppressions=$(CURDIR)/Scripts/races.supp
test-tsan: deps-debug test-all-deps ## Run all tests under the thread sanitizer
	$(call test-sanitized,thread,tsan)

test-asan: export LSAN_OPTIONS = suppressions=$(CURDIR)/Scripts/leaks.supp:print_suppressions=0
test-asan: deps-debug test-all-deps ## Run all tests under the address sanitizer
	$(call test-sanitized,address,asan)

test-pages: deps-debug ## Attack the pages in three browsers, and use each in headless Chromium (ARGS="--only search"; SHOTS=folder)
	@Scripts/install-packages.sh pages
	$(SWIFT) build $(DEBUG) --product proctor
	$(if $(ARGS)$(SHOTS),,.build/browser/bin/python Tests/Browser/origins.py $(if $(shell command -v apt-get),--browser chromium --browser firefox --browser webkit) "$$($(SWIFT) build --show-bin-path)/proctor")
	$(if $(ARGS)$(SHOTS),,.build/browser/bin/python Tests/Browser/gateways.py "$$($(SWIFT) build --show-bin-path)/proctor")
	$(if $(ARGS)$(SHOTS)$(if $(shell command -v apt-get),,no),,.build/browser/bin/python Tests/Browser/tabs.py "$$($(SWIFT) build --show-bin-path)/proctor")
	.build/browser/bin/python Tests/Browser/pages.py "$$($(SWIFT) build --show-bin-path)/proctor" $(if $(SHOTS),--shots $(SHOTS)) $(ARGS)

bench: release ## Measure beside nginx (ARGS="--rounds 3"; SAVE=1 keeps the table)
	@Scripts/install-packages.sh bench
	$(SWIFT) build $(CLIENT)
	python3 Benchmarks/bench.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" \
		--adapter "$$($(SWIFT) build $(CLIENT) --show-bin-path)/proctor-client-reference" $(if $(SAVE),--save Benchmarks/README.md) $(ARGS)

bench-check: release ## Hold what proctor does for one of each thing against Benchmarks/counts.tsv (SAVE=1 lowers it; BOUGHT="what for" raises it)
	@Scripts/install-packages.sh bench-check
	python3 Benchmarks/check.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" $(if $(SAVE),--save $(if $(BOUGHT),--bought '$(BOUGHT)')) $(ARGS)

fuzz: deps ## Run the fuzz targets (SECONDS_EACH=600)
	Scripts/fuzz.sh $(or $(SECONDS_EACH),600)

soak: release ## End very many connections in every way, and ask over six protocols side by side (N=1000000 SECONDS_EACH=360)
	@Scripts/install-packages.sh bench
	python3 Benchmarks/soak.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" --count $(or $(N),1000000)
	python3 Benchmarks/once.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" --seconds $(or $(SECONDS_EACH),360)

# A storm is divided among sessions: each part asks every Nth schedule, so that SEED and PART say which loads were made.
storm: release ## Have the reference client stand a storm over all protocols (N=1000000 SEED=1 PART=1/1 ARGS="--protocol h3")
	$(SWIFT) build $(CLIENT)
	"$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" storm --client reference \
		--client-programs "$$($(SWIFT) build $(CLIENT) --show-bin-path)" --ephemeral-ca --minutes 120 \
		--seed $(or $(SEED),1) --part $(or $(PART),1/1) --loads $(or $(N),1000000) --into .build/storms $(ARGS)

attacks: release ## Attack the server in every way that is known, and show what that costs
	@Scripts/install-packages.sh bench
	python3 Benchmarks/attacks.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" $(ARGS)

shortages: deps-debug test-deps ## Let every call of the system fail once, in every command and in a server (ARGS="--only serve --every 5")
	@Scripts/build.sh serve .build/debug/proctor "builds proctor, not optimised" $(SWIFT) build $(DEBUG) --product proctor
	@Scripts/shortages.py .build/debug/proctor $(ARGS)

schema-bounds: release test-deps ## Hold each bound of the schema of fixtures against the reader (ARGS=--write)
	@Scripts/schema-bounds.py --proctor "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" $(ARGS)

docs: deps-debug ## Write the book as pages into .build/docs, which open from a disk
	@Scripts/check-docs.py
	$(SWIFT) build $(DEBUG) --product proctor
	@"$$($(SWIFT) build --show-bin-path)/proctor" docs --site .build/docs

release: deps ## Build the binary that is measured and shipped
	@$(if $(SCRATCH),mkdir -p $(SCRATCH)/stats)
	@Scripts/build.sh release $(or $(SCRATCH),.build)/release/proctor "builds proctor for release" $(SWIFT) build $(RELEASE) --product proctor

dist: release ## Pack one file that runs, a .deb, a container image, a formula and what each language installs into .build/dist
	@Scripts/install-packages.sh dist
	Scripts/dist/dist.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor"

dist-check: dist ## Try the packages in an empty Debian, and each language's in an empty folder; pack twice and compare (as root)
	@Scripts/install-packages.sh dist-check
	Scripts/dist/trial.py .build/dist --scratch .build/dist-check
	Scripts/dist/worlds.py .build/dist --scratch .build/dist-check $(ARGS)
	umask 077; Scripts/dist/dist.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/proctor" --out .build/dist-check/again >/dev/null
	cmp .build/dist/SHA256SUMS-* .build/dist-check/again/SHA256SUMS-*

build: deps-debug ## Build for debugging
	$(SWIFT) build $(DEBUG)

# In two steps, so that the cost of each can be told.
build-tests: deps-debug ## Build for debugging, with the tests
	@Scripts/build.sh serve .build/debug/proctor "builds proctor, not optimised" $(SWIFT) build $(DEBUG) --product proctor
	@Scripts/build.sh data $(DATA) "builds what reads Tests/Data" $(SWIFT) build $(DEBUG) --product proctor-data
	@Scripts/build.sh tests-$(or $(PROCTOR_TESTS),core) .build/debug/proctorPackageTests.xctest "builds the tests" $(SWIFT) build $(DEBUG) $(if $(PROCTOR_TESTS),--build-tests,--product proctorPackageTests)

book-commands: dist ## Run each command of README and Docs as written, by the package, and print a table (ARGS="--only use/grpc")
	@Scripts/book-commands.py .build/dist/proctor-*-$(shell uname -m).tar.gz $(ARGS)

lint: ## Check the formatting and the project's own rules
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Fuzz Benchmarks
	Scripts/check-shell.sh
	Scripts/check-workflows.py
	Scripts/budgets.py
	Scripts/check-docs.py
	Scripts/modules.py
	Scripts/foreign-tests.py check
	Scripts/book-commands.py --check
	Scripts/check-sentences.py
	Scripts/version.py
	Scripts/results.py pages --check
	Scripts/mistakes.py --check

check-darwin: deps ## Type-check everything for macOS, and the recorder's half for iOS (ARGS="--only ios,ProctorRecorder")
	Scripts/check-darwin.py $(or $(ARGS),--mistakes)

check-recorder: ## Build ProctorRecorder alone where no C library can be seen
	@Scripts/check-recorder.sh

check-fuzz: deps ## Type-check the fuzz targets against the debug build
	$(SWIFT) build $(DEBUG)
	@Scripts/check-fuzz.sh

format: ## Format all Swift files in place
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Fuzz Benchmarks

deps-debug: ## Install the libraries that building needs
	@Scripts/install-packages.sh build

deps: deps-debug ## The same, and their archives for a release
ifneq ($(STATIC),)
	@Scripts/static-libraries.sh $(STATIC)
endif

test-deps: ## Install the clients that the tests drive
	@Scripts/install-packages.sh test

test-all-deps: ## Install the clients and languages that all tests drive
	@Scripts/install-packages.sh test-all

clean: ## Remove what was built
	rm -rf .build
