#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests/Package/run.py

Builds the Debian packages and the archive, checks them (lintian, mandoc, appstreamcli, desktop-file-validate, links, syntax of the
completions)
and installs, upgrades, removes and purges them in a fresh root made by debootstrap. Needs root; builds
what is missing. With WEB_PROGRAMS= (empty), parallax-web is neither built nor tested; with
DESKTOP_PROGRAMS=, nor is parallax-wallpaper. Prints one line per check, the time from the package to the first
motion, and the counts. The root without parallax stays in .build/root.tar.
"""
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, ".build")
EXTENSION = "gnome-shell-extension-parallax"
passed = failed = 0

# Runs in the root, with a /proc of its own. What is mounted disappears with the shell.
ENTER = """
mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" || exit 99
exec chroot "$1" /usr/bin/env -i HOME=/tmp/home PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \\
  LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=/tmp/run /bin/sh -euc "$2"
"""
# The first line of the stream, and of `parallax demo`: the first thing that moves for a new user.
FIRST = """
mkdir -p /tmp/run /tmp/home && chmod 700 /tmp/run
parallax run --source synthetic 2>/tmp/run.log & daemon=$!
until [ -S /tmp/run/parallax/parallax.sock ]; do kill -0 $daemon || exit 1; sleep 0.02; done
parallax subscribe --class OFFSET --count 1
kill $daemon && wait $daemon || true
"""
DEMO = """
mkdir -p /tmp/run /tmp/home && chmod 700 /tmp/run
timeout 30 parallax demo | head -n 1
rm -rf /tmp/run /tmp/run.log /tmp/home
"""
# A user's sway with the line of docs/wallpaper.md in its configuration, photographed again and again. With a
# daemon on synthetic motion, for want of a gyroscope.
DESKTOP = ["sway", "grim"]
PHOTOGRAPHED = """
mkdir -p /tmp/run /tmp/home/.config/sway /tmp/pictures && chmod 700 /tmp/run && cd /tmp/pictures
echo 'exec parallax-wallpaper' >/tmp/home/.config/sway/config
# sway refuses to run as root.
chown -R 1000:1000 /tmp/run /tmp/home /tmp/pictures
exec setpriv --reuid=1000 --regid=1000 --clear-groups sh -euc '
trap "kill 0" EXIT
parallax run --source synthetic 2>/tmp/run/daemon.log &
WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 sway >/tmp/run/sway.log 2>&1 & sway=$!
until [ -S /tmp/run/wayland-1 ]; do kill -0 $sway || { cat /tmp/run/sway.log; exit 1; }; sleep 0.02; done
for number in $(seq 100 %d); do
  WAYLAND_DISPLAY=wayland-1 grim -t ppm $number.part && date +%%s.%%N >$number.time && mv $number.part $number.ppm
done
'
"""
PICTURES = 40


def check(holds, what, measured=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    text = str(measured).strip()
    print("%-6s  %s%s" % ("ok" if holds else "FAILED", what, "  " + text if text else ""), flush=True)


def run(*command, **options):
    environment = dict(os.environ, LC_ALL="C.UTF-8", **options.pop("environment", {}))
    return subprocess.run(command, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, cwd=options.pop("cwd", ROOT), **options)


def must(*command, **options):
    result = run(*command, **options)
    if result.returncode:
        sys.exit("test-package: %s failed (%d):\n%s" % (" ".join(command)[:200], result.returncode, result.stdout[-4000:]))
    return result.stdout


def build(folder):
    """The packages in two versions, and the archive. Returns the packages' files by version and name."""
    packages = {}
    for version, arguments in ("old", []), ("new", ["9.0"]):
        started = time.monotonic()
        # Packing the debug symbols takes most of the time; once is enough.
        options = {} if version == "old" else {"DEB_BUILD_OPTIONS": "noautodbgsym"}
        must("scripts/deb", *arguments, environment=options)
        print("        scripts/deb took %.0f s" % (time.monotonic() - started), flush=True)
        packages[version] = {}
        for path in glob.glob(BUILD + "/deb/*.deb"):
            if "-dbgsym_" not in path:
                name = os.path.basename(path).split("_")[0]
                packages[version][name] = shutil.copy(path, os.path.join(folder, "%s-%s.deb" % (name, version)))
        if version == "old":
            shutil.copytree(BUILD + "/deb", os.path.join(folder, "deb"), ignore=shutil.ignore_patterns("parallax-[0-9]*"))
    return packages


