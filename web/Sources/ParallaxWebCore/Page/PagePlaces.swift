// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where the page's files and the `parallax` program are, from the place of this program.
package enum PagePlaces {
  /// Returns the folders of the page and of the client's modules; nil if there are none.
  ///
  /// - Parameters:
  ///   - folder: The value of --files; its subfolder `client` may have the modules.
  ///   - own: The folder of this program, without links.
  package static func files(
    _ folder: String?, own: String? = ownFolder,
    exists: (String) -> Bool = { access($0, R_OK) == 0 }
  ) -> (page: String, client: String)? {
    let known = own.flatMap { own -> (page: String, client: String)? in
      let shared = ["\(own)/../../share/parallax/page", "\(own)/../share/parallax/page"]
        .map { (page: $0, client: "\($0)/client") }
      let source = checkout(own).map {
        (page: "\($0)/web/page", client: "\($0)/clients/javascript")
      }
      return (shared + (source.map { [$0] } ?? [])).first { exists("\($0.page)/index.html") }
    }
    guard let folder else { return known }
    let client = "\(folder)/client"
    return (folder, exists(client) ? client : known?.client ?? client)
  }

  /// Returns the paths to try for the `parallax` program: next to this one, in `bin` of the installation, along
  /// PATH and, in a checkout, in the build folders.
  package static func programs(
    own: String? = ownFolder, path: String = ProgramEnvironment.variable("PATH") ?? "/usr/bin:/bin"
  ) -> [String] {
    var folders: [String] = []
    if let own {
      folders = [own, "\(own)/../../bin"]
      if let root = checkout(own) {
        let kind = own.split(separator: "/").last.map(String.init) ?? "debug"
        folders += [kind, kind == "debug" ? "release" : "debug"].map { "\(root)/.build/\($0)" }
      }
    }
    folders += path.split(separator: ":").map(String.init)
    return folders.map { "\($0)/parallax" }
  }

  /// The folder of this program, without links; nil if it cannot be found.
  package static var ownFolder: String? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    let path = String(cString: own)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  /// Returns the root of the checkout for a program in `.../web/.build/...`.
  static func checkout(_ own: String) -> String? {
    own.range(of: "/web/.build/").map { String(own[..<$0.lowerBound]) }
  }
}

extension String {
  /// Returns where a text begins and ends; nil if it does not occur.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
