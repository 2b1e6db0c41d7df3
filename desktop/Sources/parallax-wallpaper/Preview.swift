// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxWallpaperCore

/// `parallax-wallpaper preview`: the moving picture without a desktop's background.
struct Preview: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a picture in a window, or write images of its motion.",
    discussion: """
      In the window the picture moves as on the desktop; without a daemon it follows the pointer. With --frames no \
      window is needed: the images are one turn of the motion through both ends of each axis, frame-0001.png and \
      so on.
      """)

  @OptionGroup var chosen: ChosenPicture

  @Option(
    help: .init("Folder for images instead of a window; new or empty.", valueName: "FOLDER"),
    completion: .directory)
  var frames: String?

  @Option(help: .init("Size of the window or the images, in pixels.", valueName: "WIDTHxHEIGHT"))
  var size = PixelSize(width: 1920, height: 1080)

  @Option(
    help: .init(
      "Stream socket of the daemon, instead of PARALLAX_SOCKET, the user's or the system's.",
      valueName: "PATH"), completion: .file())
  var socket: String?

  @Option(help: .init("Number of images, 1 to 1000.", valueName: "N"))
  var count = 60

  func validate() throws {
    guard (1...1000).contains(count) else { throw ValidationError("--count: must be 1 to 1000") }
  }

  func run() throws {
    try reportingErrors { () throws(WallpaperError) in
      guard let frames else { return try showWindow() }
      let picture = try chosen.overrides.open(chosen.picture)
      let drawing = try StillPicture(picture, size)
      try PngFile.makeFolder(frames)
      for index in 0..<count {
        let motion = PreviewFrame.motion(index, of: count)
        let places = drawing.layers.map { layer in
          let reach = drawing.fit.reach(depth: layer.depth)
          return PreviewFrame.Place(
            layer: layer, x: Double(drawing.fit.picture.x + layer.x) + motion.x * reach,
            y: Double(drawing.fit.picture.y + layer.y) + motion.y * reach)
        }
        let frame = PreviewFrame.draw(
          width: size.width, height: size.height, background: picture.background, places)
        let number = String(repeating: "0", count: 4 - String(index + 1).count) + String(index + 1)
        try PngFile.write(
          frame, width: size.width, height: size.height, to: "\(frames)/frame-\(number).png")
      }
    }
  }

  private func showWindow() throws(WallpaperError) {
    let signals = try Show.signals()
    let choice = try PictureChoice(general: chosen.picture, outputs: [])
    let source = PictureSource(choice, .init(travel: chosen.travel, depthMap: chosen.depthMap))
    let link = StreamLink(socket: socket)
    try Desktop(source: source, link: link, options: .init(window: size)).run(until: signals)
    link.close()
  }
}
