/// The options of a command line: each with a value, once; what is no option is kept in order.
package struct CommandLineReader: Sendable {
  /// What a program understands.
  package struct Grammar: Sendable {
    /// Options with a value, as `--port`.
    package var options: [String]
    /// Arguments that are no options: how many there have to be, and what they are called.
    package var arguments: [String]

    package init(options: [String], arguments: [String] = []) {
      self.options = options
      self.arguments = arguments
    }
  }

  package enum Reading: Equatable, Sendable {
    case help
    case version
    case run(options: [String: String], arguments: [String])
    /// What is wrong and what is allowed.
    case wrong(String)
  }

  package static func read(_ words: [String], _ grammar: Grammar) -> Reading {
    var options: [String: String] = [:]
    var arguments: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let (name, joined) = split(word)
      switch name {
      case "--help" where joined == nil, "-h" where joined == nil: return .help
      case "--version" where joined == nil: return .version
      case "--":
        arguments += rest
        rest = []
      case _ where grammar.options.contains(name):
        guard let value = joined ?? rest.popFirst() else { return .wrong("\(name) needs a value") }
        guard options.updateValue(value, forKey: name) == nil else {
          return .wrong("\(name) is given twice")
        }
      case _ where name.hasPrefix("-") && name != "-":
        let allowed = (grammar.options + ["--help", "--version"]).joined(separator: ", ")
        return .wrong("unknown option '\(name)'; allowed: \(allowed)")
      default: arguments.append(word)
      }
    }
    guard arguments.count == grammar.arguments.count else {
      let wanted =
        grammar.arguments.isEmpty
        ? "no argument is wanted" : "wanted: \(grammar.arguments.joined(separator: " "))"
      return .wrong(
        arguments.count > grammar.arguments.count
          ? "unexpected argument '\(arguments[grammar.arguments.count])'; \(wanted)" : wanted)
    }
    return .run(options: options, arguments: arguments)
  }

  /// `--name=value` as `--name` and `value`.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
