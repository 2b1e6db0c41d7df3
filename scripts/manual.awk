# SPDX-License-Identifier: Apache-2.0
# Of a page that generate-manual of swift-argument-parser has written: names with hyphens, defaults and subcommands
# from the help, a line per sentence, examples as they are. `name` is the page's, `words` the command, `help` a file
# with its help.

BEGIN {
  print ".\\\" SPDX-License-Identifier: Apache-2.0"
  while ((getline line < help) > 0) {
    if (in_subcommands && match(line, /^  [a-z-]+ +/)) {
      subcommands[++subcommand_count] = line
      if (group != "") groups[subcommand_count] = group
      group = ""
    }
    else if (match(line, /[(; ]default: [^)]*\)/)) {
      value = substr(line, RSTART + 10, RLENGTH - 11)
      if (match(line, /^ +(-., )?--[a-z-]+/)) {
        option = substr(line, RSTART, RLENGTH)
        sub(/.*--/, "-", option)
        defaults[option] = value
      }
    }
    # "SUBCOMMANDS:", or "DAEMON SUBCOMMANDS:" of a group.
    if (line ~ /SUBCOMMANDS:$/) {
      in_subcommands = 1
      group = substr(line, 1, 1) tolower(substr(line, 2, length(line) - 2))
    }
  }
}

function leave_example() {
  if (in_example) print ".Ed"
  in_example = 0
}

# Prints prose: a line per sentence, none longer than 78 characters, none that begins like a request.
function prose(text, words_of, count, i, line) {
  gsub(/--/, "\\-\\-", text)
  count = split(text, words_of, / +/)
  line = ""
  for (i = 1; i <= count; i++) {
    if (line != "" && length(line) + 1 + length(words_of[i]) > 78) line = flushed(line)
    line = line (line == "" ? "" : " ") words_of[i]
    if (words_of[i] ~ /[A-Za-z0-9)'\]][.?!]'?\)?$/) line = flushed(line)
  }
  if (line != "") flushed(line)
}

function flushed(line) {
  print (line ~ /^[.']/ ? "\\&" : "") line
  return ""
}

function finish_item() {
  if (pending_default != "") prose("The default is " pending_default ".")
  pending_default = ""
}

FNR == 1 { next }
/^\.Sh "EXIT STATUS"/ {
  if (subcommand_count) {
    for (i = 1; i <= subcommand_count; i++) {
      if (i in groups) print (i > 1 ? ".El\n" : "") ".Ss " groups[i] "\n.Bl -tag -width Ds"
      match(subcommands[i], /^  [a-z-]+ +/)
      split(subcommands[i], parts, " ")
      print ".It Cm " parts[1]
      prose(substr(subcommands[i], RLENGTH + 1))
    }
    print ".El"
  }
  exit
}
/^\.Dt / { print ".Dt " toupper(name) " 1"; next }
/^\.Nm "/ { print ".Nm " name; next }
/^\.Nm$/ { print ".Nm \"" words "\""; next }
/^\.Pp$/ { had_paragraph = 1; next }
/^\.Nd / {
  text = $0
  sub(/^\.Nd "?/, "", text)
  sub(/\.?"?$/, "", text)
  print ".Nd " (text ~ /^[A-Z][A-Z]/ ? text : tolower(substr(text, 1, 1)) substr(text, 2))
  next
}
/^\./ {
  leave_example()
  had_paragraph = 0
  if (/^\.(It|El)/) finish_item()
  if (/^\.It/) for (option in defaults)
    if (index(" " $0 " ", " " option " ")) pending_default = defaults[option]
  print
  next
}
/^$/ { leave_example(); had_paragraph = 1; next }
/^  / {
  if (!in_example) print ".Bd -literal -offset indent"
  in_example = 1
  had_paragraph = 0
  line = substr($0, 3)
  gsub(/-/, "\\-", line)
  print line
  next
}
{
  leave_example()
  if (had_paragraph) print ".Pp"
  had_paragraph = 0
  if (/default/) pending_default = ""
  prose($0)
}
