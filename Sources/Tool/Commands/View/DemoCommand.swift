// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxConfig

/// `parallax demo`: a daemon of its own with the view on top.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Start a daemon and show its motion.",
    discussion: """
      Starts a daemon that reads the gyroscope of this machine or of a controller, or generates \
      synthetic motion if there is none, and shows the motion as 'parallax watch' does. The view \
      names the source of the motion. The daemon exits with the view. To connect from another \
      terminal, run the command shown at the bottom; then 'parallax phone' moves the card with a \
      phone, and 'parallax feed' with the samples of a program. --source overrides only the \
      source; the configuration's other settings apply. With --web, shows the motion in a browser \
      until Ctrl-C, as 'parallax web' does.
      """)

  @OptionGroup var source: SourceOptions

  @OptionGroup var settings: DaemonConfigurationOptions

  @Flag(help: "Show the motion in a browser instead of the terminal.")
  var web = false

  @OptionGroup(title: "Page options, for --web")
  var server: PageServerOptions

  @OptionGroup(title: "Pipeline options")
  var pipeline: PipelineOptions

  func run() throws {
    var assignments = try source.assignments() + pipeline.assignments
    try SourceOptions.checkTrace(assignments)
    if source.source == nil {
      assignments.append(
        SettingAssignment(key: "source.kind", text: "auto", option: "--source"))
    }
    let folder = try DemoFolder()
    for (key, path) in [("socket.path", folder.socket), ("socket.control", folder.control)] {
      assignments.append(SettingAssignment(key: key, text: path, option: "demo"))
    }
    let arguments = try settings.arguments(assignments)
    if web { DemoPage.blockSignals() }
    let daemon = try DemoDaemon(arguments, in: folder)
    do {
      try daemon.waitUntilReady()
      if web { return try showPage(daemon, folder) }
      var options = ViewOptions(streamPaths: [folder.socket], controlPaths: [folder.control])
      let takesOthers = [nil, "auto"].contains(source.source)
      options.hints = { device in
        let text = device?.demoText(takesOthers: takesOthers)
        let command = takesOthers && device?.driver == "synthetic" ? "; parallax phone" : ""
        return (text.map { [$0] } ?? []) + ["second terminal:  . \(folder.environment)\(command)"]
      }
      options.daemonHasEnded = { daemon.hasEnded }
      try ViewRunner(options).run()
    } catch {
      _ = daemon.end()
      throw error
    }
    try report(daemon.end())
  }

  private func showPage(_ daemon: DemoDaemon, _ folder: DemoFolder) throws {
    let page = try DemoPage(
      server.arguments + ["--socket", folder.socket, "--control", folder.control])
    let signal = page.wait { daemon.hasEnded }
    page.end()
    try report(daemon.end())
    if let signal { throw ExitCode(128 + signal) }
  }

  /// Says how the daemon has ended.
  private func report(_ end: DemoDaemon.End) throws {
    switch end {
    case .requested:
      Console.report(
        "the demo's daemon has ended; start one with 'parallax run', then 'parallax watch'")
    case .itself(let exit, let messages):
      for line in messages { Console.writeError("\(line)\n") }
      throw CommandFailure(.unavailable, "the daemon has ended by itself with \(exit)")
    }
  }
}

/// A folder for the sockets of a demo, for this user alone.
final class DemoFolder {
  let path: String

  var socket: String { "\(path)/parallax.sock" }
  var control: String { "\(path)/control.sock" }
  var log: String { "\(path)/log" }
  /// A shell file that lets another terminal find the daemon and the programs.
  var environment: String { "\(path)/env" }

  init() throws(CommandFailure) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base.isEmpty ? "/tmp" : base)/parallax-demo.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .cannotCreate, "\(base): no folder can be created: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var lines = ["export PARALLAX_SOCKET='\(socket)' PARALLAX_CONTROL='\(control)'"]
    if let own = realpath("/proc/self/exe", nil) {
      let program = String(cString: own)
      free(own)
      let folder = program.split(separator: "/").dropLast().joined(separator: "/")
      lines.append("export PATH='/\(folder)':\"$PATH\"")
    }
    if let file = fopen(environment, "we") {
      fputs(lines.joined(separator: "\n") + "\n", file)
      fclose(file)
    }
  }

  func remove() {
    for name in [socket, control, log, environment] { unlink(name) }
    rmdir(path)
  }

  deinit { remove() }
}
