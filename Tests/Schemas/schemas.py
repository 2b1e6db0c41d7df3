# SPDX-License-Identifier: Apache-2.0
"""The schemas in docs/schemas, and what the tests know of each line that they have checked."""
import copy
import glob
import json
import os

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "docs/schemas")
#: A description of a number has one of these.
UNITS = ("px", "px/s", "seconds", "Seconds", "Hz", "rad/s", "Degrees", "factor", "fraction", "number of", "Counts", "version", "count",
         "Samples", "Frames", "OFFSETs", "unit")


class Schemas:
    """All schemas by their names, such as `stream-messages`, with one store for their references."""

    def __init__(self):
        self.files = {}
        for path in sorted(glob.glob(os.path.join(FOLDER, "*.json"))):
            with open(path) as file:
                self.files[os.path.basename(path)[:-len(".json")]] = json.load(file)
        self.store = {self.address(name): schema for name, schema in self.files.items()}
        #: (schema, class) of the lines that were checked and came from the daemon, or that it accepted.
        self.seen = set()
        #: One line of each, for `mutations`.
        self.samples = {}

    @staticmethod
    def address(name):
        return "file://%s/%s.json" % (FOLDER, name)

    def resolver(self, name):
        return jsonschema.RefResolver(self.address(name), self.files[name], store=self.store)

    def errors(self, name, value, part=None):
        """Returns what is wrong with a value; `part` is one of the schema's definitions."""
        schema = self.files[name]
        if part is None:
            known = self.classes(name)
            if known and isinstance(value, dict):
                if value.get("class") not in list(known):
                    return ["%s has no class %r" % (name, value.get("class"))]
                # The schema of its class says what is wrong; that of all classes only that none fits.
                where, part = known[value["class"]]
                found = self.errors(where, value, part)
                return found or [error.message for error in self.validator(name, schema).iter_errors(value)]
        else:
            schema = schema["$defs"][part]
        return ["%s: %s" % (error.json_path, error.message) for error in self.validator(name, schema).iter_errors(value)]

    def validator(self, name, schema):
        return jsonschema.Draft202012Validator(schema, resolver=self.resolver(name))

    def classes(self, name):
        """Returns {class: (schema, definition)} of a schema of lines."""
        found = {}
        for reference in self.files[name]["oneOf"]:
            file, _, part = reference["$ref"].partition("#/$defs/")
            if part.isupper():
                found[part] = (file[:-len(".json")] or name, part)
        return found

    def check(self, name, line):
        """Fails if a line does not fit; words of this release must be among those that the schema lists."""
        value = json.loads(line) if isinstance(line, (str, bytes)) else line
        found = self.errors(name, value)
        assert not found, "%s: %s: %s" % (name, json.dumps(value)[:300], "; ".join(found)[:600])
        where, part = self.classes(name)[value["class"]]
        for field, word in unlisted(self.files[where]["$defs"][part], value):
            raise AssertionError("%s: %s: the word %r is not listed" % (name, field, word))
        self.seen.add((name, value["class"]))
        key = (name, value["class"])
        # The line with the most fields.
        if len(value) > len(self.samples.get(key, ())):
            self.samples[key] = value
        return value

    def mutations(self, name, value):
        """Returns variants of a line that must not fit: a required field left out, a field of another type."""
        where, part = self.classes(name)[value["class"]]
        schema = self.files[where]["$defs"][part]
        for field in schema["required"]:
            variant = copy.deepcopy(value)
            del variant[field]
            yield variant
        for field in value:
            if field in schema["properties"]:
                yield {**value, field: [{"wrong": None}]}


def unlisted(schema, value):
    """Returns the fields of an object whose words are not among the schema's examples."""
    for field, rule in schema.get("properties", {}).items():
        if field not in value:
            continue
        found = value[field]
        if "examples" in rule and found not in rule["examples"]:
            yield field, found
        if isinstance(found, dict):
            yield from unlisted(rule, found)
        if isinstance(found, list) and isinstance(rule.get("items"), dict):
            for element in found:
                if "examples" in rule["items"] and element not in rule["items"]["examples"]:
                    yield field, element
                if isinstance(element, dict):
                    yield from unlisted(rule["items"], element)


def undescribed(schema, path="$"):
    """Returns the properties without a description, and numbers whose description has no unit."""
    if isinstance(schema, list):
        for index, element in enumerate(schema):
            yield from undescribed(element, "%s[%d]" % (path, index))
    if not isinstance(schema, dict):
        return
    for name, rule in schema.get("properties", {}).items():
        if not isinstance(rule, dict) or set(rule) <= {"type", "enum"}:
            # In a condition.
            continue
        where = "%s.%s" % (path, name)
        text = rule.get("description", "")
        if not text.endswith("."):
            yield "%s: no description" % where
        elif "number" in json.dumps(rule.get("type", "")) and not any(unit in text for unit in UNITS):
            yield "%s: no unit in %r" % (where, text)
    for name, part in schema.items():
        if name not in ("if", "not", "oneOf", "anyOf") or path.count(".") == 0:
            yield from undescribed(part, "%s.%s" % (path, name))
