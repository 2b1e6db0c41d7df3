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
