# SPDX-License-Identifier: Apache-2.0
"""Three landscapes in layers, drawn by code: valley, harbor and reef. The pictures themselves are CC0.

A scene is a list of layers from back to front. Each is SVG for a view of 1600 x 900 and covers MARGIN more
on every side, which shows only while it moves. Its depth is the share of the motion that it follows: 0 rests,
1 moves with the motion. The same seed gives the same picture. draw.py writes them to files.
"""
import math
import random

WIDTH, HEIGHT, MARGIN = 1600, 900, 120
LEFT, RIGHT, TOP, BOTTOM = -MARGIN, WIDTH + MARGIN, -MARGIN, HEIGHT + MARGIN


class Layer:
    def __init__(self, name, depth, svg, defs=""):
        self.name, self.depth, self.svg, self.defs = name, depth, svg, defs


def number(value):
    return ("%.1f" % value).rstrip("0").rstrip(".")


def gradient(name, stops, vertical=True):
    direction = 'x2="0" y2="1"' if vertical else 'x2="1" y2="0"'
    return '<linearGradient id="%s" x1="0" y1="0" %s>%s</linearGradient>' % (name, direction, "".join(
        '<stop offset="%s" stop-color="%s"/>' % stop for stop in stops))


def glow(name, color, opacity):
    """Light that ends without an edge: it falls with the square of the distance from the edge."""
    return '<radialGradient id="%s">%s</radialGradient>' % (name, "".join(
        '<stop offset="%s" stop-color="%s" stop-opacity="%s"/>' % (share, color, fraction(opacity * (1 - share) ** 2))
        for share in (0, .15, .3, .5, .75, 1)))


def fraction(value):
    return ("%.3f" % value).lstrip("0").rstrip("0").rstrip(".") or "0"


def ground(fill):
    return '<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>' % (
        LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, fill)


def polygon(points, fill):
    return '<path fill="%s" d="M%sZ"/>' % (fill, "L".join(number(x) + " " + number(y) for x, y in points))


def ridge(random_source, y, height, roughness, steps=7):
    """Midpoint displacement: points from the left edge to the right one."""
    heights = [random_source.uniform(-1, 1), random_source.uniform(-1, 1)]
    spread = 1.0
    for _ in range(steps):
        between = [(a + b) / 2 + random_source.uniform(-spread, spread) for a, b in zip(heights, heights[1:])]
        heights = [value for pair in zip(heights, between) for value in pair] + [heights[-1]]
        spread *= roughness
    low, high = min(heights), max(heights)
    span = RIGHT - LEFT
    return [(LEFT + span * index / (len(heights) - 1), y - height * (value - low) / (high - low))
            for index, value in enumerate(heights)]


def worn(points, reach):
    """A ridge without its points: each height is the mean of its neighbors'."""
    heights = [y for _, y in points]
    return [(x, sum(part) / len(part)) for index, (x, _) in enumerate(points)
            for part in [heights[max(0, index - reach):index + reach + 1]]]


def hills(points, fill):
    return polygon([(LEFT, BOTTOM)] + points + [(RIGHT, BOTTOM)], fill)


def height_at(points, x):
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def pine(x, y, size, fill):
    """A conifer whose foot is at (x, y): tiers of drooping branches, more of them on a larger tree."""
    tiers = 5 if size < 200 else 11
    left = []
    for tier in range(tiers):
        low = y - size * (.08 + .84 * tier / tiers)
        half = size * .25 * (1 - tier / tiers) ** .85 + size * .012
        left += [(-half, low), (-half * .5, low - size * .55 / tiers)]
    left = [(-size * .02, y), (-size * .02, y - size * .1)] + left
    outline = left + [(0, y - size)] + [(-dx, at) for dx, at in reversed(left)]
    return polygon([(x + dx, at) for dx, at in outline], fill)


# MARK: valley

