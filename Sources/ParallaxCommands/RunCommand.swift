import ArgumentParser
import Glibc
import ParallaxConfig
import ParallaxTrace

/// `parallax run`: the daemon in the foreground, with options instead of a configuration file.
///
/// The options are checked here, where their names can be told, and become `--set` of parallaxd, as
/// which this process goes on: signals, exit code and journal are the daemon's own.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the daemon in the foreground.",
    discussion: """
      Subscribe from another terminal with 'parallax subscribe'. Ctrl-C ends it. Without \
      --config the configuration is read where parallaxd reads it; options win over it.
      """)

  @Option(
    help: .init(
      """
      iio waits for a gyroscope; auto takes the first one, synthetic motion until there is one; \
      a trace begins anew whenever somebody subscribes.
      """, valueName: "iio|trace:FILE|synthetic|auto"))
  var source: String?

  @Option(help: .init("Read this configuration file alone.", valueName: "FILE"))
  var config: String?

  @Flag(help: "Begin the trace again at its end.")
  var loop = false

  @Option(help: .init("The gyroscope's name.", valueName: "NAME"))
  var device: String?

  @Option(help: .init("The libiio context, as in ip:192.168.1.2.", valueName: "URI"))
  var uri: String?

  @Option(help: .init("The stream socket.", valueName: "PATH"))
  var socket: String?

  @Option(help: .init("The control socket.", valueName: "PATH"))
  var control: String?

  @OptionGroup(title: "Pipeline options")
  var pipeline: PipelineOptions

  func run() throws {
    let assignments = try sourceAssignments() + pipeline.assignments
    try checkTrace(assignments)
    var builder = ConfigLoader().builder(file: config)
    for (key, text, option) in assignments {
      builder.set(key: key, text: text, origin: .option(option))
    }
    do {
      _ = try builder.build()
    } catch {
      throw CommandFailure(reporting: error)
    }
    var arguments = config.map { ["--config", $0] } ?? []
    for (key, text, _) in assignments { arguments += ["--set", "\(key)=\(text)"] }
    try become("parallaxd", arguments)
  }

  /// A trace that cannot be read is told now, not when somebody subscribes.
  private func checkTrace(
    _ assignments: [(key: String, text: String, option: String)]
  ) throws(CommandFailure) {
    guard let trace = assignments.first(where: { $0.key == "source.trace" })?.text else { return }
    var status = stat()
    // What is no file cannot be begun anew; the daemon says so.
    if stat(trace, &status) == 0, status.st_mode & S_IFMT != S_IFREG,
      status.st_mode & S_IFMT != S_IFDIR
    {
      return
    }
    do throws(TraceError) {
      _ = try TraceReader(path: trace)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func sourceAssignments() throws -> [(key: String, text: String, option: String)] {
    var result: [(key: String, text: String, option: String)] = []
    if let source {
      let kind = source.prefix { $0 != ":" }
      if kind == "trace" {
        let file = String(source.dropFirst("trace:".count))
        guard !file.isEmpty, file != "-" else {
          throw CommandFailure(
            .usage, "--source: a trace is a file; write --source trace:FILE, as in trace:walk.csv")
        }
        result.append(("source.kind", "trace", "--source"))
        result.append(("source.trace", file, "--source"))
      } else {
        result.append(("source.kind", source, "--source"))
      }
    }
    if loop { result.append(("source.loop", "true", "--loop")) }
    for (key, text, option) in [
      ("source.device", device, "--device"), ("source.uri", uri, "--uri"),
      ("socket.path", socket, "--socket"), ("socket.control", control, "--control"),
    ] {
      if let text { result.append((key, text, option)) }
    }
    return result
  }
}

/// Goes on as another of parallax's programs. Returns only by throwing.
private func become(_ program: String, _ arguments: [String]) throws -> Never {
  let candidates = SiblingProgram.candidates(for: program)
  for path in candidates where access(path, X_OK) == 0 {
    var pointers = ([path] + arguments).map { strdup($0) }
    pointers.append(nil)
    execv(path, pointers)
    let code = errno
    for pointer in pointers { free(pointer) }
    throw CommandFailure(
      .unavailable, "\(path): cannot be started: \(String(cString: strerror(code)))")
  }
  throw CommandFailure(
    .unavailable,
    "\(program) is not installed: looked for \(candidates.prefix(2).joined(separator: " and ")) and "
      + "in PATH; install it with 'make install', or build it beside parallax")
}

/// Where parallax's other programs are.
enum SiblingProgram {
  /// Beside this program, in `../libexec/parallax`, then along PATH.
  static func candidates(for name: String) -> [String] {
    var folders: [String] = []
    if let own = realpath("/proc/self/exe", nil) {
      defer { free(own) }
      let folder = String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
      folders = ["/\(folder)", "/\(folder)/../libexec/parallax"]
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    folders += path.split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }
  }
}
