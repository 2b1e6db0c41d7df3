// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Reports that the configured source cannot be opened.
package final class MissingSource: MotionSource {
  package let driver: String
  package let name: String?
  private let reason: String

  package init(driver: String, name: String?, reason: String) {
    self.driver = driver
    self.name = name
    self.reason = reason
  }

  package var due: MotionInstant? { nil }

  package func start(at now: MotionInstant) -> SourceEvent? { .failed(.none, reason: reason) }

  package func next(at now: MotionInstant) -> SourceEvent? { nil }

  package func stop() {}
}
