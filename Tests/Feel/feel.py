# SPDX-License-Identifier: Apache-2.0
"""How motion feels: what a display shows, held against what it should have shown. A measure of its own for the
figures of `parallax feel`, which run.py compares; docs/feel.md defines them.

Each recording goes through `parallax replay`. Its frames are drawn as a client draws them, on a display that
knows only what had arrived by then, and compared with an ideal that knows the whole recording.
"""
import json
import os
import subprocess
import tempfile

import numpy as np

# ---- assumptions
DELIVERY = 0.00015, 0.0012, 0.02  # s; from the sample that completes a frame to the client having its line: the
                       # median, the 99th percentile and the longest
DISPLAY_SHARE = 0.999  # displays run at 59.94 and 119.88 Hz, so that every phase to the frames occurs
IDEAL_HERTZ = 10.0     # the ideal is low-passed here, forwards and backwards (-6 dB)
FINE_HERTZ = 1000.0    # the grid the ideal is computed on
SKIP_SECONDS = 1.0     # at the start of a segment, where filters have not met their signal yet
TAIL_SECONDS = 0.3     # at the end of a segment, where the ideal's filter sees its mirrored end
GAP_SECONDS = 0.5      # a longer gap between samples ends a segment, as in the pipeline
STILL_RADPERSEC = 0.02 # every axis within this of its mean over STILL_SECONDS: the device lies still
STILL_SECONDS = 1.0
STILL_SHORTEST = 1.5   # s; shorter rests say nothing about jitter
REST_WINDOW = 0.5      # s; the slow part of a rest is the centred mean over this
OPEN = 1e6             # px; a range that nothing reaches
SCALE = {"rate": 5.0, "tilt": 14.3}
RANGE = (-5.0, 5.0)
RECENTER = 4.0
SOFT = 0.7             # of the range, beyond which a tilt is shown ever less far
DRAGGED = 1.5          # of the range, beyond which a turn drags the viewer along
FIT = 4.9              # px that the 99.9th percentile of |ideal| is scaled to with `fit`

# The client's rule for frames with a velocity; docs/protocol.md gives the formulas.
HORIZON = 0.05         # s over which a velocity is followed, and as much longer as the drawing is ahead
FADE = 0.75            # periods 1/R over which the miss of the frame before fades out
PERIOD_INTERVALS = 7   # between the last frames, of which a client takes the shortest for 1/R

# The daemon's rule for a subscriber with a tolerance, likewise.
LEAST_MISS = 0.005     # px; a smaller one is never corrected,
LONGEST_MISS = 0.1     # s; a larger one after this, even within the tolerance

RECORDINGS = [
    ("iphone12", "sensorlogger-iphone12/Gyroscope.csv"),
    ("walk", "phyphox-walk/Gyroscope.csv"),
    ("uncal", "sensorlogger-uncal/GyroscopeUncalibrated.csv"),
    ("xio", "xio-fusion/sensor_data.csv"),
    ("gait", "xio-gait/short_walk.csv"),
]


