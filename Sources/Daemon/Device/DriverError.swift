// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failed call of libiio.
package struct DriverError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The errno, positive.
  package let number: Int32
  /// The failed action, as in `reading scale`.
  package let action: String

  package init(number: Int32, action: String) {
    self.number = number
    self.action = action
  }

  package var description: String { "\(action): \(DriverError.text(number))" }

  /// The description of an error number, in English.
  package static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Checks the result of a function that returns a count or a negative errno.
  @discardableResult
  static func check(
    _ result: Int, _ action: @autoclosure () -> String
  ) throws(DriverError) -> Int {
    guard result >= 0 else {
      throw DriverError(number: Int32(truncatingIfNeeded: -result), action: action())
    }
    return result
  }

  /// The error of a function that returns nothing and sets errno; one of them does not set it when
  /// memory runs out.
  static func last(_ action: String) -> DriverError {
    DriverError(number: errno == 0 ? ENOMEM : errno, action: action)
  }
}
