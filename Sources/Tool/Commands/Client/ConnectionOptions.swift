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

  /// Connects, sends a request and returns the answer.
  ///
  /// - Throws: `CommandFailure`, also for an ERROR.
  func ask(_ request: ControlRequest) throws(CommandFailure) -> ControlClient.Reply {
    try Self.ask(request, at: paths, verbosity)
  }

  /// Sends a request to the first of these sockets that answers.
  static func ask(
    _ request: ControlRequest, at paths: [String], _ verbosity: Verbosity? = nil
  ) throws(CommandFailure) -> ControlClient.Reply {
    do {
      var client = try ControlClient(toFirstOf: paths)
      verbosity?.detail("connected to \(client.path)")
      return try client.ask(request).accepted()
    } catch let error as ParallaxError {
      throw CommandFailure(error)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.inputOutput, "\(error)")
    }
  }
}

extension ControlClient.Reply {
  /// Returns the reply unless it is an ERROR, which ends the command.
  func accepted() throws(CommandFailure) -> ControlClient.Reply {
    if case .error(let error, _) = answer { throw CommandFailure(error) }
    return self
  }
}
