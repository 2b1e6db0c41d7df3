# SPDX-License-Identifier: Apache-2.0
# Of a page that lowdown has written: a title in capitals, a name with a summary, a font that every man knows, and
# no line that is too long.

function print_line(line, at) {
  while (length(line) > 78 && line !~ /^[.']/) {
    at = 78
    while (at > 1 && substr(line, at, 1) != " ") at--
    if (at <= 1) break
    print begin(substr(line, 1, at - 1))
    line = begin(substr(line, at + 1))
  }
  print line
}

function begin(line) { return (line ~ /^[.']/ ? "\\&" : "") line }

/^\.TH / { sub(name, toupper(name)) }
/^\.S[HS]$/ {
  macro = $0
  getline
  gsub(/\\fC/, "\\fB")
  if (macro == ".SH") printf ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", name, summary
  else print macro " " $0
  after_heading = 1
  next
}
/^\.(PP|LP)$/ && after_heading { next }
{
  after_heading = 0
  gsub(/\\fC/, "\\fB")
  print_line($0)
}
