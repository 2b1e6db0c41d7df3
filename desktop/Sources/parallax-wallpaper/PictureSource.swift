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

    /// - Parameter overrides: As of `Picture`.
    init(_ paths: [String], _ overrides: Picture.Overrides) {
      for path in paths where picture == nil {
        do throws(WallpaperError) {
          picture = try Picture(path: path, overrides, errors: &errors)
        } catch {
          errors.append(error)
        }
      }
    }
  }

  let choice: PictureChoice
  private let search: PictureSearch
  private let overrides: Picture.Overrides
  private let secondsPerPhoto: Double
  /// The slide shows, by their folders.
  private var shows: [String: SlideShow] = [:]
  /// The opened pictures, by the paths that were tried.
  private var pictures: [[String]: Picture] = [:]
  private var jobs: [[String]: BackgroundJob<Opening>] = [:]
  /// The errors that were printed since everything could be read.
  private var reported: Set<String> = []

  /// - Parameters:
  ///   - overrides: As of `Picture`.
  ///   - secondsPerPhoto: How long a photo of a folder is shown.
  init(
    _ choice: PictureChoice, _ overrides: Picture.Overrides,
    secondsPerPhoto: Double = SlideShow.standardSeconds
  ) {
    search = PictureSearch { getenv($0).map { String(cString: $0) } }
    self.choice = choice
    self.overrides = overrides
    self.secondsPerPhoto = secondsPerPhoto
  }

  /// Returns the paths of the pictures for an output; the first that can be read is shown.
  func paths(for output: String) throws(WallpaperError) -> [String] {
    let argument = choice.argument(for: output)
    return try search.paths(of: argument, output: output) { access($0, F_OK) == 0 }.map(photo)
  }

  // MARK: - Slide shows

  /// Returns the photo that is shown now if a path is a folder of photos, or else the path.
  private func photo(_ path: String) -> String {
    guard access(path + "/wallpaper.toml", F_OK) != 0 else { return path }
    // Its list, if there is one, is not read again here: the order of a running show has its own time.
    if shows[path] == nil {
      shows[path] = SlideShow(
        names(in: path), seconds: secondsPerPhoto, at: monotonicNanoseconds())
    }
    return shows[path].map { "\(path)/\($0.current)" } ?? path
  }

  /// Returns the time until another photo is due, in ms; -1 without a slide show.
  func timeoutMilliseconds(at now: Int64) -> Int32 {
    shows.values.map { $0.timeoutMilliseconds(at: now) }.min() ?? -1
  }

  /// Goes on with the slide shows. Returns whether another photo is due.
  func advance(at now: Int64) -> Bool {
    var isChanged = false
    for folder in shows.keys {
      if shows[folder]?.advance(at: now, names: { names(in: folder) }) == true { isChanged = true }
    }
    return isChanged
  }

  /// Opens the pictures that are asked for before there is any output.
  ///
  /// - Throws: If one of them cannot be read at all.
  func openKnown() throws(WallpaperError) {
    for paths in try knownPaths() {
      let opening = Opening(paths, overrides)
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
      let opening = Opening(paths, overrides)
      if let error = opening.errors.first { throw error }
      try opening.picture?.check()
    }
  }

  private func knownPaths() throws(WallpaperError) -> Set<[String]> {
    var known: Set<[String]> = []
    for output in choice.known { known.insert(try paths(for: output)) }
    return known
  }

  /// Opens a picture without an output.
  func openOnly() throws(WallpaperError) -> Picture {
    let opening = Opening(try paths(for: ""), overrides)
    guard let picture = opening.picture, opening.errors.isEmpty else {
      throw opening.errors.first ?? WallpaperError("no picture", kind: .notFound)
    }
    return picture
  }

  /// Returns the opened picture of these paths.
  func picture(_ paths: [String]) -> Picture? { pictures[paths] }

  /// Opens pictures in the background, also those that are open.
  func open(_ lists: Set<[String]>, pool: WorkerPool) {
    for job in jobs.values { job.cancel() }
    jobs = [:]
    for paths in lists {
      jobs[paths] = pool.start(pieces: 1) { [overrides] _ in Opening(paths, overrides) }
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
