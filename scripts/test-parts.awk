# SPDX-License-Identifier: Apache-2.0
# Reads Tests/parts and the list of all tests. Prints the processes to start, separated by tabs: part,
# name, number of tests, regular expressions of the tests to run and of those to leave out.

# Whether a test's name, or a longer pattern, begins with a pattern.
function fits(name, pattern) {
  return index(name, pattern) == 1 && substr(name, length(pattern) + 1, 1) ~ /[.\/]/
}

function regex(pattern) {
  return pattern ~ /\./ ? pattern "/" : pattern "."
}

function add(list, pattern) {
  pattern = regex(pattern)
  gsub(/\./, "\\.", pattern)
  return list == "" ? pattern : list "|" pattern
}

function refuse(text) {
  print "tests: " text > "/dev/stderr"
  failed = 1
}

FILENAME == "Tests/parts" {
  if (/^#/ || NF == 0) next
  count++
  patterns[count] = $2
  process[count] = $1 == "separate" ? $2 : $1
  part[process[count]] = $1
  next
}

{
  best = 0
  for (i = 1; i <= count; i++)
    if (fits($0, patterns[i]) && (!best || length(patterns[i]) > length(patterns[best]))) best = i
  if (best) used[best]++
  else unknown[substr($0, 1, index($0, ".") - 1)] = 1
}

END {
  for (target in unknown) refuse("no pattern in Tests/parts fits " target "; add one")
  for (i = 1; i <= count; i++) {
    if (!used[i]) refuse("no test fits " patterns[i] " in Tests/parts; correct or remove it")
    name = process[i]
    if (!(name in tests)) order[++processes] = name
    tests[name] += used[i]
    run[name] = add(run[name], patterns[i])
    for (j = 1; j <= count; j++)
      if (process[j] != name && fits(patterns[j], patterns[i])) skip[name] = add(skip[name], patterns[j])
  }
  for (i = 1; i <= processes; i++) {
    name = order[i]
    print part[name] "\t" name "\t" tests[name] "\t^(" run[name] ")\t" (skip[name] ? "^(" skip[name] ")" : "^$")
  }
  exit failed
}
