// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `parallax wallpaper`: the wallpaper, its preview and its export.
///
/// Only separate programs draw on a desktop: parallax-wallpaper replaces this process.
struct WallpaperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wallpaper",
    abstract: "Show a wallpaper in layers that moves with the device.",
    discussion: """
      Runs the program parallax-wallpaper with the same arguments: a picture, or its commands preview and \
      export. 'parallax wallpaper help' lists them.
      """)

  @Argument(
    parsing: .captureForPassthrough, help: "Arguments of parallax-wallpaper.", completion: .file())
  var arguments: [String] = []

  func run() throws {
    // Also where parallax-wallpaper is not installed, and for the manual page.
    if ["--help", "-h"].contains(arguments.first) { throw CleanExit.helpRequest(self) }
    try SiblingProgram.become("parallax-wallpaper", arguments, advice: Self.advice)
  }

  static let advice = "install the package parallax-wallpaper, or build it with 'make desktop'"
}
