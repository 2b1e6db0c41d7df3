// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import Glibc
import ParallaxClient
import ParallaxWallpaperCore

/// `parallax-wallpaper`: a wallpaper in layers that moves with the device.
@main
struct ParallaxWallpaper: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parallax-wallpaper",
    abstract: "Show a wallpaper in layers that moves with the device.",
    discussion: """
      PICTURE is a folder with a wallpaper.toml, that file, a single image, which then moves as a whole, or \
      a name that --list prints. The default is ~/.config/parallax/wallpaper (a folder, an image or a link \
      to one) if it exists, or else valley.

      A single output may have a picture of its own: --output NAME=PICTURE, or, if the command line names \
      none, the file ~/.config/parallax/wallpaper-NAME.

      A changed file is read again at once. If it cannot be read, the picture stays as it was.

      Runs on Wayland compositors with wlr-layer-shell: sway, Hyprland, niri, labwc, phosh, Plasma and \
      others. Without motion it draws nothing.
      """,
    version: "parallax-wallpaper \(ParallaxRelease.version)")

  @Argument(
    help: "Folder, wallpaper.toml, image, or the name of a picture.",
    completion: .file())
  var picture: String?

  @Option(
    help: .init(
      "Output to cover, as in eDP-1, and its picture if it has its own; repeatable; default: all.",
      valueName: "NAME[=PICTURE]"))
  var output: [String] = []

  @Option(
    help: .init(
      "Layer of the desktop: bottom, above other backgrounds and beside panels, or background, also below panels."
    ))
  var layer = ShellLayer.bottom

  @Option(
    help: .init(
      "How far the nearest layer moves at most, 0 to 0.1 of the output's width (default: the picture's, or else 0.025).",
      valueName: "SHARE"))
  var travel: Double?

  @Option(
    help: .init(
      "Output to which the gyroscope is fixed; the motion follows its rotation (default: the built-in one).",
      valueName: "NAME"))
  var panel: String?

  @Option(
    help: .init(
      "Stream socket of the daemon, instead of PARALLAX_SOCKET, the user's or the system's.",
      valueName: "PATH"), completion: .file())
  var socket: String?

  @Flag(help: "Print the names of the pictures and their folders, and exit.")
  var list = false

  @Flag(help: "Check the picture and exit.")
  var check = false

  func validate() throws {
    if let travel, !WallpaperDocument.travelRange.contains(travel) {
      throw ValidationError("--travel: expected a number from 0 to 0.1, as in 0.025")
    }
  }

  func run() throws {
    do throws(WallpaperError) {
      let source = PictureSource(
        try PictureChoice(general: picture, outputs: output), travel: travel)
      if list { return source.list() }
      if check { return try source.check() }
      let signals = try Self.signals()
      clinux_keep_freed_memory()
      if layer == .background { OtherBackgrounds.report() }
      let link = StreamLink(socket: socket)
      let desktop = try Desktop(
        source: source, link: link, options: .init(panel: panel, layer: layer))
      try desktop.run(until: signals)
      link.close()
    } catch {
      say(error.description)
      throw ExitCode(error.exitCode)
    }
  }

  /// Returns a descriptor that is readable after SIGTERM, SIGINT or SIGHUP.
  private static func signals() throws(WallpaperError) -> Int32 {
    // Before any other thread is there: it would take them.
    let descriptor = clinux_end_signals()
    guard descriptor >= 0 else { throw WallpaperError("signalfd: error \(errno)") }
    return descriptor
  }
}

extension WallpaperError {
  /// As of sysexits.h.
  fileprivate var exitCode: Int32 {
    switch kind {
    case .invalid: 65
    case .notFound: 66
    case .unavailable: 69
    case .usage: 64
    }
  }
}
