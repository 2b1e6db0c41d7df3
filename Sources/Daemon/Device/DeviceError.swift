// SPDX-License-Identifier: Apache-2.0

/// Why there are no samples from a gyroscope. The cases are the states of the stream's DEVICE line.
package enum DeviceError: Error, Equatable, Sendable {
  /// There is no gyroscope, or not the requested one.
  case none(String)
  /// Another program streams from it.
  case busy(String)
  /// This user may not read it.
  case denied(String)
  /// It was there, and is gone or silent.
  case lost(String)

  /// What happened and what to do, on one line.
  package var reason: String {
    switch self {
    case .none(let reason), .busy(let reason), .denied(let reason), .lost(let reason): reason
    }
  }
}
