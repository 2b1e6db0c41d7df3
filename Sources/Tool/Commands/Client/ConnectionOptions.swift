// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient

/// The stream socket, for the commands that read the stream.
struct StreamOptions: ParsableArguments {
  @Option(
    help: .init(
      "Stream socket of the daemon, instead of PARALLAX_SOCKET, the user's or the system's.",
      valueName: "PATH"),
    completion: .path)
  var socket: String?

  @OptionGroup var verbosity: Verbosity

  var paths: [String] { Self.paths(socket: socket) }

  static func paths(socket: String?) -> [String] {
    SocketPath.candidates(.stream, explicit: socket)
  }
}

/// The control socket.
struct ControlPathOptions: ParsableArguments {
  @Option(
    help: .init(
      "Control socket of the daemon, instead of PARALLAX_CONTROL, the user's or the system's.",
      valueName: "PATH"),
    completion: .path)
  var control: String?

  @Option(
    help: .init(
      "Stream socket of the daemon; the control socket is next to it.", valueName: "PATH"),
    completion: .path)
  var socket: String?

  var paths: [String] { Self.paths(control: control, socket: socket) }

  static func paths(control: String?, socket: String?) -> [String] {
    SocketPath.candidates(.control, explicit: control ?? socket.map(SocketPath.beside))
  }
}

/// The control socket, for the commands that send requests.
struct ControlOptions: ParsableArguments {
  @OptionGroup var place: ControlPathOptions
  @OptionGroup var verbosity: Verbosity

  var paths: [String] { place.paths }

  /// Connects, sends a request and returns the answer unless it is an ERROR, which ends the command.
  func ask(_ request: ControlRequest) throws(CommandFailure) -> ControlReply {
    try Self.ask(request, toFirstOf: paths, verbosity)
  }

  static func ask(
    _ request: ControlRequest, toFirstOf paths: [String], _ verbosity: Verbosity? = nil
  ) throws(CommandFailure) -> ControlReply {
    let control: ParallaxControl
    do { control = try ParallaxControl(toFirstOf: paths) } catch { throw CommandFailure(error) }
    verbosity?.detail("connected to \(control.path)")
    do { return try control.answer(to: request) } catch { throw CommandFailure(error) }
  }

  /// Connects, for a command that reads lines until it ends.
  func connect(policy: ReconnectionPolicy = .never) throws(CommandFailure) -> LineConnection {
    do throws(ParallaxError) {
      let connection = try LineConnection(toFirstOf: paths, policy: policy)
      verbosity.detail("connected to \(connection.path)")
      return connection
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension ControlReply {
  /// Prints the daemon's note, if there is one.
  func reportNote(_ verbosity: Verbosity) {
    if case .ack(let ack, _) = answer, let note = ack.note { verbosity.note(note) }
  }
}
