/// How fast frames come.
package struct FramePace: Equatable, Sendable {
  /// R: what a receiver's rate is measured against, Hz.
  package var ratedHertz: Double
  /// What comes: a source that passes through keeps its own rate, Hz.
  package var actualHertz: Double

  package init(ratedHertz: Double, actualHertz: Double) {
    self.ratedHertz = ratedHertz
    self.actualHertz = actualHertz
  }
}

/// Picks the frames that are due to a receiver that wants fewer than there are.
///
/// From R / 1.02 up every frame is due; below it those at which floor(time * rate + 0.01) changes,
/// so that receivers with the same rate get the same frames, and a rate that divides R gets evenly
/// spaced ones. Nobody gets more than 60 a second.
package struct Cadence: Sendable {
  /// Lines a second at most: what a display shows, and no finer a view of typed and spoken secrets.
  package static let capHertz = 60.0
  /// How far below R a rate still means "every frame".
  package static let tolerance = 1.02

  /// Lines a second that were asked for, in (0, 60]; nil: as many as there are.
  package var rateHertz: Double?
  private var lastSlot: Double?

  package init(rateHertz: Double? = nil) {
    self.rateHertz = rateHertz
  }

  /// Whether the frame at this time is due. Every frame has to be shown to it, in order.
  package mutating func isDue(timeNanoseconds: Int64, pace: FramePace) -> Bool {
    guard let limit = limit(pace) else {
      lastSlot = nil
      return true
    }
    let slot = (Double(timeNanoseconds) / 1e9 * limit + 0.01).rounded(.down)
    defer { lastSlot = slot }
    return slot != lastSlot
  }

  private func limit(_ pace: FramePace) -> Double? {
    if let rateHertz, rateHertz < pace.ratedHertz / Self.tolerance {
      return min(rateHertz, Self.capHertz)
    }
    return Self.capHertz < pace.actualHertz / Self.tolerance ? Self.capHertz : nil
  }
}
