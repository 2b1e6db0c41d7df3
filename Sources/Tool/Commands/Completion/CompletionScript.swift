// SPDX-License-Identifier: Apache-2.0

/// Improves ArgumentParser's scripts, so that the value of an option also completes after `=`.
///
/// - bash splits words at "=" and ":", and the script would offer nothing after `--format=` and
///   `trace:`.
/// - In zsh, `_arguments` accepts `--format=` only for options that are declared with a "=".
enum CompletionScript {
  /// Returns a script with the improvement for its shell; any other text as it is.
  static func improved(_ text: String) -> String {
    if text.hasPrefix("#compdef parallax\n") {
      return text.split(separator: "\n", omittingEmptySubsequences: false).map(withEquals)
        .joined(separator: "\n")
    }
    guard text.hasSuffix(registration) else { return text }
    return String(text.dropLast(registration.count)) + joining
  }

  /// Returns the declaration of an option with a value, `'--name[help]:value:'`, with a "=" after
  /// the name; any other line as it is.
  private static func withEquals(_ line: Substring) -> String {
    guard let bracket = line.firstIndex(of: "["), hasValue(line[bracket...]) else {
      return String(line)
    }
    var end = bracket
    // `{-o,--output}'[help]:value:'`
    if line[..<bracket].hasSuffix("}'") { end = line.index(bracket, offsetBy: -2) }
    let name = line[..<end].suffix(while: { $0.isLetter || $0.isNumber || $0 == "-" })
    guard name.hasPrefix("--") else { return String(line) }
    return "\(line[..<end])=\(line[end...])"
  }

  /// Returns whether a colon follows the help, which ends at the first "]" without a backslash.
  private static func hasValue(_ help: Substring) -> Bool {
    var isEscaped = false
    for index in help.indices {
      if help[index] == "]", !isEscaped { return help[help.index(after: index)...].hasPrefix(":") }
      isEscaped = help[index] == "\\" && !isEscaped
    }
    return false
  }

  private static let registration = "complete -o filenames -F _parallax parallax"

  private static let joining = #"""
    # Joins the words that bash has split at "=" and ":", and separates an option from its value.
    _parallax_joined() {
        local -a joined=()
        local -i index current=0
        local word rest="${COMP_LINE}"
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[index]}"
            if [[ -n "${word}" && "${#joined[@]}" -gt 0 && "${rest}" = "${word}"* ]]; then
                joined[-1]+="${word}"
            else
                joined+=("${word}")
            fi
            rest="${rest#*"${word}"}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && current="$((${#joined[@]} - 1))"
        done
        local cur="${joined[current]}"
        if [[ "${cur}" = --*=* ]]; then
            joined=("${joined[@]:0:current}" "${cur%%=*}" "${cur#*=}" "${joined[@]:current+1}")
            current+=1
            cur="${cur#*=}"
        fi
        local -a COMP_WORDS=("${joined[@]}")
        local -i COMP_CWORD="${current}"
        _parallax "${1}" "${cur}" "${joined[current - 1]}"

        # Readline replaces only the part after the last separator.
        local separators="${COMP_WORDBREAKS//[^=:]/}"
        if [[ -n "${separators}" && "${cur}" = *["${separators}"]* ]]; then
            local -r kept="${cur%"${cur##*["${separators}"]}"}"
            COMPREPLY=("${COMPREPLY[@]#"${kept}"}")
        fi
        [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *[=:/] ]] && compopt -o nospace
        [[ "${COMPREPLY[*]}" = *[=:]* ]] && compopt +o filenames
        return 0
    }

    complete -o filenames -F _parallax_joined parallax
    """#
}

extension Substring {
  /// Returns the longest end of which every character matches.
  fileprivate func suffix(while matches: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !matches($0) }) else { return self }
    return self[index(after: last)...]
  }
}