# ---- reading
class Replay:
    """The program under test."""

    def __init__(self, binary):
        self.binary = binary

    def run(self, trace, options):
        done = subprocess.run([self.binary, "replay", *options, trace], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip() or f"exit {done.returncode}")
        return done.stdout

    def rates(self, trace):
        """Kept samples as (t, w, starts): s from the first, (w_x, w_y, w_z) in rad/s, and where segments
        begin. Offsets are (w_y, w_x); a mount matrix that turns the axes round brings w_z to the front;
        tilt is 0 where a segment begins."""
        def table(*more):
            text = self.run(trace, ["--rate", "native", "--bias", "off", "--smoothing", "none",
                                    f"--range={-OPEN:.0f}:{OPEN:.0f}", *more])
            return np.array([line.split(",") for line in text.split("\n")[1:] if line], float)
        here = table("--mode", "rate", "--scale", "1")
        tilt = table("--mode", "tilt", "--scale", "10000")
        try:
            z = table("--mode", "rate", "--scale", "1", "--mount-matrix", "0,1,0;0,0,1;1,0,0")[:, 1]
        except RuntimeError:  # a trace without z
            z = np.zeros(len(here))
        starts = np.flatnonzero(~tilt[:, 1:].any(axis=1))
        return here[:, 0], np.stack([here[:, 2], here[:, 1], z], 1), starts

    def frames(self, trace, options):
        """OFFSET lines as (t, x, v): s, px (n x 2), px/s (n x 2)."""
        lines = [json.loads(line) for line in self.run(trace, [*options, "--format", "ndjson"]).split("\n") if line]
        lines = [line for line in lines if line["class"] == "OFFSET"]
        t = np.array([line["time"] for line in lines])
        x = np.array([(line["x"], line["y"]) for line in lines])
        v = np.array([(line["vx"], line["vy"]) for line in lines])
        return t, x, v


def segments(t, starts):
    """Pairs (from, to) of sample indices of one segment each; short ones are left out."""
    cut = np.union1d(np.flatnonzero(np.diff(t) > GAP_SECONDS) + 1, starts[starts > 0])
    pairs = zip(np.r_[0, cut], np.r_[cut, len(t)])
    return [(i, j) for i, j in pairs if j - i > 8 and t[j - 1] - t[i] >= 3.0]


# ---- the ideal
def zero_phase(x, rate, hertz):
    """Second-order Butterworth forwards and backwards (gain 1 / (1 + (f/fc)^4)), ends mirrored."""
    pad = min(len(x) - 1, int(rate))
    y = np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2:-pad - 2:-1]])
    f = np.fft.rfftfreq(len(y), 1 / rate)
    gain = 1 / (1 + (f / hertz) ** 4)
    return np.fft.irfft(np.fft.rfft(y, axis=0) * gain[:, None], len(y), axis=0)[pad:pad + len(x)]


def viewer(t, w, tau, limit=np.pi):
    """Tilt as it is in space: v is where the viewer is, as a direction in the device's frame. It turns
    with the device (v' = v x w) and returns to (0, 0, 1) with the time constant, from at most a limit. (a, b) is the angle
    from there along the screen's axes: the leaky integral for small angles without a turn about z."""
    v = np.array([0.0, 0.0, 1.0])
    out = np.zeros((len(t), 2))
    for k in range(1, len(t)):
        dt = t[k] - t[k - 1]
        p = 0.5 * (w[k] + w[k - 1]) * dt
        angle = np.sqrt(p @ p)
        if angle > 1e-12:
            n = p / angle
            v = v * np.cos(angle) - np.cross(n, v) * np.sin(angle) + n * (n @ v) * (1 - np.cos(angle))
        across = np.hypot(v[0], v[1])
        theta = min(np.arctan2(across, v[2]) * np.exp(-dt / tau), limit)
        if across > 1e-12:
            v = np.array([v[0] / across * np.sin(theta), v[1] / across * np.sin(theta), np.cos(theta)])
            out[k] = -v[0] / np.sin(theta) * theta, v[1] / np.sin(theta) * theta
    return out


class Truth:
    """One segment of a recording in one mode: what is measured and what is ideal, in rad/s or rad."""

    def __init__(self, t, w, mode, limit=np.pi):
        self.t = t
        self.mode = mode
        signal = w[:, [1, 0]] if mode == "rate" else viewer(t, w, RECENTER, limit)
        self.start = t[0]
        grid = np.arange(t[0], t[-1], 1 / FINE_HERTZ)
        self.raw = np.stack([np.interp(grid, t, signal[:, i]) for i in (0, 1)], 1)
        self.ideal = zero_phase(self.raw, FINE_HERTZ, IDEAL_HERTZ)
        self.rests = rests(t, w)

    def display(self, hertz):
        """The instants at which a display draws."""
        return np.arange(self.t[0] + SKIP_SECONDS, self.t[-1] - TAIL_SECONDS, 1 / (hertz * DISPLAY_SHARE))

    def at(self, what, d):
        """A column pair on the fine grid, at any instants."""
        u = np.clip((d - self.start) * FINE_HERTZ, 0, len(what) - 1.000001)
        i = u.astype(int)
        s = (u - i)[:, None]
        return what[i] * (1 - s) + what[i + 1] * s

    def moving(self, d):
        inside = np.zeros(len(d), bool)
        for a, b in self.rests:
            inside |= (d >= a) & (d <= b)
        return ~inside


