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

  /// Returns the link or folder with the user's choice for one output; nil for a name that is none of a file.
  package func chosen(for output: String) -> String? {
    output.isEmpty || output.contains("/") ? nil : "\(chosen)-\(output)"
  }

  /// Returns the paths of the pictures for an output. The first that can be read is shown.
  ///
  /// - Parameters:
  ///   - argument: A path, or the name of a picture in `folders`; nil for the user's choice, or else the
  ///     standard picture.
  ///   - output: The output's name; empty for those without a choice of their own.
  ///   - exists: Whether there is something at a path.
  package func paths(
    of argument: String?, output: String = "", exists: (String) -> Bool
  ) throws(WallpaperError) -> [String] {
    if let argument { return [try path(of: argument, exists: exists)] }
    let own = chosen(for: output).flatMap { exists($0) ? [$0] : nil } ?? []
    if exists(chosen) { return own + [chosen] }
    if let standard = named(Self.standard, exists: exists) { return own + [standard] }
    guard own.isEmpty else { return own }
    throw WallpaperError(
      "no picture: \(chosen) does not exist, and no '\(Self.standard)' is installed; write a folder "
        + "or an image", kind: .notFound)
  }

  private func path(
    of argument: String, exists: (String) -> Bool
  ) throws(WallpaperError) -> String {
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
