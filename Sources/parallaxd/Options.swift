// SPDX-License-Identifier: Apache-2.0

/// The command line of parallaxd.
enum Options: Equatable {
  case run(configFile: String?, assignments: [String])
  case help
  case version
  /// A usage error, with a message.
  case invalid(String)

  static let usage = """
    usage: parallaxd [--config FILE] [--set TABLE.KEY=VALUE]...

    The parallax daemon. Its configuration is /etc/parallax/parallax.toml (for users
    $XDG_CONFIG_HOME/parallax/parallax.toml) and the files in parallax.toml.d beside it.

      --config FILE           read only this file
      --set TABLE.KEY=VALUE   override a setting, as in motion.scale=10; repeatable
      -h, --help              show this help
      -V, --version           show the version

    See also: parallax run, which has an option for each of the common settings.
    """

  /// Parses the arguments, without the program's name.
  init(_ arguments: [String]) {
    var configFile: String?
    var assignments: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, joined) = Self.split(argument)
      switch name {
      case "--help" where joined == nil, "-h" where joined == nil:
        self = .help
        return
      case "--version" where joined == nil, "-V" where joined == nil:
        self = .version
        return
      case "--config", "--set":
        guard let value = joined ?? rest.popFirst() else {
          self = .invalid("\(name) needs a value; use \(Self.allowed)")
          return
        }
        if name == "--set" {
          assignments.append(value)
        } else if configFile == nil {
          configFile = value
        } else {
          self = .invalid("--config may be used only once; name one file")
          return
        }
      default:
        self = .invalid("unknown option '\(argument)'; use \(Self.allowed)")
        return
      }
    }
    self = .run(configFile: configFile, assignments: assignments)
  }

  private static let allowed = "--config FILE, --set TABLE.KEY=VALUE, --help or --version"

  /// Splits `--name=value` into `--name` and `value`.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}
