import ArgumentParser
import ParallaxClient

/// Where the daemon is, for the commands that read its stream.
struct StreamOptions: ParsableArguments {
  @Option(
    help: .init(
      "The daemon's stream socket, instead of PARALLAX_SOCKET, the user's and the system's.",
      valueName: "PATH"))
  var socket: String?

  var paths: [String] { SocketPath.candidates(.stream, explicit: socket) }
}

/// Where the daemon is, for the commands that ask it for something.
struct ControlOptions: ParsableArguments {
  @Option(
    help: .init(
      "The daemon's control socket, instead of PARALLAX_CONTROL, the user's and the system's.",
      valueName: "PATH"))
  var control: String?

  @Option(
    help: .init(
      "The daemon's stream socket; the control socket is the one beside it.", valueName: "PATH"))
  var socket: String?

  var paths: [String] {
    SocketPath.candidates(.control, explicit: control ?? socket.map(SocketPath.beside))
  }

  /// Connects, asks and returns what is no ERROR.
  func ask(_ request: ControlRequest) throws(CommandFailure) -> ControlClient.Reply {
    do {
      var client = try ControlClient(toFirstOf: paths)
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
  /// The reply unless it is an ERROR, which ends the command.
  func accepted() throws(CommandFailure) -> ControlClient.Reply {
    if case .error(let error, _) = answer { throw CommandFailure(error) }
    return self
  }
}