def rests(t, w):
    """Intervals in which every axis stays within STILL_RADPERSEC of its mean over STILL_SECONDS."""
    low = np.searchsorted(t, t - STILL_SECONDS)
    still = np.zeros(len(t), bool)
    for k in range(len(t)):
        if t[k] - t[0] < STILL_SECONDS or np.abs(w[low[k]] - w[k]).max() > 2 * STILL_RADPERSEC:
            continue
        part = w[low[k]:k + 1]
        if np.abs(part - part.mean(0)).max() <= STILL_RADPERSEC:
            still[low[k]:k + 1] = True
    edge = np.flatnonzero(np.diff(np.r_[0, still.astype(int), 0]))
    return [(t[a], t[b - 1]) for a, b in zip(edge[::2], edge[1::2])]


# ---- what a client draws
def deliveries(count):
    """Log-logistic between the median and the 99th percentile, evenly distributed over frames in a row."""
    median, late, longest = DELIVERY
    share = ((np.arange(count) + 0.5) * 0.6180339887498949) % 1
    return np.minimum(median * (share / (1 - share)) ** (np.log(late / median) / np.log(99)), longest)


def arrivals(frame_times, sample_times):
    """A frame is given out at the first sample at its instant or later, and then takes a while."""
    i = np.searchsorted(sample_times, frame_times - 1e-9)
    return sample_times[np.minimum(i, len(sample_times) - 1)] + deliveries(len(frame_times))


def known(d, arrival):
    """The newest frame that has arrived by each instant; at least the second, if there is one."""
    return np.maximum(np.searchsorted(arrival, d, side="right") - 1, min(1, len(arrival) - 1))


def periods(t):
    """The period 1/R that a client assumes after each frame."""
    gaps = np.r_[np.inf, np.diff(t)]
    return np.array([gaps[max(0, k - PERIOD_INTERVALS + 1):k + 1].min() for k in range(len(t))])


def needed(t, x, v, tolerance, lo, hi):
    """The frames that a subscriber with a tolerance gets, as indices."""
    kept = [0]
    nanoseconds, tenths = np.rint(t * 1e9).astype(np.int64), np.rint(v * 10)
    for k in range(1, len(t)):
        last = kept[-1]
        dt = (nanoseconds[k] - nanoseconds[last]) / 1e9
        miss = np.abs(x[k] - np.clip(x[last] + tenths[last] * (min(dt, HORIZON) / 10), lo, hi)).max()
        stops = v[last].any() and not v[k].any()
        if miss >= tolerance or stops or (miss > LEAST_MISS and dt > LONGEST_MISS):
            kept.append(k)
    return np.array(kept)


def drawn(d, t, x, v, arrival, lo, hi, period, ahead=0.0):
    """The offsets seen at instants d, of pictures drawn `ahead` before them. Each frame is a line that is followed for a
    while. By how much the line of the frame before missed the new frame's, in the first picture after it, is put on
    top of it at first and fades out, so that nothing jumps."""
    k = known(d - ahead, arrival)
    reach = HORIZON + ahead
    u = (d - t[k])[:, None]
    j = np.maximum(k - 1, 0)
    before = (t[k] - t[j])[:, None]
    miss = x[j] + v[j] * np.minimum(before + ahead, reach) - (x[k] + v[k] * ahead)
    left = np.clip(1 - (u - ahead) / (FADE * (period[k][:, None])), 0, 1)
    return np.clip(x[k] + v[k] * np.minimum(u, reach) + miss * left, lo, hi)


