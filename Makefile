# SPDX-License-Identifier: Apache-2.0
# Every target is a script or a single command. NAMES= runs a part of a suite: tests, scenarios, attacks, areas.

PREFIX ?= /usr/local
DESTDIR ?=
FOR ?=
HOURS ?= 1
NAMES ?=
CLIENTS ?=
RECORDINGS ?= 1000

.DEFAULT_GOAL := help
.PHONY: help setup run build release release-verify sbom web desktop gnome-extension test nightly lint format test-asan \
	test-tsan test-motion test-system test-faults test-library test-clients test-schemas test-install test-web test-page \
	test-desktop test-desktop-debian test-gnome test-plasma test-vm test-model test-model-defects test-hostile test-feel test-bars \
	test-examples test-package test-day test-mqtt test-spark soak coverage fuzz bench manual deb deb-all tarball install \
	install-user uninstall uninstall-user clean

# $(call programs,PURPOSE): the packages of a purpose and the programs, not optimized.
define programs
@scripts/setup $(1)
swift build --product parallaxd
swift build --product parallax
endef

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Install the Debian packages needed to build and test
	@scripts/setup

run: ## Build, start on the first available source and show the motion (FOR=5: print the stream for 5 s)
	@FOR="$(FOR)" scripts/run

build: ## Debug build of everything, including tests
	@scripts/setup build
	swift build --build-tests --disable-xctest --explicit-target-dependency-import-check error

release: ## Release build of parallax and parallaxd, statically linked with the Swift libraries
	@scripts/setup build
	@scripts/release

release-verify: ## Check that a release build in another folder has the same bytes, and how it is linked
	@scripts/setup build
	@scripts/release --verify
	@scripts/check-hardening

sbom: ## Print the release build's bill of materials (SPDX 2.3, JSON)
	@scripts/setup build
	@scripts/release
	@scripts/sbom

web: ## Release build of parallax-web and parallax-provider, for animations from a server (5 to 10 min)
	@scripts/setup web
	@scripts/web

desktop: ## Release build of parallax-wallpaper, for Wayland compositors with wlr-layer-shell
	@scripts/setup desktop
	@scripts/desktop

gnome-extension: ## Pack the extension for GNOME Shell, for "gnome-extensions install"
	@scripts/gnome-extension

test: ## Install packages, lint, run all Swift tests with a fixed seed and print the counts
	@scripts/setup test
	@scripts/lint
	@scripts/test

nightly: ## Run what .ci/run leaves out: random, long and timed tests, with a table (NAMES= steps; needs root)
	@scripts/nightly $(NAMES)

lint: ## Check the format and the repository's rules
	@scripts/lint

format: ## Format the Swift sources
	swift format --in-place --recursive Package.swift Sources Tests Fuzz \
	  web/Package.swift web/Sources web/Tests \
	  desktop/Package.swift desktop/Sources desktop/Tests

test-asan: ## Run all Swift tests with the address sanitizer
	@scripts/setup test
	@scripts/test --sanitize=address

test-tsan: ## Run all Swift tests with the thread sanitizer
	@scripts/setup test
	@scripts/test --sanitize=thread

test-motion: ## Compare the motion with exact answers, and what a display draws with the protocol's rule
	$(call programs,feel)
	PARALLAX_LIVE=1 swift build --product LiveDraw
	@Tests/unittests.py Tests/Motion $(NAMES)

test-system: ## Test both programs with real system services and mock portals on private buses
	$(call programs,system)
	@umockdev-wrapper Tests/unittests.py Tests/System $(NAMES)

test-faults: ## Test both programs while calls of the C library fail: short reads, EINTR, ENOSPC, EMFILE ...
	$(call programs,test)
	@Tests/unittests.py Tests/Faults $(NAMES)

test-library: ## Build a package elsewhere with the Swift libraries; check their symbols and DocC
	$(call programs,build)
	@Tests/Library/run.py

test-clients: ## Test the clients in clients/ against the daemon and a misbehaving server; prints a table (CLIENTS="c gjs")
	$(call programs,$(if $(and $(CLIENTS),$(if $(filter qml,$(CLIENTS)),,no)),clients,clients-qml))
	@Tests/Conformance/run.py $(CLIENTS)

test-schemas: ## Test docs/schemas against what parallaxd sends and accepts, and the documents
	$(call programs,clients)
	@Tests/Schemas/run.py $(NAMES)
	@Tests/Lottie/evaluate.py --check

test-install: ## Install the release build into a folder, for all users and for one; try it and uninstall it
	@scripts/setup build
	@Tests/Install/run

test-web: ## Test parallax-web and parallax-provider, also with a misbehaving server (first run 5 to 10 min)
	$(call programs,web)
	@scripts/test --package web
	@scripts/web debug
	@Tests/unittests.py web/Tests/EndToEnd $(NAMES)

