# SPDX-License-Identifier: Apache-2.0
"""Many subscribers: the CPU of a message and when the last one has it, beside a plain epoll broadcaster."""
import resource

from audience import Audience

SECONDS = 4
ORIENTATIONS = ['{"class":"WATCH","orientation":"%s"}' % each
                for each in ("normal", "left-up", "bottom-up", "right-up")]
LAYERS = '{"class":"WATCH","layers":{%s}}' % ",".join('"layer-%d":%g' % (i, i / 8) for i in range(16))
MIXED = ["", "", "", LAYERS, '{"class":"WATCH","on_change":0.05}', '{"class":"WATCH","rate":10}',
         ORIENTATIONS[1], '{"class":"WATCH","on_change":true,"rate":10}']


def per_message(reports):
    return [report["cpu"] / report["messages"] * 1e6 for report in reports]


def milliseconds(reports, key):
    return [report[key] / 1000 for report in reports]


def measure(bench):
    audience = Audience(bench)
    runs = min(bench.runs, 5)
    daemon, plain = audience.daemon(60), audience.plain(60)

    def run(command, count, requests=()):
        return lambda: audience.measure(command, count, SECONDS, requests)

    found = bench.interleaved(runs, {
        "C": run(plain, 1000), "parallax": run(daemon, 1000),
        "orientations": run(daemon, 1000, ORIENTATIONS), "mixed": run(daemon, 1000, MIXED),
        "layers": run(daemon, 1000, [LAYERS])})
    what = "1,000 subscribers at 60 Hz"
    bench.ratio(what + ", CPU a message", per_message(found["parallax"]), per_message(found["C"]), "us", 1.25)
    bench.ratio(what + ", the last one's p99", milliseconds(found["parallax"], "last99"),
                milliseconds(found["C"], "last99"), "ms", 1.5)
    bench.ratio(what + " with own orientations, beside without", per_message(found["orientations"]),
                per_message(found["parallax"]), "us", 1.3)
    bench.ratio(what + " and 16 layers", per_message(found["layers"]), per_message(found["C"]), "us")
    bench.ratio(what + ", mixed: layers, on_change, 10 Hz", per_message(found["mixed"]),
                per_message(found["C"]), "us")
    for count in 4000, 10000:
        if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < count + 100:
            bench.add("%s subscribers at 60 Hz" % format(count, ","), "too few descriptors")
            continue
        found = bench.interleaved(min(runs, 3), {"C": run(plain, count), "parallax": run(daemon, count)})
        what = "%s subscribers at 60 Hz" % format(count, ",")
        bench.ratio(what + ", CPU a message", per_message(found["parallax"]), per_message(found["C"]), "us")
        bench.ratio(what + ", the last one's p99", milliseconds(found["parallax"], "last99"),
                    milliseconds(found["C"], "last99"), "ms")
        bench.ratio(what + ", messages per subscriber and second",
                    [each["messages"] / count / SECONDS for each in found["parallax"]],
                    [each["messages"] / count / SECONDS for each in found["C"]], "")
