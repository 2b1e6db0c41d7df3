# SPDX-License-Identifier: Apache-2.0
"""Text and the Markdown of docs/ as mdoc(7), for scripts/manual."""
import re

WIDTH = 78
# Markdown links to these documents become references to manual pages.
PAGES = {"traces.md": "parallax-trace 5", "animations.md": "parallax-animation 5",
         "lottie.md": "parallax-lottie 5", "configuration.md": "parallax.toml 5",
         "protocol.md": "parallax-protocol 7"}
ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.")


def quoted(text):
    """Text in which mdoc reads nothing as a request or an escape."""
    text = text.replace("\\", "\\e")
    for character, escape in (("−", "\\-"), ("–", "\\(en"), ("—", "\\(em"), ("·", "\\(pc"), ("×", "\\(mu"),
                              ("≤", "\\(<="), ("≥", "\\(>="), ("°", "\\(de"), ("→", "\\(->"), ("ω", "\\(*w"),
                              ("τ", "\\(*t"), ("π", "\\(*p"), ("…", "...")):
        text = text.replace(character, escape)
    return text


def literal(text):
    """Code, in which a hyphen can be copied as it is."""
    return quoted(text).replace("-", "\\-")


def inline(text):
    """Markdown within a line: code and strong in bold, emphasis in italic, links as references or as text."""
    parts = re.split(r"(`[^`]+`)", text)
    result = []
    for part in parts:
        if part.startswith("`") and len(part) > 1:
            # A nonbreaking space keeps short code on one line.
            result.append("\\fB" + literal(part[1:-1]).replace(" ", "\\ " if len(part) < 40 else " ") + "\\fR")
            continue
        part = quoted(part)
        part = re.sub(r"(?<![\w.])([a-z_]+)\(\)", r"\\fB\1\\fR()", part)
        part = re.sub(r"\*\*([^*]+)\*\*", r"\\fB\1\\fR", part)
        part = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*", r"\\fI\1\\fR", part)
        part = re.sub(r"(?<!\w)(-{1,2}[a-z][a-z-]*)", lambda match: match[1].replace("-", "\\-"), part)
        result.append(part)
    text = re.sub(r"!?\[([^\]]*)\]\(([^)]*)\)", link, "".join(result))
    return text


def link(match):
    label, target = match[1], match[2]
    if "://" in target:
        return "%s (%s)" % (label, target.replace("-", "\\-"))
    name = target.split("#")[0].rsplit("/", 1)[-1]
    if name in PAGES:
        page = PAGES[name].split()
        reference = "\\fB%s\\fR(%s)" % (page[0].replace("-", "\\-"), page[1])
        return reference if label.endswith((".md", ".toml")) else "%s, %s" % (label, reference)
    return label


def words(text):
    """Splits at spaces, but not at those that are escaped."""
    return re.findall(r"(?:\\ |\S)+", text)


def fill(text):
    """Prose as input lines: a line per sentence, none over WIDTH, none that begins like a request."""
    lines, line = [], ""
    for word in words(text):
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
        bare = re.sub(r"\\f[RBI]|[)\"'\]]", "", word)
        if len(bare) > 1 and bare.endswith((".", "!", "?")) and bare not in ABBREVIATIONS:
            lines.append(line)
            line = ""
    lines += [line] if line else []
    return [("\\&" if entry[0] in ".'" else "") + entry for entry in lines]


def block(lines, indent="indent"):
    """An example, as it is."""
    shown = []
    for entry in lines:
        entry = literal(entry)
        shown.append("\\&" + entry if entry.startswith((".", "'")) else entry)
    return [".Bd -literal -offset " + indent] + shown + [".Ed"]


def header(name, section, date, summary):
    return ["." + "\\\" SPDX-License-Identifier: Apache-2.0", ".Dd " + date, ".Dt %s %s" % (name.upper(), section),
            ".Os", ".Sh NAME", ".Nm " + name, ".Nd " + summary]


def argument(text):
    """A word of a macro's line; a single letter or punctuation would be read as a macro or a delimiter."""
    text = text.replace("-", "\\-").replace('"', "\\(dq")
    return '"%s"' % text if " " in text else ("\\&" + text if re.fullmatch(r"[A-Z][a-z]|[|.,:;()\[\]?!]", text) else text)


