// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore

/// The picture that the command line and the user's files ask for, now and after each change.
final class PictureSource {
  private let search: PictureSearch
  private let argument: String?
  /// The errors that were printed since the picture could be read.
  private var reported: Set<String> = []

  init(_ argument: String?) {
    search = PictureSearch { getenv($0).map { String(cString: $0) } }
    self.argument = argument
  }

  private func path() throws(WallpaperError) -> String {
    try search.path(of: argument) { access($0, F_OK) == 0 }
  }

  /// Opens the picture.
  ///
  /// - Parameter leavesOut: Whether a layer whose image cannot be used is left out, and its error printed.
  func open(leavesOut: Bool) throws(WallpaperError) -> Picture {
    try Picture(path: try path(), leftOut: leavesOut ? report : nil)
  }

  /// Returns the files whose change may change the picture.
  ///
  /// - Parameter shown: The picture on the outputs.
  func files(_ shown: Picture) -> [String] {
    // A picture of the user's choice may appear while the standard one is shown.
    shown.files + ((try? path()).map(Picture.files) ?? [])
      + (argument == nil ? [search.chosen] : [])
  }

  /// Prints an error, but not twice.
  func report(_ error: WallpaperError) {
    if reported.insert(error.description).inserted { say(error.description) }
  }

  /// The picture could be read; an error is printed again afterwards.
  func isReadable() {
    reported = []
  }

  /// Prints the names of the pictures and their folders.
  func list() {
    var known: Set<String> = []
    for folder in search.folders {
      for name in names(in: folder) where known.insert(name).inserted {
        print("\(name)\t\(folder)/\(name)")
      }
    }
  }

  /// Returns the folders with a picture in a folder, and its images, by name.
  private func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