def on_the_wire(x, v):
    """A frame as an OFFSET line has it: a replay's six decimals rounded half away from 0, and no velocity where
    nothing is displaced."""
    def rounded(values, decimals):
        millionths, step = np.rint(values * 1e6), 10 ** (6 - decimals)
        return np.sign(millionths) * ((np.abs(millionths) + step // 2) // step) / 10 ** decimals
    x, v = rounded(x, 2), rounded(v, 1)
    return x, np.where(x.any(axis=1)[:, None], v, 0)


# ---- the figures
def correlation(shown, ideals, weights=None):
    """Of two column pairs about their means, both axes together."""
    a = shown - shown.mean(0)
    b = ideals - ideals.mean(0)
    return (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-300)


def peak(score, low=-0.10, high=0.40):
    """Where a smooth function of the lag is greatest: steps of 5 ms, then 1 ms, then a parabola."""
    coarse = np.arange(low, high + 1e-9, 0.005)
    at = coarse[int(np.argmax([score(l) for l in coarse]))]
    fine = np.arange(at - 0.006, at + 0.0061, 0.001)
    value = np.array([score(l) for l in fine])
    i = int(np.clip(np.argmax(value), 1, len(fine) - 2))
    y0, y1, y2 = value[i - 1:i + 2]
    bend = y0 - 2 * y1 + y2
    return fine[i] + (0.0005 * (y0 - y2) / bend if bend < 0 else 0.0)


class Figures:
    """What was shown in the segments of one recording, against their ideals. Everything in px."""

    def __init__(self, scale, lo=-OPEN, hi=OPEN, hertz=120):
        self.scale, self.lo, self.hi, self.hertz = scale, lo, hi, hertz
        self.parts = []

    def add(self, truth, d, shown):
        self.parts.append((truth, d, shown, truth.moving(d)))

    def ideal(self, truth, d):
        return self.meet_range(truth, truth.at(truth.ideal, d) * self.scale)

    def meet_range(self, truth, x):
        """Within the range: in tilt mode, ever slower beyond 0.7 of it."""
        if truth.mode == "rate" or self.hi == OPEN:
            return np.clip(x, self.lo, self.hi)
        end = np.where(x < 0, self.lo, self.hi)
        share = x / end
        return np.where(share < SOFT, x, end * (SOFT + (1 - SOFT) * np.tanh((share - SOFT) / (1 - SOFT))))

    def _windows(self):
        """Seconds that move, with what was shown and the RMS of the ideal in them."""
        for truth, d, shown, moving in self.parts:
            n = int(round(self.hertz * DISPLAY_SHARE))
            for i in range(0, len(d) - n, n):
                if moving[i:i + n].mean() < 0.5:
                    continue
                ideal = self.ideal(truth, d[i:i + n])
                yield truth, d[i:i + n], shown[i:i + n], np.sqrt(((ideal - ideal.mean(0)) ** 2).sum(1).mean())

    def lag(self):
        def score(l):
            a = b = c = 0.0
            for truth, d, shown, moving in self.parts:
                if not moving.any():
                    continue
                s, i = shown[moving], self.ideal(truth, d[moving] - l)
                s, i = s - s.mean(0), i - i.mean(0)
                a, b, c = a + (s * i).sum(), b + (s * s).sum(), c + (i * i).sum()
            return a / np.sqrt(b * c + 1e-300)
        return 1000 * peak(score)

    def slow_lag(self):
        windows = [w for w in self._windows() if w[3] > 0.02 * RANGE[1]]
        windows = sorted(windows, key=lambda w: w[3])[:max(1, len(windows) // 2)] if len(windows) > 3 else windows
        if not windows:
            return float("nan")
        return 1000 * peak(lambda l: sum(correlation(s, self.ideal(q, d - l)) for q, d, s, _ in windows))

    def errors(self):
        """RMS over the ideal's standard deviation, and the 99th percentile in px."""
        e, p = [], []
        for truth, d, shown, moving in self.parts:
            if not moving.any():
                continue
            ideal = self.ideal(truth, d)[moving]
            e.append(shown[moving] - ideal)
            p.append(ideal - ideal.mean(0))
        e, p = np.concatenate(e), np.concatenate(p)
        return np.sqrt((e * e).sum() / (p * p).sum()), np.percentile(np.abs(e), 99)

    def judder(self, lag_ms):
        a = b = 0.0
        for truth, d, shown, moving in self.parts:
            both = moving[1:] & moving[:-1]
            ideal = np.diff(self.ideal(truth, d - lag_ms / 1000), axis=0)[both]
            a += ((np.diff(shown, axis=0)[both] - ideal) ** 2).sum()
            b += (ideal ** 2).sum()
        return np.sqrt(a / b)

    def windup(self):
        """% of the moving pictures that are beyond 0.98 of the range while the ideal returns by more than a range
        per second."""
        stuck = count = 0
        for truth, d, shown, moving in self.parts:
            if truth.mode == "rate":
                return float("nan")
            hertz = self.hertz * DISPLAY_SHARE
            end = np.where(shown < 0, self.lo, self.hi)
            back = (truth.at(truth.ideal, d - 1 / hertz) - truth.at(truth.ideal, d)) * self.scale / end * hertz
            stuck += (((shown / end >= 0.98) & (back > 1)).any(1) & moving).sum()
            count += moving.sum()
        return 100 * stuck / count if count else float("nan")

    def tremor(self, low=8.0, high=12.0):
        """Gain in a band, of what is common to the measured and the shown signal (the transfer function
        by cross-spectra in windows of two seconds), so that judder does not count as tremor."""
        cross = own = 0.0
        n = int(2 * self.hertz)
        hann = np.hanning(n)[:, None]
        f = np.fft.rfftfreq(n, 1 / (self.hertz * DISPLAY_SHARE))
        band = (f >= low) & (f <= high)
        for truth, d, shown, moving in self.parts:
            raw = self.meet_range(truth, truth.at(truth.raw, d) * self.scale)
            for i in range(0, len(d) - n, n // 2):
                if moving[i:i + n].mean() < 0.5:
                    continue
                y, x = (np.fft.rfft((s[i:i + n] - s[i:i + n].mean(0)) * hann, axis=0)[band] for s in (shown, raw))
                cross, own = cross + (y * x.conj()).sum(1), own + (x * x.conj()).sum(1).real
        return np.sqrt((np.abs(cross) ** 2 / own).sum() / own.sum()) if np.any(own) else float("nan")

    def rest(self):
        """0.001 px: RMS of the high-passed offset at rest, and of its step from picture to picture."""
        high, step = [], []
        n = int(REST_WINDOW * self.hertz) | 1
        box = np.ones(n) / n
        for truth, d, shown, _ in self.parts:
            for a, b in truth.rests:
                inside = (d >= a + 0.3) & (d <= b)
                if b - a < STILL_SHORTEST or inside.sum() < 2 * n:
                    continue
                s = shown[inside]
                mean = np.stack([np.convolve(s[:, i], box, "valid") for i in (0, 1)], 1)
                h = s[n // 2:-(n // 2)] - mean
                high.append(h)
                step.append(np.diff(h, axis=0))
        if not high:
            return float("nan"), float("nan")
        rms = lambda parts: 1000 * np.sqrt(np.mean(np.concatenate(parts) ** 2))
        return rms(high), rms(step)

    def all(self):
        lag = self.lag()
        err, p99 = self.errors()
        rest, step = self.rest()
        return dict(lag=lag, slow=self.slow_lag(), err=err, p99=p99, judder=self.judder(lag),
                    trem=self.tremor(), windup=self.windup(), rest=rest, step=step)


# ---- synthetic traces
def stop_trace(rate_hertz=100.0, peak_rate=0.8, count=20):
    """Turns that end abruptly: 100 ms up, 300 ms at 0.8 rad/s, 30 ms down, then rest, alternating in
    sign, at instants that meet every phase of a frame. Returns t, w (n x 3) and the instants at which
    the device stands again."""
    begins = 2.0 + np.arange(count) * 2.6137
    t = np.arange(0, begins[-1] + 3.0, 1 / rate_hertz)
    w = np.zeros(len(t))
    for n, b in enumerate(begins):
        w += (-1) ** n * peak_rate * np.interp(t, b + np.array([0, 0.1, 0.4, 0.43]), [0, 1, 1, 0])
    noise = np.random.default_rng(1).normal(0, 0.002, (len(t), 2))
    return t, np.stack([w, -w, 0 * w], 1) + np.c_[noise, 0 * w], begins + 0.43


def made_up(seconds, x, y):
    """Rates about x and y, at 100 Hz, with the noise of stop_trace()."""
    t = np.arange(round(seconds * 100)) / 100
    noise = np.random.default_rng(1).normal(0, 0.002, (len(t), 2))
    return t, np.stack([x(t), y(t), 0 * t], 1) + np.c_[noise, 0 * t]


def turn_trace():
    """Turns of 45, 90 and 170 degrees at 3 rad/s about y, reversed after 0.5 s, and (reversal, duration)."""
    lasts = np.radians([45, 90, 170]) / 3 + 0.1
    begins = 2.0 + 16 * np.arange(3)
    def rate(t):
        up = lambda b, d: np.interp(t, b + np.array([0, 0.1, d - 0.1, d]), [0, 3, 3, 0])
        return sum(up(b, d) - up(b + d + 0.5, d) for b, d in zip(begins, lasts))
    return *made_up(50, np.zeros_like, rate), list(zip(begins + lasts + 0.5, lasts))


def write_trace(path, t, w):
    """In parallax's own dialect."""
    with open(path, "w") as file:
        file.write("t,x,y,z\n")
        for k in range(len(t)):
            file.write(f"{t[k]:.9f},{w[k, 0]:.9g},{w[k, 1]:.9g},{w[k, 2]:.9g}\n")


def overshoot(truth, scale, stops, d, shown):
    """% of the peak beyond the final value in the second after each stop (the worst), and ms until the
    picture stays within 5 % of the peak of the ideal (the median)."""
    ideal = truth.at(truth.ideal, d) * scale
    worst, settle = 0.0, []
    for stop in stops:
        near = (d > stop - 0.45) & (d < stop + 1.0)
        after = (d > stop - 0.03) & (d < stop + 1.0)
        for i in (0, 1):
            top = np.abs(ideal[near, i]).max()
            sign = np.sign(ideal[near, i][np.abs(ideal[near, i]).argmax()])
            if abs(ideal[after, i][-1]) < 0.25 * top:  # rate: the final value is 0
                beyond = -sign * (shown[after, i] - np.minimum(0, sign * ideal[after, i]) * sign)
            else:  # tilt: the final value is the peak
                beyond = sign * shown[after, i] - top
            worst = max(worst, 100 * beyond.max() / top)
            off = np.abs(shown[after, i] - ideal[after, i]) > 0.05 * top
            settle.append(max(0.0, 1000 * (d[after][np.flatnonzero(off)[-1]] - stop)) if off.any() else 0.0)
    return worst, float(np.median(settle))


def crossing(t, x, distance):
    """When x is a distance away from its first value for the first time; nan if it never is."""
    away = np.abs(x - x[0])
    if not (away > distance).any():
        return float("nan")
    k = int(np.argmax(away > distance))
    return t[k - 1] + (distance - away[k - 1]) / (away[k] - away[k - 1]) * (t[k] - t[k - 1])


def onset(truth, scale, stops, d, shown):
    """ms from the measured motion's first 5 % of the ideal's peak to the picture's; the median."""
    late = []
    for stop in stops:
        near = (d > stop - 0.45) & (d < stop + 0.3)
        for i in (0, 1):
            top = np.abs(truth.at(truth.ideal, d[near])[:, i]).max() * scale
            hand = truth.at(truth.raw, d[near])[:, i] * scale
            late.append(crossing(d[near], shown[near, i], top / 20) - crossing(d[near], hand, top / 20))
    return 1000 * float(np.nanmedian(late))


def reversal(turns, reach, d, shown):
    """ms until x has moved by 5 % of the range after a turn's reversal; the longest."""
    waits = []
    for at, lasts in turns:
        inside = (d >= at) & (d <= at + lasts)
        moved = crossing(d[inside], shown[inside, 0], 0.05 * reach) - at
        waits.append(lasts if np.isnan(moved) else moved)
    return 1000 * max(waits)


# ---- one row
class Bench:
    """The program, and what is known of each trace."""

    def __init__(self, binary):
        self.replay = Replay(binary)
        self.cache = {}

    def rates(self, trace):
        if (trace, "") not in self.cache:
            self.cache[trace, ""] = self.replay.rates(trace)
        return self.cache[trace, ""]

    def truths(self, trace, mode, scale=None):
        """With the limit that a scale gives a tilt."""
        limit = DRAGGED * RANGE[1] / scale if scale and mode == "tilt" else np.pi
        if (trace, mode, limit) not in self.cache:
            t, w, starts = self.rates(trace)
            self.cache[trace, mode, limit] = (
                t, [Truth(t[i:j], w[i:j], mode, limit) for i, j in segments(t, starts)])
        return self.cache[trace, mode, limit]

    def fit_scale(self, truths):
        top = np.percentile(np.abs(np.concatenate([q.ideal for q in truths])), 99.9)
        return float(f"{FIT / top:.4g}")

    def frames(self, trace, options, rate, tolerance):
        """The frames of a client: (t, x, v) as in OFFSET lines, and the period 1/R that it assumes after each."""
        if tolerance is None:
            t, x, v = self.replay.frames(trace, options)
            return (t, *on_the_wire(x, v)), np.full(len(t), 1 / rate)
        t, x, v = self.replay.frames(trace, [*options, "--on-change", "0"])
        x, v = on_the_wire(x, v)
        kept = needed(t, x, v, tolerance, *RANGE)
        return (t[kept], x[kept], v[kept]), periods(t[kept])

    def row(self, trace, mode, rate, smoothing, setting, hertz, tolerance=0.01, ahead=None):
        """The figures of one trace. `setting` is default, or fit: scaled so that clamping is rare."""
        scale = SCALE[mode] if setting == "default" else self.fit_scale(self.truths(trace, mode)[1])
        sample_times, truths = self.truths(trace, mode, scale)
        frames, period = self.frames(
            trace, ["--mode", mode, "--rate", str(rate), "--bias", "off", "--scale", repr(scale), *smoothing], rate,
            tolerance)
        arrival = arrivals(frames[0], sample_times)
        figures = Figures(scale, *RANGE, hertz=hertz)
        for truth in truths:
            d = truth.display(hertz)
            figures.add(truth, d, drawn(d, *frames, arrival, *RANGE, period, 1 / hertz if ahead is None else ahead))
        found = figures.all()
        found["frames"] = (len(frames[0]) - 1) / (frames[0][-1] - frames[0][0])
        return found

    def made_up(self, mode, rate, smoothing, hertz, tolerance, ahead, t, w, bias="off"):
        """The ideal and the seen offsets of a made-up trace."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trace.csv")
            write_trace(path, t, w)
            truth = Truth(t, w, mode, DRAGGED * RANGE[1] / SCALE[mode] if mode == "tilt" else np.pi)
            frames, period = self.frames(
                path, ["--mode", mode, "--rate", str(rate), "--bias", bias, *smoothing], rate, tolerance)
        d = truth.display(hertz)
        return truth, d, drawn(d, *frames, arrivals(frames[0], t), *RANGE, period, 1 / hertz if ahead is None else ahead)

    def stops(self, mode, rate, smoothing, hertz, tolerance=0.01, ahead=None):
        """The figures of made-up motion."""
        how = mode, rate, smoothing, hertz, tolerance, ahead
        t, w, stops = stop_trace()
        truth, d, shown = self.made_up(*how, t, w)
        found = dict(zip(("over", "settle"), overshoot(truth, SCALE[mode], stops, d, shown)))
        found["onset"] = onset(truth, SCALE[mode], stops, d, shown)
        found["reversal"] = float("nan")
        if mode == "tilt":
            t, w, turns = turn_trace()
            found["reversal"] = reversal(turns, RANGE[1], *self.made_up(*how, t, w)[1:])
        slow = lambda t: np.where(t < 8, 0.05, 0)
        truth, d, shown = self.made_up(*how, *made_up(12, slow, slow), bias="auto")
        measure = Figures(SCALE[mode], *RANGE, hertz=hertz)
        error = (shown - measure.ideal(truth, d))[d >= 8]
        found["false"] = np.sqrt((error ** 2).mean())
        return found


def self_test():
    """Measures signals whose figures are known. Returns what is wrong, as text."""
    rng = np.random.default_rng(2)
    t = np.arange(0, 60, 0.01)
    slow = zero_phase(rng.normal(size=(len(t), 2)), 100.0, 2.0)
    truth = Truth(t, np.c_[slow / slow.std(), 0 * t], "rate")
    bad = []
    for late in (-0.0123, 0.0, 0.0234, 0.1501):
        for hertz in (60, 120):
            d = truth.display(hertz)
            figures = Figures(5.0, hertz=hertz)
            figures.add(truth, d, truth.at(truth.ideal, d - late) * 5.0)
            found = figures.all()
            if abs(found["lag"] - 1000 * late) > 0.1 or abs(found["slow"] - 1000 * late) > 0.3:
                bad.append(f"lag {late}: {found}")
            if found["judder"] > 0.02:
                bad.append(f"judder {found}")
    d = truth.display(120)
    figures = Figures(5.0)
    figures.add(truth, d, truth.at(truth.ideal, d) * 5.0 + rng.normal(0, 0.5, (len(d), 2)))
    err, p99 = figures.errors()
    expected = 0.5 * np.sqrt(2) / (5.0 * np.sqrt((truth.at(truth.ideal, d).std(0) ** 2).sum()))
    if abs(err / expected - 1) > 0.05 or abs(p99 / (0.5 * 2.576) - 1) > 0.05:
        bad.append(f"error {err} {expected} {p99}")
    quiet = np.random.default_rng(3).normal(0, 0.004, (3000, 3))
    still = Truth(np.arange(3000) / 100, quiet, "rate")
    figures = Figures(5.0)
    d = still.display(120)
    figures.add(still, d, rng.normal(0, 0.01, (len(d), 2)) + d[:, None])
    rest, step = figures.rest()
    if abs(rest / 10 - 1) > 0.1 or abs(step / 14.1 - 1) > 0.1:
        bad.append(f"rest {rest} {step}")
    turn = np.zeros((2001, 3))  # 20 degrees about y in 1 s, then a quarter turn about z in 1 s
    clock = np.arange(2001) / 1000
    turn[:1000, 1], turn[1000:, 2] = np.radians(20), np.radians(90)
    end = np.degrees(viewer(clock, turn, 1e9)[-1])
    if np.abs(end - (0, 20)).max() > 0.1:
        bad.append(f"viewer {end}")
    return bad


def recordings(folder):
    """The recordings as (name, path)."""
    return [(name, os.path.join(folder, path)) for name, path in RECORDINGS]
