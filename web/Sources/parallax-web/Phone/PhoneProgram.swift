// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore

/// `parallax-web phone`: takes the motion of a phone for a daemon. `parallax phone` executes it.
enum PhoneProgram {
  static let usage = """
    usage: parallax-web phone [--port N] [--address ADDRESS] [--name NAME] [--patience SECONDS]
                              [--socket PATH] [--control PATH] [--files DIR]

    Shows a QR code; a phone that scans it sends its motion to the daemon. Listens on the local network until
    Ctrl-C.

      --port N            Port to listen on; 0 picks a free one (default: 8443)
      --address ADDRESS   Address of this machine to listen on (default: the one that reaches the internet)
      --name NAME         Name of the device (default: the phone's model, if the browser reports it)
      --patience SECONDS  How long a silent phone keeps its place (default: 60)
      --socket PATH       Stream socket of the daemon
      --control PATH      Control socket of the daemon; by default next to the stream socket
      --files DIR         Folder of the page
      -h, --help          Show help
      -V, --version       Show the release
    """

  private static let environment = ProgramEnvironment(program: "parallax-web")

  static func run(_ words: [String]) {
    let options = options(words)
    Task.detached { await serve(options) }
    EndSignals.wait()
    exit(0)
  }

  private static func options(_ words: [String]) -> PhoneServer.Options {
    let (values, _) = environment.read(
      words,
      CommandLineReader.Grammar(
        options: [
          "--port", "--address", "--name", "--patience", "--socket", "--control", "--files",
        ]),
      usage: usage, command: "parallax-web phone")
    let port = environment.port("--port", values, default: 8443)
    let patienceText = values["--patience"] ?? "60"
    guard let patience = Double(patienceText), (1...3_600).contains(patience) else {
      environment.fail("--patience: invalid time '\(patienceText)'; use 1 to 3600", code: 64)
    }
    let name = values["--name"]
    if let name, PhoneName.printable(name) != name {
      environment.fail("--name: use 1 to 64 bytes of printable text", code: 64)
    }
    let sockets = DaemonSockets(stream: values["--socket"], control: values["--control"])
    do throws(PhoneOptionsError) {
      return try PhoneServer.Options(
        port: port, address: values["--address"], name: name, patience: patience, sockets: sockets,
        files: values["--files"], log: { environment.log($0) })
    } catch {
      environment.fail(error.message, code: error.exitCode)
    }
  }

  private static func serve(_ options: PhoneServer.Options) async -> Never {
    do throws(DaemonConnection.Unavailable) {
      try await DaemonConnection.check(options.sockets.control)
    } catch {
      environment.fail(error.message, code: 69)
    }
    do {
      try await PhoneServer(options).run { show($0) }
    } catch {
      ListenFailure.exit(environment, error, host: options.address, port: options.port)
    }
    exit(0)
  }

  /// The code is printed after the texts: a terminal of 24 lines then still shows all of it.
  private static func show(_ invitation: PhoneServer.Invitation) {
    environment.print(
      """
      The phone warns about an unknown certificate, whose SHA-256 fingerprint is
        \(invitation.fingerprint)
      The app Sensor Logger can push to
        \(invitation.push)
      Scan the code with the camera of a phone in the same network, or open
        \(invitation.address)
      """)
    if let rows = QRCode.rows(invitation.address) {
      environment.print(QRDrawing.text(rows, isColored: isatty(STDOUT_FILENO) == 1))
    }
    environment.print("Press Ctrl-C to stop.")
  }
}

/// Why no phone can be served.
struct PhoneOptionsError: Error {
  let message: String
  let exitCode: Int32
}

extension PhoneServer.Options {
  /// Finds the address and the files.
  ///
  /// - Parameters:
  ///   - address: The value of --address.
  ///   - files: The value of --files.
  init(
    port: Int, address: String?, name: String? = nil, patience: Double = 60,
    sockets: DaemonSockets, files: String?, log: @escaping @Sendable (String) -> Void
  ) throws(PhoneOptionsError) {
    guard let places = PagePlaces.files(files) else {
      throw PhoneOptionsError(
        message: "the page's files are not installed; name their folder with --files", exitCode: 66)
    }
    let page: PageFiles
    do throws(PageFiles.LoadError) {
      page = try PageFiles(page: places.page, client: places.client)
    } catch {
      throw PhoneOptionsError(message: error.message, exitCode: 66)
    }
    guard let own = address ?? NetworkAddresses.preferred() else {
      throw PhoneOptionsError(
        message: "this machine has no network address; join the phone's network, or use --address",
        exitCode: 69)
    }
    guard !["0.0.0.0", "::"].contains(own) else {
      throw PhoneOptionsError(
        message: "--address: \(own) means all addresses; name the one that the phone opens: "
          + NetworkAddresses.all().joined(separator: ", "), exitCode: 64)
    }
    self.init(
      port: port, address: own, name: name, patience: patience, sockets: sockets, page: page,
      log: log)
  }
}
