/// Samples a second as they really come.
package struct RateMeter: Sendable {
  /// Long enough for a steady figure, short enough to show a change.
  private static let windowNanoseconds: Int64 = 2_000_000_000

  private var first: Int64?
  private var latest: Int64 = 0
  private var intervals = 0
  private var complete: Double?

  package init() {}

  package mutating func add(atNanoseconds time: Int64) {
    guard let begin = first, time > latest, time - latest < Self.windowNanoseconds else {
      self = RateMeter()
      first = time
      latest = time
      return
    }
    intervals += 1
    latest = time
    if latest - begin >= Self.windowNanoseconds {
      complete = Double(intervals) * 1e9 / Double(latest - begin)
      first = latest
      intervals = 0
    }
  }

  /// Hz; nil where none came lately.
  package func hertz(atNanoseconds now: Int64) -> Double? {
    guard let begin = first, now - latest < Self.windowNanoseconds else { return nil }
    if let complete { return complete }
    return latest > begin ? Double(intervals) * 1e9 / Double(latest - begin) : nil
  }
}
