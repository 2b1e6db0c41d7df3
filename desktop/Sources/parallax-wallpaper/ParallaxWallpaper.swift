// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import Glibc
import ParallaxClient
import ParallaxWallpaperCore

/// `parallax-wallpaper show`, which needs no name: a wallpaper in layers that moves with the device.
struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a wallpaper in layers that moves with the device.",
    discussion: """
      PICTURE is a folder with a wallpaper.toml, that file, a single image, or a name that --list prints. A \
      photo is cut into layers by its depth map: --depth, photo.depth.png next to photo.jpg, or the depth \
      image inside a phone's portrait photo. An image without one moves as a whole. A folder of photos is \
      shown one after another, sorted by name. The default is ~/.config/parallax/wallpaper (a folder, an \
      image or a link to one) if it exists, or else valley.

      A single output may have a picture of its own: --output NAME=PICTURE, or, if the command line names \
      none, the file ~/.config/parallax/wallpaper-NAME.

      A changed file is read again at once. If it cannot be read, the picture stays as it was.

      Runs on Wayland compositors with wlr-layer-shell: sway, labwc, Wayfire, Hyprland, niri, Plasma and \
      others. Without motion it draws nothing.
      """)

  @OptionGroup var chosen: ChosenPicture

  @Option(
    help: .init(
      "Output to cover, as in eDP-1, and its picture if it has its own; repeatable; default: all.",
      valueName: "NAME[=PICTURE]"))
  var output: [String] = []

  @Option(
    help: .init(
      "Layer of the desktop: bottom is above other backgrounds and leaves panels free; background is below panels, too."
    ))
  var layer = ShellLayer.bottom

  @Option(
    help: .init(
      "How long a photo of a folder is shown, as in 10min, 45s or 1h.", valueName: "DURATION"))
  var interval = SlideInterval(seconds: SlideShow.standardSeconds)

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

  func run() throws {
    try reportingErrors { () throws(WallpaperError) in
      let source = PictureSource(
        try PictureChoice(general: chosen.picture, outputs: output),
        .init(travel: chosen.travel, depthMap: chosen.depthMap), secondsPerPhoto: interval.seconds)
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
    }
  }

  /// Returns a descriptor that is readable after SIGTERM, SIGINT or SIGHUP.
  static func signals() throws(WallpaperError) -> Int32 {
    // Before any other thread is there: it would take them.
    let descriptor = clinux_end_signals()
    guard descriptor >= 0 else { throw WallpaperError("signalfd: error \(errno)") }
    return descriptor
  }
}