def valley():
    source = random.Random(11)
    sky = ground("url(#sky)")
    stars = "".join(
        '<circle cx="%s" cy="%s" r="%s" fill="#fff" opacity="%s"/>' % (
            number(source.uniform(LEFT, RIGHT)), number(source.uniform(TOP, 330)),
            number(source.uniform(.8, 2.2)), number(source.uniform(.2, .8)))
        for _ in range(90))
    sun = ('<circle cx="930" cy="470" r="520" fill="url(#halo)"/><circle cx="930" cy="470" r="92" fill="#ffe9c4"/>')
    layers = [
        Layer("sky", 0, sky + stars, gradient("sky", [
            (0, "#1c1d4a"), (.18, "#322a5f"), (.32, "#57397a"), (.43, "#8c4a80"), (.52, "#c55f7c"), (.6, "#ee8a6f"),
            (.7, "#f9b078"), (1, "#ffd9a0")])),
        Layer("sun", .12, sun, glow("halo", "#ffb27a", .85)),
    ]
    tones = [("far", .25, 610, 250, .58, "#8a5a86"), ("range", .45, 690, 230, .55, "#5d4177"),
             ("ridge", .7, 770, 170, .5, "#3a2d5e")]
    for name, depth, y, height, roughness, color in tones:
        points = ridge(source, y, height, roughness)
        mist = '<rect x="%d" y="%d" width="%d" height="150" fill="url(#mist-%s)"/>' % (LEFT, y - 40, RIGHT - LEFT, name)
        layers.append(Layer(name, depth, hills(points, color) + mist,
                            '<linearGradient id="mist-%s" x1="0" y1="0" x2="0" y2="1">'
                            '<stop offset="0" stop-color="#ffc59a" stop-opacity="0"/>'
                            '<stop offset="1" stop-color="#ffc59a" stop-opacity=".28"/></linearGradient>' % name))
    points = ridge(source, 850, 110, .45)
    trees = sorted((source.uniform(LEFT, RIGHT) for _ in range(85)))
    wood = "".join(pine(x, height_at(points, x) + 12, source.uniform(50, 120), "#211c43") for x in trees)
    x = 690
    y = height_at(points, x) - 8
    cabin = ('<path fill="#181536" d="M%s %sh92v-46l-46-34-46 34z"/>'
             '<rect x="%s" y="%s" width="18" height="20" fill="#ffd27a"/>'
             '<rect x="%s" y="%s" width="18" height="20" fill="#ffd27a"/>') % (
        number(x), number(y + 30), number(x + 18), number(y - 8), number(x + 54), number(y - 8))
    layers.append(Layer("wood", 1, hills(points, "#211c43") + wood + cabin))
    points = ridge(source, 930, 60, .5)
    front = hills(points, "#0d0b20")
    for x, size in [(-20, 430), (85, 560), (205, 380), (1390, 470), (1500, 640), (1640, 520)]:
        front += pine(x, height_at(points, x) + 40, size, "#0d0b20")
    grass = "".join(
        '<path d="M%s %sq%s -%s %s -%s" stroke="#0d0b20" stroke-width="3" fill="none"/>' % (
            number(x), number(height_at(points, x) + 6), number(source.uniform(-4, 4)), number(source.uniform(10, 24)),
            number(source.uniform(-12, 12)), number(source.uniform(24, 52)))
        for x in (source.uniform(LEFT, RIGHT) for _ in range(170)))
    layers.append(Layer("trees", 1.6, front + grass))
    return layers


# MARK: harbor

