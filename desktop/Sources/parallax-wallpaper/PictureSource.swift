// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore

/// The pictures that the command line and the user's files ask for, now and after each change.
final class PictureSource {
  /// What came of opening the first picture of a list that can be read.
  struct Opening: Sendable {
    var picture: Picture?
    /// Those of the pictures before it, and of its layers that are left out.
    var errors: [WallpaperError] = []

    /// - Parameter travel: As of `Picture`.
    init(_ paths: [String], travel: Double?) {
      for path in paths where picture == nil {
        do throws(WallpaperError) {
          picture = try Picture(path: path, travel: travel, errors: &errors)
        } catch {
          errors.append(error)
        }
      }
    }
  }

  let choice: PictureChoice
  private let search: PictureSearch
  private let travel: Double?
  /// The opened pictures, by the paths that were tried.
  private var pictures: [[String]: Picture] = [:]
  private var jobs: [[String]: BackgroundJob<Opening>] = [:]
  /// The errors that were printed since everything could be read.
  private var reported: Set<String> = []

  /// - Parameter travel: As of `Picture`.
  init(_ choice: PictureChoice, travel: Double?) {
    search = PictureSearch { getenv($0).map { String(cString: $0) } }
    self.choice = choice
    self.travel = travel
  }

  /// Returns the paths of the pictures for an output; the first that can be read is shown.
  func paths(for output: String) throws(WallpaperError) -> [String] {
    try search.paths(of: choice.argument(for: output), output: output) { access($0, F_OK) == 0 }
  }

  /// Opens the pictures that are asked for before there is any output.
  ///
  /// - Throws: If one of them cannot be read at all.
  func openKnown() throws(WallpaperError) {
    for paths in try knownPaths() {
      let opening = Opening(paths, travel: travel)
      guard let picture = opening.picture else {
        throw opening.errors.first ?? WallpaperError("no picture", kind: .notFound)
      }
      opening.errors.forEach(report)
      pictures[paths] = picture
    }
  }

  /// Draws the same pictures, small.
  ///
  /// - Throws: The first error, also that of a single layer.
  func check() throws(WallpaperError) {
    for paths in try knownPaths() {
      let opening = Opening(paths, travel: travel)
      if let error = opening.errors.first { throw error }
      try opening.picture?.check()
    }
  }

  private func knownPaths() throws(WallpaperError) -> Set<[String]> {
    var known: Set<[String]> = []
    for output in choice.known { known.insert(try paths(for: output)) }
    return known
  }

  /// Returns the opened picture of these paths.
  func picture(_ paths: [String]) -> Picture? { pictures[paths] }

  /// Opens pictures in the background, also those that are open.
  func open(_ lists: Set<[String]>, pool: WorkerPool) {
    for job in jobs.values { job.cancel() }
    jobs = [:]
    for paths in lists {
      jobs[paths] = pool.start(pieces: 1) { [travel] _ in Opening(paths, travel: travel) }
    }
  }

  /// Returns what was opened in the background, by its paths. A picture whose files are as before is the
  /// same object.
  func collect() -> [[String]: Opening] {
    var finished: [[String]: Opening] = [:]
    for (paths, job) in jobs {
      guard var opening = job.outputs?.first else { continue }
      jobs[paths] = nil
      if let old = pictures[paths], old.stamps == opening.picture?.stamps, opening.errors.isEmpty {
        opening.picture = old
      }
      if opening.errors.isEmpty || pictures[paths] == nil { pictures[paths] = opening.picture }
      finished[paths] = opening
    }
    return finished
  }

  /// Returns the files whose change may change the pictures of these outputs.
  ///
  /// - Parameter lists: The pictures on the outputs, or for them.
  func files(_ lists: Set<[String]>, outputs: [String]) -> [String] {
    pictures = pictures.filter { lists.contains($0.key) }
    // A picture of the user's choice may appear while the standard one is shown.
    return lists.joined().flatMap(Picture.files) + pictures.values.flatMap(\.files)
      + (choice.general == nil ? [search.chosen] + outputs.compactMap(search.chosen) : [])
  }

  /// Prints an error, but not twice.
  func report(_ error: WallpaperError) {
    if reported.insert(error.description).inserted { say(error.description) }
  }

  /// Everything could be read; an error is printed again afterwards.
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