test-page: ## Test the pages of parallax-web in Chromium, and a phone with the wallpaper (the first run builds web/)
	$(call programs,page)
	@scripts/web debug
	@scripts/desktop debug
	@node --test web/Tests/page/*.test.mjs
	@$$(scripts/python-with playwright '' playwright==1.65.2) Tests/unittests.py web/Tests/page $(NAMES)

test-desktop: ## Test parallax-wallpaper, on headless compositors (with KWin after "scripts/setup desktop-kwin")
	@scripts/setup desktop-test
	@scripts/desktop test
	@scripts/desktop debug
	@desktop/Tests/Photos/run.py
	@desktop/Tests/Compositors/run.py
	@desktop/Tests/Compositors/bars.py desktop/.build/debug/parallax-wallpaper

test-desktop-debian: ## The wallpaper, another background and a bar on sway and labwc of Debian SUITES= (needs root)
	@scripts/setup desktop-test
	@scripts/setup package
	@scripts/desktop
	@desktop/Tests/Compositors/bars.py desktop/.build/release/parallax-wallpaper $(or $(SUITES),trixie)

test-gnome: ## Test the extension in a headless GNOME Shell of Debian 13 (SUITE=sid: a newer one; needs root)
	@scripts/setup gnome
	@desktop/gnome/tests/run.py $${SUITE:-trixie}

test-plasma: ## Test the wallpaper in the plasmashell of Debian 13, on Xvfb (needs root)
	@scripts/setup plasma
	@desktop/Tests/Plasma/run.py $${SUITE:-trixie}

test-vm: ## Test the release build with a kernel gyroscope in a virtual machine (x86-64)
	@scripts/setup vm
	@Tests/VirtualMachine/run.py $(NAMES)

test-model: ## Run 10^6 random operations on the daemon against a model (OPERATIONS=, SEED=)
	@scripts/setup test
	@OPERATIONS="$(OPERATIONS)" SEED="$(SEED)" Tests/Model/run

test-model-defects: ## Put known defects back, one at a time; the model must find each
	@scripts/setup test
	@Tests/Model/defects $(NAMES)

test-hostile: ## Attack the release build as other users and print what it costs a good one (needs root)
	@scripts/setup hostile
	@scripts/release
	@Tests/Hostile/run.py $(NAMES)

test-feel: ## Compare the figures of parallax feel with a measure in Python
	@scripts/setup feel
	swift build --product parallax
	@Tests/Feel/run.py

test-bars: ## Show the offset in waybar, swaybar and polybar, and check it by screenshots (headless)
	$(call programs,bars)
	@Tests/Bars/run.py

test-examples: ## Run the examples of docs/examples.md and check what they show (headless sway and Chromium)
	$(call programs,examples)
	@scripts/web debug
	@Tests/Examples/run.py $(NAMES)

test-package: ## Build, check, install, upgrade and purge the Debian packages in a fresh root (needs root)
	@scripts/setup package
	@scripts/release
	@[ -z "$${WEB_PROGRAMS-default}" ] || scripts/web
	@[ -z "$${DESKTOP_PROGRAMS-default}" ] || scripts/desktop
	@Tests/Package/run.py

test-day: ## Run a day of motion through the daemon on a settable clock; no drift, flat memory (optimized)
	@scripts/setup build
	PARALLAX_DAY=1 swift build --configuration release --product DayRun
	@.build/release/DayRun $${HOURS:-24}

test-mqtt: ## Publish offsets through a mosquitto that is killed, frozen and restarted; nothing old arrives
	$(call programs,mqtt)
	@python3 -B Tests/Scale/mqtt.py

test-spark: ## Replay 1,000 recordings on a Spark cluster of two workers, and compare (RECORDINGS=)
	@scripts/setup spark
	@scripts/release
	@$$(scripts/python-with pyspark 3.5. pyspark==3.5.9 py4j==0.10.9.9) -B Tests/Scale/spark.py \
	  --recordings $(RECORDINGS) --seed $${PARALLAX_SEED:-1}

soak: ## Run the release build under a changing load and draw its memory and lateness (HOURS=1; needs root)
	@scripts/setup soak
	@scripts/release
	@HOURS="$(HOURS)" Tests/Hostile/soak.py

coverage: ## Run all Swift tests with line coverage and print it per module; fails below the bounds
	@scripts/setup test
	@scripts/coverage

fuzz: ## Fuzz whatever reads bytes for ten minutes (FOR=60: for 60 s)
	@scripts/setup test
	@FOR="$(FOR)" scripts/fuzz $(NAMES)

bench: ## Measure speed and memory beside baselines in C and C++ (NAMES= areas, RUNS= runs of each)
	@scripts/setup bench
	@scripts/release
	@Benchmarks/run.py --runs $${RUNS:-7} $(NAMES)

manual: ## Write the manual pages to .build/manual
	@scripts/setup build
	@scripts/release
	@scripts/manual

deb: ## Build the Debian package parallax in .build/deb (first run 5 to 8 min)
	@scripts/setup deb
	@scripts/release
	@WEB_PROGRAMS= DESKTOP_PROGRAMS= scripts/deb

deb-all: ## Build all Debian packages in .build/deb (first run 10 to 15 min)
	@scripts/setup deb-all
	@scripts/release
	@scripts/web
	@scripts/desktop
	@scripts/deb

tarball: ## Pack the installed files for other systems, in .build
	@scripts/setup build
	@scripts/release
	@scripts/tarball

install: ## Install to PREFIX (/usr/local) under DESTDIR, with systemd units; configuration in /etc
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

install-user: ## Install for the current user: ~/.local, ~/.config and user units; needs no root
	@scripts/install --user

uninstall: ## Remove what "make install" installed; the configuration stays
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/uninstall

uninstall-user: ## Remove what "make install-user" installed; the configuration stays
	@scripts/uninstall --user

clean: ## Remove all build folders
	rm -rf .build .build-* web/.build desktop/.build desktop/.build-*
