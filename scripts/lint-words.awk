# SPDX-License-Identifier: Apache-2.0
# Prints "FILE:LINE: WORD" for each word of the list, its first file, in the other files.

FNR == 1 { file++ }

file == 1 {
  if ($1 == "allow") {
    sub(/^allow /, "")
    allowed[++exceptions] = $0
  } else if (NF > 0 && !/^#/) {
    words[++count] = substr($0, 1, match($0, /  +/) - 1)
    advice[count] = substr($0, RSTART + RLENGTH)
  }
  next
}

{
  text = tolower($0)
  found = 0
  for (i = 1; i <= count; i++) if (index(text, words[i])) found = 1
  if (!found) next
  text = $0
  for (i = 1; i <= exceptions; i++) gsub(allowed[i], "", text)
  text = " " tolower(text) " "
  gsub(/[^a-z0-9]+/, " ", text)
  for (i = 1; i <= count; i++) {
    if (index(text, " " words[i] " ")) {
      print FILENAME ":" FNR ": \"" words[i] "\"; use " advice[i]
      failed = 1
    }
  }
}

END { exit failed }
