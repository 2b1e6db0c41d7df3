# Thin: every target is a script in scripts/ or one command.

PREFIX ?= /usr/local
DESTDIR ?=
FOR ?=

.DEFAULT_GOAL := help
.PHONY: help setup run build release web test lint format test-asan test-tsan test-system test-web \
	test-vm fuzz bench-quick install install-user uninstall uninstall-user clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: ## Install what is missing to build and test (Debian packages)
	@scripts/setup

run: ## Build, start on the first source there is, print the stream (FOR=5: for 5 s)
	@FOR="$(FOR)" scripts/run

build: ## Debug build of everything, tests included
	@scripts/setup build
	swift build --build-tests

release: ## Release build of parallax and parallaxd, Swift's libraries linked in
	@scripts/setup build
	@scripts/release

web: ## Release build of parallax-web and parallax-provider (animations from a server; 5 to 10 min)
	@scripts/setup web
	@scripts/web

test: ## Set up, lint, run all tests, print the counts
	@scripts/setup test
	@scripts/lint
	@scripts/test

lint: ## Check format and the rules of the house
	@scripts/lint

format: ## Format the Swift sources
	swift format --in-place --recursive Package.swift Sources Tests \
	  web/Package.swift web/Sources web/Tests

test-asan: ## All tests under the address sanitizer
	@scripts/setup test
	@scripts/test --sanitize=address

test-tsan: ## All tests under the thread sanitizer
	@scripts/setup test
	@scripts/test --sanitize=thread

test-system: ## Test both programs with real system services and mock portals on private buses
	@scripts/setup system
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-system

test-web: ## Test parallax-web and parallax-provider, with a misbehaving server too (first 5 to 10 min)
	@scripts/setup web
	swift build --product parallaxd
	swift build --product parallax
	@scripts/test-web

test-vm: ## Test the release build with a real kernel's gyroscope (needs ../shared/vm, x86-64)
	@scripts/setup vm
	@scripts/test-vm

fuzz: ## Ten minutes of random bytes at traces, documents and both sockets (FOR=60: for 60 s)
	@scripts/setup test
	@FOR="$(FOR)" scripts/fuzz

bench-quick: ## Measure speed and memory, print a table (needs ../shared/bench)
	@scripts/setup bench
	@scripts/release
	@scripts/bench-quick

install: ## Install to PREFIX (/usr/local), below DESTDIR, with systemd's units; configuration to /etc
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/install

install-user: ## Install for yourself: ~/.local, ~/.config; no root, units of your own
	@scripts/install --user

uninstall: ## Remove what install put there; your configuration stays
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" scripts/uninstall

uninstall-user: ## Remove what install-user put there; your configuration stays
	@scripts/uninstall --user

clean: ## Remove everything built
	rm -rf .build .build-asan .build-tsan .build-fuzz .build-vm web/.build