def check_package(folder, packages):
    changes, = glob.glob(os.path.join(folder, "deb/*.changes"))
    found = run("lintian", "--allow-root", "--tag-display-limit", "0", changes).stdout
    check(not re.search(r"^E:", found, re.M), "lintian: errors", found)
    check(not re.search(r"^W:", found, re.M), "lintian: warnings")
    symbols = [os.path.basename(path).split("_")[0] for path in glob.glob(os.path.join(folder, "deb/*-dbgsym_*.deb"))]
    programs = [name for name in packages if name != EXTENSION]
    check(sorted(symbols) == sorted(name + "-dbgsym" for name in programs), "debug symbols", " ".join(sorted(symbols)))

    files = os.path.join(folder, "files")
    for path in packages.values():
        must("dpkg-deb", "--extract", path, files)
    manual = glob.glob(files + "/usr/share/man/man*/*.gz")
    for path in manual:
        must("gunzip", "--keep", path)
    pages = sorted(path[:-3] for path in manual)
    found = run("mandoc", "-T", "lint", *pages, environment={"MANPATH": files + "/usr/share/man"}).stdout
    found = "\n".join(line for line in found.split("\n") if "referenced manual not found" not in line)
    check(len(pages) > 20 and not found.strip(), "mandoc -T lint: %d pages" % len(pages), found)
    missing = references(pages)
    check(not missing, "manual pages refer to pages that exist", missing)
    commands = [entry["commandName"] for entry in json.loads(
        must(files + "/usr/bin/parallax", "--experimental-dump-help"))["command"]["subcommands"]
        if entry["shouldDisplay"] and entry["commandName"] != "help"]
    missing = [name for name in commands if not os.path.exists("%s/usr/share/man/man1/parallax-%s.1" % (files, name))]
    check(len(commands) > 15 and not missing, "every command has a manual page", missing)
    for program, page in ("bin/parallaxd", "parallaxd.8"), ("libexec/parallax/parallax-provider", "parallax-provider.8"):
        if os.path.exists("%s/usr/%s" % (files, program)):
            with open("%s/usr/share/man/man8/%s" % (files, page), encoding="utf-8") as file:
                text = file.read().replace("\\-", "-")
            options = re.findall(r"-(-[a-z-]+)", must("%s/usr/%s" % (files, program), "--help"))
            missing = [option for option in options if option not in text]
            check(options and not missing, "%s has every option" % page, missing)
    found = run("appstreamcli", "validate", "--no-net", "--pedantic", *glob.glob(files + "/usr/share/metainfo/*.xml"))
    check(found.returncode == 0, "appstreamcli validate", found.stdout)
    entries = glob.glob(files + "/usr/share/applications/*.desktop")
    check(len(entries) == len({"parallax-web", "parallax-wallpaper"} & set(packages)), "entries for the desktop's menu", len(entries))
    icons = {path.split("/")[-1].split(".")[0] for path in glob.glob(files + "/usr/share/icons/hicolor/*/apps/*")}
    for entry in entries:
        found = run("desktop-file-validate", entry)
        check(found.returncode == 0, "desktop-file-validate " + os.path.basename(entry), found.stdout)
        with open(entry, encoding="utf-8") as file:
            fields = dict(re.findall(r"^(\w+)=(.*)$", file.read(), re.M))
        program = files + "/usr/bin/" + fields["Exec"].split()[0]
        found = run(program, *fields["Exec"].split()[1:], "--help")
        check(found.returncode == 0 and fields["Icon"] in icons, "%s: its program and its icon" % os.path.basename(entry),
              "" if found.returncode == 0 else found.stdout)
    broken = broken_links(files + "/usr/share/doc/parallax")
    check(not broken, "links of the installed documents", broken)
    check(not run("grep", "-rlE", "@[A-Z]+DIR@", files).stdout, "no placeholder is left")
    for shell, path in (("bash", "bash-completion/completions/parallax"), ("zsh", "zsh/vendor-completions/_parallax"),
                        ("fish", "fish/vendor_completions.d/parallax.fish")):
        found = run(shell, "-n", "%s/usr/share/%s" % (files, path))
        check(found.returncode == 0, "completions of %s as installed" % shell, found.stdout)


