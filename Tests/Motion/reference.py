# SPDX-License-Identifier: Apache-2.0
"""The motion that `parallax replay --velocity` must print, computed in another way: NumPy, one sample after
another, straight from the formulas of docs/motion.md. It shares no code with the Swift sources.

`frames` turns samples into rows t, x, y, vx, vy for the smoothings auto, auto:calm and none in rate mode and
in tilt mode."""
import math

import numpy as np

RANGE = 5.0
SCALE = {"rate": 5.0, "tilt": 14.3}
GAP_S = 0.5
RECENTER_S = 4.0


def read(path):
    """Returns time (s from the first sample) and rates (n x 3, rad/s) of a trace with the columns t,x,y,z."""
    table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    return table[:, 0] - table[0, 0], table[:, 1:4]


def segments(t):
    starts = [0] + [k for k in range(1, len(t)) if t[k] - t[k - 1] > GAP_S] + [len(t)]
    return list(zip(starts, starts[1:]))


def calm(t, w):
    """The tremor filter: an oscillator of 7 Hz whose output has no gain at 10 Hz. Integrated with many small
    Runge-Kutta steps, unlike the closed form of the sources."""
    omega, damping, residue = 2 * math.pi * 7, 0.6, 0.49
    x, v = w[0].copy(), np.zeros(3)
    out = [w[0]]
    for k in range(1, len(t)):
        held = (w[k - 1] + w[k]) / 2
        steps = max(1, int(math.ceil((t[k] - t[k - 1]) / 2e-4)))
        h = (t[k] - t[k - 1]) / steps

        def slope(x, v):
            return v, omega ** 2 * (held - x) - 2 * damping * omega * v

        for _ in range(steps):
            a, b = slope(x, v)
            c, d = slope(x + h / 2 * a, v + h / 2 * b)
            e, f = slope(x + h / 2 * c, v + h / 2 * d)
            g, i = slope(x + h * e, v + h * f)
            x, v = x + h / 6 * (a + 2 * c + 2 * e + g), v + h / 6 * (b + 2 * d + 2 * f + i)
        out.append(x + residue * (w[k] - x - 2 * damping / omega * v))
    return np.array(out)


class Averages:
    """m of one signal, and of that one's average."""

    def __init__(self, tau, value):
        self.tau, self.one, self.two = tau, value.copy(), value.copy()

    def add(self, value, dt):
        share = dt / (self.tau + dt)
        self.one = self.one + share * (value - self.one)
        self.two = self.two + share * (self.one - self.two)

    def slope(self):
        return (self.one - self.two) / self.tau


def rate_states(t, s):
    """For each sample: value, mean, steady slope, quick slope."""
    mean = s[0].copy()
    steady, quick = Averages(0.02, s[0]), Averages(0.002, s[0])
    states = [(s[0], mean, steady.slope(), quick.slope())]
    for k in range(1, len(t)):
        dt = t[k] - t[k - 1]
        mean = mean + dt / (0.4 + dt) * (s[k] - mean)
        steady.add(s[k], dt)
        quick.add(s[k], dt)
        states.append((s[k], mean, steady.slope(), quick.slope()))
    return states


def quaternion(turn):
    angle = math.sqrt(turn @ turn)
    if angle < 1e-15:
        return np.array([1.0, *(turn / 2)])
    return np.array([math.cos(angle / 2), *(math.sin(angle / 2) / angle * turn)])


def rotate(q, v):
    u = q[1:]
    return v + 2 * q[0] * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v))


def tilt_states(t, w, recenter=RECENTER_S, limit=1.5 * RANGE / SCALE["tilt"]):
    """For each sample: the tilt (a, b) in rad and its velocity, by quaternions."""
    v = np.array([0.0, 0.0, 1.0])
    lead, knock = 0.008, 40
    states = [(np.zeros(2), np.array([w[0, 1], w[0, 0]]))]
    for k in range(1, len(t)):
        dt = t[k] - t[k - 1]
        v = rotate(quaternion(-(w[k] + w[k - 1]) / 2 * dt), v)
        theta = math.atan2(math.hypot(v[0], v[1]), v[2]) * math.exp(-dt / recenter)
        theta = min(theta, limit)
        direction = math.atan2(v[1], v[0])
        v = np.array([math.sin(theta) * math.cos(direction), math.sin(theta) * math.sin(direction), math.cos(theta)])
        r = theta * np.array([-math.cos(direction), math.sin(direction)])
        change = (w[k] - w[k - 1]) / dt
        soon = w[k] + lead * change / (1 + (change @ change) / knock ** 2)
        turn = np.array([soon[1], soon[0]])
        if theta < 1e-12:
            states.append((r, turn))
            continue
        out = r / theta
        across = np.array([-out[1], out[0]])
        away = turn @ out - theta / recenter
        speed = out * (min(away, 0) if theta >= limit else away)
        speed = speed + across * ((turn @ across) * theta / math.tan(min(theta, 3)) + soon[2] * theta)
        states.append((r, speed))
    return states


