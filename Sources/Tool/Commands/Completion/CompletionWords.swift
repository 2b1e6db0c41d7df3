// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig

/// The words that complete a value, as far as they follow from the code alone.
enum CompletionWords {
  /// Returns the words that a sentence of allowed values offers: `auto`, `on` and `off` for
  /// "auto, on or off". A form with a parameter ends before it: `ema:` for "ema:TAU".
  static func values(in allowed: String) -> [String] {
    var words: [String] = []
    let parts = allowed.replacing(", or ", with: ", ").replacing(" or ", with: ", ")
    for part in parts.split(separator: ", ") {
      let text = part.filter { $0 != "\"" }
      for word in forms(of: text) where !words.contains(word) { words.append(word) }
    }
    return words
  }

  /// Returns the values of a key of the configuration.
  static func values(ofKey path: String) -> [String] {
    ConfigSchema.key(at: path).map { values(in: $0.allowed) } ?? []
  }

  /// The assignments of `--set`: `motion.mode=rate`, or `motion.scale=` where no word is a value.
  static let assignments: [String] = ConfigSchema.keys.flatMap { key in
    let values = values(in: key.allowed).filter { !$0.hasSuffix(":") }
    return ["\(key.path)="] + values.map { "\(key.path)=\($0)" }
  }

  /// Returns the words of `parallax set` after those that are written: keys, then the key's values.
  static func settings(after written: [String]) -> [String] {
    switch written.count {
    case 0: return SetChange.keys.map(\.name)
    case 1:
      let key = SetChange.keys.first { $0.name == written[0] }
      return key.map { values(in: $0.allowedValues) } ?? []
    default: return []
    }
  }

  /// Returns the arguments between a subcommand and the word that is completed, without options and
  /// their values.
  static func arguments(
    in words: [String], before index: Int, subcommand: String, valueOptions: Set<String>
  ) -> [String] {
    guard let start = words.firstIndex(of: subcommand), start < index else { return [] }
    var arguments: [String] = []
    var isValue = false
    for word in words[..<min(index, words.count)].dropFirst(start + 1) {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-") {
        isValue = valueOptions.contains(word)
      } else {
        arguments.append(word)
      }
    }
    return arguments
  }

  /// Returns the words of a single form: none for a description, `auto` and `auto:calm` for
  /// `auto[:calm]`.
  private static func forms(of text: String) -> [String] {
    let base = text.prefix { $0 != "[" }
    let fixed = base.prefix { !$0.isUppercase }
    guard let first = base.first, first.isLetter, first.isLowercase,
      fixed.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" || $0 == ":" }),
      fixed.count == base.count || fixed.last == ":"
    else { return [] }
    let suffix = text.dropFirst(base.count + 1).prefix { $0 != "]" }
    let isWord = !suffix.isEmpty && suffix.allSatisfy { $0.isLowercase || $0 == ":" }
    return [String(fixed)] + (isWord ? [String(base + suffix)] : [])
  }
}