def towers(source, base, low, high, color, lights, share):
    svg, x = "", LEFT
    while x < RIGHT:
        width, height = source.uniform(50, 130), source.uniform(low, high)
        top = base - height
        svg += '<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>' % (
            number(x), number(top), number(width + 1), number(BOTTOM - top), color)
        if source.random() < .25:
            svg += '<rect x="%s" y="%s" width="4" height="60" fill="%s"/>' % (number(x + width / 2), number(top - 58), color)
        for row in range(int(height // 22)):
            for column in range(int((width - 16) // 16)):
                if source.random() < share:
                    svg += '<rect x="%s" y="%s" width="7" height="10" fill="%s" opacity="%s"/>' % (
                        number(x + 12 + column * 16), number(top + 14 + row * 22), source.choice(lights),
                        number(source.uniform(.5, 1)))
        x += width + source.uniform(0, 26)
    return svg


def harbor():
    source = random.Random(5)
    stars = "".join('<circle cx="%s" cy="%s" r="%s" fill="#dff3ff" opacity="%s"/>' % (
        number(source.uniform(LEFT, RIGHT)), number(source.uniform(TOP, 520)), number(source.uniform(.8, 2.3)),
        number(source.uniform(.2, .9))) for _ in range(160))
    moon = ('<circle cx="650" cy="210" r="420" fill="url(#moonlight)"/><circle cx="650" cy="210" r="74" fill="#f3f7e6"/>'
            '<circle cx="628" cy="196" r="14" fill="#dde3cf"/><circle cx="672" cy="232" r="20" fill="#dde3cf"/>'
            '<circle cx="676" cy="184" r="9" fill="#dde3cf"/>')
    lights = ["#ffd98a", "#ffe9bd", "#9fe8ff"]
    water = '<rect x="%d" y="690" width="%d" height="%d" fill="url(#water)"/>' % (LEFT, RIGHT - LEFT, BOTTOM - 690)
    for _ in range(120):
        y = source.uniform(702, 900)
        water += '<rect x="%s" y="%s" width="%s" height="3" rx="1.5" fill="%s" opacity="%s"/>' % (
            number(source.uniform(LEFT, RIGHT)), number(y), number(source.uniform(20, 130)), source.choice(lights),
            number(source.uniform(.06, .3)))
    for row in range(26):
        # The moon's way on the water.
        half = 14 + 3.2 * row
        water += '<rect x="%s" y="%s" width="%s" height="3" rx="1.5" fill="#e6f3ff" opacity="%s"/>' % (
            number(650 - half + source.uniform(-12, 12)), number(698 + 7 * row), number(2 * half * source.uniform(.5, 1)),
            fraction(.42 - .012 * row))
    pier = '<rect x="%d" y="846" width="%d" height="%d" fill="#050b1c"/>' % (LEFT, RIGHT - LEFT, BOTTOM - 846)
    for x in range(LEFT, RIGHT, 190):
        pier += '<rect x="%d" y="690" width="9" height="160" fill="#050b1c"/><path d="M%d 690q4 -26 40 -26" stroke="#050b1c" stroke-width="8" fill="none"/>' % (x, x + 4)
        pier += '<circle cx="%d" cy="672" r="70" fill="url(#lamp)"/><circle cx="%d" cy="672" r="8" fill="#ffe9bd"/>' % (x + 44, x + 44)
        pier += '<ellipse cx="%d" cy="866" rx="95" ry="18" fill="url(#lamp)" opacity=".5"/>' % (x + 44)
    for y in (858, 876, 898, 926, 962):
        pier += '<rect x="%d" y="%d" width="%d" height="2" fill="#16264a"/>' % (LEFT, y, RIGHT - LEFT)
    for y in (760, 800):
        pier += '<rect x="%d" y="%d" width="%d" height="5" fill="#050b1c"/>' % (LEFT, y, RIGHT - LEFT)
    boat = ('<path fill="#0a1630" d="M760 770h330l-44 52H806z"/><path fill="#c8473f" d="M770 782h308l-5 7H777z"/>'
            '<path fill="#0a1630" d="M910 770V560h8v210z"/>'
            '<path fill="#e8edf5" opacity=".95" d="M924 572v176h126q-26-110-126-176z"/>'
            '<path fill="#b9c6da" opacity=".95" d="M902 600v148h-96q14-84 96-148z"/>')
    return [
        Layer("sky", 0, ground("url(#sky)") + stars, gradient("sky", [
            (0, "#050a24"), (.2, "#0a1c44"), (.38, "#153a68"), (.52, "#2a6488"), (.64, "#5b9aa0"), (.72, "#a9c9ac"), (1, "#a9c9ac")])),
        Layer("moon", .1, moon, glow("moonlight", "#cfe6ff", .6)),
        Layer("far-town", .3, towers(source, 690, 90, 300, "#235880", lights, .16)),
        Layer("town", .55, towers(source, 700, 130, 380, "#0f2a4d", lights, .3)),
        Layer("water", .8, water, gradient("water", [(0, "#17486b"), (1, "#07142f")])),
        Layer("boat", 1.05, boat),
        Layer("pier", 1.6, pier, glow("lamp", "#ffdf9a", .9)),
    ]


# MARK: reef

def fish(x, y, size, fill):
    return ('<path fill="%s" d="M%s %sq%s -%s %s 0q-%s %s -%s 0l-%s -%sv%sz"/>' % (
        fill, number(x), number(y), number(size), number(size * .55), number(size * 2), number(size), number(size * .55),
        number(size * 2), number(size * .55), number(size * .36), number(size * .72)))


def weed(source, x, y, height, fill):
    width, sway = height * .07, source.uniform(-.25, .25) * height
    return ('<path fill="%s" d="M%s %sc%s -%s %s -%s %s -%sc%s %s %s %s %s %sz"/>' % (
        fill, number(x), number(y), number(sway), number(height * .35), number(-sway), number(height * .7),
        number(sway * .6), number(height), number(width - sway * .9), number(height * .32), number(width + sway * .9),
        number(height * .68), number(width - sway * .6), number(height)))


def coral(source, x, y, size, fill):
    svg = ""

    def branch(x, y, angle, length, width):
        nonlocal svg
        end = (x + length * math.cos(angle), y - length * math.sin(angle))
        svg += '<path d="M%s %sL%s %s" stroke="%s" stroke-width="%s" stroke-linecap="round"/>' % (
            number(x), number(y), number(end[0]), number(end[1]), fill, number(width))
        if length > size * .12:
            for turn in (-.5, .42):
                branch(*end, angle + turn + source.uniform(-.15, .15), length * source.uniform(.66, .8), width * .74)

    branch(x, y, math.pi / 2 + source.uniform(-.15, .15), size * .34, size * .1)
    return svg


def reef():
    source = random.Random(23)
    rays = "".join('<path fill="#fff" opacity="%s" d="M%s %dL%s %dL%s %dL%s %dZ"/>' % (
        number(source.uniform(.04, .1)), number(x), TOP, number(x + 60), TOP, number(x - 170), BOTTOM,
        number(x - 420), BOTTOM) for x in (240, 470, 640, 900, 1120, 1390, 1600))
    school = "".join(fish(source.gauss(980, 190), source.gauss(330, 70), source.uniform(9, 16), "#0c5f86")
                     for _ in range(46))
    bubbles = "".join('<circle cx="%s" cy="%s" r="%s" fill="none" stroke="#d8fbff" stroke-width="2.5" opacity=".7"/>' % (
        number(source.gauss(430, 40)), number(source.uniform(120, 700)), number(source.uniform(4, 13))) for _ in range(22))
    far = worn(ridge(source, 760, 240, .5), 3)
    middle = worn(ridge(source, 840, 190, .48), 4)
    near = worn(ridge(source, 930, 130, .45), 9)
    colors = ["#ff7a6b", "#ffa14e", "#f45b8c", "#c86be0"]
    garden = "".join(coral(source, x, height_at(middle, x) + 22, source.uniform(130, 240), source.choice(colors))
                     for x in range(-60, RIGHT, 165))
    big = "".join(fish(*place) for place in [(600, 466, 42, "#ffb545"), (1150, 560, 34, "#ff7a6b"), (330, 300, 30, "#ffd45e")])
    big += "".join('<path fill="#fff" opacity=".8" d="M%d %dq9 %d 0 %dl9 0q9-%d 0-%dz"/><circle cx="%d" cy="%d" r="4" fill="#123"/>' % place
                   for place in [(635, 456, 9, 20, 9, 20, 669, 462), (1185, 552, 8, 16, 8, 16, 1207, 556), (362, 294, 6, 12, 6, 12, 380, 297)])
    plants = "".join(weed(source, x, height_at(near, x) + 40, source.uniform(180, 460), "#04263f")
                     for x in [-70, -20, 40, 110, 190, 1330, 1400, 1470, 1530, 1590, 1650])
    return [
        Layer("water", 0, ground("url(#deep)") + rays, gradient("deep", [
            (0, "#8fe8e6"), (.3, "#31b5c9"), (.7, "#11719c"), (1, "#0a3f6b")])),
        Layer("far-reef", .25, hills(far, "#1687ab")),
        Layer("school", .4, school),
        Layer("reef", .65, '<g fill="none">%s</g>' % garden + hills(middle, "#0c5280")),
        Layer("fish", 1, big),
        Layer("bubbles", 1.25, bubbles),
        Layer("weed", 1.7, hills(near, "#04263f") + plants),
    ]


SCENES = {"valley": valley, "harbor": harbor, "reef": reef}


def document(layers, width=WIDTH, height=HEIGHT, margin=0):
    """One SVG document of some layers, with `margin` px of the scene on every side."""
    box = "%s %s %s %s" % (-margin, -margin, WIDTH + 2 * margin, HEIGHT + 2 * margin)
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%s"><defs>%s</defs>%s</svg>\n'
            % (width, height, box, "".join(layer.defs for layer in layers),
               "".join('<g id="%s">%s</g>' % (layer.name, layer.svg) for layer in layers)))
