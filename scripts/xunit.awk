# SPDX-License-Identifier: Apache-2.0
# Lists the tests of Swift Testing's xunit reports: "STATUS<tab>NAME<tab>REASON" per test function, with
# passed, failed or skipped. The reason is that of a skip.

function attribute(line, name) {
  if (!match(line, " " name "=\"[^\"]*\"")) return ""
  return unescaped(substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4))
}

function unescaped(text) {
  gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text)
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

function finish() {
  if (status != "") print status "\t" name "\t" reason
  status = ""
}

/<testcase / {
  finish()
  status = "passed"
  name = attribute($0, "classname") "/" attribute($0, "name")
  reason = ""
}

/<skipped/ {
  status = "skipped"
  reason = $0
  gsub(/^.*<skipped>|<\/skipped>.*$/, "", reason)
  reason = unescaped(reason)
}

/<(failure|error) / { status = "failed" }

END { finish() }