def references(pages):
    names = {os.path.basename(path) for path in pages}
    missing = []
    for path in pages:
        with open(path, encoding="utf-8") as file:
            for page, section in re.findall(r"^\.Xr (\S+) (\d)", file.read(), re.M):
                if "%s.%s" % (page.replace("\\-", "-"), section) not in names:
                    missing.append("%s: %s(%s)" % (os.path.basename(path), page, section))
    return missing


def broken_links(folder):
    broken = []
    for path in glob.glob(folder + "/**/*.md", recursive=True):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
                broken.append("%s: %s" % (os.path.relpath(path, folder), target))
    return broken


def names_of(packages):
    return [must("dpkg-deb", "--field", path, "Package").strip() for path in packages]


def fresh_root(folder, packages):
    """A Debian with what the packages depend on, without them."""
    archive = os.path.join(BUILD, "root.tar")
    root = os.path.join(folder, "root")
    os.makedirs(root)
    with open("/etc/os-release") as file:
        suite = re.search(r"VERSION_CODENAME=(\w+)", file.read())[1]
    if os.path.exists(archive):
        must("tar", "--extract", "--file", archive, "--directory", root)
    else:
        print("        debootstrap %s" % suite, flush=True)
        must("debootstrap", "--variant=minbase", suite, root)
        must("tar", "--create", "--file", archive, "--directory", root, ".")
    shutil.copy("/etc/resolv.conf", root + "/etc/resolv.conf")
    for path in glob.glob("/etc/apt/apt.conf.d/*proxy*"):
        shutil.copy(path, root + "/etc/apt/apt.conf.d/")
    # Recommends, too: apt installs them by default.
    depends = ", ".join(entry for path in packages for field in ("Depends", "Recommends")
                        for entry in must("dpkg-deb", "--field", path, field).strip().split(", ")
                        if entry and not entry.startswith("parallax"))
    others = ["ca-certificates"] + (DESKTOP if "parallax-wallpaper" in names_of(packages) else [])
    result = inside(root, "apt-get update -q; apt-get satisfy -qy --no-install-recommends '%s'" % ", ".join([depends] + others))
    if result.returncode:
        sys.exit("test-package: installing the dependencies failed:\n" + result.stdout[-3000:])
    return root


def inside(root, script):
    return run("unshare", "--mount", "sh", "-c", ENTER, "sh", root, script)


def files_of(root):
    """Every file but those of dpkg and apt themselves, and their contents where a package may add a line."""
    found = {}
    for folder, folders, names in os.walk(root):
        relative = os.path.relpath(folder, root)
        if relative in ("proc", "dev", "var/lib/dpkg", "var/lib/apt", "var/cache/apt", "var/log", "var/cache/debconf", "tmp"):
            folders.clear()
            continue
        for name in folders + names:
            path = os.path.join(folder, name)
            found[os.path.normpath(os.path.join(relative, name))] = os.path.islink(path) or os.path.isdir(path)
    return found


