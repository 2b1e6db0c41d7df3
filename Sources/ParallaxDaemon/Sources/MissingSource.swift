/// A source that this daemon cannot open, and says so.
package final class MissingSource: MotionSource {
  package let driver: String
  package let name: String?
  private let reason: String

  package init(driver: String, name: String?, reason: String) {
    self.driver = driver
    self.name = name
    self.reason = reason
  }

  package var dueNanoseconds: Int64? { nil }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    .trouble(.none, reason: reason)
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? { nil }

  package func stop() {}
}
