// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Polls a condition every millisecond; throws after `timeoutSeconds`. Only for actions of another
/// process that it does not report.
package func waitUntil(
  _ what: String, timeoutSeconds: Double = 30, _ condition: () throws -> Bool
) throws {
  let deadline = Deadline(seconds: timeoutSeconds)
  while try !condition() {
    if deadline.isOver { throw TestSupportError("not within \(timeoutSeconds) s: \(what)") }
    poll(nil, 0, 1)
  }
}
