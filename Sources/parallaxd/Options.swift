/// The command line of parallaxd.
enum Options: Equatable {
  case run(configFile: String?, assignments: [String])
  case help
  case version
  /// What is wrong and what is allowed.
  case wrong(String)

  static let usage = """
    usage: parallaxd [--config FILE] [--set TABLE.KEY=VALUE]...

    The parallax daemon. It is configured by /etc/parallax/parallax.toml (as a user by
    $XDG_CONFIG_HOME/parallax/parallax.toml) and the files in parallax.toml.d beside it.

      --config FILE           read this file alone
      --set TABLE.KEY=VALUE   put a value over the configuration's, as motion.scale=10
      --help                  show this
      --version               show the release

    See also: parallax run, which takes the same settings as options of their own.
    """

  /// - Parameter arguments: without the program's name.
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
      case "--version" where joined == nil:
        self = .version
        return
      case "--config", "--set":
        guard let value = joined ?? rest.popFirst() else {
          self = .wrong("\(name) needs a value; use \(Self.allowed)")
          return
        }
        if name == "--set" {
          assignments.append(value)
        } else if configFile == nil {
          configFile = value
        } else {
          self = .wrong("--config is given twice; give one file")
          return
        }
      default:
        self = .wrong("unknown option '\(argument)'; use \(Self.allowed)")
        return
      }
    }
    self = .run(configFile: configFile, assignments: assignments)
  }

  private static let allowed = "--config FILE, --set TABLE.KEY=VALUE, --help or --version"

  /// `--name=value` as `--name` and `value`.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }
}
