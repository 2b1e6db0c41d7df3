// SPDX-License-Identifier: Apache-2.0

/// Which photo of a folder is shown, and until when: one after another by their names, and again from the first.
package struct SlideShow: Equatable, Sendable {
  /// How long each is shown without --interval: 30 minutes.
  package static let standardSeconds = 1800.0
  /// The range of --interval: 1 second to 7 days.
  package static let secondsRange = 1.0...604_800

  /// The name of the photo that is shown.
  package private(set) var current: String
  private let intervalNanoseconds: Int64
  private var changesAt: Int64

  /// - Parameters:
  ///   - names: The photos in the folder; not empty.
  ///   - seconds: In `secondsRange`.
  ///   - nanoseconds: Now, on CLOCK_BOOTTIME or any other clock.
  package init?(_ names: [String], seconds: Double, at nanoseconds: Int64) {
    guard let first = PhotoFiles.photos(among: names).first else { return nil }
    current = first
    intervalNanoseconds = Int64(seconds * 1e9)
    changesAt = nanoseconds + intervalNanoseconds
  }

  /// Returns the time until the next photo is due, at least 0, in ms.
  package func timeoutMilliseconds(at nanoseconds: Int64) -> Int32 {
    Int32(clamping: (max(0, changesAt - nanoseconds) + 999_999) / 1_000_000)
  }

  /// Goes on to the next photo if it is due. Photos that were due while the machine slept are skipped.
  ///
  /// - Parameter names: Returns what is in the folder now; only called if it is due.
  /// - Returns: Whether another photo is shown now.
  package mutating func advance(at nanoseconds: Int64, names: () -> [String]) -> Bool {
    guard nanoseconds >= changesAt else { return false }
    changesAt = nanoseconds + intervalNanoseconds
    let photos = PhotoFiles.photos(among: names())
    let next = photos.first { $0 > current } ?? photos.first ?? current
    defer { current = next }
    return next != current
  }

  /// Reads an interval: a number of seconds, or a number with s, min or h, as in 10min. nil if it is none, or out of the
  /// range.
  package static func seconds(_ text: String) -> Double? {
    let units = [("min", 60.0), ("h", 3600), ("s", 1)]
    let unit = units.first { text.hasSuffix($0.0) }
    var number = text.dropLast(unit?.0.count ?? 0)
    while number.last == " " { number.removeLast() }
    guard let value = Double(number), secondsRange.contains(value * (unit?.1 ?? 1)) else {
      return nil
    }
    return value * (unit?.1 ?? 1)
  }
}
