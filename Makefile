# SPDX-License-Identifier: Apache-2.0
# Every target is a script in scripts/ or a single command.

PREFIX ?= /usr/local
DESTDIR ?=
FOR ?=
HOURS ?= 1
CLIENTS ?=
RECORDINGS ?= 1000

.DEFAULT_GOAL := help
.PHONY: help setup run build release release-verify sbom web desktop test lint format test-asan test-tsan \
	test-system test-web test-page test-desktop test-library test-clients test-schemas test-vm test-model test-hostile test-feel test-motion test-bars test-examples soak \
	test-faults test-package test-spark test-mqtt test-day coverage fuzz bench manual deb tarball install install-user uninstall \
	uninstall-user clean

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

test: ## Install packages, lint, run all Swift tests and print the counts
	@scripts/setup test
	@scripts/lint
	@scripts/test

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

test-system: ## Test both programs with real system services and mock portals on private buses
	@scripts/setup system
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-system.py

test-web: ## Test parallax-web and parallax-provider, also with a misbehaving server (first run 5 to 10 min)
	@scripts/setup web
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-web

test-page: ## Test the page of parallax-web in Chromium (the first run builds web/)
	@scripts/setup page
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-page

test-desktop: ## Test parallax-wallpaper, on headless compositors (with KWin after "scripts/setup desktop-kwin")
	@scripts/setup desktop-test
	@scripts/desktop test
	@scripts/desktop debug
	@scripts/test-desktop

test-library: ## Build a package elsewhere with the library ParallaxAnimation; check its symbols and DocC
	@scripts/setup build
	@scripts/test-library

test-clients: ## Test the clients in clients/ against the daemon and a misbehaving server; prints a table (CLIENTS="c gjs")
	@scripts/setup $(if $(and $(CLIENTS),$(if $(filter qml,$(CLIENTS)),,no)),clients,clients-qml)
	swift build --product parallaxd
	swift build --product parallax
	@Tests/Conformance/run.py $(CLIENTS)

test-schemas: ## Test docs/schemas against what parallaxd sends and accepts, and the documents
	@scripts/setup clients
	swift build --product parallaxd
	swift build --product parallax
	@Tests/Schemas/run.py
	@Tests/Lottie/evaluate.py --check

test-vm: ## Test the release build with a kernel gyroscope in a virtual machine (x86-64)
	@scripts/setup vm
	@scripts/test-vm.py

test-model: ## Run 10^6 random operations on the daemon against a model (OPERATIONS=, SEED=)
	@scripts/setup test
	@OPERATIONS="$(OPERATIONS)" SEED="$(SEED)" scripts/test-model

test-hostile: ## Attack the release build as other users and print what it costs a good one (needs root)
	@scripts/setup hostile
	@scripts/release
	@scripts/test-hostile.py

test-feel: ## Compare the figures of parallax feel with a measure in Python
	@scripts/setup feel
	swift build --product parallax
	@scripts/test-feel

test-motion: ## Compare the motion with exact answers, and what a display draws with the protocol's rule
	@scripts/setup feel
	@scripts/test-motion

test-bars: ## Show the offset in waybar, swaybar and polybar, and check it by screenshots (headless)
	@scripts/setup bars
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-bars

test-examples: ## Run the examples of docs/examples.md and check what they show (headless sway and Chromium)
	@scripts/setup examples
	@scripts/web debug
	swift build --product parallax
	@Tests/Examples/run.py

soak: ## Run the release build under a changing load and draw its memory and lateness (HOURS=1; needs root)
	@scripts/setup soak
	@scripts/release
	@HOURS="$(HOURS)" scripts/soak.py

test-faults: ## Test both programs while calls of the C library fail: short reads, EINTR, ENOSPC, EMFILE ...
	@scripts/setup test
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-faults

test-day: ## Run a day of motion through the daemon on a settable clock; no drift, flat memory (optimized)
	@scripts/setup build
	@scripts/test-day

test-mqtt: ## Publish offsets through a mosquitto that is killed, frozen and restarted; nothing old arrives
	@scripts/setup mqtt
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-mqtt

test-spark: ## Replay 1,000 recordings on a Spark cluster of two workers, and compare (RECORDINGS=)
	@scripts/setup spark
	@scripts/release
	@RECORDINGS="$(RECORDINGS)" scripts/test-spark

coverage: ## Run all Swift tests with line coverage and print it per module; fails below the bounds
	@scripts/setup test
	@scripts/coverage

fuzz: ## Fuzz whatever reads bytes for ten minutes (FOR=60: for 60 s)
	@scripts/setup test
	@FOR="$(FOR)" scripts/fuzz

test-package: ## Build, check, install, upgrade and purge the Debian packages in a fresh root (needs root)
	@scripts/setup package
	@scripts/release
	@[ -z "$${WEB_PROGRAMS-default}" ] || scripts/web
	@[ -z "$${DESKTOP_PROGRAMS-default}" ] || scripts/desktop
	@scripts/test-package

bench: ## Measure speed and memory beside baselines in C and C++ (NAMES= areas, RUNS= runs of each)
	@scripts/setup bench
	scripts/release
	@Benchmarks/run.py --runs $${RUNS:-7} $${NAMES:-}

manual: ## Write the manual pages to .build/manual
	@scripts/setup build
	@scripts/release
	@scripts/manual

deb: ## Build the Debian packages parallax, -web and -wallpaper in .build/deb (first run 10 to 15 min)
	@scripts/setup package
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
	rm -rf .build .build-asan .build-tsan .build-coverage .build-fuzz .build-vm web/.build desktop/.build desktop/.build-protocols
