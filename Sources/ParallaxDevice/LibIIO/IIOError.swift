import Glibc

/// A call of libiio's that failed.
package struct IIOError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The errno, positive.
  package let number: Int32
  /// What was tried, as in `reading scale`.
  package let action: String

  package init(number: Int32, action: String) {
    self.number = number
    self.action = action
  }

  package var description: String { "\(action): \(IIOError.text(number))" }

  /// errno in words, in no locale.
  package static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Most of libiio's functions answer with a count or a negative errno.
  @discardableResult
  static func check(
    _ result: Int, _ action: @autoclosure () -> String
  ) throws(IIOError) -> Int {
    guard result >= 0 else {
      throw IIOError(number: Int32(truncatingIfNeeded: -result), action: action())
    }
    return result
  }

  /// The others with nothing, and errno (which one of them leaves alone where memory ran out).
  static func last(_ action: String) -> IIOError {
    IIOError(number: errno == 0 ? ENOMEM : errno, action: action)
  }
}
