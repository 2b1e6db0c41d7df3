// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore

/// `parallax-web phyphox URL`: prints a recording of the gyroscope of a phone that runs phyphox, row by row.
/// `parallax feed http://PHONE` reads it.
enum PhyphoxProgram {
  private static let environment = ProgramEnvironment(program: "parallax-web")

  private static let usage = """
    usage: parallax-web phyphox http://PHONE[:PORT]

    Prints the rotation rates that phyphox measures on a phone, as CSV: t (s), x, y and z (rad/s). Allow
    remote access in an experiment with a gyroscope; phyphox then shows the address. Without a port, tries
    8080 (Android) and 80 (iOS). Starts the measurement if it is not running.

      -h, --help        Show help
      -V, --version     Show the release
    """

  /// The pause between an answer and the next request, in ms: the server of phyphox is slow, and its own page
  /// waits 10 ms.
  private static let pauseMilliseconds: Int32 = 20
  /// The pause after a failure, in ms.
  private static let retryMilliseconds: Int32 = 1_000

  static func run(_ words: [String]) -> Never {
    let (_, arguments) = environment.read(
      words, CommandLineReader.Grammar(options: [], arguments: ["URL"]), usage: usage,
      command: "parallax-web phyphox")
    guard let address = PhoneAddress(arguments[0]) else {
      environment.fail(
        "'\(arguments[0])' is not the address of a phone; use http://PHONE or http://PHONE:PORT, as "
          + "phyphox shows it", code: 64)
    }
    Task.detached {
      var phone = connect(to: address)
      while true { phone.poll() }
    }
    EndSignals.wait()
    exit(0)
  }

  private static func connect(to address: PhoneAddress) -> Phone {
    var reasons: [String] = []
    for port in address.ports {
      do throws(PlainConnection.Failure) {
        let answer = try PlainConnection.get(
          PhyphoxGyroscope.configurationTarget, host: address.host, port: port)
        return Phone(host: address.host, port: port, gyroscope: gyroscope(of: answer))
      } catch {
        reasons.append("port \(port): \(error.reason)")
      }
    }
    environment.fail(
      "\(address.host): phyphox does not answer (\(reasons.joined(separator: "; "))); allow remote access "
        + "in its menu, and check the address that it shows", code: 69)
  }

  private static func gyroscope(of answer: HTTPAnswer) -> PhyphoxGyroscope {
    do throws(PhyphoxGyroscope.Failure) {
      guard answer.status == 200 else { throw .malformed }
      return try PhyphoxGyroscope(configuration: answer.body)
    } catch {
      switch error {
      case .malformed:
        environment.fail("the server at this address is not phyphox 1.1.6 or newer", code: 69)
      case .noGyroscope(let title):
        environment.fail(
          "the experiment '\(title)' does not record a gyroscope; open 'Gyroscope' in phyphox",
          code: 69)
      }
    }
  }

  /// A phone that has answered.
  private struct Phone {
    let host: String
    let port: UInt16
    var gyroscope: PhyphoxGyroscope
    /// Whether the last request had no answer.
    private var isLost = false
    /// Whether it was reported that the measurement does not start.
    private var isStopped = false

    init(host: String, port: UInt16, gyroscope: PhyphoxGyroscope) {
      self.host = host
      self.port = port
      self.gyroscope = gyroscope
      let answer = try? PlainConnection.get(PhyphoxGyroscope.phoneTarget, host: host, port: port)
      let name = answer.flatMap { PhyphoxGyroscope.phoneName($0.body) } ?? "phyphox"
      PhyphoxProgram.write("# device: \(name)\nt,x,y,z\n")
    }

    /// Makes one request, prints its rows, and pauses.
    mutating func poll() {
      do throws(PlainConnection.Failure) {
        let reply = try PlainConnection.get(gyroscope.target, host: host, port: port)
        if isLost { PhyphoxProgram.environment.log("the phone answers again") }
        isLost = false
        try take(reply)
        PhyphoxProgram.pause(PhyphoxProgram.pauseMilliseconds)
      } catch {
        if !isLost {
          PhyphoxProgram.environment.log("the phone does not answer: \(error.reason); trying again")
        }
        isLost = true
        PhyphoxProgram.pause(PhyphoxProgram.retryMilliseconds)
      }
    }

    private mutating func take(_ reply: HTTPAnswer) throws(PlainConnection.Failure) {
      guard reply.status == 200, let answer = try? gyroscope.receive(reply.body) else {
        throw PlainConnection.Failure(reason: "its answer is not from phyphox")
      }
      if answer.isOtherExperiment {
        gyroscope = PhyphoxProgram.gyroscope(
          of: try PlainConnection.get(
            PhyphoxGyroscope.configurationTarget, host: host, port: port))
        return
      }
      PhyphoxProgram.write(answer.rows.map(\.text).joined())
      guard !answer.isMeasuring else {
        isStopped = false
        return
      }
      let start = try PlainConnection.get(PhyphoxGyroscope.startTarget, host: host, port: port)
      if !isStopped, !PhyphoxGyroscope.hasStarted(start.body) {
        PhyphoxProgram.environment.log(
          "phyphox does not start the measurement; start it on the phone")
        isStopped = true
      }
      PhyphoxProgram.pause(PhyphoxProgram.retryMilliseconds)
    }
  }

  /// Prints rows; ends the program if no one reads them.
  private static func write(_ text: String) {
    guard !text.isEmpty else { return }
    if !Descriptor.write(STDOUT_FILENO, Array(text.utf8)) { exit(0) }
  }

  /// Waits; ends the program if the reader of its output is gone.
  private static func pause(_ milliseconds: Int32) {
    // POLLERR, which a pipe without a reader has, is reported without being requested.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    if poll(&output, 1, milliseconds) > 0 { exit(0) }
  }
}
