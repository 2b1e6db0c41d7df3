// SPDX-License-Identifier: Apache-2.0

/// Where pictures are: the user's choice, and pictures by name.
package struct PictureSearch: Equatable, Sendable {
  /// The picture that is shown without an argument: a folder, a file, or a link to one.
  package let chosen: String
  /// The folders of pictures, the user's first.
  package let folders: [String]
  /// The picture of a user who has chosen none.
  package static let standard = "valley"

  /// - Parameter environment: Returns a variable; nil if it is not set.
  package init(environment: (String) -> String?) {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    let home = value("HOME") ?? ""
    chosen = (value("XDG_CONFIG_HOME") ?? home + "/.config") + "/parallax/wallpaper"
    let own = value("XDG_DATA_HOME") ?? home + "/.local/share"
    let shared = value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    folders = ([own] + shared.split(separator: ":").map(String.init)).map {
      $0 + "/parallax/wallpapers"
    }
  }

  /// Returns the path of the picture to show.
  ///
  /// - Parameters:
  ///   - argument: A path, or the name of a picture in `folders`; nil for the user's choice, or else the
  ///     standard picture.
  ///   - exists: Whether there is something at a path.
  package func path(
    of argument: String?, exists: (String) -> Bool
  ) throws(WallpaperError) -> String {
    guard let argument else {
      if exists(chosen) { return chosen }
      guard let path = named(Self.standard, exists: exists) else {
        throw WallpaperError(
          "no picture: \(chosen) does not exist, and no '\(Self.standard)' is installed; write a folder "
            + "or an image", kind: .notFound)
      }
      return path
    }
    if argument.contains("/") || exists(argument) { return argument }
    guard let path = named(argument, exists: exists) else {
      throw WallpaperError(
        "'\(argument)' is neither a file nor the name of a picture; --list prints the names",
        kind: .notFound)
    }
    return path
  }

  private func named(_ name: String, exists: (String) -> Bool) -> String? {
    folders.map { "\($0)/\(name)" }.first(where: exists)
  }
}