def check_life(folder, packages):
    root = fresh_root(folder, packages["old"].values())
    # The account stays after a purge, as Debian recommends; these are its files.
    accounts = {"etc/" + name + suffix for name in ("passwd", "group", "shadow", "gshadow", "subuid", "subgid")
                for suffix in ("-", ".lock", "")} | {"etc/.pwd.lock"}
    before = files_of(root)
    for version in packages:
        for name, path in packages[version].items():
            shutil.copy(path, "%s/tmp/%s-%s.deb" % (root, name, version))

    started = time.monotonic()
    result = inside(root, "apt-get install -qy --no-install-recommends /tmp/parallax-old.deb")
    installed = time.monotonic()
    check(result.returncode == 0, "apt-get install", "" if result.returncode == 0 else result.stdout[-2000:])
    check("parallax demo" in result.stdout, "install: prints the next steps", result.stdout[-300:])
    result = inside(root, FIRST)
    moved = time.monotonic()
    check('"class":"OFFSET"' in result.stdout, "package to the first OFFSET: %.1f s, of which %.1f s are apt-get"
          % (moved - started, installed - started), "" if result.returncode == 0 else result.stdout[-1000:])
    moved = time.monotonic()
    result = inside(root, DEMO)
    check(" px " in result.stdout, "from there to the first motion of parallax demo: %.1f s" % (time.monotonic() - moved),
          result.stdout.split("\n")[0])
    check_guide(root, installed - started)
    check(inside(root, "getent passwd parallax && getent group iio").returncode == 0, "the user and the group exist")
    links = glob.glob(root + "/etc/systemd/system/sockets.target.wants/parallax*") + glob.glob(
        root + "/etc/systemd/user/*.wants/parallax*")
    check(sorted(os.path.basename(path) for path in links) == ["parallax-agent.service", "parallax-control.socket", "parallax.socket"],
          "enabled", " ".join(sorted(os.path.basename(path) for path in links)))

    if "parallax-web" in packages["old"]:
        result = inside(root, "apt-get install -qy --no-install-recommends /tmp/parallax-web-old.deb; "
                        "/usr/libexec/parallax/parallax-web --version; /usr/libexec/parallax/parallax-provider --version")
        check(re.search(r"^parallax-web 0.*\nparallax-provider 0", result.stdout, re.M), "parallax-web",
              result.stdout.split("\n")[-2])
    if "parallax-wallpaper" in packages["old"]:
        check_wallpaper(root, installed - started)
    for name in ("parallax", "parallaxd"):
        result = inside(root, name + " --version").stdout.strip()
        check(re.fullmatch(r"(parallaxd? )?\d+\.\d+\.\d+", result), "%s --version" % name, result)

    # A changed configuration, one that the administrator added, and the state of a service that ran.
    inside(root, "sed -i 's/^#rate = .*/rate = 17/' /etc/parallax/parallax.toml; mkdir -p /etc/parallax/parallax.toml.d "
           "/var/lib/parallax /run/parallax; touch /etc/parallax/parallax.toml.d/own.toml /var/lib/parallax/bias")
    changed = must("cksum", root + "/etc/parallax/parallax.toml")
    result = inside(root, "apt-get install -qy --no-install-recommends /tmp/*-new.deb")
    check(result.returncode == 0, "upgrade", "" if result.returncode == 0 else result.stdout[-2000:])
    check("parallax demo" not in result.stdout, "upgrade: does not repeat the next steps")
    check(changed == must("cksum", root + "/etc/parallax/parallax.toml"), "upgrade: the changed configuration is kept")
    result = inside(root, "parallax config show")
    check(re.search(r"^rate = 17\b", result.stdout, re.M), "upgrade: and is in effect")

    result = inside(root, "apt-get remove -qy " + " ".join(packages["old"]))
    check(result.returncode == 0 and not os.path.exists(root + "/usr/bin/parallax"), "remove")
    check(changed == must("cksum", root + "/etc/parallax/parallax.toml"), "remove: the configuration is kept")
    result = inside(root, "apt-get purge -qy " + " ".join(packages["old"]))
    after = files_of(root)
    left = sorted(path for path in set(after) - set(before) - accounts if not path.startswith(("var/cache/ldconfig", "var/cache/fontconfig")))
    check(result.returncode == 0 and not left, "purge: files left", " ".join(left))
    gone = sorted(set(before) - set(after) - accounts)
    check(not gone, "purge: nothing else is gone", " ".join(gone))


