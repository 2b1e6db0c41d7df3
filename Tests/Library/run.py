#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Library/run.py: the libraries ParallaxAnimation, ParallaxDocuments and ParallaxClient as another package sees them.

In a temporary folder, a package that depends on this repository by its path is built for Linux with the
Swift libraries linked in (Tests/Library). Checks what its programs print, which libraries they need, that it may have
another release of the tools' command-line parser, that every public symbol has a documentation comment, that the public symbols are those of the modules' api.txt, and that
DocC converts the catalogues without a warning. Prints the counts.

With PARALLAX_RECORD=1 in the environment, it records api.txt and what the package prints.
"""
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.path.join(ROOT, "Tests/Library")
EXPECTED = os.path.join(LIBRARY, "expected.txt")
MODULES = {"ParallaxAnimation": "Animation/Animation", "ParallaxDocuments": "Animation/Documents", "ParallaxClient": "Client"}
# Modules whose symbols are part of another module's documentation.
REEXPORTED = {"ParallaxAnimation": ["ParallaxMotion", "ParallaxBase"], "ParallaxDocuments": [],
              "ParallaxClient": ["ParallaxProtocol", "ParallaxBase"]}
# glibc, the loader, what the kernel maps, and GCC's runtime, which every program of Swift needs.
GLIBC = re.compile(r"(lib(c|m|stdc\+\+)\.so\.6|libgcc_s\.so\.1|linux-vdso\.so\.1|.*ld-linux-[a-z0-9-]+\.so\.[0-9])$")
PROGRAMS = {"bouncing": ["BouncingExample.swift"], "from-ios": ["FromIOSExample.swift", "Check.swift"]}
RECORD = os.environ.get("PARALLAX_RECORD") == "1"


def run(*command, environment=None):
    return subprocess.run(command, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout


def older_parser(folder):
    """Makes a repository that stands for release 1.5.0 of swift-argument-parser, and returns its path."""
    path = os.path.join(folder, "mirror/swift-argument-parser")
    os.makedirs(os.path.join(path, "Sources/ArgumentParser"))
    with open(os.path.join(path, "Sources/ArgumentParser/Release.swift"), "w") as file:
        file.write('public let release = "1.5.0"\n')
    with open(os.path.join(path, "Package.swift"), "w") as file:
        file.write(
            '// swift-tools-version: 5.9\nimport PackageDescription\nlet package = Package(\n'
            '  name: "swift-argument-parser",\n'
            '  products: [.library(name: "ArgumentParser", targets: ["ArgumentParser"])],\n'
            '  targets: [.target(name: "ArgumentParser")])\n')
    git = ["git", "-C", path, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    for arguments in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "Release"], ["tag", "1.5.0"]):
        run(*git, *arguments)
    return path


def build(folder):
    """Builds the package and returns the folder of its products."""
    for program, sources in PROGRAMS.items():
        os.makedirs(os.path.join(folder, "Sources", program))
        for source in sources:
            shutil.copy(os.path.join(LIBRARY, source), os.path.join(folder, "Sources", program))
    with open(os.path.join(LIBRARY, "PackageExample.swift")) as file:
        manifest = file.read().replace("../parallax", ROOT)
    with open(os.path.join(folder, "Package.swift"), "w") as file:
        file.write(manifest)
    run("swift", "package", "--package-path", folder, "config", "set-mirror", "--original",
        "https://github.com/apple/swift-argument-parser", "--mirror", "file://" + older_parser(folder))
    # The next run builds only what has changed.
    options = [
        "--package-path", folder, "--static-swift-stdlib",
        "--scratch-path", os.path.join(ROOT, ".build/library")]
    built = subprocess.run(
        ["swift", "build", *options], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if built.returncode != 0:
        raise AssertionError(built.stdout)
    return run("swift", "build", *options, "--show-bin-path").strip()


def symbol_graph(module, products, folder):
    """Returns the folder with the module's symbol graph."""
    output = os.path.join(folder, "symbols", module)
    os.makedirs(output)
    target = json.loads(run("swift", "-print-target-info"))["target"]["triple"]
    run(
        "swift", "symbolgraph-extract", "-module-name", module, "-I", os.path.join(products, "Modules"),
        "-Xcc", "-fmodule-map-file=" + os.path.join(products, "CPlatform.build/module.modulemap"),
        "-target", target, "-output-dir", output, "-minimum-access-level", "public",
        "-skip-synthesized-members",
        "-experimental-allowed-reexported-modules=" + ",".join(REEXPORTED[module]))
    return output


def symbols(graph, module):
    with open(os.path.join(graph, module + ".symbols.json")) as file:
        return json.load(file)


def name(symbol):
    return ".".join(symbol["pathComponents"])


def api(graph):
    """Returns one line per public symbol, sorted: its path and its declaration; then the conformances."""
    lines = []
    names = {}
    for symbol in graph["symbols"]:
        names[symbol["identifier"]["precise"]] = name(symbol)
        declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
        lines.append("%s: %s" % (name(symbol), " ".join(declaration.split())))
    for relation in graph["relationships"]:
        if relation["kind"] == "conformsTo" and relation["source"] in names:
            protocol = relation.get("targetFallback") or names.get(relation["target"], "")
            lines.append("%s: %s" % (names[relation["source"]], protocol.removeprefix("Swift.")))
    return sorted(set(lines))


