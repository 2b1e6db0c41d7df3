// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient
import ParallaxWallpaperCore

/// `parallax-wallpaper`.
@main
struct Program: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parallax-wallpaper",
    abstract: "Wallpapers in layers that move with the device.",
    discussion: """
      parallax-wallpaper PICTURE shows a picture; see parallax-wallpaper help show for its options.
      """,
    version: "parallax-wallpaper \(ParallaxRelease.version)",
    subcommands: [Show.self, Preview.self, Export.self], defaultSubcommand: Show.self)
}

/// Which picture.
struct ChosenPicture: ParsableArguments {
  @Argument(
    help: "Folder, wallpaper.toml, image, or the name of a picture.",
    completion: .file())
  var picture: String?

  @OptionGroup var overrides: OverrideOptions

  /// As of `Picture`.
  var travel: Double? { overrides.travel }
  var depthMap: String? { overrides.depth }
}

/// Options that replace values of the picture's file.
struct OverrideOptions: ParsableArguments {
  @Option(
    help: .init(
      "Depth map of a photo, gray with 8 or 16 bits, near = white (default: the photo's own).",
      valueName: "IMAGE"), completion: .file())
  var depth: String?

  @Option(
    help: .init(
      "How far the nearest layer moves at most, 0 to 0.1 of the output's width (default: the picture's, or else 0.025).",
      valueName: "SHARE"))
  var travel: Double?

  func validate() throws {
    if let travel, !WallpaperDocument.travelRange.contains(travel) {
      throw ValidationError("--travel: expected a number from 0 to 0.1, as in 0.025")
    }
  }

  /// Opens the picture of an argument.
  func open(_ picture: String?) throws(WallpaperError) -> Picture {
    let choice = try PictureChoice(general: picture, outputs: [])
    return try PictureSource(choice, .init(travel: travel, depthMap: depth)).openOnly()
  }
}

/// How long a photo is shown, as in 10min.
struct SlideInterval: ExpressibleByArgument {
  var seconds: Double

  init(seconds: Double) { self.seconds = seconds }

  init?(argument: String) {
    guard let seconds = SlideShow.seconds(argument) else { return nil }
    self.init(seconds: seconds)
  }

  var defaultValueDescription: String { "\(Int(seconds / 60))min" }
}

/// A size on the command line, as in 1920x1080.
struct PixelSize: ExpressibleByArgument {
  var width: Int
  var height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...16384).contains(width), (1...16384).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  var defaultValueDescription: String { "\(width)x\(height)" }
}

/// Runs a command; an error is printed and becomes its exit code.
func reportingErrors(_ body: () throws(WallpaperError) -> Void) throws {
  do throws(WallpaperError) {
    try body()
  } catch {
    say(error.description)
    throw ExitCode(error.exitCode)
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