class Document:
    """A document of docs/ as the body of a page: everything after NAME."""

    def __init__(self, text, skipped_languages=("swift", "mermaid")):
        self.lines = text.split("\n")
        self.skipped = skipped_languages
        self.out = [".Sh DESCRIPTION"]
        self.at = 0
        self.fresh = True  # after a heading, which needs no .Pp

    def render(self):
        while self.at < len(self.lines):
            self.element()
        return self.out

    def paragraph_break(self):
        if not self.fresh:
            self.out.append(".Pp")
        self.fresh = False

    def element(self):
        line = self.lines[self.at]
        if not line.strip() or line.startswith("# "):
            self.at += 1
        elif line == "<!-- not in the manual -->":
            self.take_paragraph(1)
        elif line.startswith("<!--"):
            self.at += 1
        elif line.startswith("```"):
            self.fence(line[3:])
        elif line.startswith("#"):
            self.heading(line)
        elif line.startswith("|"):
            self.table()
        elif re.match(r"(- |\d+\. )", line):
            self.list(line)
        elif line.startswith("!["):
            self.take_paragraph(0)
        else:
            self.paragraph_break()
            self.out += fill(inline(self.take_paragraph(0)))

    def take_paragraph(self, skip):
        self.at += skip
        start = self.at
        while self.at < len(self.lines) and self.lines[self.at].strip() and (
                self.at == start or not re.match(r"(```|\||#|- |\d+\. |<!--)", self.lines[self.at])):
            self.at += 1
        return " ".join(part.strip() for part in self.lines[start:self.at])

    def heading(self, line):
        level, text = len(line) - len(line.lstrip("#")), line.lstrip("# ")
        if level == 2:
            # A bracket at the end of the line would be taken for punctuation.
            self.out.append(".Sh " + quoted(text.replace("`", "")).upper() + ("\\&" if text.endswith("]") else ""))
        else:
            self.out.append(".Ss " + quoted(text.replace("`", "")))
        self.at += 1
        self.fresh = True

    def fence(self, language):
        start = self.at + 1
        end = next(index for index in range(start, len(self.lines)) if self.lines[index].startswith("```"))
        self.at = end + 1
        if language not in self.skipped:
            self.out += block(self.lines[start:end])
            self.fresh = False

    def list(self, line):
        ordered = line[0] != "-"
        self.out.append(".Bl -%s -compact" % ("enum" if ordered else "bullet"))
        while self.at < len(self.lines) and re.match(r"(- |\d+\. )", self.lines[self.at]):
            items = [re.sub(r"^(- |\d+\. )", "", self.lines[self.at])]
            self.at += 1
            while self.at < len(self.lines) and self.lines[self.at].startswith("  "):
                items.append(self.lines[self.at].strip())
                self.at += 1
            self.out += [".It"] + fill(inline(" ".join(items)))
        self.out.append(".El")
        self.fresh = False

    def cells(self):
        row = re.split(r"(?<!\\)\|", self.lines[self.at].strip().strip("|"))
        self.at += 1
        return [cell.strip().replace("\\|", "|") for cell in row]

    def table(self):
        """Rows of two columns are a term and its text. With more, the text repeats the columns' names,
        or the first two are the term if the first may be empty."""
        names = self.cells()
        self.at += 1
        rows = []
        while self.at < len(self.lines) and self.lines[self.at].startswith("|"):
            rows.append(self.cells())
        pairs = len(names) == 3 and any(not row[0] or not row[1] for row in rows) and names[1] in ("field", "key")
        self.out.append(".Bl -tag -width Ds")
        group = ""
        for row in rows:
            row += [""] * (len(names) - len(row))
            if pairs:
                group = row[0] or group
                term, text = "%s %s" % (group, row[1]), row[2]
            elif len(names) == 2:
                term, text = row
            else:
                term = row[0]
                text = ". ".join("%s: %s" % (name, cell) for name, cell in zip(names[1:], row[1:]) if cell)
            self.out.append(".It " + inline(term.strip()))
            self.out += fill(inline(text)) if text else []
        self.out.append(".El")
        self.fresh = False
