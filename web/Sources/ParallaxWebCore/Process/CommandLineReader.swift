// SPDX-License-Identifier: Apache-2.0

/// Parses a command line: options with a value, each at most once, and arguments in order.
package struct CommandLineReader: Sendable {
  /// The options and arguments of a program.
  package struct Grammar: Sendable {
    /// Options with a value, such as `--port`.
    package var options: [String]
    /// Those of them that may be repeated. Their values are joined by commas.
    package var repeatable: Set<String>
    /// The names of the required arguments.
    package var arguments: [String]

    package init(options: [String], repeatable: Set<String> = [], arguments: [String] = []) {
      self.options = options
      self.repeatable = repeatable
      self.arguments = arguments
    }
  }

  package enum Reading: Equatable, Sendable {
    case help
    case version
    case run(options: [String: String], arguments: [String])
    /// The reason, and what is allowed.
    case invalid(String)
  }

  package static func read(_ words: [String], _ grammar: Grammar) -> Reading {
    var options: [String: String] = [:]
    var arguments: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let (name, joined) = split(word)
      switch name {
      case "--help" where joined == nil, "-h" where joined == nil: return .help
      case "--version" where joined == nil, "-V" where joined == nil: return .version
      case "--":
        arguments += rest
        rest = []
      case _ where grammar.options.contains(name):
        guard let value = joined ?? rest.popFirst() else {
          return .invalid("\(name) needs a value")
        }
        if grammar.repeatable.contains(name), let earlier = options[name] {
          options[name] = "\(earlier),\(value)"
          continue
        }
        guard options.updateValue(value, forKey: name) == nil else {
          return .invalid("\(name) is given twice")
        }
      case _ where name.hasPrefix("-") && name != "-":
        let allowed = (grammar.options + ["--help", "--version"]).joined(separator: ", ")
        return .invalid("unknown option '\(name)'; allowed: \(allowed)")
      default: arguments.append(word)
      }
    }
    guard arguments.count == grammar.arguments.count else {
      let expected =
        grammar.arguments.isEmpty
        ? "expected no arguments" : "expected \(grammar.arguments.joined(separator: " "))"
      return .invalid(
        arguments.count > grammar.arguments.count
          ? "unexpected argument '\(arguments[grammar.arguments.count])'; \(expected)" : expected)
    }
    return .run(options: options, arguments: arguments)
  }

  /// Splits `--name=value` into `--name` and `value`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
