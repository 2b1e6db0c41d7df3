# SPDX-License-Identifier: Apache-2.0
"""Checks an eww configuration as far as that goes without eww: its lists, the widgets and options that eww has, and
the fields of the variable that its expressions read."""
import re

#: Of eww's widgets and options, those that the example uses.
WIDGETS = {
    "overlay": set(), "box": {"class", "halign", "valign"}, "label": {"class", "text", "halign", "valign"},
    "transform": {"translate-x", "translate-y"}}
WINDOW = {"monitor", "geometry", "stacking", "focusable"}
GEOMETRY = {"x", "y", "width", "height", "anchor"}
TOKEN = re.compile(r"""\s+|;[^\n]*|(?P<open>[(\[])|(?P<close>[)\]])|(?P<text>"[^"]*"|`[^`]*`|'[^']*')"""
                   r"""|\{(?P<expression>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|(?P<word>[^\s()\[\]{}"`']+)""")


def read(text):
    """Returns the lists of a file: nested lists of ("text" | "word" | "expression", value)."""
    stack, place = [[]], 0
    while place < len(text):
        match = TOKEN.match(text, place)
        assert match, "not yuck: %r" % text[place:place + 40]
        place = match.end()
        if match["open"]:
            stack.append([])
        elif match["close"]:
            assert len(stack) > 1, "a bracket too many before %r" % text[place:place + 40]
            done = stack.pop()
            stack[-1].append(done)
        else:
            for kind in ("text", "word", "expression"):
                if match[kind] is not None:
                    stack[-1].append((kind, match[kind][1:-1] if kind == "text" else match[kind]))
    assert len(stack) == 1, "%d brackets are open at the end" % (len(stack) - 1)
    return stack[0]


def options(elements):
    """Returns ({option: value}, the rest) of `:option value` pairs."""
    found, rest, index = {}, [], 0
    while index < len(elements):
        kind, value = elements[index] if isinstance(elements[index], tuple) else ("list", None)
        if kind == "word" and value.startswith(":"):
            found[value[1:]] = elements[index + 1]
            index += 1
        else:
            rest.append(elements[index])
        index += 1
    return found, rest


def check_yuck(text):
    """Returns the command and the initial value of the one variable, and the fields that are read of it."""
    forms = {(form[0][1], form[1][1]): form[2:] for form in read(text)}
    (variable, (given, rest)), = ((name, options(form)) for (kind, name), form in forms.items() if kind == "deflisten")
    widgets = {name: form for (kind, name), form in forms.items() if kind == "defwidget"}
    fields = set()

    def expression(value):
        for name, field in re.findall(r"\b([a-z]\w*)\.(\w+)", value):
            assert name == variable, "unknown variable %s" % name
            fields.add(field)
        for name in re.findall(r"\b(\w+)\(", value):
            assert name == "round", "unknown function %s" % name

    def widget(form):
        name = form[0][1]
        found, children = options(form[1:])
        if name not in widgets:
            assert name in WIDGETS, "unknown widget %s" % name
            assert set(found) <= WIDGETS[name], "%s has no %s" % (name, set(found) - WIDGETS[name])
        for value in found.values():
            if value[0] == "expression":
                expression(value[1])
        assert name != "transform" or len(children) == 1, "transform takes one child"
        for child in children:
            widget(child)

    for form in widgets.values():
        for part in form[1:]:
            widget(part)
    windows = [form for (kind, _), form in forms.items() if kind == "defwindow"]
    assert len(windows) == 1
    found, children = options(windows[0])
    assert set(found) <= WINDOW and set(options(found["geometry"][1:])[0]) <= GEOMETRY, found
    for child in children:
        widget(child)
    return rest[0][1], given["initial"][1], fields
