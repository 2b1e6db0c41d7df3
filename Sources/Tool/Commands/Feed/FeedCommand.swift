// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxMotion
import ParallaxTrace

/// `parallax feed`: a recording, a pipe or a phone as the daemon's gyroscope.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed",
    abstract: "Send samples to the daemon, in place of a gyroscope.",
    discussion: """
      Reads the formats of 'parallax replay'. Sends a file at the pace of its times and keeps the \
      differences between them. Sends the rows of a pipe as they arrive, so that another machine's \
      gyroscope can move the picture here:

        ssh tablet parallax record -o - | parallax feed -

      To use a phone with the app phyphox, allow remote access in its menu and give the address that \
      it shows, as in http://192.168.0.42:8080. The program parallax-web reads the phone.

      The daemon uses the samples if its source is feed or auto. Only one program can feed at a time. \
      The command ends with its input or with Ctrl-C; if the daemon restarts, it reconnects.
      """)

  @Argument(
    help: .init("Recording to send; '-' is standard input.", valueName: "trace"), completion: .path)
  var trace = "-"

  @Option(
    help: .init(
      """
      Name of the device, under which the daemon stores a bias (default: as in the recording, or else \
      the file's name).
      """, valueName: "NAME"))
  var name: String?

  @Flag(help: "Repeat the file; time continues.")
  var loop = false

  @Flag(
    help: """
      Send the rows of a pipe like a file: at the pace of their times, keeping the differences \
      between them.
      """)
  var keepTimes = false

  @OptionGroup(title: "Reading options")
  var reading: TraceReadingOptions

  @OptionGroup(title: "Daemon options")
  var connection: ControlOptions

  func run() throws {
    try checkName()
    guard trace != "-" || isatty(STDIN_FILENO) == 0 else {
      throw CommandFailure(
        .usage,
        "standard input is a terminal; name a recording, or pipe one in: "
          + "ssh tablet parallax record -o - | parallax feed -")
    }
    let options = try reading.options()
    if trace.hasPrefix("http://") || trace.hasPrefix("https://") {
      let phone = try FeedPhone(trace)
      defer { phone.end() }
      var failure = CommandFailure(.unavailable, "\(trace): parallax-web has ended; try again")
      do {
        let hasEnded = try feed(try TraceReader(phone.takeInput(), options: options))
        if !hasEnded { return }
      } catch let error as TraceError {
        // If the header or further rows are missing, parallax-web has ended and has reported why.
        failure = CommandFailure(error)
      }
      if let code = phone.errorCode() { throw ExitCode(code) }
      throw failure
    }
    do {
      _ = try feed(try TraceReader(path: trace, options: options))
    } catch let error as TraceError {
      throw CommandFailure(error)
    }
  }

  /// - Returns: Whether the input has ended; false: the user has interrupted the command.
  /// - Throws: `TraceError` for the header, `CommandFailure` afterwards.
  private func feed(_ given: consuming TraceReader) throws -> Bool {
    var reader = given
    if reader.hasZ || reader.header.mountMatrix?.usesZ == true { try reader.requireZ() }
    guard !loop || reader.canRewind else {
      throw CommandFailure(
        .usage, "--loop: \(reader.name) cannot be read twice; name a file")
    }
    let isFile = reader.isRegularFile
    let request = makeRequest(&reader, isFile: isFile)
    let report = FeedReport(
      name: request.name, verbosity: connection.verbosity, isTerminal: isatty(STDERR_FILENO) == 1)
    var loop = FeedLoop(
      try connection.connect(policy: .standard), reader, request, keepsTimes: isFile || keepTimes,
      loops: loop, report: report)
    return try loop.run(until: try Interruption.begin())
  }

  private func checkName() throws(CommandFailure) {
    guard let name, name != FeedRequest.printableName(name) else { return }
    throw CommandFailure(
      .usage,
      "--name: invalid name '\(name)'; use 1 to \(FeedRequest.maxNameBytes) bytes of printable text"
    )
  }

  /// - Parameter isFile: Whether rows may be read in advance, for their rate.
  private func makeRequest(_ reader: inout TraceReader, isFile: Bool) -> FeedRequest {
    let rate = isFile ? reader.findNominalRate(frameRate: .standard) : reader.nominalRateHertz
    let file = trace.split(separator: "/").last.map(String.init) ?? trace
    return FeedRequest(
      name: name
        ?? FeedRequest.printableName(reader.header.device ?? (trace == "-" ? "feed" : file)),
      clock: isFile || keepTimes ? .monotonic : .sender,
      rateHertz: rate.flatMap { FeedRequest.rateHertzRange.contains($0) ? $0 : nil },
      mountMatrix: mountMatrix(reader.header))
  }

  /// The rotation of the recording, which includes the orientation that its screen had: the daemon does not turn the
  /// motion of a feed.
  private func mountMatrix(_ header: TraceHeader) -> MountMatrix? {
    guard let orientation = header.orientation, orientation != .normal else {
      return header.mountMatrix
    }
    return (header.mountMatrix ?? .identity).turned(to: orientation)
  }
}

extension FeedRequest {
  /// Returns the name as the daemon takes it: at most 64 bytes of printable text.
  static func printableName(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars where !PrintableText.isInvisible(scalar) {
      guard result.utf8.count + UTF8.width(scalar) <= maxNameBytes else { break }
      result.unicodeScalars.append(scalar)
    }
    return result.isEmpty ? "feed" : result
  }
}