def bounded(x, v, period):
    inside = min(max(x, -RANGE), RANGE)
    if -RANGE < x < RANGE:
        return x, v
    return inside, (min(max(x + v * period, -RANGE), RANGE) - inside) / period


def soft(x):
    share = abs(x) / RANGE
    return x if share <= 0.7 else math.copysign(RANGE * (0.7 + 0.3 * math.tanh((share - 0.7) / 0.3)), x)


def softened(x, v, period):
    """The velocity leads to where the line is one period later."""
    return soft(x), (soft(x + v * period) - soft(x)) / period


def rate_line(s, m, k1, k2, age, period, share_of_newest):
    """One axis, px. `share_of_newest` None: as auto; 1: unsmoothed."""
    d = s - m
    n = 0.04 * RANGE
    gain = d * d / (d * d + n * n) if share_of_newest is None else share_of_newest
    x = m + gain * d
    v = 0.5 * gain * math.copysign(min(abs(k1), abs(k2)), k1) if k1 * k2 > 0 else 0.0
    if x * v < 0:
        v = math.copysign(min(abs(v), abs(x) / period), v)
    return bounded(x - v * age, v, period)


class Hold:
    """The hold at rest, of both axes together."""

    def __init__(self):
        self.held = None
        self.anchor_since = None
        self.last = self.shown = None
        self.left, self.left_at = np.zeros(2), -math.inf

    def __call__(self, t, x, v, away):
        quiet = np.abs(away).max() <= 0.02 * RANGE
        if self.held is not None:
            if quiet and np.abs(x - self.held).max() <= 0.02 * RANGE:
                self.last = x
                return self.held, np.zeros(2)
            self.left, self.left_at = self.held - self.last, t
            self.held, self.anchor_since = None, (x, t)
        elif self.anchor_since and quiet and np.abs(x - self.anchor_since[0]).max() <= 0.01 * RANGE:
            if t - self.anchor_since[1] >= 0.25 - 1e-9:
                self.held, self.last = self.shown, x
                return self.held, np.zeros(2)
        else:
            self.anchor_since = (x, t)
        self.last = x
        self.shown = x + max(0.0, 1 - (t - self.left_at) / 0.2) * self.left
        return np.clip(self.shown, -RANGE, RANGE), v


def grid(t, rate, origin, first):
    """Instants of the frames of a segment; `origin` is the first sample of the trace."""
    k = math.ceil((t[0] - origin) * rate - 1e-7)
    last = math.floor((t[-1] - origin) * rate + 1e-7)
    return [origin + k / rate for k in range(k, last + 1)]


def frames(t, w, mode, rate, smoothing):
    """Rows t, x, y, vx, vy."""
    rows = []
    period = 1 / rate
    for i, j in segments(t):
        ts, ws = t[i:j], w[i:j]
        if smoothing == "auto:calm":
            ws = calm(ts, ws)
        states = tilt_states(ts, ws) if mode == "tilt" else rate_states(ts, ws[:, [1, 0]] * SCALE["rate"])
        hold = Hold()
        for g in grid(ts, rate, t[0], i == 0):
            k = min(int(np.searchsorted(ts, g - 1e-7)), len(ts) - 1)
            age = min(ts[k] - g, 0.05)
            if mode == "tilt":
                x, v = (SCALE["tilt"] * np.asarray(a) for a in states[k])
                lines = [softened(x[n] - v[n] * age, v[n], period) for n in (0, 1)]
                x, v = np.array(lines).T
            else:
                s, m, k1, k2 = states[k]
                lines = [rate_line(s[n], m[n], k1[n], k2[n], age, period, None) for n in (0, 1)]
                x, v = np.array(lines).T
                x, v = hold(g, x, v, s - m)
            if not x.any():
                v = np.zeros(2)
            rows.append((g, *x, *v))
    return np.array(rows)
