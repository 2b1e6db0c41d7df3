// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxWallpaperCore

/// `parallax-wallpaper export`: any picture as a folder of PNG layers.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a picture as a folder of PNG layers with a wallpaper.toml.",
    discussion: """
      GNOME's extension, Plasma's plugin and other programs show such a folder. A photo is cut into layers by \
      its depth map. FOLDER must be new or empty.
      """)

  @Argument(
    help: "Folder, wallpaper.toml, image, or the name of a picture.", completion: .file())
  var picture: String

  @Argument(help: "Folder to write.", completion: .directory)
  var folder: String

  @OptionGroup var overrides: OverrideOptions

  @Option(help: .init("Largest output to draw for, in pixels.", valueName: "WIDTHxHEIGHT"))
  var size = PixelSize(width: 3840, height: 2160)

  func run() throws {
    try reportingErrors { () throws(WallpaperError) in
      let picture = try overrides.open(picture)
      let drawing = try StillPicture(picture, size)
      try PngFile.makeFolder(folder)
      var text =
        "[wallpaper]\nbackground = \"\(hexColor(picture.background))\"\ntravel = \(picture.travel)\n"
      for (index, layer) in drawing.layers.enumerated() {
        let name = "layer-\(index + 1)"
        try PngFile.write(
          layer.pixels, x: layer.x, y: layer.y, width: drawing.fit.picture.width,
          height: drawing.fit.picture.height, to: "\(folder)/\(name).png")
        let depth = (layer.depth * 1000).rounded() / 1000
        text += "\n[\(name)]\nimage = \"\(name).png\"\ndepth = \(depth)\n"
      }
      try write(text, to: "\(folder)/wallpaper.toml")
    }
  }

  private func hexColor(_ color: UInt32) -> String {
    let digits = String(color & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  private func write(_ text: String, to path: String) throws(WallpaperError) {
    guard let file = fopen(path, "wxe") else {
      throw WallpaperError("\(path): \(String(cString: strerror(errno)))")
    }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else {
      throw WallpaperError("\(path): \(String(cString: strerror(errno)))")
    }
  }
}

/// A picture's layers at a size, without a compositor.
struct StillPicture {
  let fit: Fit
  let layers: [DrawnLayer]

  init(_ picture: Picture, _ size: PixelSize) throws(WallpaperError) {
    fit = picture.fit(width: size.width, height: size.height, scale: 1)
    var layers: [DrawnLayer] = []
    for piece in try picture.pieces(fit) { layers += try piece.draw() }
    self.layers = layers
  }
}
