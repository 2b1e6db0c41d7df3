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
    try SiblingProgram.become("parallaxd", arguments)
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