def check_wallpaper(root, seconds):
    """`seconds` is what installing the package parallax took, before this."""
    started = time.monotonic()
    result = inside(root, "apt-get install -qy --no-install-recommends /tmp/parallax-wallpaper-old.deb")
    check(result.returncode == 0, "apt-get install parallax-wallpaper", "" if result.returncode == 0 else result.stdout[-2000:])
    seconds += time.monotonic() - started
    check_moved_pixel(root, seconds)
    result = inside(root, "parallax-wallpaper --version")
    check(re.search(r"^parallax-wallpaper \d", result.stdout, re.M), "parallax-wallpaper", result.stdout.split("\n")[-2])
    result = inside(root, "parallax-wallpaper --list | cut -f 1; for name in valley harbor reef; do "
                    "parallax-wallpaper --check $name || exit; done; echo checked")
    check(result.stdout.split() == ["harbor", "reef", "valley", "checked"], "its pictures can be read", result.stdout)
    result = inside(root, "parallax-wallpaper || echo $?")
    check(result.stdout.endswith("start this inside the session\n69\n"), "without a compositor it says so", result.stdout)
    # Its unit reads no file of this root but the program.
    unit = root + "/usr/lib/systemd/user/parallax-wallpaper.service"
    must("sed", "-i.shipped", "s,=/usr/bin/,=%s/usr/bin/," % root, unit)
    result = run("systemd-analyze", "--user", "verify", "--man=no", unit, environment={"XDG_RUNTIME_DIR": root + "/tmp"})
    check(result.returncode == 0 and not result.stdout.strip(), "systemd-analyze --user verify", result.stdout)
    os.rename(unit + ".shipped", unit)


def check_moved_pixel(root, seconds):
    """From the packages to a pixel of the wallpaper that moves, on a screen."""
    started = time.time()
    result = inside(root, PHOTOGRAPHED % (100 + PICTURES - 1))
    pictures, shown, moved = sorted(glob.glob(root + "/tmp/pictures/*.ppm")), None, None
    for path in pictures:
        with open(path, "rb") as file:
            pixels = file.read().split(b"\n", 3)[3]
        pixels = [pixels[i:i + 3] for i in range(0, len(pixels), 3)]
        colors = set(pixels)
        # sway without a wallpaper is of one color, the valley has thousands.
        if shown is None:
            shown = pixels if len(colors) > 1000 else None
            continue
        changed = sum(a != b for a, b in zip(pixels, shown)) / len(pixels)
        # Far more than an edge here and there, and it is the same picture: most colors are the same.
        if changed > 0.02 and len(colors & set(shown)) > 0.5 * len(colors):
            with open(path[:-4] + ".time") as file:
                moved = float(file.read()) - started
            break
    check(moved is not None, "package to the first moved pixel of the wallpaper: %.1f s, of which %.1f s are apt-get" % (
        seconds + (moved or 0), seconds), "" if moved else "%d pictures\n%s" % (len(pictures), result.stdout[-2000:]))
    inside(root, "rm -rf /tmp/run /tmp/home /tmp/pictures")


