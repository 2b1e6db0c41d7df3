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
      PICTURE is a folder with a wallpaper.toml, that file, or a single image, which then moves as a \
      whole. Without it, the wallpaper is ~/.config/parallax/wallpaper (a folder, a file or a link to \
      one) or else the shipped valley.

      Runs on Wayland compositors with wlr-layer-shell: sway, Hyprland, niri, labwc, phosh and others. \
      Without motion it draws nothing.
      """,
    version: "parallax-wallpaper \(ParallaxRelease.version)")

  @Argument(help: "Folder, wallpaper.toml or image.")
  var picture: String?

  @Option(help: .init("Output to cover, as in eDP-1; repeatable; default: all.", valueName: "NAME"))
  var output: [String] = []

  @Option(
    help: .init(
      "Stream socket of the daemon, instead of PARALLAX_SOCKET, the user's or the system's.",
      valueName: "PATH"))
  var socket: String?

  @Flag(help: "Check the picture and exit.")
  var check = false

  func run() throws {
    do throws(WallpaperError) {
      let picture = try Picture(path: self.picture ?? Self.standardPicture())
      if check { return }
      let signals = try Self.signals()
      let link = StreamLink(socket: socket)
      let desktop = try Desktop(picture: picture, link: link, outputs: output)
      try desktop.run(until: signals)
      link.close()
    } catch {
      say(error.description)
      throw ExitCode(1)
    }
  }

  private static func standardPicture() -> String {
    func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    let home = environment("HOME") ?? ""
    let own = (environment("XDG_CONFIG_HOME") ?? home + "/.config") + "/parallax/wallpaper"
    if access(own, R_OK) == 0 { return own }
    let shared = environment("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    let folders = shared.split(separator: ":").map { "\($0)/parallax/wallpapers/valley" }
    return folders.first { access($0, R_OK) == 0 } ?? folders.last ?? own
  }

  /// Returns a descriptor that is readable after SIGTERM, SIGINT or SIGHUP.
  private static func signals() throws(WallpaperError) -> Int32 {
    // Before any other thread is there: it would take them.
    let descriptor = clinux_end_signals()
    guard descriptor >= 0 else { throw WallpaperError("signalfd: error \(errno)") }
    return descriptor
  }
}
