import ArgumentParser
import Glibc
import ParallaxClient

/// `parallax record`: a live sensor to a trace.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the gyroscope to a trace.",
    discussion: """
      Records through the daemon, until Ctrl-C or for --duration; whatever ends it, what was \
      recorded is a whole trace. 'parallax replay FILE' gives what the daemon published meanwhile. \
      While it runs the rows stand in FILE.*.part, where they are even if the machine goes down.

        parallax record -o walk.csv --duration 60
      """)

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: .init("The trace; '-' is standard output.", valueName: "FILE"))
  var output: String

  @Option(
    parsing: .unconditional,
    help: .init("End after so many seconds, counted from the first sample.", valueName: "S"))
  var duration: String?

  @OptionGroup var connection: ControlOptions

  func run() throws {
    guard !output.isEmpty else {
      throw CommandFailure(
        .usage,
        "an empty name is no file's; name a file, as in -o walk.csv, or '-' for standard "
          + "output")
    }
    let seconds = try duration.map { text throws(CommandFailure) in
      try OptionText.number(
        text, in: 0.001...100_000_000, option: "--duration", allowed: "0.001 to 100000000 s")
    }
    let source = try makeSource()
    let file = output == "-" ? OutputFile() : try OutputFile(path: output, growsUnderAName: true)
    let isWatched = isatty(STDERR_FILENO) == 1
    let recorder = Recorder(
      source, to: file, durationNanoseconds: seconds.map { Int64(($0 * 1e9).rounded()) },
      interruption: try Interruption.watch(),
      showsProgress: isWatched && (output != "-" || isatty(STDOUT_FILENO) == 0))
    let tally = try recorder.run()
    if isWatched { Console.report("\(file.name): \(RecordingProgress.text(of: tally, nil))") }
  }

  private func makeSource() throws(CommandFailure) -> any RecordingSource {
    do {
      return try DaemonRecording(toFirstOf: connection.paths)
    } catch {
      throw CommandFailure(error)
    }
  }
}