def check_guide(root, seconds):
    """Runs the blocks of the first guide that the package installs, in their order. What keeps running runs beside
    the blocks that follow; without a gyroscope, devices and doctor only have to say so."""
    with open(root + "/usr/share/doc/parallax/docs/guide-first-hour.md", encoding="utf-8") as file:
        blocks = re.findall(r"(?:^<!-- ([a-z ]+) -->\n)?^```sh\n(.*?)^```", file.read(), re.M | re.S)
    home = root + "/tmp/home"
    os.makedirs(home)
    # The user's phone: ten seconds of swaying, in the columns of Sensor Logger.
    with open(home + "/Gyroscope.csv", "w") as file:
        file.write("time,seconds_elapsed,z,y,x\n")
        for row in range(1000):
            phase = row * 0.06
            file.write("%d,%.2f,0,%.4f,%.4f\n" % (1_700_000_000 * 10**9 + row * 10**7, row * 0.01,
                                                math.sin(phase), 0.5 * math.cos(phase)))
    ways = {
        "": "(%s) >out 2>&1",
        "until a line comes": "(%s) 2>/dev/null | head -n 1 >out && [ -s out ]",
        "with a gyroscope": "(%s) >out 2>&1 || [ $? -eq 69 ]",
        "keeps running": "sh -c 'exec %s' >out 2>&1 & echo $! >daemon; "
                         "until [ -S /tmp/run/parallax/parallax.sock ]; do sleep 0.02; done",
    }
    script = ["mkdir -p /tmp/run && chmod 700 /tmp/run && cd /tmp/home"]
    for number, (note, text) in enumerate(blocks):
        script += ["begin=$(date +%s.%N)", "if %s; then echo block %d $begin $(date +%%s.%%N); else cat out; fi" % (
            "{ %s; }" % (ways[note] % text.strip().replace("\n", "; ")), number)]
    result = inside(root, "\n".join(script) + "\nkill $(cat daemon)\nls\nrm -rf /tmp/run /tmp/home")
    times = [float(end) - float(begin) for begin, end in re.findall(r"^block \d+ (\S+) (\S+)$", result.stdout, re.M)]
    complete = len(times) == len(blocks) > 4 and result.returncode == 0
    check(complete, "guide: every block runs",
          " ".join("%.1f" % time for time in times) + " s" if complete else result.stdout[-2000:])
    check(re.search(r"^motion\.svg$", result.stdout, re.M), "guide: the plot of the recording is there")
    if complete:
        plot = next(index for index, (_, text) in enumerate(blocks) if "--plot" in text)
        print("        from the package to the first motion %.1f s, to the plot %.1f s, to the end %.1f s" % (
            seconds + times[0], seconds + sum(times[:plot + 1]), seconds + sum(times)))


def check_archive(folder):
    must("scripts/tarball")
    archive, = glob.glob(BUILD + "/parallax-*-linux-*.tar.gz")
    place = os.path.join(folder, "anywhere")
    os.makedirs(place)
    must("tar", "--extract", "--file", archive, "--directory", place)
    tree, = glob.glob(place + "/parallax-*")
    check(not run("grep", "-rlE", "@[A-Z]+DIR@", tree).stdout, "archive: no placeholder is left")
    result = run(tree + "/bin/parallax", "preview", "--duration", "0.1", tree + "/share/parallax/animations/nudge.json")
    check(result.returncode == 0, "archive: runs anywhere", "" if result.returncode == 0 else result.stdout)
    if os.path.exists(tree + "/libexec/parallax/parallax-web"):
        result = run("timeout", "2", tree + "/bin/parallax", "serve-animations", "--port", "0", tree + "/share/parallax/animations")
        check(re.search(r"serving [1-9]\d* animations", result.stdout), "archive: finds its other programs", result.stdout.split("\n")[0])
        result = run("timeout", "2", tree + "/bin/parallax", "web", "--port", "0", "--socket", "/none")
        check("/#token=" in result.stdout, "archive: finds the page", result.stdout.split("#")[0])
    check(not broken_links(tree + "/share/doc/parallax"), "archive: links of the documents")
    result = run("sh", tree + "/libexec/parallax/enable")
    check(result.returncode == 64 and "/usr/local" in result.stdout, "archive: enable refuses another place")
    with open(tree + "/share/parallax/installed-files") as file:
        listed = set(file.read().split())
    found = {os.path.relpath(os.path.join(at, name), tree) for at, _, names in os.walk(tree) for name in names}
    extra = sorted(found ^ listed ^ {"README.md", "share/parallax/installed-files"})
    check(not extra, "archive: its list of files is complete", " ".join(extra))


def main():
    if os.geteuid() != 0:
        sys.exit("test-package: needs root, for a fresh root")
    folder = tempfile.mkdtemp()
    try:
        packages = build(folder)
        if "parallax-web" not in packages["old"]:
            print("test-package: NO test of parallax-web: WEB_PROGRAMS is empty")
        if "parallax-wallpaper" not in packages["old"]:
            print("test-package: NO test of parallax-wallpaper: DESKTOP_PROGRAMS is empty")
        check_package(folder, packages["old"])
        # This Debian's GNOME Shell may be too old; make test-gnome tests the extension in a newer one.
        check_life(folder, {version: {name: path for name, path in files.items() if name != EXTENSION}
                            for version, files in packages.items()})
        check_archive(folder)
    finally:
        shutil.rmtree(folder)
    print("test-package: %d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


main()