def read(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return file.read().splitlines()


def compare(path, lines, what):
    """Returns what was removed and added in comparison with a recorded file."""
    if RECORD:
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
    changes = [
        line for line in difflib.unified_diff(read(path), lines, lineterm="", n=0)
        if line[0] in "+-" and not line.startswith(("+++", "---"))
    ]
    if not changes:
        return None
    return "%s: %s\n%s\nrecord the change: PARALLAX_RECORD=1 make test-library" % (
        os.path.relpath(path, ROOT), what, "\n".join(changes))


def api_changes(path, lines):
    """Returns which symbols were removed, added and changed."""
    if RECORD:
        return compare(path, lines, "")
    before, now = ({}, {})
    for table, content in ((before, read(path)), (now, lines)):
        for line in content:
            table.setdefault(line.split(": ", 1)[0], set()).add(line)
    changes = []
    for key in sorted(before.keys() | now.keys()):
        if key not in now:
            changes += ["removed  " + line for line in sorted(before[key])]
        elif key not in before:
            changes += ["added    " + line for line in sorted(now[key])]
        elif before[key] != now[key]:
            changes += ["changed  " + line for line in sorted(before[key] - now[key])]
            changes += ["      to " + line for line in sorted(now[key] - before[key])]
    if not changes:
        return None
    return (
        "the public symbols differ from %s:\n%s\nName the change in CHANGELOG.md, and record it: "
        "PARALLAX_RECORD=1 make test-library" % (os.path.relpath(path, ROOT), "\n".join(changes)))


def undocumented(graph):
    lost = [
        name(symbol) for symbol in graph["symbols"]
        if not "".join(line["text"] for line in symbol.get("docComment", {"lines": []})["lines"]).strip()
    ]
    return "no documentation comment: " + ", ".join(lost) if lost else None


def docc(module, graph, folder):
    os.makedirs(os.path.join(folder, "docs"), exist_ok=True)
    done = subprocess.run(
        [
            "docc", "convert", os.path.join(ROOT, "Sources", MODULES[module], module + ".docc"),
            "--additional-symbol-graph-dir", graph, "--output-path", os.path.join(folder, "docs", module),
            "--warnings-as-errors"
        ], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout if done.returncode else None


def libraries(program):
    lines = run("ldd", program).splitlines()
    found = [line.split()[0] for line in lines if line.strip()]
    others = [library for library in found if not GLIBC.match(library)]
    return "needs more than glibc: " + ", ".join(others) if others else None


def wrong_values(program, folder):
    """Returns what the program finds wrong; a daemon that turns at 0.3 rad/s about y and 2 about x plays beside it."""
    trace = os.path.join(folder, "turn.csv")
    with open(trace, "w") as file:
        file.write("t,x,y,z\n" + "".join("%.2f,2,0.3,0\n" % (k / 100) for k in range(6000)))
    environment = dict(os.environ, XDG_RUNTIME_DIR=folder, XDG_CONFIG_HOME=folder)
    environment.pop("PARALLAX_SOCKET", None)
    daemon = subprocess.Popen(
        [os.path.join(ROOT, ".build/debug/parallax"), "run", "--source", "trace:" + trace, "--smoothing", "none"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        done = subprocess.run([program], env=environment, text=True, timeout=60, capture_output=True)
    finally:
        daemon.terminate()
        daemon.wait()
    print("        from-ios: " + done.stdout.strip().splitlines()[-1])
    return done.stdout + done.stderr if done.returncode else None


def main():
    results = []

    def check(title, failure):
        results.append(failure)
        print("%s  %s" % ("FAILED" if failure else "ok    ", title))
        if failure:
            print("    " + failure.rstrip().replace("\n", "\n    "))

    with tempfile.TemporaryDirectory() as folder:
        try:
            products = build(folder)
        except AssertionError as error:
            check("a package elsewhere builds with the library", str(error))
            products = None
        if products:
            check("a package elsewhere builds with the library", None)
            program = os.path.join(products, "bouncing")
            environment = {**os.environ, "PARALLAX_CONTROL": os.path.join(folder, "none.sock")}
            printed = run(program, environment=environment).replace(folder, "FOLDER").splitlines()
            check("it prints what it printed before", compare(EXPECTED, printed, "the program prints something else"))
            check("the values of docs/from-ios.md are those of other formulas",
                  wrong_values(os.path.join(products, "from-ios"), folder))
            check("it needs glibc only", libraries(program))
            for module in MODULES:
                graph = symbol_graph(module, products, folder)
                content = symbols(graph, module)
                check(module + ": the public symbols are the recorded ones",
                      api_changes(os.path.join(ROOT, "Sources", MODULES[module], "api.txt"), api(content)))
                check(module + ": every public symbol is documented", undocumented(content))
                check(module + ": DocC has no warning", docc(module, graph, folder))
    failed = sum(result is not None for result in results)
    print("test-library: %d passed, %d failed, 0 skipped" % (len(results) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
