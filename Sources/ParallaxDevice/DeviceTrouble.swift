/// Why there is no motion from a gyroscope. Each text says what to do, on one line; the cases are the
/// states of the stream's DEVICE line.
package enum DeviceTrouble: Error, Equatable, Sendable {
  /// There is no gyroscope, or not the one that was asked for.
  case none(String)
  /// Another program streams from it.
  case busy(String)
  /// It may not be read.
  case denied(String)
  /// It was there, and is gone or silent.
  case lost(String)

  package var reason: String {
    switch self {
    case .none(let reason), .busy(let reason), .denied(let reason), .lost(let reason): reason
    }
  }
}
